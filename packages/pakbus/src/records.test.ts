import { PakBusError } from './bytes.ts';
import { dataType, timeOf, type Value, valueBytes } from './data-types.ts';
import { RecordLayout } from './records.ts';
import { seeded } from './simulator/index.ts';
import { columnsOf, decodeTableDefinitions, encodeTableDefinitions, type Field } from './table-definitions.ts';

const random = seeded(7);
const below = (limit: number) => Math.floor(random() * limit);
const field = (name: string, type: number, more: Partial<Field> = {}): Field => ({
  name,
  type,
  isReadOnly: true,
  processing: 'Smp',
  units: '°C',
  description: '',
  firstIndex: 1,
  dimension: 1,
  subDimensions: [],
  ...more,
});
const tableOf = (fields: readonly Field[], seconds: number, timeType = 14) =>
  decodeTableDefinitions(
    encodeTableDefinitions([
      { name: 'Table', sizeRecords: 100, timeType, interval: { seconds, nanoseconds: 0 }, fields },
    ]),
  )[0]!;

const second = () => ({ timeMs: timeOf({ seconds: below(2 ** 31), nanoseconds: 0 }).timeMs });
const VALUES: Readonly<Record<number, () => Value>> = {
  1: () => below(256),
  2: () => below(2 ** 16),
  3: () => below(2 ** 32),
  4: () => below(256) - 128,
  5: () => below(2 ** 16) - 2 ** 15,
  6: () => below(2 ** 32) - 2 ** 31,
  7: () => (random() < 0.2 ? undefined : (below(2) * 2 - 1) * Number(`${1 + below(7_999)}e-${below(4)}`)),
  9: () => (random() < 0.2 ? undefined : Number((random() * 1e4).toPrecision(6))),
  10: () => random() < 0.5,
  11: () => 'text'.slice(0, below(5)),
  12: second,
  14: () => ({ timeMs: second().timeMs + below(1_000) }),
  17: () => below(256),
  18: () => random() * 1e12,
  19: () => below(2 ** 16) - 2 ** 15,
  20: () => below(2 ** 32) - 2 ** 31,
  21: () => below(2 ** 16),
  22: () => below(2 ** 32),
  23: () => ({ timeMs: second().timeMs + below(1_000) }),
  24: () => Number((random() * 1e-4).toPrecision(6)),
  25: () => -random() * 1e-12,
  27: () => random() < 0.5,
  28: () => random() < 0.5,
};
const codes = Object.keys(VALUES).map(Number);
const someFields = () =>
  Array.from({ length: 1 + below(12) }, (_, n) => {
    const type = codes[below(codes.length)]!;
    const isText = dataType(type)!.as!.family === 'TEXT';
    return field(`f${n}`, type, isText ? { dimension: 4, subDimensions: [4] } : {});
  });

test.each([0, 60])('records of any fields are read as they were written (interval %d s)', (seconds) => {
  for (let n = 0; n < 200; n++) {
    const fields = someFields();
    const layout = new RecordLayout(tableOf(fields, seconds, [12, 14, 23][below(3)]));
    const startMs = second().timeMs;
    const records = Array.from({ length: 1 + below(30) }, (_, i) => ({
      number: 1_000 + i,
      timeMs: startMs + i * (seconds || 7) * 1_000,
      values: fields.map(({ type }) => VALUES[type]!()),
    }));
    const { body, count } = layout.encode(records, { bytes: 512 }, true);
    const collected = layout.collected(body);
    expect(collected.records).toEqual(records.slice(0, count));
    expect(collected.hasMore).toBe(count < records.length);
  }
});

