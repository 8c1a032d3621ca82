import { UTC_ZONE } from '@catchment/time';
import type { ViewedNode } from '../../views/index.ts';
import { givenRange, periodRange } from './tile-range.ts';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 5, 10, 12);
const ZONE = UTC_ZONE;
const at = (ms: number) => ({ ms, value: 1, quality: null });
const node = (firstMs: number, lastMs: number) =>
  ({ edges: { oldest: at(firstMs), current: at(lastMs), previous: null } }) as unknown as ViewedNode;
const context = (...nodes: ViewedNode[]) => ({ nowMs: NOW, zone: ZONE, nodes });
const ends = (ms: number) => ({ kind: 'instant', instantMs: ms }) as never;

test.each([
  ['ends now', 'NOW-2H', [], NOW - 2 * HOUR, NOW],
  [
    'ends with the newest record of all nodes',
    'LAST-2H',
    [node(0, NOW - 9 * HOUR), node(0, NOW - 5 * HOUR)],
    NOW - 7 * HOUR,
    NOW - 5 * HOUR,
  ],
  ['is empty where it cannot be read', 'nonsense', [], NOW, NOW],
])('a period %s', (_what, period, nodes, startMs, endMs) => {
  expect(periodRange(period, context(...nodes))).toEqual({ startMs, endMs });
});

const PERIOD = { startMs: NOW - 2 * HOUR, endMs: NOW };
const NAMES = ['startTime', 'endTime'] as const;

test.each([
  ['neither', undefined, undefined, NOW - 2 * HOUR, NOW],
  ['the start alone', NOW - 5 * HOUR, undefined, NOW - 5 * HOUR, NOW],
  ['a start after the period', NOW + HOUR, undefined, NOW + HOUR, NOW + HOUR],
  ['the end alone, which keeps the length of the period', undefined, NOW - 5 * HOUR, NOW - 7 * HOUR, NOW - 5 * HOUR],
])('a bound that is not given is that of the period: %s', (_what, start, end, startMs, endMs) => {
  const given = {
    start: start === undefined ? undefined : ends(start),
    end: end === undefined ? undefined : ends(end),
  };
  expect(givenRange(given, PERIOD, context(), NAMES)).toEqual({ startMs, endMs });
});

test('a range that runs backwards is refused by the name of its start', () => {
  const given = { start: ends(NOW), end: ends(NOW - HOUR) };
  expect(() => givenRange(given, PERIOD, context(), NAMES)).toThrow('startTime: must not be after endTime');
});
