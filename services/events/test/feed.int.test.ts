import type { ApiCaller } from '@catchment/access';
import { newObjectId } from '@catchment/ids';
import { caller, NOW, recorded, type Service, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Makes an account with an event for each letter, recorded one after the other. */
async function account(letters: string, change: Parameters<typeof recorded>[0] = {}) {
  const by = caller();
  const begin = (await service.readFeed(by)).cursor;
  const write = async (more: string, also: Parameters<typeof recorded>[0] = {}) => {
    for (const message of more)
      await service.events.record([recorded({ ownerId: by.ownerId, message, ...change, ...also })]);
  };
  await write(letters);
  return { by, begin, write };
}

test('without a cursor a stream begins with what is recorded from then on', async () => {
  const { by, write } = await account('ab');
  const first = await service.readFeed(by);
  expect([first.texts, first.hasMore]).toEqual(['', false]);
  await write('c');
  expect((await service.readFeed(by, first.cursor)).texts).toBe('c');
});

test('each event is the cursor of the next: no gap, nothing twice, in the order of recording', async () => {
  const { by, begin, write } = await account('ab');
  await write('c', { timeMs: NOW - 86_400_000 });
  const all = await service.readFeed(by, begin);
  expect(all.texts).toBe('abc');
  const after = await Promise.all(all.messages.map(async ({ id }) => (await service.readFeed(by, id)).texts));
  expect(after).toEqual(['bc', 'c', '']);
  expect((await service.readFeed(by, all.cursor)).texts).toBe('');
});

test('an event is what GET /events shows, with the attributes that are asked for', async () => {
  const { by, begin } = await account('a');
  const listed = await service.list(by);
  expect((await service.readFeed(by, begin)).messages.map(({ event }) => event)).toEqual(listed);
  const selected = await service.readFeed(by, begin, { attr: 'message,level' });
  expect(selected.messages.map(({ event }) => event)).toEqual([{ message: 'a', level: 'INFO' }]);
});

test('a filter takes some, and the cursor passes the others', async () => {
  const { by, begin, write } = await account('ab');
  await write('c', { level: 'WARNING' });
  await write('d');
  const part = await service.readFeed(by, begin, { filter: 'level($eq:WARNING)' });
  expect(part.texts).toBe('c');
  expect(Number(part.cursor)).toBeGreaterThan(Number(part.messages[0]?.id));
});

test('a long backlog comes in parts, the whole of it', async () => {
  const { by, begin } = await account('');
  const events = Array.from({ length: 450 }, (_, n) => recorded({ ownerId: by.ownerId, message: `${n},` }));
  for (const event of events) await service.events.record([event]);
  const texts: string[] = [];
  let [cursor, hasMore] = [begin, true];
  while (hasMore) {
    const part = await service.readFeed(by, cursor);
    texts.push(part.texts);
    ({ cursor, hasMore } = part);
  }
  expect(texts.length).toBeGreaterThan(2);
  expect(texts.join('')).toBe(events.map(({ message }) => message).join(''));
});

test('a filter that takes nothing of a long backlog looks at a bounded piece of it at a time', async () => {
  const { by, begin } = await account('');
  const events = Array.from({ length: 5_500 }, () => recorded({ ownerId: by.ownerId, message: 'x' }));
  await service.events.record(events);
  const nothing = { filter: 'message($eq:y)' };
  const first = await service.readFeed(by, begin, nothing);
  expect([first.texts, first.hasMore]).toEqual(['', true]);
  const second = await service.readFeed(by, first.cursor, nothing);
  expect([second.texts, second.hasMore]).toEqual(['', false]);
  expect(Number(second.cursor) - Number(first.cursor)).toBeLessThan(1_000);
});

test('a caller sees what GET /events would show: other accounts, workspaces and closed nodes stay hidden', async () => {
  const [open, hidden, closed] = [newObjectId(), newObjectId(), newObjectId()];
  const { by, begin, write } = await account('a', { workspaceId: open });
  await write('b', { workspaceId: hidden });
  await write('c', { nodeId: closed });
  await write('d', { workspaceId: '', nodeId: '', nodeClass: '' });
  const of = async (change: Partial<ApiCaller>) => (await service.readFeed({ ...by, ...change }, begin)).texts;
  expect(await of({})).toBe('abcd');
  expect(await of({ accessLevel: 'WORKSPACES' })).toBe('abc');
  expect(await of({ accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [hidden] })).toBe('b');
  expect(await of({ accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [] })).toBe('');
  expect(await of({ ownerId: newObjectId() })).toBe('');
  const grants = [{ permissions: ['VIEW'], workspaceIds: [open] }];
  expect(await of({ accessLevel: 'WORKSPACES', rights: { grants } })).toBe('ac');
  service.closed.push(closed);
  expect(await of({ accessLevel: 'WORKSPACES', rights: { grants, closedAsOfMs: 1 } })).toBe('a');
  service.closed.length = 0;
});

test.each([
  ['a text', 'abc'],
  ['a negative number', '-1'],
  ['a number with a fraction', '1.5'],
  ['a number that is too long', '9'.repeat(16)],
  ['a place that the log has not come to', '999999999999999'],
])('%s is no cursor', async (_what, cursor) => {
  const reason = 'INVALID_CURSOR';
  await expect(service.readFeed(caller(), cursor)).rejects.toMatchObject({ kind: 'invalid_argument', reason });
});

test.each(['', '0'])('a wrong filter is refused before anything is read (cursor %j)', async (cursor) => {
  for (const filter of ['level($gt:INFO)', 'eventTime($gt:2016-01-01)', 'level('])
    await expect(service.readFeed(caller(), cursor, { filter })).rejects.toMatchObject({ reason: 'INVALID_FILTER' });
});

test('a cursor stays good when the newest event has been deleted with its node', async () => {
  const { by, begin, write } = await account('a');
  const nodeId = newObjectId();
  await write('b', { nodeId });
  const { cursor } = await service.readFeed(by, begin);
  await service.events.forgetNodes([nodeId]);
  expect(await service.readFeed(by, cursor)).toMatchObject({ texts: '', cursor });
  await write('c');
  expect((await service.readFeed(by, cursor)).texts).toBe('c');
});

test('a watcher hears of the accounts that have new events, each as soon as it is recorded', async () => {
  const stop = new AbortController();
  const watch = (await service.watchAccounts(stop.signal))[Symbol.asyncIterator]();
  expect((await watch.next()).value).toEqual({ ownerIds: [] });
  const [first, other] = [newObjectId(), newObjectId()];
  for (const ownerId of [first, other]) {
    await service.events.record([recorded({ ownerId })]);
    await service.tail.look();
    expect((await watch.next()).value).toEqual({ ownerIds: [ownerId] });
  }
  stop.abort();
  await expect(watch.next()).rejects.toMatchObject({ kind: 'cancelled' });
  service.tail.close();
});

test('no other service than the gateway may watch accounts', async () => {
  const watch = (await service.watchAccounts(new AbortController().signal, 'historic'))[Symbol.asyncIterator]();
  await expect(watch.next()).rejects.toMatchObject({ kind: 'permission_denied' });
});
