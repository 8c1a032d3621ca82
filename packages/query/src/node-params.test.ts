import { DomainError } from '@catchment/errors';
import { parseNodeParams } from './index.ts';

const ID = '53eada0ada91110000000046';
const KEYS = ['renderFormat', 'aggregate', 'interval', 'baseTime', 'columnIndex'] as const;
const byId = (values: object) => ({ node: { kind: 'id', id: ID }, values });

test.each([
  [ID, [byId({})]],
  [`${ID}()`, [byId({})]],
  [ID.toUpperCase(), [byId({})]],
  ['@level_1(columnIndex:0)', [{ node: { kind: 'customId', customId: 'level_1' }, values: { columnIndex: '0' } }]],
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
  `${ID},`,
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
  expect(() => parseNodeParams(new Array(101).fill(ID).join(','), KEYS)).toThrow(
    'params must have at most 100 entries',
  );
});
