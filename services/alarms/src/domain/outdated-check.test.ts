import { NodeConfig } from '@catchment/contracts/nodes';
import { toNode } from './node.ts';
import { isWatched, look, type OutdatedCheck } from './outdated-check.ts';

const QUIET = 120_000;
const NOW = 1_000_000_000;
const FRESH: OutdatedCheck = { nodeId: 'a', quietMaxMs: QUIET, dueMs: 0, outdatedSinceMs: null, waitMs: 0 };
const OLD = NOW - QUIET - 1;
const OUTDATED: OutdatedCheck = { ...FRESH, outdatedSinceMs: OLD, waitMs: 5_000 };

test.each([
  ['fresh to the millisecond', FRESH, NOW - QUIET, { dueMs: NOW + 1 }, undefined],
  ['fresh: due when it is outdated', FRESH, NOW - 20_000, { dueMs: NOW - 20_000 + QUIET + 1 }, undefined],
  ['a time in the future counts as now', FRESH, NOW + QUIET, { dueMs: NOW + QUIET + 1 }, undefined],
  [
    'outdated by a millisecond',
    FRESH,
    OLD,
    { outdatedSinceMs: OLD, waitMs: 5_000 },
    { isOutdated: true, quietMs: QUIET + 1 },
  ],
  ['still outdated: no news, looked at less often', OUTDATED, OLD, { waitMs: 10_000, dueMs: NOW + 10_000 }, undefined],
  ['once a day at least', { ...OUTDATED, waitMs: 80_000_000 }, OLD, { waitMs: 86_400_000 }, undefined],
  [
    'something came, and that is too old too',
    { ...OUTDATED, outdatedSinceMs: OLD - 50 },
    OLD,
    { outdatedSinceMs: OLD },
    { isOutdated: true, quietMs: QUIET + 1 },
  ],
  ['what came was deleted', OUTDATED, OLD - 50, { outdatedSinceMs: OLD - 50 }, undefined],
  [
    'fresh again',
    OUTDATED,
    NOW - 1,
    { dueMs: NOW + QUIET, outdatedSinceMs: null, waitMs: 0 },
    { isOutdated: false, quietMs: QUIET + 1 },
  ],
  ['not to be judged now', OUTDATED, undefined, { ...OUTDATED, dueMs: NOW + QUIET }, undefined],
] as const)('%s', (_what, before, referenceMs, expected, news) => {
  const found = look(before, referenceMs, NOW);
  expect(found.check).toMatchObject(expected);
  expect(found.news).toEqual(news);
});

test.each([
  [{ isEnabled: true, scheduleType: 'NONE' }, true, true],
  [{ isEnabled: true, scheduleType: 'REMOTE' }, true, true],
  [{ isEnabled: true, scheduleType: 'SERVER' }, true, false],
  [{ isEnabled: false, scheduleType: 'NONE' }, true, false],
  [{ isEnabled: true, scheduleType: 'NONE' }, false, false],
])('a source with %j, the alarm on: %s, is watched: %s', (source, isEnabled, expected) => {
  const alarms = isEnabled ? [{ type: 'outdatedAlarm', isEnabled }] : [];
  expect(isWatched(toNode(NodeConfig.fromPartial({ class: 'source.data.Jts', source, alarms })))).toBe(expected);
});
