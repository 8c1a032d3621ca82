import type { Config, StoredNode } from '../../domain/classes/node.ts';
import { asSeenFrom, withPushed } from './pushed.ts';

const node = (config: object, seriesKey: string | null = null) =>
  ({ nodeId: 'n', seriesKey, config: config as Config }) as StoredNode;
/** Returns the node after a change of its configuration by which the template has a revision. */
const changed = (before: StoredNode, config: object, revision: number): StoredNode => ({
  ...before,
  config: withPushed(before, { config: config as Config }, revision),
});

test('an instance that is behind still gets the value that an override freezes', () => {
  const after = changed(node({ units: 'm' }), { units: 'ft', overrides: ['units'] }, 5);
  const seen = asSeenFrom(after, 4);
  expect([seen.config.units, seen.config.overrides]).toEqual(['m', []]);
});

test('an instance that has followed the change keeps its own value', () => {
  const after = changed(node({ units: 'm' }), { units: 'ft', overrides: ['units'] }, 5);
  expect(asSeenFrom(after, 5)).toBe(after);
});

test('a value that was absent is absent in instances that are behind', () => {
  const after = changed(node({}), { units: 'ft', overrides: ['units'] }, 5);
  expect(asSeenFrom(after, 4).config).not.toHaveProperty('units');
});

test('an override that stays remembers the value of its first revision', () => {
  const first = changed(node({ units: 'm' }), { units: 'm', overrides: ['units'] }, 5);
  const second = changed(first, { units: 'ft', overrides: ['units'] }, 6);
  expect(second.config.pushed).toEqual({ units: { revision: 5, value: 'm' } });
});

test('an override that goes takes its value along', () => {
  const first = changed(node({ units: 'm' }), { units: 'm', overrides: ['units'] }, 5);
  expect(changed(first, { units: 'm' }, 6).config).toEqual({ units: 'm' });
});
