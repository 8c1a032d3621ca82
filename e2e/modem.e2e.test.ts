import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { until } from '@catchment/testkit';
import { type Api, MODEL, unique } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
});
afterAll(() => installation?.stop());

/** Registers a device and its source through the API. */
async function modem(secret?: string): Promise<{ deviceKey: string; deviceId: string; sourceId: string }> {
  const { workspaceId, locationId } = await api.createSite();
  const device = await api.post('/devices', { workspaceId, secret: secret ?? null });
  expect(device.status).toBe(201);
  const { deviceKey, _id } = device.json;
  const source = await api.create({
    _class: `${MODEL}.source.data.Jts`,
    name: 'Modem',
    parentId: locationId,
    transport: { _class: `${MODEL}.transport.Scout`, deviceId: deviceKey },
  });
  await until(async () => (await api.get(`/devices/${_id}`)).json.datasourceId === source._id);
  return { deviceKey, deviceId: _id, sourceId: source._id };
}

/** Speaks docs/modem-protocol.md: newline-delimited JSON. */
class Connection {
  readonly #socket: Socket;
  readonly received: Record<string, unknown>[] = [];
  closed = false;

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1');
    let rest = '';
    this.#socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.received.push(JSON.parse(line));
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.closed = true;
    });
  }

  send(message: Record<string, unknown>): void {
    this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  acknowledged = (seq: number): boolean =>
    this.received.some((message) => message.type === 'ack' && message.seq === seq);
  close = (): void => void this.#socket.destroy();
}

const document = (n: number) => ({
  docType: 'jts',
  version: '1.0',
  header: { columns: { 0: { series: 'Level', units: 'm' } } },
  data: [{ ts: new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString(), f: { 0: { v: n } } }],
});

async function levelOf(sourceId: string): Promise<{ _id: string } | undefined> {
  return (await api.get('/nodes')).json.find(
    (node: { parentId?: string; name: string }) => node.parentId === sourceId && node.name === 'Level',
  );
}

test('a modem connects with its secret, is shown connected, and what it resends is neither lost nor doubled', async () => {
  const { deviceKey, deviceId, sourceId } = await modem('a-modem-secret-of-its-own');
  const port = await installation.listener('scout');
  const isConnected = async () => (await api.get(`/devices/${deviceId}`)).json.isConnected;

  const first = new Connection(port);
  first.send({ type: 'ident', deviceKey, secret: 'a-modem-secret-of-its-own' });
  await until(isConnected);
  first.send({ type: 'data', seq: 1, jts: document(1) });
  await until(() => first.acknowledged(1));
  first.send({ type: 'data', seq: 2, jts: document(2) });
  first.close(); // the acknowledgement of 2 is lost
  await until(async () => !(await isConnected()));

  const second = new Connection(port);
  second.send({ type: 'ident', deviceKey, secret: 'a-modem-secret-of-its-own' });
  await until(isConnected);
  for (const seq of [2, 3]) second.send({ type: 'data', seq, jts: document(seq) });
  await until(() => second.acknowledged(2) && second.acknowledged(3));

  const level = await until(() => levelOf(sourceId));
  await until(async () => (await api.get(`/nodes/${level._id}`)).json.currentValue === 3);
  const { data } = (await api.get(`/nodes/${level._id}/historic?limit=100`)).json;
  expect(data.map((row: { f: { 0: { v: number } } }) => row.f[0].v)).toEqual([1, 2, 3]);
  second.close();
});

test.each([
  ['an unknown device', () => ({ type: 'ident', deviceKey: '000000000000' })],
  ['a wrong secret', (deviceKey: string) => ({ type: 'ident', deviceKey, secret: 'wrong' })],
  ['no secret', (deviceKey: string) => ({ type: 'ident', deviceKey })],
  ['no identification first', () => ({ type: 'data', seq: 1, jts: document(1) })],
])('%s is disconnected and never shown connected', async (_what, ident) => {
  const { deviceKey, deviceId } = await modem('a-modem-secret-of-its-own');
  const connection = new Connection(await installation.listener('scout'));
  connection.send(ident(deviceKey));
  await until(() => connection.closed);
  expect((await api.get(`/devices/${deviceId}`)).json.isConnected).toBe(false);
});

