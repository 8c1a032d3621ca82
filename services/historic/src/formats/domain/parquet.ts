import type { DecodedArray, SchemaElement } from 'hyparquet';
import type { ByteWriter, ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { RecordSet } from '../../records/index.ts';
import type { Answer, Pieces } from './answer.ts';
import { arrowSchemaText } from './arrow.ts';
import { answerMetadata, type Field, fieldsOf } from './fields.ts';
import { type RowBlock, rowBlocks } from './row-blocks.ts';

type Library = { readonly ByteWriter: typeof ByteWriter; readonly ParquetWriter: typeof ParquetWriter };
/** A row group is written in one go, which keeps others waiting for some milliseconds. */
const ROW_GROUP = { maxRows: 32_768, maxCells: 65_536, maxBytes: 8 * 1024 * 1024 };

export async function parquetForm(): Promise<(answer: Answer) => Promise<Pieces>> {
  const library = await import('hyparquet-writer');
  return async (answer) => parquetPieces(library, answer, await arrowSchemaText(answer));
}

/** Yields a file of row groups (docs/reference/formats.md#parquet). */
function* parquetPieces(library: Library, answer: Answer, arrowSchema: string): Pieces {
  const { table } = answer;
  const fields = fieldsOf(answer);
  const bytes = new library.ByteWriter();
  const file = new library.ParquetWriter({
    writer: bytes,
    schema: [{ name: 'schema', num_children: fields.length }, ...fields.map(elementOf)],
    kvMetadata: metadataOf(fields, answer, arrowSchema),
    createdBy: 'catchment',
  });
  for (const block of rowBlocks(table, fields.length, ROW_GROUP)) {
    const columnData = fields.map((field): ColumnSource => {
      const data = cellsOf(field, block, table.columns[field.column]?.records);
      // Times grow by nearly equal steps: this encoding takes a third of the size.
      return { name: field.name, data, ...(field.column < 0 && { encoding: 'DELTA_BINARY_PACKED' }) };
    });
    // The writer promises something only where its target does.
    void file.write({ columnData, rowGroupSize: block.times.length });
    yield taken(bytes);
  }
  void file.finish();
  yield taken(bytes);
}

function taken(bytes: ByteWriter): Uint8Array {
  const copy = bytes.getBytes().slice();
  bytes.index = 0;
  return copy;
}

function elementOf({ name, type, column }: Field): SchemaElement {
  const repetition_type = column < 0 ? 'REQUIRED' : 'OPTIONAL';
  if (type === 'NUMBER') return { name, repetition_type, type: 'DOUBLE' };
  if (type === 'CODE') return { name, repetition_type, type: 'INT32' };
  if (type === 'TIME') return { name, repetition_type, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' };
  return { name, repetition_type, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
}

function metadataOf(fields: readonly Field[], answer: Answer, arrowSchema: string) {
  const columns = fields.map(({ name, metadata }) => ({ field: name, ...metadata }));
  const pairs = {
    ...answerMetadata(answer),
    'catchment.columns': JSON.stringify(columns),
    'ARROW:schema': arrowSchema,
  };
  return Object.entries(pairs).map(([key, value]) => ({ key, value }));
}

function cellsOf(field: Field, { times, indexes }: RowBlock, records: RecordSet | undefined): DecodedArray {
  const rows = indexes[field.column];
  if (!records || !rows) return Array.from(times, BigInt);
  const cell = (index: number) => {
    if (index < 0) return null;
    if (field.type === 'TEXT') return field.text(records, index) ?? null;
    const number = field.number(records, index);
    if (Number.isNaN(number)) return null;
    return field.type === 'TIME' ? BigInt(number) : number;
  };
  return Array.from(rows, cell);
}
