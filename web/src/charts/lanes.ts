import type { Window } from './chart-window.ts';

/** A text holds from its record to the next one. */
export type Held = { readonly start: number; readonly end: number; readonly text: string };
/** A part of a lane has one text, or several that change too fast to be distinguished. */
export type Stretch = {
  readonly start: number;
  readonly end: number;
  readonly text: string | undefined;
  readonly count: number;
};

/**
 * Finds the texts that hold in a window, of records in the order of time of which one may lie before it. The last one holds to `newestMs`.
 */
export function heldIn(
  records: readonly { readonly ms: number; readonly text: string | null }[],
  { start, end }: Window,
  newestMs: number,
): readonly Held[] {
  return records.flatMap(({ ms, text }, i) => {
    const from = Math.max(ms, start);
    const to = Math.min(records[i + 1]?.ms ?? Math.max(newestMs, ms), end);
    return text === null || to <= from ? [] : [{ start: from, end: to, text }];
  });
}

/** Returns as many stretches as can be seen: what is shorter than `leastMs` is put together with its neighbours. */
export function stretchesOf(held: readonly Held[], leastMs: number): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const { start, end, text } of held) {
    const before = found.at(-1);
    const isNext = before !== undefined && before.end === start;
    if (isNext && before.text === text) found[found.length - 1] = { ...before, end };
    else if (
      isNext &&
      (end - start < leastMs || before.end - before.start < leastMs) &&
      before.end - before.start < 4 * leastMs
    )
      found[found.length - 1] = { start: before.start, end, text: undefined, count: before.count + 1 };
    else found.push({ start, end, text, count: 1 });
  }
  return found;
}

export type Share = { readonly text: string; readonly ms: number; readonly count: number };

/** Counts how long each text held, the longest first. */
export function sharesOf(held: readonly Held[]): readonly Share[] {
  const all = new Map<string, { ms: number; count: number }>();
  let before: string | undefined;
  for (const { start, end, text } of held) {
    const share = all.get(text) ?? { ms: 0, count: 0 };
    all.set(text, { ms: share.ms + end - start, count: share.count + (text === before ? 0 : 1) });
    before = text;
  }
  return [...all].map(([text, share]) => ({ text, ...share })).sort((a, b) => b.ms - a.ms);
}
