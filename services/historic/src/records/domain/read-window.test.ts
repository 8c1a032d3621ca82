import { MAX_RECORD_MS, MIN_RECORD_MS } from '../../series/domain/store-range.ts';
import type { FetchPlan } from './read-range.ts';
import { type KnownSeries, ReadWindows, SeenRows, seriesAfter } from './read-window.ts';

const NOW = Date.UTC(2025, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const everything = { fromMs: MIN_RECORD_MS, toMs: MAX_RECORD_MS };
const unknown: KnownSeries = { stepMs: undefined, oldestMs: undefined, newestMs: undefined, isPlain: true };

/** Runs the reader's loop over a store that holds these ascending times. */
function readAll(times: readonly number[], plan: FetchPlan, known: KnownSeries | undefined, pageRows: number) {
  const windows = new ReadWindows(plan, known, NOW);
  const ordered = plan.order === 'ascending' ? times : times.toReversed();
  const found: number[] = [];
  const statements: { fromMs: number; toMs: number }[] = [];
  const limit = plan.limit ?? Number.POSITIVE_INFINITY;
  for (let window = windows.next(); window && found.length < limit; window = windows.next()) {
    const { fromMs, toMs } = window;
    statements.push(window);
    const page = ordered.filter((ms) => ms >= fromMs && ms <= toMs).slice(0, pageRows);
    found.push(...page);
    if (page.length < pageRows) windows.read(page.length, pageRows - page.length);
    else windows.restBehind(page.at(-1) ?? 0);
  }
  const seen = new SeenRows();
  seen.add({ rows: found.length, firstMs: found[0] ?? 0, lastMs: found.at(-1) ?? 0, isPlain: true });
  const after = found.length > 0 ? seriesAfter(known, plan, seen, NOW) : known;
  return { found: found.slice(0, limit), statements, known: after };
}

const series = (firstMs: number, count: number, stepMs: number) =>
  Array.from({ length: count }, (_, index) => firstMs + index * stepMs);

test.each([
  [
    'without a limit the whole range is one window',
    { ...everything, order: 'ascending', limit: undefined },
    undefined,
    everything,
  ],
  [
    'a series of unknown end is expected to end now',
    { ...everything, order: 'descending', limit: 100 },
    unknown,
    { fromMs: NOW - 100 * 2 * MINUTE * 1.25, toMs: MAX_RECORD_MS },
  ],
  [
    'a known end begins the window there',
    { ...everything, order: 'descending', limit: 100 },
    { ...unknown, stepMs: DAY, newestMs: NOW - 400 * DAY },
    { fromMs: NOW - 525 * DAY, toMs: MAX_RECORD_MS },
  ],
  [
    'a known beginning ends the window behind it',
    { ...everything, order: 'ascending', limit: 100 },
    { ...unknown, stepMs: DAY, oldestMs: NOW - 400 * DAY },
    { fromMs: MIN_RECORD_MS, toMs: NOW - 275 * DAY },
  ],
  [
    'a start within the series begins the window',
    { fromMs: NOW - DAY, toMs: MAX_RECORD_MS, order: 'ascending', limit: 100 },
    { ...unknown, stepMs: MINUTE, oldestMs: NOW - 400 * DAY },
    { fromMs: NOW - DAY, toMs: NOW - DAY + 125 * MINUTE },
  ],
  [
    'a short range is read as it is',
    { fromMs: NOW - MINUTE, toMs: NOW, order: 'ascending', limit: 100 },
    undefined,
    { fromMs: NOW - MINUTE, toMs: NOW },
  ],
  [
    'no window is shorter than an hour',
    { ...everything, order: 'descending', limit: 1 },
    { ...unknown, stepMs: 20, newestMs: NOW },
    { fromMs: NOW - HOUR, toMs: MAX_RECORD_MS },
  ],
] as const)('%s', (_what, plan, density, expected) => {
  expect(new ReadWindows(plan, density, NOW).next()).toEqual(expected);
});

test('a series that nobody has read is one window', () => {
  const plan = { ...everything, order: 'descending', limit: 100 } as const;
  expect(new ReadWindows(plan, undefined, NOW).next()).toEqual(everything);
});

test('an empty range has no window', () => {
  const plan = { fromMs: 2, toMs: 1, order: 'ascending', limit: 5 } as const;
  expect(new ReadWindows(plan, undefined, NOW).next()).toBeUndefined();
});

test.each([
  ['a record a minute', series(NOW - 365 * DAY, 365 * 24, MINUTE * 60), 1_000],
  ['a record a day', series(NOW - 7_300 * DAY, 7_300, DAY), 1_000],
  ['ended years ago', series(Date.UTC(2000, 0, 1), 5_000, MINUTE), 1_000],
  ['ten records in twenty years', series(Date.UTC(2005, 0, 1), 10, 730 * DAY), 25],
  ['records of the future', series(NOW + 50 * DAY, 5_000, HOUR), 100],
])('%s: the second read of the same kind is one statement', (_what, times, limit) => {
  for (const order of ['ascending', 'descending'] as const) {
    const plan = { ...everything, order, limit };
    const first = readAll(times, plan, undefined, limit + 16);
    expect(first.statements.length).toBeLessThanOrEqual(4);
    const second = readAll(times, plan, first.known, limit + 16);
    expect(second.found).toEqual(first.found);
    // A series of fewer records than wanted is looked for on both sides of them.
    expect(second.statements.length).toBeLessThanOrEqual(times.length < limit ? 4 : 1);
  }
});

test('windows find what one statement over the whole range finds, whatever is believed of the series', () => {
  let state = 20_251_122;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
  const chance = <T>(value: T) => (random(2) ? value : undefined);
  for (let round = 0; round < 2_000; round += 1) {
    const stepMs = [1, 1_000, MINUTE, HOUR, DAY, 90 * DAY][random(6)] ?? 1;
    const beginMs = NOW - random(8_000) * DAY;
    const times = series(beginMs, random(300), stepMs).filter(() => random(4) > 0);
    const fromMs = chance(beginMs + (random(400) - 50) * stepMs) ?? MIN_RECORD_MS;
    const toMs = chance(beginMs + (random(400) - 50) * stepMs) ?? MAX_RECORD_MS;
    const plan: FetchPlan = { fromMs, toMs, order: random(2) ? 'ascending' : 'descending', limit: 1 + random(100) };
    const believed = {
      stepMs: chance(1 + random(DAY)),
      oldestMs: chance(NOW - random(9_000) * DAY),
      newestMs: chance(NOW - random(9_000) * DAY),
      isPlain: true,
    };
    const inRange = times.filter((ms) => ms >= fromMs && ms <= toMs);
    const expected = (plan.order === 'ascending' ? inRange : inRange.toReversed()).slice(0, plan.limit);
    const { found, statements } = readAll(times, plan, chance(believed), (plan.limit ?? 0) + random(3));
    expect(found).toEqual(expected);
    // The read has three windows and the rest, and one more after each that was cut.
    expect(statements.length).toBeLessThanOrEqual(8);
  }
});

test.each([
  [
    'a read without a bound learns the newest record',
    undefined,
    { ...everything, order: 'descending', limit: 3 },
    { rows: 3, firstMs: 900, lastMs: 700, isPlain: true },
    { stepMs: 100, newestMs: 900, oldestMs: undefined, isPlain: true },
  ],
  [
    'a read of an old part learns the step alone',
    { ...unknown, newestMs: NOW },
    { fromMs: 0, toMs: 500, order: 'descending', limit: 3 },
    { rows: 2, firstMs: 450, lastMs: 400, isPlain: true },
    { stepMs: 50, newestMs: NOW, oldestMs: undefined, isPlain: true },
  ],
  [
    'a single record has no step',
    { ...unknown, stepMs: 7 },
    { ...everything, order: 'ascending', limit: 1 },
    { rows: 1, firstMs: 5, lastMs: 5, isPlain: true },
    { stepMs: 7, oldestMs: 5, newestMs: undefined, isPlain: true },
  ],
  [
    'a record that is more than a number is remembered',
    unknown,
    { ...everything, order: 'ascending', limit: 1 },
    { rows: 1, firstMs: 5, lastMs: 5, isPlain: false },
    { ...unknown, oldestMs: 5, isPlain: false },
  ],
  [
    'and stays remembered',
    { ...unknown, isPlain: false },
    { ...everything, order: 'ascending', limit: 1 },
    { rows: 1, firstMs: 5, lastMs: 5, isPlain: true },
    { ...unknown, oldestMs: 5, isPlain: false },
  ],
] as const)('%s', (_what, before, plan, seen, expected) => {
  expect(seriesAfter(before, plan, seen, NOW)).toEqual(expected);
});
