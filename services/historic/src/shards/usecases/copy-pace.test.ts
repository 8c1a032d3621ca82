import { CopyPace } from './copy-pace.ts';

const MOST = { ofEach: 20_000, inAll: 300_000 };

/** Tries `copies` copies of an InfluxDB that takes so many records in a second, each from 20 series. @returns how many of them ended */
function ended(rowsPerSecond: number, copies: number): boolean[] {
  const pace = new CopyPace();
  return Array.from({ length: copies }, () => {
    const ms = (pace.of(MOST).ofEach * 20 * 1_000) / rowsPerSecond;
    const isInTime = ms < 15_000;
    if (isInTime) pace.took(ms, true);
    else pace.cutOff();
    return isInTime;
  });
}

test.each([
  [200_000, 0],
  [27_000, 0],
  [20_000, 1],
  [2_000, 2],
  [200, 4],
])('of an InfluxDB that takes %i records in a second, no copy is in vain but the first %i', (rowsPerSecond, lost) => {
  expect(ended(rowsPerSecond, 20)).toEqual(Array.from({ length: 20 }, (_, n) => n >= lost));
});

test('one that is quick again is asked for all of it again, and never for nothing', () => {
  const pace = new CopyPace();
  for (let n = 0; n < 20; n += 1) pace.cutOff();
  expect(pace.of({ ofEach: 10, inAll: 10 })).toEqual({ ofEach: 1, inAll: 1 });
  for (let n = 0; n < 20; n += 1) pace.took(100, true);
  expect(pace.of(MOST)).toEqual(MOST);
  pace.took(3_000, true);
  expect(pace.of(MOST)).toEqual(MOST);
  pace.took(6_000, true);
  expect(pace.of(MOST)).toEqual({ ofEach: 10_000, inAll: 150_000 });
  pace.took(100, false);
  expect(pace.of(MOST)).toEqual({ ofEach: 10_000, inAll: 150_000 });
});
