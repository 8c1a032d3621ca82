import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
let serial = 0;
/** Makes an e-mail that no other test uses. */
const email = () => {
  serial += 1;
  return `person${serial}@example.org`;
};

beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());
beforeEach(async () => {
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
});

/** `profileActivateUrl`: the token is a UUID v4. */
const LINK = expect.stringMatching(
  /^https:\/\/app\.test\/auth\/setupprofile\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

const emails = (users: readonly { user: string }[] | undefined) => users?.map(({ user }) => user);
const eventsOf = (ownerId: string) =>
  f.published.events.filter((event) => event.ownerId === ownerId && event.nodeId === '');

test('an account shows its settings to every key, its people to ACCOUNT keys only', async () => {
  const whole = await owner.get();
  expect(whole).toMatchObject({
    _class: 'io.svc.models.owner.Owner',
    _id: mine.ownerId,
    accountType: 'STANDARD',
    slug: mine.slug,
    administrators: [],
    groups: [],
    quality: { excluded: [], unspecified: 'GOOD', unknown: 'UNCERTAIN' },
  });
  expect(whole.categories.map(({ name, index }) => [name, index])).toEqual([
    ['Maintenance', 0],
    ['Operations', 1],
    ['Critical', 2],
  ]);
  expect(whole.createdTime).toMatch(/^\d{4}-.*Z$/);
  for (const accessLevel of ['WORKSPACES', 'LIMITED_WORKSPACES'] as const) {
    const seen = await (await ownerClient(f, { ...mine.caller, accessLevel })).get();
    expect([seen.administrators, seen.groups, seen.slug]).toEqual([undefined, undefined, mine.slug]);
  }
});

test('attr selects, in its order; restricted names stay hidden from keys without the level', async () => {
  expect(Object.keys(await owner.get('slug,_id,groups'))).toEqual(['slug', '_id', 'groups']);
  const limited = await ownerClient(f, { ...mine.caller, accessLevel: 'WORKSPACES' });
  expect(await limited.get('administrators,groups')).toEqual({});
});

test('an update changes what is given, in one SECURITY event; the same again makes none', async () => {
  const [ann, bob] = [email(), email()];
  const body = {
    accountName: ' River Trust ',
    administrators: [{ user: ann.toUpperCase(), name: { first: 'Ann', last: 'Lee' } }, { user: bob }, { user: ann }],
    groups: [{ name: 'Field', users: [{ user: bob, name: { first: 'ignored' } }] }],
    slug: 'ignored',
  };
  const after = await owner.put(body);
  expect(after).toMatchObject({ accountName: 'River Trust', slug: mine.slug });
  expect(after.administrators).toEqual([
    { user: ann, name: { first: 'Ann', last: 'Lee' }, profileActivateUrl: LINK },
    { user: bob, name: { first: '', last: '' }, profileActivateUrl: LINK },
  ]);
  expect((await owner.get()).administrators).toEqual([
    { user: ann, name: { first: 'Ann', last: 'Lee' } },
    { user: bob, name: { first: '', last: '' } },
  ]);
  expect(after.groups).toEqual([
    {
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Field',
      users: [{ user: bob, name: { first: '', last: '' }, profileActivateUrl: LINK }],
      revision: expect.any(Number),
    },
  ]);
  // The links are shown once.
  expect(await owner.put({ ...body, accountName: 'River Trust' })).toEqual(await owner.get());
  expect(await owner.put({ accountName: 'Lake Trust' }, 'accountName')).toEqual({ accountName: 'Lake Trust' });
  await until(() => eventsOf(mine.ownerId).length >= 2);
  expect(eventsOf(mine.ownerId)).toMatchObject([
    {
      eventType: 'SECURITY',
      level: 'INFO',
      username: mine.caller.username,
      message: 'Updated accountName, administrators, groups',
    },
    { message: 'Updated accountName' },
  ]);
});

test('a profile is made from the first mention and ignored afterwards; another account has one of its own', async () => {
  const ann = email();
  await owner.put({
    administrators: [
      { user: ann, name: { first: 'Ann', last: 'Lee' }, phone: '+4512345678', timezone: 'australia/perth' },
    ],
  });
  const again = { administrators: [{ user: ann, name: { first: 'Other' } }] };
  const seen = await owner.put(again);
  expect(seen.administrators).toEqual([{ user: ann, name: { first: 'Ann', last: 'Lee' } }]);
  const other = await f.account();
  const theirs = await (await ownerClient(f, other.caller)).put(again);
  expect(theirs.administrators).toMatchObject([{ user: ann, name: { first: 'Other', last: '' } }]);
  const { rows } = await f.database.query<{ user_id: string }>(
    'SELECT user_id FROM users WHERE address = $1 AND home_owner_id = $2',
    [ann, mine.ownerId],
  );
  const me = await (await ownerClient(f, { ...mine.caller, userId: rows[0]?.user_id ?? '' })).me();
  expect(me).toEqual({
    _class: 'io.svc.models.user.User',
    _id: rows[0]?.user_id,
    contact: { email: ann, phone: '+4512345678' },
    createdTime: expect.any(String),
    name: { first: 'Ann', last: 'Lee' },
    timeFormat: 'YYYY-MM-DD HH:mm:ss',
    timezone: 'Australia/Perth',
    timezoneAdjustForDst: true,
  });
});

describe('a profile that its person changes', () => {
  test('changes by what is sent; null is as if it had never been given', async () => {
    await owner.changeMe({ name: { first: 'Ann', last: 'Lee' }, phone: '+4512345678', timezone: 'australia/perth' });
    const after = await owner.changeMe({
      name: { last: 'Ray' },
      timezoneAdjustForDst: false,
      timeFormat: 'DD.MM.YYYY',
    });
    expect(after).toMatchObject({
      name: { first: 'Ann', last: 'Ray' },
      contact: { phone: '+4512345678' },
      timezone: 'Australia/Perth',
      timezoneAdjustForDst: false,
      timeFormat: 'DD.MM.YYYY',
    });
    const less = await owner.changeMe({ name: null, phone: null, timezone: null, timeFormat: null });
    expect(less).toMatchObject({
      name: { first: '', last: '' },
      timezone: 'Etc/UTC',
      timeFormat: 'YYYY-MM-DD HH:mm:ss',
    });
    expect(less.contact).toEqual({ email: mine.caller.username });
    expect(await owner.changeMe({})).toEqual(less);
  });

  test.each([
    ['name.first', { name: { first: 'x'.repeat(61) } }],
    ['phone', { phone: '12' }],
    ['timezone', { timezone: 'Mars/Base' }],
    ['timeFormat', { timeFormat: '' }],
    ['timezoneAdjustForDst', { timezoneAdjustForDst: 'yes' }],
  ])('refuses a wrong %s, and nothing is changed', async (attribute, wrong) => {
    const before = await owner.me();
    await expect(owner.changeMe({ name: { first: 'New' }, ...wrong })).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(`${attribute}: `),
    });
    expect(await owner.me()).toEqual(before);
  });
});

