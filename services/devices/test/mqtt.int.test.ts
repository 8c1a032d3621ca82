import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';
import { SparkplugMetric, SparkplugPayload } from '@catchment/contracts/sparkplug';
import type { SettingsOf } from '@catchment/contracts/transports';
import { invalid, unavailable } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { mosquittoPub, until } from '@catchment/testkit';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { jts, sourceNode, workspaceNode } from './fakes.ts';
import {
  changed,
  eventsOf,
  historic,
  main,
  nodes,
  recordsOf,
  startReplica,
  useDevices,
  writesOf,
} from './running-service.ts';

useDevices();

const run = promisify(execFile);
const clients: MqttClient[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  for (const socket of sockets.splice(0)) socket.destroy();
});

const port = () => main.ports.Mqtt?.[0] ?? 0;

/** Makes a source that receives by MQTT. */
function station(settings: Partial<SettingsOf<'Mqtt'>> = {}, over: Parameters<typeof sourceNode>[2] = {}) {
  const source = sourceNode(workspaceNode(newObjectId()), '', over);
  const key = `key-${source.nodeId}`;
  nodes.mqtt.set(key, { source, settings });
  return { source, key, topic: `io/svc/source/${key}` };
}

async function client(options: IClientOptions, at = port()): Promise<MqttClient> {
  const mqttClient = await connectAsync(`mqtt://127.0.0.1:${at}`, {
    reconnectPeriod: 0,
    connectTimeout: 20_000,
    ...options,
  });
  mqttClient.on('error', () => {});
  clients.push(mqttClient);
  return mqttClient;
}
const document = (minute: number, value: number) =>
  JSON.stringify(jts(new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(), value));
const stored = (source: Parameters<typeof recordsOf>[0], count: number) =>
  until(() => recordsOf(source).length >= count, { what: `${count} records` });

