import type { Queryable } from '@catchment/pg';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import type { NodeStore } from './ports.ts';
import { insertNodes, saveSettings } from './store-nodes.ts';

const TX = {} as Queryable;

/** Notes what is called with, the transaction aside. */
function notingStore() {
  const calls: unknown[][] = [];
  const noting =
    (name: string) =>
    async (_tx: Queryable, ...given: unknown[]) =>
      void calls.push([name, ...given]);
  const store: NodeStore = {
    insertNodes: async () => void calls.push(['insertNodes']),
    saveSettings: async () => void calls.push(['saveSettings']),
    deleteNodes: noting('deleteNodes'),
    putAnnouncements: noting('putAnnouncements'),
    markSchedules: noting('markSchedules'),
    markStale: noting('markStale'),
    renewImages: noting('renewImages'),
    touchOwners: noting('touchOwners'),
  };
  return { calls, store };
}

const node = (nodeId: string, name: string, config: Config = {}): StoredNode =>
  ({ nodeId, ownerId: 'o', class: name, parentId: 'p', config }) as StoredNode;

test('new nodes are stored, and then what they make due is marked, all nodes at once', async () => {
  const { calls, store } = notingStore();
  const schedule = { type: 'DAILY' };
  await insertNodes(store, TX, [
    node('a', 'Attachment'),
    node('l', 'location.Location', { coordinateSourceId: 's' }),
    node('m', 'location.Location', { coordinateSourceId: 't' }),
    node('r', 'Report', { schedule }),
  ]);
  expect(calls).toEqual([
    ['insertNodes'],
    ['putAnnouncements', 'o', ['s', 't']],
    ['markSchedules', ['r']],
    ['renewImages', ['p']],
  ]);
});

test('a change that makes nothing due is stored alone', async () => {
  const { calls, store } = notingStore();
  const point = node('n', 'point.NumberPoint', { units: 'mm' });
  await saveSettings(store, TX, point, { ...point, config: { units: 'm' } });
  expect(calls).toEqual([['saveSettings']]);
});

test('a change of what is shown marks the node once it is stored', async () => {
  const { calls, store } = notingStore();
  const point = node('n', 'point.NumberPoint');
  await saveSettings(store, TX, point, { ...point, config: { multiplier: 2 } });
  expect(calls).toEqual([['saveSettings'], ['markStale', ['n']]]);
});
