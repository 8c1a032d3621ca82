import type { Acquisition, NodesDelete, NotifyOn, SeriesDelete, WriteMode } from '@catchment/contracts/ingest';
import type { ValueType } from '@catchment/contracts/nodes';

/** A record's flags byte has these bits (proto ColumnWrite.flags). Neither present nor null = not sent. */
export const FLAG = {
  value: 1,
  quality: 2,
  annotation: 4,
  valueNull: 8,
  qualityNull: 16,
  annotationNull: 32,
  deleteMarker: 64,
} as const;

/** A column has the records of one series in one request. n = timestamps.length; every dense array has n entries. */
export type Column = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly valueType: ValueType;
  readonly writeMode: WriteMode;
  readonly notifyOn: NotifyOn;
  /** Unix ms, of all records. */
  readonly modifiedMs: number;
  readonly username: string;
  /** Unix ms, ascending, distinct. Columns may share one vector: it is then sent once. */
  readonly timestamps: Float64Array;
  /** Each record has a byte, or all have a single one. */
  readonly flags: Uint8Array;
  /** NUMBER: values, NaN where none. TIME: Unix ms. COORDINATES: 2n, latitude and longitude. Empty for TEXT. */
  readonly numbers: Float64Array;
  /** TEXT: n values, '' where none. */
  readonly texts: readonly string[];
  /** n codes, 0 where none; empty when no record has one. */
  readonly qualities: Uint16Array;
  /** The key is the index of the record. */
  readonly annotations: ReadonlyMap<number, string>;
  /** The request has this W3C traceparent; '' when not traced. */
  readonly traceparent: string;
  /** A person or program edits history: what becomes of it is reported. */
  readonly isEdit?: boolean;
  /** The series must hold this at these times for anything to be written, as one sum of all of its parts. Absent: anything. */
  readonly expected?: Uint8Array;
};

/** A column that did not fit into one message has such pieces. */
export type ColumnPart = {
  readonly column: Column;
  readonly columnKey: string;
  readonly part: number;
  readonly parts: number;
};

export type LogEntry =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'columnPart'; readonly part: ColumnPart }
  | { readonly kind: 'seriesDelete'; readonly seriesDelete: SeriesDelete }
  | { readonly kind: 'nodesDelete'; readonly nodesDelete: NodesDelete }
  | { readonly kind: 'acquisition'; readonly acquisition: Acquisition };

/** The flags of record `index`. */
export const flagsAt = (column: Column, index: number): number =>
  (column.flags.length === 1 ? column.flags[0] : column.flags[index]) ?? 0;

/** Cuts records `from` (inclusive) to `to` (exclusive) out of a column. */
export function sliceColumn(column: Column, from: number, to: number): Column {
  const perRecord = column.timestamps.length === 0 ? 1 : column.numbers.length / column.timestamps.length;
  const annotations = new Map<number, string>();
  for (const [index, text] of column.annotations) if (index >= from && index < to) annotations.set(index - from, text);
  return {
    ...column,
    timestamps: column.timestamps.subarray(from, to),
    flags: column.flags.length === 1 ? column.flags : column.flags.subarray(from, to),
    numbers: column.numbers.subarray(from * perRecord, to * perRecord),
    texts: column.texts.slice(from, to),
    qualities: column.qualities.subarray(from, to),
    annotations,
  };
}

/** The parts of one column, in order, put together again. */
export function joinColumns(parts: readonly [Column, ...Column[]]): Column {
  const [first] = parts;
  const annotations = new Map<number, string>();
  let offset = 0;
  for (const part of parts) {
    for (const [index, text] of part.annotations) annotations.set(index + offset, text);
    offset += part.timestamps.length;
  }
  const oneFlag = parts.every((part) => part.flags.length === 1 && part.flags[0] === first.flags[0]);
  return {
    ...first,
    timestamps: concatFloats(parts.map((part) => part.timestamps)),
    flags: oneFlag
      ? first.flags
      : Uint8Array.from(parts.flatMap((part) => Array.from(part.timestamps, (_, i) => flagsAt(part, i)))),
    numbers: concatFloats(parts.map((part) => part.numbers)),
    texts: parts.flatMap((part) => part.texts),
    qualities: joinQualities(parts, offset),
    annotations,
  };
}

function concatFloats(arrays: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(arrays.reduce((sum, array) => sum + array.length, 0));
  let offset = 0;
  for (const array of arrays) {
    joined.set(array, offset);
    offset += array.length;
  }
  return joined;
}

/** Parts without any quality carry none, so their codes are filled up with 0. */
function joinQualities(parts: readonly Column[], length: number): Uint16Array {
  if (parts.every((part) => part.qualities.length === 0)) return new Uint16Array(0);
  const joined = new Uint16Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part.qualities, offset);
    offset += part.timestamps.length;
  }
  return joined;
}
