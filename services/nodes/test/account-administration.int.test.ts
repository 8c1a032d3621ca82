import type { Caller } from '@catchment/access';
import type { CreateAccountResponse } from '@catchment/contracts/nodes';
import type { CallContext } from '@catchment/grpc';
import { newApiKey, sha256OfKey } from '@catchment/ids';
import { until } from '@catchment/testkit';
import { limitsHandlers } from '../src/usage/transport/limits-handlers.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { ownerClient } from './owner-client.ts';

let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const who = (key: string) =>
  f.accountsClient.authenticate({ keySha256: Buffer.from(sha256OfKey(key), 'hex') }, f.service);
const refusal = (attribute: string) => ({
  kind: 'invalid_argument',
  message: expect.stringContaining(`${attribute}: `),
});
/** Makes an account that another one manages. */
const managed = async (parent: string, accountName: string, accountType = '') => {
  const email = `${accountName.toLowerCase()}@managed.example.org`;
  const request = { accountName, email, firstName: '', lastName: '', accountType, parent };
  const made = await f.accountsClient.createAccount(request, f.service);
  const { userId, username } = await who(made.administrationKey);
  const access = { permission: 'MODIFY', accessLevel: 'ACCOUNT' } as const;
  const caller = { kind: 'api', ownerId: made.ownerId, userId, username, ...access } as const;
  return { ...made, caller, ...(await f.as(caller)), owner: await ownerClient(f, caller) };
};

test('an account is changed by id or slug; a disabled one says so of every key', async () => {
  const mine = await f.account();
  const update = (change: object) => f.owners.updateAccount({ account: mine.slug, ...change }, f.service);
  expect(await update({ accountName: 'New name', accountType: 'premium' })).toEqual({
    ownerId: mine.ownerId,
    slug: mine.slug,
    accountName: 'New name',
    accountType: 'PREMIUM',
    status: 'ACTIVE',
  });
  const disabled = await f.owners.updateAccount({ account: mine.ownerId.toUpperCase(), status: 'DISABLED' }, f.service);
  expect(disabled.status).toBe('DISABLED');
  for (const key of [mine.defaultKey, mine.administrationKey])
    expect(await who(key)).toMatchObject({ accountStatus: 'DISABLED', accountType: 'PREMIUM' });
  await update({ status: 'ACTIVE' });
  await update({ status: 'ACTIVE' });
  expect((await who(mine.defaultKey)).accountStatus).toBe('ACTIVE');
  const events = () => f.published.events.filter(({ ownerId }) => ownerId === mine.ownerId);
  await until(() => events().length === 3);
  expect(events().map(({ message, username, eventType }) => [message, username, eventType])).toEqual([
    ['Updated accountName, accountType', 'System', 'SECURITY'],
    ['Updated status', 'System', 'SECURITY'],
    ['Updated status', 'System', 'SECURITY'],
  ]);
});

test.each([
  ['account', { account: 'nobody1' }],
  ['accountName', { accountName: '' }],
  ['accountType', { accountType: 'GOLD' }],
  ['accountType', { accountType: 'MANAGED' }],
  ['status', { status: 'GONE' }],
  ['sourceLimit', { sourceLimit: Number.NaN }],
  ['rowsPerSourcePerDay', { rowsPerSourcePerDay: 1.5 }],
  ['rowsPerSourcePerDay', { rowsPerSourcePerDay: 1e9 }],
  ['recordDays', { recordDays: 0.5 }],
  ['recordDays', { recordDays: 36_501 }],
  ['eventDays', { eventDays: Number.POSITIVE_INFINITY }],
])('a wrong %s is refused by name', async (attribute, wrong) => {
  const { slug } = await f.account();
  await expect(f.owners.updateAccount({ account: slug, ...wrong }, f.service)).rejects.toMatchObject(
    refusal(attribute),
  );
});

