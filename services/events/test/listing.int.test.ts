import type { EventRecorded } from '@catchment/contracts/events';
import { newObjectId } from '@catchment/ids';
import { caller, NOW, recorded, type Service, startService } from './fixture.ts';

let service: Service;
const [workspaceA, workspaceB, node] = [newObjectId(), newObjectId(), newObjectId()];
const account = caller();
const other = caller();
const { ownerId } = account;
const limited = caller({ ownerId, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [workspaceB] });
const everywhere = caller({ ownerId, accessLevel: 'WORKSPACES' });
let stored: EventRecorded[];

beforeAll(async () => {
  service = await startService();
  service.nodes.set(node, { ownerId, workspaceId: workspaceA });
  const at = (iso: string, change: Partial<EventRecorded>) =>
    recorded({ ownerId, workspaceId: workspaceA, timeMs: Date.parse(iso), ...change });
  stored = [
    at('2016-01-31T23:59:59.999Z', { message: 'a', nodeId: node }),
    at('2016-02-01T00:00:00.000Z', { message: 'b', level: 'WARNING', alarmState: 'ACTIVE' }),
    at('2026-05-14T00:00:00.000Z', { message: 'c', workspaceId: workspaceB, eventType: 'CONFIGURATION' }),
    at('2026-05-15T00:00:00.000Z', { message: 'd', workspaceId: '', nodeId: '', nodeClass: '', eventType: 'SECURITY' }),
  ];
  await service.events.record([...stored, recorded({ ownerId: other.ownerId, message: 'theirs' })]);
});
afterAll(() => service.close());

const messages = (events: readonly Record<string, unknown>[]) => events.map((event) => event.message).join('');

test('an event in its public shape', async () => {
  const [event] = await service.list(account, { limit: '1' });
  expect(JSON.stringify(event)).toBe(
    JSON.stringify({
      _class: 'io.svc.models.event.Event',
      _id: stored[0]?.eventId,
      level: 'INFO',
      eventTime: '2016-01-31T23:59:59.999Z',
      eventType: 'STATE',
      message: 'a',
      alarmState: 'NONE',
      nodeId: node,
      nodeType: 'io.svc.models.node.point.NumberPoint',
      workspaceId: workspaceA,
      ownerId,
      username: 'System',
    }),
  );
});

test('an account event has no node and no workspace', async () => {
  const [event] = await service.list(account, { filter: 'message($eq:d)' });
  expect(Object.keys(event ?? {})).toEqual([
    '_class',
    '_id',
    'level',
    'eventTime',
    'eventType',
    'message',
    'alarmState',
    'ownerId',
    'username',
  ]);
});

test.each([
  ['an account key sees all', account, 'abcd'],
  ['a key of all workspaces sees no account events', everywhere, 'abc'],
  ['a limited key sees its workspaces', limited, 'c'],
  ['a limited key without any sees nothing', { ...limited, workspaceIds: [] }, ''],
  ['another account sees its own', other, 'theirs'],
])('%s', async (_what, by, seen) => {
  expect(messages(await service.list(by))).toBe(seen);
});

describe('a workspace user', () => {
  const rights = { grants: [{ permissions: ['VIEW'], workspaceIds: [workspaceA] }] };
  const user = caller({ ownerId, accessLevel: 'WORKSPACES', rights });

  test('sees the workspaces with access, within the limits of the key', async () => {
    expect(messages(await service.list(user))).toBe('ab');
    expect(messages(await service.list({ ...user, rights: { grants: [] } }))).toBe('');
    const both = { ...user, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [workspaceB] } as const;
    expect(messages(await service.list(both))).toBe('');
  });

  test('sees nothing of nodes that are closed', async () => {
    service.closed.push(node);
    const cutOff = { ...user, rights: { ...rights, closedAsOfMs: 1 } };
    expect(messages(await service.list(cutOff))).toBe('b');
    expect(messages(await service.list(user))).toBe('ab');
    expect(messages(await service.list(account))).toBe('abcd');
  });
});

