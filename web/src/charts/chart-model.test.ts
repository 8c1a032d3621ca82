import type { ChartData } from '@catchment/dashboard-view';
import { vi } from 'vitest';
import { chartModel } from './chart-model.ts';

const WHOLE: ChartData = { start: 0, end: 100_000, series: [] };

function asked() {
  const urls: string[] = [];
  const signals: AbortSignal[] = [];
  const answers: ((value: ChartData) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const model = chartModel('/data?zone=UTC', (url, signal) => {
    urls.push(url);
    signals.push(signal);
    return new Promise((resolve, reject) => {
      answers.push(resolve as (value: ChartData) => void);
      failures.push(reject);
    });
  });
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