describe.each([4, 5] as const)('MQTT %d', (protocolVersion) => {
  test.each([0, 1, 2] as const)('documents of QoS %d are stored', async (qos) => {
    const { source, key } = station();
    const mqttClient = await client({ protocolVersion, username: key });
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => mqttClient.publishAsync('mill/level', document(n, n), { qos })),
    );
    await stored(source, 30);
    expect(recordsOf(source)).toHaveLength(30);
    expect(writesOf(source)[0]).toMatchObject({ origin: 'mill/level', notifyOn: 'ALL_NEWER' });
  });

  test('a key in the topic needs no user name', async () => {
    const { source, topic } = station();
    const mqttClient = await client({ protocolVersion });
    await mqttClient.publishAsync(topic, document(1, 1), { qos: 1, retain: true });
    expect(recordsOf(source)).toHaveLength(1);
  });

  test('a user name that is no key, as of a device or a bridge of a broker, does not matter: the key is in the topic, or the password', async () => {
    const open = station();
    const closed = station({ authentication: 'CONNECT', password: 'right' });
    const mqttClient = await client({ protocolVersion, username: 'Field station 7', password: 'right' });
    await mqttClient.publishAsync('$SYS/broker/connection/field/state', '1', { qos: 1, retain: true });
    for (const { topic } of [open, closed]) await mqttClient.publishAsync(topic, document(1, 1), { qos: 1 });
    const words = { ...station(), key: protocolVersion === 5 ? 'soap-laugh-corn' : 'pump-river-moss' };
    nodes.mqtt.set(words.key, { source: words.source, settings: {} });
    const byPassword = await client({ protocolVersion, username: 'admin', password: words.key });
    await byPassword.publishAsync('mill/level', document(2, 2), { qos: 1 });
    expect([open, closed, words].map(({ source }) => recordsOf(source).length)).toEqual([1, 1, 1]);
    const wrong = await client({ protocolVersion, username: 'Field station 7', password: 'wrong' });
    const answer = wrong.publishAsync(closed.topic, document(3, 3), { qos: 1 });
    if (protocolVersion === 5) await expect(answer).rejects.toMatchObject({ code: 0x87 });
    else
      await Promise.race([
        answer.catch(() => {}),
        new Promise<void>((resolve) => wrong.once('close', () => resolve())),
      ]);
    expect(recordsOf(closed.source)).toHaveLength(1);
  });

  test('a key that is nobody’s, a wrong password and an address outside are refused in one way', async () => {
    const { key, source } = station({ authentication: 'CONNECT', password: 'right' });
    const outside = station({ ipWhitelist: ['192.0.2.0/24'] });
    const refused = (options: IClientOptions) =>
      client({ protocolVersion, ...options }).then(
        () => 0,
        (error: { code: number }) => error.code,
      );
    const [credentials, notAuthorized] = protocolVersion === 5 ? [0x86, 0x87] : [4, 5];
    expect(await refused({ username: 'nobody-has-this' })).toBe(credentials);
    expect(await refused({ username: key, password: 'wrong' })).toBe(credentials);
    expect(await refused({ username: key })).toBe(credentials);
    expect(await refused({ username: outside.key })).toBe(notAuthorized);
    expect(await refused({ username: station({}, { isEnabled: false }).key })).toBe(protocolVersion === 5 ? 0x88 : 3);
    const mqttClient = await client({ protocolVersion, username: key, password: 'right' });
    await mqttClient.publishAsync('data', document(1, 1), { qos: 1 });
    expect(recordsOf(source)).toHaveLength(1);
    await until(() => eventsOf(source).includes('Refused MQTT client at 127.0.0.1: the password is missing or wrong'));
  });

  test('a subscription is refused, and the connection goes on', async () => {
    const { source, key } = station();
    const mqttClient = await client({ protocolVersion, username: key });
    await expect(mqttClient.subscribeAsync('#')).rejects.toThrow();
    await mqttClient.publishAsync('data', document(1, 1), { qos: 1 });
    expect(recordsOf(source)).toHaveLength(1);
  });

  test('a message that can never be stored does not come again, and people are notified', async () => {
    const { source, key } = station();
    const mqttClient = await client({ protocolVersion, username: key });
    const answer = mqttClient.publishAsync('data', 'no JSON', { qos: 1 });
    if (protocolVersion === 5) await expect(answer).rejects.toMatchObject({ code: 0x99 });
    else await answer;
    await mqttClient.publishAsync('data', document(1, 1), { qos: 1 });
    const reported = await until(() =>
      eventsOf(source).find((text) => text.startsWith('Refused message of MQTT client')),
    );
    expect(reported).toMatch(/body/);
  });

  test('a newer connection of the same client takes over, of another key not', async () => {
    const [{ key }, another] = [station(), station()];
    const [first, other] = await Promise.all([
      client({ protocolVersion, username: key, clientId: 'logger' }),
      client({ protocolVersion, username: another.key, clientId: 'logger' }),
    ]);
    const closed = new Promise<void>((resolve) => first.once('close', () => resolve()));
    await client({ protocolVersion, username: key, clientId: 'logger' });
    await closed;
    await other.publishAsync('data', document(1, 1), { qos: 1 });
    expect([other.connected, recordsOf(another.source).length]).toEqual([true, 1]);
  });

  test('a will is delivered when its client is gone without a word', async () => {
    const { source, key } = station();
    const will = { topic: 'data', payload: Buffer.from(document(5, 5)), qos: 1 as const };
    const said = await client({ protocolVersion, username: key, will });
    await said.endAsync();
    const gone = await client({
      protocolVersion,
      username: key,
      will: { ...will, payload: Buffer.from(document(6, 6)) },
    });
    gone.stream.destroy();
    await stored(source, 1);
    expect(recordsOf(source)).toEqual([`${source.nodeId}/Level/2026-01-01T00:06:00.000Z`]);
  });

  test('nothing is acknowledged before it is stored, and while historic is away nothing is lost', async () => {
    const { source, key } = station();
    const mqttClient = await client({ protocolVersion, username: key });
    historic.failure = unavailable('BROKER_UNAVAILABLE');
    let answered = 0;
    const all = Array.from({ length: 5 }, (_, n) =>
      mqttClient.publishAsync('data', document(n, n), { qos: n % 2 ? 1 : 2 }).then(() => {
        answered += 1;
      }),
    );
    const attempts = historic.attempts;
    await until(() => historic.attempts > attempts + 1);
    expect(answered).toBe(0);
    historic.failure = undefined;
    await Promise.all(all);
    expect(recordsOf(source)).toHaveLength(5);
  });
});

