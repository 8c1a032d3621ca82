import { WriteMode } from '@catchment/contracts/ingest';
import { type Column, FLAG, flagsAt } from './column.ts';
import { hasBit, overwriteOf, type TimeRange } from './overwrite.ts';

/**
 * A column has this effect on the records of its series: a reader of the log needs to know no more of write modes
 * (docs/reference/writing.md#write-modes).
 */
export type ColumnEffect = {
  /** All records of this range went first. */
  readonly clears?: TimeRange;
  /** Then these records were put, as far as they were written. */
  readonly column: Column;
  /** Returns whether the record of an index was written. */
  readonly isWritten: (index: number) => boolean;
  /** True where a record changes only the parts that it has or takes away; otherwise it is all that there is at its time. */
  readonly updates: boolean;
};

const PRESENT = FLAG.value | FLAG.quality | FLAG.annotation;
const SENT_AS_NULL = FLAG.valueNull | FLAG.qualityNull | FLAG.annotationNull;
const ALL = () => true;
const NONE = () => false;

/** Returns whether only the writer can say what a column did, since that depends on records that were there. */
export const needsVerdict = (column: Column): boolean => overwriteOf(column) === undefined;

/** The writer has said that it wrote nothing of a column. */
export const NOTHING_WRITTEN = new Uint8Array(0);

/**
 * Returns the effect of a column: what the log says of it is enough, or else what the writer has said.
 * @param written one bit for each record, as the writer says it (proto ColumnSettled.written); read only where `needsVerdict`
 * @returns undefined where it is needed and not there: nobody knows the effect yet
 */
export function effectOf(column: Column, written: Uint8Array): ColumnEffect;
export function effectOf(column: Column, written: Uint8Array | undefined): ColumnEffect | undefined;
export function effectOf(column: Column, written: Uint8Array | undefined): ColumnEffect | undefined {
  const overwrite = overwriteOf(column);
  if (!overwrite) {
    if (!written) return undefined;
    const updates = column.writeMode === WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING;
    return { column, isWritten: (index) => hasBit(written, index), updates };
  }
  const { clears, records } = overwrite;
  return { ...(clears && { clears }), column: records ?? column, isWritten: records ? ALL : NONE, updates: false };
}

/** Returns whether there is no record at the time of a written one: it holds nothing, or takes away all that there was. */
export function leavesNothing({ column, updates }: ColumnEffect, index: number): boolean {
  const flags = flagsAt(column, index);
  return (flags & FLAG.deleteMarker) !== 0 || (flags & (updates ? PRESENT | SENT_AS_NULL : PRESENT)) === 0;
}

/** Returns whether a written record without a value leaves none: one that updates keeps the value that it does not name. */
export function leavesNoValue({ column, updates }: ColumnEffect, index: number): boolean {
  const flags = flagsAt(column, index);
  return !updates || (flags & (FLAG.deleteMarker | FLAG.valueNull)) !== 0;
}
