import type { ChartData } from '@catchment/dashboard-view';
import { vi } from 'vitest';
import { chartModel } from './chart-model.ts';

const WHOLE: ChartData = { start: 0, end: 100_000, series: [] };

function asked(first?: { start: number; end: number }) {
  const urls: string[] = [];
  const signals: AbortSignal[] = [];
  const answers: ((value: ChartData) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const model = chartModel(
    '/data?zone=UTC',
    (url, signal) => {
      urls.push(url);
      signals.push(signal);
      return new Promise((resolve, reject) => {
        answers.push(resolve as (value: ChartData) => void);
        failures.push(reject);
      });
    },
    first,
  );
  return { model, urls, signals, answers, failures };
}
const settle = () => vi.advanceTimersByTimeAsync(1_000);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('a movement asks once, when it rests, and gives up what was asked before', async () => {
  const { model, urls, signals, answers } = asked();
  model.load({ revision: '1', width: 500 });
  answers[0]!(WHOLE);
  await settle();
  for (const start of [10_000, 20_000, 30_000]) model.show({ start, end: start + 5_000 });
  expect(urls).toHaveLength(1);
  await settle();
  expect(urls[1]).toBe('/data?zone=UTC&start=1970-01-01T00%3A00%3A30.000Z&end=1970-01-01T00%3A00%3A35.000Z&width=500');
  model.show({ start: 40_000, end: 50_000 });
  await settle();
  expect(signals[1]!.aborted).toBe(true);
  // The answer that comes too late changes nothing.
  answers[1]!({ start: 30_000, end: 35_000, series: [] });
  await settle();
  expect(model.data.value).toBe(WHOLE);
});

test('what was seen is known, until there is news', async () => {
  const { model, urls, answers } = asked();
  model.load({ revision: '1', width: 500 });
  answers[0]!(WHOLE);
  await settle();
  model.show({ start: 10_000, end: 20_000 });
  await settle();
  answers[1]!({ start: 10_000, end: 20_000, series: [] });
  await settle();
  model.show({ start: 0, end: 100_000 });
  expect(model.data.value).toBe(WHOLE);
  expect(model.window.value).toBeUndefined();
  await settle();
  expect(urls).toHaveLength(2);
  model.load({ revision: '1', width: 500 });
  expect(urls).toHaveLength(2);
  model.load({ revision: '2', width: 500 });
  expect(urls).toHaveLength(3);
});

test('the period moves on with news while everything is shown', async () => {
  const { model, answers } = asked();
  model.load({ revision: '1', width: 500 });
  answers[0]!(WHOLE);
  await settle();
  model.load({ revision: '2', width: 500 });
  answers[1]!({ start: 60_000, end: 160_000, series: [] });
  await settle();
  expect(model.bounds.value).toEqual({ start: 60_000, end: 160_000 });
});

test('a failure is said, keeps what is shown, and is tried again', async () => {
  const { model, answers, failures, urls } = asked();
  model.load({ revision: '1', width: 500 });
  answers[0]!(WHOLE);
  await settle();
  model.load({ revision: '2', width: 500 });
  failures[1]!(new Error('503'));
  await settle();
  expect([model.hasFailed.value, model.isLoading.value, model.data.value]).toEqual([true, false, WHOLE]);
  model.load({ revision: '2', width: 500 });
  expect(urls).toHaveLength(3);
  answers[2]!(WHOLE);
  await settle();
  expect(model.hasFailed.value).toBe(false);
});

test('a chart that is gone asks nothing any more', async () => {
  const { model, urls, answers, signals } = asked();
  model.load({ revision: '1', width: 500 });
  answers[0]!(WHOLE);
  await settle();
  model.show({ start: 10_000, end: 20_000 });
  model.close();
  await settle();
  expect(urls).toHaveLength(1);
  expect(signals[0]!.aborted).toBe(true);
});

const refusal = (status: number) => Object.assign(new Error('refused'), { status });

test('a part that is to be seen at first is shown when it and the whole period are known', async () => {
  const part = { start: 20_000, end: 30_000 };
  const { model, urls, answers } = asked(part);
  model.load({ revision: '1', width: 500 });
  expect(urls).toEqual(['/data?zone=UTC&width=500']);
  answers[0]!(WHOLE);
  await settle();
  expect(model.data.value).toBeUndefined();
  const shown = { ...part, series: [] };
  answers[1]!(shown);
  await settle();
  expect([model.data.value, model.window.value, model.bounds.value]).toEqual([shown, part, { start: 0, end: 100_000 }]);
  // The whole is known already.
  model.press('0');
  expect([model.data.value, model.window.value, urls.length]).toEqual([WHOLE, undefined, 2]);
});

test('a part outside of the period is shown, and leads back to it', async () => {
  const { model, urls, answers } = asked({ start: -50_000, end: -30_000 });
  model.load({ revision: '1', width: 500 });
  answers[0]!(WHOLE);
  await settle();
  answers[1]!({ start: -50_000, end: -30_000, series: [] });
  await settle();
  expect(urls[1]).toContain('start=1969-12-31T23%3A59%3A10.000Z');
  model.press('ArrowLeft');
  expect(model.window.value).toEqual({ start: -50_000, end: -30_000 });
  model.press('PageDown');
  expect(model.window.value).toEqual({ start: -30_000, end: -10_000 });
  for (let i = 0; i < 3; i += 1) model.press('-');
  expect(model.window.value).toBeUndefined();
});

test.each([
  ['a part that the server refuses is left for everything', refusal(400), undefined, false],
  ['a part that could not be had is tried again', refusal(503), { start: 20_000, end: 30_000 }, true],
])('%s', async (_what, error, window, hasFailed) => {
  const { model, answers, failures } = asked({ start: 20_000, end: 30_000 });
  model.load({ revision: '1', width: 500 });
  answers[0]!(WHOLE);
  await settle();
  failures[1]!(error);
  await settle();
  answers[2]?.(WHOLE);
  await settle();
  expect([model.window.value, model.hasFailed.value]).toEqual([window, hasFailed]);
  if (!hasFailed) expect(model.data.value).toEqual(WHOLE);
});

test('a part from elsewhere takes the place of what is shown', async () => {
  const { model, urls, answers } = asked();
  // The chart has no size yet.
  model.set({ start: 10_000, end: 20_000 });
  model.set(undefined);
  expect(urls).toEqual([]);
  model.load({ revision: '1', width: 500 });
  answers[0]!(WHOLE);
  await settle();
  model.set({ start: 10_000, end: 20_000 });
  expect(urls).toHaveLength(2);
  model.set(undefined);
  expect([model.data.value, model.window.value]).toEqual([WHOLE, undefined]);
});
