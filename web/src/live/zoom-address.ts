/** Both ends are Unix milliseconds. */
export type Part = { readonly start: number; readonly end: number };

/** `zoom.<id of the tile>=<start>/<end>` has instants, so that whoever opens the address sees the same. */
const ARGUMENT = /^zoom\.(.+)$/;
const TIME = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z`;
const PART = new RegExp(`^(${TIME})/(${TIME})$`);
/** Parts of this many charts are kept: an address has an end (docs/reference/limits.md). */
const MOST = 20;

type Pair = { readonly name: string; readonly value: string; readonly text: string };

/** Returns the arguments of an address, each beside the text that it is written as. */
function pairsOf(search: string): Pair[] {
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter((text) => text !== '')
    .map((text) => {
      const [[name, value] = ['', '']] = [...new URLSearchParams(text)];
      return { name, value, text };
    });
}

const searchOf = (texts: readonly string[]): string => (texts.length === 0 ? '' : `?${texts.join('&')}`);

/** Returns undefined where what stands there is no part of a chart. */
function partOf(value: string): Part | undefined {
  const [, from = '', to = ''] = PART.exec(value) ?? [];
  const [start, end] = [Date.parse(from), Date.parse(to)];
  return start < end ? { start, end } : undefined;
}

/** Reads what an address says of the charts of its page; what it says wrongly is left out. */
export function partsOf(search: string): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  for (const { name, value } of pairsOf(search)) {
    const [, tileId] = ARGUMENT.exec(name) ?? [];
    const part = partOf(value);
    if (tileId !== undefined && part !== undefined) parts.set(tileId, part);
  }
  return parts;
}

/** Returns the other arguments: those of the page, which its server is asked with. */
export const withoutParts = (search: string): string =>
  searchOf(pairsOf(search).flatMap(({ name, text }) => (ARGUMENT.test(name) ? [] : [text])));

/** The address with another part of a chart, a new one at its end; undefined: with none. */
export function withPart(search: string, tileId: string, part: Part | undefined): string {
  const pairs = pairsOf(search);
  const zoomName = `zoom.${tileId}`;
  const text =
    part && `zoom.${encodeURIComponent(tileId)}=${isoOf(Math.floor(part.start))}/${isoOf(Math.ceil(part.end))}`;
  const isKnown = pairs.some(({ name }) => name === zoomName);
  const zooms = pairs
    .filter(({ name }) => ARGUMENT.test(name))
    .flatMap((pair) => (pair.name === zoomName ? (text ?? []) : pair.text));
  if (text !== undefined && !isKnown) zooms.push(text);
  const others = pairs.flatMap((pair) => (ARGUMENT.test(pair.name) ? [] : pair.text));
  return searchOf([...others, ...zooms.slice(-MOST)]);
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
