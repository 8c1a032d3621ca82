import { vi } from 'vitest';
import { repeat } from './repeat.ts';

const MINUTE_MS = 60_000;
const warned: string[] = [];
const log = { warn: (_facts: object, text: string) => void warned.push(text) } as never;
const often = { everyMs: MINUTE_MS, failed: 'failed', log };

beforeEach(() => {
  warned.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('a task runs at once, then after each pause, until it is stopped', async () => {
  const task = vi.fn(async () => {});
  const repeated = repeat(task, often);
  await vi.advanceTimersByTimeAsync(2.5 * MINUTE_MS);
  expect(task).toHaveBeenCalledTimes(3);
  await repeated.stop();
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(task).toHaveBeenCalledTimes(3);
});

test('while there is more to do, there is no pause', async () => {
  let left = 5;
  const task = vi.fn(async () => {
    left -= 1;
    return left > 0;
  });
  const repeated = repeat(task, often);
  await vi.advanceTimersByTimeAsync(0);
  expect(task).toHaveBeenCalledTimes(5);
  await repeated.stop();
});

test('a failure is logged, and tried again after the pause', async () => {
  const repeated = repeat(() => Promise.reject(new Error('away')), often);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(warned).toEqual(['failed', 'failed']);
  await repeated.stop();
});

test('a task that is woken runs before its time, also when it is woken while it runs; never twice at once', async () => {
  let runs = 0;
  let finish = () => {};
  const task = () => {
    runs += 1;
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const repeated = repeat(task, often);
  repeated.wake();
  repeated.wake();
  expect(runs).toBe(1);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(2);
  finish();
  await vi.advanceTimersByTimeAsync(1_000);
  repeated.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(runs).toBe(3);
  finish();
  await repeated.stop();
});

test('stopping breaks the pause off, informs the task, and waits for it', async () => {
  let isAborted = false;
  const task = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        isAborted = true;
        resolve();
      });
    });
  await repeat(task, often).stop();
  expect(isAborted).toBe(true);
  const paused = repeat(async () => {}, often);
  await vi.advanceTimersByTimeAsync(0);
  await paused.stop();
});
