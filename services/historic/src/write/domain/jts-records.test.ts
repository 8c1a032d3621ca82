import { ValueType } from '@catchment/contracts/nodes';
import { atOnce } from '@catchment/fair-queue';
import { FLAG } from '@catchment/ingest-log';
import { type OtherColumns, parseRecords } from './jts-records.ts';

const T0 = Date.UTC(2024, 0, 1);
const ts = (minute: number) => new Date(T0 + minute * 60_000).toISOString();
const at = (...minutes: number[]) => minutes.map((minute) => T0 + minute * 60_000);
const NUMBER = { index: 0, valueType: ValueType.VALUE_TYPE_NUMBER, qualityOf: undefined };
const TEXT = { ...NUMBER, index: 1, valueType: ValueType.VALUE_TYPE_TEXT };
const TIME = { ...NUMBER, index: 2, valueType: ValueType.VALUE_TYPE_TIME };
const PLACE = { ...NUMBER, index: 3, valueType: ValueType.VALUE_TYPE_COORDINATES };
const ALL = [NUMBER, TEXT, TIME, PLACE];
const numbers = (rows: unknown[], others: OtherColumns = 'ignored') => {
  const { columns, rows: count } = atOnce(parseRecords(rows, [NUMBER], others));
  const [column] = columns;
  return { ...column!, rows: count };
};
const record = (f: unknown) => [{ ts: ts(0), f }];

test.each<[string, unknown[], string]>([
  ['a record that is no object', [1], 'data[0]: must be an object'],
  ['a record null', [null], 'data[0]: must be an object'],
  ['no ts', [{ f: {} }], 'data[0].ts: must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z'],
  ['an impossible date', [{ ts: '2024-02-30', f: {} }], 'data[0].ts: must be an ISO'],
  ['a leap second', [{ ts: '2016-12-31T23:59:60Z', f: {} }], 'data[0].ts: must be an ISO'],
  ['a fraction of a millisecond', [{ ts: 1.5, f: {} }], 'data[0].ts: must be an ISO'],
  ['1799', [{ ts: '1799-12-31T23:59:59Z', f: {} }], 'data[0].ts: must be an ISO'],
  ['2263', [{ ts: '2263-01-01', f: {} }], 'data[0].ts: must be from 1800-01-01 to before 2262-04-11'],
  ['a bad one after good ones', [...record({ 0: { v: 1 } }), { ts: 'x', f: {} }], 'data[1].ts: must be an ISO'],
  ['no f', [{ ts: ts(0) }], 'data[0].f: must be an object'],
  ['f as an array', [{ ts: ts(0), f: [] }], 'data[0].f: must be an object'],
  ['f null', [{ ts: ts(0), f: null }], 'data[0].f: must be an object'],
  ['a key that is no index', record({ x: {} }), 'data[0].f.x: key must be a column index'],
  ['a column nobody named', record({ 9: {} }), 'data[0].f.9: has no column in header.columns'],
  ['a field that is no object', record({ 0: 5 }), 'data[0].f.0: must be an object or null'],
  ...['five', '', ' 5', '5 ', '05', '+5', '.5', '5.', '1e', '0x5', '1,5', 'NaN', 'Infinity', 'true', '5.0.0'].map(
    (text) =>
      [`the text "${text}" for a number`, record({ 0: { v: text } }), 'data[0].f.0.v: must be a number'] satisfies [
        string,
        unknown[],
        string,
      ],
  ),
  ['an object for a number', record({ 0: { v: {} } }), 'data[0].f.0.v: must be a number'],
  ['a number for a text', record({ 1: { v: 5 } }), 'data[0].f.1.v: must be a string of at most 10000 characters'],
  ['a boolean for a text', record({ 1: { v: true } }), 'data[0].f.1.v: must be a string'],
  ['a text of 10 001', record({ 1: { v: 'x'.repeat(10_001) } }), 'data[0].f.1.v: must be a string of at most 10000'],
  ['no time', record({ 2: { v: { $time: 'x' } } }), 'data[0].f.2.v: must be a time such as {"$time"'],
  ['coordinates out of range', record({ 3: { v: { $coords: [91, 0] } } }), 'data[0].f.3.v: must be {"$coords"'],
  ['one coordinate', record({ 3: { v: { $coords: [9] } } }), 'data[0].f.3.v: must be {"$coords"'],
  ['q below 0', record({ 0: { q: -1 } }), 'data[0].f.0.q: must be a whole number from 0 to 65535 or null'],
  ['q 65536', record({ 0: { q: 65_536 } }), 'data[0].f.0.q: must be a whole number'],
  ['q 1.5', record({ 0: { q: 1.5 } }), 'data[0].f.0.q: must be a whole number'],
  ['q as text', record({ 0: { q: '1' } }), 'data[0].f.0.q: must be a whole number'],
  ['a of 501', record({ 0: { a: 'é'.repeat(501) } }), 'data[0].f.0.a: must be a string of at most 500 characters'],
  ['a as a number', record({ 0: { a: 1 } }), 'data[0].f.0.a: must be a string'],
])('%s is refused, naming the record and the rule', (_what, rows, message) => {
  expect(() => atOnce(parseRecords(rows, ALL, 'refused'))).toThrow(
    expect.objectContaining({ kind: 'invalid_argument', message: expect.stringContaining(message) }),
  );
});

