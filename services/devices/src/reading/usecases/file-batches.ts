import { RepeatedRows } from '../domain/repeated-rows.ts';

/** This is read of a file: records in its order, and how a JTS document has them. */
export interface OpenedFile {
  /** `header.columns`. */
  readonly columns: Readonly<Record<string, object>>;
  records(): AsyncIterable<unknown>;
  /** Returns an entry of `data`; undefined where nothing is in a record. */
  entryOf(record: unknown): { readonly ts: string; readonly f: object } | undefined;
}

/** A part of a file has records, some of which repeat a time of their series within it, and the JTS document that brings them. */
export type Batch = { readonly records: number; readonly repeated: number; readonly body: Uint8Array };

const RECORDS_MAX = 2_000;
/** Below the limit of a message between services, 8 MiB, as long as no record alone is longer. */
const BODY_BYTES = 1024 * 1024;
const END = ']}';

const startOf = (columns: OpenedFile['columns']): string =>
  `{"docType":"jts","version":"1.0","header":${JSON.stringify({ columns })},"data":[`;

/** Returns a JTS document of few entries. */
export const bodyOf = (columns: OpenedFile['columns'], entries: readonly object[]): Uint8Array =>
  Buffer.from(`${startOf(columns)}${entries.map((entry) => JSON.stringify(entry)).join()}${END}`);

/**
 * Yields records of a file, in its order, in parts that one write takes. Each is valid until the next one is requested: all are written
 * into the same memory, for as objects or texts they would outlive many small collections, and gather.
 * @param skip of its first records, this many
 * @param hasRepeated records that repeat a time are counted
 */
export async function* inBatches(file: OpenedFile, skip: number, hasRepeated = false): AsyncGenerator<Batch> {
  const start = startOf(file.columns);
  let buffer = Buffer.allocUnsafeSlow(BODY_BYTES);
  const startBytes = buffer.write(start);
  let at = startBytes;
  let records = 0;
  let left = skip;
  let counted = new RepeatedRows({ remembers: hasRepeated });
  const end = (): Batch => {
    const batch = { records, repeated: counted.count, body: buffer.subarray(0, at + buffer.write(END, at)) };
    counted = new RepeatedRows({ remembers: hasRepeated });
    records = 0;
    at = startBytes;
    return batch;
  };
  for await (const record of file.records()) {
    const entry = file.entryOf(record);
    if (!entry) continue;
    if (left > 0) {
      left -= 1;
      continue;
    }
    const json = JSON.stringify(entry);
    const needed = Buffer.byteLength(json) + 1 + END.length;
    if (records > 0 && (records === RECORDS_MAX || at + needed > buffer.length)) yield end();
    if (hasRepeated) counted.add(Date.parse(entry.ts), Object.keys(entry.f).map(Number));
    if (at + needed > buffer.length) {
      buffer = Buffer.allocUnsafeSlow(at + needed);
      buffer.write(start);
    }
    if (records > 0) at += buffer.write(',', at);
    at += buffer.write(json, at);
    records += 1;
  }
  if (records > 0) yield end();
}