test('administrators are replaced; the owner in the list is ignored; [] removes all', async () => {
  const [ann, bob] = [email(), email()];
  await owner.put({ administrators: [{ user: ann }, { user: mine.caller.username }] });
  expect(emails((await owner.get()).administrators)).toEqual([ann]);
  expect(emails((await owner.put({ administrators: [{ user: bob }] })).administrators)).toEqual([bob]);
  expect((await owner.put({ administrators: [] })).administrators).toEqual([]);
});

test('groups merge and replace: _id selects and renames, else the name selects, else new; the rest is gone', async () => {
  const [ann, bob] = [email(), email()];
  const before = await owner.put({
    groups: [
      { name: 'A', users: [{ user: ann }] },
      { name: 'B', users: [{ user: bob }] },
      { name: 'C', users: [] },
    ],
  });
  const [a, b] = before.groups ?? [];
  const after = await owner.put({
    groups: [
      { name: 'b', users: [{ user: ann }] },
      { _id: a?._id.toUpperCase(), name: 'Renamed' },
      { _id: 'f'.repeat(24), name: 'New' },
    ],
  });
  expect(after.groups?.map(({ _id, name, users }) => [_id, name, emails(users)])).toEqual([
    [b?._id, 'b', [ann]],
    [a?._id, 'Renamed', [ann]],
    [expect.any(String), 'New', []],
  ]);
  const kept = await owner.put({ groups: [{ _id: a?._id, users: [{ user: bob }] }] });
  expect(kept.groups?.map(({ name, users }) => [name, emails(users)])).toEqual([['Renamed', [bob]]]);
});