test('messages of a source that wait are one write, and a bad one among them is refused alone', async () => {
  const { source, key } = station();
  const mqttClient = await client({ protocolVersion: 5, username: key });
  const gate = Promise.withResolvers<void>();
  historic.gate = gate.promise;
  const first = mqttClient.publishAsync('data', document(0, 0), { qos: 1 });
  await until(() => writesOf(source).length === 1);
  const rest = Array.from({ length: 19 }, (_, n) => mqttClient.publishAsync('data', document(n + 1, n), { qos: 1 }));
  // Answered after all of them were read.
  await expect(mqttClient.publishAsync('data', '{}', { qos: 0 })).resolves.toBeUndefined();
  await until(() => mqttClient.connected);
  gate.resolve();
  await Promise.all([first, ...rest]);
  expect(writesOf(source).length).toBeLessThan(10);
  historic.failure = invalid('INVALID_BODY', 'no');
  await expect(mqttClient.publishAsync('data', document(30, 1), { qos: 1 })).rejects.toMatchObject({ code: 0x99 });
});

describe('text', () => {
  const time = { column: 0, field: 'TIME', format: 'YYYY-MM-DD HH:mm' };
  const parser = {
    labelsRow: 1,
    columns: [
      { index: 0, type: 'RECORD_TIME', joins: [time] },
      { index: 1, type: 'NUMBER', series: 'Level', joins: [] },
    ],
  };
  const text = (lines: number) =>
    ['time,level', ...Array.from({ length: lines }, (_, n) => `2026-01-0${1 + (n % 9)} 0${n % 10}:00,${n}`)].join('\n');
  const logger = (files: object = { parser }) => {
    const made = station({}, { class: 'source.data.TextParser' });
    nodes.files.set(made.source.nodeId, files as never);
    return made;
  };

  test('lines are read as a small file', async () => {
    const { source, key } = logger();
    const mqttClient = await client({ protocolVersion: 5, username: key });
    await mqttClient.publishAsync('level.csv', text(3), { qos: 1 });
    expect(recordsOf(source)).toHaveLength(3);
    expect(writesOf(source)[0]).toMatchObject({ origin: 'level.csv' });
  });

  test('a message of which nothing can be read is refused with the reason', async () => {
    const { source, key } = logger();
    const mqttClient = await client({ protocolVersion: 5, username: key });
    await expect(mqttClient.publishAsync('level.csv', 'time,level\nnever,dry', { qos: 1 })).rejects.toMatchObject({
      code: 0x99,
    });
    expect(historic.faults).toContainEqual({ sourceId: source.nodeId, fault: expect.stringMatching(/^level.csv: /) });
  });

  test('a message whose name no entry of the source matches is ignored with an event', async () => {
    const { source, key } = logger({ parser, files: [{ match: '.dat' }] });
    const mqttClient = await client({ protocolVersion: 5, username: key });
    await mqttClient.publishAsync('level.csv', text(3), { qos: 1 });
    await until(() => eventsOf(source).includes("Ignored 'level.csv'"));
    expect(recordsOf(source)).toEqual([]);
  });

  test('a large one is stored as a file before its acknowledgement, and read in its turn', async () => {
    const { source, key } = logger();
    const mqttClient = await client({ protocolVersion: 4, username: key });
    await mqttClient.publishAsync('large.csv', text(20_000), { qos: 1 });
    await until(() => eventsOf(source).some((event) => event.startsWith("Acquired 'large.csv'")));
    await until(() => recordsOf(source).length > 0);
  });
});

test('Sparkplug B: births name the aliases, and after a gap the edge node is asked for one', async () => {
  const { source, key } = station();
  const will = { topic: 'spBv1.0/Mills/NDEATH/Gate', payload: Buffer.alloc(0), qos: 0 as const };
  const mqttClient = await client({ protocolVersion: 4, username: key, will });
  await mqttClient.subscribeAsync('spBv1.0/Mills/NCMD/Gate/#');
  const asked = new Promise<Buffer>((resolve) => mqttClient.on('message', (_topic, payload) => resolve(payload)));
  const send = (type: string, seq: number, metrics: Partial<SparkplugMetric>[]) => {
    const timestamp = String(Date.UTC(2026, 0, 1) + seq * 1_000);
    const payload = { timestamp, seq, metrics: metrics.map((metric) => SparkplugMetric.fromPartial(metric as object)) };
    return mqttClient.publishAsync(`spBv1.0/Mills/${type}`, Buffer.from(SparkplugPayload.encode(payload).finish()), {
      qos: 1,
    });
  };
  const value = (number: number) => ({ value: { $case: 'doubleValue' as const, value: number } });
  await send('NBIRTH/Gate', 0, [{ name: 'Level', alias: '1', datatype: 10, ...value(1) }]);
  await send('DBIRTH/Gate/Pump', 1, [{ name: 'Speed', alias: '2', datatype: 10, ...value(2) }]);
  await send('DDATA/Gate/Pump', 2, [{ alias: '2', ...value(3) }]);
  await send('NDATA/Gate', 4, [{ alias: '1', ...value(4) }]);
  expect(SparkplugPayload.decode(await asked).metrics).toMatchObject([{ name: 'Node Control/Rebirth' }]);
  expect(recordsOf(source).map((record) => record.slice(25))).toEqual([
    'Level/2026-01-01T00:00:00.000Z',
    'Pump/Speed/2026-01-01T00:00:01.000Z',
    'Pump/Speed/2026-01-01T00:00:02.000Z',
    'Level/2026-01-01T00:00:04.000Z',
  ]);
});

