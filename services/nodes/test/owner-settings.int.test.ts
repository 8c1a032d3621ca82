import { KeyChanged } from '@catchment/contracts/nodes-messages';
import { isApiKey, sha256OfKey } from '@catchment/ids';
import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';
import { type CollectionName, type OwnerClient, ownerClient } from './owner-client.ts';

let f: Fixture;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
const forgotten = new Set<string>();

beforeAll(async () => {
  f = await openFixture();
  f.bus.watch(
    'nodes.key.changed.v1',
    (data) => forgotten.add(Buffer.from(KeyChanged.decode(data).keySha256).toString('hex')),
    () => {},
  );
  await f.bus.check();
});
afterAll(() => f.close());
beforeEach(async () => {
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
});

const denied = { kind: 'permission_denied' };
const missing = { kind: 'not_found' };
const who = (key: unknown) =>
  f.accountsClient.authenticate({ keySha256: Buffer.from(sha256OfKey(String(key)), 'hex') }, f.service);
const messages = (ownerId: string) =>
  f.published.events.filter((event) => event.ownerId === ownerId && event.nodeId === '').map(({ message }) => message);

describe('API keys', () => {
  test('the whole key is shown once, works at once, and is never stored', async () => {
    const keys = owner.of('apikeys');
    const made = await keys.create({ label: 'Field laptop', permission: 'modify', accessLevel: 'ACCOUNT' });
    expect(isApiKey(String(made.key))).toBe(true);
    expect(made).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      key: made.key,
      label: 'Field laptop',
      last4: String(made.key).slice(-4),
      permission: 'MODIFY',
      accessLevel: 'ACCOUNT',
      userId: mine.caller.userId,
      user: mine.caller.username,
      createdTime: expect.any(String),
      revision: expect.any(Number),
    });
    const { key, ...shown } = made;
    expect(await keys.get(made._id)).toEqual(shown);
    expect((await keys.list()).map(({ label }) => label)).toEqual(
      expect.arrayContaining(['Default', 'Administration', 'Field laptop']),
    );
    expect(JSON.stringify([await keys.list(), (await f.database.query('SELECT * FROM api_keys')).rows])).not.toContain(
      key,
    );
    expect(await who(key)).toMatchObject({ keyId: made._id, permission: 'MODIFY', username: mine.caller.username });
  });

  test('a key is READ_ONLY for all workspaces unless more is asked for', async () => {
    const made = await owner.of('apikeys').create({ label: 'Reader' });
    expect(made).toMatchObject({ permission: 'READ_ONLY', accessLevel: 'WORKSPACES' });
    expect(made.workspaceIds).toBeUndefined();
  });

  test('a changed or deleted key is reported to whoever keeps keys, and a deleted one is unknown at once', async () => {
    const keys = owner.of('apikeys');
    const made = await keys.create({ label: 'Gone' });
    const sha256 = sha256OfKey(String(made.key));
    expect(await keys.update(made._id, { permission: 'MODIFY' })).toMatchObject({
      permission: 'MODIFY',
      label: 'Gone',
    });
    expect(await who(made.key)).toMatchObject({ permission: 'MODIFY' });
    await until(() => forgotten.delete(sha256));
    await keys.update(made._id, { permission: 'MODIFY' });
    await keys.remove(made._id);
    await expect(who(made.key)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await until(() => forgotten.has(sha256));
    await expect(keys.remove(made._id)).rejects.toMatchObject(missing);
    await until(() => messages(mine.ownerId).length === 3);
    expect(messages(mine.ownerId)).toEqual([
      "Created API key 'Gone'",
      "Changed API key 'Gone'",
      "Deleted API key 'Gone'",
    ]);
  });

  test('a limited key names workspaces of the account, by id or customId, maybe none', async () => {
    const keys = owner.of('apikeys');
    const site = await mine.create('Workspace', 'Site', undefined, { customId: 'site' });
    const made = await keys.create({
      label: 'L',
      accessLevel: 'LIMITED_WORKSPACES',
      workspaceIds: ['@site', site._id],
    });
    expect(made.workspaceIds).toEqual([site._id]);
    expect((await who(made.key)).workspaceIds).toEqual([site._id]);
    expect((await keys.update(made._id, { workspaceIds: [] })).workspaceIds).toEqual([]);
    expect((await keys.update(made._id, { accessLevel: 'WORKSPACES' })).workspaceIds).toBeUndefined();
  });

  test.each([
    ['label', {}],
    ['label', { label: ' ' }],
    ['label', { label: 'x'.repeat(121) }],
    ['label', { label: 7 }],
    ['permission', { label: 'K', permission: 'ALL' }],
    ['permission', { label: 'K', permission: null }],
    ['accessLevel', { label: 'K', accessLevel: 'SYSTEM' }],
    ['workspaceIds', { label: 'K', accessLevel: 'LIMITED_WORKSPACES', workspaceIds: 'all' }],
    ['workspaceIds[0]', { label: 'K', accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [7] }],
    ['workspaceIds[0]', { label: 'K', accessLevel: 'LIMITED_WORKSPACES', workspaceIds: ['f'.repeat(24)] }],
  ])('a wrong %s is refused by name', async (attribute, body) => {
    await expect(owner.of('apikeys').create(body)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(`${attribute}: `),
    });
    expect(await owner.of('apikeys').list()).toHaveLength(2);
  });

  test('workspaces of another account, other nodes and unlimited keys take no workspaceIds', async () => {
    const theirs = await (await f.account()).create('Workspace', 'Theirs');
    const { source, workspace } = await f.source(mine);
    const refused = { kind: 'invalid_argument', message: expect.stringContaining('workspaceIds') };
    for (const { _id } of [theirs, source])
      await expect(
        owner.of('apikeys').create({ label: 'K', accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [_id] }),
      ).rejects.toMatchObject(refused);
    await expect(owner.of('apikeys').create({ label: 'K', workspaceIds: [workspace._id] })).rejects.toMatchObject(
      refused,
    );
  });

  test('a key dies with the administrator role of its user, and only in that account', async () => {
    const user = 'once-an-administrator@example.org';
    await owner.put({ administrators: [{ user }] });
    const { rows } = await f.database.query<{ user_id: string }>('SELECT user_id FROM users WHERE address = $1', [
      user,
    ]);
    const admin = await ownerClient(f, { ...mine.caller, userId: rows[0]?.user_id ?? '', username: user });
    const { key } = await admin.of('apikeys').create({ label: 'Theirs' });
    expect((await who(key)).username).toBe(user);
    await owner.put({ administrators: [{ user }, { user: 'other@example.org' }] });
    expect((await who(key)).username).toBe(user);
    await owner.put({ administrators: [] });
    await expect(who(key)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await until(() => forgotten.has(sha256OfKey(String(key))));
    expect(await who(mine.administrationKey)).toMatchObject({ ownerId: mine.ownerId });
  });

  test('lastUsedTime is noted at most once a minute', async () => {
    const keys = owner.of('apikeys');
    const made = await keys.create({ label: 'Used' });
    const used = async () => (await keys.get(made._id)).lastUsedTime;
    const at = f.clock.nowMs;
    await who(made.key);
    const first = await used();
    expect(first).toBe(new Date(at).toISOString());
    f.clock.nowMs += 59_999;
    await who(made.key);
    expect(await used()).toBe(first);
    f.clock.nowMs += 1;
    await who(made.key);
    expect(await used()).toBe(new Date(at + 60_000).toISOString());
  });
});

