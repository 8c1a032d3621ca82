import { MAX_OCCURRENCES } from '@catchment/states';

/** The record has a value, before the transform. Times are Unix ms, coordinates a text. */
export type ValueRecord = { readonly timeMs: number; readonly value: number | string };

/** No state looks at coordinates: they are kept so that two records differ. */
export const coordinatesText = (latitude: number, longitude: number): string => `${latitude},${longitude}`;

/** The record may have a quality code. */
export type CodeRecord = { readonly timeMs: number; readonly code: number | undefined };

/** A code that a write says, leaves as it is, or takes away from a record of which it says nothing else. */
export type WrittenCode = CodeRecord & { readonly isAsItWas?: boolean; readonly isTakenAway?: boolean };

/** A record as kept. */
export type KeptRecord = ValueRecord & {
  /** The state from this record on, '' = none; undefined: it was not evaluated, and the state is that of the record before it. */
  readonly stateId?: string | undefined;
  readonly code?: number | undefined;
};

/**
 * The newest records of a series that have a value: all of them from `knownSinceMs` on, at most 15, ascending.
 * -Infinity: the series has no others; Infinity: nothing is known yet.
 */
export type History = { readonly records: readonly KeptRecord[]; readonly knownSinceMs: number };

export const UNKNOWN_HISTORY: History = { records: [], knownSinceMs: Number.POSITIVE_INFINITY };
export const EMPTY_HISTORY: History = { records: [], knownSinceMs: Number.NEGATIVE_INFINITY };

/** Returns the time of the newest record having a value: only newer ones are evaluated (docs/reference/writing.md#notifyon). */
export const newestMs = (history: History): number => history.records.at(-1)?.timeMs ?? Number.NEGATIVE_INFINITY;

/** A write makes these changes to records having a value. */
export type ValueEdits = {
  /** Ascending: inserted or replaced. */
  readonly set: readonly ValueRecord[];
  /** Records that were written ascend, with a value or with a quality alone. */
  readonly codes: readonly WrittenCode[];
  /** Records that are gone or have no value any more. */
  readonly removes: (timeMs: number) => boolean;
};

/**
 * Returns the records after a write, not cut to 15; the same array when it changes none. Those older than what is known are left to the
 * store.
 */
export function editedRecords({ records, knownSinceMs }: History, edits: ValueEdits): readonly KeptRecord[] {
  const codes = new Map(edits.codes.map((code) => [code.timeMs, code]));
  const before = new Map(records.map((record) => [record.timeMs, record]));
  const codeOf = (timeMs: number) => writtenCode(codes.get(timeMs), before.get(timeMs));
  const set = edits.set
    .filter((record) => record.timeMs >= knownSinceMs)
    .map((record): KeptRecord => ({ ...record, code: codeOf(record.timeMs) }));
  const replaced = new Set(set.map((record) => record.timeMs));
  const kept = records.flatMap((record): KeptRecord[] => {
    const { timeMs } = record;
    if (replaced.has(timeMs) || edits.removes(timeMs)) return [];
    return codes.has(timeMs) && codeOf(timeMs) !== record.code ? [{ ...record, code: codeOf(timeMs) }] : [record];
  });
  const isSame = set.length === 0 && kept.length === records.length && kept.every((record, n) => record === records[n]);
  return isSame ? records : [...kept, ...set].sort(byTime);
}

/** @param written what a write says of a record. @param kept the record before it */
export const writtenCode = (written: WrittenCode | undefined, kept: KeptRecord | undefined): number | undefined =>
  written?.isAsItWas ? kept?.code : written?.code;

/** Returns whether a write changes the value of the newest record, or takes it away. */
export function changesNewest({ records }: History, edits: ValueEdits): boolean {
  const currentMs = records.at(-1)?.timeMs;
  if (currentMs === undefined) return false;
  return edits.removes(currentMs) || edits.set.some(({ timeMs }) => timeMs === currentMs);
}

