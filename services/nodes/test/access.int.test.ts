import { isApiKey, sha256OfKey } from '@catchment/ids';
import { type Fixture, openFixture } from './fixture.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const denied = { kind: 'permission_denied' };
const missing = { kind: 'not_found' };

test('an account comes with two keys, known by their digests only', async () => {
  const made = await f.accountsClient.createAccount(
    { accountName: 'River Trust', email: 'Ann@Example.org', firstName: 'Ann', lastName: '', accountType: '' },
    f.service,
  );
  expect(made.slug).toMatch(/^rivertrust\d+$/);
  expect([made.defaultKey, made.administrationKey].every(isApiKey)).toBe(true);
  const who = (key: string) =>
    f.accountsClient.authenticate({ keySha256: Buffer.from(sha256OfKey(key), 'hex') }, f.service);
  const common = {
    ownerId: made.ownerId,
    username: 'ann@example.org',
    accountStatus: 'ACTIVE',
    accountType: 'STANDARD',
    workspaceIds: [],
  };
  expect(await who(made.defaultKey)).toMatchObject({ ...common, permission: 'READ_ONLY', accessLevel: 'WORKSPACES' });
  expect(await who(made.administrationKey)).toMatchObject({ ...common, permission: 'MODIFY', accessLevel: 'ACCOUNT' });
  const { rows } = await f.database.query('SELECT * FROM api_keys WHERE owner_id = $1', [made.ownerId]);
  expect(JSON.stringify(rows)).not.toContain(made.defaultKey);
  await expect(who('x'.repeat(40))).rejects.toMatchObject({ kind: 'unauthenticated' });
  await expect(f.accountsClient.authenticate({ keySha256: Buffer.alloc(3) }, f.service)).rejects.toMatchObject({
    kind: 'unauthenticated',
  });
});

test('references are resolved in their order, and the first that names nothing is named where it was sent', async () => {
  const api = await f.account();
  const { source } = await f.source(api);
  await api.update(source._id, { customId: 'logger' });
  const resolve = async (nodeRefs: string[], more = {}) =>
    (await f.nodes.resolveNodes({ nodeRefs, ownerId: '', ...more }, api.options)).nodes.map(({ nodeId }) => nodeId);
  const unknown = 'ABCDEF'.repeat(4);
  const refs = ['@logger', source._id, source._id.toUpperCase(), '@logger'];
  expect(await resolve(refs)).toEqual(refs.map(() => source._id));
  const asked = [...refs, '@Logger', unknown];
  await expect(resolve(asked)).rejects.toMatchObject({ message: 'Requested resource not found' });
  await expect(resolve(asked, { namesMissing: true })).rejects.toMatchObject({
    kind: 'not_found',
    message: 'Requested resource not found: @Logger',
  });
  await expect(resolve([unknown], { namesMissing: true })).rejects.toMatchObject({
    message: `Requested resource not found: ${unknown}`,
  });
  expect(await resolve(asked, { skipsMissing: true })).toEqual(refs.map(() => source._id));
});

test('parameters below a node are those that the caller may see', async () => {
  const api = await f.account();
  const { workspace, location, source } = await f.source(api);
  const { parameters } = await api.ensure(source._id, [{ name: 'a' }, { name: 'b' }]);
  const below = async (nodeRef: string, limit = 10, options = api.options) =>
    (await f.nodes.listParametersBelow({ nodeRef, ownerId: '', limit }, options)).nodes.map(({ nodeId }) => nodeId);
  const ids = parameters.map(({ nodeId }) => nodeId);
  for (const { _id } of [workspace, location, source]) expect(await below(_id)).toEqual(ids);
  expect(await below(ids[0]!)).toEqual([ids[0]]);
  expect(await below(workspace._id, 1)).toEqual([ids[0]]);
  const stranger = await f.account();
  await expect(below(workspace._id, 10, stranger.options)).rejects.toMatchObject({ kind: 'not_found' });
});

test('keys and sessions that exist are distinguished from guesses, many at once', async () => {
  const api = await f.account();
  const made = await f.accountsClient.createAccount(
    { accountName: 'Known', email: 'known@example.org', firstName: '', lastName: '', accountType: '' },
    f.service,
  );
  const keys = [made.defaultKey, made.administrationKey].map((key) => Buffer.from(sha256OfKey(key), 'hex'));
  const session = Buffer.alloc(32, 'a session');
  await f.database.query(
    `INSERT INTO sessions (session_sha256, user_id, created_ms, used_ms, expires_ms)
     SELECT $1, user_id, 1, 1, 2 FROM users WHERE address = 'known@example.org'`,
    [session],
  );
  const guesses = Array.from({ length: 900 }, (_, n) => Buffer.alloc(32, `guess ${n}`));
  const known = async (sha256: Buffer[], options = f.service) =>
    (await f.accountsClient.findSecrets({ sha256 }, options)).knownSha256.map((digest) => Buffer.from(digest));
  expect(await known([...guesses, ...keys, session, Buffer.alloc(3)])).toEqual(
    expect.arrayContaining([...keys, session]),
  );
  expect(await known(guesses)).toEqual([]);
  await expect(known(Array.from({ length: 1_001 }, () => session))).rejects.toMatchObject({ kind: 'invalid_argument' });
  await expect(known(keys, api.options)).rejects.toMatchObject(denied);
});

