import { effectiveZone } from '@catchment/time';
import { FileTimes, instantsOf } from './file-times.ts';
import { type TimedRow, tableClock } from './repeated-hour.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const NEW_YORK = effectiveZone('America/New_York', true, NOW_MS);
const local = (text: string) => ({ localMs: Date.parse(`2024-11-03T${text}Z`) });

/** `01:30` is a row of series 0, `01:30 2` of series 2, `01:30 0+1` of both, `01:30 @b` of logger b, `01:30 -` of no series,
 * `01:30 0+1 blank` of one of both that has no value. */
function rowOf(text: string): TimedRow {
  const [time = '', ...rest] = text.split(' ');
  const logger = rest.find((part) => part.startsWith('@'));
  const series = rest.find((part) => /^[\d+-]+$/.test(part)) ?? '0';
  return {
    time: time.endsWith('Z') ? { instantMs: Date.parse(`2024-11-03T${time}`) } : local(time),
    series: series === '-' ? [] : series.split('+').map(Number),
    ...(logger && { logger }),
    ...(rest.includes('blank') && { isBlank: true }),
  };
}
const read = (rows: readonly TimedRow[], zone = NEW_YORK) =>
  instantsOf(rows, zone).map((ms) =>
    new Date(ms)
      .toISOString()
      .slice(11)
      .replace(/:00\.000Z$/, ''),
  );
const inUtc = (rows: string, zone = NEW_YORK) => read(rows.split(/,\s*/).map(rowOf), zone).join(', ');

// New York has 2024-11-03 01:00-02:00 twice: 05:00-06:00 UTC first, then 06:00-07:00.
test.each([
  [
    'a time that goes back begins the later pass',
    '00:30, 01:00, 01:30, 01:00, 01:30, 02:00',
    '04:30, 05:00, 05:30, 06:00, 06:30, 07:00',
  ],
  [
    'an equal time never begins it: a doubled line',
    '00:30, 01:00, 01:00, 01:30, 01:30, 02:00',
    '04:30, 05:00, 05:00, 05:30, 05:30, 07:00',
  ],
  [
    'doubled lines in both passes',
    '01:00, 01:00, 01:30, 01:00, 01:00, 01:30',
    '05:00, 05:00, 05:30, 06:00, 06:00, 06:30',
  ],
  [
    'rows of several series at one time',
    '01:00 0, 01:00 1, 01:30 0, 01:30 1, 01:00 0, 01:00 1',
    '05:00, 05:00, 05:30, 05:30, 06:00, 06:00',
  ],
  [
    'series one after the other',
    '01:00 0, 01:30 0, 01:00 0, 01:30 0, 01:00 1, 01:30 1, 01:00 1',
    '05:00, 05:30, 06:00, 06:30, 05:00, 05:30, 06:00',
  ],
  [
    'two loggers, of which one lags',
    '01:30 @a, 01:00 @b, 01:45 @a, 01:15 @b, 01:00 @a, 01:30 @b',
    '05:30, 05:00, 05:45, 05:15, 06:00, 05:30',
  ],
  [
    'two series, of which one lags',
    '01:30 0, 01:00 1, 01:45 0, 01:15 1, 01:00 0, 01:30 1',
    '05:30, 05:00, 05:45, 05:15, 06:00, 05:30',
  ],
  [
    'days of two loggers that are not named',
    '00:00, 01:30, 01:00, 12:00, 00:00, 01:30, 01:00',
    '04:00, 05:30, 06:00, 17:00, 04:00, 05:30, 06:00',
  ],
  [
    'a series with few values follows the rows that it is in',
    '01:00 0+1, 01:30 0, 01:00 0+1, 01:30 0+1',
    '05:00, 05:30, 06:00, 06:30',
  ],
  [
    'rows without values count too, where they say of which series',
    '01:00, 01:45, 01:00 0, 01:45',
    '05:00, 05:45, 06:00, 06:45',
  ],
  ['a file that begins inside the hour begins with the earlier instant', '01:30, 01:45, 02:00', '05:30, 05:45, 07:00'],
  ['a file that begins and goes back inside', '01:45, 01:00, 01:15, 01:30', '05:45, 06:00, 06:15, 06:30'],
  ['a file that ends inside the hour', '00:30, 01:15, 01:30', '04:30, 05:15, 05:30'],
  ['a file that ends in the later pass', '00:30, 01:15, 01:30, 01:10', '04:30, 05:15, 05:30, 06:10'],
  ['a file of two rows inside the hour', '01:30, 01:00', '05:30, 06:00'],
  ['irregular times', '00:59, 01:02, 01:58, 01:01, 01:59, 02:03', '04:59, 05:02, 05:58, 06:01, 06:59, 07:03'],
  ['a clock set back at the end of the hour', '00:30, 02:00, 01:15, 01:45, 02:00', '04:30, 07:00, 06:15, 06:45, 07:00'],
  [
    'a clock set back a second time stays in the later pass',
    '00:30, 01:30, 01:00, 01:45, 01:30',
    '04:30, 05:30, 06:00, 06:45, 06:30',
  ],
  ['a clock set back outside of the hour', '03:00, 02:30, 02:45', '08:00, 07:30, 07:45'],
  [
    'times with an offset of their own say where the file is',
    '05:45Z, 01:50, 06:10Z, 01:15',
    '05:45, 05:50, 06:10, 06:15',
  ],
  [
    'newest first: a time that goes forward begins the earlier pass',
    '02:00, 01:30, 01:00, 01:30, 01:00, 00:30',
    '07:00, 06:30, 06:00, 05:30, 05:00, 04:30',
  ],
  [
    'newest first: doubled lines',
    '02:00, 01:30, 01:30, 01:00, 01:30, 01:30, 00:30',
    '07:00, 06:30, 06:30, 06:00, 05:30, 05:30, 04:30',
  ],
  [
    'newest first: times that occur once are the earlier ones',
    '02:00, 01:30, 01:00, 00:30',
    '07:00, 05:30, 05:00, 04:30',
  ],
  ['newest first, begins inside the hour', '01:30, 01:00, 00:30', '05:30, 05:00, 04:30'],
  [
    'newest first, begins inside the later pass',
    '01:10, 01:00, 01:40, 01:20, 00:30',
    '06:10, 06:00, 05:40, 05:20, 04:30',
  ],
  ['newest first, ends inside the hour', '03:00, 02:00, 01:30, 01:00, 01:30', '08:00, 07:00, 06:30, 06:00, 05:30'],
  [
    'newest first: two series',
    '01:30 0, 01:30 1, 01:00 0, 01:00 1, 01:30 0, 01:30 1, 00:30 0',
    '06:30, 06:30, 06:00, 06:00, 05:30, 05:30, 04:30',
  ],
  [
    'newest first: series one after the other',
    '02:00 0, 01:30 0, 01:45 0, 00:30 0, 02:00 1, 01:30 1, 01:45 1, 00:30 1',
    '07:00, 06:30, 05:45, 04:30, 07:00, 06:30, 05:45, 04:30',
  ],
])('%s', (_what, rows, expected) => {
  expect(inUtc(rows)).toBe(expected);
});