test.each([
  ['DEFLATE', deflateSync],
  ['GZIP', gzipSync],
] as const)('Sparkplug B: a payload that is packed by %s is stored, and a bomb refused', async (algorithm, pack) => {
  const { source, key } = station();
  const mqttClient = await client({ protocolVersion: 5, username: key });
  const metric = (name: string, value: SparkplugMetric['value'], datatype: number) =>
    SparkplugMetric.fromPartial({ name, datatype, value } as object);
  const send = (body: Buffer) => {
    const said = metric('algorithm', { $case: 'stringValue', value: algorithm }, 12);
    const packed = SparkplugPayload.encode({ uuid: 'SPBV1.0_COMPRESSED', body, metrics: [said] }).finish();
    return mqttClient.publishAsync('spBv1.0/Mills/NBIRTH/Gate', Buffer.from(packed), { qos: 1 });
  };
  const level = metric('Level', { $case: 'doubleValue', value: 1 }, 10);
  const plain = SparkplugPayload.encode({ timestamp: String(Date.UTC(2026, 0, 1)), seq: 0, metrics: [level] }).finish();
  await send(pack(plain));
  expect(recordsOf(source)).toEqual([`${source.nodeId}/Level/2026-01-01T00:00:00.000Z`]);
  await expect(send(pack(Buffer.alloc(5 * 1024 * 1024)))).rejects.toMatchObject({ code: 0x83 });
});

beforeAll(async () => void (await mosquittoPub()));

describe('clients that we did not write', () => {
  const pub = (...args: string[]) => run('mosquitto_pub', ['-h', '127.0.0.1', '-p', String(port()), ...args]);
  const versions = ['mqttv31', 'mqttv311', 'mqttv5'];

  test.each(versions.flatMap((version) => ['0', '1', '2'].map((qos) => [version, qos])))(
    'mosquitto_pub, %s, QoS %s',
    async (version = '', qos = '') => {
      const { source, key, topic } = station({ authentication: 'CONNECT', password: 'pw' });
      await pub('-V', version, '-q', qos, '-u', key, '-P', 'pw', '-t', topic, '-m', document(1, 1), '-i', 'm');
      await stored(source, 1);
    },
  );

  test('mosquitto_pub sends a file of 1 MB, and learns that its password is wrong', async () => {
    const { source, key } = station({ authentication: 'CONNECT', password: 'pw' });
    const folder = await mkdtemp(join(tmpdir(), 'mqtt-'));
    const file = join(folder, 'large.json');
    const data = Array.from({ length: 15_000 }, (_, n) => ({
      ts: new Date(n * 60_000).toISOString(),
      f: { 0: { v: n } },
    }));
    await writeFile(file, JSON.stringify({ ...jts('', 0), data }));
    await pub('-q', '1', '-u', key, '-P', 'pw', '-t', 'large', '-f', file);
    expect(recordsOf(source)).toHaveLength(15_000);
    await expect(pub('-V', 'mqttv5', '-u', key, '-P', 'no', '-t', 'x', '-m', 'x')).rejects.toThrow(
      /Bad user name or password/i,
    );
    await rm(folder, { recursive: true });
  });
});

describe('TLS', () => {
  test('the port has the certificate of its files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mqtt-tls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
    spawnSync('openssl', [...args, '-subj', '/CN=localhost', '-keyout', key, '-out', cert]);
    const replica = await startReplica({ MQTT_TLS_PORT: '0', MQTT_TLS_CERT_FILE: cert, MQTT_TLS_KEY_FILE: key });
    const tlsPort = replica.ports.Mqtt?.[1] ?? 0;
    const { source, key: user } = station();
    const sent = await run('mosquitto_pub', [
      '-h',
      'localhost',
      '-p',
      String(tlsPort),
      '--cafile',
      cert,
      '-q',
      '1',
      '-u',
      user,
      '-t',
      'data',
      '-m',
      document(1, 1),
    ]);
    expect(sent.stderr).toBe('');
    expect(recordsOf(source)).toHaveLength(1);
    // The port of TLS gets rubbish, and no handshake at all.
    for (const bytes of [randomBytes(500), Buffer.alloc(0)]) open(tlsPort).write(bytes);
    const after = await client(
      { username: user, protocol: 'mqtts', rejectUnauthorized: false, port: tlsPort },
      tlsPort,
    );
    await after.publishAsync('data', document(2, 2), { qos: 1 });
    await after.endAsync();
    await replica.stop();
    await rm(folder, { recursive: true });
  });
});

