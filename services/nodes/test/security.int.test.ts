import { PERMISSIONS } from '@catchment/access';
import { until } from '@catchment/testkit';
import { formatIsoMs } from '@catchment/time';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { ownerClient } from './owner-client.ts';
import { type SecurityClient, securityClient } from './security-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let security: SecurityClient;
let owner: Awaited<ReturnType<typeof ownerClient>>;
let workspace: Json;
let folder: Json;
let location: Json;
let names = 0;
const email = (who: string) => `${who}${names}@example.org`;

beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());
beforeEach(async () => {
  names += 1;
  mine = await f.account();
  security = await securityClient(f, mine.caller);
  owner = await ownerClient(f, mine.caller);
  workspace = await mine.create('Workspace', 'Site');
  folder = await mine.create('Group', 'North', workspace._id);
  location = await mine.create('location.Location', 'Station', folder._id);
});

const VIEW = ['VIEW'];
const OPERATE = PERMISSIONS.filter(
  (permission) => !['EDIT_DATA', 'MANAGE_NOTIFICATIONS', 'CONFIGURE', 'SECURITY'].includes(permission),
);
const refused = (text: string) => ({ kind: 'invalid_argument', message: expect.stringContaining(text) });
const user = (who: string, role = 'View', more: object = {}) => ({ user: email(who), role, ...more });
const userOf = async (who: string, nodeRef = workspace._id) =>
  (await security.get(nodeRef)).users.find(({ contact }) => contact.email === email(who));
const reported = async (nodeRef: string, count: number) => {
  const ofNode = () => f.published.events.filter((event) => event.nodeId === nodeRef && event.eventType === 'SECURITY');
  await until(() => ofNode().length >= count, { what: 'security events' });
  return ofNode().map(({ message }) => message);
};

test('a new workspace is open to the owner and to administrators', async () => {
  await owner.put({ administrators: [{ user: email('ann'), name: { first: 'Ann', last: 'Lee' } }] });
  expect(await security.get(workspace._id)).toEqual({
    users: [
      {
        name: { first: '', last: '' },
        contact: { email: mine.caller.username },
        account: { lastLoginTime: null },
        role: 'OWNER',
        permissions: [...PERMISSIONS, 'OWNER'],
      },
      {
        name: { first: 'Ann', last: 'Lee' },
        contact: { email: email('ann') },
        account: { lastLoginTime: null },
        role: 'ADMINISTRATOR',
        permissions: [...PERMISSIONS],
      },
    ],
    groups: [],
  });
});

