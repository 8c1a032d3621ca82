import { type SeriesTimes, TouchedTimes, wholeSeries } from './touched-times.ts';

const times = (fromMs: number, toMs: number, nodeId = 'a'): SeriesTimes => ({ nodeId, fromMs, toMs });

test.each<[string, SeriesTimes[], SeriesTimes, boolean]>([
  ['nothing was touched', [], times(1, 9), false],
  ['before what was touched', [times(5, 6)], times(1, 4), false],
  ['behind what was touched', [times(5, 6)], times(7, 9), false],
  ['at its first time', [times(5, 6)], times(1, 5), true],
  ['at its last time', [times(5, 6)], times(6, 9), true],
  ['around it', [times(5, 6)], times(1, 9), true],
  ['between two ranges, which count as one', [times(1, 2), times(8, 9)], times(4, 5), true],
  ['of another series', [times(5, 6, 'b')], times(5, 6), false],
  ['of a series touched as a whole', [wholeSeries('a')], times(5, 6), true],
  ['a whole series of which some was touched', [times(5, 6)], wholeSeries('a'), true],
])('times meet what was touched, %s', (_case, touched, asked, expected) => {
  const all = new TouchedTimes();
  for (const time of touched) all.add(time);
  expect(all.meets(asked)).toBe(expected);
});
