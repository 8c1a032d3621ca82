import { ValueType } from '@catchment/contracts/nodes';
import { atOnce } from '@catchment/fair-queue';
import { parseJtsDocument } from './jts-document.ts';
import type { ColumnTarget } from './jts-records.ts';
import { parseManyRecords, targetsOfHeader, targetsOfParams } from './many-targets.ts';

const [A, B] = ['a'.repeat(24), 'b'.repeat(24)];
const entries = (count: number) => Array.from({ length: count }, () => `${A}(columnIndex:0)`).join(',');

test.each([
  [
    'the order of entries',
    `${A}(columnIndex:3),@rain(columnIndex:0)`,
    undefined,
    [
      [A, 3],
      ['@rain', 0],
    ],
  ],
  [
    'one column for two nodes',
    `${A}(columnIndex:1),${B}(columnIndex:1)`,
    undefined,
    [
      [A, 1],
      [B, 1],
    ],
  ],
  [
    'a default for entries without',
    `${A},${B}(columnIndex:2)`,
    5,
    [
      [A, 5],
      [B, 2],
    ],
  ],
  [
    'spaces and capitals, as they were sent',
    ` ${A.toUpperCase()} ( columnIndex : 4 ) `,
    undefined,
    [[A.toUpperCase(), 4]],
  ],
  ['columns without a node', `(columnIndex:0),${A}(columnIndex:1),(columnIndex:2)`, undefined, [[A, 1]]],
  ['a trailing comma', `${A}(columnIndex:1), `, undefined, [[A, 1]]],
])('params: %s', (_what, params, columnIndex, expected) => {
  expect(targetsOfParams(params, columnIndex)?.map(({ nodeRef, index }) => [nodeRef, index])).toEqual(expected);
});

test.each(['', '  '])('params "%s" is absent', (params) => {
  expect(targetsOfParams(params, 3)).toBeUndefined();
});

test('100 entries are taken, 63 as one client sends', () => {
  expect(targetsOfParams(entries(100), undefined)).toHaveLength(100);
  expect(targetsOfParams(entries(63), undefined)).toHaveLength(63);
});

test.each([
  ['no columnIndex', A, 'columnIndex of each entry'],
  ['an empty one', `${A}(columnIndex:)`, 'columnIndex of each entry'],
  ['a negative one', `${A}(columnIndex:-1)`, 'columnIndex of each entry'],
  ['a fraction', `${A}(columnIndex:1.5)`, 'columnIndex of each entry'],
  ['a word', `${A}(columnIndex:first)`, 'columnIndex of each entry'],
  ['a key of reads', `${A}(columnIndex:1;aggregate:AVERAGE)`, 'keys columnIndex'],
  ['no node', '(columnIndex:1)', 'at least one node'],
  ['a column without a node and an index', `(),${A}(columnIndex:1)`, 'columnIndex of each entry'],
  ['an empty entry', `${A}(columnIndex:1),,`, 'name each node'],
  ['unbalanced', `${A}(columnIndex:1`, 'balanced'],
  ['too many', entries(101), 'at most 100'],
])('params with %s', (_what, params, rule) => {
  expect(() => targetsOfParams(params, undefined)).toThrow(/^params/);
  expect(() => targetsOfParams(params, undefined)).toThrow(rule);
});

const documentOf = (header: unknown) =>
  parseJtsDocument(Buffer.from(JSON.stringify({ docType: 'jts', header, data: [] })));

test('without params every column names its node', () => {
  const document = documentOf({ columns: { 4: { id: '@rain' }, 0: { id: A } } });
  expect(targetsOfHeader(document)).toEqual([
    { nodeRef: A, index: 0 },
    { nodeRef: '@rain', index: 4 },
  ]);
});

test.each([
  ['no header', undefined, 'header.columns'],
  ['no columns', { columns: {} }, 'header.columns'],
  ['a column without id', { columns: { 0: { id: A }, 1: { name: 'x' } } }, 'header.columns.1.id'],
  ['an id that is none', { columns: { 0: { id: 'level' } } }, 'header.columns.0.id'],
])('without params, %s is refused by its name', (_what, header, named) => {
  expect(() => targetsOfHeader(documentOf(header))).toThrow(named);
});

const target = (index: number, valueType: ValueType = ValueType.VALUE_TYPE_NUMBER, quality?: number): ColumnTarget => ({
  index,
  valueType,
  qualityOf: quality === undefined ? undefined : () => quality,
});
const row = (fields: object) => ({ ts: '2024-01-01T00:00:00Z', f: fields });

test('each target gets its column; nodes that read a column alike share it, others read it their way', () => {
  const rows = [row({ 0: { v: 1 }, 1: { v: 2 }, 7: { v: 'of nobody' } })];
  const columns = atOnce(parseManyRecords(rows, [target(1), target(0), target(1), target(1, undefined, 9)]));
  expect(columns.map(({ numbers }) => [...numbers])).toEqual([[2], [1], [2], [2]]);
  expect(columns[2]).toBe(columns[0]);
  expect(columns.map(({ qualities }) => [...qualities])).toEqual([[], [], [], [9]]);
});

test('a column that fits one node and not another is refused', () => {
  expect(() =>
    atOnce(parseManyRecords([row({ 0: { v: 1 } })], [target(0), target(0, ValueType.VALUE_TYPE_TEXT)])),
  ).toThrow('data[0].f.0.v: must be a string');
});

test('what one request hands to the log is bounded, however often a column is used', () => {
  const spread = Array.from({ length: 10_000 }, (_, n) => ({ ts: new Date(n).toISOString(), f: { 0: { v: n } } }));
  const targets = (count: number) => Array.from({ length: count }, () => target(0));
  expect(atOnce(parseManyRecords(spread, targets(50)))).toHaveLength(50);
  expect(() => atOnce(parseManyRecords(spread, targets(51)))).toThrow(
    'data: must have at most 500000 records over all nodes',
  );
});
