// processAlarm of ratings follows what the processing service says of their runs (docs/reference/alarms.md#conditions, process).
import { NodeConfig } from '@catchment/contracts/nodes';
import { caller, NORMAL, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const GONE = 'the input was deleted';
function rating(change: Partial<NodeConfig> = {}, isEnabled = true) {
  const node = NodeConfig.fromPartial({ ...parameter([NORMAL]), class: 'point.NumberRatingPoint', ...change });
  const sourceNode = source(node, isEnabled);
  service.peers.nodes.set(node.nodeId, node).set(sourceNode.nodeId, sourceNode);
  return { node, sourceNode };
}
const switched = (node: NodeConfig, isOn: boolean): NodeConfig =>
  NodeConfig.fromPartial({
    ...node,
    revision: node.revision + 1,
    alarms: [{ type: 'processAlarm', isEnabled: isOn }],
  });
const reported = (node: NodeConfig) =>
  service.events(node).map(({ level, eventType, alarmState, message }) => [level, eventType, alarmState, message]);
const shown = (node: NodeConfig) =>
  service.alarms(node).map(({ alarmType, alarmState, message }) => [alarmType, alarmState, message]);

const RAISED = ['WARNING', 'ACQUISITION', 'ACTIVE', `Process failed: ${GONE}`];

test('a rating that fails raises its processAlarm once, and the next run that succeeds clears it', async () => {
  const { node } = rating();
  await service.attemptEnded(node, 'run', GONE);
  await service.attemptEnded(node, 'run', GONE);
  expect(reported(node)).toEqual([RAISED]);
  await service.attemptEnded(node, 'run', 'the input does not exist');
  await service.attemptEnded(node, 'run', '');
  await service.attemptEnded(node, 'run', '');
  expect(reported(node)).toEqual([RAISED, ['INFO', 'ACQUISITION', 'CLEARED', 'Process recovered']]);
  expect(shown(node)).toEqual([
    ['processAlarm', 'ACTIVE', `Process failed: ${GONE}`],
    ['processAlarm', 'ACTIVE', 'Process failed: the input does not exist'],
    ['processAlarm', 'CLEARED', ''],
  ]);
});

test('it can be acknowledged and cleared; another failure raises it again', async () => {
  const { node } = rating();
  const who = caller(node.ownerId);
  await service.attemptEnded(node, 'run', GONE);
  await service.acknowledge(who, node.nodeId, 'processAlarm', 'seen');
  await service.attemptEnded(node, 'run', GONE);
  await service.clear(who, node.nodeId, 'processAlarm');
  await service.attemptEnded(node, 'run', GONE);
  expect(reported(node).map(([, , state]) => state)).toEqual(['ACTIVE', 'ACKNOWLEDGED', 'CLEARED', 'ACTIVE']);
});

test.each([
  ['under a disabled source', {}, false],
  ['of a node of another kind', { class: 'point.NumberPoint' }, true],
  ['of a node that is gone', { nodeId: '0'.repeat(24) }, true],
])('nothing is raised %s', async (what, change, isEnabled) => {
  const { node } = rating(change, isEnabled);
  if (what.includes('gone')) service.peers.nodes.delete(node.nodeId);
  await service.attemptEnded(node, 'run', GONE);
  expect([reported(node), shown(node)]).toEqual([[], []]);
});

test('switched off it is cleared at once, and not raised', async () => {
  const { node } = rating();
  await service.attemptEnded(node, 'run', GONE);
  const off = switched(node, false);
  await service.nodeChanged(off);
  await service.attemptEnded(node, 'run', GONE);
  expect(reported(node).slice(1)).toEqual([['INFO', 'CONFIGURATION', 'CLEARED', "Cleared alarm 'PROCESS'"]]);
  await service.nodeChanged(switched(off, true));
  expect(reported(node)).toHaveLength(2);
  await service.attemptEnded(node, 'run', GONE);
  expect(reported(node).at(-1)).toEqual(RAISED);
});
