// The parts of the kernel that need no engine are held as a person checks them: what a program gives, and what is made of it.
import { runInThisContext } from 'node:vm';
import { KERNEL_PARTS } from '../texts.ts';

const NOW = Date.UTC(2024, 0, 1);
const parts = runInThisContext(KERNEL_PARTS);
const words = parts.words();
const values = parts.values({ words, options: { qualities: { GOOD: 10 } }, clock: () => NOW });
const outcome = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
};

const NO_TIME = (given: string) => `time must be a time, not ${given}`;
const SUCH = ': there is no such time';
const RANGE = ': records are from 1800-01-01 to before 2262-04-11';
test.each([
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2024-02-29T12:30', Date.UTC(2024, 1, 29, 12, 30)],
  ['2024-02-29T12:30:05.0009Z', Date.UTC(2024, 1, 29, 12, 30, 5)],
  ['2024-02-29T24:00', Date.UTC(2024, 2, 1)],
  ['2024-02-29T12:30+05:30', Date.UTC(2024, 1, 29, 7)],
  ['2024-02-29T12:30-0530', Date.UTC(2024, 1, 29, 18)],
  ['2023-02-29', NO_TIME("the text '2023-02-29'") + SUCH],
  ['1900-02-29', NO_TIME("the text '1900-02-29'") + SUCH],
  ['2024-04-31', NO_TIME("the text '2024-04-31'") + SUCH],
  ['2024-01-01T24:00:01', NO_TIME("the text '2024-01-01T24:00:01'") + SUCH],
  ['2024-01-01T12:60', NO_TIME("the text '2024-01-01T12:60'") + SUCH],
  ['0099-01-01', NO_TIME("the text '0099-01-01'") + RANGE],
  ['1 January', NO_TIME("the text '1 January'")],
  [`2024-01-01${' '.repeat(40)}`, NO_TIME(`the text '2024-01-01${' '.repeat(40)}'`)],
  [1.9, 1],
  [new Date(5), 5],
  [new Date(Number.NaN), NO_TIME('a Date') + SUCH],
  [Date.UTC(1800, 0, 1), Date.UTC(1800, 0, 1)],
  [Date.UTC(1800, 0, 1) - 1, NO_TIME('-5364662400001 (1799-12-31T23:59:59.999Z)') + RANGE],
  [Date.UTC(2262, 3, 11) - 1, Date.UTC(2262, 3, 11) - 1],
  [Date.UTC(2262, 3, 11), NO_TIME('9223286400000 (2262-04-11T00:00:00.000Z)') + RANGE],
  [Number.POSITIVE_INFINITY, NO_TIME('Infinity') + RANGE],
  [true, NO_TIME('true')],
  [undefined, NO_TIME('undefined')],
])('the time of a record %j is %j', (given, expected) => {
  expect(outcome(() => values.needRecordTime(given, 'time'))).toBe(expected);
});

test.each([
  ['NUMBER', 1.5, 1.5],
  ['NUMBER', -0, -0],
  ['NUMBER', true, 1],
  ['NUMBER', null, null],
  ['NUMBER', undefined, null],
  ['NUMBER', Number.NaN, 'the value is NaN'],
  ['NUMBER', '1', "the value must be a number, not the text '1'"],
  ['NUMBER', 1n, 'the value must be a number, not a bigint'],
  ['NUMBER', Symbol('x'), 'the value must be a number, not a symbol'],
  ['NUMBER', [1], 'the value must be a number, not an array'],
  ['NUMBER', Object.create(null), 'the value must be a number, not an object'],
  ['TEXT', 'dry', 'dry'],
  ['TEXT', '\u{1f30a}', '\u{1f30a}'],
  ['TEXT', '\ud83c', 'the value has U+0000 or half of a surrogate pair'],
  ['TEXT', 'a\0', 'the value has U+0000 or half of a surrogate pair'],
  ['TEXT', 'a'.repeat(10_001), 'the value has more than 10000 characters'],
  ['TEXT', 1, 'the value must be a text, not 1'],
  ['TIME', '2262-04-11', Date.UTC(2262, 3, 11)],
  [
    'TIME',
    Date.UTC(9999, 0, 1),
    'the value must be a time, not 253370764800000 (9999-01-01T00:00:00.000Z): years are 1800 to 9998',
  ],
])('an output of type %s takes %s as %s', (family, given, expected) => {
  expect(outcome(() => values.outputValue(family, given))).toBe(expected);
});

test.each([
  [undefined, null],
  ['GOOD', 10],
  [0, 0],
  [65_535, 65_535],
  [65_536, 'a quality is a whole number from 0 to 65535 or a name, not 65536'],
  [1.5, 'a quality is a whole number from 0 to 65535 or a name, not 1.5'],
  ['toString', "there is no quality code the text 'toString'"],
])('the quality %s is %s', (given, expected) => {
  expect(outcome(() => values.qualityOf(given))).toBe(expected);
});

const hostile = (name: string) =>
  Object.defineProperty(new Error('said'), name, {
    get: () => {
      throw new Error('from a getter');
    },
  });
test.each([
  ['a text', 'dry', 'dry'],
  ['an empty text', '', 'failed'],
  ['null', null, 'null'],
  ['a symbol', Symbol('x'), 'a symbol'],
  ['an Error', new Error('said'), 'said'],
  ['an Error without a message', new RangeError(''), 'RangeError'],
  ['an Error whose message throws', hostile('message'), 'Error'],
  ['a message that is no text', { message: ['x'] }, 'an object'],
  ['a long message', new Error('x'.repeat(501)), 'x'.repeat(500)],
  ['a function', () => {}, 'a function'],
])('the message of %s is a text', (_, thrown, expected) => {
  const failures = parts.failures({ words });
  expect(failures.message(thrown)).toBe(expected);
});

test('what a program throws that is no Error has the line of its throw, until the next run', () => {
  const failures = parts.failures({ words });
  failures.throwing(7, 'dry');
  expect([failures.lineOf('dry'), failures.lineOf('wet')]).toEqual([7, 0]);
  expect([failures.lineOf({ stack: 'at program:12' }), failures.lineOf(hostile('stack'))]).toEqual([12, 0]);
  failures.last.thrown = undefined;
  expect(failures.lineOf('dry')).toBe(0);
});

test('a run that fails leaves outputs and records as they were', () => {
  const runs = parts.runs({ words, options: { firstOwnLine: 2 } });
  const before = { timeMs: 1, value: 1 };
  const chunk = {
    times: [10, 20],
    columns: [],
    first: 5,
    outputs: [before],
    maxFailures: 9,
    failuresInRow: 0,
    consoleLeft: 1,
  };
  runs.feed(JSON.stringify(chunk));
  expect(runs.begin()).toBe(10);
  runs.emit(0, 10, 2, null);
  runs.emit(0, 10, 3, 7);
  runs.fail('dry', 3);
  runs.now.at += 1;
  expect([runs.begin(), runs.now.outputs]).toEqual([20, [before]]);
  runs.emit(0, 20, 4, null);
  runs.now.failuresInRow = 0;
  runs.now.at += 1;
  expect([runs.isMore(), runs.takesLine(), runs.takesLine()]).toEqual([false, true, false]);
  const records = [6, 0, 20, 4, null];
  const outputs = [[0, { timeMs: 20, value: 4 }]];
  expect(JSON.parse(runs.take())).toEqual({
    records,
    failures: [[5, 'dry', 2]],
    console: [],
    outputs,
    done: 2,
    failuresInRow: 0,
  });
});