test('an account may have a limit of rows of its own, which our own services ask for', async () => {
  const { slug, ownerId } = await f.account();
  const limits = limitsHandlers({ database: f.database });
  const call = (caller: Caller) => ({ caller }) as CallContext;
  const own = async () => limits.getLimits({ ownerId }, call({ kind: 'service', service: 'historic' }));
  const reported: unknown[] = [await own()];
  for (const rowsPerSourcePerDay of [5_000, 0, -1]) {
    await f.owners.updateAccount({ account: slug, rowsPerSourcePerDay }, f.service);
    reported.push(await own());
  }
  expect(reported).toEqual([{}, { rowsPerSourcePerDay: 5_000 }, { rowsPerSourcePerDay: 0 }, {}]);
  const { caller } = await managed(slug, `Rows${ownerId.slice(-6)}`);
  await expect(limits.getLimits({ ownerId }, call(caller))).rejects.toMatchObject({ kind: 'permission_denied' });
});

test('an account may have days of its own for records and events, which our own services ask for', async () => {
  const [{ slug, ownerId }, other] = [await f.account(), await f.account()];
  const limits = limitsHandlers({ database: f.database });
  const call = (caller: Caller) => ({ caller }) as CallContext;
  const listed = async () => {
    const { accounts } = await limits.listOwnDays({}, call({ kind: 'service', service: 'historic' }));
    return accounts.filter((account) => [ownerId, other.ownerId].includes(account.ownerId));
  };
  const reported: unknown[] = [await listed()];
  for (const change of [{ recordDays: 365 }, { eventDays: 0 }, { recordDays: -1 }, { eventDays: -1 }]) {
    await f.owners.updateAccount({ account: slug, ...change }, f.service);
    reported.push(await listed());
  }
  expect(reported).toEqual([
    [],
    [{ ownerId, recordDays: 365 }],
    [{ ownerId, recordDays: 365, eventDays: 0 }],
    [{ ownerId, eventDays: 0 }],
    [],
  ]);
  const { caller } = await managed(slug, `Days${ownerId.slice(-6)}`);
  await expect(limits.listOwnDays({}, call(caller))).rejects.toMatchObject({ kind: 'permission_denied' });
});

test('accounts are administered by our own services only', async () => {
  const { options, slug } = await f.account();
  const denied = { kind: 'permission_denied' };
  await expect(f.owners.updateAccount({ account: slug, status: 'DISABLED' }, options)).rejects.toMatchObject(denied);
  await expect(f.owners.deleteAccount({ account: slug }, options)).rejects.toMatchObject(denied);
});

test('a deleted account takes its nodes, keys and settings along; others stay', async () => {
  const [mine, other] = [await f.account(), await f.account()];
  const { source } = await f.source(mine);
  await f.source(other);
  await mine.ensure(source._id, [{ name: 'a' }, { name: 'b' }]);
  await (await ownerClient(f, mine.caller)).put({ groups: [{ name: 'G', users: [{ user: 'g@example.org' }] }] });
  const deleted = await f.owners.deleteAccount({ account: mine.slug }, f.service);
  expect(deleted).toEqual({ ownerId: mine.ownerId, nodes: 5 });
  await expect(who(mine.administrationKey)).rejects.toMatchObject({ kind: 'unauthenticated' });
  for (const table of ['owners', 'nodes', 'api_keys', 'user_groups', 'roles', 'administrators', 'owner_revisions'])
    expect((await f.database.query(`SELECT 1 FROM ${table} WHERE owner_id = $1`, [mine.ownerId])).rows).toEqual([]);
  const gone = () =>
    f.published.deleted.filter(({ ownerId }) => ownerId === mine.ownerId).flatMap(({ nodes }) => nodes);
  await until(() => gone().length === 5);
  await expect(f.owners.deleteAccount({ account: mine.slug }, f.service)).rejects.toMatchObject(refusal('account'));
  expect((await other.list()).list).toHaveLength(3);
  expect(await who(other.defaultKey)).toMatchObject({ ownerId: other.ownerId });
});

