import { until } from '@catchment/testkit';
import { formatIsoMs } from '@catchment/time';
import { expireAccess } from '../src/access/index.ts';
import { type Fixture, type Json, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';
import { type Listing, type SecurityClient, securityClient } from './security-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
let security: SecurityClient;
let site: { workspace: Json; location: Json; source: Json };
let names = 0;
const email = (who: string) => `${who}.n${names}@example.org`;

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
  await owner.createGroups([{ name: 'Crew', users: [{ user: email('cas') }] }]);
  await security.grant(site.workspace._id, {
    users: [
      { user: email('bob'), role: 'View' },
      { user: email('eve'), role: 'Operate' },
    ],
    groups: [{ group: 'Crew', role: 'View' }],
  });
});

const to = (...who: string[]) => ({ users: who.map((name) => ({ user: email(name) })) });
const shown = ({ users, groups }: Listing) => [
  ...users.map(({ contact }) => contact.email.split('.')[0]),
  ...groups.map(({ group }) => group),
];
const subscribers = async (nodeRef: string, type = 'NODE') => shown(await security.notifications(nodeRef, type));
const messages = async (nodeId: string, count: number) => {
  const of = () => f.published.messagesOf(nodeId).filter((message) => !message.startsWith('Created'));
  await until(() => of().length >= count, { what: 'events' });
  return of();
};
const NONE = [
  { category: 'Maintenance', email: false, sms: false },
  { category: 'Operations', email: false, sms: false },
  { category: 'Critical', email: false, sms: false },
];

describe('notifications about oneself', () => {
  test('is each node, by oneself or by groups, with the ways in its Workspace', async () => {
    await owner.put({ groups: [{ name: 'Crew', users: [{ user: email('cas') }, { user: mine.caller.username }] }] });
    await security.subscribe(site.source._id, { users: [{ user: mine.caller.username }], groups: [{ group: 'Crew' }] });
    await security.subscribe(site.location._id, { ...to('bob'), groups: [{ group: 'Crew' }] });
    const critical = [{ category: 'Critical', email: true }];
    await security.prefer(site.source._id, {
      users: [{ user: mine.caller.username, notificationCategories: critical }],
    });
    const { workspaces, hasMore } = await security.own();
    expect(workspaces).toMatchObject([
      {
        _id: site.workspace._id,
        notificationCategories: [NONE[0], NONE[1], { category: 'Critical', email: true, sms: false }],
        nodes: [
          { _id: site.location._id, isOwn: false, groups: ['Crew'], isStopped: false },
          { _id: site.source._id, isOwn: true, groups: ['Crew'], isStopped: false },
        ],
      },
    ]);
    const [location, source] = workspaces[0]!.nodes;
    expect(source!.path.startsWith(`${location!.path}/`)).toBe(true);
    expect(hasMore).toBe(false);
  });

  test('is nothing of others, of other accounts, and of Workspaces that one does not see', async () => {
    await security.subscribe(site.source._id, to('bob'));
    expect((await security.own()).workspaces).toEqual([]);
    await security.subscribe(site.source._id, { users: [{ user: mine.caller.username }] });
    const elsewhere = { ...mine.caller, ownerId: (await f.account()).ownerId };
    const blind = { ...mine.caller, accessLevel: 'WORKSPACES', rights: { grants: [] } } as const;
    for (const caller of [elsewhere, blind])
      expect((await (await securityClient(f, caller)).own()).workspaces).toEqual([]);
  });
});

