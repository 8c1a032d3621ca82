import { type ChartData, isGap, type SeriesView } from '@catchment/dashboard-view';
import { seededRandom } from '@catchment/testkit';
import { seedOf } from '@catchment/testkit/amount';
import uPlot from 'uplot';
import { aligned, extentOf, linesOf, readingAt, scalesOf, summaryOf } from './chart-data.ts';

const SEED = seedOf('GAPS_SEED');
const LINE: SeriesView = { name: '', units: 'm', color: '#000000', type: 'LINE', fill: false, decimals: 0 };

test('series of different instants keep their gaps, and only those', () => {
  const data = {
    start: 0,
    end: 5,
    series: [
      { times: [1, 3, 5], values: [10, null, 30], gapMs: null },
      { times: [2, 3, 4], values: [1, 2, 3], gapMs: null },
    ],
  };
  const [times, first, other] = aligned(linesOf(data, [LINE, LINE]));
  expect(times).toEqual([1, 2, 3, 4, 5]);
  // 10 and 30 are apart; 1, 2, 3 are a line although the first series has other instants.
  expect([first![0], first![2], first![4]]).toEqual([10, null, 30]);
  expect([other![1], other![2], other![3]]).toEqual([1, 2, 3]);
  expect(other![0]).toBeUndefined();
  expect(aligned([])).toEqual([[]]);
});

test(`lines are put together as the plot's own library does it (GAPS_SEED=${SEED})`, () => {
  const random = seededRandom(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let n = 0; n < 300; n += 1) {
    const lines = Array.from({ length: 1 + below(4) }, () => {
      const times = Array.from({ length: below(12) }, () => below(15)).sort((a, b) => a - b);
      return [...new Set(times)].map((t) => ({ t, v: random() < 0.3 ? Number.NaN : t * 2 }));
    });
    const tables = lines.map((line) => [line.map(({ t }) => t), line.map(({ v }) => (Number.isNaN(v) ? null : v))]);
    const expected = uPlot.join(
      tables as unknown as uPlot.AlignedData[],
      tables.map(() => [2, 2]),
    );
    // Places at the end are undefined where the library leaves them out.
    const whole = (columns: uPlot.AlignedData) => columns.map((column) => Array.from(columns[0], (_, i) => column[i]));
    expect([n, whole(aligned(lines))]).toEqual([n, whole(expected)]);
  }
});

test.each([
  ['with gaps at its ends', [null, 2, -1, null], { minimum: -1, maximum: 2, last: -1, lastMs: 30 }],
  ['of one value', [7], { minimum: 7, maximum: 7, last: 7, lastMs: 10 }],
  ['of gaps', [null, null], undefined],
  ['that is empty', [], undefined],
  ['with neighbours of its range', [2, 3, 4, 5, 99], { minimum: 2, maximum: 5, last: 5, lastMs: 40 }],
])('the summary of a series %s', (_what, values, expected) => {
  const line = { times: values.map((_, i) => (i + 1) * 10), values, gapMs: null };
  expect(summaryOf(line, { start: 10, end: 40 })).toEqual(expected);
});

test.each([
  ['before the first', 5, { ms: 10, value: 1 }],
  ['at a record', 10, { ms: 10, value: 1 }],
  ['nearer to the one before', 14, { ms: 10, value: 1 }],
  ['nearer to the one after, over a record without value', 22, { ms: 30, value: 3 }],
  ['in an outage', 100, undefined],
  ['beside an outage', 42, { ms: 30, value: 3 }],
  ['at the last one inside, where the nearest is outside', 195, { ms: 190, value: 9 }],
])('the record that is read %s', (_what, ms, expected) => {
  const line = { times: [10, 20, 30, 190, 200], values: [1, null, 3, 9, 10], gapMs: 30 };
  expect(readingAt(line, ms, { start: 0, end: 195 }, 2)).toEqual(expected);
});

test(`the line of a page crosses no outage and shows no extreme from outside of the window (GAPS_SEED=${SEED})`, () => {
  const random = seededRandom(SEED);
  for (let n = 0; n < 500; n += 1) {
    const interval = 1 + random() * 9;
    const all = [...steps(random, interval)];
    const [start, end] = [100 + random() * 100, 250 + random() * 200];
    const first = all.findLastIndex(([t]) => t < start);
    const last = all.findIndex(([t]) => t > end);
    const shown = all.slice(Math.max(first, 0), last < 0 ? undefined : last + 1);
    const gapMs = 3 * interval;
    const data: ChartData = {
      start,
      end,
      series: [{ times: shown.map(([t]) => t), values: shown.map(([, v]) => v), gapMs }],
    };
    const lines = linesOf(data, [LINE]);
    const [times, values] = aligned(lines);
    let before: number | undefined;
    for (const [i, t] of times.entries()) {
      const isBroken = values![i] === null;
      if (!isBroken && before !== undefined) expect([n, isGap(before, t, gapMs)]).toEqual([n, false]);
      before = isBroken ? undefined : t;
    }
    const inside = shown.filter(([t]) => t >= start && t <= end).map(([, v]) => v);
    const window = { start, end };
    if (inside.length > 0) {
      const extremes = [Math.min(...inside), Math.max(...inside)];
      expect(extentOf(lines, [LINE], window)).toEqual(extremes);
      const { minimum, maximum } = summaryOf(data.series[0]!, window)!;
      expect([minimum, maximum]).toEqual(extremes);
    } else expect(summaryOf(data.series[0]!, window)).toBeUndefined();
  }
});

function* steps(random: () => number, interval: number): Generator<[number, number]> {
  for (let t = random() * 80; t < 600; t += interval * (random() < 0.1 ? 1 + random() * 60 : 0.5 + random()))
    yield [t, random() < 0.1 ? random() * 1e6 : random()];
}

test('series of the same units share a scale', () => {
  const style = { name: '', color: '#000000', type: 'LINE', fill: false, decimals: 0 } as const;
  expect(
    scalesOf([
      { ...style, units: 'm' },
      { ...style, units: '°C' },
      { ...style, units: 'm' },
    ]),
  ).toEqual(['m', '°C']);
});