test('services that work for an account hear that it is disabled, enabled and deleted, and of nothing else', async () => {
  const { ownerId } = await f.account();
  await f.owners.updateAccount({ account: ownerId, accountName: 'Renamed' }, f.service);
  await f.owners.updateAccount({ account: ownerId, status: 'DISABLED' }, f.service);
  await f.owners.updateAccount({ account: ownerId, status: 'DISABLED' }, f.service);
  await f.owners.updateAccount({ account: ownerId, status: 'ACTIVE' }, f.service);
  await f.owners.deleteAccount({ account: ownerId }, f.service);
  const reported = () =>
    f.published.accounts.filter((account) => account.ownerId === ownerId).map(({ status }) => status);
  await until(() => reported().includes('DELETED'));
  expect(reported()).toEqual(['DISABLED', 'ACTIVE', 'DISABLED', 'DELETED']);
});

test('a managed account: its managers are implicit administrators and never listed', async () => {
  const parent = await f.account();
  const manager = 'manager@example.org';
  const parentOwner = await ownerClient(f, parent.caller);
  await parentOwner.put({ administrators: [{ user: manager }] });
  const child = await managed(parent.slug, 'Child');
  expect((await child.owner.get()).accountType).toBe('MANAGED');
  const after = await child.owner.put({
    administrators: [manager, parent.caller.username, 'own@example.org'].map((user) => ({ user })),
  });
  expect(after.administrators?.map(({ user }) => user)).toEqual(['own@example.org']);
  const { rows } = await f.database.query<{ user_id: string }>('SELECT user_id FROM users WHERE address = $1', [
    manager,
  ]);
  const asManager = await ownerClient(f, { ...child.caller, userId: rows[0]?.user_id ?? '', username: manager });
  const key = String((await asManager.of('apikeys').create({ label: 'M' })).key);
  await child.owner.put({ administrators: [] });
  expect((await who(key)).username).toBe(manager);
  await parentOwner.put({ administrators: [] });
  await expect(who(key)).rejects.toMatchObject({ kind: 'unauthenticated' });
  await expect(f.owners.deleteAccount({ account: parent.slug }, f.service)).rejects.toMatchObject({
    kind: 'failed_precondition',
  });
  await f.owners.deleteAccount({ account: child.slug }, f.service);
  await f.owners.deleteAccount({ account: parent.slug }, f.service);
});

test.each([
  ['parent', { accountType: 'MANAGED' }],
  ['parent', { parent: 'nobody1' }],
  ['accountType', { accountType: 'STANDARD', parent: 'PARENT' }],
])('a managed account with a wrong %s is refused', async (attribute, wrong) => {
  const { slug } = await f.account();
  const request = { accountName: 'A', email: 'a@example.org', firstName: '', lastName: '', accountType: '', ...wrong };
  const parent = 'parent' in wrong && wrong.parent === 'PARENT' ? { parent: slug } : {};
  await expect(f.accountsClient.createAccount({ ...request, ...parent }, f.service)).rejects.toMatchObject(
    refusal(attribute),
  );
});

test('a managed account manages none', async () => {
  const child = await managed((await f.account()).slug, 'Middle');
  await expect(managed(child.slug, 'Grandchild')).rejects.toMatchObject(refusal('parent'));
});