describe('subscriptions', () => {
  test('are of one node, made once, and reported', async () => {
    await security.subscribe(site.source._id, { ...to('bob', 'Bob'), groups: [{ group: 'crew' }] });
    await security.subscribe(site.source._id, to('bob'));
    await security.subscribe(site.location._id, to('eve'));
    expect(await subscribers(site.source._id)).toEqual(['bob', 'Crew']);
    expect(await subscribers(site.location._id)).toEqual(['eve']);
    expect(await subscribers(site.location._id, 'branch')).toEqual(['bob', 'eve', 'Crew']);
    expect(await subscribers(site.workspace._id, 'BRANCH')).toEqual(['bob', 'eve', 'Crew']);
    expect(await subscribers(site.workspace._id)).toEqual([]);
    // Cas is subscribed through the group only, and the subscription of the group stays.
    await security.unsubscribe(site.source._id, to('bob', 'cas'));
    expect(await subscribers(site.source._id)).toEqual(['Crew']);
    await security.unsubscribe(site.source._id, { groups: [{ group: 'Crew' }] });
    expect(await messages(site.source._id, 4)).toEqual([
      `Subscribed ${email('bob')} to notifications`,
      "Subscribed group 'Crew' to notifications",
      `Unsubscribed ${email('bob')} from notifications`,
      "Unsubscribed group 'Crew' from notifications",
    ]);
  });

  test('people are shown with contact and preferences', async () => {
    await security.subscribe(site.source._id, { ...to('bob'), groups: [{ group: 'Crew' }] });
    await security.prefer(site.source._id, {
      users: [{ user: email('bob'), notificationCategories: [{ category: 'critical', email: true }] }],
    });
    const person = (who: string, notificationCategories: object[]) => ({
      name: { first: '', last: '' },
      contact: { email: email(who) },
      account: { lastLoginTime: null },
      notificationCategories,
    });
    expect(await security.notifications(site.source._id)).toEqual({
      users: [person('bob', [...NONE.slice(0, 2), { category: 'Critical', email: true, sms: false }])],
      groups: [{ group: 'Crew', users: [person('cas', NONE)] }],
    });
  });

  test('the categories of which the caller gets notifications are its own, in that Workspace', async () => {
    const wants = (user: string, category: string, email: boolean, sms = false) =>
      security.prefer(site.source._id, { users: [{ user, notificationCategories: [{ category, email, sms }] }] });
    const me = mine.caller.username;
    const other = await mine.create('Workspace', 'Other');
    await wants(me, 'critical', true);
    await wants(me, 'operations', false, true);
    await wants(email('bob'), 'maintenance', true);
    expect(await security.enabled(site.workspace._id)).toHaveLength(2);
    expect(await security.enabled(other._id)).toEqual([]);
    await wants(me, 'operations', false);
    expect(await security.enabled(site.workspace._id)).toHaveLength(1);
    const stranger = await securityClient(f, (await f.account()).caller);
    expect(await stranger.enabled(site.workspace._id)).toEqual([]);
  });

  test('ALL is everybody who may see the node, the account manager too', async () => {
    await owner.put({ administrators: [{ user: email('ann') }] });
    const ofOwner = mine.caller.username.split('@')[0];
    const all = async (nodeRef: string) =>
      (await subscribers(nodeRef, 'ALL')).map((subscriber) => subscriber?.split('@')[0]);
    expect(await all(site.source._id)).toEqual([ofOwner, 'ann', 'bob', 'eve', 'cas', 'Crew']);
    await security.grant(site.location._id, {
      users: [{ user: email('bob'), role: 'No Access' }],
      groups: [{ group: 'Crew', role: 'No Access' }],
    });
    expect(await all(site.location._id)).toEqual([ofOwner, 'ann', 'eve']);
    expect(await all(site.source._id)).toEqual(expect.arrayContaining([ofOwner, 'ann', 'eve']));
    expect(await all(site.source._id)).not.toContain('bob');
    expect(await all(site.source._id)).not.toContain('cas');
    expect(await all(site.workspace._id)).toContain('bob');
  });

  test.each([
    ['a Workspace', () => site.workspace._id, () => to('bob'), 'id: the node must be'],
    [
      'somebody without access',
      () => site.source._id,
      () => to('bob', 'nobody'),
      'users[1].user: must be a user with access',
    ],
    [
      'an unknown group',
      () => site.source._id,
      () => ({ ...to('bob'), groups: [{ group: 'x' }] }),
      'groups[0].group: must be the name of a group',
    ],
    ['no e-mail', () => site.source._id, () => ({ users: [{ user: 1 }] }), 'users[0].user: must be an e-mail'],
    ['no objects', () => site.source._id, () => ({ users: ['bob'] }), 'users[0]: must be an object'],
    ['no list', () => site.source._id, () => ({ groups: 'Crew' }), 'groups: must be an array'],
  ])('%s is refused, and nothing is done', async (_what, nodeId, body, text) => {
    const wrong = { kind: 'invalid_argument', message: expect.stringContaining(text) };
    await expect(security.subscribe(nodeId(), body())).rejects.toMatchObject(wrong);
    await expect(security.unsubscribe(nodeId(), body())).rejects.toMatchObject(wrong);
    expect(await subscribers(nodeId())).toEqual([]);
  });

  test.each([
    ['Group', 'id: the node must be'],
    ['chart.HistoricChart', 'id: the node must be'],
    ['Dashboard', 'id: the node must be'],
  ])('a %s takes none', async (cls, text) => {
    const node = await mine.create(cls, 'Other', site.location._id);
    await expect(security.subscribe(node._id, to('bob'))).rejects.toMatchObject({
      message: expect.stringContaining(text),
    });
  });

  test.each(['Report', 'source.data.TextParser', 'source.attachment.AttachmentSource'])(
    'a %s takes them',
    async (cls) => {
      const node = await mine.create(cls, 'Other', site.location._id);
      await security.subscribe(node._id, to('bob'));
      expect(await subscribers(node._id)).toEqual(['bob']);
    },
  );

  test('nobody to whom the node is closed', async () => {
    await security.grant(site.location._id, { users: [{ user: email('bob'), role: 'No Access' }] });
    await expect(security.subscribe(site.source._id, to('bob'))).rejects.toMatchObject({
      message: expect.stringContaining('users[0].user: must be a user who may see the node'),
    });
  });

  test('an unknown subscribeType is refused', async () => {
    await expect(security.notifications(site.source._id, 'TREE')).rejects.toMatchObject({
      message: expect.stringContaining('subscribeType: must be'),
    });
  });

  test.each([
    ['taken access', () => security.revoke(site.workspace._id, to('bob'))],
    [
      'No Access above',
      () => security.grant(site.location._id, { users: [{ user: email('bob'), role: 'No Access' }] }),
    ],
    [
      'a workspace without the user',
      async () => mine.move(site.location._id, { parentId: (await mine.create('Workspace', 'New'))._id }),
    ],
    ['the node', () => mine.remove(site.source._id)],
  ])('go with %s', async (_what, take) => {
    await security.subscribe(site.source._id, to('bob'));
    await take();
    const { rows } = await f.database.query(
      'SELECT 1 FROM subscriptions JOIN users USING (user_id) WHERE address = $1',
      [email('bob')],
    );
    expect(rows).toEqual([]);
  });

  test('of a removed administrator go unless a workspace is left', async () => {
    await owner.put({ administrators: [{ user: email('ann') }, { user: email('bob') }] });
    await security.subscribe(site.source._id, to('ann', 'bob'));
    await owner.put({ administrators: [] });
    expect(await subscribers(site.source._id)).toEqual(['bob']);
  });

  test('of a group go with the group', async () => {
    await security.subscribe(site.source._id, { groups: [{ group: 'Crew' }] });
    await owner.put({ groups: [] });
    expect((await f.database.query('SELECT 1 FROM subscriptions WHERE owner_id = $1', [mine.ownerId])).rows).toEqual(
      [],
    );
  });

  test('are not cloned', async () => {
    await security.subscribe(site.source._id, to('bob'));
    const copies = await mine.clone(site.location._id, { parentId: site.workspace._id });
    for (const { _id } of copies) expect(await subscribers(_id)).toEqual([]);
  });

  test('many at once all hold', async () => {
    const wanted = ['bob', 'eve', 'bob', 'eve', 'bob'];
    await Promise.all(wanted.map((who) => security.subscribe(site.source._id, to(who))));
    expect(await subscribers(site.source._id)).toEqual(['bob', 'eve']);
  });
});