describe('access to a Workspace', () => {
  test('is given, changed and taken, each with an event', async () => {
    const given = await security.grant(workspace._id, { users: [user('bob', 'view')] });
    expect(given).toEqual({
      added: [
        {
          user: email('bob'),
          role: 'View',
          permissions: VIEW,
          profileActivateUrl: expect.stringContaining('/auth/setupprofile/'),
        },
      ],
      updated: [],
    });
    expect(await security.grant(workspace._id, { users: [user('bob', 'OPERATE')] })).toEqual({
      added: [],
      updated: [{ user: email('bob'), role: 'Operate', permissions: OPERATE }],
    });
    expect(await userOf('bob')).toMatchObject({ role: 'Operate', permissions: OPERATE });
    expect(await security.revoke(workspace._id, { users: [{ user: email('Bob') }] })).toEqual([{ user: email('bob') }]);
    expect(await userOf('bob')).toBeUndefined();
    expect(await reported(workspace._id, 3)).toEqual([
      `Granted ${email('bob')} role 'View'`,
      `Changed ${email('bob')} to role 'Operate'`,
      `Revoked access of ${email('bob')}`,
    ]);
  });

  test('what is given again changes nothing and says nothing', async () => {
    await security.grant(workspace._id, { users: [user('bob')] });
    const again = await security.grant(workspace._id, { users: [user('bob')] });
    expect(again.updated).toHaveLength(1);
    expect(await reported(workspace._id, 1)).toEqual([`Granted ${email('bob')} role 'View'`]);
  });

  test('a profile is made from what the request gives, and left alone afterwards', async () => {
    const name = { first: 'Bob', last: 'Ray' };
    await security.grant(workspace._id, { users: [user('bob', 'View', { name, phone: '+61812345678' })] });
    await security.grant(workspace._id, { users: [user('bob', 'View', { name: { first: 'X', last: 'Y' } })] });
    expect(await userOf('bob')).toMatchObject({ name });
  });

  test('groups: members have access, shown as empty role with effective permissions', async () => {
    await owner.createGroups([{ name: 'Crew', users: [{ user: email('bob') }, { user: email('eve') }] }]);
    await security.grant(workspace._id, { users: [user('eve')] });
    expect(await security.grant(workspace._id, { groups: [{ group: 'crew', role: 'Operate' }] })).toEqual({
      added: [
        {
          group: 'Crew',
          role: 'Operate',
          permissions: OPERATE,
          users: [{ user: email('bob') }, { user: email('eve') }],
        },
      ],
      updated: [],
    });
    expect(await userOf('bob')).toMatchObject({ role: '', permissions: [], effectivePermissions: OPERATE });
    expect(await userOf('eve')).toMatchObject({ role: 'View', permissions: VIEW, effectivePermissions: OPERATE });
    expect((await security.get(workspace._id)).groups).toEqual([
      { group: 'Crew', role: 'Operate', permissions: OPERATE, users: [{ user: email('bob') }, { user: email('eve') }] },
    ]);
    expect(await security.revoke(workspace._id, { groups: [{ group: 'CREW' }, { group: 'none' }] })).toEqual([
      { group: 'Crew' },
    ]);
    expect(await userOf('bob')).toBeUndefined();
    expect(await userOf('eve')).not.toHaveProperty('effectivePermissions');
    expect(await reported(workspace._id, 3)).toContain("Granted group 'Crew' role 'Operate'");
  });

  test('owner, administrators and managers are accepted without effect', async () => {
    await owner.put({ administrators: [{ user: email('ann') }] });
    const body = { users: [user('ann'), { user: mine.caller.username, role: 'View' }] };
    expect(await security.grant(workspace._id, body)).toEqual({ added: [], updated: [] });
    expect(await security.revoke(workspace._id, body)).toEqual([]);
    expect(await userOf('ann')).toMatchObject({ role: 'ADMINISTRATOR' });
  });

  test('the owner of the managing account is never listed and never touched', async () => {
    const managed = await f.accountsClient.createAccount(
      {
        accountName: 'Managed',
        email: email('zoe'),
        firstName: '',
        lastName: '',
        accountType: '',
        parent: mine.ownerId,
      },
      f.service,
    );
    const caller = { ...mine.caller, ownerId: managed.ownerId, username: email('zoe') };
    const there = await f.as(caller);
    const site = await there.create('Workspace', 'Site');
    const theirs = await securityClient(f, caller);
    expect(await theirs.grant(site._id, { users: [{ user: mine.caller.username, role: 'View' }] })).toEqual({
      added: [],
      updated: [],
    });
    expect((await theirs.get(site._id)).users.map(({ contact }) => contact.email)).toEqual([email('zoe')]);
  });

  test('an end may be set, kept, moved and removed', async () => {
    const inAnHour = formatIsoMs(f.clock.nowMs + 3_600_000);
    await security.grant(workspace._id, { users: [user('bob', 'View', { expiryTime: inAnHour })] });
    expect(await userOf('bob')).toMatchObject({ expiryTime: inAnHour });
    await security.grant(workspace._id, { users: [user('bob', 'Operate')] });
    expect(await userOf('bob')).toMatchObject({ role: 'Operate', expiryTime: inAnHour });
    await security.grant(workspace._id, { users: [user('bob', 'Operate', { expiryTime: null })] });
    expect(await userOf('bob')).not.toHaveProperty('expiryTime');
    expect(await reported(workspace._id, 3)).toEqual([
      `Granted ${email('bob')} role 'View' until ${inAnHour}`,
      `Changed ${email('bob')} to role 'Operate' until ${inAnHour}`,
      `Changed ${email('bob')} to role 'Operate'`,
    ]);
  });

  test('a role that is deleted or emptied leaves VIEW', async () => {
    const roles = owner.of('roles');
    const watch = await roles.create({ name: 'Watch', permissions: ['CONTROL'] });
    await security.grant(workspace._id, { users: [user('bob', 'Watch')] });
    expect(await userOf('bob')).toMatchObject({ role: 'Watch', permissions: ['VIEW', 'CONTROL'] });
    await roles.update(watch._id, { permissions: [] });
    expect(await userOf('bob')).toMatchObject({ role: 'Watch', permissions: VIEW });
    await roles.remove(watch._id);
    expect(await userOf('bob')).toMatchObject({ role: '', permissions: VIEW });
  });

  test.each<[string, { users?: unknown; groups?: unknown }, string]>([
    ['an unknown role', { users: [{ user: 'a@b.c', role: 'Boss' }] }, 'users[0].role: must be the name of a role'],
    ['OWNER', { users: [{ user: 'a@b.c', role: 'Owner' }] }, 'users[0].role: must not be a reserved name'],
    ['ADMINISTRATOR', { users: [{ user: 'a@b.c', role: 'administrator' }] }, 'users[0].role: must not be'],
    ['No Access', { users: [{ user: 'a@b.c', role: 'No Access' }] }, 'users[0].role: must not be'],
    ['no role', { users: [{ user: 'a@b.c' }] }, 'users[0].role: must be the name of a role'],
    ['no user', { users: [{ role: 'View' }] }, 'users[0].user: must be an e-mail address'],
    ['no e-mail', { users: [{ user: 'bob', role: 'View' }] }, 'users[0].user: must be an e-mail address'],
    ['a wrong phone', { users: [{ user: 'a@b.c', role: 'View', phone: '12' }] }, 'users[0].phone: must be'],
    ['an unknown zone', { users: [{ user: 'a@b.c', role: 'View', timezone: 'Mars' }] }, 'users[0].timezone: must be'],
    [
      'a past end',
      { users: [{ user: 'a@b.c', role: 'View', expiryTime: '2020-01-01T00:00:00Z' }] },
      'users[0].expiryTime: must be in the future',
    ],
    [
      'no time',
      { users: [{ user: 'a@b.c', role: 'View', expiryTime: 'soon' }] },
      'users[0].expiryTime: must be an ISO',
    ],
    [
      'a number as time',
      { users: [{ user: 'a@b.c', role: 'View', expiryTime: 4e12 }] },
      'users[0].expiryTime: must be an ISO',
    ],
    [
      'a user twice',
      {
        users: [
          { user: 'a@b.c', role: 'View' },
          { user: 'A@b.c', role: 'Operate' },
        ],
      },
      'users[1].user: is named by another',
    ],
    [
      'a group twice',
      {
        groups: [
          { group: 'A', role: 'View' },
          { group: 'a', role: 'View' },
        ],
      },
      'groups[1].group: is named by another',
    ],
    ['an unknown group', { groups: [{ group: 'None', role: 'View' }] }, 'groups[0].group: must be the name of a group'],
    ['a group without name', { groups: [{ role: 'View' }] }, 'groups[0].group: must be the name of a group'],
    ['no list', { users: {} }, 'users: must be an array'],
    ['no objects', { groups: ['Crew'] }, 'groups[0]: must be an object'],
    [
      'wrong preferences',
      { users: [{ user: 'a@b.c', role: 'View', notificationCategories: {} }] },
      'users[0].notificationCategories: must be an array',
    ],
    [
      'too many',
      { users: Array.from({ length: 1_001 }, (_, n) => ({ user: `u${n}@b.c`, role: 'View' })) },
      'users: must have at most 1000',
    ],
  ])('%s is refused, and nobody of the request is added', async (_what, body, text) => {
    const users = Array.isArray(body.users) ? [user('bob'), ...body.users] : body.users;
    const shifted = { ...body, users: users ?? [user('bob')] };
    await expect(security.grant(workspace._id, shifted)).rejects.toMatchObject(
      refused(text.replace('users[0]', 'users[1]').replace('users[1].user: is', 'users[2].user: is')),
    );
    expect(await userOf('bob')).toBeUndefined();
    const { rows } = await f.database.query('SELECT 1 FROM users WHERE address = $1', [email('bob')]);
    expect(rows).toEqual([]);
    expect(
      f.published.events.filter((event) => event.nodeId === workspace._id && event.eventType === 'SECURITY'),
    ).toEqual([]);
  });

  test('an empty request does nothing', async () => {
    expect(await security.grant(workspace._id, {})).toEqual({ added: [], updated: [] });
    expect(await security.revoke(workspace._id, { users: null, groups: [] })).toEqual([]);
  });

  test('two changes at once both hold', async () => {
    const people = Array.from({ length: 12 }, (_, n) => `many${n}-`);
    await Promise.all(people.map((who) => security.grant(workspace._id, { users: [user(who)] })));
    expect((await security.get(workspace._id)).users).toHaveLength(1 + people.length);
    await Promise.all([
      ...people.slice(0, 6).map((who) => security.revoke(workspace._id, { users: [{ user: email(who) }] })),
      ...people.slice(6).map((who) => security.grant(workspace._id, { users: [user(who, 'Operate')] })),
    ]);
    expect((await security.get(workspace._id)).users.map(({ role }) => role)).toEqual([
      'OWNER',
      ...Array(6).fill('Operate'),
    ]);
  });

  test('goes with the workspace', async () => {
    await security.grant(workspace._id, { users: [user('bob')] });
    await security.grant(folder._id, { users: [user('bob', 'No Access')] });
    await mine.remove(workspace._id);
    for (const table of ['workspace_access', 'closed_nodes'])
      expect((await f.database.query(`SELECT 1 FROM ${table} WHERE owner_id = $1`, [mine.ownerId])).rows).toEqual([]);
  });

  test('is not copied with the workspace', async () => {
    await security.grant(workspace._id, { users: [user('bob')] });
    const [copy] = await mine.clone(workspace._id, { name: 'Copy' });
    expect((await security.get(copy!._id)).users.map(({ role }) => role)).toEqual(['OWNER']);
  });
});