test.each([
  ['2024-01-01T00:00Z', 0],
  ['2024-01-01T00:00', 0],
  ['2024-01-01', 0],
  ['2024-01-01T13:00:00+1300', 0],
  ['2024-01-01T13:00:00.000+13:00', 0],
  ['2024-01-01T13:00+13', 0],
  ['2024-01-01T00:00:00.123456789Z', 123],
  [{ $time: '2024-01-01T00:00:00Z' }, 0],
  [{ $millis: T0 + 5 }, 5],
  [T0 + 7, 7],
])('ts %j is understood', (given, ms) => {
  expect([...numbers([{ ts: given, f: { 0: { v: 1 } } }]).timestamps]).toEqual([T0 + ms]);
});

test('rows out of order are sorted, the later of two entries with one time wins', () => {
  const built = numbers([
    { ts: ts(2), f: { 0: { v: 3 } } },
    { ts: ts(0), f: { 0: { v: 1, q: 5, a: 'old' } } },
    { ts: ts(1), f: { 0: { v: 2 } } },
    { ts: ts(0), f: { 0: { v: 9 } } },
  ]);
  expect([...built.timestamps]).toEqual(at(0, 1, 2));
  expect([...built.numbers]).toEqual([9, 2, 3]);
  expect([...built.flags]).toEqual([FLAG.value]);
  expect(built.annotations.size).toBe(0);
  expect(built.rows).toBe(3);
});

test('duplicates win per column: what one entry leaves out, the other keeps', () => {
  const { columns, rows } = atOnce(
    parseRecords(
      [
        { ts: ts(0), f: { 0: { v: 1 }, 1: { v: 'a' } } },
        { ts: ts(0), f: { 0: { v: 2 }, 1: {} } },
      ],
      ALL,
      'refused',
    ),
  );
  expect([...(columns[0]?.numbers ?? [])]).toEqual([2]);
  expect(columns[1]?.texts).toEqual(['a']);
  expect(rows).toBe(1);
});

test('empty field objects, empty rows and other columns of a node write give no records', () => {
  const built = numbers([
    { ts: ts(0), f: { 0: {} } },
    { ts: ts(1), f: {} },
    { ts: ts(2), f: { 7: { v: 'anything' } } },
    { ts: ts(3), f: { 0: { v: 4 } } },
  ]);
  expect([...built.timestamps]).toEqual(at(3));
  expect(built.rows).toBe(1);
});

test('more than 100 other columns are too many', () => {
  const f = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n + 1, {}]));
  expect(() => numbers(record(f))).toThrow(expect.objectContaining({ kind: 'too_large' }));
});

test('columns with a record in every row share one time vector, sparse ones have their own', () => {
  const { columns } = atOnce(
    parseRecords(
      [
        { ts: ts(0), f: { 0: { v: 1 }, 1: { v: 'a' } } },
        { ts: ts(1), f: { 0: { v: 2 }, 1: { v: 'b' }, 2: { v: { $time: ts(0) } } } },
      ],
      ALL,
      'refused',
    ),
  );
  const [first, second, third, fourth] = columns;
  expect(second?.timestamps).toBe(first?.timestamps);
  expect([...(third?.timestamps ?? [])]).toEqual(at(1));
  expect([...(third?.numbers ?? [])]).toEqual([T0]);
  expect(fourth?.timestamps).toHaveLength(0);
});

test('the key __proto__ is a bad key, and changes nothing', () => {
  const rows = [{ ts: ts(0), f: JSON.parse('{"__proto__":{"v":1}}') }];
  expect(() => numbers(rows)).toThrow('data[0].f.__proto__: key must be a column index');
});

test.each(['5.0', '0', '-0', '-12.5', '1e3', '1.5E-7', '12345678901234567890', '1e999', '5e-324', '100000.0'])(
  'the text "%s" for a number is what the number is',
  (text) => {
    const read = (value: unknown) => atOnce(parseRecords(record({ 0: { v: value, q: 3 } }), ALL, 'refused')).columns[0];
    expect(read(text)).toEqual(read(JSON.parse(text)));
  },
);

test.each([
  ['a text whose states are looked for', { ...TEXT, qualityOf: () => 3 }, 'x', 100],
  ['64 records of texts without states', TEXT, 'x', 2],
  ['64 records of numbers', { ...NUMBER, index: 1 }, 5, 2],
])('a document may be interrupted after %s', (_what, target, v, least) => {
  const rows = Array.from({ length: 100 }, (_, n) => ({ ts: ts(n), f: { 1: { v } } }));
  const steps = parseRecords(rows, [target], 'refused');
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  expect(count).toBeGreaterThanOrEqual(least);
  expect(step.value.rows).toBe(100);
});