describe('preferences', () => {
  const prefer = (who: string, ...notificationCategories: object[]) =>
    security.prefer(site.source._id, { users: [{ user: email(who), notificationCategories }] });

  test('hold for all nodes of the workspace; what is not sent stays, unknown categories are passed over', async () => {
    expect(
      await prefer('bob', { category: 'OPERATIONS', email: true, sms: true }, { category: 'Flood', email: true }),
    ).toEqual([
      {
        user: email('bob'),
        notificationCategories: [NONE[0], { category: 'Operations', email: true, sms: true }, NONE[2]],
      },
    ]);
    expect(await prefer('bob', { category: 'Operations', sms: false })).toEqual([
      {
        user: email('bob'),
        notificationCategories: [NONE[0], { category: 'Operations', email: true, sms: false }, NONE[2]],
      },
    ]);
    expect(await prefer('bob')).toEqual([
      {
        user: email('bob'),
        notificationCategories: [NONE[0], { category: 'Operations', email: true, sms: false }, NONE[2]],
      },
    ]);
    const found = (await security.notifications(site.location._id, 'ALL')).users.find(
      ({ contact }) => contact.email === email('bob'),
    );
    expect(found?.notificationCategories[1]).toMatchObject({ email: true });
    expect(await messages(site.source._id, 2)).toEqual(
      Array(2).fill(`Changed notification preferences of ${email('bob')}`),
    );
  });

  test('of a category go with it, of a renamed one stay', async () => {
    await prefer('bob', { category: 'Operations', email: true }, { category: 'Critical', email: true });
    const categories = owner.of('categories');
    const [, operations, critical] = await categories.list();
    await categories.update(critical!._id, { name: 'Flood' });
    await categories.remove(operations!._id);
    const [bob] = await prefer('bob');
    expect(bob?.notificationCategories).toEqual([NONE[0], { category: 'Flood', email: true, sms: false }]);
    await categories.create({ name: 'Operations' });
    expect((await prefer('bob'))[0]?.notificationCategories.at(-1)).toEqual(NONE[1]);
  });

  test('are set with a profile that security makes, and only then', async () => {
    const notificationCategories = [
      { category: 'Critical', sms: true },
      { category: 'None', sms: true },
    ];
    const users = ['new', 'bob'].map((who) => ({ user: email(who), role: 'View', notificationCategories }));
    await security.grant(site.workspace._id, { users });
    expect((await prefer('new'))[0]?.notificationCategories[2]).toMatchObject({ sms: true });
    expect((await prefer('bob'))[0]?.notificationCategories).toEqual(NONE);
  });

  test('go with the last access', async () => {
    await prefer('bob', { category: 'Critical', email: true });
    await security.revoke(site.workspace._id, to('bob'));
    await security.grant(site.workspace._id, { users: [{ user: email('bob'), role: 'View' }] });
    expect((await prefer('bob'))[0]?.notificationCategories).toEqual(NONE);
  });

  test.each([
    ['somebody without access', { user: 'nobody@example.org' }, 'users[1].user: must be a user with access'],
    [
      'a wrong flag',
      { user: 'x@example.org', notificationCategories: [{ category: 'Critical', email: 'yes' }] },
      'users[1].notificationCategories[0].email: must be true or false',
    ],
    [
      'no list',
      { user: 'x@example.org', notificationCategories: 'all' },
      'users[1].notificationCategories: must be an array',
    ],
    ['no user', {}, 'users[1].user: must be an e-mail'],
  ])('%s is refused, and nothing changes', async (_what, wrong, text) => {
    const right = { user: email('bob'), notificationCategories: [{ category: 'Critical', email: true }] };
    await expect(security.prefer(site.source._id, { users: [right, wrong] })).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(text),
    });
    expect((await prefer('bob'))[0]?.notificationCategories).toEqual(NONE);
  });
});

