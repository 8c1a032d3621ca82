import type { RecordChunk } from '@catchment/contracts/copies';
import { NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { bytesOf, floatsOf } from '@catchment/contracts/packed-numbers';
import { FLAG } from '@catchment/ingest-log';
import { RecordSet, type StoredColumn, type StoredRecord } from '../../records/index.ts';

/** The records of the series are copied. */
export type CopiedSeries = { readonly nodeId: string; readonly ownerId: string; readonly valueType: ValueType };

/** Gathers records of a series, ascending, as a chunk of a backup. */
export class ChunkBuilder {
  readonly #series: CopiedSeries;
  readonly #records: RecordSet;
  readonly #modified: number[] = [];
  readonly #parts: number[] = [];

  constructor(series: CopiedSeries) {
    this.#series = series;
    this.#records = new RecordSet(series.valueType);
  }

  get count(): number {
    return this.#records.count;
  }

  /** Estimates the size of the chunk. */
  get bytes(): number {
    return this.#records.textBytes;
  }

  /** @param modifiedMs when it was written, where the record itself does not say it */
  add(record: StoredRecord, modifiedMs: number): void {
    const hasValue = record.number !== undefined || record.text !== undefined;
    this.#parts.push(
      (hasValue ? FLAG.value : 0) |
        (record.quality === undefined ? 0 : FLAG.quality) |
        (record.annotation === undefined ? 0 : FLAG.annotation),
    );
    this.#modified.push(modifiedMs);
    this.#records.add(record);
  }

  build(): RecordChunk {
    const { count, times, numbers, texts, qualities, annotations, hasQualities } = this.#records;
    const { nodeId, ownerId, valueType } = this.#series;
    const perRecord = count === 0 ? 1 : valueType === ValueType.VALUE_TYPE_COORDINATES ? 2 : 1;
    const codes = Uint16Array.from(qualities.subarray(0, count), (code) => Math.max(0, code));
    return {
      nodeId,
      ownerId,
      valueType,
      timestamps: bytesOf(differences(times.subarray(0, count))),
      modified: bytesOf(differences(Float64Array.from(this.#modified))),
      parts: Buffer.from(alike(Uint8Array.from(this.#parts))),
      numbers: valueType === ValueType.VALUE_TYPE_TEXT ? Buffer.alloc(0) : bytesOf(numbers.slice(0, count * perRecord)),
      texts: valueType === ValueType.VALUE_TYPE_TEXT ? texts.map((text) => text ?? '') : [],
      qualities: hasQualities ? Buffer.from(codes.buffer) : Buffer.alloc(0),
      annotationIndexes: [...annotations.keys()],
      annotations: [...annotations.values()],
    };
  }
}

/** Records of a chunk. */
export const countOf = (chunk: RecordChunk): number => chunk.timestamps.byteLength / 8;

/** Counts the characters of its texts and annotations, which have no bound by the count of records. */
export const charactersOf = ({ texts, annotations }: RecordChunk): number =>
  [...texts, ...annotations].reduce((sum, { length }) => sum + length, 0);

/** Returns the columns that write a chunk: what was written at one time is one column, so that runs are runs again. */
export function columnsOf(chunk: RecordChunk): StoredColumn[] {
  const times = sums(floatsOf(chunk.timestamps));
  const modified = sums(floatsOf(chunk.modified));
  const numbers = floatsOf(chunk.numbers);
  const perRecord = times.length === 0 ? 1 : numbers.length / times.length;
  const codes = new Uint16Array(Uint8Array.from(chunk.qualities).buffer);
  const annotations = new Map(chunk.annotationIndexes.map((index, n) => [index, chunk.annotations[n] ?? '']));
  const { parts } = chunk;
  const columns: StoredColumn[] = [];
  for (let from = 0, to = 0; from < times.length; from = to) {
    for (to = from + 1; to < times.length && modified[to] === modified[from]; ) to += 1;
    const ofColumn = new Map<number, string>();
    if (annotations.size > 0)
      for (let index = from; index < to; index += 1) {
        const text = annotations.get(index);
        if (text !== undefined) ofColumn.set(index - from, text);
      }
    columns.push({
      ...BARE,
      nodeId: chunk.nodeId,
      ownerId: chunk.ownerId,
      valueType: chunk.valueType,
      modifiedMs: modified[from] ?? 0,
      timestamps: times.subarray(from, to),
      flags: parts.length === 1 ? parts : alike(parts.subarray(from, to)),
      numbers: numbers.subarray(from * perRecord, to * perRecord),
      texts: chunk.texts.slice(from, to),
      qualities: codes.subarray(from, to),
      annotations: ofColumn,
    });
  }
  return columns;
}

const BARE = {
  workspaceId: '',
  sourceId: '',
  writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
  notifyOn: NotifyOn.NOTIFY_ON_NONE,
  username: '',
  traceparent: '',
} as const;

/** Returns a single byte where all are the same. */
const alike = (bytes: Uint8Array): Uint8Array => (bytes.every((byte) => byte === bytes[0]) ? bytes.slice(0, 1) : bytes);

function differences(values: Float64Array): Float64Array {
  return values.map((value, index) => (index === 0 ? value : value - (values[index - 1] ?? 0)));
}

function sums(values: Float64Array): Float64Array {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}