test('accounts of one name have slugs of their own, one person may own several', async () => {
  const request = { accountName: 'Same', email: 'same@example.org', firstName: '', lastName: '', accountType: '' };
  const made = await Promise.all([1, 2, 3].map(() => f.accountsClient.createAccount(request, f.service)));
  expect(new Set(made.map(({ slug }) => slug)).size).toBe(3);
});

test.each([
  ['accountName', { accountName: '  ' }],
  ['accountName', { accountName: 'x'.repeat(121) }],
  ['email', { email: 'nobody' }],
  ['accountType', { accountType: 'GOLD' }],
  ['firstName', { firstName: 'x'.repeat(61) }],
])('an account with a wrong %s is refused', async (name, wrong) => {
  const request = { accountName: 'A', email: 'a@example.org', firstName: '', lastName: '', accountType: '', ...wrong };
  await expect(f.accountsClient.createAccount(request, f.service)).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringContaining(`${name}: `),
  });
});

test('accounts are for our own services only', async () => {
  const api = await f.account();
  await expect(f.accountsClient.authenticate({ keySha256: Buffer.alloc(32) }, api.options)).rejects.toMatchObject(
    denied,
  );
  const request = { accountName: 'A', email: 'a@example.org', firstName: '', lastName: '', accountType: '' };
  await expect(f.accountsClient.createAccount(request, api.options)).rejects.toMatchObject(denied);
  await expect(f.nodes.listDeviceSources({}, api.options)[Symbol.asyncIterator]().next()).rejects.toMatchObject(denied);
});

test('another account sees nothing and changes nothing', async () => {
  const [mine, theirs] = [await f.account(), await f.account()];
  const { workspace, source } = await f.source(mine);
  await mine.update(source._id, { customId: 'mine' });
  for (const ref of [source._id, source._id.toUpperCase(), '@mine']) {
    await expect(theirs.get(ref)).rejects.toMatchObject(missing);
    await expect(theirs.update(ref, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(theirs.remove(ref)).rejects.toMatchObject(missing);
    await expect(theirs.ensure(ref, [{ name: 'a' }])).rejects.toMatchObject(missing);
    await expect(
      f.nodes.resolveNodes({ nodeRefs: [ref], ownerId: mine.ownerId }, theirs.options),
    ).rejects.toMatchObject(missing);
    await expect(f.nodes.getSource({ sourceId: ref, ownerId: mine.ownerId }, theirs.options)).rejects.toMatchObject(
      missing,
    );
  }
  await expect(theirs.create('Group', 'G', workspace._id)).rejects.toMatchObject(missing);
  const site = await theirs.create('Workspace', 'Theirs');
  await expect(
    theirs.create('location.Location', 'L', site._id, { coordinateSourceId: source._id }),
  ).rejects.toMatchObject({ kind: 'invalid_argument' });
  expect((await theirs.list()).list.map(({ _id }) => _id)).toEqual([site._id]);
  expect((await theirs.list({ filter: `_id($eq:${source._id})` })).list).toEqual([]);
});

test('a READ_ONLY key reads and is refused every change', async () => {
  const api = await f.account();
  const { workspace, source } = await f.source(api);
  const reader = await f.as({ ...api.caller, permission: 'READ_ONLY' });
  expect((await reader.get(source._id))._id).toBe(source._id);
  await expect(reader.create('Workspace', 'W')).rejects.toMatchObject(denied);
  await expect(reader.update(workspace._id, { name: 'x' })).rejects.toMatchObject(denied);
  await expect(reader.remove(workspace._id)).rejects.toMatchObject(denied);
  await expect(reader.ensure(source._id, [{ name: 'a' }])).rejects.toMatchObject(denied);
});

test('a limited key sees its workspaces only: lists are narrowed, single nodes refused, workspaces not made', async () => {
  const api = await f.account();
  const { workspace, source } = await f.source(api);
  const other = await api.create('Workspace', 'Other');
  const group = await api.create('Group', 'G', other._id);
  const limited = await f.as({ ...api.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [other._id] });
  expect((await limited.list()).list.map(({ _id }) => _id)).toEqual([other._id, group._id]);
  expect((await limited.list({ type: 'TREE', attr: '_id' })).list).toEqual([
    { _id: other._id, children: [{ _id: group._id, children: [] }] },
  ]);
  for (const { _id } of [workspace, source]) {
    await expect(limited.get(_id)).rejects.toMatchObject(denied);
    await expect(limited.update(_id, { name: 'x' })).rejects.toMatchObject(denied);
    await expect(limited.remove(_id)).rejects.toMatchObject(denied);
    const refs = { nodeRefs: [group._id, _id], ownerId: '' };
    await expect(f.nodes.resolveNodes(refs, limited.options)).rejects.toMatchObject(denied);
    const seen = await f.nodes.resolveNodes({ ...refs, skipsMissing: true }, limited.options);
    expect(seen.nodes.map(({ nodeId }) => nodeId)).toEqual([group._id]);
  }
  await expect(limited.create('Workspace', 'W')).rejects.toMatchObject(denied);
  await expect(limited.create('Group', 'G2', workspace._id)).rejects.toMatchObject(denied);
  expect((await limited.create('Group', 'G2', other._id)).workspaceId).toBe(other._id);
  const nothing = await f.as({ ...api.caller, accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [] });
  expect((await nothing.list()).list).toEqual([]);
});
