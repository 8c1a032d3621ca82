import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { certificatesIn } from '../../../test/certificates.ts';
import { Admission } from '../domain/admission.ts';
import { type Listening, listenOn, readTlsPair } from './listeners.ts';

const HANDSHAKE_MS = 200;
const log = createLogger('test', { level: 'silent' });
let folder: string;
/** The first message of a client that begins TLS. */
let hello: Buffer;
let tls: Awaited<ReturnType<typeof readTlsPair>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'listeners-'));
  const { certFile, keyFile } = await certificatesIn(folder);
  tls = await readTlsPair({ tlsCertFile: certFile, tlsKeyFile: keyFile });
  hello = await helloOfClient();
});
afterAll(() => rm(folder, { recursive: true }));

async function helloOfClient(): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectTls({ port: (server.address() as AddressInfo).port }).on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

/** Each client does this on a port with TLS, and never agrees on it. */
const CLIENTS: Readonly<Record<string, (port: number) => Socket>> = {
  'says nothing': (port) => connect(port),
  'says one byte of it': (port) => says(port, '\x16'),
  'ends its side at once': (port) => connect(port).end(),
  'says one byte and ends its side': (port) => connect(port).end('\x16'),
  'speaks without TLS': (port) => says(port, 'GET / HTTP/1.1\r\n\r\n'),
  'speaks without TLS and ends its side': (port) => connect(port).end('{"type":"ident"}\n'),
  'begins it and says no more': (port) => says(port, hello),
  'leaves in the middle of it': (port) => {
    const socket = says(port, hello);
    return socket.once('data', () => socket.destroy());
  },
};

function says(port: number, text: string | Buffer): Socket {
  const socket = connect(port);
  socket.write(text);
  return socket;
}

describe.each([
  ['ends with its client', false],
  ['answers a client that has ended its side', true],
])('a listener with TLS that %s', (_how, answersAfterEnd) => {
  test.each(Object.keys(CLIENTS))('lets go of a client that %s', async (name) => {
    // There is one place: it is free again when the next client is served.
    const limits = { maxConnections: 1, maxConnectionsPerAddress: 1, maxPendingBytes: 1 };
    const deps = { admission: new Admission(limits), log, what: 'test', answersAfterEnd, handshakeMs: HANDSHAKE_MS };
    const listening: Listening = await listenOn({ host: '127.0.0.1', port: 0, ...(tls && { tls }) }, deps, (socket) => {
      socket.on('data', () => socket.end('served'));
    });
    const client = CLIENTS[name]!(listening.port).on('error', () => {});
    client.resume();
    try {
      await until(() => isServed(listening.port), { what: 'the next client is served' });
    } finally {
      client.destroy();
      await listening.close();
    }
  });
});

async function isServed(port: number): Promise<boolean> {
  const socket = connectTls({ port, rejectUnauthorized: false });
  let answer = '';
  socket
    .on('error', () => {})
    .on('data', (bytes) => {
      answer += bytes;
    });
  socket.write('anything');
  await once(socket, 'close').catch(() => {});
  return answer === 'served';
}
