import { call, nodePath } from '../requests/call.ts';
import { newKey } from '../requests/client.ts';

/** This many records are mended at a time, and one write takes this many (docs/reference/limits.md). */
export const MOST_MENDED = 50_000;
/** An answer has this many records: few enough to be read between two frames. */
const PAGE = 5_000;
/** A write that takes longer is compared with the store before it can be read. */
const READABLE_WITHIN_S = 30;

export type Range = { readonly start: number; readonly end: number };
type Cell = { readonly v?: unknown; readonly q?: number; readonly a?: string };
type Jts = {
  readonly data: readonly { readonly ts: string; readonly f: Readonly<Record<string, Cell | undefined>> }[];
};
export type Read = {
  readonly ms: number;
  readonly value: unknown;
  readonly quality: number | undefined;
  readonly note: string | undefined;
};

/** A range has more records than are mended at a time. */
export class TooMany extends Error {}

/** Numbers are as they are, of all qualities: neither rounded by a format nor left out by the account's settings. */
const WHOLE = { renderType: 'VALUE', renderFormat: '', qualityExcluded: 'NONE' } as const;

const pathOf = (nodeId: string) => `${nodePath(nodeId)}/historic` as const;
const isoOf = (ms: number): string => new Date(ms).toISOString();

/**
 * Reads all records of a range, ascending.
 * @throws TooMany where there are more than `MOST_MENDED`: at once where the good ones alone are
 */
export async function readWhole(
  nodeId: string,
  { start, end }: Range,
  signal: AbortSignal,
  onRead: (count: number) => void = () => {},
): Promise<readonly Read[]> {
  if ((await goodIn(nodeId, { start, end }, signal)) > MOST_MENDED) throw new TooMany();
  const rows: Read[] = [];
  for (let from = start; ; ) {
    const query = { ...WHOLE, startTime: isoOf(from), endTime: isoOf(end), limit: PAGE };
    const { data } = await call<Jts>('GET', pathOf(nodeId), { query, signal });
    for (const { ts, f } of data) {
      const { v, q, a } = f['0'] ?? {};
      rows.push({ ms: Date.parse(ts), value: v ?? null, quality: q, note: a });
    }
    if (rows.length > MOST_MENDED) throw new TooMany();
    onRead(rows.length);
    from = (rows.at(-1)?.ms ?? end) + 1;
    if (data.length < PAGE || from > end) return rows;
  }
}

/** Counts records of a range that are good, without reading them. */
async function goodIn(nodeId: string, { start, end }: Range, signal: AbortSignal): Promise<number> {
  if (start >= end) return 0;
  const query = { startTime: isoOf(start), endTime: isoOf(end), aggregate: 'COUNT', baseTime: 'NOW', interval: '100Y' };
  const { data } = await call<Jts>('GET', pathOf(nodeId), { query: { ...query, renderType: 'VALUE' }, signal });
  return data.reduce((sum, { f }) => sum + Number(f['0']?.v ?? 0), 0);
}

/**
 * Writes a document that changes only what it names, once for a key however often it is sent.
 * @returns the name of the write; undefined where there was nothing to store
 */
export async function writeChanges(nodeId: string, document: object, key: string): Promise<string | undefined> {
  const query = { writeMode: 'MERGE_UPDATE_EXISTING' };
  return (await call<{ readonly write?: string }>('PUT', pathOf(nodeId), { query, body: document, key })).write;
}

export { newKey };

/** Waits until what was written can be read. */
export async function readable(write: string): Promise<void> {
  await call('GET', `/writes/${encodeURIComponent(write)}`, { query: { wait: READABLE_WITHIN_S } });
}

/** Reads ratings that are computed from a parameter, as far as the person may see them. */
export async function ratingsOf(nodeId: string, signal: AbortSignal): Promise<readonly string[]> {
  const query = { filter: `inputNodeId($eq:${nodeId})`, attr: 'name', limit: 20 };
  const found = await call<readonly { readonly name: string }[]>('GET', '/nodes', { query, signal });
  return found.map(({ name }) => name);
}
