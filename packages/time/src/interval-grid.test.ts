import { readFileSync } from 'node:fs';
import {
  effectiveZone,
  formatIsoMs,
  gridAt,
  type Interval,
  type IntervalLayout,
  intervalAt,
  lastingIntervals,
  parseOpc,
  parsePeriod,
} from './index.ts';

/** Made by test/intervals.py; `npm run test:calendar -w packages/time` makes it again, and a larger one. */
const table = process.env.CALENDAR_TABLE ?? new URL('../test/intervals.csv', import.meta.url);
const NOW = Date.parse('2024-05-15T10:47:23.456Z');
const MINUTE = 60_000;

const rows = readFileSync(table, 'utf8').trim().split('\n').slice(1);
const cases = rows.map((row) => row.split(',') as [string, string, string, string, string, string, string, string]);

function layoutOf(zone: string, base: string, interval: string): IntervalLayout {
  const [expression, period] = [parseOpc(base), parsePeriod(interval)];
  if (!expression || !period) throw new Error(`no base or interval: ${base}, ${interval}`);
  return { base: expression, period, zone: effectiveZone(zone, true, NOW) };
}

/** The bounds of all intervals that meet a range. */
function boundsOf(at: (ms: number) => Interval, startMs: number, endMs: number): number[] {
  let interval = at(startMs);
  const bounds = [interval.startMs, interval.endMs];
  while (interval.endMs < endMs) {
    interval = at(interval.endMs);
    bounds.push(interval.endMs);
  }
  return bounds;
}

const shown = (bounds: readonly number[]) => bounds.map((ms) => formatIsoMs(ms));

test.each([...Map.groupBy(cases, ([kind, zone]) => `${zone}: ${kind === 'range' ? 'reads' : 'programs'}`)])(
  'intervals in %s are those of an independent calendar',
  (_, ofZone) => {
    for (const [kind, zone, base, interval, start, end, first, steps] of ofZone) {
      const [startMs, endMs, firstMs] = [start, end, first].map((text) => Date.parse(text)) as [number, number, number];
      const expected = [firstMs];
      for (const minutes of steps.split(' ')) expected.push((expected.at(-1) ?? 0) + Number(minutes) * MINUTE);
      const layout = layoutOf(zone, base, interval);
      const grid = gridAt(layout, startMs);
      const at = kind === 'range' ? (ms: number) => intervalAt(grid, ms) : lastingIntervals(layout).at;
      const got = boundsOf(at, startMs, endMs);
      const which = [kind, base, interval, start, end].join(' ');
      expect([which, ...shown(got)]).toEqual([which, ...shown(expected)]);
    }
  },
);

test('the table has more than forty zones', () => {
  expect(new Set(cases.map(([, zone]) => zone)).size).toBeGreaterThan(40);
});

test.each([
  ['Asia/Beirut', '2024-03-31'], // begins at 01:00
  ['America/Sao_Paulo', '2018-11-04'], // begins at 01:00
  ['America/Havana', '2024-11-03'], // has midnight twice
  ['America/St_Johns', '2010-11-07'], // is left for an hour after its first minute
  ['Australia/Lord_Howe', '2024-04-07'], // half an hour longer
  ['Antarctica/Troll', '2024-03-31'], // two hours shorter
  ['Europe/Berlin', '2024-03-31'],
  ['Europe/Berlin', '2024-10-27'],
])('in %s the grid is the same from every moment of %s on', (zone, day) => {
  const [from, to] = [-0.5, 1.5].map((days) => Date.parse(`${day}T00:00Z`) + days * 1440 * MINUTE) as [number, number];
  const { zone: layoutZone } = layoutOf(zone, 'D', '1D');
  const noon = layoutZone.instantMsOf(Date.parse(`${day}T12:00Z`));
  for (const [base, interval] of [
    ['D', '1D'],
    ['D+9H', '1D'],
    ['D+30M', '1D'],
    ['D+2H30M', '1D'],
    ['D-15H', '1D'],
    ['D', '6H'],
    ['D+2H30M', '1H'],
    ['W+1D+7H', '1W'],
    ['MO-1D+9H', '1MO'],
  ] as const) {
    const layout = layoutOf(zone, base, interval);
    const expected = intervalAt(gridAt(layout, noon), noon);
    for (let ms = from; ms < to; ms += 10 * MINUTE) {
      const isOfDay = new Date(layoutZone.localMsAt(ms)).toISOString().startsWith(day);
      if (isOfDay) expect([base, ms, intervalAt(gridAt(layout, ms), noon)]).toEqual([base, ms, expected]);
    }
  }
});

test.each(['D', 'D+9H', 'W', 'MO+9H'])(
  'intervals of programs with base %s are those of a read, but on days of a change',
  (base) => {
    for (const interval of ['15M', '1H', '6H', '12H', '24H']) {
      const layout = layoutOf('Europe/Berlin', base, interval);
      for (let ms = Date.parse('2024-07-01T00:07Z'); ms < Date.parse('2024-07-03T00:00Z'); ms += 47 * MINUTE)
        expect(lastingIntervals(layout).at(ms)).toEqual(intervalAt(gridAt(layout, ms), ms));
    }
  },
);
