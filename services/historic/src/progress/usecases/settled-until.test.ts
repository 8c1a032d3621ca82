import { type SettledDeps, settledUntil } from './settled-until.ts';

const SERIES = [{ nodeId: 'n', sourceId: 's' }];
const never = new AbortController().signal;

/** The clock goes on by this with each look at it. */
let lookMs = 0;
beforeEach(() => {
  lookMs = 0;
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    nowMs += lookMs;
    return nowMs;
  });
});
afterEach(() => vi.mocked(performance.now).mockRestore());

/** Makes a log whose time is 1000, with its end at 50. */
function log(change: Partial<SettledDeps>) {
  const asked: string[] = [];
  const answer = <T>(question: string, value: T): T => {
    asked.push(question);
    return value;
  };
  const deps: SettledDeps = {
    logTimeMs: async () => answer('time', 1_000),
    endOfLog: async () => answer('end', 50),
    areStored: async (_series, sequence) => answer(`stored ${sequence}`, true),
    oldestUnstoredMs: () => Promise.reject(new Error('not asked')),
    ...change,
  };
  return { until: settledUntil(deps)(SERIES, never), asked };
}

test('what came before the time of the log is settled when all is stored that it has by then', async () => {
  const { until, asked } = log({});
  expect(await until).toBe(999);
  expect(asked).toEqual(['time', 'end', 'stored 50']);
});

test('what is on its way to the store is waited for', async () => {
  const answers = [false, false, true];
  const { until } = log({ areStored: async () => answers.shift() ?? true });
  expect([await until, answers]).toEqual([999, []]);
});

test.each([
  ['ends what is settled', 700, 699],
  ['that came after the time changes nothing', 5_000, 999],
  ['that nobody can name leaves nothing settled', undefined, -1],
])('a store that stays behind is not waited for: its oldest message %s', async (_what, oldestMs, expected) => {
  lookMs = 2_000;
  const { until } = log({ areStored: async () => false, oldestUnstoredMs: async () => oldestMs });
  expect(await until).toBe(expected);
});

test('ends with its caller', async () => {
  const caller = new AbortController();
  const reason = new Error('left');
  const areStored = async () => {
    caller.abort(reason);
    return false;
  };
  const deps = {
    logTimeMs: async () => 1,
    endOfLog: async () => 1,
    oldestUnstoredMs: async () => undefined,
    areStored,
  };
  await expect(settledUntil(deps)(SERIES, caller.signal)).rejects.toBe(reason);
});
