import { newObjectId } from '@catchment/ids';
import { caller, NOW, recorded, type Service, startService } from './fixture.ts';

let service: Service;
const [workspaceId, elsewhere, node, neighbour] = [newObjectId(), newObjectId(), newObjectId(), newObjectId()];
const account = caller({ permission: 'MODIFY' });
const { ownerId } = account;
const other = caller({ permission: 'MODIFY' });
const outside = caller({ ownerId, permission: 'MODIFY', accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [elsewhere] });
const user = (permissions: string[]) =>
  caller({ ownerId, permission: 'MODIFY', rights: { grants: [{ permissions, workspaceIds: [workspaceId] }] } });

beforeAll(async () => {
  service = await startService();
  service.nodes.set(node, { ownerId, workspaceId });
  service.nodes.set(neighbour, { ownerId, workspaceId });
});
beforeEach(() => service.database.query('DELETE FROM events'));
afterAll(() => service.close());

const shown = async () =>
  (await service.list(account)).map(({ message, eventTime, nodeId }) => [message, eventTime, nodeId]);

test('events of a node are made by hand, at the time of the request where they have none', async () => {
  await service.create(account, node, [
    { message: 'Sensor cleaned', eventTime: '2024-08-16T09:30Z' },
    { message: ' Seen ' },
  ]);
  const events = await service.list(account);
  expect(events).toEqual([
    expect.objectContaining({
      message: 'Sensor cleaned',
      eventTime: '2024-08-16T09:30:00.000Z',
      nodeId: node,
      workspaceId,
    }),
    expect.objectContaining({ message: 'Seen', eventTime: new Date(NOW).toISOString() }),
  ]);
  for (const event of events)
    expect(event).toMatchObject({
      level: 'INFO',
      eventType: 'CONFIGURATION',
      alarmState: 'NONE',
      username: account.username,
    });
});

test('a request that comes again under its key makes its events once; another one makes others', async () => {
  const keyed = (id: string, tryNumber: number) => ({ ...account, keyed: { id, tryNumber, isOnce: false } });
  const body = [
    { message: 'Sensor cleaned', eventTime: '2024-08-16T09:30Z' },
    { message: 'Seen' },
    { message: 'Seen' },
  ];
  for (const by of [keyed('first', 1), keyed('first', 2), keyed('second', 1)]) await service.create(by, node, body);
  const messages = (await service.list(account)).map(({ message }) => message).sort();
  expect(messages).toEqual(['Seen', 'Seen', 'Seen', 'Seen', 'Sensor cleaned', 'Sensor cleaned']);
});

const text = 'x'.repeat(501);
test.each([
  ['no array', { message: 'a' }, 'body'],
  ['an empty array', [], 'body'],
  ['too many', Array(1_001).fill({ message: 'a' }), 'body'],
  ['no object', [{ message: 'a' }, 'b'], '[1]'],
  ['no message', [{ eventTime: NOW }], '[0].message'],
  ['another message than a text', [{ message: 5 }], '[0].message'],
  ['an empty message', [{ message: 'a' }, { message: ' \n ' }], '[1].message'],
  ['a long message', [{ message: text }], '[0].message'],
  ['a wrong time', [{ message: 'a', eventTime: 'yesterday' }], '[0].eventTime'],
  ['a time before 1800', [{ message: 'a', eventTime: '1700-01-01' }], '[0].eventTime'],
])('refused whole: %s', async (_what, body, at) => {
  await expect(service.create(account, node, body)).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringMatching(`^${at.replace(/[[\].]/g, '\\$&')}: must be `),
  });
  expect(await shown()).toEqual([]);
});

test('a message may have 500 characters of any kind', async () => {
  await service.create(account, node, [{ message: '🌊'.repeat(500) }]);
  expect((await shown())[0]?.[0]).toBe('🌊'.repeat(500));
});

test('clearing removes the events of the node alone, and adds its event', async () => {
  await service.events.record([
    recorded({ ownerId, nodeId: node, workspaceId, message: 'mine' }),
    recorded({ ownerId, nodeId: neighbour, workspaceId, message: 'next', timeMs: NOW - 1 }),
  ]);
  await service.clear(account, node);
  expect(await shown()).toEqual([
    ['next', new Date(NOW - 1).toISOString(), neighbour],
    ['Cleared events', new Date(NOW).toISOString(), node],
  ]);
});

test.each([
  ['an unknown node', account, newObjectId(), 'not_found'],
  ["another account's node", other, node, 'not_found'],
  ['a node outside the workspaces', outside, node, 'permission_denied'],
  ['a user who may look alone', user(['VIEW']), node, 'permission_denied'],
])('nothing is made or removed for %s', async (_what, by, nodeRef, kind) => {
  await service.events.record([recorded({ ownerId, nodeId: node, workspaceId, message: 'kept' })]);
  await expect(service.create(by, nodeRef, [{ message: 'a' }])).rejects.toMatchObject({ kind });
  await expect(service.clear(by, nodeRef)).rejects.toMatchObject({ kind });
  expect((await shown()).map(([message]) => message)).toEqual(['kept']);
});

test('each change has its permission', async () => {
  await service.create(user(['VIEW', 'CONFIGURE']), node, [{ message: 'a' }]);
  await expect(service.clear(user(['VIEW', 'CONFIGURE']), node)).rejects.toMatchObject({ kind: 'permission_denied' });
  await expect(service.create(user(['VIEW', 'EDIT_DATA']), node, [])).rejects.toMatchObject({
    kind: 'invalid_argument',
  });
  await service.clear(user(['VIEW', 'EDIT_DATA']), node);
  expect((await shown()).map(([message]) => message)).toEqual(['Cleared events']);
});
