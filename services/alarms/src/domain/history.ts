import { MAX_OCCURRENCES } from '@catchment/states';

/** A record having a value, before the transform. Times are Unix ms, coordinates a text. */
export type ValueRecord = { readonly timeMs: number; readonly value: number | string };

/** No state looks at coordinates: they are kept to be told apart. */
export const coordinatesText = (latitude: number, longitude: number): string => `${latitude},${longitude}`;

/** A record with its quality code, if it has one. */
export type CodeRecord = { readonly timeMs: number; readonly code: number | undefined };

/**
 * The newest records of a series that have a value: all of them from `knownSinceMs` on, at most 15, ascending.
 * -Infinity: the series has no others; Infinity: nothing is known yet.
 */
export type History = { readonly records: readonly ValueRecord[]; readonly knownSinceMs: number };

export const UNKNOWN_HISTORY: History = { records: [], knownSinceMs: Number.POSITIVE_INFINITY };
export const EMPTY_HISTORY: History = { records: [], knownSinceMs: Number.NEGATIVE_INFINITY };

/** Time of the newest record having a value: only newer ones are evaluated (docs/reference/writing.md#notifyon). */
export const newestMs = (history: History): number => history.records.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY;

/** What a write does to the records having a value. */
export type ValueEdits = {
  /** Ascending: inserted or replaced. */
  readonly set: readonly ValueRecord[];
  /** Ascending: records that were written, with a value or with a quality alone. */
  readonly codes: readonly CodeRecord[];
  /** Records that are gone or have no value any more. */
  readonly removes: (timeMs: number) => boolean;
};

/** The records after a write, not cut to 15. Those older than what is known are left to the store. */
export function editedRecords({ records, knownSinceMs }: History, edits: ValueEdits): readonly ValueRecord[] {
  const set = edits.set.filter((record) => record.timeMs >= knownSinceMs);
  const replaced = new Set(set.map((record) => record.timeMs));
  const kept = records.filter(({ timeMs }) => !replaced.has(timeMs) && !edits.removes(timeMs));
  return set.length === 0 && kept.length === records.length ? records : [...kept, ...set].sort(byTime);
}

/** The history out of `editedRecords`. */
export const historyOf = (records: readonly ValueRecord[], knownSinceMs: number): History =>
  trimmed(records, knownSinceMs);

/** True when a rule needs more records than are known while the store may have them. */
export const needsStore = (history: History, records: number): boolean =>
  history.knownSinceMs !== Number.NEGATIVE_INFINITY && history.records.length < records;

/**
 * Adds what the store has from before the known time.
 * @param stored the newest records having a value, any order
 * @param asked how many the store was asked for: fewer are all there are
 * @param beforeMs records from here on are not taken: the store may be ahead of the log's reader
 */
export function extendHistory(
  history: History,
  stored: readonly ValueRecord[],
  { asked, beforeMs }: { asked: number; beforeMs: number },
): History {
  const limitMs = Math.min(history.knownSinceMs, beforeMs);
  const older = stored.filter((record) => record.timeMs < limitMs).sort(byTime);
  // Where the store has gone on by more records than were asked for, what is older than the limit stays unknown.
  const oldestStoredMs = stored.reduce((oldest, record) => Math.min(oldest, record.timeMs), limitMs);
  const knownSinceMs = stored.length < asked ? Number.NEGATIVE_INFINITY : oldestStoredMs;
  return trimmed([...older, ...history.records], knownSinceMs);
}

const byTime = (a: ValueRecord, b: ValueRecord) => a.timeMs - b.timeMs;

function trimmed(records: readonly ValueRecord[], knownSinceMs: number): History {
  if (records.length <= MAX_OCCURRENCES) return { records, knownSinceMs };
  const newest = records.slice(-MAX_OCCURRENCES);
  return { records: newest, knownSinceMs: newest[0]?.timeMs ?? knownSinceMs };
}
