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

/** Makes a source with the alarm on, and its parameter; its newest record is of this time. */
async function setUp(dataMs: number, change: object = {}) {
  const level = parameter([NORMAL]);
  const sourceNode = NodeConfig.fromPartial({
    ...source(level, true),
    source: { isEnabled: true, scheduleType: 'NONE', quietMaxSeconds: QUIET / SECOND, ...change },
    alarms: [{ type: 'outdatedAlarm', isEnabled: true, messageAway: 'asleep' }],
  });
  await service.nodeChanged(sourceNode, true);
  await service.nodeChanged(level, true);
  service.peers.dataTimes.set(sourceNode.nodeId, dataMs);
  return { level, sourceNode };
}
const reported = (node: NodeConfig) => service.events(node).map(({ timeMs, message }) => [timeMs - NOW, message]);
const arrives = async ({ level, sourceNode }: { level: NodeConfig; sourceNode: NodeConfig }, dataMs: number) => {
  service.peers.dataTimes.set(sourceNode.nodeId, dataMs);
  const { ownerId, workspaceId, sourceId } = level;
  await service.acquired({ nodeId: level.nodeId, ownerId, workspaceId, sourceId, rows: 1, timeMs: dataMs });
};

test('raised when nothing came for longer than the source may be quiet, cleared as soon as something comes', async () => {
  const nodes = await setUp(NOW);
  await service.lookAt(NOW);
  await service.lookAt(NOW + QUIET);
  expect(reported(nodes.sourceNode)).toEqual([]);
  await service.lookAt(NOW + QUIET + 1);
  await service.lookAt(NOW + QUIET + SECOND);
  expect(service.events(nodes.sourceNode)).toMatchObject([
    { level: 'WARNING', eventType: 'ACQUISITION', alarmState: 'ACTIVE', message: 'No new data received for 2 minutes' },
  ]);
  expect(service.alarms(nodes.sourceNode)).toMatchObject([
    { alarmType: 'outdatedAlarm', message: 'asleep', activeTimeMs: NOW + QUIET + 1 },
  ]);
  await arrives(nodes, NOW + 2 * QUIET);
  await service.lookAt(NOW + 2 * QUIET);
  expect(service.events(nodes.sourceNode).at(-1)).toMatchObject({
    level: 'INFO',
    alarmState: 'CLEARED',
    message: 'Up to date after 4 minutes',
  });
  await service.lookAt(NOW + 3 * QUIET);
  expect(reported(nodes.sourceNode)).toHaveLength(2);
  await service.lookAt(NOW + 3 * QUIET + 1);
  expect(reported(nodes.sourceNode)).toHaveLength(3);
});