describe('No Access to a node', () => {
  test('is set and lifted for users and groups of the workspace', async () => {
    await owner.createGroups([{ name: 'Crew', users: [{ user: email('eve') }] }]);
    await security.grant(workspace._id, { users: [user('bob')], groups: [{ group: 'Crew', role: 'View' }] });
    const closing = { users: [user('bob', 'no access')], groups: [{ group: 'Crew', role: 'No Access' }] };
    expect(await security.grant(folder._id, closing)).toEqual({
      added: [
        { user: email('bob'), role: 'No Access', permissions: [] },
        { group: 'Crew', role: 'No Access', permissions: [], users: [{ user: email('eve') }] },
      ],
      updated: [],
    });
    expect((await security.grant(folder._id, closing)).updated).toHaveLength(2);
    expect(await userOf('bob', folder._id)).toMatchObject({ role: 'No Access', permissions: [] });
    expect(await userOf('eve', folder._id)).toMatchObject({ role: '', permissions: [] });
    expect((await security.get(folder._id)).groups).toMatchObject([{ role: 'No Access', permissions: [] }]);
    // Inherited access is not shown.
    expect(await userOf('bob', location._id)).toMatchObject({ role: 'View', permissions: VIEW });
    expect(await security.revoke(folder._id, { users: [{ user: email('bob') }], groups: [{ group: 'Crew' }] })).toEqual(
      [{ user: email('bob') }, { group: 'Crew' }],
    );
    expect(await userOf('bob', folder._id)).toMatchObject({ role: 'View' });
    expect(await reported(folder._id, 4)).toEqual([
      `Granted ${email('bob')} role 'No Access'`,
      "Granted group 'Crew' role 'No Access'",
      `Revoked role 'No Access' of ${email('bob')}`,
      "Revoked role 'No Access' of group 'Crew'",
    ]);
  });

  test('lifting passes over those for whom it is not set', async () => {
    await security.grant(workspace._id, { users: [user('bob')] });
    expect(await security.revoke(folder._id, { users: [{ user: email('bob') }, { user: email('nobody') }] })).toEqual(
      [],
    );
    expect(await userOf('bob')).toMatchObject({ role: 'View' });
  });

  test.each([
    ['another role', 'bob', 'View', 'users[0].role: must be'],
    ['somebody outside the workspace', 'nobody', 'No Access', 'users[0].user: must be a user of the Workspace'],
    ['an administrator', 'ann', 'No Access', 'users[0].user: must not be the owner or an administrator'],
    ['one who configures', 'cas', 'No Access', 'users[0].user: must not have CONFIGURE'],
    ['one who configures by a group', 'eve', 'No Access', 'users[0].user: must not have CONFIGURE'],
  ])('%s is refused', async (_what, who, role, text) => {
    await owner.put({
      administrators: [{ user: email('ann') }],
      groups: [{ name: 'Crew', users: [{ user: email('eve') }] }],
    });
    await security.grant(workspace._id, {
      users: [user('bob'), user('cas', 'Configure'), user('eve')],
      groups: [{ group: 'Crew', role: 'Configure' }],
    });
    await expect(security.grant(folder._id, { users: [user(who, role)] })).rejects.toMatchObject(refused(text));
    await expect(
      security.grant(folder._id, { users: [user('bob', 'No Access'), user(who, role)] }),
    ).rejects.toMatchObject({ kind: 'invalid_argument' });
    expect(await userOf('bob', folder._id)).toMatchObject({ role: 'View' });
  });

  test.each([
    [
      'the owner',
      () => ({ users: [{ user: mine.caller.username, role: 'No Access' }] }),
      'users[0].user: must not be the owner',
    ],
    [
      'a group outside the workspace',
      () => ({ groups: [{ group: 'Idle', role: 'No Access' }] }),
      'groups[0].group: must be a group of the Workspace',
    ],
    [
      'a group that configures',
      () => ({ groups: [{ group: 'Crew', role: 'No Access' }] }),
      'groups[0].group: must not have CONFIGURE',
    ],
    [
      'an end',
      () => ({ users: [user('bob', 'No Access', { expiryTime: '2999-01-01T00:00:00Z' })] }),
      'users[0].expiryTime: is for access to a Workspace',
    ],
  ])('%s is refused', async (_what, body, text) => {
    await owner.createGroups([
      { name: 'Crew', users: [] },
      { name: 'Idle', users: [] },
    ]);
    await security.grant(workspace._id, { users: [user('bob')], groups: [{ group: 'Crew', role: 'Configure' }] });
    await expect(security.grant(folder._id, body())).rejects.toMatchObject(refused(text));
  });

  test('is out of force while somebody configures', async () => {
    await security.grant(workspace._id, { users: [user('bob')] });
    await security.grant(folder._id, { users: [user('bob', 'No Access')] });
    await security.grant(workspace._id, { users: [user('bob', 'Configure')] });
    expect(await userOf('bob', folder._id)).toMatchObject({ role: 'Configure' });
    await security.grant(workspace._id, { users: [user('bob', 'View')] });
    expect(await userOf('bob', folder._id)).toMatchObject({ role: 'No Access' });
  });

  test('goes with the access it restricts', async () => {
    await security.grant(workspace._id, { users: [user('bob')] });
    await security.grant(folder._id, { users: [user('bob', 'No Access')] });
    await security.revoke(workspace._id, { users: [user('bob')] });
    await security.grant(workspace._id, { users: [user('bob')] });
    expect(await userOf('bob', folder._id)).toMatchObject({ role: 'View' });
  });
});

