/** A stored value, before multiplier and offset. A Time is `{"$millis": n}`, coordinates are [latitude, longitude]. */
export type RawValue = number | string | { readonly $millis: number } | readonly [number, number];

/** One record having a value. */
export type SeriesRecord = { readonly ms: number; readonly value: RawValue; readonly quality: number | null };

/** What a node shows of its series (docs/reference/parameters.md#attributes); null = the series has none. */
export type Edges = {
  readonly current: SeriesRecord | null;
  readonly previous: SeriesRecord | null;
  readonly oldest: SeriesRecord | null;
};

export const NO_EDGES: Edges = { current: null, previous: null, oldest: null };

/** What one write says of its own records having a value: newest first, at most 2, and the oldest. */
export type WrittenEdges = { readonly newest: readonly SeriesRecord[]; readonly oldest: SeriesRecord | null };

/**
 * Current, previous and oldest after a write that took no value away: the newest two of all known records, the written
 * one winning where both have the same time. Merging the same write again changes nothing.
 */
export function mergeEdges(before: Edges, written: WrittenEdges): Edges {
  const byTime = new Map<number, SeriesRecord>();
  for (const record of [before.current, before.previous, ...written.newest]) if (record) byTime.set(record.ms, record);
  const [current = null, previous = null] = [...byTime.values()].sort((a, b) => b.ms - a.ms);
  return { current, previous, oldest: older(before.oldest, written.oldest) };
}

/** Whether a record was replaced by one of the same time. */
export const hasAnotherValue = (before: SeriesRecord | null | undefined, after: SeriesRecord | null): boolean =>
  before?.ms === after?.ms && JSON.stringify(before?.value) !== JSON.stringify(after?.value);

function older(before: SeriesRecord | null, written: SeriesRecord | null): SeriesRecord | null {
  if (!before || !written) return before ?? written;
  return written.ms <= before.ms ? written : before;
}