test('a source that was looked for before its creation was announced is looked at like any other', async () => {
  const { sourceNode } = await setUp(NOW - QUIET - 1, { isEnabled: false });
  const nodeId = newObjectId();
  const other = NodeConfig.fromPartial({
    ...sourceNode,
    nodeId,
    sourceId: nodeId,
    source: { ...sourceNode.source, isEnabled: true },
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
  const { level, sourceNode } = nodes;
  await arrives(nodes, NOW - QUIET - 1);
  await service.lookAt(NOW + SECOND);
  service.peers.dataTimes.set(sourceNode.nodeId, NOW + SECOND);
  await service.lookAt(NOW + 2 * SECOND);
  expect(reported(sourceNode)).toHaveLength(1);
  await service.lookAt(NOW + 6 * SECOND);
  expect(reported(sourceNode).map(([, message]) => message)).toEqual([
    'No new data received for 2 minutes',
    'Up to date after 2 minutes 6 seconds',
  ]);
  expect(reported(level)).toEqual([]);
});

test('cleared by hand it is raised again only after something has come in between', async () => {
  const nodes = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  await service.clear(caller(nodes.sourceNode.ownerId), nodes.sourceNode.nodeId, 'outdatedAlarm');
  for (let at = 1; at < 5; at += 1) await service.lookAt(NOW + at * QUIET);
  expect(reported(nodes.sourceNode)).toHaveLength(2);
  await arrives(nodes, NOW + 5 * QUIET);
  await service.lookAt(NOW + 5 * QUIET);
  expect(reported(nodes.sourceNode)).toHaveLength(2);
  await service.lookAt(NOW + 6 * QUIET + 1);
  expect(reported(nodes.sourceNode).at(-1)?.[1]).toBe('No new data received for 2 minutes');
  expect(reported(nodes.sourceNode)).toHaveLength(3);
});

test('an acknowledged one is cleared by data alone', async () => {
  const nodes = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  await service.acknowledge(caller(nodes.sourceNode.ownerId), nodes.sourceNode.nodeId, 'outdatedAlarm');
  await service.lookAt(NOW + 60 * SECOND);
  expect(service.alarms(nodes.sourceNode).at(-1)?.alarmState).toBe('ACKNOWLEDGED');
  await arrives(nodes, NOW + 61 * SECOND);
  await service.lookAt(NOW + 62 * SECOND);
  expect(service.alarms(nodes.sourceNode).at(-1)?.alarmState).toBe('CLEARED');
});

test.each([
  ['a schedule of the platform', { scheduleType: 'SERVER' }],
  ['a disabled source', { isEnabled: false }],
])('%s is never looked at, and clears what is raised', async (_what, change) => {
  const { sourceNode } = await setUp(NOW - QUIET - 1, change);
  await service.lookAt(NOW);
  expect(reported(sourceNode)).toEqual([]);
  const raised = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  const switched = { ...raised.sourceNode, revision: 2, source: { ...raised.sourceNode.source!, ...change } };
  await service.nodeChanged(switched);
  await service.lookAt(NOW + QUIET);
  expect(reported(raised.sourceNode).map(([, message]) => message)).toEqual([
    'No new data received for 2 minutes',
    "Cleared alarm 'OUTDATED'",
  ]);
  await service.nodeChanged({ ...raised.sourceNode, revision: 3 });
  await service.lookAt(NOW + QUIET);
  expect(reported(raised.sourceNode)).toHaveLength(3);
});

test('a longer quiet time is followed at once', async () => {
  const { sourceNode } = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  await service.nodeChanged({ ...sourceNode, revision: 2, source: { ...sourceNode.source!, quietMaxSeconds: 3_600 } });
  await service.lookAt(NOW);
  expect(reported(sourceNode).at(-1)?.[1]).toBe('Up to date after 2 minutes');
});

test('a parameter that changes or goes has its source looked at', async () => {
  const { sourceNode, level } = await setUp(NOW);
  await service.lookAt(NOW);
  service.peers.dataTimes.set(sourceNode.nodeId, NOW - QUIET - 1);
  await service.nodeChanged({ ...level, revision: 2, isActive: false });
  await service.lookAt(NOW);
  expect(reported(sourceNode)).toHaveLength(1);
  service.peers.dataTimes.set(sourceNode.nodeId, NOW);
  await service.nodesDeleted(level);
  await service.lookAt(NOW + SECOND);
  expect(reported(sourceNode)).toHaveLength(2);
});

test('a new file of an attachment source has it looked at', async () => {
  const { sourceNode } = await setUp(NOW - QUIET - 1);
  await service.lookAt(NOW);
  service.peers.dataTimes.set(sourceNode.nodeId, NOW);
  const fileId = newObjectId();
  await service.nodeChanged(
    NodeConfig.fromPartial({
      ...sourceNode,
      nodeId: fileId,
      sourceId: fileId,
      parentId: sourceNode.nodeId,
      class: 'Attachment',
      source: undefined,
      alarms: [],
    }),
    true,
  );
  await service.lookAt(NOW + SECOND);
  expect(reported(sourceNode)).toHaveLength(2);
});

test('sources that are gone, and those of disabled accounts, are passed over', async () => {
  const { sourceNode } = await setUp(NOW - QUIET - 1);
  service.peers.dataTimes.delete(sourceNode.nodeId);
  await service.lookAt(NOW);
  expect(reported(sourceNode)).toEqual([]);
  service.peers.dataTimes.set(sourceNode.nodeId, NOW - QUIET - 1);
  await service.lookAt(NOW + QUIET);
  expect(reported(sourceNode)).toHaveLength(1);
});

test('while what was accepted waits for its store nothing is raised, but cleared', async () => {
  const [quiet, raised] = [await setUp(NOW - QUIET - 1), await setUp(NOW - QUIET - 1)];
  service.peers.dataTimes.set(quiet.sourceNode.nodeId, NOW);
  await service.lookAt(NOW);
  service.peers.isStoreBehind = true;
  await arrives(raised, NOW + QUIET);
  await service.lookAt(NOW + QUIET + 1);
  expect([reported(quiet.sourceNode), reported(raised.sourceNode).length]).toEqual([[], 2]);
  service.peers.isStoreBehind = false;
  await service.lookAt(NOW + QUIET + 29 * SECOND);
  expect(reported(quiet.sourceNode)).toEqual([]);
  await service.lookAt(NOW + QUIET + 31 * SECOND);
  expect(reported(quiet.sourceNode)).toHaveLength(1);
});

test('several replicas that look at once raise once', async () => {
  const { sourceNode } = await setUp(NOW - QUIET - 1);
  await Promise.all([service.lookAt(NOW), service.lookAt(NOW), service.lookAt(NOW)]);
  await service.lookAt(NOW);
  expect(reported(sourceNode)).toHaveLength(1);
});