describe('the list of all access', () => {
  let other: Json;
  beforeEach(async () => {
    other = await mine.create('Workspace', 'Another');
    await owner.createGroups([
      { name: 'Crew', users: [{ user: email('eve') }] },
      { name: 'Idle', users: [] },
    ]);
    await security.grant(workspace._id, {
      users: [user('bob', 'Operate', { expiryTime: '2999-01-01T00:00:00.000Z' }), user('ann')],
      groups: [{ group: 'Crew', role: 'View' }],
    });
    await security.grant(other._id, { users: [user('bob')] });
    await owner.put({ administrators: [{ user: email('ann') }] });
  });

  test('has each person once, groups with their members, and the entries of Workspaces by their names', async () => {
    const { people, groups, workspaces, next } = await security.all();
    expect(people.map(({ contact, role }) => [contact.email, role])).toEqual([
      [mine.caller.username, 'OWNER'],
      [email('ann'), 'ADMINISTRATOR'],
      [email('bob'), null],
      [email('eve'), null],
    ]);
    expect(groups).toEqual([
      { _id: expect.any(String), group: 'Crew', users: [{ user: email('eve') }] },
      { _id: expect.any(String), group: 'Idle', users: [] },
    ]);
    const bob = { user: email('bob'), role: 'View', permissions: VIEW };
    expect(workspaces).toEqual([
      { _id: other._id, name: 'Another', permissions: expect.any(Array), users: [bob], groups: [] },
      {
        _id: workspace._id,
        name: 'Site',
        permissions: expect.any(Array),
        users: [{ ...bob, role: 'Operate', permissions: OPERATE, expiryTime: '2999-01-01T00:00:00.000Z' }],
        groups: [{ group: 'Crew', role: 'View', permissions: VIEW }],
      },
    ]);
    expect(next).toBeNull();
  });

  test('comes in pages', async () => {
    const names = async (skip: number) => {
      const { workspaces, next } = await security.all(skip, 1);
      return [...workspaces.map(({ name }) => name), next];
    };
    expect([await names(0), await names(1), await names(2)]).toEqual([['Another', 1], ['Site', null], [null]]);
  });

  test('a workspace user sees the own Workspaces, and groups that have access there; other accounts see nothing', async () => {
    const rights = { grants: [{ permissions: ['VIEW'], workspaceIds: [other._id] }] };
    const caller = { ...mine.caller, accessLevel: 'WORKSPACES', rights } as const;
    const { people, groups, workspaces } = await (await securityClient(f, caller)).all();
    expect(workspaces.map(({ name, permissions }) => [name, permissions])).toEqual([['Another', VIEW]]);
    expect([groups, people.map(({ contact }) => contact.email)]).toEqual([
      [],
      [mine.caller.username, email('ann'), email('bob')],
    ]);
    const limited = { ...mine.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [] } as const;
    expect(await (await securityClient(f, limited)).all()).toEqual({
      people: [],
      groups: [],
      workspaces: [],
      next: null,
    });
    const theirs = await (await securityClient(f, (await f.account()).caller)).all();
    expect(JSON.stringify(theirs)).not.toContain(email('bob'));
  });
});

