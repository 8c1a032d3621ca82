import type { ApiCaller } from '@catchment/access';
import { nodeFeedHandlers, sweepGone } from '../src/feed/index.ts';
import { rightsOf } from '../src/rights/index.ts';
import { applyBatches } from '../src/values/index.ts';
import { decoded, number, T, written } from './applied.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { securityClient } from './security-client.ts';

type Account = Awaited<ReturnType<Fixture['account']>>;
type Sent = { readonly event: string; readonly data: Json };

let f: Fixture;
let handlers: ReturnType<typeof nodeFeedHandlers>;
let mine: Account;
let workspace: Json;
let other: Json;
let location: Json;
beforeAll(async () => {
  f = await openFixture();
  handlers = nodeFeedHandlers(f);
});
afterAll(() => f.close());
beforeEach(async () => {
  mine = await f.account();
  workspace = await mine.create('Workspace', 'Site');
  other = await mine.create('Workspace', 'Other site');
  location = await mine.create('location.Location', 'Station', workspace._id);
});

/** Opens a stream of a caller, which is read when a test asks for its news. */
async function follow(caller: () => ApiCaller | Promise<ApiCaller>, given: Record<string, string> = {}) {
  const read = async (cursor: string) => {
    const context = { caller: await caller() } as Parameters<typeof handlers.readFeed>[1];
    return handlers.readFeed({ arguments: given, cursor }, context);
  };
  let { cursor } = await read('');
  return {
    get cursor() {
      return cursor;
    },
    /** Returns what has been sent since the last call, all parts of it. */
    async news(from = cursor): Promise<Sent[]> {
      const sent: Sent[] = [];
      for (let [at, hasMore] = [from, true]; hasMore; ) {
        const part = await read(at);
        sent.push(
          ...part.messages.map(({ event, data }) => ({ event, data: JSON.parse(Buffer.from(data).toString()) })),
        );
        ({ cursor: at, hasMore } = part);
        cursor = at;
      }
      return sent;
    },
    async short(from = cursor): Promise<string[]> {
      return (await this.news(from))
        .map(({ event, data }) => (event === 'reset' ? event : `${event} ${data._id}`))
        .sort();
    },
  };
}
const following = (given: Record<string, string> = {}, change: Partial<ApiCaller> = {}) =>
  follow(() => ({ ...mine.caller, ...change }), given);
const limitedTo = (...nodes: Json[]): Partial<ApiCaller> => ({
  accessLevel: 'LIMITED_WORKSPACES',
  workspaceIds: nodes.map(({ _id }) => _id),
});

let sequence = 0;
const write = async (node: Json, value: number) => {
  sequence += 1;
  const series: object = written(node._id, mine.ownerId, number(T + sequence, value));
  const deps = { database: f.database, readEdges: async () => new Map(), acquisitionEventMs: 0 };
  await applyBatches(
    deps,
    0,
    decoded({ partition: 0, logSequence: sequence, ...series }),
    new AbortController().signal,
  );
};

test('a stream begins with what changes from then on: made, updated, written and deleted nodes', async () => {
  const stream = await following();
  expect(await stream.news()).toEqual([]);
  const source = await mine.create('source.data.Jts', 'Logger', location._id);
  expect(await stream.short()).toEqual([`node ${source._id}`]);
  const point = await mine.create('point.NumberPoint', 'Level', source._id);
  await stream.news();
  await mine.update(source._id, { name: 'Sonde' });
  const { permissions: _permissions, ...shown } = await mine.get(source._id);
  expect(await stream.news()).toContainEqual({ event: 'node', data: shown });
  await write(point, 7);
  const sent = await stream.news();
  expect(sent).toContainEqual({ event: 'node', data: expect.objectContaining({ _id: point._id, currentValue: 7 }) });
  expect(await stream.news()).toEqual([]);
  await mine.remove(source._id);
  expect(await stream.short()).toEqual([`removed ${source._id}`, `removed ${point._id}`].sort());
  expect(await stream.news()).toEqual([]);
});

test('a node is shown as GET /nodes shows it, with the attributes that are asked for', async () => {
  const stream = await following({ attr: 'name,_id' });
  await mine.update(location._id, { name: 'Bridge' });
  expect(await stream.news()).toEqual([{ event: 'node', data: { name: 'Bridge', _id: location._id } }]);
});

test('from any earlier place all that has changed since is reported, each node once', async () => {
  const stream = await following();
  const begin = stream.cursor;
  await mine.update(location._id, { name: 'One' });
  await stream.news();
  const middle = stream.cursor;
  await mine.update(location._id, { name: 'Two' });
  await mine.update(workspace._id, { name: 'Campus' });
  const later = [`node ${location._id}`, `node ${workspace._id}`].sort();
  expect(await stream.short(begin)).toEqual(later);
  expect(await stream.short(middle)).toEqual(later);
  expect(await stream.short()).toEqual([]);
});

