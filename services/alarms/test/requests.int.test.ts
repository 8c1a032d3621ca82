import { AlarmAction } from '@catchment/contracts/alarms';
import { newObjectId } from '@catchment/ids';
import { sweep } from '../src/usecases/sweep.ts';
import { caller, column, NORMAL, NOW, parameter, type Service, source, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const STATES = [
  NORMAL,
  { name: 'HIGH', threshold: 50, isAlarm: true },
  { name: 'CRITICAL', threshold: 100, isAlarm: true },
];

/** Makes a parameter whose stateAlarm is ACTIVE. */
async function alarming() {
  const node = parameter(STATES);
  await service.nodeChanged(source(node, true), true);
  await service.nodeChanged(node, true);
  await service.write(column(node, [[NOW, 60]]));
  return node;
}
const reported = async (node: Awaited<ReturnType<typeof alarming>>) =>
  service.reported(node).map((text) => text.replace(/^\d+ /, ''));

test('acknowledged, escalated, acknowledged with comment, eased, cleared: every step is announced', async () => {
  const node = await alarming();
  const by = caller(node.ownerId);
  await service.acknowledge(by, node.nodeId);
  await service.acknowledge(by, node.nodeId, 'stateAlarm', 'twice');
  await service.write(column(node, [[NOW + 1, 120]]));
  await service.acknowledge(by, node.nodeId, 'STATEALARM', 'on my way');
  expect(service.alarms(node).at(-1)).toMatchObject({
    alarmState: 'ACKNOWLEDGED',
    acknowledgeTimeMs: NOW,
    acknowledgeUsername: 'jo@example.org',
    acknowledgeComment: 'on my way',
    message: 'State changed from HIGH to CRITICAL',
  });
  await service.write(column(node, [[NOW + 2, 60]]));
  await service.clear(by, node.nodeId);
  await service.clear(by, node.nodeId);
  await service.write(column(node, [[NOW + 3, 70]]));
  await service.write(column(node, [[NOW + 4, 0]]));
  expect(await reported(node)).toEqual([
    'NORMAL to HIGH ACTIVE',
    "Acknowledged alarm 'STATE' ACKNOWLEDGED",
    'HIGH to CRITICAL ACTIVE',
    "Acknowledged alarm 'STATE' with comment 'on my way' ACKNOWLEDGED",
    'CRITICAL to HIGH NONE',
    "Cleared alarm 'STATE' CLEARED",
    'HIGH to NORMAL NONE',
  ]);
  expect(service.events(node)[1]).toMatchObject({
    level: 'INFO',
    eventType: 'CONFIGURATION',
    username: 'jo@example.org',
    timeMs: NOW,
  });
  expect(service.alarms(node).map((alarm) => alarm.alarmState)).toEqual([
    'ACTIVE',
    'ACKNOWLEDGED',
    'ACTIVE',
    'ACKNOWLEDGED',
    'ACKNOWLEDGED',
    'CLEARED',
  ]);
});

test('nothing to acknowledge or clear is fine, and announces nothing', async () => {
  const node = parameter(STATES);
  service.peers.nodes.set(node.nodeId, node);
  await service.acknowledge(caller(node.ownerId), node.nodeId, 'qualityAlarm');
  await service.clear(caller(node.ownerId), node.nodeId);
  expect(await reported(node)).toEqual([]);
});

test('acknowledging while records are evaluated: each finds what the other left', async () => {
  const node = await alarming();
  const by = caller(node.ownerId);
  const writes = Array.from({ length: 10 }, (_, n) =>
    service.publish([{ kind: 'column', column: column(node, [[NOW + n + 1, n % 2 === 0 ? 0 : 60]]) }]),
  );
  const acknowledgements = Array.from({ length: 10 }, () => service.acknowledge(by, node.nodeId));
  await Promise.all([...writes, ...acknowledgements]);
  await service.idle();
  // Ordered by revision, every change is one that the life cycle knows.
  const path = service.alarms(node).sort((a, b) => a.revision - b.revision);
  const steps = path.map((alarm, n) => `${path[n - 1]?.alarmState ?? 'CLEARED'} ${alarm.alarmState}`);
  const allowed = ['CLEARED ACTIVE', 'ACTIVE ACKNOWLEDGED', 'ACTIVE CLEARED', 'ACKNOWLEDGED CLEARED'];
  expect(steps.filter((step) => !allowed.includes(step))).toEqual([]);
  expect(service.events(node).filter((event) => event.alarmState !== 'NONE')).toHaveLength(path.length);
});

test.each([
  ['an unknown type', { alarmTypes: 'fireAlarm' }, 'invalid_argument'],
  ['a type that the node lacks', { alarmTypes: 'dataAlarm' }, 'invalid_argument'],
  ['a comment that is too long', { comment: '😀'.repeat(501) }, 'invalid_argument'],
  ['a comment that cannot be stored', { comment: 'a\0b' }, 'invalid_argument'],
  ['a wrong argument before an unknown node', { alarmTypes: 'x', nodeRef: newObjectId() }, 'invalid_argument'],
  ['an unknown node', { nodeRef: newObjectId() }, 'not_found'],
  ["another account's node", { by: { ownerId: newObjectId() } }, 'not_found'],
  [
    'a node outside the workspaces',
    { by: { accessLevel: 'LIMITED_WORKSPACES' as const, workspaceIds: [] } },
    'permission_denied',
  ],
  [
    'a READ_ONLY key, before anything else',
    { by: { permission: 'READ_ONLY' as const }, alarmTypes: 'x' },
    'permission_denied',
  ],
])('refuses %s, and changes nothing', async (_what, given: Record<string, unknown>, kind) => {
  const node = await alarming();
  const { alarmTypes = '', comment = '', nodeRef = node.nodeId, by = {} } = given as Record<string, string>;
  const asking = caller(node.ownerId, by as object);
  await expect(service.acknowledge(asking, nodeRef, alarmTypes, comment)).rejects.toMatchObject({ kind });
  expect(service.alarms(node)).toHaveLength(1);
});

test.each([
  ['VIEW', 'permission_denied', 'permission_denied'],
  ['ACKNOWLEDGE_ALARMS', 'done', 'permission_denied'],
  ['EDIT_ALARMS', 'permission_denied', 'done'],
])('a workspace user with %s acknowledges: %s, clears: %s', async (permission, acknowledged, cleared) => {
  const outcome = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      (error: { kind: string }) => error.kind,
    );
  const node = await alarming();
  const grant = { permissions: ['VIEW', permission], workspaceIds: [node.workspaceId] };
  const user = caller(node.ownerId, { accessLevel: 'WORKSPACES', rights: { grants: [grant] } });
  expect(await outcome(service.acknowledge(user, node.nodeId))).toBe(acknowledged);
  expect(await outcome(service.clear(user, node.nodeId))).toBe(cleared);
});

