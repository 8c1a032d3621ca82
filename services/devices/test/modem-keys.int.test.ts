// A modem belongs to an account (docs/reference/devices.md#device-attributes,
// docs/reference/devices.md#what-a-scout-sends): an IMEI is unique per account only, and a secret decides.
import { randomInt } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newObjectId } from '@catchment/ids';
import { Database, migrate, type Queryable } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { storedOn } from '../src/pg-store.ts';
import { hashOf, matchModem } from '../src/registry/usecases/match-modem.ts';
import { newSalt, SecretHasher } from '../src/registry/usecases/secret-hasher.ts';
import { caller, sourceNode, TestModem, workspaceNode } from './fakes.ts';
import {
  asService,
  changed,
  create,
  database,
  deleted,
  eventsOf,
  get,
  isConnected,
  list,
  main,
  nodes,
  recordsOf,
  startReplica,
  tokenOf,
  update,
  useDevices,
} from './running-service.ts';

useDevices();

const newImei = () => `35${randomInt(1e12).toString().padStart(13, '0')}`;

type Body = Record<string, unknown>;

/** Makes an account that has registered a key with POST /devices, then given it to a source. */
async function registered(deviceKey: string, body: Body = {}) {
  const who = caller();
  const workspace = workspaceNode(who.ownerId);
  nodes.nodes.push(workspace);
  const device = await create(who, { deviceKey, workspaceId: workspace.nodeId, ...body });
  const source = sourceNode(workspace, deviceKey);
  nodes.nodes.push(source);
  await changed(source);
  await until(async () => (await list(who)).devices.some((device) => device.datasourceId === source.nodeId));
  return { who, workspace, source, deviceId: String(device._id), secret: String(device.secret) };
}

/** Returns the first answer to a modem. */
async function answerTo(deviceKey: string, over: Body = {}, port = main.scout) {
  const modem = new TestModem(port).ident(deviceKey, over);
  const [first] = await until(() => modem.received.length > 0 && modem.received);
  return { modem, type: first?.type, code: first?.code };
}

async function welcomed(deviceKey: string, over: Body = {}, port = main.scout) {
  const { modem, type, code } = await answerTo(deviceKey, over, port);
  expect({ type, code }).toEqual({ type: 'welcome', code: undefined });
  return modem;
}

