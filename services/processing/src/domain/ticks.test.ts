import { tickAfter, tickAt } from '@catchment/time';
import { nextTick, tickToRun } from './ticks.ts';

const EACH_HOUR = { intervalMs: 3_600_000, offsetMs: 600_000 };
const at = (hours: number, minutes: number) => (hours * 60 + minutes) * 60_000;

test('ticks lie at multiples of the interval since 1970, plus the offset', () => {
  expect(tickAt(EACH_HOUR, at(5, 10))).toBe(at(5, 10));
  expect(tickAt(EACH_HOUR, at(5, 9))).toBe(at(4, 10));
  expect(tickAfter(EACH_HOUR, at(5, 10))).toBe(at(6, 10));
  expect(tickAfter(EACH_HOUR, -1)).toBe(at(0, 10));
});

test('a tick that waits is run, but where a later one has come', () => {
  expect(tickToRun(EACH_HOUR, at(5, 10), at(6, 9))).toBe(at(5, 10));
  expect(tickToRun(EACH_HOUR, at(5, 10), at(6, 10))).toBe(at(6, 10));
  expect(tickToRun(EACH_HOUR, at(5, 10), at(9, 30))).toBe(at(9, 10));
});

test('another schedule begins with its next tick', () => {
  expect(nextTick(EACH_HOUR, undefined, at(5, 30))).toBe(at(6, 10));
  expect(nextTick(EACH_HOUR, at(5, 10), at(5, 30))).toBe(at(5, 10));
  expect(nextTick(EACH_HOUR, at(5, 15), at(5, 30))).toBe(at(6, 10));
});
