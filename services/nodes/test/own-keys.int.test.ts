import { hash } from 'node:crypto';
import { until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';
import { newEmail, peopleClient, tokenOf } from './people-client.ts';

let f: Fixture;
let people: ReturnType<typeof peopleClient>;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;

beforeAll(async () => {
  f = await openFixture();
  people = peopleClient(f);
});
afterAll(() => f.close());
beforeEach(async () => {
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
});

async function activeAdministrator() {
  const email = newEmail();
  const { administrators } = await owner.put({ administrators: [{ user: email }] });
  return { email, ...(await people.use(tokenOf(administrators?.[0]?.profileActivateUrl))) };
}

const body = (value: object) => ({ body: Buffer.from(JSON.stringify(value)) });
const parse = ({ json }: { json: Uint8Array }) => JSON.parse(Buffer.from(json).toString());
/** Calls as the person behind a session. */
async function keysAs(sessionSha256: Buffer) {
  const { ownerId, userId, username, accessLevel, rights } = await people.caller(sessionSha256);
  const options = {
    token: await f.signer.sign({
      kind: 'api',
      ownerId,
      userId,
      username,
      permission: 'MODIFY',
      accessLevel: accessLevel as 'ACCOUNT' | 'WORKSPACES',
      ...(rights && { rights: { grants: rights.grants } }),
    }),
  };
  return {
    list: async () => parse(await f.people.listOwnKeys({}, options)) as { _id: string; label: string }[],
    create: async (value: object) =>
      parse(await f.people.createOwnKey(body(value), options)) as { _id: string; key: string },
    remove: (keyId: string) => f.people.deleteOwnKey({ keyId }, options),
  };
}
const holderOf = (key: string) =>
  f.accountsClient.authenticate({ keySha256: hash('sha256', key, 'buffer') }, f.service);

test('a person makes, sees and deletes own ones, and those of nobody else', async () => {
  const { sessionSha256, email, userId } = await activeAdministrator();
  const keys = await keysAs(sessionSha256);
  expect(await keys.list()).toEqual([]);
  const made = await keys.create({ label: 'Laptop', permission: 'MODIFY', accessLevel: 'ACCOUNT' });
  expect(made).toMatchObject({ label: 'Laptop', key: expect.stringMatching(/^[A-Za-z0-9]{40}$/), userId });
  expect(await keys.list()).toMatchObject([{ _id: made._id, label: 'Laptop', last4: made.key.slice(-4) }]);
  expect(JSON.stringify(await keys.list())).not.toContain(made.key);
  expect(await holderOf(made.key)).toMatchObject({ username: email, permission: 'MODIFY', accessLevel: 'ACCOUNT' });
  const foreign = (await owner.of('apikeys').list()).filter(({ _id }) => _id !== made._id);
  expect(foreign).toHaveLength(2);
  for (const { _id } of foreign) await expect(keys.remove(_id)).rejects.toMatchObject({ kind: 'not_found' });
  await keys.remove(made._id);
  await expect(holderOf(made.key)).rejects.toMatchObject({ kind: 'unauthenticated' });
  const events = await until(() => {
    const mine_ = f.published.events.filter(
      (event) => event.ownerId === mine.ownerId && event.username === email && event.message.includes('API key'),
    );
    return mine_.length >= 2 && mine_;
  });
  expect(events.map(({ message }) => message)).toEqual([`Created API key 'Laptop'`, `Deleted API key 'Laptop'`]);
});

test.each([
  ['without a label', {}, 'label'],
  ['of a level that is none', { label: 'x', accessLevel: 'ALL' }, 'accessLevel'],
  [
    'of an unknown workspace',
    { label: 'x', accessLevel: 'LIMITED_WORKSPACES', workspaceIds: ['0'.repeat(24)] },
    'workspaceIds[0]',
  ],
])('a key %s is refused by name', async (_what, value, name) => {
  const keys = await keysAs((await activeAdministrator()).sessionSha256);
  await expect(keys.create(value)).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringContaining(`${name}: `),
  });
  expect(await keys.list()).toEqual([]);
});

test('the keys of an administrator die with the role; those of workspace users stay as they are', async () => {
  const workspace = await mine.create('Workspace', 'Site');
  const { sessionSha256: admin } = await activeAdministrator();
  const { key: adminKey } = await (await keysAs(admin)).create({ label: 'a' });
  const email = newEmail();
  await owner.createGroups([{ name: `Crew of ${email}`, users: [{ user: email }] }]);
  await f.database.query(
    `INSERT INTO workspace_access (owner_id, workspace_id, user_id, role_id)
     SELECT $1, $2, user_id, role_id FROM roles, users WHERE owner_id = $1 AND name = 'View' AND address = $3`,
    [mine.ownerId, workspace._id, email],
  );
  const { sessionSha256: user } = await people.use(tokenOf((await people.createLink(email)).url));
  const keys = await keysAs(user);
  await expect(keys.create({ label: 'x', accessLevel: 'account' })).rejects.toMatchObject({
    kind: 'invalid_argument',
    message: expect.stringContaining('accessLevel: '),
  });
  const hidden = await mine.create('Workspace', 'Other');
  const elsewhere = { label: 'x', accessLevel: 'LIMITED_WORKSPACES', workspaceIds: [workspace._id, hidden._id] };
  await expect(keys.create(elsewhere)).rejects.toMatchObject({
    message: expect.stringContaining('workspaceIds[1]: '),
  });
  const { key } = await keys.create({ label: 'u', permission: 'MODIFY', accessLevel: 'WORKSPACES' });
  expect((await holderOf(key)).rights?.grants).toEqual([{ permissions: ['VIEW'], workspaceIds: [workspace._id] }]);
  await owner.put({ administrators: [] });
  await expect(holderOf(adminKey)).rejects.toMatchObject({ kind: 'unauthenticated' });
  expect(await holderOf(key)).toMatchObject({ username: email });
});

test('a person has at most fifty in an account', async () => {
  const { sessionSha256, userId } = await activeAdministrator();
  await f.database.query(
    `INSERT INTO api_keys (key_id, owner_id, user_id, key_sha256, last4, label, permission, access_level, created_at)
     SELECT lpad(to_hex(n), 4, '0') || substr(md5($1), 1, 20), $1, $2, sha256(convert_to($1 || n, 'UTF8')), 'xxxx', 'n', 'READ_ONLY', 'WORKSPACES', now()
     FROM generate_series(1, 50) n`,
    [mine.ownerId, userId],
  );
  await expect((await keysAs(sessionSha256)).create({ label: 'x' })).rejects.toMatchObject({
    kind: 'invalid_argument',
  });
});
