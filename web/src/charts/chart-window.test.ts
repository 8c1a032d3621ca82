import { byKey, isWhole, panned, reachOf, within, zoomed } from './chart-window.ts';

const BOUNDS = { start: 0, end: 100_000 };

test.each([
  ['inside', { start: 10_000, end: 20_000 }, { start: 10_000, end: 20_000 }],
  ['before the beginning: moved', { start: -5_000, end: 5_000 }, { start: 0, end: 10_000 }],
  ['after the end: moved', { start: 95_000, end: 105_000 }, { start: 90_000, end: 100_000 }],
  ['wider than everything: cut', { start: -50_000, end: 150_000 }, BOUNDS],
  ['narrower than a chart can show: widened', { start: 50_000, end: 50_001 }, { start: 50_000, end: 50_100 }],
])('a window %s', (_what, window, expected) => {
  expect(within(window, BOUNDS)).toEqual(expected);
});

test('an instant keeps its place while its surroundings are zoomed', () => {
  expect(zoomed({ start: 0, end: 100 }, 0.5, 25)).toEqual({ start: 12.5, end: 62.5 });
  expect(panned({ start: 0, end: 100 }, -0.2)).toEqual({ start: -20, end: 80 });
});

test.each([
  ['ArrowLeft', { start: 48_000, end: 58_000 }],
  ['ArrowRight', { start: 52_000, end: 62_000 }],
  ['PageDown', { start: 60_000, end: 70_000 }],
  ['PageUp', { start: 40_000, end: 50_000 }],
  ['+', { start: 52_500, end: 57_500 }],
  ['=', { start: 52_500, end: 57_500 }],
  ['-', { start: 45_000, end: 65_000 }],
  ['0', BOUNDS],
  ['Home', BOUNDS],
  ['Enter', undefined],
  ['a', undefined],
])('key %s', (key, expected) => {
  expect(byKey(key, { start: 50_000, end: 60_000 }, BOUNDS)).toEqual(expected);
});

test('everything is shown when nothing is left out', () => {
  expect(isWhole(BOUNDS, BOUNDS)).toBe(true);
  expect(isWhole({ start: 0, end: 99_000 }, BOUNDS)).toBe(false);
  expect(isWhole({ start: 5, end: 5 }, { start: 5, end: 5 })).toBe(true);
});

test('a window that an address names may lie outside of the period; it moves back into it', () => {
  const outside = { start: -30_000, end: -10_000 };
  expect(reachOf(outside, BOUNDS)).toEqual({ start: -30_000, end: 100_000 });
  expect(reachOf({ start: 10, end: 20 }, BOUNDS)).toEqual(BOUNDS);
  // A window as wide as the period is not all of it.
  expect(isWhole({ start: -100_000, end: 0 }, BOUNDS)).toBe(false);
});