test('two groups may swap their names in one update', async () => {
  const [a, b] = (await owner.put({ groups: [{ name: 'A' }, { name: 'B' }] })).groups ?? [];
  const after = await owner.put({
    groups: [
      { _id: a?._id, name: 'B' },
      { _id: b?._id, name: 'A' },
    ],
  });
  expect(after.groups?.map(({ _id, name }) => [_id, name])).toEqual([
    [a?._id, 'B'],
    [b?._id, 'A'],
  ]);
});

const LONG = 'x'.repeat(121);
test.each([
  ['accountName', { accountName: '' }],
  ['accountName', { accountName: LONG }],
  ['accountName', { accountName: 7 }],
  ['accountName', { accountName: null }],
  ['administrators', { administrators: null }],
  ['administrators', { administrators: {} }],
  ['administrators', { administrators: Array(1_001).fill({ user: 'a@example.org' }) }],
  ['administrators[0]', { administrators: ['a@example.org'] }],
  ['administrators[0].user', { administrators: [{}] }],
  ['administrators[1].user', { administrators: [{ user: 'a@example.org' }, { user: 'nobody' }] }],
  ['administrators[0].user', { administrators: [{ user: 'a b@example.org' }] }],
  ['administrators[0].name', { administrators: [{ user: 'a@example.org', name: 'Ann' }] }],
  ['administrators[0].name.first', { administrators: [{ user: 'a@example.org', name: { first: 'x'.repeat(61) } }] }],
  ['administrators[0].phone', { administrators: [{ user: 'a@example.org', phone: '12345678' }] }],
  ['administrators[0].phone', { administrators: [{ user: 'a@example.org', phone: '+123456' }] }],
  ['administrators[0].timezone', { administrators: [{ user: 'a@example.org', timezone: 'Mars/Base' }] }],
  ['administrators[0].timezoneAdjustForDst', { administrators: [{ user: 'a@example.org', timezoneAdjustForDst: 1 }] }],
  ['administrators[0].timeFormat', { administrators: [{ user: 'a@example.org', timeFormat: '' }] }],
  ['groups', { groups: 'all' }],
  ['groups[0]', { groups: [null] }],
  ['groups[0]._id', { groups: [{ _id: 7, name: 'A' }] }],
  ['groups[0].name', { groups: [{}] }],
  ['groups[0].name', { groups: [{ users: [] }] }],
  ['groups[0].name', { groups: [{ name: LONG }] }],
  ['groups[1].name', { groups: [{ name: 'New' }, { name: 'NEW' }] }],
  ['groups[1]', { groups: [{ name: 'Known' }, { name: 'known' }] }],
  ['groups[0].users', { groups: [{ name: 'New', users: 'a@example.org' }] }],
  ['groups[0].users[0]', { groups: [{ name: 'New', users: ['a@example.org'] }] }],
  ['groups[0].users[0].user', { groups: [{ name: 'New', users: [{ user: '@' }] }] }],
])('a wrong %s is refused by name and nothing changes', async (attribute, wrong) => {
  const before = await owner.put({ groups: [{ name: 'Known' }] });
  const fresh = email();
  const body = { accountName: 'Changed', groups: [{ name: 'G', users: [{ user: fresh }] }], ...wrong };
  await expect(owner.put(body)).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringMatching(new RegExp(`^${attribute.replaceAll(/[[\].]/g, '\\$&')}: `)),
  });
  expect(await owner.get()).toEqual(before);
  expect((await f.database.query('SELECT 1 FROM users WHERE address = $1', [fresh])).rows).toEqual([]);
  expect(eventsOf(mine.ownerId).filter(({ message }) => message !== 'Updated groups')).toEqual([]);
});

