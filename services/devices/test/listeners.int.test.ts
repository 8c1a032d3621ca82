// Every listener of a devices service in a separate process gets bad input, TLS ports too. LISTENER_NOISE_SECONDS says for
// how long (npm run fuzz:listeners -w services/devices).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { LISTENER_NAMES, listenerRow, type TransportName, transportSettings } from '@catchment/contracts/transports';
import { newObjectId } from '@catchment/ids';
import { freePort, seededRandom, until } from '@catchment/testkit';
import { certificatesIn } from './certificates.ts';
import { newKey, sourceNode, workspaceNode } from './fakes.ts';
import { env, eventsOf, historic, isConnected, nodes, site, useDevices } from './running-service.ts';

useDevices();

const SECONDS = Number(process.env.LISTENER_NOISE_SECONDS ?? 0);
const SEED = Number(process.env.LISTENER_NOISE_SEED ?? 1);
/** Each listener gets this many connections in a round. */
const CONNECTIONS = 12;
/** Each listener gets this much at once, as one line, packet or file. */
const HUGE_BYTES = 32 * 1024 * 1024;
const GROWTH_MAX_MIB = 256;

/** Clients wait for the first word of these. */
const GREETS = /^(FTP|SFTP|SMTP_INTAKE)_PORT$/;

type Listener = {
  readonly name: string;
  readonly isTls: boolean;
  readonly port: number;
  /** A valid conversation. */
  readonly says: Buffer;
  /** Returns whether the conversation was understood. @param answer as latin1 */
  readonly isServed: (answer: string) => boolean | Promise<boolean>;
};

let folder: string;
let child: ChildProcess;
let listeners: Listener[];
/** The service logs these: each message once, and lines that should not be there. */
const reported = new Set<string>();
const errors: string[] = [];
const sockets = new Set<Socket>();

function pushSource(transport: TransportName, key: string, settings: object, sourceClass: string) {
  const source = sourceNode(workspaceNode(newObjectId()), '', { class: sourceClass, transport, scheduleType: 'NONE' });
  nodes.pushes.set(`${transport} ${key}`, { source, settings: transportSettings(transport, { key, ...settings }) });
  return source;
}

function mqttConnect(user: string): Buffer {
  const body = Buffer.concat([
    Buffer.from([0, 4]),
    Buffer.from('MQTT'),
    Buffer.from([4, 0x82, 0, 60, 0, 1, 0x61, 0, user.length]),
    Buffer.from(user),
  ]);
  return Buffer.concat([Buffer.from([0x10, body.length]), body]);
}

const bomb = { key: newKey(), password: 'correct horse' };
let bombed: ReturnType<typeof pushSource>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listeners-'));
  const { certFile, keyFile, hostKeyFile } = await certificatesIn(folder);
  const [scout, callback] = [await site(), await site({ transport: 'TcpCallback' })];
  const mqttKey = newKey();
  nodes.mqtt.set(mqttKey, { source: sourceNode(workspaceNode(newObjectId()), ''), settings: {} });
  bombed = pushSource('FtpUpload', bomb.key, { password: bomb.password }, 'source.data.TextParser');
  const mote = pushSource('TcpServer', 'mote', { siteId: 'mote' }, 'source.data.Waspmote');
  const storm = pushSource('TcpServer', 'STORM', { siteId: 'STORM' }, 'source.data.WaterLog');
  const rows = LISTENER_NAMES.map(listenerRow);
  const names = [
    ...rows.flatMap(({ portSetting, tls }) => (tls ? [portSetting, tls.setting] : [portSetting])),
    'GRPC_PORT',
    'HEALTH_PORT',
  ];
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])));
  const tls = rows.flatMap(({ certificate }) =>
    certificate === undefined
      ? []
      : [
          [`${certificate}_TLS_CERT_FILE`, certFile],
          [`${certificate}_TLS_KEY_FILE`, keyFile],
        ],
  );
  const many = ['SCOUT', 'MQTT', 'UPLOAD'].map((name) => [`${name}_MAX_FAILURES`, '1000000']);
  const short = ['SCOUT_IDENT', 'MQTT_CONNECT', 'UPLOAD_LOGIN', 'STATIONS_MESSAGE'].map((name) => [
    `${name}_SECONDS`,
    '2',
  ]);
  child = spawn(process.execPath, [join(import.meta.dirname, '../../main.ts'), 'devices'], {
    env: {
      ...process.env,
      ...env,
      ...ports,
      NODE_OPTIONS: '--max-semi-space-size=8',
      LOG_LEVEL: 'debug',
      ...Object.fromEntries([...tls, ...many, ...short]),
      SFTP_HOST_KEY_FILES: hostKeyFile,
      SMTP_INTAKE_DOMAIN: 'mail.test',
      UPLOAD_MAX_CONNECTIONS_PER_ADDRESS: '1000',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { level, msg } = JSON.parse(line) as { level: string; msg: string };
    reported.add(msg);
    if (level === 'error' || level === 'fatal') errors.push(line);
  });

  const frame = Buffer.concat([
    Buffer.from('<=>'),
    Buffer.from([134, 2]),
    Buffer.from('#1#mote#1#TC:21.5#TST:1715774400#'),
  ]);
  const stored = (key: string) => () => historic.records.has(key);
  const ident = `${JSON.stringify({ type: 'ident', deviceKey: scout.key, session: 'a' })}\n`;
  const of = (setting: string, says: Buffer | string, isServed: Listener['isServed']): Listener[] =>
    [`${setting}_PORT`, `${setting}_TLS_PORT`].flatMap((name, n) => {
      const port = Number(ports[name] ?? 0);
      return port > 0 ? [{ name, isTls: n === 1, port, says: Buffer.from(says), isServed }] : [];
    });
  listeners = [
    ...of('SCOUT', ident, (answer) => answer.includes('"type":"welcome"')),
    ...of('CALLBACK', `${callback.key}\r\n`, () => isConnected(callback.who, callback.deviceId)),
    ...of('MQTT', mqttConnect(mqttKey), (answer) => answer.startsWith('\x20\x02\x00\x00')),
    ...of('FTP', `USER ${bomb.key}\r\nPASS ${bomb.password}\r\n`, (answer) => answer.includes('\r\n230 ')),
    ...of('SFTP', 'SSH-2.0-test\r\n', (answer) => answer.startsWith('SSH-2.0-Catchment')),
    ...of('SMTP_INTAKE', 'EHLO test\r\n', (answer) => answer.includes('250 ')),
    ...of(
      'WATERLOG',
      'STORM\r\n01/19/2010,09:30:00,Stage,1.25,feet,G\r\n',
      stored(`${storm.nodeId}/Stage/2010-01-19T09:30:00.000Z`),
    ),
    ...of('WASPMOTE', frame, stored(`${mote.nodeId}/TC/2024-05-15T12:00:00.000Z`)),
  ];
  // Each port of the table is held against bad input.
  expect(new Set(listeners.map(({ name }) => name))).toEqual(
    new Set(names.filter((name) => !/^(GRPC|HEALTH)_/.test(name))),
  );
  await until(
    () => [...reported].some((msg) => msg.includes('ready') || msg.includes('started')) || isServed(listeners[0]!),
    {
      what: 'the service listens',
    },
  );
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  if (child.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true });
});

