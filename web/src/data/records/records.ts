import { type ChartData, gapMsOf, LEARNT_RECORDS } from '@catchment/dashboard-view';
import { inTurn } from '../../live/requests.ts';
import { call, nodePath } from '../requests/call.ts';
import { isForbidden } from '../requests/failures.ts';

/** This many reads of records are open at a time. */
const take = inTurn(5);

type Cell = { readonly v?: unknown; readonly q?: number; readonly a?: string };
type Jts = {
  readonly header?: { readonly columns?: Readonly<Record<string, { readonly aggregate?: string }>> };
  readonly data: readonly { readonly ts: string; readonly f: Readonly<Record<string, Cell>> }[];
};
export type Row = { readonly ms: number; readonly value: unknown; readonly quality?: number; readonly note?: string };

/** Records become what is drawn by these: at which width, or by which intervals. */
export type Drawn = Readonly<Record<string, string>>;

/** A line of a chart has what is to be said of its records: by the place in `times`. */
export type Line = ChartData['series'][number] & {
  readonly qualities: ReadonlyMap<number, number>;
  readonly notes: ReadonlyMap<number, string>;
};

const isoOf = (ms: number): string => new Date(ms).toISOString();

async function rows(nodeId: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Row[]> {
  const path = `${nodePath(nodeId)}/historic` as const;
  const { data } = await take(() => call<Jts>('GET', path, { query, signal }), signal);
  return data.map(({ ts, f }) => {
    const { v, q, a } = f['0'] ?? {};
    // Thousands of records mostly have neither.
    const row: { -readonly [name in keyof Row]: Row[name] } = { ms: Date.parse(ts), value: v ?? null };
    if (q !== undefined) row.quality = q;
    if (a !== undefined) row.note = a;
    return row;
  });
}

export type LineSource = {
  readonly nodeId: string;
  readonly expectedIntervalSeconds: number | null;
  /** The first and last record have these times; null: there are none. */
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
};

/** Most stations record at least so often: what has wider columns is asked for its records alone, and seldom needs more. */
const DENSE_MS = 900_000;

/**
 * Reads the records of a window that a picture of so many pixels can show, and the nearest ones beyond its ends, so that a line reaches the
 * edges; with how far apart neighbours may lie to be joined. Details that cannot be seen at that width are not read: an edge nearer
 * than a column, or which interval a series has whose records are nowhere further apart than one.
 */
export async function readLine(
  { nodeId, expectedIntervalSeconds, oldestMs, newestMs }: LineSource,
  { start, end }: { readonly start: number; readonly end: number },
  width: number,
  drawn: Drawn | undefined,
  signal: AbortSignal,
): Promise<Line> {
  const value = { renderType: 'VALUE' };
  const range = { startTime: isoOf(Math.floor(start)), endTime: isoOf(Math.ceil(end)) };
  const inside = rows(nodeId, { ...value, ...range, ...(drawn ?? { reduce: 'M4', width: String(width) }) }, signal);
  if (drawn) return lineOf(await inside, null);
  const nothing: Row[] = [];
  // A person who may look at charts and not read records sees the line without what lies beyond it.
  const beyond = (query: Readonly<Record<string, string>>) =>
    rows(nodeId, { ...value, ...query }, signal).catch((error: unknown) => {
      if (isForbidden(error)) return nothing;
      throw error;
    });
  // Neighbours within a column may have had others between them.
  const columnMs = (end - start) / width;
  const known = columnMs >= DENSE_MS ? await inside : undefined;
  const isFar = (a = Number.NEGATIVE_INFINITY, b = Number.POSITIVE_INFINITY) => b - a > columnMs;
  const hasBefore = oldestMs !== null && oldestMs < start && (known === undefined || isFar(start, known[0]?.ms));
  const hasAfter = newestMs !== null && newestMs > end && (known === undefined || isFar(known.at(-1)?.ms, end));
  const isApart = known === undefined || known.some(({ ms }, i) => i > 0 && isFar(known[i - 1]!.ms, ms));
  const isLearnt = expectedIntervalSeconds === null && (isApart || hasBefore || hasAfter);
  const [before, shown, after, learnt] = await Promise.all([
    hasBefore ? beyond({ endTime: isoOf(Math.floor(start) - 1), limit: '1' }) : nothing,
    inside,
    hasAfter ? beyond({ startTime: isoOf(Math.ceil(end) + 1), limit: '1' }) : nothing,
    isLearnt ? beyond({ endTime: range.endTime, limit: String(LEARNT_RECORDS) }) : nothing,
  ]);
  const times = learnt.map(({ ms }) => ms);
  const gapMs = Math.max(isLearnt || expectedIntervalSeconds ? gapMsOf(expectedIntervalSeconds, times) : 0, columnMs);
  return lineOf([...before, ...shown, ...after], Number.isFinite(gapMs) ? gapMs : null);
}

export function lineOf(all: readonly Row[], gapMs: number | null): Line {
  const qualities = new Map<number, number>();
  const notes = new Map<number, string>();
  for (const [i, { quality, note }] of all.entries()) {
    if (quality !== undefined) qualities.set(i, quality);
    if (note !== undefined) notes.set(i, note);
  }
  return {
    times: all.map(({ ms }) => ms),
    values: all.map(({ value }) => (typeof value === 'number' && Number.isFinite(value) ? value : null)),
    gapMs,
    qualities,
    notes,
  };
}

/** Reads the last records before an instant, oldest first; a table goes back by them. */
export const readBefore = (nodeId: string, endMs: number, limit: number, signal: AbortSignal): Promise<Row[]> =>
  rows(nodeId, { endTime: isoOf(endMs), limit: String(limit), renderType: 'VALUE' }, signal);

/** Reads the record that counted at an instant; undefined: there was none yet. */
export async function recordAt(nodeId: string, ms: number, signal: AbortSignal): Promise<Row | undefined> {
  return (await readBefore(nodeId, ms, 1, signal)).at(-1);
}

/** At most this many changes of a text are read: more could not be distinguished. */
export const MOST_CHANGES = 5_000;

/** Reads the records of a window at which the value has changed, and the last one before it. */
export async function readChanges(
  nodeId: string,
  { start, end }: { readonly start: number; readonly end: number },
  signal: AbortSignal,
): Promise<Row[]> {
  const inside = { startTime: isoOf(Math.floor(start)), endTime: isoOf(Math.ceil(end)), limit: String(MOST_CHANGES) };
  const [before, changes] = await Promise.all([
    readBefore(nodeId, Math.floor(start) - 1, 1, signal),
    rows(nodeId, { ...inside, aggregate: 'CHANGE', renderType: 'VALUE' }, signal),
  ]);
  return [...before, ...changes];
}

/** Reads the first records of a window. */
export const readInside = (
  nodeId: string,
  { start, end }: { readonly start: number; readonly end: number },
  limit: number,
  signal: AbortSignal,
): Promise<Row[]> =>
  rows(
    nodeId,
    { startTime: isoOf(Math.floor(start)), endTime: isoOf(Math.ceil(end)), limit: String(limit), renderType: 'VALUE' },
    signal,
  );
