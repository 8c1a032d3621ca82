import { ByteReader, ByteWriter, PakBusError } from './bytes.ts';
import { dataType, type LoggerTime, type Nanoseconds, readValue, type Value, valueBytes } from './data-types.ts';
import { type Column, columnsOf, type Table } from './table-definitions.ts';

export type LoggerRecord = {
  readonly number: number;
  readonly timeMs: number;
  /** The values have the order of the columns of the table. */
  readonly values: readonly Value[];
};

/** A request for records brought this: whole records, or a part of one that fits into no packet. */
export type Collected = {
  readonly records: readonly LoggerRecord[];
  readonly fragment?: { readonly number: number; readonly offset: number; readonly bytes: Uint8Array };
  readonly hasMore: boolean;
};

const FRAGMENT = 0x8000;

/** Knows how a table's records lie in bytes. */
export class RecordLayout {
  readonly columns: readonly Column[];
  /** A record with its time has this many bytes. */
  readonly sizeBytes: number;
  readonly #table: Table;
  readonly #timeBytes: number;

  /** @throws PakBusError when the records of the table cannot be read */
  constructor(table: Table) {
    this.#table = table;
    this.columns = columnsOf(table);
    const time = dataType(table.timeType);
    if (time?.as?.family !== 'TIME') throw new PakBusError(`its times have the unknown type ${table.timeType}`);
    this.#timeBytes = time.sizeBytes;
    let bytes = time.sizeBytes;
    for (const { name, type, field, characters } of this.columns) {
      if (!type) throw new PakBusError(`its field ${name} has the unknown type ${field.type}`);
      bytes += type.sizeBytes * characters;
    }
    this.sizeBytes = bytes;
  }

  get #intervalMs(): number {
    return intervalMs(this.#table.interval);
  }

  /**
   * Reads the body of a response to a request for records of this table, after its code (BMP5 Transparent Commands 2.3.4.3).
   * @throws PakBusError
   */
  collected(bytes: Uint8Array): Collected {
    const body = new ByteReader(bytes);
    const records: LoggerRecord[] = [];
    while (body.left > 1) {
      if (body.uint2() !== this.#table.number) throw new PakBusError('records of another table came');
      const number = body.uint4();
      const count = body.uint2();
      if ((count & FRAGMENT) !== 0) {
        const offset = (count & ~FRAGMENT) * 0x1_0000 + body.uint2();
        const part = body.bytes(Math.max(body.left - 1, 0));
        return { records, fragment: { number, offset, bytes: part }, hasMore: body.uint1() !== 0 };
      }
      records.push(...this.#block(body, number, count));
    }
    return { records, hasMore: body.left > 0 && body.uint1() !== 0 };
  }

  /** Reads a record whose parts are complete. @throws PakBusError */
  record(number: number, bytes: Uint8Array): LoggerRecord {
    const [record] = this.#block(new ByteReader(bytes), number, 1);
    return record!;
  }

  #block(body: ByteReader, number: number, count: number): LoggerRecord[] {
    const records: LoggerRecord[] = [];
    const stepMs = this.#intervalMs;
    let firstMs = 0;
    for (let n = 0; n < count; n++) {
      if (n === 0 || stepMs === 0) firstMs = this.#time(body);
      const values = this.columns.map(({ type, characters }) => readValue(body, type!, characters));
      records.push({ number: number + n, timeMs: firstMs + n * stepMs, values });
    }
    return records;
  }

  #time(body: ByteReader): number {
    return (readValue(body, dataType(this.#table.timeType)!, 1) as LoggerTime).timeMs;
  }

  /** Writes the bytes of a record, with its time. */
  bytesOf({ timeMs, values }: Omit<LoggerRecord, 'number'>): Buffer {
    const time = valueBytes({ timeMs }, dataType(this.#table.timeType)!);
    const rest = this.columns.map(({ type, characters }, n) => valueBytes(values[n], type!, characters));
    return Buffer.concat([time, ...rest]);
  }

  /** Encodes a response with as many of the records as fit, at least a part of the first. @returns also how many are in it */
  encode(records: readonly LoggerRecord[], limits: { bytes: number; offset?: number }, isAll: boolean) {
    const writer = new ByteWriter();
    const [first] = records;
    if (!first) return { body: this.#head(writer, 0, 0).uint1(0).done(), count: 0 };
    const { offset = 0 } = limits;
    const whole = this.bytesOf(first);
    if (offset > 0 || whole.length > limits.bytes) {
      const part = whole.subarray(offset, offset + limits.bytes);
      const isEnd = offset + part.length >= whole.length;
      writer.uint2(this.#table.number).uint4(first.number);
      writer.uint2(FRAGMENT | (offset >> 16)).uint2(offset & 0xffff);
      return {
        body: writer
          .bytes(part)
          .uint1(isEnd ? 0 : 1)
          .done(),
        count: isEnd ? 1 : 0,
      };
    }
    const fitting = this.#fitting(records, limits.bytes);
    this.#head(writer, first.number, fitting.length);
    fitting.forEach((record, n) => {
      const bytes = this.bytesOf(record);
      writer.bytes(n > 0 && this.#intervalMs > 0 ? bytes.subarray(this.#timeBytes) : bytes);
    });
    return { body: writer.uint1(isAll && fitting.length === records.length ? 0 : 1).done(), count: fitting.length };
  }

  #head(writer: ByteWriter, number: number, count: number): ByteWriter {
    return writer.uint2(this.#table.number).uint4(number).uint2(count);
  }

  /** Returns records of one block: they follow each other in number and, where there is an interval, in time. */
  #fitting(records: readonly LoggerRecord[], bytes: number): LoggerRecord[] {
    const [first] = records;
    const fitting: LoggerRecord[] = [];
    for (const record of records) {
      const n = fitting.length;
      const follows = record.number === first!.number + n;
      const isOnTime = this.#intervalMs === 0 || record.timeMs === first!.timeMs + n * this.#intervalMs;
      if (!follows || !isOnTime || (n + 1) * this.sizeBytes > bytes) break;
      fitting.push(record);
    }
    return fitting;
  }
}

const intervalMs = ({ seconds, nanoseconds }: Nanoseconds): number => seconds * 1_000 + nanoseconds / 1_000_000;