describe('registration', () => {
  test('two accounts register one IMEI, and neither sees anything of the other', async () => {
    const key = newImei();
    const [first, second] = [await registered(key), await registered(key)];
    for (const { who, deviceId, source } of [first, second]) {
      expect((await list(who)).devices).toMatchObject([{ _id: deviceId, deviceKey: key }]);
      expect(await get(who, deviceId)).toMatchObject({ datasourceId: source.nodeId, workspaceId: source.workspaceId });
      expect(eventsOf(source)).toEqual([]);
    }
    await expect(get(first.who, second.deviceId)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(update(first.who, second.deviceId, { secret: null })).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('a second device with the IMEI is refused in the account', async () => {
    const key = newImei();
    const { who, workspace } = await registered(key);
    await expect(create(who, { deviceKey: key, workspaceId: workspace.nodeId })).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: 'deviceKey: must be unique in the account',
    });
    expect((await list(who)).devices).toHaveLength(1);
  });

  test('a source that names the IMEI of another account makes a device of its own', async () => {
    const key = newImei();
    const first = await registered(key);
    const who = caller();
    const source = sourceNode(workspaceNode(who.ownerId), key);
    await changed(source);
    const device = await until(async () => (await list(who)).devices[0]);
    expect(device).toMatchObject({ deviceKey: key, datasourceId: source.nodeId, workspaceId: source.workspaceId });
    expect(device).not.toHaveProperty('secret');
    expect(await get(first.who, first.deviceId)).toMatchObject({ datasourceId: first.source.nodeId });
  });

  test('a secret is made and shown once, and never again', async () => {
    const { who, deviceId, secret, workspace } = await registered(newImei());
    expect(secret).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect((await get(who, deviceId)).secret).toBe('********');
    expect(JSON.stringify((await list(who)).devices)).not.toContain(secret);
    const another = await create(who, { workspaceId: workspace.nodeId });
    expect(another.secret).not.toBe(secret);
  });

  test.each([
    ['null: there is none', null, undefined],
    ['a text: it is masked', 'correct horse', '********'],
  ])('secret %s', async (_what, secret, shown) => {
    const who = caller();
    const workspace = workspaceNode(who.ownerId);
    nodes.nodes.push(workspace);
    expect((await create(who, { workspaceId: workspace.nodeId, secret })).secret).toBe(shown);
  });

  test.each([['short'], [7], ['x'.repeat(129)], ['********'], ['line\nbreak']])(
    'a secret %j is refused on POST without being repeated',
    async (secret) => {
      const who = caller();
      const workspace = workspaceNode(who.ownerId);
      nodes.nodes.push(workspace);
      await expect(create(who, { workspaceId: workspace.nodeId, secret })).rejects.toMatchObject({
        kind: 'invalid_argument',
        message: 'secret: must be 8 to 128 ASCII characters, other than ********',
      });
      expect((await list(who)).devices).toEqual([]);
    },
  );
});

describe('modems of one key', () => {
  test('each goes to the account whose secret it carries; both are connected and neither replaces the other', async () => {
    const key = newImei();
    const [first, second] = [await registered(key), await registered(key)];
    const modems = await Promise.all(
      [first, second].map(({ secret }) => welcomed(key, { secret, session: 'same-session' })),
    );
    for (const modem of modems) {
      modem.data(1, '2026-01-01T00:00:00.000Z', 1);
      await modem.next('ack', { seq: 1 });
    }
    expect(await isConnected(first.who, first.deviceId)).toBe(true);
    expect(await isConnected(second.who, second.deviceId)).toBe(true);
    expect([recordsOf(first.source).length, recordsOf(second.source).length]).toEqual([1, 1]);
    expect(modems.map((modem) => modem.received.filter((message) => message.type === 'error'))).toEqual([[], []]);
    for (const modem of modems) modem.end();
  });

  test('without a secret it goes to the oldest registration that has none, and the later one stays unconnected', async () => {
    const key = newImei();
    await registered(key);
    const second = await registered(key, { secret: null });
    const third = await registered(key, { secret: null });
    const modem = await welcomed(key);
    expect(await isConnected(second.who, second.deviceId)).toBe(true);
    expect(await isConnected(third.who, third.deviceId)).toBe(false);
    await until(() => eventsOf(second.source).length > 0, { what: 'the connection is reported' });
    expect(eventsOf(third.source)).toEqual([]);
    modem.end();
  });

  test('a registration whose workspace is gone, as with its account, keeps nobody waiting', async () => {
    const key = newImei();
    const first = await registered(key, { secret: null });
    const second = await registered(key, { secret: null });
    await deleted(first.workspace, first.source);
    await until(async () => !('workspaceId' in (await get(first.who, first.deviceId))));
    const modem = await welcomed(key);
    expect(await isConnected(second.who, second.deviceId)).toBe(true);
    modem.end();
  });

  test('who removes a secret comes after those that had none before', async () => {
    const key = newImei();
    const first = await registered(key, { secret: 'correct horse' });
    const second = await registered(key, { secret: null });
    await update(first.who, first.deviceId, { secret: null });
    const modem = await welcomed(key);
    expect(await isConnected(second.who, second.deviceId)).toBe(true);
    expect(await isConnected(first.who, first.deviceId)).toBe(false);
    modem.end();
  });

  test('a number that was made here is never the device of somebody who wrote it down', async () => {
    const who = caller();
    const workspace = workspaceNode(who.ownerId);
    nodes.nodes.push(workspace);
    const { deviceKey } = await create(who, { workspaceId: workspace.nodeId });
    const copied = await registered(String(deviceKey), { secret: null });
    expect(await answerTo(String(deviceKey))).toMatchObject({ code: 'REFUSED' });
    expect(await isConnected(copied.who, copied.deviceId)).toBe(false);
  });

  test('a secret is set, changed and removed by PUT; a modem with the old one is disconnected', async () => {
    const key = newImei();
    const { who, deviceId, secret, source } = await registered(key);
    const modem = await welcomed(key, { secret });
    expect((await update(who, deviceId, { secret: 'another secret' })).secret).toBe('********');
    await modem.closed();
    await until(() => eventsOf(source).includes(`Device ${key} disconnected`));
    expect(await answerTo(key, { secret })).toMatchObject({ code: 'REFUSED' });
    const next = await welcomed(key, { secret: 'another secret' });
    // Given back as it is shown, it stays.
    expect(await update(who, deviceId, { secret: '********', phoneNumber: '+4512345678' })).toMatchObject({
      secret: '********',
      phoneNumber: '+4512345678',
      isConnected: true,
    });
    next.end();
    expect(await update(who, deviceId, { secret: null })).not.toHaveProperty('secret');
    (await welcomed(key)).end();
    // A modem with a secret is not meant for a device that has none.
    expect(await answerTo(key, { secret: 'another secret' })).toMatchObject({ code: 'REFUSED' });
  });
});

describe('what cannot be found out', () => {
  /** Counts derivations, and writes down the statements, of one match. */
  async function workOf(ident: { deviceKey: string; secret?: string }) {
    const statements: string[] = [];
    let derivations = 0;
    const real = new Database({
      url: database.url,
      schema: 'devices',
      applicationName: 'test',
      rehearsesTransactions: true,
    });
    const noted: Queryable = {
      query: (text, values, name) => {
        statements.push(name ?? text);
        return real.query(text, values, name);
      },
    };
    const secrets = new SecretHasher(async () => {
      derivations += 1;
      return Buffer.alloc(32, 1);
    });
    const deps = { store: storedOn(noted), secrets };
    const { deviceKey, secret } = ident;
    const hash = secret === undefined ? undefined : await hashOf(deps, { deviceKey, secret });
    const match = await matchModem(deps, { deviceKey, secret }, hash);
    await real.close();
    return { match, derivations, statements };
  }

  test('an unknown key, a wrong secret, and a key with many registrations cost the same', async () => {
    const [single, many] = [newImei(), newImei()];
    await registered(single);
    for (let i = 0; i < 5; i += 1) await registered(many);
    const withSecret = { match: undefined, derivations: 1, statements: ['salt-of-key', 'find-by-secret'] };
    for (const deviceKey of [newImei(), single, many])
      expect(await workOf({ deviceKey, secret: 'wrong horse' })).toEqual(withSecret);
    const likeMade = { ...withSecret, statements: [...withSecret.statements, 'find-by-secret'] };
    for (const deviceKey of [newImei(), single, many])
      expect(await workOf({ deviceKey, secret: 'x'.repeat(32) })).toEqual(likeMade);
    const without = { match: undefined, derivations: 0, statements: ['find-unsecured'] };
    for (const deviceKey of [newImei(), single, many]) expect(await workOf({ deviceKey })).toEqual(without);
  });

  test('a secret that was made here costs no derivation, one that somebody has chosen does, also when it looks alike', async () => {
    const [made, chosen] = [await registered(newImei()), await registered(newImei())];
    const deviceKeyOf = async ({ who, deviceId }: typeof made) => String((await get(who, deviceId)).deviceKey);
    const first = await workOf({ deviceKey: await deviceKeyOf(made), secret: made.secret });
    expect([first.match?.device.deviceId, first.derivations]).toEqual([made.deviceId, 0]);
    const secret = 'x'.repeat(32);
    await update(chosen.who, chosen.deviceId, { secret });
    const deviceKey = await deviceKeyOf(chosen);
    expect(await workOf({ deviceKey, secret })).toMatchObject({ derivations: 1 });
    (await welcomed(deviceKey, { secret })).end();
  });

  test('every refusal is the same bytes, and none comes sooner than another', async () => {
    const key = newImei();
    const { who, workspace } = await registered(key);
    const unassigned = await create(who, { workspaceId: workspace.nodeId, secret: null });
    const idents: [string, Body][] = [
      [newImei(), {}],
      [newImei(), { secret: 'wrong horse' }],
      [key, {}],
      [key, { secret: 'wrong horse' }],
      [String(unassigned.deviceKey), {}],
      [String(unassigned.deviceKey), { secret: 'wrong horse' }],
    ];
    const started = performance.now();
    const answers = await Promise.all(
      idents.map(async ([deviceKey, over]) => {
        const { modem } = await answerTo(deviceKey, over);
        const afterMs = performance.now() - started;
        await modem.closed();
        return { received: modem.received, isPaddedTo: afterMs >= 240 };
      }),
    );
    const message = 'device unknown, not assigned to a source, or wrong secret';
    for (const answer of answers)
      expect(answer).toEqual({ received: [{ type: 'error', code: 'REFUSED', message }], isPaddedTo: true });
  });

  test('POST /devices answers the same to a key that another account has', async () => {
    const known = newImei();
    await registered(known);
    const who = caller();
    const workspace = workspaceNode(who.ownerId);
    nodes.nodes.push(workspace);
    const answers = [];
    for (const deviceKey of [known, newImei()]) {
      const { _id, createdTime, secret, ...device } = await create(who, { deviceKey, workspaceId: workspace.nodeId });
      expect([_id, createdTime, secret]).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
      answers.push({ ...device, deviceKey: '' });
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe('the operator', () => {
  const registrations = async (deviceKey: string) =>
    (await main.client.listRegistrations({ deviceKey }, { token: await asService() })).registrations;
  const release = async (deviceKey: string, deviceId: string) =>
    (await main.client.releaseKey({ deviceKey, deviceId }, { token: await asService() })).registrations;

  test('releases a squatted key: the next registration has the modem, the released one keeps all else', async () => {
    const key = newImei();
    const squatter = await registered(key, { secret: null });
    const owner = await registered(key, { secret: null });
    const modem = await welcomed(key);
    expect(await registrations(key)).toMatchObject([
      { deviceId: squatter.deviceId, ownerId: squatter.who.ownerId, hasSecret: false, isConnected: true },
      { deviceId: owner.deviceId, ownerId: owner.who.ownerId, hasSecret: false, lastConnectedMs: 0 },
    ]);
    expect(await release(key, squatter.deviceId)).toMatchObject([
      { deviceId: owner.deviceId },
      { deviceId: squatter.deviceId, isConnected: false },
    ]);
    await modem.closed();
    await until(() => eventsOf(squatter.source).includes(`Device ${key} disconnected`));
    const again = await welcomed(key);
    expect(await isConnected(owner.who, owner.deviceId)).toBe(true);
    expect(await get(squatter.who, squatter.deviceId)).toMatchObject({ deviceKey: key, isConnected: false });
    again.end();
    // A secret set and removed does not bring it back to the front.
    await update(squatter.who, squatter.deviceId, { secret: 'correct horse' });
    await update(squatter.who, squatter.deviceId, { secret: null });
    expect((await registrations(key)).map((registration) => registration.deviceId)).toEqual([
      owner.deviceId,
      squatter.deviceId,
    ]);
  });

  test('a registration that is not of the key is not found, and nobody else may ask', async () => {
    const key = newImei();
    const { who, deviceId } = await registered(key);
    await expect(release(newImei(), deviceId)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(release(key, newObjectId())).rejects.toMatchObject({ kind: 'not_found' });
    const token = await tokenOf(who);
    for (const ask of [
      () => main.client.listRegistrations({ deviceKey: key }, { token }),
      () => main.client.releaseKey({ deviceKey: key, deviceId }, { token }),
    ])
      await expect(ask()).rejects.toMatchObject({ kind: 'permission_denied' });
  });
});

test('after too many failures of an address, a good modem there is still welcome', async () => {
  const key = newImei();
  const { secret } = await registered(key);
  const replica = await startReplica({ SCOUT_MAX_FAILURES: '2' });
  const before = await welcomed(key, { secret }, replica.scout);
  before.end();
  const codes = [];
  for (let i = 0; i < 3; i += 1) codes.push((await answerTo(newImei(), {}, replica.scout)).code);
  expect(codes).toEqual(['REFUSED', 'REFUSED', 'TOO_MANY_FAILURES']);
  // The first modem was right here before, the second was not.
  (await welcomed(key, { secret }, replica.scout)).end();
  const other = newImei();
  const { secret: otherSecret } = await registered(other);
  (await welcomed(other, { secret: otherSecret }, replica.scout)).end();
  // Those that wait for their turn do not hold up a restart.
  const waiting = Array.from({ length: 10 }, () => new TestModem(replica.scout).ident(newImei()));
  await until(() => waiting.some((modem) => modem.received.length > 0));
  await replica.stop();
  await until(() => waiting.every((modem) => modem.isClosed));
  expect(waiting.some((modem) => modem.received.some(({ code }) => code === 'RESTARTING'))).toBe(true);
});

test('a database from before is brought up to date: keys, secrets and numbers stay whose they were', async () => {
  const schema = 'before';
  const [key, number] = [newImei(), '100000000042'];
  const workspace = workspaceNode(newObjectId());
  const [withSecret, without] = [sourceNode(workspace, key), sourceNode(workspace, number)];
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  const all = join(import.meta.dirname, '../migrations');
  for (const file of ['0001-create-devices.sql', '0002-create-files.sql'])
    await copyFile(join(all, file), join(folder, file));
  await migrate({ url: database.url, schema, folder, log: createLogger('test', { level: 'silent' }) });
  await rm(folder, { recursive: true });
  const db = new Database({ url: database.url, schema, applicationName: 'test', rehearsesTransactions: true });
  const hash = await new SecretHasher().hash('from before', async () => newSalt());
  for (const [deviceKey, secret] of [
    [key, hash],
    [number, null],
  ])
    await db.query(
      `INSERT INTO devices (device_id, owner_id, workspace_id, device_key, class, secret_hash, created_ms)
       VALUES ($1, $2, $3, $4, 'Device', $5, 7)`,
      [newObjectId(), workspace.ownerId, workspace.nodeId, deviceKey, secret],
    );
  nodes.nodes.push(withSecret, without);
  const replica = await startReplica({ DATABASE_SCHEMA: schema });
  const { rows } = await db.query(
    'SELECT device_key, is_generated, unsecured_since_ms FROM devices WHERE owner_id = $1 ORDER BY device_key',
    [workspace.ownerId],
  );
  expect(rows).toEqual([
    { device_key: number, is_generated: true, unsecured_since_ms: 7 },
    { device_key: key, is_generated: false, unsecured_since_ms: null },
  ]);
  await until(
    async () =>
      (await db.query('SELECT 1 FROM device_sources WHERE workspace_id = $1', [workspace.nodeId])).rowCount === 2,
  );
  (await welcomed(key, { secret: 'from before' }, replica.scout)).end();
  (await welcomed(number, {}, replica.scout)).end();
  await db.close();
  await replica.stop();
});
