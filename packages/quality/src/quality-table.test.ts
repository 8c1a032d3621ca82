import { DEFAULT_TABLE, qualityTable } from './quality-table.ts';

test.each([
  [undefined, 'GOOD'],
  [149, 'UNCERTAIN'],
  [155, 'BAD'],
  [156, 'BAD'],
  [158, 'BAD'],
  [162, 'GOOD'],
  [165, 'GOOD'],
  [192, 'UNCERTAIN'],
])('by default %p is %s (docs/reference/quality.md#quality-codes)', (code, type) => {
  expect([DEFAULT_TABLE.typeOf(code), DEFAULT_TABLE.shown(code)]).toEqual([type, code]);
  expect(DEFAULT_TABLE.isMapping).toBe(false);
});

const OWN = qualityTable({
  excluded: ['BAD'],
  unspecified: 'UNCERTAIN',
  unknown: 'BAD',
  codes: [
    { name: 'Bad - No Data', sourceQuality: [], code: 900, type: 'BAD' },
    { name: 'Fine', sourceQuality: [192, 0], code: 10, type: 'GOOD' },
  ],
});

test.each([
  [192, 10, 'GOOD'],
  [0, 10, 'GOOD'],
  [10, 10, 'GOOD'],
  [155, 155, 'BAD'],
  [900, 900, 'BAD'],
  [77, 77, 'BAD'],
  [undefined, undefined, 'UNCERTAIN'],
])('a code %p of a source is shown as %p, of type %s', (stored, shown, type) => {
  expect([OWN.shown(stored), OWN.typeOf(OWN.shown(stored))]).toEqual([shown, type]);
});

test('a system entry keeps its meaning under another number', () => {
  expect([OWN.system(155), OWN.system(149)]).toEqual([900, 149]);
});