const { ALARM_ACTION_ACKNOWLEDGE: ACKNOWLEDGE, ALARM_ACTION_CLEAR: CLEAR } = AlarmAction;

test('a list of alarms is acknowledged and cleared, each entry answered by itself, none twice', async () => {
  const [first, base] = [await alarming(), await alarming()];
  // The node belongs to the same account, in another workspace.
  const second = { ...base, ownerId: first.ownerId, customId: 'weir', revision: 2 };
  await service.nodeChanged(second);
  const stranger = await alarming();
  service.peers.nodes.set('@weir', second);
  const grant = { permissions: ['VIEW', 'ACKNOWLEDGE_ALARMS'], workspaceIds: [first.workspaceId] };
  const viewer = { permissions: ['VIEW'], workspaceIds: [second.workspaceId] };
  const user = caller(first.ownerId, { accessLevel: 'WORKSPACES', rights: { grants: [grant, viewer] } } as object);
  const list = [
    [first.nodeId, 'stateAlarm'],
    ['@weir', 'stateAlarm'],
    [first.nodeId, 'qualityAlarm'],
    [first.nodeId, 'dataAlarm'],
    [stranger.nodeId, 'stateAlarm'],
    [newObjectId(), 'stateAlarm'],
    [first.nodeId, 'STATEALARM'],
  ] as const;
  const [denied, unsupported, gone] = ['permission_denied', 'invalid_argument', 'not_found'];
  expect(await service.changeListed(user, ACKNOWLEDGE, list, 'on my way')).toEqual([
    'done',
    denied,
    'done',
    unsupported,
    gone,
    gone,
    'done',
  ]);
  expect(await service.changeListed(user, CLEAR, list.slice(0, 1))).toEqual([denied]);
  const owner = caller(first.ownerId);
  expect(await service.changeListed(owner, CLEAR, list.slice(0, 2))).toEqual(['done', 'done']);
  expect(await reported(first)).toEqual([
    'NORMAL to HIGH ACTIVE',
    "Acknowledged alarm 'STATE' with comment 'on my way' ACKNOWLEDGED",
    "Cleared alarm 'STATE' CLEARED",
  ]);
  expect(await reported(base)).toEqual(['NORMAL to HIGH ACTIVE', "Cleared alarm 'STATE' CLEARED"]);
  expect(await reported(stranger)).toEqual(['NORMAL to HIGH ACTIVE']);
});

test.each([
  ['an unknown type', [['$node', 'fireAlarm']], 'invalid_argument', {}],
  ['no entry', [], 'invalid_argument', {}],
  ['too many', Array.from({ length: 1_001 }, () => ['$node', 'stateAlarm']), 'invalid_argument', {}],
  ['a READ_ONLY key', [['$node', 'stateAlarm']], 'permission_denied', { permission: 'READ_ONLY' as const }],
] as const)('a list with %s is refused as a whole', async (_what, list, kind, by) => {
  const node = await alarming();
  const alarms = list.map(([ref = '', type = '']) => [ref.replace('$node', node.nodeId), type] as const);
  await expect(service.changeListed(caller(node.ownerId, by), ACKNOWLEDGE, alarms)).rejects.toMatchObject({ kind });
  expect(service.alarms(node)).toHaveLength(1);
});

test('a comment of 500 characters is taken', async () => {
  const node = await alarming();
  await service.acknowledge(caller(node.ownerId), node.nodeId, '', '😀'.repeat(500));
  expect(service.alarms(node)).toHaveLength(2);
});

test('a node that can have no alarm is refused', async () => {
  const node = { ...parameter(STATES), class: 'Group', series: undefined };
  service.peers.nodes.set(node.nodeId, node);
  await expect(service.clear(caller(node.ownerId), node.nodeId)).rejects.toMatchObject({ kind: 'invalid_argument' });
});

test('what is no longer needed is swept away', async () => {
  const node = await alarming();
  await service.nodesDeleted(node);
  const isKnown = async () => (await service.store.readNodes([node.nodeId])).size === 1;
  const DAY_MS = 86_400_000;
  await sweep(service.store, Date.now() + 29 * DAY_MS);
  expect(await isKnown()).toBe(true);
  await sweep(service.store, Date.now() + 31 * DAY_MS);
  expect(await isKnown()).toBe(false);
});
