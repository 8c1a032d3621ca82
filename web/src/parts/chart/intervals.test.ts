import { intervalFor } from './intervals.ts';

const DAY = 86_400_000;
test.each([
  [1, '2M', 'D'],
  [7, '10M', 'D'],
  [31, '1H', 'D'],
  [92, '2H', 'D'],
  [365, '12H', 'D'],
  [365 * 10, '1W', 'W'],
  [365 * 50, '1MO', 'MO'],
  [365 * 2_000, '1Y', 'Y'],
])('%d days are put together by %s from %s', (days, interval, baseTime) => {
  expect(intervalFor(days * DAY, 1_200)).toEqual({ interval, baseTime });
});