test.each([
  ['both bounds belong to it', { startTime: '2016-02-01', endTime: '2026-05-14' }, 'bc'],
  ['start only', { startTime: '2016-02-01T00:00:00.001Z' }, 'cd'],
  ['end only, across a month border', { endTime: '2016-01-31T23:59:59.999Z' }, 'a'],
  ['relative', { startTime: 'NOW-2D' }, 'cd'],
  ['newest first', { sort: 'eventTime(DESC)' }, 'dcba'],
  ['sort comes before skip and limit', { sort: 'message(DESC)', skip: '1', limit: '2' }, 'cb'],
  ['skip beyond the end', { skip: '9' }, ''],
  ['filter by level', { filter: 'level($eq:WARNING)' }, 'b'],
  ['filter by alternatives', { filter: 'alarmState($eq:ACTIVE)|eventType($eq:SECURITY)' }, 'bd'],
  ['filter by class', { filter: '_class($eq:io.svc.models.event.Event),nodeType($match:.point.)' }, 'abc'],
  ['filter by node', { filter: `nodeId($eq:${node})` }, 'a'],
  ['filter by the customId of a node', { filter: `nodeId($eq:@${node.slice(0, 8)})` }, 'a'],
  ['filter by a customId that names no node', { filter: 'nodeId($eq:@nobody)|nodeId($ne:@nobody)' }, ''],
  ['filter by absence', { filter: 'workspaceId($eq:null)' }, 'd'],
  ['filter by an unknown attribute', { filter: 'colour($eq:red)' }, ''],
  ['an empty filter', { filter: '' }, 'abcd'],
] as [string, Record<string, string>, string][])('%s', async (_what, given, seen) => {
  expect(messages(await service.list(account, given))).toBe(seen);
});

test('attr selects, in its order', async () => {
  const [event] = await service.list(account, { attr: 'message,_id,nothing', limit: '1' });
  expect(JSON.stringify(event)).toBe(JSON.stringify({ message: 'a', _id: stored[0]?.eventId }));
  expect(await service.list(account, { attr: 'nothing', limit: '1' })).toEqual([{}]);
});

test.each([
  ['a node that some have not', 'd', 'nodeId,message,workspaceId', ['message']],
  ['nothing that it has', 'd', 'nodeId,alarmType', []],
  ['a node that it has', 'a', 'nodeId,message,alarmEndTime,_class', ['nodeId', 'message', '_class']],
] as const)('attr begins with %s', async (_what, message, attr, names) => {
  const [event] = await service.list(account, { attr, filter: `message($eq:${message})` });
  expect(Object.keys(event ?? {})).toEqual(names);
});

test('texts are escaped as JSON.stringify does it', async () => {
  const texts = ['"', '\\', '\\"', '/', '{"a":1}', '\u00e4\u{1f600}', '\u2028', '\u007f', "'", '%s $1', '&lt;'];
  const by = caller();
  const events = texts.map((text, n) =>
    recorded({ ownerId: by.ownerId, timeMs: NOW + n, message: text, username: text, nodeClass: text }),
  );
  await service.events.record(events);
  const [chunk, ...rest] = await service.chunks(by);
  const shown = events.map((event) => ({
    _class: 'io.svc.models.event.Event',
    _id: event.eventId,
    level: event.level,
    eventTime: new Date(event.timeMs).toISOString(),
    eventType: event.eventType,
    message: event.message,
    alarmState: event.alarmState,
    nodeId: event.nodeId,
    nodeType: `io.svc.models.node.${event.nodeClass}`,
    workspaceId: event.workspaceId,
    ownerId: event.ownerId,
    username: event.username,
  }));
  expect([chunk, ...rest].map((part) => String(part?.data)).join('')).toBe(JSON.stringify(shown));
});

test('events of a node are its own only', async () => {
  expect(messages(await service.list(account, {}, node))).toBe('a');
});

test.each([
  ['eventTime in a filter', account, { filter: 'eventTime($gt:2016-01-01)' }, '', 'invalid_argument'],
  ['order of a text', account, { filter: 'level($gt:INFO)' }, '', 'invalid_argument'],
  ['a wrong argument before an unknown node', account, { limit: '0' }, newObjectId(), 'invalid_argument'],
  ['a wrong filter before an unknown node', account, { filter: 'level($gt:INFO)' }, newObjectId(), 'invalid_argument'],
  ['an unknown node', account, {}, newObjectId(), 'not_found'],
  ["another account's node", other, {}, node, 'not_found'],
  ['a node outside the workspaces', limited, {}, node, 'permission_denied'],
] as [string, typeof account, Record<string, string>, string, string][])(
  'refuses %s',
  async (_what, by, given, nodeRef, kind) => {
    await expect(service.list(by, given, nodeRef)).rejects.toMatchObject({ kind });
  },
);

