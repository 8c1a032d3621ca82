import type { ApiCaller } from '@catchment/access';
import { formatIsoMs } from '@catchment/time';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';
import { callerOf, type SecurityClient, securityClient } from './security-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
let security: SecurityClient;
let site: { workspace: Json; location: Json; source: Json };
let other: Json;
let names = 0;
const email = (who: string) => `${who}.${names}@example.org`;

beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());
beforeEach(async () => {
  names += 1;
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
  security = await securityClient(f, mine.caller);
  site = await f.source(mine);
  other = await mine.create('Workspace', 'Elsewhere');
});

const missing = { kind: 'not_found' };
const denied = { kind: 'permission_denied' };
const settled = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: { kind: string; message: string }) => error.kind ?? error.message,
  );

/** The account's owner makes a key of a workspace user. */
const keyFor = async (user: string, more: object = {}) =>
  String((await owner.of('apikeys').create({ label: 'Field', permission: 'MODIFY', user, ...more })).key);
/** Makes a user with a role in the site's workspace, as the gateway sees their key. */
async function userWith(role: string, who = 'bob', more: object = {}) {
  await security.grant(site.workspace._id, { users: [{ user: email(who), role }] });
  const caller = await callerOf(f, await keyFor(email(who), more));
  return { caller, ...(await f.as(caller)), security: await securityClient(f, caller) };
}
const parameterOf = async () => (await mine.ensure(site.source._id, [{ name: 'Level' }])).parameters[0]!.nodeId;