function open(at = port()): Socket {
  const socket = connect({ host: '127.0.0.1', port: at });
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}
const closed = (socket: Socket) => until(() => socket.destroyed || socket.readableEnded, { what: 'the server closes' });

describe('bad input', () => {
  const CONNECT = Buffer.from('101000044d5154540402003c0004' + '74657374', 'hex');
  test.each<[string, Buffer]>([
    ['random bytes', randomBytes(4_096)],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n')],
    ['a huge length', Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f])],
    ['no CONNECT', Buffer.from([0x30, 0x03, 0x00, 0x01, 0x61])],
    ['a second CONNECT', Buffer.concat([CONNECT, CONNECT])],
    [
      'a message that ends within its topic',
      Buffer.concat([CONNECT, Buffer.from([0x30, 0x04, 0x00, 0x09, 0x61, 0x62])]),
    ],
    ['a message without packet id', Buffer.concat([CONNECT, Buffer.from([0x32, 0x05, 0x00, 0x01, 0x61, 0x00, 0x00])])],
    ['a topic with wildcards', Buffer.concat([CONNECT, Buffer.from([0x30, 0x03, 0x00, 0x01, 0x23])])],
    ['a packet that only servers send', Buffer.concat([CONNECT, Buffer.from([0xd0, 0x00])])],
    ['11 MB announced', Buffer.concat([CONNECT, Buffer.from([0x30, 0x80, 0xc0, 0x9f, 0x05])])],
  ])('%s ends the connection, others are served', async (_what, bytes) => {
    const socket = open();
    socket.resume();
    socket.write(bytes);
    await closed(socket);
    const { source, key } = station();
    await (await client({ username: key })).publishAsync('data', document(1, 1), { qos: 1 });
    expect(recordsOf(source)).toHaveLength(1);
  });

  test('every cut of a valid conversation, and every changed byte of it, leaves the service running', async () => {
    const { key } = station();
    const user = Buffer.from(key);
    const connects = [4, 5].map((version) => {
      const body = Buffer.concat([
        Buffer.from([0, 4]),
        Buffer.from('MQTT'),
        Buffer.from([version, 0x82, 0, 60]),
        ...(version === 5 ? [Buffer.from([0])] : []),
        Buffer.from([0, 1, 0x61, 0, user.length]),
        user,
      ]);
      const topic = Buffer.from([0, 1, 0x64, 0, 7, ...(version === 5 ? [0] : [])]);
      return Buffer.concat([
        Buffer.from([0x10, body.length]),
        body,
        Buffer.from([0x32, topic.length + 2]),
        topic,
        Buffer.from('{}'),
      ]);
    });
    for (const bytes of connects) {
      for (let at = 1; at < bytes.length; at += 1) {
        open().end(bytes.subarray(0, at));
        const changedBytes = Buffer.from(bytes);
        changedBytes[at] = (changedBytes[at] ?? 0) ^ (1 << (at % 8));
        open().end(changedBytes);
      }
    }
    const { source, key: good } = station();
    await (await client({ username: good })).publishAsync('data', document(1, 1), { qos: 1 });
    expect(recordsOf(source)).toHaveLength(1);
  });

  test('who sends no CONNECT, and who is silent, is ended in time', async () => {
    const replica = await startReplica({ MQTT_CONNECT_SECONDS: '1' });
    const at = replica.ports.Mqtt?.[0] ?? 0;
    const [mute, slow, silent] = [open(at), open(at), open(at)];
    for (const socket of [mute, slow, silent]) socket.resume();
    slow.write(CONNECT.subarray(0, 5));
    // A keep-alive of one second.
    silent.write(Buffer.from(CONNECT.toString('hex').replace('003c', '0001'), 'hex'));
    await Promise.all([mute, slow, silent].map(closed));
    await replica.stop();
  });

  test('past the limit of an address a connection is closed at once', async () => {
    const replica = await startReplica({ MQTT_MAX_CONNECTIONS_PER_ADDRESS: '2' });
    const at = replica.ports.Mqtt?.[0] ?? 0;
    const { key } = station();
    const all = await Promise.all([client({ username: key }, at), client({ username: key }, at)]);
    const third = open(at);
    third.resume();
    await closed(third);
    await Promise.all(all.map((mqttClient) => mqttClient.endAsync()));
    await replica.stop();
  });
});

