// Alarms about what services tried to do (docs/reference/alarms.md#conditions: communications, configuration, control, process).
import { NodeConfig } from '@catchment/contracts/nodes';
import { newObjectId } from '@catchment/ids';
import { caller, NORMAL, NOW, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

function setUp(isEnabled = true) {
  const pump = NodeConfig.fromPartial({ ...parameter([NORMAL]), class: 'point.NumberControlPoint' });
  const logger = source(pump, isEnabled);
  service.peers.nodes.set(pump.nodeId, pump).set(logger.nodeId, logger);
  return { pump, logger };
}
const reported = (node: NodeConfig) =>
  service.events(node).map(({ level, eventType, alarmState, message }) => [level, eventType, alarmState, message]);

test.each([
  ['session', 'logger', 'communicationsAlarm', 'ACQUISITION', 'Communications failed: x', 'Communications restored'],
  [
    'configuration',
    'logger',
    'configurationAlarm',
    'CONFIGURATION',
    'Configuration failed: x',
    'Configuration recovered',
  ],
  ['control', 'pump', 'controlAlarm', 'CONTROL', 'Control failed: x', 'Control recovered'],
] as const)(
  'a %s that fails raises the alarm of the %s, the next that does not clears it',
  async (kind, on, type, eventType, raised, cleared) => {
    const node = setUp()[on];
    await service.attemptEnded(node, kind, 'x');
    await service.attemptEnded(node, kind, 'x');
    await service.attemptEnded(node, kind, '');
    await service.attemptEnded(node, kind, '');
    expect(reported(node)).toEqual([
      ['WARNING', eventType, 'ACTIVE', raised],
      ['INFO', eventType, 'CLEARED', cleared],
    ]);
    expect(service.alarms(node).map((alarm) => [alarm.alarmType, alarm.alarmState])).toEqual([
      [type, 'ACTIVE'],
      [type, 'CLEARED'],
    ]);
  },
);

test('cleared by hand, the next failure raises it again; acknowledged, only its success clears it', async () => {
  const { logger } = setUp();
  const by = caller(logger.ownerId);
  await service.attemptEnded(logger, 'session', 'no answer');
  await service.clear(by, logger.nodeId, 'communicationsAlarm');
  await service.attemptEnded(logger, 'session', 'no answer');
  await service.acknowledge(by, logger.nodeId, 'communicationsAlarm');
  await service.attemptEnded(logger, 'session', 'login refused');
  expect(service.alarms(logger).at(-1)).toMatchObject({
    alarmState: 'ACKNOWLEDGED',
    message: 'Communications failed: login refused',
  });
  await service.attemptEnded(logger, 'session', '');
  expect(reported(logger).map(([, , state]) => state)).toEqual([
    'ACTIVE',
    'CLEARED',
    'ACTIVE',
    'ACKNOWLEDGED',
    'CLEARED',
  ]);
});

test('data that reach the source clear its communicationsAlarm, data of a parameter do not', async () => {
  const { pump, logger } = setUp();
  await service.attemptEnded(logger, 'session', 'no answer');
  const arrived = { ownerId: logger.ownerId, workspaceId: logger.workspaceId, sourceId: logger.nodeId, timeMs: NOW };
  await service.acquired({ ...arrived, nodeId: pump.nodeId, isSource: false });
  expect(reported(logger)).toHaveLength(1);
  await service.acquired({ ...arrived, nodeId: logger.nodeId, isSource: true });
  expect(reported(logger).at(-1)).toEqual(['INFO', 'ACQUISITION', 'CLEARED', 'Communications restored']);
});

test.each([
  ['under a disabled source', false, 'logger', 'session'],
  ['on a node that lacks the alarm', true, 'logger', 'control'],
  ['on a parameter of a disabled source', false, 'pump', 'control'],
] as const)('nothing is raised %s', async (_what, isEnabled, on, kind) => {
  const node = setUp(isEnabled)[on];
  await service.attemptEnded(node, kind, 'x');
  expect([reported(node), service.alarms(node)]).toEqual([[], []]);
});

test('nothing is raised by what names the node under another account', async () => {
  const { logger } = setUp();
  await service.attemptEnded(logger, 'session', '');
  await service.attemptEnded({ ...logger, ownerId: newObjectId() }, 'session', 'x');
  expect(reported(logger)).toEqual([]);
});

test('what comes twice or late changes nothing', async () => {
  const { logger } = setUp();
  const { nodeId, ownerId, sourceId } = logger;
  const ended = (sequence: number, failure: string) =>
    service.take({ nodeId, ownerId, sourceId, sequence, attempt: { kind: 'session', failure, timeMs: NOW } });
  await ended(7, 'x');
  await ended(9, '');
  await ended(7, 'x');
  await ended(8, 'y');
  await Promise.all([ended(11, ''), ended(10, 'z')]);
  await ended(10, 'z');
  expect(reported(logger).map(([, , state]) => state)).toEqual(expect.arrayContaining(['ACTIVE', 'CLEARED']));
  expect(service.alarms(logger).at(-1)?.alarmState).toBe('CLEARED');
  expect(reported(logger).filter(([, , , message]) => message === 'Communications failed: x')).toHaveLength(1);
});