describe('each role, each operation of nodes', () => {
  const ROLES = ['Manage', 'Configure', 'Operate', 'View'] as const;
  type User = Awaited<ReturnType<typeof userWith>>;
  type Operation = (user: User, parameterId: string) => Promise<unknown>;
  const OPERATIONS: Record<string, { does: Operation; needs: readonly (typeof ROLES)[number][] }> = {
    'GET node': { needs: ROLES, does: (user, id) => user.get(id) },
    'GET diagnosis': {
      needs: ROLES,
      does: async ({ caller }, id) => f.diagnosis.getDiagnosis({ nodeRef: id }, await f.optionsOf(caller)),
    },
    'GET security': { needs: ROLES, does: ({ security: as }) => as.get(site.workspace._id) },
    'GET notifications': { needs: ROLES, does: ({ security: as }, id) => as.notifications(id, 'ALL') },
    'PUT states': {
      needs: ['Manage', 'Configure', 'Operate'],
      does: (user, id) => user.update(id, { states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 9 }] }),
    },
    'PUT alarms': {
      needs: ['Manage', 'Configure', 'Operate'],
      does: (user, id) => user.update(id, { alarms: { qualityAlarm: { config: { isEnabled: true } } } }),
    },
    'PUT name': { needs: ['Manage', 'Configure'], does: (user, id) => user.update(id, { name: 'Stage' }) },
    'PUT name and states': {
      needs: ['Manage', 'Configure'],
      does: (user, id) => user.update(id, { name: 'Stage', states: null, statesType: 'DISCRETE' }),
    },
    'PUT nothing': { needs: ['Manage', 'Configure', 'Operate'], does: (user, id) => user.update(id, {}) },
    'POST node': {
      needs: ['Manage', 'Configure'],
      does: (user) => user.create('Group', 'North', site.workspace._id),
    },
    'POST Workspace': { needs: [], does: (user) => user.create('Workspace', 'New') },
    'DELETE node': { needs: ['Manage', 'Configure'], does: (user, id) => user.remove(id) },
    'DELETE Workspace': { needs: [], does: (user) => user.remove(site.workspace._id) },
    'clone node': {
      needs: ['Manage', 'Configure'],
      does: (user) => user.clone(site.location._id, { parentId: site.workspace._id }),
    },
    'clone Workspace': { needs: [], does: (user) => user.clone(site.workspace._id, {}) },
    'move node': {
      needs: ['Manage', 'Configure'],
      does: (user) => user.move(site.location._id, { parentId: site.workspace._id }),
    },
    'subscribe self': {
      needs: ['Manage', 'Configure', 'Operate'],
      does: ({ security: as }, id) => as.subscribe(id, { users: [{ user: email('bob') }] }),
    },
    'subscribe others': {
      needs: ['Manage', 'Configure'],
      does: ({ security: as }, id) => as.subscribe(id, { users: [{ user: mine.caller.username }] }),
    },
    'own preferences': {
      needs: ROLES,
      does: ({ security: as }, id) => as.prefer(id, { users: [{ user: email('bob') }] }),
    },
    'preferences of others': {
      needs: ['Manage', 'Configure'],
      does: ({ security: as }, id) => as.prefer(id, { users: [{ user: mine.caller.username }] }),
    },
    'security subscribe': {
      needs: ['Manage'],
      does: ({ security: as }) => as.grant(site.workspace._id, { users: [{ user: email('eve'), role: 'View' }] }),
    },
    'security unsubscribe': {
      needs: ['Manage'],
      does: ({ security: as }) => as.revoke(site.workspace._id, { users: [{ user: email('eve') }] }),
    },
    'No Access': {
      needs: ['Manage'],
      does: ({ security: as }) => as.revoke(site.location._id, { users: [{ user: email('eve') }] }),
    },
    'data source write': {
      needs: ['Manage', 'Configure'],
      does: (user) => user.ensure(site.source._id, [{ name: 'Level' }]),
    },
    'owner update': { needs: [], does: async ({ caller }) => (await ownerClient(f, caller)).put({ accountName: 'X' }) },
    groups: { needs: [], does: async ({ caller }) => (await ownerClient(f, caller)).createGroups([]) },
    keys: { needs: [], does: async ({ caller }) => (await ownerClient(f, caller)).of('apikeys').list() },
    roles: { needs: [], does: async ({ caller }) => (await ownerClient(f, caller)).of('roles').create({ name: 'X' }) },
    categories: {
      needs: [],
      does: async ({ caller }) => (await ownerClient(f, caller)).of('categories').create({ name: 'X' }),
    },
    usage: { needs: [], does: async ({ caller }) => (await ownerClient(f, caller)).usage() },
  };
  const CASES = Object.entries(OPERATIONS).flatMap(([operation, { needs, does }]) =>
    ROLES.map((role) => [role, operation, needs.includes(role) ? 'done' : 'permission_denied', does] as const),
  );

  test.each(CASES)('%s, %s: %s', async (role, _operation, expected, does) => {
    const parameterId = await parameterOf();
    const user = await userWith(role);
    expect(await settled(does(user, parameterId))).toBe(expected);
  });

  test.each(['Manage', 'Configure', 'Operate', 'View'])('%s with a READ_ONLY key only reads', async (role) => {
    const user = await userWith(role, 'bob', { permission: 'READ_ONLY' });
    expect(await settled(user.get(site.location._id))).toBe('done');
    expect(await settled(user.update(site.location._id, { name: 'x' }))).toBe('permission_denied');
    expect(await settled(user.security.revoke(site.workspace._id, {}))).toBe('permission_denied');
  });

  test.each(['Manage', 'View'])('%s: other workspaces do not exist', async (role) => {
    const user = await userWith(role);
    await expect(user.get(other._id)).rejects.toMatchObject(missing);
    await expect(user.update(other._id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(user.remove(other._id)).rejects.toMatchObject(missing);
    await expect(user.clone(site.location._id, { parentId: other._id })).rejects.toMatchObject(missing);
    await expect(user.move(site.location._id, { parentId: other._id })).rejects.toMatchObject(missing);
    await expect(user.create('Group', 'x', other._id)).rejects.toMatchObject(missing);
    await expect(user.security.get(other._id)).rejects.toMatchObject(missing);
    expect((await user.list()).list.map(({ workspaceId, _id }) => workspaceId ?? _id)).toEqual(
      Array(3).fill(site.workspace._id),
    );
    expect((await user.list({ type: 'TREE' })).list).toHaveLength(1);
  });
});