describe('roles', () => {
  test('an account begins with four roles', async () => {
    const roles = (await owner.of('roles').list()) as unknown as { name: string; permissions: string[] }[];
    expect(roles.map(({ name, permissions }) => [name, permissions.length])).toEqual([
      ['Manage', 13],
      ['Configure', 12],
      ['Operate', 9],
      ['View', 1],
    ]);
    expect(roles[2]?.permissions).not.toContain('EDIT_DATA');
  });

  test('a role is made, changed and deleted; permissions come in the order of the table, VIEW always', async () => {
    const roles = owner.of('roles');
    const made = await roles.create({ name: 'Night watch', permissions: ['control', 'ACKNOWLEDGE_ALARMS', 'CONTROL'] });
    expect(made).toEqual({
      _id: made._id,
      name: 'Night watch',
      permissions: ['VIEW', 'ACKNOWLEDGE_ALARMS', 'CONTROL'],
      revision: expect.any(Number),
    });
    expect(await roles.update(made._id, { permissions: [] })).toMatchObject({ name: made.name, permissions: ['VIEW'] });
    expect(await roles.update(made._id, { name: 'NIGHT WATCH' })).toMatchObject({ name: 'NIGHT WATCH' });
    await roles.remove(made._id);
    await expect(roles.get(made._id)).rejects.toMatchObject(missing);
    await until(() => messages(mine.ownerId).length === 4);
    expect(messages(mine.ownerId).at(-1)).toBe("Deleted role 'NIGHT WATCH'");
  });

  test.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(61) }],
    ['name', { name: 'view' }],
    ['name', { name: 'Owner' }],
    ['name', { name: 'administrator' }],
    ['name', { name: 'no access' }],
    ['permissions', { name: 'R', permissions: 'VIEW' }],
    ['permissions[1]', { name: 'R', permissions: ['VIEW', 'OWNER'] }],
    ['permissions[0]', { name: 'R', permissions: [1] }],
  ])('a wrong %s is refused by name', async (attribute, body) => {
    await expect(owner.of('roles').create(body)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(`${attribute}: `),
    });
    expect(await owner.of('roles').list()).toHaveLength(4);
  });
});

