import { dataType, type TypeName, typeNamed, type Value } from '../data-types.ts';
import { type LoggerRecord, RecordLayout } from '../records.ts';
import { decodeTableDefinitions, encodeTableDefinitions, type Field, type Table } from '../table-definitions.ts';

export type SimulatedField = {
  readonly name: string;
  readonly type: TypeName;
  /** Length of a text. */
  readonly characters?: number;
  readonly units?: string;
  readonly processing?: string;
};

/** A logger measures this: how many records there are at a time of its clock, and each of them. */
export type Content = {
  /** The first record ever had this number. */
  readonly firstNumber: number;
  /** Counts records up to a time of the logger's clock, in ms. */
  countAt(clockMs: number): number;
  /** @param place from 0 */
  record(place: number): { readonly timeMs: number; readonly values: readonly Value[] };
};

export type TableContent = {
  readonly name: string;
  readonly fields: readonly SimulatedField[];
  /** 0: events. */
  readonly intervalSeconds: number;
  /** Records that the logger keeps; older ones are gone. */
  readonly sizeRecords: number;
  readonly content: Content;
};

const fieldOf = ({ name, type, characters = 1, units = '', processing = 'Smp' }: SimulatedField): Field => ({
  name,
  type: typeNamed(type).code,
  isReadOnly: true,
  processing,
  units,
  description: '',
  firstIndex: 1,
  dimension: type === 'ASCII' ? characters : 1,
  subDimensions: type === 'ASCII' ? [characters] : [],
});

const definitionOf = ({ name, fields, intervalSeconds, sizeRecords }: TableContent) => ({
  name,
  sizeRecords,
  timeType: typeNamed('NSec').code,
  interval: { seconds: intervalSeconds, nanoseconds: 0 },
  fields: fields.map(fieldOf),
});

/** Variables that somebody may set, in a table of one record. */
export type PublicTable = { readonly name: string; readonly values: Record<string, number> };

const publicDefinition = ({ name, values }: PublicTable) => ({
  name,
  sizeRecords: 1,
  timeType: typeNamed('NSec').code,
  interval: { seconds: 0, nanoseconds: 0 },
  fields: Object.keys(values).map((field) => ({ ...fieldOf({ name: field, type: 'IEEE4B' }), isReadOnly: false })),
});

/** Holds the tables of a logger, as it defines and as it keeps them. */
export class SimulatedTables {
  readonly definitions: Buffer;
  readonly #contents: readonly (TableContent | PublicTable)[];
  readonly #tables: readonly Table[];

  constructor(contents: readonly (TableContent | PublicTable)[]) {
    this.#contents = contents;
    this.definitions = encodeTableDefinitions(
      contents.map((content) => ('content' in content ? definitionOf(content) : publicDefinition(content))),
    );
    this.#tables = decodeTableDefinitions(this.definitions);
  }

  find(number: number): { readonly table: Table; readonly layout: RecordLayout } | undefined {
    const table = this.#tables[number - 1];
    return table && { table, layout: new RecordLayout(table) };
  }

  /** Records from a number up to another, left out, which the logger still has at a time of its clock; at most `max`. */
  records(number: number, range: { from: number; to: number }, clockMs: number, max: number): LoggerRecord[] {
    const held = this.#contents[number - 1]!;
    if (!('content' in held)) {
      if (range.from > 0) return [];
      return [{ number: 0, timeMs: clockMs, values: Object.values(held.values) }];
    }
    const { content } = held;
    const { first, end } = this.kept(number, clockMs);
    const records: LoggerRecord[] = [];
    for (let n = Math.max(range.from, first); n < Math.min(range.to, end) && records.length < max; n++) {
      records.push({ number: n, ...content.record(n - content.firstNumber) });
    }
    return records;
  }

  /** Returns numbers of the records that the logger has. */
  kept(number: number, clockMs: number): { readonly first: number; readonly end: number } {
    const content = this.#contents[number - 1]!;
    if (!('content' in content)) return { first: 0, end: 1 };
    const count = content.content.countAt(clockMs);
    const end = content.content.firstNumber + count;
    return { first: Math.max(end - content.sizeRecords, content.content.firstNumber), end };
  }

  /** @returns undefined when no table has such a variable */
  get(table: string, field: string): number | undefined {
    const content = this.#contents.find(({ name }) => name === table);
    return content && 'values' in content && Object.hasOwn(content.values, field) ? content.values[field] : undefined;
  }

  /** @returns false when no table has such a variable */
  set(table: string, field: string, value: number): boolean {
    const content = this.#contents.find(({ name }) => name === table);
    if (!content || 'content' in content || !Object.hasOwn(content.values, field)) return false;
    content.values[field] = value;
    return true;
  }
}

/** True for a type that holds a number so that it is read as it was written. */
export function holds(type: TypeName, value: number): boolean {
  const { as, sizeBytes } = dataType(typeNamed(type).code)!;
  const bytes = Buffer.alloc(sizeBytes);
  as!.write(value, bytes);
  return as!.read(bytes) === value;
}