/** @param isTls left out: as the listener is */
async function open({ port, isTls: asListener }: Listener, isTls = asListener): Promise<Socket> {
  const at = { host: '127.0.0.1', port };
  const socket = isTls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at);
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  await Promise.race([once(socket, isTls ? 'secureConnect' : 'connect'), once(socket, 'close')]).catch(() => {});
  return socket;
}

/** Returns whether a client that does all right is served now. */
async function isServed(listener: Listener): Promise<boolean> {
  const socket = await open(listener);
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes.toString('latin1');
  });
  try {
    if (GREETS.test(listener.name)) await until(() => socket.closed || answer !== '');
    socket.write(listener.says);
    await until(async () => socket.closed || (await listener.isServed(answer)));
    return await listener.isServed(answer);
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function allServed(): Promise<void> {
  expect(child.exitCode).toBeNull();
  historic.records.clear();
  for (const listener of listeners) await until(() => isServed(listener), { what: `${listener.name} serves` });
  expect(errors).toEqual([]);
}

const rssMib = async () =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Something that no client means. */
function noise(says: Buffer, random: () => number): Buffer {
  const below = (n: number) => Math.floor(random() * n);
  const bytes = (n: number) => Buffer.from(Array.from({ length: n }, () => below(256)));
  const kinds: (() => Buffer)[] = [
    () => bytes(1 + below(4_000)),
    () => says.subarray(0, below(says.length)),
    () => Buffer.from(says).fill(below(256), below(says.length)),
    () => {
      const changed = Buffer.from(says);
      for (let n = 0; n < 3; n += 1) changed[below(says.length)] = below(256);
      return changed;
    },
    () => Buffer.concat([says, bytes(below(4_000))]),
    () => Buffer.concat([says, says, says.subarray(0, below(says.length))]),
    () => Buffer.from(`\ufeff${says.toString('latin1')}`, 'utf16le'),
    () => Buffer.concat([says.subarray(0, below(says.length)), Buffer.from([0xc3, 0x28, 0xff, 0x00, 0x0a]), says]),
    () => Buffer.alloc(70_000, says),
    () => Buffer.alloc(100_000, 0x78),
    // TLS begins where there is none, or begins a second time.
    () =>
      Buffer.concat([
        Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
        bytes(below(600)),
      ]),
    () => Buffer.from('GET / HTTP/1.1\r\nhost: x\r\n\r\n'),
  ];
  return kinds[below(kinds.length)]!();
}

/** A client does this to a listener. */
function planOf({ isTls, says }: Listener, random: () => number) {
  // Half of them do not even speak TLS where they should.
  const speaksTls = isTls && random() < 0.5;
  const bytes = noise(says, random);
  const count = 1 + Math.floor(random() * 3);
  const pieces = Array.from({ length: count }, (_, n) =>
    bytes.subarray((n * bytes.length) / count, ((n + 1) * bytes.length) / count),
  );
  return { isTls: speaksTls, pieces, breaksOff: random() < 0.3 };
}

async function round(random: () => number): Promise<void> {
  for (const listener of listeners) {
    await Promise.all(
      // What a seed gives does not depend on which connection is open first.
      Array.from({ length: CONNECTIONS }, () => planOf(listener, random)).map(async ({ isTls, pieces, breaksOff }) => {
        const socket = await open(listener, isTls);
        socket.resume();
        for (const piece of pieces) if (socket.writable) socket.write(piece);
        if (breaksOff) socket.destroy();
        else socket.end();
      }),
    );
  }
}

test(
  'noise, cut and changed conversations, wrong encodings: every listener goes on serving, and says why it refuses',
  async () => {
    await allServed();
    const before = await rssMib();
    const random = seededRandom(SEED);
    const endMs = Date.now() + SECONDS * 1_000;
    do await round(random);
    while (Date.now() < endMs);
    await allServed();
    expect((await rssMib()) - before).toBeLessThan(GROWTH_MAX_MIB);
    for (const text of ['modem refused', 'MQTT connection ended', 'station refused', 'TLS handshake of MQTT failed'])
      await until(() => [...reported].some((msg) => msg.startsWith(text)), { what: `the log says: ${text}` });
  },
  // It ends what hangs, as that of all tests does.
  (600 + SECONDS) * 1_000,
);

test('a line, packet or frame without an end is refused, whatever its sender has left to send', async () => {
  const before = await rssMib();
  const piece = Buffer.alloc(256 * 1024, 0x61);
  await Promise.all(
    listeners.flatMap((listener) =>
      [Buffer.alloc(0), listener.says].map(async (first) => {
        const socket = await open(listener);
        socket.resume();
        socket.write(first);
        const over = new Promise((resolve) => socket.once('close', resolve));
        for (let sent = 0; sent < HUGE_BYTES && !socket.destroyed; sent += piece.length)
          await Promise.race([new Promise((resolve) => socket.write(piece, resolve)), over]);
        socket.destroy();
      }),
    ),
  );
  expect((await rssMib()) - before).toBeLessThan(GROWTH_MAX_MIB);
  await allServed();
});

test('who sends too slowly is ended in time, and holds up nobody', async () => {
  // Mails may take long; their clients are bounded in number.
  const timed = listeners.filter(({ name }) => name !== 'SMTP_INTAKE_PORT');
  const slow = await Promise.all(
    timed.map(async (listener) => {
      const socket = await open(listener);
      socket.resume();
      // Not all of it is complete in time.
      const left = [...listener.says.subarray(0, 3)];
      const timer = setInterval(() => {
        const byte = left.shift();
        if (byte !== undefined && socket.writable) socket.write(Buffer.from([byte]));
      }, 500);
      return { name: listener.name, socket, timer };
    }),
  );
  await allServed();
  for (const { name, socket, timer } of slow) {
    await until(() => socket.closed || socket.readableEnded, { what: `${name} ends a slow client` });
    clearInterval(timer);
  }
});

test('a packed file that unpacks to an endless line is refused with its reason', async () => {
  const before = await rssMib();
  const ftp = listeners.find(({ name }) => name === 'FTP_PORT')!;
  // 300 MB in 300 KB.
  const packed = Buffer.concat(Array.from({ length: 300 }, () => gzipSync(Buffer.alloc(1_000_000, 0x61))));
  let answer = '';
  // A client that a busy machine keeps from speaking is ended in time, and comes again.
  const socket = await until(
    async () => {
      answer = '';
      const opened = await open(ftp);
      opened.on('data', (bytes) => {
        answer += bytes.toString('latin1');
      });
      opened.write(ftp.says);
      await until(() => opened.closed || /^230 /m.test(answer));
      return !opened.closed && opened;
    },
    { what: 'FTP lets a client in' },
  );
  const answered = (text: RegExp) => until(() => text.exec(answer), { what: `FTP says ${text}` });
  socket.write('TYPE I\r\nEPSV\r\n');
  const [, dataPort] = await answered(/^229 .*\(\|\|\|(\d+)\|\)/m);
  const data = connect(Number(dataPort), '127.0.0.1');
  sockets.add(data);
  data.on('error', () => {});
  socket.write('STOR bomb.csv.gz\r\n');
  await answered(/^150 /m);
  data.end(packed);
  await answered(/^226 /m);
  socket.write('QUIT\r\n');
  await until(() => historic.faults.some(({ sourceId }) => sourceId === bombed.nodeId), {
    what: 'it is reported',
  });
  expect(historic.faults.find(({ sourceId }) => sourceId === bombed.nodeId)?.fault).toMatch(/^bomb\.csv/);
  expect((await rssMib()) - before).toBeLessThan(GROWTH_MAX_MIB);
  await until(() => eventsOf(bombed).join().includes("Acquired 'bomb.csv.gz'"), {
    what: 'its acquisition is reported',
  });
  await allServed();
});