test('other accounts, other workspaces and unknown nodes are out of reach', async () => {
  const theirs = await securityClient(f, (await f.account()).caller);
  const limited = await securityClient(f, { ...mine.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [] });
  const reader = await securityClient(f, { ...mine.caller, permission: 'READ_ONLY' });
  for (const [client, kind] of [
    [theirs, 'not_found'],
    [limited, 'permission_denied'],
  ] as const) {
    await expect(client.get(workspace._id)).rejects.toMatchObject({ kind });
    await expect(client.grant(workspace._id, { users: [user('bob')] })).rejects.toMatchObject({ kind });
    await expect(client.revoke(workspace._id, {})).rejects.toMatchObject({ kind });
    await expect(client.notifications(location._id)).rejects.toMatchObject({ kind });
    await expect(client.prefer(location._id, {})).rejects.toMatchObject({ kind });
    await expect(client.subscribe(location._id, {})).rejects.toMatchObject({ kind });
    await expect(client.unsubscribe(location._id, {})).rejects.toMatchObject({ kind });
  }
  expect(await reader.get(workspace._id)).toMatchObject({ users: [{ role: 'OWNER' }] });
  const denied = { kind: 'permission_denied' };
  await expect(reader.grant(workspace._id, {})).rejects.toMatchObject(denied);
  await expect(reader.revoke(workspace._id, {})).rejects.toMatchObject(denied);
  await expect(reader.prefer(location._id, {})).rejects.toMatchObject(denied);
  await expect(reader.subscribe(location._id, {})).rejects.toMatchObject(denied);
});
