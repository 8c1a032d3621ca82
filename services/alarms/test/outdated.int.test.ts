// outdatedAlarm (docs/reference/alarms.md#outdated-data).

import { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { HANGS_AFTER_MS } from '@catchment/testkit';
import { caller, NORMAL, NOW, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const SECOND = 1_000;
const QUIET = 120 * SECOND;

/** A source with the alarm on, and its parameter; its newest record is of this time. */
async function setUp(dataMs: number, change: object = {}) {
  const level = parameter([NORMAL]);
  const own = NodeConfig.fromPartial({
    ...source(level, true),
    source: { isEnabled: true, scheduleType: 'NONE', quietMaxSeconds: QUIET / SECOND, ...change },
    alarms: [{ type: 'outdatedAlarm', isEnabled: true, messageAway: 'asleep' }],
  });
  await service.nodeChanged(own, true);
  await service.nodeChanged(level, true);
  service.peers.dataTimes.set(own.nodeId, dataMs);
  return { level, own };
}
const reported = (node: NodeConfig) => service.events(node).map(({ timeMs, message }) => [timeMs - NOW, message]);
const arrives = async ({ level, own }: { level: NodeConfig; own: NodeConfig }, dataMs: number) => {
  service.peers.dataTimes.set(own.nodeId, dataMs);
  const { ownerId, workspaceId, sourceId } = level;
  await service.acquired({ nodeId: level.nodeId, ownerId, workspaceId, sourceId, rows: 1, timeMs: dataMs });
};

test('raised when nothing came for longer than the source may be quiet, cleared as soon as something comes', async () => {
  const nodes = await setUp(NOW);
  await service.lookAt(NOW);
  await service.lookAt(NOW + QUIET);
  expect(reported(nodes.own)).toEqual([]);
  await service.lookAt(NOW + QUIET + 1);
  await service.lookAt(NOW + QUIET + SECOND);
  expect(service.events(nodes.own)).toMatchObject([
    { level: 'WARNING', eventType: 'ACQUISITION', alarmState: 'ACTIVE', message: 'No new data received for 2 minutes' },
  ]);
  expect(service.alarms(nodes.own)).toMatchObject([
    { alarmType: 'outdatedAlarm', message: 'asleep', activeTimeMs: NOW + QUIET + 1 },
  ]);
  await arrives(nodes, NOW + 2 * QUIET);
  await service.lookAt(NOW + 2 * QUIET);
  expect(service.events(nodes.own).at(-1)).toMatchObject({
    level: 'INFO',
    alarmState: 'CLEARED',
    message: 'Up to date after 4 minutes',
  });
  await service.lookAt(NOW + 3 * QUIET);
  expect(reported(nodes.own)).toHaveLength(2);
  await service.lookAt(NOW + 3 * QUIET + 1);
  expect(reported(nodes.own)).toHaveLength(3);
});

test('a source that was looked for before its creation was announced is looked at like any other', async () => {
  const { own } = await setUp(NOW - QUIET - 1, { isEnabled: false });
  const nodeId = newObjectId();
  const other = NodeConfig.fromPartial({
    ...own,
    nodeId,
    sourceId: nodeId,
    source: { ...own.source, isEnabled: true },
  });
  service.peers.nodes.set(nodeId, other);
  service.peers.dataTimes.set(nodeId, NOW - QUIET - 1);
  await service.known.load([other], AbortSignal.timeout(HANGS_AFTER_MS));
  await service.nodeChanged(other, true);
  await service.lookAt(NOW);
  expect(reported(other)).toHaveLength(1);
});

test('what came is looked at again until the nodes show it', async () => {
  const nodes = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  const { level, own } = nodes;
  await arrives(nodes, NOW - QUIET - 1);
  await service.lookAt(NOW + SECOND);
  service.peers.dataTimes.set(own.nodeId, NOW + SECOND);
  await service.lookAt(NOW + 2 * SECOND);
  expect(reported(own)).toHaveLength(1);
  await service.lookAt(NOW + 6 * SECOND);
  expect(reported(own).map(([, message]) => message)).toEqual([
    'No new data received for 2 minutes',
    'Up to date after 2 minutes 6 seconds',
  ]);
  expect(reported(level)).toEqual([]);
});

test('cleared by hand it is raised again only after something has come in between', async () => {
  const nodes = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  await service.clear(caller(nodes.own.ownerId), nodes.own.nodeId, 'outdatedAlarm');
  for (let at = 1; at < 5; at += 1) await service.lookAt(NOW + at * QUIET);
  expect(reported(nodes.own)).toHaveLength(2);
  await arrives(nodes, NOW + 5 * QUIET);
  await service.lookAt(NOW + 5 * QUIET);
  expect(reported(nodes.own)).toHaveLength(2);
  await service.lookAt(NOW + 6 * QUIET + 1);
  expect(reported(nodes.own).at(-1)?.[1]).toBe('No new data received for 2 minutes');
  expect(reported(nodes.own)).toHaveLength(3);
});

test('an acknowledged one is cleared by data alone', async () => {
  const nodes = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  await service.acknowledge(caller(nodes.own.ownerId), nodes.own.nodeId, 'outdatedAlarm');
  await service.lookAt(NOW + 60 * SECOND);
  expect(service.alarms(nodes.own).at(-1)?.alarmState).toBe('ACKNOWLEDGED');
  await arrives(nodes, NOW + 61 * SECOND);
  await service.lookAt(NOW + 62 * SECOND);
  expect(service.alarms(nodes.own).at(-1)?.alarmState).toBe('CLEARED');
});

test.each([
  ['a schedule of the platform', { scheduleType: 'SERVER' }],
  ['a disabled source', { isEnabled: false }],
])('%s is never looked at, and clears what is raised', async (_what, change) => {
  const { own } = await setUp(NOW - QUIET - 1, change);
  await service.lookAt(NOW);
  expect(reported(own)).toEqual([]);
  const raised = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  const switched = { ...raised.own, revision: 2, source: { ...raised.own.source!, ...change } };
  await service.nodeChanged(switched);
  await service.lookAt(NOW + QUIET);
  expect(reported(raised.own).map(([, message]) => message)).toEqual([
    'No new data received for 2 minutes',
    "Cleared alarm 'OUTDATED'",
  ]);
  await service.nodeChanged({ ...raised.own, revision: 3 });
  await service.lookAt(NOW + QUIET);
  expect(reported(raised.own)).toHaveLength(3);
});

test('a longer quiet time is followed at once', async () => {
  const { own } = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  await service.nodeChanged({ ...own, revision: 2, source: { ...own.source!, quietMaxSeconds: 3_600 } });
  await service.lookAt(NOW);
  expect(reported(own).at(-1)?.[1]).toBe('Up to date after 2 minutes');
});

test('a parameter that changes or goes has its source looked at', async () => {
  const { own, level } = await setUp(NOW);
  await service.lookAt(NOW);
  service.peers.dataTimes.set(own.nodeId, NOW - QUIET - 1);
  await service.nodeChanged({ ...level, revision: 2, isActive: false });
  await service.lookAt(NOW);
  expect(reported(own)).toHaveLength(1);
  service.peers.dataTimes.set(own.nodeId, NOW);
  await service.nodesDeleted(level);
  await service.lookAt(NOW + SECOND);
  expect(reported(own)).toHaveLength(2);
});

test('a new file of an attachment source has it looked at', async () => {
  const { own } = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  service.peers.dataTimes.set(own.nodeId, NOW);
  const fileId = newObjectId();
  await service.nodeChanged(
    NodeConfig.fromPartial({
      ...own,
      nodeId: fileId,
      sourceId: fileId,
      parentId: own.nodeId,
      class: 'Attachment',
      source: undefined,
      alarms: [],
    }),
    true,
  );
  await service.lookAt(NOW + SECOND);
  expect(reported(own)).toHaveLength(2);
});

test('sources that are gone, and those of disabled accounts, are passed over', async () => {
  const { own } = await setUp(NOW - QUIET - 1);
  service.peers.dataTimes.delete(own.nodeId);
  await service.lookAt(NOW);
  expect(reported(own)).toEqual([]);
  service.peers.dataTimes.set(own.nodeId, NOW - QUIET - 1);
  await service.lookAt(NOW + QUIET);
  expect(reported(own)).toHaveLength(1);
});

test('while what was accepted waits for its store nothing is raised, but cleared', async () => {
  const [quiet, raised] = [await setUp(NOW - QUIET - 1), await setUp(NOW - QUIET - 1)];
  service.peers.dataTimes.set(quiet.own.nodeId, NOW);
  await service.lookAt(NOW);
  service.peers.isStoreBehind = true;
  await arrives(raised, NOW + QUIET);
  await service.lookAt(NOW + QUIET + 1);
  expect([reported(quiet.own), reported(raised.own).length]).toEqual([[], 2]);
  service.peers.isStoreBehind = false;
  await service.lookAt(NOW + QUIET + 29 * SECOND);
  expect(reported(quiet.own)).toEqual([]);
  await service.lookAt(NOW + QUIET + 31 * SECOND);
  expect(reported(quiet.own)).toHaveLength(1);
});

test('several replicas that look at once raise once', async () => {
  const { own } = await setUp(NOW - QUIET - 1);
  await Promise.all([service.lookAt(NOW), service.lookAt(NOW), service.lookAt(NOW)]);
  await service.lookAt(NOW);
  expect(reported(own)).toHaveLength(1);
});
