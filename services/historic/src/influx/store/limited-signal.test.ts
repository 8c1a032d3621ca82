import { getEventListeners } from 'node:events';
import { vi } from 'vitest';
import { withLimitedSignal } from './limited-signal.ts';

const aborted = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));

test('the work is aborted with the given signal, and has its reason', async () => {
  const given = new AbortController();
  const reason = withLimitedSignal(given.signal, 60_000, aborted);
  given.abort('stopped');
  await expect(reason).resolves.toBe('stopped');
});

test('the work is aborted after the time', async () => {
  const reason = await withLimitedSignal(new AbortController().signal, 1, aborted);
  expect(reason).toMatchObject({ name: 'TimeoutError' });
});

test('no work begins for a signal that has aborted', async () => {
  const work = vi.fn(async () => {});
  await expect(withLimitedSignal(AbortSignal.abort('stopped'), 60_000, work)).rejects.toBe('stopped');
  expect(work).not.toHaveBeenCalled();
});

test('what the work leaves at its signal is not kept by the given one, after a failure neither', async () => {
  const { signal } = new AbortController();
  const leaves = (own: AbortSignal) => {
    own.addEventListener('abort', () => {});
    return Promise.reject(new Error('refused'));
  };
  await expect(withLimitedSignal(signal, 60_000, leaves)).rejects.toThrow('refused');
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});