test('10 000 events stream in pieces; without bounds 1000 are the default', async () => {
  const { ownerId: many } = caller();
  const by = caller({ ownerId: many });
  for (let page = 0; page < 3; page += 1) {
    const events = Array.from({ length: 3_500 }, (_, n) =>
      recorded({ ownerId: many, timeMs: NOW + page * 3_500 + n, message: String(page * 3_500 + n) }),
    );
    await service.events.record(events);
  }
  const chunks = await service.chunks(by, { arguments: { startTime: '2026-05-15', endTime: '2026-05-16' } });
  expect(chunks.length).toBeGreaterThan(10);
  expect(chunks.map((chunk) => chunk.contentType).filter(Boolean)).toEqual(['application/json; charset=utf-8']);
  const listed = JSON.parse(Buffer.concat(chunks.map((chunk) => chunk.data)).toString());
  expect(listed).toHaveLength(10_000);
  expect([listed[0].message, listed.at(-1).message]).toEqual(['0', '9999']);
  expect(await service.list(by, { skip: '10000' })).toHaveLength(500);
  expect(await service.list(by)).toHaveLength(1_000);
});

test('nothing to list is an empty array', async () => {
  expect((await service.chunks(caller())).map((chunk) => String(chunk.data))).toEqual(['[]']);
});

describe('alarms with their ends', () => {
  const [raisedNode, otherNode, workspaceC] = [newObjectId(), newObjectId(), newObjectId()];
  const owner = caller();
  const at = (hour: number, alarmState: string, more: Partial<EventRecorded> = {}) =>
    recorded({
      ownerId: owner.ownerId,
      workspaceId: workspaceC,
      nodeId: raisedNode,
      alarmType: 'stateAlarm',
      alarmState,
      timeMs: Date.UTC(2024, 0, 31, hour),
      message: `${alarmState} ${hour}`,
      ...more,
    });
  const time = (hour: number) => new Date(Date.UTC(2024, 0, 31, hour)).toISOString();
  const ends = async (arguments_: Record<string, string> = {}) =>
    (await service.list(owner, { attr: 'message,alarmType,alarmEndTime', sort: 'eventTime', ...arguments_ })) as {
      message: string;
      alarmType?: string;
      alarmEndTime?: string;
    }[];

  beforeAll(async () => {
    await service.events.record([
      at(1, 'ACTIVE'),
      at(2, 'ACKNOWLEDGED'),
      at(3, 'NONE'),
      at(4, 'CLEARED', { nodeId: otherNode }),
      at(4, 'CLEARED', { alarmType: 'qualityAlarm' }),
      at(5, 'ACTIVE'),
      // This one lies in another month.
      at(30, 'CLEARED'),
      at(31, 'ACTIVE'),
      // Raised and cleared within a moment.
      at(32, 'ACTIVE', { nodeId: otherNode }),
      at(32, 'CLEARED', { nodeId: otherNode, message: 'CLEARED at once' }),
      at(33, 'ACTIVE', { alarmType: '', message: 'of no known alarm' }),
    ]);
  });

  test.each([
    ['raised anew', 'ACTIVE 1', time(5)],
    ['cleared, in another month', 'ACTIVE 5', time(30)],
    ['it lasts', 'ACTIVE 31', undefined],
    ['cleared within a moment', 'ACTIVE 32', time(32)],
    ['acknowledged', 'ACKNOWLEDGED 2', undefined],
    ['cleared: an end of others, with none of its own', 'CLEARED 30', undefined],
    ['from before alarms had names', 'of no known alarm', undefined],
  ])('%s', async (_what, message, end) => {
    const found = (await ends()).find((event) => event.message === message);
    expect(found?.alarmEndTime).toBe(end);
  });

  test('are shown where attr names them, and nowhere else', async () => {
    const [event] = await ends({ limit: '1' });
    expect(event).toEqual({ message: 'ACTIVE 1', alarmType: 'stateAlarm', alarmEndTime: time(5) });
    expect(Object.keys((await service.list(owner, { limit: '1' }))[0] ?? {})).not.toContain('alarmType');
  });

  test('the alarm can be filtered by, its end cannot', async () => {
    expect(await ends({ filter: 'alarmType($eq:qualityAlarm)' })).toHaveLength(1);
    await expect(ends({ filter: 'alarmEndTime($eq:null)' })).rejects.toThrow('filter must not use alarmEndTime');
    await expect(ends({ sort: 'alarmEndTime' })).rejects.toThrow('sort must not use alarmEndTime');
  });
});