test('usage: rated by size, managed accounts by name, TRIAL and DISABLED listed but not summed', async () => {
  const parent = await f.account();
  const owner = await ownerClient(f, parent.caller);
  const { location, source } = await f.source(parent);
  await parent.ensure(
    source._id,
    Array.from({ length: 11 }, (_, i) => ({ name: `p${i}` })),
  );
  await parent.create('source.data.Jts', 'Second', location._id);
  await parent.create('source.data.Jts', 'Off', location._id, { isEnabled: false });
  const [zeta, alpha, trial] = [
    await managed(parent.slug, 'Zeta'),
    await managed(parent.slug, 'Alpha'),
    await managed(parent.slug, 'Trial', 'TRIAL'),
  ];
  for (const child of [zeta, alpha, trial]) await f.source(child);
  await f.owners.updateAccount({ account: zeta.slug, status: 'DISABLED' }, f.service);
  await f.owners.updateAccount({ account: parent.slug, sourceLimit: 50, smsLimit: -1 }, f.service);
  const used = (small: number, medium: number) => ({
    usage: { attachmentsource: 0, datasource: { small, medium, large: 0 }, sms: 0 },
    attachmentBytes: 0,
  });
  const name = (await owner.get()).accountName;
  expect(await owner.usage()).toEqual({
    rates: { attachmentsource: 0.7, datasource: { small: 0.3, medium: 0.7, large: 1 }, sms: 1 },
    total: { source: { usage: 1.3, usageLimit: 50 }, sms: { usage: 0, usageLimit: null } },
    accounts: [
      { _id: parent.ownerId, accountName: name, accountType: 'STANDARD', ...used(0.3, 0.7) },
      { _id: alpha.ownerId, accountName: 'Alpha', accountType: 'MANAGED', ...used(0.3, 0) },
      { _id: trial.ownerId, accountName: 'Trial', accountType: 'TRIAL', ...used(0.3, 0) },
      { _id: zeta.ownerId, accountName: 'Zeta', accountType: 'MANAGED', ...used(0.3, 0) },
    ],
  });
  for (const child of [alpha, trial])
    await expect(child.owner.usage()).rejects.toMatchObject({ kind: 'permission_denied' });
  const weak = await ownerClient(f, { ...parent.caller, accessLevel: 'WORKSPACES' });
  await expect(weak.usage()).rejects.toMatchObject({ kind: 'permission_denied' });
});

test('usage of nodes: Workspaces by name, the largest sources first; a disabled one takes nothing, another account is not seen', async () => {
  const parent = await f.account();
  const child = await managed(parent.slug, 'Below');
  const { workspace, location, source } = await f.source(parent);
  await f.source(child);
  await parent.ensure(
    source._id,
    Array.from({ length: 11 }, (_, i) => ({ name: `p${i}` })),
  );
  await parent.create('source.data.Jts', 'Off', location._id, { isEnabled: false });
  const owner = await ownerClient(f, parent.caller);
  const { workspaces, sources } = await owner.usageOfNodes();
  expect(workspaces).toEqual([
    { _id: workspace._id, name: workspace.name, sources: 1, parameters: 11, usage: 0.7, attachmentBytes: 0 },
  ]);
  expect(sources?.map(({ _id, workspaceId, usage }) => [_id, workspaceId, usage])).toEqual([
    [source._id, workspace._id, 0.7],
    [expect.any(String), workspace._id, 0],
  ]);
  const theirs = await child.owner.usageOfNodes();
  expect([theirs.workspaces?.length, theirs.sources?.length]).toEqual([1, 1]);
  const weak = await ownerClient(f, { ...parent.caller, accessLevel: 'WORKSPACES' });
  await expect(weak.usageOfNodes()).rejects.toMatchObject({ kind: 'permission_denied' });
});

test('limits: nodes, rated sources and SMS with those of managed accounts, months of the last year', async () => {
  const parent = await f.account();
  const child = await managed(parent.slug, 'Writer');
  await f.source(parent);
  await f.owners.updateAccount({ account: parent.slug, sourceLimit: 50, smsLimit: 100 }, f.service);
  const month = new Date().toISOString().slice(0, 7);
  const monthMs = Date.parse(`${month}-01T00:00:00Z`);
  const insert = 'INSERT INTO sms_usage (owner_id, month_ms, count) VALUES ($1, $2, $3)';
  await f.database.query(insert, [parent.ownerId, monthMs, 2]);
  await f.database.query(insert, [child.ownerId, monthMs, 3]);
  await f.database.query(insert, [child.ownerId, Date.UTC(2020, 0), 7]);
  const owner = await ownerClient(f, parent.caller);
  expect(await owner.limits()).toEqual({
    nodes: { count: 3, limit: 100_000 },
    sources: { usage: 0.3, usageLimit: 50 },
    sms: {
      isSent: true,
      count: 5,
      limit: 100,
      months: [
        { month: '2020-01', count: 7 },
        { month, count: 5 },
      ],
    },
  });
  expect((await child.owner.limits()).sms).toMatchObject({ count: 3, limit: null });
  const weak = await ownerClient(f, { ...parent.caller, accessLevel: 'WORKSPACES' });
  await expect(weak.limits()).rejects.toMatchObject({ kind: 'permission_denied' });
});

