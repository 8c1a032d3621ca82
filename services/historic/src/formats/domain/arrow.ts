import type * as Arrow from 'apache-arrow';
import type { RecordSet } from '../../records/index.ts';
import type { Answer, Pieces } from './answer.ts';
import { answerMetadata, type Field, fieldsOf } from './fields.ts';
import { type RowBlock, rowBlocks } from './row-blocks.ts';

type Library = typeof Arrow;
/** A record batch is written in one go, which keeps others waiting for some milliseconds. */
const BATCH = { maxRows: 16_384, maxCells: 131_072, maxBytes: 4 * 1024 * 1024 };
const TWO_TO_32 = 2 ** 32;

/** Loads the library, which takes 20 MiB, when it is first needed. */
export async function arrowForm(): Promise<(answer: Answer) => Pieces> {
  const arrow = await import('apache-arrow');
  return (answer) => arrowPieces(arrow, answer);
}

/** @returns what files of other formats have as the schema of Arrow: its message in base64 */
export async function arrowSchemaText(answer: Answer): Promise<string> {
  const arrow = await import('apache-arrow');
  const { take } = streamOf(arrow, schemaOf(arrow, fieldsOf(answer), answer));
  return Buffer.concat(take()).toString('base64');
}

/** An IPC stream (docs/reference/formats.md#arrow). */
function* arrowPieces(arrow: Library, answer: Answer): Pieces {
  const { table } = answer;
  const fields = fieldsOf(answer);
  const schema = schemaOf(arrow, fields, answer);
  const { writer, take } = streamOf(arrow, schema);
  yield* take();
  for (const block of rowBlocks(table, fields.length, BATCH)) {
    const children = fields.map((field) => dataOf(arrow, field, block, table.columns[field.column]?.records));
    const type = new arrow.Struct(schema.fields);
    writer.write(new arrow.RecordBatch(schema, arrow.makeData({ type, length: block.times.length, children })));
    yield Buffer.concat(take());
  }
  writer.finish();
  yield* take();
}

/** Returns a writer, and what it has written since it was last asked. */
function streamOf(arrow: Library, schema: Arrow.Schema) {
  let written: Uint8Array[] = [];
  class Sink extends arrow.AsyncByteQueue<Uint8Array> {
    override write(bytes: Uint8Array): void {
      if (bytes.byteLength > 0) written.push(bytes);
    }
  }
  const writer = new arrow.RecordBatchStreamWriter();
  writer.reset(new Sink(), schema);
  const take = (): Uint8Array[] => {
    const taken = written;
    written = [];
    return taken;
  };
  return { writer, take };
}

function schemaOf(arrow: Library, fields: readonly Field[], answer: Answer): Arrow.Schema {
  const typeOf = ({ type }: Field): Arrow.DataType => {
    if (type === 'TEXT') return new arrow.Utf8();
    if (type === 'CODE') return new arrow.Int32();
    return type === 'TIME' ? new arrow.TimestampMillisecond('UTC') : new arrow.Float64();
  };
  const shown = fields.map((field) => {
    const isNullable = field.column >= 0;
    return new arrow.Field(field.name, typeOf(field), isNullable, new Map(Object.entries(field.metadata)));
  });
  return new arrow.Schema(shown, new Map(Object.entries(answerMetadata(answer))));
}

/** Returns the cells of a field, as Arrow lays them out. */
function dataOf(
  arrow: Library,
  field: Field,
  { times, indexes }: RowBlock,
  records: RecordSet | undefined,
): Arrow.Data {
  const rows = indexes[field.column];
  const length = times.length;
  if (!records || !rows)
    return arrow.makeData({ type: new arrow.TimestampMillisecond('UTC'), length, data: words(times) });
  if (field.type === 'TEXT') return textData(arrow, field, rows, records);
  const numbers = new Float64Array(length);
  const { nullCount, nullBitmap, see } = nulls(length);
  for (let row = 0; row < length; row += 1) {
    const index = rows[row] ?? -1;
    const number = index < 0 ? Number.NaN : field.number(records, index);
    if (!Number.isNaN(number)) {
      numbers[row] = number;
      see(row);
    }
  }
  const common = { length, nullCount: nullCount(), nullBitmap };
  if (field.type === 'NUMBER') return arrow.makeData({ type: new arrow.Float64(), ...common, data: numbers });
  return field.type === 'CODE'
    ? arrow.makeData({ type: new arrow.Int32(), ...common, data: Int32Array.from(numbers) })
    : arrow.makeData({ type: new arrow.TimestampMillisecond('UTC'), ...common, data: words(numbers) });
}

function textData(arrow: Library, { text }: Field, rows: Int32Array, records: RecordSet): Arrow.Data {
  const { length } = rows;
  const valueOffsets = new Int32Array(length + 1);
  const { nullCount, nullBitmap, see } = nulls(length);
  const texts: Buffer[] = [];
  let bytes = 0;
  for (let row = 0; row < length; row += 1) {
    const index = rows[row] ?? -1;
    const shown = index < 0 ? undefined : text(records, index);
    if (shown !== undefined) {
      const written = Buffer.from(shown);
      texts.push(written);
      bytes += written.length;
      see(row);
    }
    valueOffsets[row + 1] = bytes;
  }
  const common = { length, nullCount: nullCount(), nullBitmap };
  return arrow.makeData({ type: new arrow.Utf8(), ...common, valueOffsets, data: Buffer.concat(texts) });
}

/** Marks the rows that have a value, by a bit for each. */
function nulls(length: number) {
  const nullBitmap = new Uint8Array((length + 7) >> 3);
  let seen = 0;
  const see = (row: number): void => {
    seen += 1;
    nullBitmap[row >> 3] = (nullBitmap[row >> 3] ?? 0) | (1 << (row & 7));
  };
  return { nullBitmap, see, nullCount: () => length - seen };
}

/** Returns whole numbers as 64-bit integers, without a BigInt for each. */
function words(numbers: Float64Array): BigInt64Array {
  const halves = new Int32Array(numbers.length * 2);
  for (let n = 0; n < numbers.length; n += 1) {
    const high = Math.floor((numbers[n] ?? 0) / TWO_TO_32);
    halves[2 * n] = (numbers[n] ?? 0) - high * TWO_TO_32;
    halves[2 * n + 1] = high;
  }
  return new BigInt64Array(halves.buffer);
}