test('a record that fits into no packet comes in parts', () => {
  const fields = [field('long', 11, { dimension: 700, subDimensions: [700] }), field('short', 2)];
  const layout = new RecordLayout(tableOf(fields, 60));
  const record = { number: 5, timeMs: Date.UTC(2024, 0, 1), values: ['x'.repeat(700), 7] };
  const parts: Uint8Array[] = [];
  for (let offset = 0; offset < layout.sizeBytes; offset += parts.at(-1)!.length) {
    const { body } = layout.encode([record], { bytes: 512, offset }, true);
    const { fragment, hasMore } = layout.collected(body);
    expect(fragment).toMatchObject({ number: 5, offset });
    parts.push(fragment!.bytes);
    expect(hasMore).toBe(offset + fragment!.bytes.length < layout.sizeBytes);
  }
  expect(parts.length).toBe(2);
  expect(layout.record(5, Buffer.concat(parts))).toEqual(record);
});

test('a gap in a table with an interval ends a block, so that no record gets a wrong time', () => {
  const layout = new RecordLayout(tableOf([field('f', 2)], 60));
  const at = (n: number) => ({ number: n, timeMs: n * 60_000 + (n > 2 ? 60_000 : 0), values: [n] });
  expect(layout.encode([at(1), at(2), at(3)], { bytes: 512 }, true)).toMatchObject({ count: 2 });
});

test.each([
  ['one value', {}, ['f']],
  ['an array', { dimension: 3, subDimensions: [3] }, ['f(1)', 'f(2)', 'f(3)']],
  ['a part of an array', { firstIndex: 4, dimension: 2, subDimensions: [10] }, ['f(4)', 'f(5)']],
  ['one element of an array', { firstIndex: 4, subDimensions: [10] }, ['f(4)']],
  ['a table', { dimension: 4, subDimensions: [2, 2] }, ['f(1,1)', 'f(1,2)', 'f(2,1)', 'f(2,2)']],
])('columns of %s', (_what, more, names) => {
  expect(columnsOf(tableOf([field('f', 2, more)], 0)).map(({ name }) => name)).toEqual(names);
});

test('columns of a text, and of an array of texts', () => {
  const fields = [
    field('one', 11, { dimension: 64, subDimensions: [64] }),
    field('two', 11, { dimension: 20, subDimensions: [2, 10] }),
  ];
  const columns = columnsOf(tableOf(fields, 0));
  expect(columns.map(({ name, characters }) => [name, characters])).toEqual([
    ['one', 64],
    ['two(1)', 10],
    ['two(2)', 10],
  ]);
});

test.each([
  [0.1, 0.1],
  [Math.fround(1 / 3), 0.33333334],
  [7_999_999, 7_999_999],
  [1e-20, 1e-20],
])('%d in four bytes is read as the shortest number that it may be', (written, read) => {
  expect(dataType(9)!.as!.read(valueBytes(written, dataType(9)!))).toBe(read);
});

test.each([
  ['9F FE', undefined],
  ['1F FF', undefined],
  ['9F FF', undefined],
  ['25 6B', 138.7],
  ['80 00', 0],
  ['FF 3F', -7.999],
])('FP2 %s is %p', (hex, value) => {
  expect(dataType(7)!.as!.read(Buffer.from(hex.replace(' ', ''), 'hex'))).toBe(value);
});

test('a value that its type cannot hold is refused', () => {
  expect(() => valueBytes(70_000, dataType(2)!)).toThrow(PakBusError);
  expect(() => valueBytes('text', dataType(9)!)).toThrow(PakBusError);
});

test('definitions with damage in them are refused, or read as others, but never without an end', () => {
  const good = encodeTableDefinitions([
    { name: 'T', sizeRecords: 9, timeType: 14, interval: { seconds: 1, nanoseconds: 0 }, fields: someFields() },
  ]);
  for (let n = 0; n < 2_000; n++) {
    const bad = Buffer.from(good);
    for (let i = 0; i < 4; i++) bad[below(bad.length)] = below(256);
    try {
      for (const table of decodeTableDefinitions(bad)) new RecordLayout(table).collected(bad);
    } catch (error) {
      expect(error).toBeInstanceOf(PakBusError);
    }
  }
});