test('over the source limit no source is made, in the account or in one that it manages; the rest works', async () => {
  const parent = await f.account();
  const child = await managed(parent.slug, 'Limited');
  const mine = await f.source(parent);
  const theirs = await f.source(child);
  const limit = (sourceLimit: number) => f.owners.updateAccount({ account: parent.slug, sourceLimit }, f.service);
  await limit(0.9);
  const second = await parent.create('source.data.Jts', 'Second', mine.location._id);
  const refused = { kind: 'invalid_argument', message: expect.stringContaining('0.9') };
  await expect(parent.create('source.data.Jts', 'Third', mine.location._id)).rejects.toMatchObject(refused);
  await expect(child.create('source.data.Jts', 'Third', theirs.location._id)).rejects.toMatchObject(refused);
  expect((await parent.list()).list).toHaveLength(4);
  await parent.create('Group', 'Not a source', mine.location._id);
  await parent.update(second._id, { isEnabled: false });
  await child.create('source.data.Jts', 'Third', theirs.location._id);
  await limit(-1);
  await parent.create('source.data.Jts', 'Third', mine.location._id);
});

test('a creation repeated with the same given keys answers with the one account, at the same time too', async () => {
  const keys = { administrationKey: newApiKey(), defaultKey: newApiKey() };
  const request = {
    accountName: 'Given keys',
    email: 'given@example.org',
    firstName: '',
    lastName: '',
    accountType: '',
  };
  const create = (change: object = {}) => f.accountsClient.createAccount({ ...request, ...keys, ...change }, f.service);
  const made = await Promise.all([create(), create(), create()]);
  const again = await create({ accountName: 'Another name' });
  const { ownerId, slug } = made[0] as CreateAccountResponse;
  for (const answer of [...made, again]) expect(answer).toMatchObject({ ownerId, slug, ...keys });
  expect(new Set([...made, again].map(({ ownerActivateUrl }) => ownerActivateUrl)).size).toBe(4);
  const { rows } = await f.database.query('SELECT owner_id FROM owners WHERE account_name IN ($1, $2)', [
    'Given keys',
    'Another name',
  ]);
  expect(rows).toEqual([{ owner_id: ownerId }]);
  expect(await who(keys.administrationKey)).toMatchObject({ ownerId, permission: 'MODIFY', accessLevel: 'ACCOUNT' });
  await expect(create({ defaultKey: newApiKey() })).rejects.toMatchObject({ kind: 'already_exists' });
  const swapped = { administrationKey: keys.defaultKey, defaultKey: keys.administrationKey };
  await expect(create(swapped)).rejects.toMatchObject({ kind: 'already_exists' });
});

test.each([
  ['administrationKey', { defaultKey: 'd'.repeat(40) }],
  ['defaultKey', { administrationKey: 'a'.repeat(40) }],
  ['administrationKey', { administrationKey: 'short', defaultKey: 'd'.repeat(40) }],
  ['defaultKey', { administrationKey: 'a'.repeat(40), defaultKey: 'a'.repeat(40) }],
])('%s given wrongly is refused', async (attribute, keys) => {
  const request = {
    accountName: 'X',
    email: 'wrong@example.org',
    firstName: '',
    lastName: '',
    accountType: '',
    ...keys,
  };
  await expect(f.accountsClient.createAccount(request, f.service)).rejects.toMatchObject(refusal(attribute));
});
