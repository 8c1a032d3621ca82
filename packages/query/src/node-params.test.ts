import { DomainError } from '@catchment/errors';
import { parseColumnParams, parseNodeParams } from './index.ts';

const ID = '53eada0ada91110000000046';
const KEYS = ['renderFormat', 'aggregate', 'interval', 'baseTime', 'columnIndex'] as const;
const byId = (values: object, reference = ID) => ({ node: { kind: 'id', id: ID }, reference, values });

test.each([
  [ID, [byId({})]],
  [`${ID}()`, [byId({})]],
  [ID.toUpperCase(), [byId({}, ID.toUpperCase())]],
  [`${ID},`, [byId({})]],
  [`${ID}() , `, [byId({})]],
  [
    '@level_1(columnIndex:0)',
    [{ node: { kind: 'customId', customId: 'level_1' }, reference: '@level_1', values: { columnIndex: '0' } }],
  ],
  [
    `${ID}(aggregate:AVERAGE;interval:1H;baseTime:D+9H),${ID}(aggregate:MAX)`,
    [byId({ aggregate: 'AVERAGE', interval: '1H', baseTime: 'D+9H' }), byId({ aggregate: 'MAX' })],
  ],
  [` ${ID} ( aggregate : MIN ) , ${ID} `, [byId({ aggregate: 'MIN' }), byId({})]],
  [`${ID}(renderFormat:HH:mm)`, [byId({ renderFormat: 'HH:mm' })]],
  [`${ID}(renderFormat:#,##0.0)`, [byId({ renderFormat: '#,##0.0' })]],
  [`${ID}(renderFormat:0.0\\;\\(0.0\\);interval:1D)`, [byId({ renderFormat: '0.0;(0.0)', interval: '1D' })]],
  [`${ID}(renderFormat:)`, [byId({ renderFormat: '' })]],
])('params %j', (text, expected) => {
  expect(parseNodeParams(text, KEYS)).toEqual(expected);
});

test.each([
  '',
  ',',
  `${ID},,`,
  `,${ID}`,
  '(aggregate:MAX)',
  `${ID},()`,
  'abc',
  '@a.b',
  `${ID}(`,
  `${ID}(aggregate:MAX`,
  `${ID}(aggregate:MAX))`,
  `${ID}(aggregate:MAX)x`,
  `${ID}(aggregate)`,
  `${ID}(unknown:1)`,
  `${ID}(aggregate:MAX;)`,
  `${ID}(__proto__:1)`,
])('refuses params %j', (text) => {
  expect(() => parseNodeParams(text, KEYS)).toThrow(DomainError);
  expect(() => parseNodeParams(text, KEYS)).toThrow(/^params must /);
});

test('1-100 entries are taken', () => {
  expect(parseNodeParams(new Array(100).fill(ID).join(','), KEYS)).toHaveLength(100);
  expect(parseNodeParams(`${new Array(100).fill(ID).join(',')},`, KEYS)).toHaveLength(100);
  expect(() => parseNodeParams(new Array(101).fill(ID).join(','), KEYS)).toThrow(
    'params must have at most 100 entries',
  );
});

const column = (columnIndex: string) => ({ values: { columnIndex } });

test.each([
  [`(columnIndex:0),${ID}(columnIndex:1),(columnIndex:2)`, [column('0'), byId({ columnIndex: '1' }), column('2')]],
  [`${ID}(columnIndex:1), ( columnIndex : 3 ) ,`, [byId({ columnIndex: '1' }), column('3')]],
  [`(),${ID}`, [{ values: {} }, byId({})]],
])('params of a write %j: an entry may lack its node', (text, expected) => {
  expect(parseColumnParams(text, KEYS)).toEqual(expected);
});

test.each([
  ['no node at all', '(columnIndex:0)', 'at least one node'],
  ['no node at all, twice', '(columnIndex:0),(columnIndex:1),', 'at least one node'],
  ['an empty entry', `${ID}(columnIndex:0),,(columnIndex:1)`, 'name each node'],
  ['an empty entry first', `,${ID}`, 'name each node'],
  ['nothing', '', 'name each node'],
  ['a comma', ',', 'name each node'],
  ['an unknown key', `${ID},(column:1)`, 'the keys'],
  ['something behind the parenthesis', `${ID},(columnIndex:1)x`, 'consist of entries'],
])('params of a write with %s are refused', (_what, text, rule) => {
  expect(() => parseColumnParams(text, KEYS)).toThrow(rule);
});