test('an IMEI that two accounts register shows neither the other, and their modems never meet', async () => {
  const port = await installation.listener('scout');
  const deviceKey = `35${String(Date.now()).padStart(13, '0')}`;
  const second = await installation.account({ name: unique('Second') });
  const sites = [];
  for (const client of [api, second.api]) {
    const { workspaceId, locationId } = await client.createSite();
    const device = await client.post('/devices', { workspaceId, deviceKey });
    expect(device.status).toBe(201);
    const { _id, secret, createdTime, ...shown } = device.json;
    expect(shown).toMatchObject({ deviceKey, workspaceId, isConnected: false });
    expect((await client.post('/devices', { workspaceId, deviceKey })).status).toBe(400);
    const source = await client.create({
      _class: `${MODEL}.source.data.Jts`,
      name: 'Modem',
      parentId: locationId,
      transport: { _class: `${MODEL}.transport.Scout`, deviceId: deviceKey },
    });
    await until(async () => (await client.get(`/devices/${_id}`)).json.datasourceId === source._id);
    expect((await client.get(`/devices/${_id}`)).json.secret).toBe('********');
    sites.push({ client, _id, secret, shown: { ...shown, workspaceId: '' } });
  }
  expect(sites[0]?.shown).toEqual(sites[1]?.shown);
  const connections = sites.map(({ secret }) => {
    const connection = new Connection(port);
    connection.send({ type: 'ident', deviceKey, secret });
    return connection;
  });
  for (const { client, _id } of sites) await until(async () => (await client.get(`/devices/${_id}`)).json.isConnected);
  expect(connections.map(({ closed }) => closed)).toEqual([false, false]);
  for (const { client, _id } of sites) expect((await client.get(`/devices/${_id}`)).json.isConnected).toBe(true);
  for (const connection of connections) connection.close();
});

// Each command is a separate process.
test('the operator sees who has registered a key, and releases it', async () => {
  const deviceKey = `36${String(Date.now()).padStart(13, '0')}`;
  const second = await installation.account({ name: unique('Squatted') });
  const devices: string[] = [];
  for (const client of [api, second.api]) {
    const { workspaceId } = await client.createSite();
    devices.push((await client.post('/devices', { workspaceId, deviceKey, secret: null })).json._id);
  }
  const lines = (output: string) => output.split('\n').filter((line) => line.includes('device '));
  const listed = await installation.command(['device', 'release', deviceKey]);
  expect(lines(listed).map((line) => devices.findIndex((id) => line.includes(id)))).toEqual([0, 1]);
  expect(lines(listed)[1]).toContain(second.id);
  expect(lines(listed)[1]).toMatch(/Squatted/);
  const released = await installation.command(['device', 'release', deviceKey, '--device', devices[0] ?? '']);
  expect(lines(released).map((line) => devices.findIndex((id) => line.includes(id)))).toEqual([1, 0]);
  await expect(installation.command(['device', 'release', deviceKey, '--device', '0'.repeat(24)])).rejects.toThrow(
    'has not registered',
  );
});

test('the simulated modem of the command line reports through the same protocol', async () => {
  const { deviceKey, sourceId } = await modem();
  const child = spawn(
    path.join(import.meta.dirname, '../cli/bin/catchment'),
    [
      'simulate',
      'modem',
      '--port',
      String(await installation.listener('scout')),
      '--key',
      deviceKey,
      '--interval',
      '1',
    ],
    { stdio: 'ignore' },
  );
  try {
    await until(async () =>
      (await api.get('/nodes')).json.some((node: { parentId?: string }) => node.parentId === sourceId),
    );
  } finally {
    child.kill('SIGTERM');
  }
});
