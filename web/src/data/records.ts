import { type ChartData, gapMsOf, LEARNT_RECORDS } from '@catchment/dashboard-view';
import { inTurn } from '../live/requests.ts';
import { call } from './call.ts';
import { isForbidden } from './failures.ts';

/** Reads of records that are open at a time. */
const take = inTurn(5);

type Cell = { readonly v?: unknown; readonly q?: number; readonly a?: string };
type Jts = {
  readonly header?: { readonly columns?: Readonly<Record<string, { readonly aggregate?: string }>> };
  readonly data: readonly { readonly ts: string; readonly f: Readonly<Record<string, Cell>> }[];
};
export type Row = { readonly ms: number; readonly value: unknown; readonly quality?: number; readonly note?: string };

/** How records become what is drawn: at which width, or by which intervals. */
export type Drawn = Readonly<Record<string, string>>;

/** A line of a chart, with what is to be said of its records: by the place in `times`. */
export type Line = ChartData['series'][number] & {
  readonly qualities: ReadonlyMap<number, number>;
  readonly notes: ReadonlyMap<number, string>;
};

const isoOf = (ms: number): string => new Date(ms).toISOString();

async function rows(nodeId: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Row[]> {
  const path = `/nodes/${encodeURIComponent(nodeId)}/historic` as const;
  const { data } = await take(() => call<Jts>('GET', path, { query, signal }), signal);
  return data.map(({ ts, f }) => {
    const { v, q, a } = f['0'] ?? {};
    return {
      ms: Date.parse(ts),
      value: v ?? null,
      ...(q !== undefined && { quality: q }),
      ...(a !== undefined && { note: a }),
    };
  });
}

export type LineSource = {
  readonly nodeId: string;
  readonly expectedIntervalSeconds: number | null;
  /** Of its first and last record; null: there are none. */
  readonly oldestMs: number | null;
  readonly newestMs: number | null;
};

/**
 * The records of a window that a picture of so many pixels can show, and the nearest ones beyond its ends, so that a line reaches the edges;
 * with how far apart neighbours may lie to be joined.
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
  const nothing: Row[] = [];
  const hasBefore = oldestMs !== null && oldestMs < start && !drawn;
  const hasAfter = newestMs !== null && newestMs > end && !drawn;
  // Who may look at charts and not read records sees the line without what lies beyond it.
  const beyond = (query: Readonly<Record<string, string>>) =>
    rows(nodeId, { ...value, ...query }, signal).catch((error: unknown) => {
      if (isForbidden(error)) return nothing;
      throw error;
    });
  const [before, inside, after, learnt] = await Promise.all([
    hasBefore ? beyond({ endTime: isoOf(Math.floor(start) - 1), limit: '1' }) : nothing,
    rows(nodeId, { ...value, ...range, ...(drawn ?? { reduce: 'M4', width: String(width) }) }, signal),
    hasAfter ? beyond({ startTime: isoOf(Math.ceil(end) + 1), limit: '1' }) : nothing,
    expectedIntervalSeconds === null && !drawn
      ? beyond({ endTime: range.endTime, limit: String(LEARNT_RECORDS) })
      : nothing,
  ]);
  const all = [...before, ...inside, ...after];
  const learntMs = drawn
    ? Number.POSITIVE_INFINITY
    : gapMsOf(
        expectedIntervalSeconds,
        learnt.map(({ ms }) => ms),
      );
  // Neighbours within a column may have had others between them.
  const gapMs = Math.max(learntMs, (end - start) / width);
  return lineOf(all, Number.isFinite(gapMs) ? gapMs : null);
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

/** The last records before an instant, oldest first; a table goes back by them. */
export const readBefore = (nodeId: string, endMs: number, limit: number, signal: AbortSignal): Promise<Row[]> =>
  rows(nodeId, { endTime: isoOf(endMs), limit: String(limit), renderType: 'VALUE' }, signal);

/** The record that counted at an instant; undefined: there was none yet. */
export async function recordAt(nodeId: string, ms: number, signal: AbortSignal): Promise<Row | undefined> {
  return (await readBefore(nodeId, ms, 1, signal)).at(-1);
}