test('groups are added, changed and deleted one by one', async () => {
  const [ann, bob] = [email(), email()];
  const [first] = (await owner.put({ groups: [{ name: 'First', users: [{ user: ann }] }] })).groups ?? [];
  const all = await owner.createGroups([
    { name: 'Second', users: [] },
    { name: 'Third', users: [{ user: bob }] },
  ]);
  expect(all.map(({ name, users }) => [name, emails(users)])).toEqual([
    ['First', [ann]],
    ['Second', []],
    ['Third', [bob]],
  ]);
  const third = all[2]?._id ?? '';
  expect(await owner.updateGroup(third, { name: 'Last' })).toMatchObject({
    _id: third,
    name: 'Last',
    users: [{ user: bob }],
  });
  const emptied = { _id: third, name: 'Last', users: [], revision: expect.any(Number) };
  expect(await owner.updateGroup(third, { users: [] })).toEqual(emptied);
  expect(await owner.updateGroup(third, {})).toEqual(emptied);
  await owner.deleteGroup(first?._id ?? '');
  await expect(owner.deleteGroup(first?._id ?? '')).rejects.toMatchObject({ kind: 'not_found' });
  expect((await owner.get()).groups?.map(({ name }) => name)).toEqual(['Second', 'Last']);
  await until(() => eventsOf(mine.ownerId).length >= 5);
  expect(eventsOf(mine.ownerId).map(({ message }) => message)).toEqual([
    'Updated groups',
    "Created groups 'Second', 'Third'",
    "Changed group 'Last'",
    "Changed group 'Last'",
    "Deleted group 'First'",
  ]);
});

test.each([
  ['body', {}],
  ['body[0]', [7]],
  ['body[0].name', [{ users: [] }]],
  ['body[0].users', [{ name: 'G' }]],
  ['body[0].users[0]', [{ name: 'G', users: ['a@example.org'] }]],
  ['body[0].name', [{ name: 'KNOWN', users: [] }]],
  [
    'body[1].name',
    [
      { name: 'G', users: [] },
      { name: 'g', users: [] },
    ],
  ],
])('POST groups refuses a wrong %s', async (attribute, body) => {
  await owner.put({ groups: [{ name: 'Known' }] });
  await expect(owner.createGroups(body)).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringContaining(`${attribute}: `),
  });
  expect((await owner.get()).groups).toHaveLength(1);
});

test('a group is not renamed to the name of another one', async () => {
  const [a] = (await owner.put({ groups: [{ name: 'A' }, { name: 'B' }] })).groups ?? [];
  await expect(owner.updateGroup(a?._id ?? '', { name: 'b' })).rejects.toMatchObject({ kind: 'invalid_argument' });
  expect((await owner.updateGroup(a?._id ?? '', { name: 'a' })).name).toBe('a');
});

test('concurrent updates of different attributes both end up stored', async () => {
  const people = Array.from({ length: 10 }, email);
  await Promise.all(
    people.flatMap((user, i) => [
      owner.put({ administrators: people.map((person) => ({ user: person })) }),
      owner.put({ accountName: `Name ${i}` }),
      owner.createGroups([{ name: `G${i}`, users: [{ user }] }]),
    ]),
  );
  const after = await owner.get();
  expect(emails(after.administrators)).toEqual(people);
  expect(after.accountName).toMatch(/^Name \d$/);
  expect(after.groups?.map(({ name }) => name).sort()).toEqual(people.map((_, i) => `G${i}`));
});

test('two accounts that name the same unknown people at once get profiles of their own', async () => {
  const people = Array.from({ length: 50 }, email);
  const other = await ownerClient(f, (await f.account()).caller);
  await Promise.all([
    owner.put({ administrators: people.map((user) => ({ user })) }),
    other.put({ administrators: people.toReversed().map((user) => ({ user })) }),
  ]);
  const { rows } = await f.database.query('SELECT 1 FROM users WHERE address = ANY($1)', [people]);
  expect(rows).toHaveLength(100);
});