test('what was under way when a place was named, and is committed after it, is reported', async () => {
  const stream = await following();
  await mine.update(other._id, { name: 'Campus' });
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const writing = f.database.transactionOnce(async (tx) => {
    await tx.query(`UPDATE nodes SET name = 'Late' WHERE node_id = $1`, [location._id]);
    await tx.query(
      `INSERT INTO owner_revisions VALUES ($1, 'test', 1)
       ON CONFLICT (owner_id, writer) DO UPDATE SET revision = owner_revisions.revision + 1`,
      [mine.ownerId],
    );
    begun.resolve();
    await slow.promise;
  });
  await begun.promise;
  // Transactions with later numbers are committed and reported first.
  await f.database.query(`UPDATE nodes SET name = 'Campus 2' WHERE node_id = $1`, [other._id]);
  expect(await stream.short()).toEqual([`node ${other._id}`]);
  slow.resolve();
  await writing;
  expect(await stream.short()).toEqual([`node ${location._id}`]);
});

test('a filter takes some; one that is not taken any more is removed', async () => {
  const stream = await following({ filter: 'name($match:Station)', attr: '_id' });
  await mine.update(other._id, { name: 'Not taken' });
  await mine.update(location._id, { name: 'Station 2' });
  expect(await stream.short()).toContain(`node ${location._id}`);
  await mine.update(location._id, { name: 'Bridge' });
  expect(await stream.short()).toEqual([`removed ${location._id}`]);
});

test('nodes of other accounts and workspaces are never reported, gone or not', async () => {
  const theirs = await f.account();
  const [limited, foreign] = [await following({}, limitedTo(other)), await follow(() => theirs.caller)];
  const group = await mine.create('Group', 'North', workspace._id);
  await mine.update(location._id, { name: 'Bridge' });
  await mine.move(location._id, { parentId: group._id });
  await mine.remove(group._id);
  expect(await limited.news()).toEqual([]);
  expect(await foreign.news()).toEqual([]);
});

test('a node that is moved out of the workspaces of a key is removed, one that is moved in appears', async () => {
  const [left, right, both] = [
    await following({}, limitedTo(workspace)),
    await following({}, limitedTo(other)),
    await following({}, limitedTo(workspace, other)),
  ];
  await mine.move(location._id, { parentId: other._id });
  expect(await left.short()).toEqual([`removed ${location._id}`]);
  expect(await right.short()).toEqual([`node ${location._id}`]);
  expect(await both.short()).toEqual([`node ${location._id}`]);
  await mine.remove(location._id);
  expect(await left.news()).toEqual([]);
  expect(await right.short()).toEqual([`removed ${location._id}`]);
});

describe('a workspace user', () => {
  let bob: () => Promise<ApiCaller>;
  let security: Awaited<ReturnType<typeof securityClient>>;
  let closed: Json;
  let address: string;
  beforeEach(async () => {
    security = await securityClient(f, mine.caller);
    address = `bob-${mine.ownerId}@example.org`;
    await security.grant(workspace._id, { users: [{ user: address, role: 'View' }] });
    closed = await mine.create('Group', 'Closed', workspace._id);
    await security.grant(closed._id, { users: [{ user: address, role: 'No Access' }] });
    const { rows } = await f.database.query<{ user_id: string }>('SELECT user_id FROM users WHERE address = $1', [
      address,
    ]);
    const userId = rows[0]?.user_id ?? '';
    bob = async () => {
      const { grants, closedAsOfMs } = await rightsOf(f.database, mine.ownerId, userId, f.now());
      const rights = { grants, ...(closedAsOfMs !== undefined && { closedAsOfMs }) };
      return { ...mine.caller, userId, username: address, accessLevel: 'WORKSPACES', rights };
    };
  });

  test('hears nothing of closed branches: not of changes, of what is made there, moved within or deleted', async () => {
    const stream = await follow(bob);
    const hidden = await mine.create('location.Location', 'Hidden', closed._id);
    const inner = await mine.create('Group', 'Inner', closed._id);
    await mine.update(hidden._id, { name: 'Still hidden' });
    await mine.move(hidden._id, { parentId: inner._id });
    expect(await stream.news()).toEqual([]);
    await mine.remove(hidden._id);
    await mine.remove(inner._id);
    expect(await stream.news()).toEqual([]);
    await mine.update(location._id, { name: 'Bridge' });
    expect(await stream.short()).toEqual([`node ${location._id}`]);
  });

  test('sees a node go that is moved into a closed branch, and come back', async () => {
    const stream = await follow(bob);
    await mine.move(location._id, { parentId: closed._id });
    expect(await stream.short()).toEqual([`removed ${location._id}`]);
    await mine.move(location._id, { parentId: workspace._id });
    expect(await stream.short()).toEqual([`node ${location._id}`]);
  });

  test('begins anew when other branches are closed: all that can be seen follows, and nothing else', async () => {
    const stream = await follow(bob);
    await security.grant(location._id, { users: [{ user: address, role: 'No Access' }] });
    expect(await stream.short()).toEqual([`node ${workspace._id}`, 'reset']);
    await security.revoke(location._id, { users: [{ user: address }] });
    expect(await stream.short()).toEqual([`node ${workspace._id}`, `node ${location._id}`, 'reset'].sort());
    await security.revoke(workspace._id, { users: [{ user: address }] });
    expect(await stream.short()).toEqual(['reset']);
  });
});

