import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { readRanges } from './addresses.ts';
import { Egress } from './egress.ts';
import { failureWords } from './failure-words.ts';
import type { ResolveHost } from './guarded-lookup.ts';

const LOOPBACK = readRanges(['127.0.0.1/32']) ?? [];
const resolve: ResolveHost = async (host) => {
  if (host === 'nowhere.example.org') throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
  if (host === 'silent.example.org') return new Promise(() => undefined);
  return host === 'rebound.example.org'
    ? [{ address: '10.0.0.1', family: 4 }]
    : [
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ];
};

let port = 0;
let connections = 0;
const server = createServer((socket) => {
  connections += 1;
  socket.on('error', () => undefined).end('hello');
});
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '0.0.0.0', listening));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());
beforeEach(() => {
  connections = 0;
});

const connecting = (host: string, { allowed = LOOPBACK, to = port, timeoutMs = 60_000 } = {}, signal?: AbortSignal) =>
  new Egress({ allowed, resolve }).connect({ host, port: to, timeoutMs, ...(signal && { signal }) });

async function refusalOf(connection: Promise<unknown>): Promise<string | undefined> {
  return connection.then(
    () => 'connected',
    (error: unknown) => failureWords(error) ?? String(error),
  );
}

test('connects to the allowed address of a name', async () => {
  const socket = await connecting('two.example.org');
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

test.each([
  ['an address that is not allowed', '127.0.0.2'],
  ['an address of IPv4 as IPv6', '::ffff:127.0.0.2'],
  ['a name whose address is not allowed', 'rebound.example.org'],
])('%s is not connected to', async (_what, host) => {
  expect(await refusalOf(connecting(host))).toBe(
    'address is private or reserved, and its range is not allowed by the operator',
  );
  expect(await refusalOf(new Egress({ allowed: LOOPBACK, resolve }).addressOf(host))).toBe(
    'address is private or reserved, and its range is not allowed by the operator',
  );
  // The server has counted a connection when it says hello, and those before it.
  const allowed = await connecting('127.0.0.1');
  await once(allowed, 'data');
  allowed.destroy();
  expect(connections).toBe(1);
});

test('an address for a library is an allowed one', async () => {
  const egress = new Egress({ allowed: LOOPBACK, resolve });
  expect([await egress.addressOf('two.example.org'), await egress.addressOf('127.0.0.1')]).toEqual([
    '127.0.0.1',
    '127.0.0.1',
  ]);
});

test('URLs with addresses are checked without a look-up', () => {
  const egress = new Egress({ allowed: LOOPBACK, resolve });
  for (const url of ['http://169.254.169.254/', 'http://[::1]/', 'http://2130706434/', 'http://0x7f.2/'])
    expect(() => egress.checkUrl(new URL(url))).toThrow('private or reserved');
  for (const url of ['http://127.0.0.1/', 'http://rebound.example.org/']) egress.checkUrl(new URL(url));
});

test('words for what fails', async () => {
  expect(await refusalOf(connecting('nowhere.example.org'))).toBe('host name not found');
  expect(await refusalOf(connecting('127.0.0.1', { to: 1 }))).toBe('connection refused');
  expect(await refusalOf(connecting('silent.example.org', { timeoutMs: 20 }))).toBe('host does not answer');
});

test('ends with the reason of its signal', async () => {
  const stop = new AbortController();
  const connection = connecting('silent.example.org', {}, stop.signal);
  stop.abort(new Error('the session was given up'));
  expect(await refusalOf(connection)).toBe('Error: the session was given up');
  expect(await refusalOf(connecting('127.0.0.1', {}, stop.signal))).toBe('Error: the session was given up');
});

test('failures of other kinds have no words', () => {
  expect([failureWords(new Error('ECONNREFUSED')), failureWords('x'), failureWords(undefined)]).toEqual(Array(3));
});

test.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS refused: the port does not speak TLS [ERR_SSL_WRONG_VERSION_NUMBER]'],
  ['CERT_HAS_EXPIRED', 'TLS refused: the certificate has expired [CERT_HAS_EXPIRED]'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS refused: the certificate is of another host [ERR_TLS_CERT_ALTNAME_INVALID]'],
  ['ERR_SSL_NO_CIPHERS', 'TLS refused: no connection [ERR_SSL_NO_CIPHERS]'],
])('a failure of TLS is reported in words, with its code: %s', (code, words) => {
  expect(failureWords(Object.assign(new Error('x'), { code }))).toBe(words);
});