describe('keys of workspace users', () => {
  test('are limited twice: by the user and by the key', async () => {
    await security.grant(other._id, { users: [{ user: email('bob'), role: 'View' }] });
    const user = await userWith('View', 'bob', {
      accessLevel: 'LIMITED_WORKSPACES',
      workspaceIds: [other._id],
    });
    expect((await user.list()).list.map(({ _id }) => _id)).toEqual([other._id]);
    await expect(user.get(site.workspace._id)).rejects.toMatchObject(denied);
    await security.revoke(other._id, { users: [{ user: email('bob') }] });
    const now = await f.as(
      await callerOf(f, await keyFor(email('bob'), { accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [other._id] })),
    );
    expect((await now.list()).list).toEqual([]);
    await expect(now.get(other._id)).rejects.toMatchObject(missing);
  });

  test('are never of level ACCOUNT, and only for people with access', async () => {
    await security.grant(site.workspace._id, { users: [{ user: email('bob'), role: 'Manage' }] });
    const keys = owner.of('apikeys');
    await expect(keys.create({ label: 'x', user: email('bob'), accessLevel: 'ACCOUNT' })).rejects.toMatchObject({
      message: expect.stringContaining('accessLevel: must be WORKSPACES'),
    });
    const made = await keys.create({ label: 'x', user: email('bob') });
    expect(made).toMatchObject({ user: email('bob'), accessLevel: 'WORKSPACES' });
    await expect(keys.update(made._id, { accessLevel: 'ACCOUNT' })).rejects.toMatchObject({ kind: 'invalid_argument' });
    for (const [user, text] of [
      [email('nobody'), 'user: must be the owner, an administrator or a user'],
      ['x', 'user: must be an e-mail address'],
      [7, 'user: must be an e-mail address'],
    ])
      await expect(keys.create({ label: 'x', user })).rejects.toMatchObject({
        kind: 'invalid_argument',
        message: expect.stringContaining(String(text)),
      });
    expect(await keys.create({ label: 'own', user: mine.caller.username, accessLevel: 'ACCOUNT' })).toMatchObject({
      userId: mine.caller.userId,
    });
  });

  test('follow the rights of the moment', async () => {
    const key = await (async () => {
      await security.grant(site.workspace._id, { users: [{ user: email('bob'), role: 'View' }] });
      return keyFor(email('bob'));
    })();
    const permissions = async () => (await callerOf(f, key)).rights?.grants.map((grant) => grant.permissions);
    expect(await permissions()).toEqual([['VIEW']]);
    const roles = owner.of('roles');
    const watch = await roles.create({ name: 'Watch', permissions: ['CONTROL'] });
    await security.grant(site.workspace._id, { users: [{ user: email('bob'), role: 'Watch' }] });
    expect(await permissions()).toEqual([['VIEW', 'CONTROL']]);
    await roles.update(watch._id, { permissions: ['EXPORT_DATA'] });
    expect(await permissions()).toEqual([['VIEW', 'EXPORT_DATA']]);
    const [crew] = await owner.createGroups([{ name: 'Crew', users: [{ user: email('bob') }] }]);
    await security.grant(site.workspace._id, { groups: [{ group: 'Crew', role: 'Operate' }] });
    expect((await permissions())?.[0]).toEqual(expect.arrayContaining(['EXPORT_DATA', 'ACKNOWLEDGE_ALARMS']));
    await owner.updateGroup(crew!._id, { users: [] });
    expect(await permissions()).toEqual([['VIEW', 'EXPORT_DATA']]);
    await owner.put({ administrators: [{ user: email('bob') }] });
    expect((await callerOf(f, key)).rights).toBeUndefined();
  });

  test.each([
    ['the own entry', () => security.revoke(site.workspace._id, { users: [{ user: email('bob') }] })],
    ['the workspace', () => mine.remove(site.workspace._id)],
  ])('die with the last access: %s', async (_what, take) => {
    await security.grant(site.workspace._id, { users: [{ user: email('bob'), role: 'View' }] });
    const key = await keyFor(email('bob'));
    await take();
    await expect(callerOf(f, key)).rejects.toMatchObject({ kind: 'unauthenticated' });
    const { rows } = await f.database.query(
      'SELECT 1 FROM api_keys k JOIN users u USING (user_id) WHERE u.address = $1',
      [email('bob')],
    );
    expect(rows).toEqual([]);
  });

  test.each([
    ['the group', (id: string) => owner.deleteGroup(id)],
    ['membership', (id: string) => owner.updateGroup(id, { users: [] })],
    ['all groups', () => owner.put({ groups: [] })],
    ["the group's entry", () => security.revoke(site.workspace._id, { groups: [{ group: 'Crew' }] })],
  ])('die with the last access by a group: %s', async (_what, take) => {
    const [crew] = await owner.createGroups([{ name: 'Crew', users: [{ user: email('bob') }] }]);
    await security.grant(site.workspace._id, { groups: [{ group: 'Crew', role: 'View' }] });
    const key = await keyFor(email('bob'));
    expect((await callerOf(f, key)).rights?.grants).toHaveLength(1);
    await take(crew!._id);
    await expect(callerOf(f, key)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('of an administrator who stays a workspace user die with the administrator role', async () => {
    await owner.put({ administrators: [{ user: email('ann') }] });
    await security.grant(site.workspace._id, { users: [{ user: email('bob'), role: 'View' }] });
    const key = await keyFor(email('ann'), { accessLevel: 'ACCOUNT' });
    await owner.createGroups([{ name: 'Crew', users: [{ user: email('ann') }] }]);
    await security.grant(site.workspace._id, { groups: [{ group: 'Crew', role: 'View' }] });
    await owner.put({ administrators: [] });
    await expect(callerOf(f, key)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('an end holds to the moment, before any sweep', async () => {
    const endMs = f.clock.nowMs + 60_000;
    const users = [{ user: email('bob'), role: 'View', expiryTime: formatIsoMs(endMs) }];
    await security.grant(site.workspace._id, { users });
    const key = await keyFor(email('bob'));
    const answer = () => callerOf(f, key);
    expect((await answer()).rights?.grants).toHaveLength(1);
    f.clock.nowMs = endMs - 1;
    expect((await answer()).rights?.grants).toHaveLength(1);
    f.clock.nowMs = endMs;
    await expect(answer()).rejects.toMatchObject({ kind: 'unauthenticated' });
  });
});

describe('No Access', () => {
  /** Returns the ids that a caller finds in the list, in the tree, one by one, and says to be closed. */
  const seen = async (caller: ApiCaller) => {
    const api = await f.as(caller);
    const { list } = await api.list();
    const ids = list.map(({ _id }) => _id).sort();
    const all = (await mine.list()).list;
    const single: string[] = [];
    for (const { _id } of all) if ((await settled(api.get(_id))) === 'done') single.push(_id);
    expect(single.sort()).toEqual(ids);
    const ofSite = all.filter(({ workspaceId }) => workspaceId === site.workspace._id).map(({ _id }) => _id);
    expect(await (await securityClient(f, caller)).closed()).toEqual(ofSite.filter((id) => !ids.includes(id)).sort());
    return ids;
  };
  const branch = () => [site.location._id, site.source._id].sort();
  const everything = () => [site.workspace._id, ...branch()].sort();
  const close = (nodeId: string, given: { users?: string[]; groups?: string[] }) =>
    security.grant(nodeId, {
      users: (given.users ?? []).map((who) => ({ user: email(who), role: 'No Access' })),
      groups: (given.groups ?? []).map((group) => ({ group, role: 'No Access' })),
    });

  test('hides a node with all below it, from that user only', async () => {
    await userWith('View', 'eve');
    const bob = await userWith('View');
    await close(site.location._id, { users: ['bob'] });
    const caller = await callerOf(f, await keyFor(email('bob')));
    expect(await seen(caller)).toEqual([site.workspace._id]);
    expect(await seen(await callerOf(f, await keyFor(email('eve'))))).toEqual(everything());
    const cutOff = await f.as(caller);
    const refs = { nodeRefs: [site.source._id], ownerId: '' };
    await expect(f.nodes.resolveNodes(refs, cutOff.options)).rejects.toMatchObject(missing);
    await expect(f.nodes.getSource({ sourceId: site.source._id, ownerId: '' }, cutOff.options)).rejects.toMatchObject(
      missing,
    );
    await expect(bob.security.revoke(site.location._id, { users: [{ user: email('bob') }] })).rejects.toMatchObject(
      denied,
    );
  });

  test('of a single parameter leaves its source', async () => {
    const parameterId = await parameterOf();
    await userWith('View');
    await close(parameterId, { users: ['bob'] });
    const caller = await callerOf(f, await keyFor(email('bob')));
    expect(await seen(caller)).toEqual(everything());
    const { options } = await f.as(caller);
    expect((await f.nodes.getSource({ sourceId: site.source._id, ownerId: '' }, options)).parameters).toEqual([]);
  });

  test('of groups holds where every group that gives access is closed, and no own entry is there', async () => {
    await owner.createGroups([
      { name: 'A', users: [{ user: email('bob') }] },
      { name: 'B', users: [{ user: email('bob') }] },
    ]);
    await security.grant(site.workspace._id, {
      groups: [
        { group: 'A', role: 'View' },
        { group: 'B', role: 'Operate' },
      ],
    });
    const key = await keyFor(email('bob'));
    await close(site.location._id, { groups: ['A'] });
    expect(await seen(await callerOf(f, key))).toEqual(everything());
    // Another level of the same line is closed too.
    await close(site.source._id, { groups: ['B'] });
    expect(await seen(await callerOf(f, key))).toEqual([site.workspace._id, site.location._id].sort());
    await userWith('View');
    expect(await seen(await callerOf(f, key))).toEqual(everything());
  });

  test('of a group whose access has ended no longer counts', async () => {
    await owner.createGroups([
      { name: 'A', users: [{ user: email('bob') }] },
      { name: 'B', users: [{ user: email('bob') }] },
    ]);
    const endMs = f.clock.nowMs + 60_000;
    await security.grant(site.workspace._id, {
      groups: [
        { group: 'A', role: 'View', expiryTime: formatIsoMs(endMs) },
        { group: 'B', role: 'View' },
      ],
    });
    const key = await keyFor(email('bob'));
    await close(site.location._id, { groups: ['B'] });
    expect(await seen(await callerOf(f, key))).toEqual(everything());
    f.clock.nowMs = endMs;
    expect(await seen(await callerOf(f, key))).toEqual([site.workspace._id]);
  });

  test('never cuts off whoever configures', async () => {
    await userWith('View');
    await close(site.location._id, { users: ['bob'] });
    const key = await keyFor(email('bob'));
    await userWith('Configure');
    expect(await seen(await callerOf(f, key))).toEqual(everything());
    await userWith('View');
    expect(await seen(await callerOf(f, key))).toEqual([site.workspace._id]);
  });

  test('follows a node that moves within the workspace, and is left behind in another', async () => {
    const folder = await mine.create('Group', 'North', site.workspace._id);
    await userWith('View');
    await security.grant(other._id, { users: [{ user: email('bob'), role: 'View' }] });
    await close(folder._id, { users: ['bob'] });
    const key = await keyFor(email('bob'));
    await mine.move(site.location._id, { parentId: folder._id });
    expect(await (await securityClient(f, await callerOf(f, key))).closed()).toEqual(
      [folder._id, site.location._id, site.source._id].sort(),
    );
    await mine.move(site.location._id, { parentId: other._id });
    expect(await (await securityClient(f, await callerOf(f, key))).closed()).toEqual([folder._id]);
  });

  test('shows in the revision of lists', async () => {
    await userWith('View');
    const key = await keyFor(email('bob'));
    const revision = async () => (await (await f.as(await callerOf(f, key))).list()).revision;
    const before = await revision();
    await close(site.location._id, { users: ['bob'] });
    expect(await revision()).not.toBe(before);
  });

  test('filters, sorts and pages leave out what is closed', async () => {
    await userWith('View');
    await close(site.source._id, { users: ['bob'] });
    const api = await f.as(await callerOf(f, await keyFor(email('bob'))));
    const found = async (query: Parameters<typeof api.list>[0]) => (await api.list(query)).list.map(({ name }) => name);
    expect(await found({ filter: 'name($match:o)', sort: 'name(DESC)' })).toEqual(['Station']);
    expect(await found({ sort: 'name', skip: 1, limit: 1 })).toEqual(['Station']);
    expect(await found({ type: 'TREE' })).toEqual(['Site']);
  });
});