test('a long list of changes comes in parts, the whole of it, also from the middle of it', async () => {
  const stream = await following({ attr: '_id' });
  const begin = stream.cursor;
  const made: string[] = [];
  for (let n = 0; n < 230; n += 1) made.push(`node ${(await mine.create('Group', `G${n}`, workspace._id))._id}`);
  expect(await stream.short()).toEqual(made.sort());
  const context = { caller: mine.caller } as Parameters<typeof handlers.readFeed>[1];
  const first = await handlers.readFeed({ arguments: { attr: '_id' }, cursor: begin }, context);
  expect([first.messages.length, first.hasMore]).toEqual([100, true]);
  expect(await stream.short(first.messages.at(-1)?.cursor)).toHaveLength(130);
});

test('a cursor of another stream begins anew', async () => {
  const stream = await following({ attr: '_id' });
  const wide = await following({ attr: 'name,_id' });
  expect((await stream.short(wide.cursor)).slice(-1)).toEqual(['reset']);
  expect(await stream.short()).toEqual([]);
});

test('a cursor from before the last week, or of a database that has been restored, begins anew', async () => {
  const stream = await following();
  const { cursor } = stream;
  const [view, , snapshot = ''] = cursor.split('.');
  const old = Math.floor(f.now() / 1_000 - 8 * 86_400).toString(36);
  const [oldest, next] = snapshot.split(':');
  await mine.update(location._id, { name: 'Bridge' });
  expect(await stream.short(`${view}.${old}.${snapshot}`)).toContain('reset');
  expect(await stream.short(`${view}.${cursor.split('.')[1]}.${oldest}:${Number(next) + 1_000_000}:`)).toContain(
    'reset',
  );
});

test('readers of one account name the same place when nothing has changed between them', async () => {
  const first = await following();
  await f.account();
  expect((await following()).cursor).toBe(first.cursor);
  await mine.update(location._id, { name: 'Bridge' });
  const second = await following();
  expect(second.cursor).not.toBe(first.cursor);
  await first.news();
  expect(second.cursor).toBe(first.cursor);
});

test.each(['garbage', '4711', 'a.b.c', `${'x'.repeat(16)}.abc.1:2`, `${'x'.repeat(16)}.abc.`])(
  '%s is no cursor',
  async (cursor) => {
    await expect((await following()).news(cursor)).rejects.toMatchObject({ reason: 'INVALID_CURSOR' });
  },
);

test('a wrong filter is refused', async () => {
  await expect(following({ filter: 'name($gt:5)' })).rejects.toMatchObject({ reason: 'INVALID_FILTER' });
});

test('revisions differ when nodes of an account have changed, for the gateway alone', async () => {
  const as = (service: string) => ({ caller: { kind: 'service', service } }) as Parameters<typeof handlers.readFeed>[1];
  const of = async () =>
    (await handlers.getRevisions({ ownerIds: [mine.ownerId] }, as('gateway'))).revisions[mine.ownerId];
  const before = await of();
  expect(await of()).toBe(before);
  await mine.update(location._id, { name: 'Bridge' });
  expect(await of()).not.toBe(before);
  await expect(handlers.getRevisions({ ownerIds: [] }, as('historic'))).rejects.toMatchObject({
    kind: 'permission_denied',
  });
});

test('places of nodes that are long gone are forgotten', async () => {
  await mine.remove(location._id);
  const places = async () =>
    (await f.database.query('SELECT FROM gone_nodes WHERE node_id = $1', [location._id])).rowCount;
  await sweepGone(f);
  expect(await places()).toBe(1);
  await f.database.query(`UPDATE gone_nodes SET gone_at = now() - interval '9 days' WHERE node_id = $1`, [
    location._id,
  ]);
  await sweepGone(f);
  expect(await places()).toBe(0);
});
