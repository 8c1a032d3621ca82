import type { DomainError } from '@catchment/errors';
import {
  type Argument,
  argumentReader,
  choice,
  choices,
  decimal,
  flag,
  literal,
  period,
  readArguments,
  relativeTime,
  text,
  time,
  whole,
} from './argument.ts';
import { ALARM_CHOICE, CHART, EVENT_LIST, NODE_LIST, READING_MANY, readZone, WRITING_MANY } from './index.ts';

const NOW = Date.parse('2024-05-15T10:47:23.456Z');
const ABOUT = { about: 'What it is.', example: 'x' };
const reading =
  <T>(argument: Argument<T>) =>
  (given?: string): T =>
    argumentReader({ name: argument }, given === undefined ? {} : { name: given })('name') as T;

test.each([
  ['a text', text(ABOUT), ''],
  ['a text of bounded length', text(ABOUT, { max: 3 }), ''],
  ['a whole number', whole(ABOUT, { min: 1, max: 5, absent: 3 }), 3],
  ['a number', decimal(ABOUT, { min: 1, max: 4, absent: 1 }), 1],
  ['a word', choice(ABOUT, ['LIST', 'TREE'], { absent: 'LIST' }), 'LIST'],
  ['words', choices(ABOUT, ['GOOD', 'BAD']), undefined],
  ['a time', time(ABOUT), undefined],
  ['a relative time', relativeTime(ABOUT), undefined],
  ['an interval', period(ABOUT), undefined],
] as [string, Argument<unknown>, unknown][])('%s that is empty counts as absent', (_what, argument, absent) => {
  expect([reading(argument)(''), reading(argument)()]).toEqual([absent, absent]);
});

test('a literal may be empty', () => {
  const read = reading(literal(ABOUT, { absent: ':', max: 2 }));
  expect([read(''), read(), read('ab')]).toEqual(['', ':', 'ab']);
  expect(() => read('abc')).toThrow('name: must be at most 2 characters');
  expect(() => reading(literal(ABOUT, { absent: ',', min: 1, max: 5 }))('')).toThrow('name: must be 1 to 5 characters');
});

test('lengths are counted in characters', () => {
  const read = reading(text(ABOUT, { max: 3 }));
  expect(read('𝔘𝔘𝔘')).toBe('𝔘𝔘𝔘');
  expect(() => read('𝔘𝔘𝔘𝔘')).toThrow('name: must be at most 3 characters');
});

test('names of Object.prototype are no arguments', () => {
  expect(argumentReader({ constructor: text(ABOUT) }, {})('constructor')).toBe('');
});

test.each([
  ['TRUE', true],
  ['false', false],
  ['True', true],
  [undefined, false],
])('the flag %p is %p', (given, expected) => {
  expect(reading(flag(ABOUT, false))(given)).toBe(expected);
});

test.each(['1', '0', '', 'yes', ' TRUE'])('the flag %j is refused', (given) => {
  expect(() => reading(flag(ABOUT, true))(given)).toThrow('name: must be TRUE or FALSE');
});

test.each([
  ['5', 5],
  ['+5', 5],
  ['-0', 0],
  ['0005', 5],
  ['10', 10],
])('the whole number %s', (given, expected) => {
  expect(reading(whole(ABOUT, { min: 0, max: 10 }))(given)).toBe(expected);
});

test.each(['11', '-1', '1.0', '1e1', 'a', ' 1', '0x1', 'NaN', '99999999999999999999'])(
  'the whole number %j is refused',
  (given) => {
    expect(() => reading(whole(ABOUT, { min: 0, max: 10 }))(given)).toThrow(
      'name: must be a whole number from 0 to 10',
    );
  },
);

test.each(['0.5', '5', 'NaN', '1e0', '-1'])('the number %j is refused', (given) => {
  expect(() => reading(decimal(ABOUT, { min: 1, max: 4, absent: 1 }))(given)).toThrow(
    'name: must be a number from 1 to 4',
  );
});

