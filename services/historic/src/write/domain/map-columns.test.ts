import { NodeConfig } from '@catchment/contracts/nodes';
import { parseJtsDocument } from './jts-document.ts';
import { checkSourceColumns, columnOfNode, keyOf } from './map-columns.ts';

const ID = '0123456789abcdef01234567';
const OTHER = 'ffffffffffffffffffffffff';
const node = NodeConfig.fromPartial({ nodeId: ID, customId: 'Level_1' });
const document = (columns: Record<number, object>) =>
  parseJtsDocument(Buffer.from(JSON.stringify({ docType: 'jts', header: { columns }, data: [] })));

test.each<[string, Record<number, object>, number | undefined, number]>([
  ['the column with its id', { 0: { id: OTHER }, 3: { id: ID } }, undefined, 3],
  ['the id in capitals', { 4: { id: ID.toUpperCase() } }, undefined, 4],
  ['the column with its customId', { 0: { id: '@level_1' }, 5: { id: '@Level_1' } }, undefined, 5],
  ['its id before columnIndex', { 3: { id: ID } }, 1, 3],
  ['columnIndex before the only column without id', { 2: {} }, 7, 7],
  ['the only column without id', { 0: { id: OTHER }, 2: { name: 'x' } }, undefined, 2],
  ['0 when several have none', { 2: {}, 3: {} }, undefined, 0],
  ['0 without a header', {}, undefined, 0],
  ['0 when all are of others', { 6: { id: OTHER } }, undefined, 0],
])('a node write takes %s', (_what, columns, columnIndex, index) => {
  expect(columnOfNode(document(columns), node, columnIndex)).toBe(index);
});

test('a node without customId is not meant by "@"', () => {
  expect(columnOfNode(document({ 3: { id: '@' }, 4: { id: OTHER } }), NodeConfig.fromPartial({ nodeId: ID }), 9)).toBe(
    9,
  );
});

test.each([
  ['no column', {}, 'header.columns: must have at least one column'],
  [
    'a column without id, series and name',
    { 0: { name: 'a' }, 2: { units: 'm' } },
    'header.columns.2: must have an id',
  ],
])('a data source refuses %s', (_what, columns, message) => {
  expect(() => checkSourceColumns(document(columns))).toThrow(message);
});

test('the key is the series, or else the name', () => {
  const [both, name] = document({ 0: { series: 's', name: 'n' }, 1: { name: 'n' } }).columns;
  expect([both && keyOf(both), name && keyOf(name)]).toEqual(['s', 'n']);
});