describe('categories', () => {
  test('a category is added, moved, renamed; indexes count from 0 without gaps', async () => {
    const categories = owner.of('categories');
    const order = async () => (await owner.get()).categories.map(({ name, index }) => `${index} ${name}`);
    const made = await categories.create({ name: 'Night' });
    expect(made).toEqual({ _id: made._id, name: 'Night', index: 3, revision: expect.any(Number) });
    expect(await categories.update(made._id, { index: 0 })).toMatchObject({ index: 0 });
    expect(await order()).toEqual(['0 Night', '1 Maintenance', '2 Operations', '3 Critical']);
    expect(await categories.update(made._id, { name: 'Day' })).toMatchObject({ _id: made._id, name: 'Day', index: 0 });
    await categories.remove(made._id);
    expect(await order()).toEqual(['0 Maintenance', '1 Operations', '2 Critical']);
    expect((await categories.list()).map(({ name }) => name)).toEqual(['Maintenance', 'Operations', 'Critical']);
  });

  test.each([
    ['name', {}],
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(61) }],
    ['name', { name: 'CRITICAL' }],
    ['index', { name: 'New', index: 4 }],
    ['index', { name: 'New', index: -1 }],
    ['index', { name: 'New', index: '0' }],
  ])('a wrong %s is refused by name', async (attribute, body) => {
    await expect(owner.of('categories').create(body)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining(`${attribute}: `),
    });
    expect((await owner.get()).categories).toHaveLength(3);
  });

  test('the last category stays', async () => {
    const [first, second, third] = (await owner.get()).categories.map(({ _id }) => _id);
    for (const id of [first, second]) await owner.of('categories').remove(id ?? '');
    await expect(owner.of('categories').remove(third ?? '')).rejects.toMatchObject({ kind: 'invalid_argument' });
  });

  test('states and alarms take categories of the account only, and lose a deleted one', async () => {
    const { source } = await f.source(mine);
    const level = await mine.create('point.NumberPoint', 'Level', source._id);
    const made = await owner.of('categories').create({ name: 'Flood' });
    const foreign = (await (await ownerClient(f, (await f.account()).caller)).get()).categories[0]?._id;
    const states = (categoryId: unknown) => [
      { name: 'NORMAL' },
      { name: 'HIGH', threshold: 8, notify: 'ALWAYS', categoryId },
    ];
    const outdated = (categoryId: unknown) => ({
      outdatedAlarm: { config: { isEnabled: true, notify: 'ALWAYS', categoryId } },
    });
    for (const wrong of [foreign, 'x', 'f'.repeat(24)]) {
      await expect(mine.update(level._id, { states: states(wrong) })).rejects.toMatchObject({
        kind: 'invalid_argument',
        message: expect.stringContaining('states[1].categoryId'),
      });
      await expect(mine.update(source._id, { alarms: outdated(wrong) })).rejects.toMatchObject({
        kind: 'invalid_argument',
        message: expect.stringContaining('alarms.outdatedAlarm.config.categoryId'),
      });
    }
    await mine.update(level._id, { states: states(made._id) });
    await mine.update(source._id, { alarms: outdated(made._id) });
    expect(await owner.usesOf(made._id)).toEqual({
      states: 1,
      alarms: 1,
      people: 0,
      nodeCount: 2,
      nodes: expect.arrayContaining([
        { _id: level._id, name: 'Level' },
        { _id: source._id, name: source.name },
      ]),
    });
    await expect(owner.usesOf(foreign ?? '')).rejects.toMatchObject({ kind: 'not_found' });
    await owner.of('categories').remove(made._id);
    await expect(owner.usesOf(made._id)).rejects.toMatchObject({ kind: 'not_found' });
    const states2 = (await mine.get(level._id)).states as { notify: string; categoryId?: string; threshold: number }[];
    expect(states2[1]).toMatchObject({ notify: 'NEVER', threshold: 8 });
    expect(states2[1]?.categoryId ?? null).toBeNull();
    const { alarms } = (await mine.get(source._id)) as { alarms?: Record<string, { config: Record<string, unknown> }> };
    expect(alarms?.outdatedAlarm?.config).toMatchObject({ isEnabled: true, notify: 'NEVER' });
    await until(() => messages(mine.ownerId).includes("Deleted category 'Flood'"));
    await until(
      () => f.published.messagesOf(source._id).filter((message) => message === 'Updated alarms').length === 2,
    );
    const last = f.published.changed.findLast(({ node }) => node.nodeId === level._id);
    expect(last?.node.series?.states[1]).toMatchObject({ notify: 'NEVER', categoryId: '' });
  });
});