test.each([
  [
    'seconds and fractions',
    'America/New_York',
    ['01:59:59.500', '01:00:00.000', '01:00:00.500'],
    ['05:59:59.500Z', '06', '06:00:00.500Z'],
  ],
  [
    'half an hour at Lord Howe',
    'Australia/Lord_Howe',
    ['01:30:00', '01:45:00', '01:30:00', '01:45:00', '02:00:00'],
    ['14:30', '14:45', '15', '15:15', '15:30'],
  ],
])('%s', (_what, name, times, expected) => {
  const day = name.startsWith('Aus') ? '2024-04-07' : '2024-11-03';
  const zone = effectiveZone(name, true, NOW_MS);
  const rows = times.map((time): TimedRow => ({ time: { localMs: Date.parse(`${day}T${time}Z`) }, series: [0] }));
  const short = (text: string) => text.replace(/:00$/, '');
  expect(read(rows, zone).map(short)).toEqual(expected);
});

const HOUR = ['01:00', '01:15', '01:30', '01:45'];
/** Each series has these, the oldest first: 04:30 to 07:15 UTC. */
const TIMES = ['00:30', '00:45', ...HOUR, ...HOUR, '02:00', '02:15'];
const oldest = (series: string) => TIMES.map((time) => `${time} ${series}`);
const newest = (series: string) => oldest(series).reverse();
/** Rows take turns, `ahead` rows of the first before the second begins. */
const interleaved = (first: readonly string[], second: readonly string[], ahead = 0) =>
  Array.from({ length: first.length + ahead }, (_, n) => [first[n], second[n - ahead]]).flatMap((pair) =>
    pair.filter((row) => row !== undefined),
  );

