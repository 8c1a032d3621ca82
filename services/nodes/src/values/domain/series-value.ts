import type { Edges, SeriesRecord } from '../../shown/index.ts';

/** Edges of one write: its records having a value, newest first, at most 2, and the oldest. */
export type WrittenEdges = { readonly newest: readonly SeriesRecord[]; readonly oldest: SeriesRecord | null };

/**
 * Returns current, previous and oldest after a write that took no value away: the newest two of all known records, the written
 * one winning where both have the same time. Merging the same write again changes nothing.
 */
export function mergeEdges(before: Edges, written: WrittenEdges): Edges {
  const byTime = new Map<number, SeriesRecord>();
  for (const record of [before.current, before.previous, ...written.newest]) if (record) byTime.set(record.ms, record);
  const [current = null, previous = null] = [...byTime.values()].sort((a, b) => b.ms - a.ms);
  return { current, previous, oldest: older(before.oldest, written.oldest) };
}

function older(before: SeriesRecord | null, written: SeriesRecord | null): SeriesRecord | null {
  if (!before || !written) return before ?? written;
  return written.ms <= before.ms ? written : before;
}