test('a client that connects to another replica ends its older connection there; nothing is lost or stored twice', async () => {
  const replica = await startReplica();
  const ports = [port(), replica.ports.Mqtt?.[0] ?? 0];
  const { source, key } = station();
  const another = await client({ protocolVersion: 5, username: station().key, clientId: 'logger' });
  let waiting = Array.from({ length: 90 }, (_, n) => n);
  let before: MqttClient | undefined;
  const ended: number[] = [];
  for (let turn = 0; waiting.length > 0; turn += 1) {
    const mqttClient = await client({ protocolVersion: 5, username: key, clientId: 'logger' }, ports[turn % 2]);
    mqttClient.on('disconnect', ({ reasonCode = 0 }) => ended.push(reasonCode));
    if (before) await until(() => ended.length === turn, { what: `connection ${turn} is ended` });
    // Some of them are under way when the next connection comes.
    const sent = waiting
      .slice(0, 25)
      .map((n) => ({ n, answer: mqttClient.publishAsync('data', document(n, n), { qos: 1 }) }));
    const acknowledged = new Set<number>();
    for (const { n, answer } of sent)
      answer.then(
        () => void acknowledged.add(n),
        () => {},
      );
    await until(() => acknowledged.size >= Math.min(10, sent.length), { what: 'some are acknowledged' });
    // Whoever was not answered is sent again on the next connection.
    waiting = waiting.filter((n) => !acknowledged.has(n));
    before = mqttClient;
  }
  expect(new Set(ended)).toEqual(new Set([0x8e]));
  expect(recordsOf(source).sort()).toEqual(
    Array.from(
      { length: 90 },
      (_, n) => `${source.nodeId}/Level/${new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString()}`,
    ),
  );
  expect(another.connected).toBe(true);
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
  await replica.stop();
});

test('a replica that stops answers what is in work, and says that it goes', async () => {
  const replica = await startReplica();
  const { source, key } = station();
  const mqttClient = await client({ protocolVersion: 5, username: key }, replica.ports.Mqtt?.[0]);
  const gate = Promise.withResolvers<void>();
  historic.gate = gate.promise;
  const sent = mqttClient.publishAsync('data', document(1, 1), { qos: 1 });
  await until(() => writesOf(source).length === 1);
  const said = new Promise((resolve) => mqttClient.on('disconnect', ({ reasonCode }) => resolve(reasonCode)));
  const stopped = replica.stop();
  gate.resolve();
  await sent;
  expect(await said).toBe(0x8b);
  await stopped;
});

test('a replica that stops while historic is away leaves the messages to their clients', async () => {
  const replica = await startReplica();
  const { source, key } = station();
  const mqttClient = await client({ protocolVersion: 4, username: key }, replica.ports.Mqtt?.[0]);
  historic.failure = unavailable('BROKER_UNAVAILABLE');
  const before = historic.attempts;
  let answered = 0;
  // More than a connection may have in work.
  for (let n = 0; n < 150; n += 1)
    mqttClient.publish('data', document(n, n), { qos: 1 }, (error) => {
      if (!error) answered += 1;
    });
  await until(() => historic.attempts > before);
  await replica.stop();
  expect([answered, recordsOf(source).length]).toEqual([0, 0]);
});

test('a source that is disabled while its client is connected ends the connection, and keeps its messages', async () => {
  const { source, key } = station();
  const mqttClient = await client({ protocolVersion: 5, username: key });
  await mqttClient.publishAsync('data', document(1, 1), { qos: 1 });
  const disabled = {
    ...source,
    revision: 2,
    source: { ...(source.source as object), isEnabled: false },
  } as typeof source;
  nodes.mqtt.set(key, { source: disabled, settings: {} });
  await changed(disabled);
  const said = new Promise((resolve) => mqttClient.on('disconnect', ({ reasonCode }) => resolve(reasonCode)));
  await until(async () => {
    mqttClient.publish('data', document(2, 2), { qos: 1 });
    return !mqttClient.connected || mqttClient.disconnecting || eventsOf(source).length > 0;
  });
  expect(await said).toBe(0x89);
});
