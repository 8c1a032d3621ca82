import { ByteReader, ByteWriter, PakBusError } from './bytes.ts';
import { type DataType, dataType, type Nanoseconds } from './data-types.ts';
import { signatureOf } from './signature.ts';

export const DEFINITIONS_BYTES_MAX = 512 * 1024;
const TABLES_MAX = 255;
const FIELDS_MAX = 4_096;
const VALUES_MAX = 10_000;
const DIMENSIONS_MAX = 8;
const ALIASES_MAX = 16;
const VERSION = 1;

/** A field of a table is one value, or a part of an array, or all of it. */
export type Field = {
  readonly name: string;
  /** The code of its data type; see `dataType`. */
  readonly type: number;
  readonly isReadOnly: boolean;
  /** The processing is "Avg", "Smp" …, as in TOA5. */
  readonly processing: string;
  readonly units: string;
  readonly description: string;
  /** Index of its first element in the array, counted from 1 through all dimensions. */
  readonly firstIndex: number;
  /** Counts the values, or the characters of a text. */
  readonly dimension: number;
  /** Dimensions of the whole array; the last one of a text is its length. */
  readonly subDimensions: readonly number[];
};

export type Table = {
  /** The first table is 1. */
  readonly number: number;
  readonly name: string;
  /** Records that the logger keeps. */
  readonly sizeRecords: number;
  /** Type code of record times. */
  readonly timeType: number;
  /** Records are this far apart; 0 where events decide. */
  readonly interval: Nanoseconds;
  readonly fields: readonly Field[];
  /** A logger sees by this that its asker knows the table as it is. */
  readonly signature: number;
};

/** A value of each record. */
export type Column = {
  /** The name has indices where the field is an array: `Temp(2)`. */
  readonly name: string;
  readonly field: Field;
  /** undefined: unknown, and so are the places of all that follows. */
  readonly type: DataType | undefined;
  /** A text has this length; other types have 1. */
  readonly characters: number;
};

/** Decodes the file `.TDF` of a logger (BMP5 Transparent Commands 2.3.4.2). @throws PakBusError */
export function decodeTableDefinitions(bytes: Uint8Array): Table[] {
  if (bytes.length > DEFINITIONS_BYTES_MAX) throw new PakBusError('table definitions are too large');
  const reader = new ByteReader(bytes);
  if (reader.uint1() !== VERSION) throw new PakBusError('table definitions have an unknown version');
  const tables: Table[] = [];
  while (reader.left > 0) {
    if (tables.length === TABLES_MAX) throw new PakBusError(`a logger has more than ${TABLES_MAX} tables`);
    tables.push(readTable(reader, bytes, tables.length + 1));
  }
  return tables;
}

function readTable(reader: ByteReader, bytes: Uint8Array, number: number): Table {
  const start = reader.at;
  const name = reader.text();
  const [sizeRecords, timeType] = [reader.uint4(), reader.uint1()];
  // The times of records show how far into the interval they lie.
  reader.bytes(8);
  const interval = { seconds: reader.int4(), nanoseconds: reader.int4() };
  const fields: Field[] = [];
  for (let type = reader.uint1(); type !== 0; type = reader.uint1()) {
    if (fields.length === FIELDS_MAX) throw new PakBusError(`table ${name} has more than ${FIELDS_MAX} fields`);
    fields.push(readField(reader, type));
  }
  const table = { number, name, sizeRecords, timeType, interval, fields };
  if (valuesIn(fields) > VALUES_MAX) throw new PakBusError(`table ${name} has more than ${VALUES_MAX} values`);
  return { ...table, signature: signatureOf(bytes.subarray(start, reader.at)) };
}

const valuesIn = (fields: readonly Field[]) => fields.reduce((sum, { dimension }) => sum + dimension, 0);

function readField(reader: ByteReader, type: number): Field {
  const name = reader.text();
  for (let aliases = 0; reader.text() !== ''; aliases++) {
    if (aliases === ALIASES_MAX) throw new PakBusError(`field ${name} has more than ${ALIASES_MAX} other names`);
  }
  const texts = { processing: reader.text(), units: reader.text(), description: reader.text() };
  const [firstIndex, dimension] = [reader.uint4(), reader.uint4()];
  const subDimensions: number[] = [];
  for (let size = reader.uint4(); size !== 0; size = reader.uint4()) {
    if (subDimensions.length === DIMENSIONS_MAX) throw new PakBusError(`field ${name} has too many dimensions`);
    subDimensions.push(size);
  }
  if (dimension > VALUES_MAX) throw new PakBusError(`field ${name} has more than ${VALUES_MAX} values`);
  return { name, type: type & 0x7f, isReadOnly: (type & 0x80) !== 0, ...texts, firstIndex, dimension, subDimensions };
}

/** Returns the values of a record, in their order. */
export const columnsOf = ({ fields }: Table): Column[] => fields.flatMap(columnsOfField);

function columnsOfField(field: Field): Column[] {
  const type = dataType(field.type);
  const isText = type?.as?.family === 'TEXT';
  const { dimension, firstIndex } = field;
  const characters = isText ? (field.subDimensions.at(-1) ?? dimension) : 1;
  const sizes = isText ? field.subDimensions.slice(0, -1) : field.subDimensions;
  const count = isText ? Math.floor(dimension / Math.max(characters, 1)) : dimension;
  const isOne = count === 1 && sizes.every((size) => size === 1);
  return Array.from({ length: count }, (_, n) => {
    const name = isOne ? field.name : `${field.name}(${indices(sizes, firstIndex - 1 + n).join(',')})`;
    return { name, field, type, characters };
  });
}

/** Returns the place in each dimension, from 1; the last one counts fastest. */
function indices(sizes: readonly number[], place: number): number[] {
  const found: number[] = [];
  let left = place;
  for (const size of sizes.slice(1).toReversed()) {
    found.unshift((left % size) + 1);
    left = Math.floor(left / size);
  }
  return [left + 1, ...found];
}

/** Encodes tables as a logger sends them. `number` and `signature` follow from the content. */
export function encodeTableDefinitions(tables: readonly Omit<Table, 'number' | 'signature'>[]): Buffer {
  const writer = new ByteWriter().uint1(VERSION);
  for (const { name, sizeRecords, timeType, interval, fields } of tables) {
    writer.text(name).uint4(sizeRecords).uint1(timeType).int4(0).int4(0);
    writer.int4(interval.seconds).int4(interval.nanoseconds);
    for (const field of fields) {
      writer.uint1((field.isReadOnly ? 0x80 : 0) | field.type).text(field.name);
      writer.text('').text(field.processing).text(field.units).text(field.description);
      writer.uint4(field.firstIndex).uint4(field.dimension);
      for (const size of field.subDimensions) writer.uint4(size);
      writer.uint4(0);
    }
    writer.uint1(0);
  }
  return writer.done();
}