describe('who may', () => {
  const NAMES: CollectionName[] = ['categories', 'roles', 'apikeys'];
  const ENTRY = { categories: { name: 'N' }, roles: { name: 'N' }, apikeys: { label: 'N' } } as const;

  test.each([
    ['READ_ONLY', { permission: 'READ_ONLY' as const }],
    ['WORKSPACES', { accessLevel: 'WORKSPACES' as const }],
    ['LIMITED_WORKSPACES', { accessLevel: 'LIMITED_WORKSPACES' as const, workspaceIds: [] }],
  ])('a %s key changes nothing of the account', async (_what, change) => {
    const [group] = await owner.createGroups([{ name: 'G', users: [] }]);
    const before = await owner.get();
    const weak = await ownerClient(f, { ...mine.caller, ...change });
    await expect(weak.put({ accountName: 'x' })).rejects.toMatchObject(denied);
    await expect(weak.createGroups([{ name: 'x', users: [] }])).rejects.toMatchObject(denied);
    await expect(weak.updateGroup(group?._id ?? '', { name: 'x' })).rejects.toMatchObject(denied);
    await expect(weak.deleteGroup(group?._id ?? '')).rejects.toMatchObject(denied);
    for (const name of NAMES) {
      const [entry] = await owner.of(name).list();
      await expect(weak.of(name).create(ENTRY[name])).rejects.toMatchObject(denied);
      await expect(weak.of(name).update(entry?._id ?? '', ENTRY[name])).rejects.toMatchObject(denied);
      await expect(weak.of(name).remove(entry?._id ?? '')).rejects.toMatchObject(denied);
      if (name === 'apikeys') {
        await expect(weak.of(name).list()).rejects.toMatchObject(denied);
        await expect(weak.of(name).get(entry?._id ?? '')).rejects.toMatchObject(denied);
      } else {
        expect(await weak.of(name).get(entry?._id ?? '')).toEqual(entry);
      }
    }
    expect(await owner.get()).toEqual(before);
  });

  test('tenancy: ids of another account are unknown, and its people, keys and settings stay out of sight', async () => {
    const other = await f.account();
    const theirs = await ownerClient(f, other.caller);
    const [group] = await theirs.createGroups([{ name: 'Theirs', users: [{ user: 'their@example.org' }] }]);
    const before = [await theirs.get(), ...(await Promise.all(NAMES.map((name) => theirs.of(name).list())))];
    await expect(owner.updateGroup(group?._id ?? '', { name: 'x' })).rejects.toMatchObject(missing);
    await expect(owner.deleteGroup(group?._id ?? '')).rejects.toMatchObject(missing);
    for (const name of NAMES) {
      const [entry] = await theirs.of(name).list();
      await expect(owner.of(name).get(entry?._id ?? '')).rejects.toMatchObject(missing);
      await expect(owner.of(name).update(entry?._id ?? '', ENTRY[name])).rejects.toMatchObject(missing);
      await expect(owner.of(name).remove(entry?._id ?? '')).rejects.toMatchObject(missing);
      expect((await owner.of(name).list()).some(({ _id }) => _id === entry?._id)).toBe(false);
    }
    // An id of theirs in our own list makes a group of ours, never touches theirs.
    const [made] = (await owner.put({ groups: [{ _id: group?._id, name: 'Mine' }] })).groups ?? [];
    expect(made?._id).not.toBe(group?._id);
    expect([await theirs.get(), ...(await Promise.all(NAMES.map((name) => theirs.of(name).list())))]).toEqual(before);
    expect(JSON.stringify(await owner.get())).not.toContain('their@example.org');
  });
});
