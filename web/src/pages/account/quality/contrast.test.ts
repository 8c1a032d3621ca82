import { hardToSeeOn } from './contrast.ts';

test.each([
  ['#ffff00', ['light']],
  ['#10202a', ['dark']],
  ['#4a84c3', []],
  ['#b04ec1', []],
])('%s is hard to see on %j', (color, schemes) => {
  expect(hardToSeeOn(color).map(({ scheme }) => scheme)).toEqual(schemes);
});

test('a colour that is half typed says nothing yet', () => {
  expect(hardToSeeOn('#12')).toEqual([]);
});