test('words are taken in any letter case, and by their synonyms', () => {
  const word = reading(choice(ABOUT, ['MIN', 'MAX'], { synonyms: { MINIMUM: 'MIN' } }));
  expect([word('max'), word('Minimum'), word()]).toEqual(['MAX', 'MIN', undefined]);
  expect(() => word('mean')).toThrow('name: must be one of MIN, MAX');
  const list = reading(choices(ABOUT, ['GOOD', 'BAD', 'UNCERTAIN']));
  expect(list('bad, Uncertain')).toEqual(['BAD', 'UNCERTAIN']);
  expect(() => list('BAD,,GOOD')).toThrow('name: must be one or more of GOOD, BAD, UNCERTAIN');
  expect(reading(ALARM_CHOICE.alarmTypes)('STATEALARM')).toEqual(['stateAlarm']);
});

test('times, intervals and zones', () => {
  const given = { startTime: '2024-01-01T00:00:00 0200', endTime: 'NOW-1D', interval: '1H30M', baseTime: 'D 9H' };
  const read = argumentReader(CHART, given);
  expect(read('startTime')).toEqual({ kind: 'instant', instantMs: Date.parse('2023-12-31T22:00:00Z') });
  expect(read('endTime')).toMatchObject({ kind: 'relative' });
  expect(read('interval')).toMatchObject({ H: 1, M: 30 });
  expect(read('baseTime')).toMatchObject({ base: 'D', offsets: [{ amount: 9, unit: 'H' }] });
  const timezone = 'australia/sydney';
  expect(readZone({ timezone, timezoneAdjustForDst: 'TRUE' }, NOW).name).toBe('Australia/Sydney');
  expect(readZone({}, NOW).isUtc).toBe(true);
  expect(readZone({ timezone }, Date.parse('2024-01-01T00:00:00Z')).name).toBe('+10:00');
  expect(() => readZone({ timezone: 'Mars' }, NOW)).toThrow(/^timezone/);
  expect(() => argumentReader(CHART, { startTime: 'x' })('startTime')).toThrow(/^startTime/);
  expect(() => argumentReader(CHART, { interval: '0D' })('interval')).toThrow(/^interval/);
});

test('what is not asked for is not looked at', () => {
  expect(argumentReader(CHART, { interval: 'x', width: '200' })('width')).toBe(200);
  expect(() => readArguments(CHART, { interval: 'x' })).toThrow(/^interval/);
});

const TABLES = { ALARM_CHOICE, CHART, EVENT_LIST, NODE_LIST, READING_MANY, WRITING_MANY };
const DOCUMENTED = Object.entries(TABLES).flatMap(([table, entries]) =>
  Object.entries<Argument<unknown>>(entries).map(([name, argument]) => ({ name, table, argument })),
);

test.each(DOCUMENTED)('$name of $table reads what its schema documents', ({ name, argument: { schema, read } }) => {
  const { enum: words = [], examples = [], minimum, maximum, default: absent } = schema as Documented;
  const good = [...words, ...examples, minimum, maximum, absent].filter((request) => request !== undefined);
  const readOne = (given: unknown) => read(given === undefined ? undefined : String(given), name, readZone({}, NOW));
  for (const value of good) expect(() => readOne(value)).not.toThrow();
  if (minimum !== undefined && maximum !== undefined)
    for (const bad of [minimum - 1, maximum + 1]) expect(() => readOne(bad)).toThrow(refusalOf(name));
  if (words.length > 0) expect(() => readOne('SOMETHING ELSE')).toThrow(refusalOf(name));
});

type Documented = {
  readonly enum?: readonly string[];
  readonly examples?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
};
const refusalOf = (name: string) =>
  expect.objectContaining<Partial<DomainError>>({
    kind: 'invalid_argument',
    message: expect.stringMatching(`^${name}: must be `),
  });