describe('access that has ended', () => {
  const until5 = () => formatIsoMs(f.clock.nowMs + 300_000);
  const sweep = () => expireAccess({ database: f.database, now: () => f.clock.nowMs });

  test('is gone at once, and swept with all that rests on it, once', async () => {
    const entries = (users: object[]) => security.grant(site.workspace._id, { users });
    await entries([{ user: email('tim'), role: 'View', expiryTime: until5() }]);
    await security.grant(site.workspace._id, { groups: [{ group: 'Crew', role: 'View', expiryTime: until5() }] });
    await security.subscribe(site.source._id, to('tim', 'cas'));
    await security.prefer(site.source._id, {
      users: [{ user: email('tim'), notificationCategories: [{ category: 'Critical', email: true }] }],
    });
    const { key } = await owner.of('apikeys').create({ label: 'Tim', user: email('tim') });
    expect(key).toBeDefined();
    expect(await sweep()).toBe(0);

    f.clock.nowMs += 300_000;
    const people = async () => (await security.get(site.workspace._id)).users.map(({ contact }) => contact.email);
    expect(await people()).not.toContain(email('tim'));
    expect(await subscribers(site.source._id)).toEqual([]);
    await expect(security.subscribe(site.source._id, to('tim'))).rejects.toMatchObject({ kind: 'invalid_argument' });

    // Two replicas at once.
    expect((await Promise.all([sweep(), sweep()])).reduce((a, b) => a + b)).toBe(2);
    expect(await sweep()).toBe(0);
    const left = async (table: string) =>
      (
        await f.database.query(`SELECT 1 FROM ${table} t JOIN users u USING (user_id) WHERE u.address = ANY ($1)`, [
          [email('tim'), email('cas')],
        ])
      ).rows.length;
    for (const table of ['workspace_access', 'subscriptions', 'notification_preferences', 'api_keys'])
      expect([table, await left(table)]).toEqual([table, 0]);
    const expired = () =>
      f.published.events.filter((event) => event.nodeId === site.workspace._id && event.message.includes('expired'));
    await until(() => expired().length >= 2, { what: 'events' });
    expect(
      expired().map(({ message, username, eventType, level }) => ({ message, username, eventType, level })),
    ).toEqual([
      { message: "Access of group 'Crew' expired", username: 'System', eventType: 'SECURITY', level: 'INFO' },
      { message: `Access of ${email('tim')} expired`, username: 'System', eventType: 'SECURITY', level: 'INFO' },
    ]);
    expect(await people()).toEqual([mine.caller.username, email('bob'), email('eve')]);
  });

  test('given again before the sweep it is as if new, and stays', async () => {
    await security.grant(site.workspace._id, { users: [{ user: email('tim'), role: 'View', expiryTime: until5() }] });
    f.clock.nowMs += 300_000;
    const { added } = await security.grant(site.workspace._id, { users: [{ user: email('tim'), role: 'View' }] });
    expect(added).toEqual([{ user: email('tim'), role: 'View', permissions: ['VIEW'] }]);
    expect(await sweep()).toBe(0);
  });

  test('is swept in all accounts, a thousand entries in bounded steps', async () => {
    const users = Array.from({ length: 700 }, (_, n) => ({
      user: email(`many${n}-`),
      role: 'View',
      expiryTime: until5(),
    }));
    await security.grant(site.workspace._id, { users });
    const theirs = await f.account();
    const there = await theirs.create('Workspace', 'Site');
    await (await securityClient(f, theirs.caller)).grant(there._id, {
      users: [{ user: email('tim'), role: 'View', expiryTime: until5() }],
    });
    f.clock.nowMs += 300_000;
    expect(await sweep()).toBe(501);
    expect(await sweep()).toBe(200);
    expect(await sweep()).toBe(0);
  });
});
