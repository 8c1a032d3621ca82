import { RestartWait } from './restart-wait.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refusal = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const starting = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
const crowded = Object.assign(new Error('sorry, too many clients already'), { code: '53300' });

/** Makes a server that was there once. */
async function restarted(): Promise<RestartWait> {
  const wait = new RestartWait(6_000);
  await wait.over(async () => 'connected');
  return wait;
}
/** Fails with these, one after the other, then connects. */
const failing = (errors: readonly Error[]) => {
  const left = [...errors];
  return vi.fn(async () => {
    const error = left.shift();
    if (error) throw error;
    return 'connected';
  });
};

test('a server that was there and is started again is waited for', async () => {
  const wait = await restarted();
  const connected = wait.over(failing([refusal, refusal, starting]));
  await vi.advanceTimersByTimeAsync(300);
  expect(await connected).toBe('connected');
});

test('one that stays away is waited for once: a later caller hears it at once', async () => {
  const wait = await restarted();
  const never = failing(Array(1_000).fill(refusal));
  const first = expect(wait.over(never)).rejects.toBe(refusal);
  await vi.advanceTimersByTimeAsync(6_100);
  await first;
  const asked = never.mock.calls.length;
  await expect(wait.over(never)).rejects.toBe(refusal);
  expect(never.mock.calls.length).toBe(asked + 1);
});

test.each([
  ['that has never been there', () => new RestartWait(6_000), refusal],
  ['that answers with a refusal of its own', restarted, crowded],
])('a server %s is not waited for', async (_what, waiting, error) => {
  const wait = await waiting();
  await expect(wait.over(failing([error]))).rejects.toBe(error);
});

test('one that comes and goes for others holds nobody up for longer', async () => {
  const wait = await restarted();
  const first = expect(wait.over(failing(Array(1_000).fill(refusal)))).rejects.toBe(refusal);
  for (let n = 0; n < 7; n += 1) {
    await wait.over(async () => 'connected');
    await vi.advanceTimersByTimeAsync(1_000);
  }
  await first;
});