/** The history out of `editedRecords`. */
export const historyOf = (records: readonly KeptRecord[], knownSinceMs: number): History =>
  trimmed(records, knownSinceMs);

/** True when a rule needs more records than are known while the store may have them. */
export const needsStore = (history: History, records: number): boolean =>
  history.knownSinceMs !== Number.NEGATIVE_INFINITY && history.records.length < records;

/**
 * Adds what the store has from before the known time.
 * @param stored the newest records having a value, any order
 * @param asked how many the store was asked for: fewer are all there are
 * @param max of the newest are kept
 */
export function extendHistory(
  history: History,
  stored: readonly KeptRecord[],
  { asked, max = MAX_OCCURRENCES }: { asked: number; max?: number },
): History {
  const { knownSinceMs: limitMs } = history;
  const older = stored.filter((record) => record.timeMs < limitMs).sort(byTime);
  // Records older than the limit stay unknown if the store has gone on by more records than were asked for.
  const oldestStoredMs = stored.reduce((oldest, record) => Math.min(oldest, record.timeMs), limitMs);
  const knownSinceMs = stored.length < asked ? Number.NEGATIVE_INFINITY : oldestStoredMs;
  return trimmed([...older, ...history.records], knownSinceMs, max);
}

/**
 * Returns whether the store has records of writes that the reader of the log has not come to, beside those of the write in hand.
 * @param stored.earlier the newest records that were written before it
 */
export function isAhead(
  { knownSinceMs }: History,
  { newest, earlier }: { readonly newest: readonly ValueRecord[]; readonly earlier: readonly ValueRecord[] },
  { set }: ValueEdits,
): boolean {
  const explained = new Set([...earlier, ...set].map(({ timeMs }) => timeMs));
  return newest.some(({ timeMs }) => timeMs < knownSinceMs && !explained.has(timeMs));
}

/** Returns the codes that an update leaves as they were, as the store has them: the records from before it are not kept. */
export function withCodesOf({ knownSinceMs }: History, stored: readonly KeptRecord[], edits: ValueEdits): ValueEdits {
  if (!edits.codes.some(({ isAsItWas }) => isAsItWas)) return edits;
  const known = new Map(stored.flatMap(({ timeMs, code }) => (timeMs < knownSinceMs ? [[timeMs, code]] : [])));
  const codes = edits.codes.map((code) =>
    code.isAsItWas && known.has(code.timeMs) ? { timeMs: code.timeMs, code: known.get(code.timeMs) } : code,
  );
  return { ...edits, codes };
}

/** Returns the records of the store, where it has all that the log had; of records that are kept beside it, the newer version counts. */
export function withStored(history: History, stored: readonly KeptRecord[], asked: number): History {
  const kept = new Set(history.records.map(({ timeMs }) => timeMs));
  const all = [...stored.filter(({ timeMs }) => !kept.has(timeMs)), ...history.records].sort(byTime);
  const oldestMs = stored.reduce((oldest, { timeMs }) => Math.min(oldest, timeMs), Number.POSITIVE_INFINITY);
  return trimmed(all, stored.length < asked ? Number.NEGATIVE_INFINITY : oldestMs);
}

export const hasSameRecords = ({ records: left }: History, { records: other }: History): boolean =>
  left.length === other.length &&
  left.every(({ timeMs, value }, n) => timeMs === other[n]?.timeMs && value === other[n].value);

const byTime = (a: ValueRecord, b: ValueRecord) => a.timeMs - b.timeMs;

function trimmed(records: readonly KeptRecord[], knownSinceMs: number, max = MAX_OCCURRENCES): History {
  const from = records.length - max;
  const oldest = records[from];
  if (from <= 0 || !oldest) return { records, knownSinceMs };
  const { stateId } = records.slice(0, from + 1).findLast((record) => record.stateId !== undefined) ?? oldest;
  return { records: [{ ...oldest, stateId }, ...records.slice(from + 1)], knownSinceMs: oldest.timeMs };
}
