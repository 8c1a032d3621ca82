import { WriteMode } from '@catchment/contracts/ingest';
import {
  type Column,
  deletionOf,
  FLAG,
  flagsAt,
  type Overwrite,
  overwriteOf,
  type TimeRange,
} from '@catchment/ingest-log';
import { pickRecords } from './pick-records.ts';

/** The records of the column are put into the store as they are, whatever is there. */
export type StoredColumn = Column & {
  /** These parts of each record (value 1, quality 2, annotation 4) stay as the store has them; absent = none. */
  readonly kept?: Uint8Array;
};

/** The store is asked this before a column can be applied. */
export type Question =
  /** The result is the same whatever is there. */
  | 'nothing'
  /** The plan needs to know which parts the records at the column's timestamps have. */
  | 'presence'
  /** The plan needs to know if any record exists in the column's range. */
  | 'any'
  /** The plan needs the times of all records in the column's range. */
  | 'times';

export type Existing = {
  /**
   * For `presence` it has the live parts by timestamp, 0 = no record; a column that expects something gets one byte more, see
   * `AS_EXPECTED`. For `any` it has one byte, 0 or 1. Otherwise it is empty.
   */
  readonly presence: Uint8Array;
  /** For `times` they ascend, in Unix ms; undefined where there are too many to name. */
  readonly times?: Float64Array | undefined;
};
/** The byte behind the parts: the series holds what the column expects. */
export const AS_EXPECTED = 1;
export const UNASKED: Existing = { presence: new Uint8Array(0) };

export type WritePlan =
  | { readonly kind: 'failed'; readonly message: string }
  | {
      readonly kind: 'write';
      /** All records of this range go first. */
      readonly clears: TimeRange | undefined;
      readonly columns: readonly StoredColumn[];
      /** The current record cannot be derived from the column alone. */
      readonly recompute: boolean;
      /** The records at these indexes are inserted, changed or deleted; only for modes that depend on stored records. */
      readonly written?: readonly number[];
    };

const PRESENT = FLAG.value | FLAG.quality | FLAG.annotation;
const QUESTIONS: Partial<Record<WriteMode, Question>> = {
  [WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING]: 'presence',
  [WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING]: 'presence',
  [WriteMode.WRITE_MODE_MERGE_FAIL_ON_EXISTING]: 'presence',
  [WriteMode.WRITE_MODE_INSERT_FAIL_ON_EXISTING]: 'any',
  [WriteMode.WRITE_MODE_INSERT_DELETE_EXISTING]: 'times',
};

/**
 * A default write needs no question (docs/reference/guarantees.md#order-and-repetition), nor does a DELETE, unless the
 * number of its records is to be reported.
 */
export const questionOf = ({ writeMode, isEdit }: Pick<Column, 'writeMode' | 'isEdit'>): Question =>
  isEdit && writeMode === WriteMode.WRITE_MODE_DELETE ? 'presence' : (QUESTIONS[writeMode] ?? 'nothing');

/**
 * Returns whether the answer decides which records are written, so that a repetition must not ask again: it would see its own effect.
 * `times` only adds records that are removed; asked again, the same range ends up with the same records.
 */
export const mustRemember = (question: Question): boolean => question === 'presence' || question === 'any';

/** Returns a column's effect on the store by its write mode (docs/reference/writing.md#write-modes). The same input has the same answer. */
export function planWrite(column: Column, existing: Existing): WritePlan {
  const overwrite = overwriteOf(column);
  if (overwrite) return overwritten(column, overwrite, existing.times);
  const { presence } = existing;
  switch (column.writeMode) {
    case WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING:
      if (column.expected && presence[column.timestamps.length] !== AS_EXPECTED)
        return failed('Update failed: records have changed');
      return updated(column, presence);
    case WriteMode.WRITE_MODE_MERGE_FAIL_ON_EXISTING:
      if (presence.some((parts) => parts !== 0)) return failed('Merge failed: existing records');
      return inserted(column, () => true);
    case WriteMode.WRITE_MODE_INSERT_FAIL_ON_EXISTING:
      if (presence[0] !== 0) return failed('Insert failed: existing records');
      return inserted(column, () => true);
    default:
      return inserted(column, (index) => presence[index] === 0);
  }
}

const failed = (message: string): WritePlan => ({ kind: 'failed', message });

/** @param times times of the records in the range that is cleared, where they can be named: what remains is deleted record by record */
function overwritten(column: Column, { clears, records }: Overwrite, times: Float64Array | undefined): WritePlan {
  const columns = records ? [records] : [];
  // This is always asked: a repetition finds the other records gone, and must still report the current record.
  const recompute = clears !== undefined;
  if (!times) return { kind: 'write', clears, columns, recompute };
  const others = otherTimes(times, column.timestamps);
  if (others.length > 0) columns.push(deletionOf(column, others));
  return { kind: 'write', clears: undefined, columns, recompute };
}

/** Writes the records that hold something and may be inserted; delete markers are none. */
function inserted(column: Column, isFree: (index: number) => boolean): WritePlan {
  const written: number[] = [];
  for (let index = 0; index < column.timestamps.length; index += 1)
    if ((flagsAt(column, index) & PRESENT) !== 0 && isFree(index)) written.push(index);
  return { kind: 'write', clears: undefined, columns: picked(column, written), recompute: false, written };
}

/** Changes only the parts that are sent. A record whose last part is cleared is deleted. */
function updated(column: Column, presence: Uint8Array): WritePlan {
  const written: number[] = [];
  const kept: number[] = [];
  for (let index = 0; index < column.timestamps.length; index += 1) {
    const flags = flagsAt(column, index);
    const before = presence[index] ?? 0;
    if (before === 0 && (flags & PRESENT) === 0) continue;
    written.push(index);
    // The bits of a null lie three places above those of the part.
    const sent = (flags | (flags >> 3)) & PRESENT;
    kept.push(flags & FLAG.deleteMarker ? 0 : before & ~sent);
  }
  const columns = picked(column, written).map((changed) => ({ ...changed, kept: Uint8Array.from(kept) }));
  return { kind: 'write', clears: undefined, columns, recompute: true, written };
}

const picked = (column: Column, indexes: readonly number[]): Column[] =>
  indexes.length === 0 ? [] : [pickRecords(column, indexes)];

/** Returns the times that are not among `written`; both ascend. */
function otherTimes(times: Float64Array, written: Float64Array): Float64Array {
  let at = 0;
  return times.filter((time) => {
    while (at < written.length && (written[at] ?? 0) < time) at += 1;
    return written[at] !== time;
  });
}
