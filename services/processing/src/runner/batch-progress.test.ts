import { BatchProgress, type Runs } from './batch-progress.ts';
import type { Part } from './messages.ts';

const batch = (more: Partial<Runs> = {}): Runs => ({
  times: [1, 2, 3],
  columns: [],
  outputs: [null, null],
  limitMs: 200,
  keepsConsole: true,
  maxFailures: 100,
  failuresBefore: 0,
  ...more,
});
const part = (more: Partial<Record<keyof Part, unknown>> = {}): string =>
  JSON.stringify({ done: 2, records: [], failures: [], failuresInRow: 0, outputs: [], console: [], ...more });

test('parts add up to a result', () => {
  const progress = new BatchProgress(batch());
  progress.nextChunk();
  progress.take(part({ records: [0, 0, 5, 1.5, null, 1, 1, 6, null, 155], console: [[0, 'x', 3]] }));
  progress.nextChunk();
  progress.take(
    part({ done: 1, failures: [[2, 'dry', 7]], failuresInRow: 1, outputs: [[0, { timeMs: 5, value: 1.5 }]] }),
  );
  expect(progress.isFinished).toBe(true);
  expect(progress.result(4)).toEqual({
    runs: 3,
    failed: 1,
    failuresAfter: 1,
    elapsedMs: 4,
    records: [
      { run: 0, output: 0, timeMs: 5, value: 1.5 },
      { run: 1, output: 1, timeMs: 6, quality: 155 },
    ],
    failures: [{ run: 2, message: 'dry', line: 7 }],
    outputs: [{ timeMs: 5, value: 1.5 }, null],
    console: [{ run: 0, text: 'x', line: 3 }],
  });
});

test.each([
  ['no JSON', 'x'],
  ['nothing', 'null'],
  ['more runs than there are', part({ done: 4 })],
  ['a record of a run that is not done', part({ records: [2, 0, 5, 1, null] })],
  ['a record of another output', part({ records: [0, 2, 5, 1, null] })],
  ['half a record', part({ records: [0, 0, 5] })],
  ['a time that is none', part({ records: [0, 0, 1.5, 1, null] })],
  ['a value that is none', part({ records: [0, 0, 5, {}, null] })],
  ['a text that is too long', part({ records: [0, 0, 5, 'x'.repeat(10_001), null] })],
  ['a text that nothing can keep', part({ records: [0, 0, 5, 'a\0', null] })],
  ['a state that nothing can keep', part({ outputs: [[0, { timeMs: 1, value: '\ud800' }]] })],
  ['a quality that is none', part({ records: [0, 0, 5, 1, 65_536] })],
  ['a message that is too long', part({ failures: [[0, 'x'.repeat(601), 0]] })],
  ['a line that is none', part({ failures: [[0, 'x', -1]] })],
  ['a state of another output', part({ outputs: [[2, null]] })],
  ['a state that is none', part({ outputs: [[0, { timeMs: 'x', value: 1 }]] })],
  ['a line of console that is too long', part({ console: [[0, 'x'.repeat(1_001), 0]] })],
  ['a place in the console that is none', part({ console: [[0, 'x', -1]] })],
  ['a count that is none', part({ failuresInRow: -1 })],
])('what a runner cannot know is refused: %s', (_what, text) => {
  const progress = new BatchProgress(batch());
  progress.nextChunk();
  expect(() => progress.take(text)).toThrow();
});

test('what a program says is kept without what nothing can keep', () => {
  const progress = new BatchProgress(batch());
  progress.nextChunk();
  progress.take(part({ failures: [[0, 'a\0b', 1]], failuresInRow: 1, console: [[1, '\ud83d', 0]] }));
  const { failures, console } = progress.result(0);
  expect([failures, console]).toEqual([[{ run: 0, message: 'a\ufffdb', line: 1 }], [{ run: 1, text: '\ufffd' }]]);
});

test('a chunk has as many runs as a frame takes', () => {
  const times = Array.from({ length: 2_500 }, (_, n) => n);
  const none = times.map(() => undefined);
  const numbers = new BatchProgress(batch({ times }));
  expect(numbers.nextChunk().times).toHaveLength(1_000);
  const values = times.map(() => 'x'.repeat(10_000));
  const texts = new BatchProgress(batch({ times, columns: [{ values, times: none, qualities: none }] }));
  expect(texts.nextChunk().times.length).toBeGreaterThan(100);
  expect(JSON.stringify(texts.nextChunk()).length).toBeLessThan(3 * 1024 * 1024);
});

test('a program that cannot begin fails each run, up to the limit', () => {
  const progress = new BatchProgress(batch({ maxFailures: 5, failuresBefore: 3 }));
  progress.failAll({ message: 'no program', line: 2 });
  expect(progress.result(0)).toMatchObject({ runs: 2, failed: 2, failuresAfter: 5 });
});