test.each([
  ['an oldest-first series, then a newest-first one', [...oldest('0'), ...newest('1')]],
  ['a newest-first series, then an oldest-first one', [...newest('0'), ...oldest('1')]],
  ['an oldest-first logger, then a newest-first one', [...oldest('0 @a'), ...newest('0 @b')]],
  ['a newest-first logger between two others', [...oldest('0 @a'), ...newest('0 @b'), ...oldest('0 @c')]],
  ['columns that share no row', [...oldest('0+1'), ...newest('2+3')]],
  ['in turns', interleaved(oldest('0'), newest('1'))],
  ['in turns, the newest first one first', interleaved(newest('0'), oldest('1'))],
  ['in turns, a row ahead', interleaved(newest('0'), newest('1'), 1)],
  ['in turns, three rows ahead', interleaved(newest('0'), newest('1'), 3)],
  ['in turns, in both ways, three rows ahead', interleaved(oldest('0'), newest('1'), 3)],
  ['a series that begins inside the hour', [...oldest('0'), ...newest('1').slice(3)]],
  ['a series that begins inside the later pass', [...oldest('0'), ...newest('1').slice(4)]],
  ['a series that ends inside the hour', [...oldest('0'), ...newest('1').slice(0, -3), ...oldest('2')]],
  ['a series with no row outside of the hour', [...oldest('0'), ...newest('1').slice(2, -2)]],
  ['doubled lines', [...oldest('0'), ...newest('1')].flatMap((row) => [row, row])],
  ['a row without values between them', [...oldest('0'), '02:30 0+1 blank', ...newest('1')]],
  [
    'rows without values within both',
    [...oldest('0'), ...newest('1')].flatMap((row) => [row, `${row.slice(0, 5)} 0+1 blank`]),
  ],
  ['a line without values before all', ['00:15 0+1 blank', ...oldest('0'), ...newest('1')]],
])('each series and logger goes its own way: %s', (_what, rows) => {
  const valued = (row: string) => !row.endsWith('blank');
  const settled = read(rows.map(rowOf)).map((timeMs, n) => ({ timeMs, row: rows[n] ?? '' }));
  const keys = new Set(rows.filter(valued).map((row) => row.slice(6)));
  for (const key of keys) {
    const alone = rows.filter((row) => row.slice(6) === key);
    const found = settled.filter(({ row }) => row.slice(6) === key).map(({ timeMs }) => timeMs);
    expect({ key, found }).toEqual({ key, found: read(alone.map(rowOf)) });
  }
});

test('the same rows give the same instants, whichever of them comes first', () => {
  for (const stepMinutes of [1, 7, 10, 15, 30]) {
    const instants = Array.from(
      { length: 400 / stepMinutes },
      (_, n) => Date.parse('2024-11-03T04:00Z') + n * stepMinutes * 60_000,
    );
    const rows = instants.map((ms): TimedRow => ({ time: { localMs: NEW_YORK.localMsAt(ms) }, series: [0] }));
    expect(instantsOf(rows, NEW_YORK)).toEqual(instants);
    expect(instantsOf(rows.toReversed(), NEW_YORK)).toEqual(instants.toReversed());
  }
});

test('newest first, with more rows in the hour than are held', () => {
  const first = Date.parse('2024-11-03T04:59Z');
  const instants = Array.from({ length: 125_000 }, (_, n) => first + n * 60);
  const rows = instants.map((ms): TimedRow => ({ time: { localMs: NEW_YORK.localMsAt(ms) }, series: [0] })).reverse();
  expect(instantsOf(rows, NEW_YORK)).toEqual(instants.toReversed());
});

test('rows leave in the order in which they came, and at once where nothing is to be decided', () => {
  const times = new FileTimes(NEW_YORK);
  expect(['00:00', '00:30', '01:00', '01:30'].map((text) => times.take(rowOf(text)).length)).toEqual([1, 1, 1, 1]);
  const reversed = new FileTimes(NEW_YORK);
  expect(['05:00', '02:00', '01:30', '01:00', '00:30'].map((text) => reversed.take(rowOf(text)).length)).toEqual([
    1, 1, 0, 0, 0,
  ]);
  expect(reversed.end().map(({ row }) => row.time)).toEqual(['01:30', '01:00', '00:30'].map(local));
});

test('records of a numbered table are no copies: an equal time is the later pass', () => {
  const clock = tableClock(NEW_YORK);
  const instants = ['00:00', '01:00', '01:00', '02:00'].map((text) => clock.instantMsOf(local(text)));
  expect(instants.map((ms) => new Date(ms).toISOString().slice(11, 16))).toEqual(['04:00', '05:00', '06:00', '07:00']);
});

test('without daylight saving time the standard offset is fixed, and a skipped time moves forward by the gap', () => {
  expect(inUtc('01:00, 01:30, 01:00', effectiveZone('America/New_York', false, NOW_MS))).toBe('06:00, 06:30, 06:00');
  const skipped = ['01:30', '02:30', '03:45'].map((text) => ({
    time: { localMs: Date.parse(`2013-03-10T${text}Z`) },
    series: [0],
  }));
  expect(read(skipped)).toEqual(['06:30', '07:30', '07:45']);
});
