import { WriteMode } from '@catchment/contracts/ingest';
import { type Column, FLAG } from './column.ts';

/** Both inclusive, Unix ms. */
export type TimeRange = { readonly fromMs: number; readonly toMs: number };

/** This effect of a column does not depend on stored records. */
export type Overwrite = {
  /** All records of this range go first. */
  readonly clears?: TimeRange;
  /** Then these are put as they are; one that holds nothing is gone. */
  readonly records?: Column;
};

const MARKER = Uint8Array.of(FLAG.deleteMarker);

/** @param column with at least one record */
export const rangeOf = ({ timestamps }: Pick<Column, 'timestamps'>): TimeRange => ({
  fromMs: timestamps[0] ?? 0,
  toMs: timestamps.at(-1) ?? 0,
});

/**
 * The write modes that do not depend on stored records (docs/reference/writing.md#write-modes). Undefined for the others: what they
 * do depends on records that are there, and only the writer knows it.
 */
export function overwriteOf(column: Column): Overwrite | undefined {
  if (column.timestamps.length === 0) return {};
  switch (column.writeMode) {
    case WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING:
    case WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING:
    case WriteMode.WRITE_MODE_MERGE_FAIL_ON_EXISTING:
    case WriteMode.WRITE_MODE_INSERT_FAIL_ON_EXISTING:
      return undefined;
    case WriteMode.WRITE_MODE_DISCARD:
      return {};
    case WriteMode.WRITE_MODE_DELETE:
      return { records: deletionOf(column, column.timestamps) };
    case WriteMode.WRITE_MODE_DELETE_RANGE:
      return { clears: rangeOf(column) };
    case WriteMode.WRITE_MODE_INSERT_DELETE_EXISTING:
      return { clears: rangeOf(column), records: column };
    default:
      return { records: column };
  }
}

/** Deletes the records of the column's series at these times. */
export const deletionOf = (column: Column, timestamps: Float64Array): Column => ({
  ...column,
  timestamps,
  flags: MARKER,
  numbers: new Float64Array(0),
  texts: [],
  qualities: new Uint16Array(0),
  annotations: new Map(),
});

/** One bit for each of `count` records, lowest bit first (proto ColumnSettled.written); those at `indexes` are set. */
export function bitsOf(indexes: Iterable<number>, count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8));
  for (const index of indexes) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
  return bits;
}

export const hasBit = (bits: Uint8Array, index: number): boolean =>
  ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;

/** Returns whether a column removes a range and puts nothing in its place. */
export function isRemoval(column: Column): boolean {
  const overwrite = overwriteOf(column);
  return overwrite?.clears !== undefined && !overwrite.records;
}
