import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResolveHost } from '@catchment/egress';
import { HttpWebhookSender } from '../src/webhooks/index.ts';
import { LOOPBACK, startReceiver } from './webhook-fixture.ts';

const SECRETS = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
/** An attempt whose answer counts has this limit. */
const TRY_MS = 10_000;
/** An attempt that no receiver answers has this limit. */
const SHORT_TRY_MS = 500;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function sender(
  rules = LOOPBACK,
  resolve: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }],
  tryMs = TRY_MS,
) {
  const made = new HttpWebhookSender({ rules, resolve, now: Date.now, tryMs });
  closers.push(() => made.close());
  return (url: string) => made.send({ url, id: 'one', body: '[]', secrets: SECRETS }, new AbortController().signal);
}

const hastySender = () => sender(undefined, undefined, SHORT_TRY_MS);

/** Starts a server that does as it likes with the bytes of a connection. */
async function rawServer(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function receiver() {
  const made = await startReceiver();
  closers.push(() => made.close());
  return made;
}

test('a receiver that never answers ends the try in its time', async () => {
  const target = await receiver();
  target.answer = () => undefined;
  expect(await hastySender()(target.url)).toMatchObject({ error: 'no answer within 0.5 s' });
});

test('a receiver that sends its headers byte by byte ends the try in its time', async () => {
  const url = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write('X-A: 1\r\n'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  expect(await hastySender()(url)).toMatchObject({ error: 'no answer within 0.5 s' });
});

test('an answer without an end is cut off; its status counts', async () => {
  let written = 0;
  let isClosed = false;
  const url = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n');
    const piece = Buffer.alloc(65_536);
    const more = () => {
      while (!socket.destroyed && socket.write(piece)) written += piece.length;
    };
    socket.on('drain', more);
    socket.on('close', () => {
      isClosed = true;
    });
    more();
  });
  const { durationMs: _any, ...rest } = await sender()(url);
  expect(rest).toEqual({ timeMs: expect.any(Number), statusCode: 200 });
  expect([isClosed || written < 64 * 1024 * 1024, written < 64 * 1024 * 1024]).toEqual([true, true]);
});

test('an answer whose body never comes is cut off; its status counts', async () => {
  const url = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'));
  expect(await sender()(url)).toMatchObject({ statusCode: 200 });
});

test('the beginning of an answer is reported, whatever its status', async () => {
  const target = await receiver();
  target.answer = (response) => void response.writeHead(503).end('no room');
  expect(await sender()(target.url)).toMatchObject({ statusCode: 503, error: 'answered 503', answer: 'no room' });
  target.answer = (response) => void response.writeHead(200).end('x'.repeat(100_000));
  const { answer = '', error } = await sender()(target.url);
  expect([answer.length, error]).toEqual([200, undefined]);
});

test('redirects are not followed', async () => {
  const [target, secret] = [await receiver(), await receiver()];
  target.answer = (response) => void response.writeHead(307, { location: secret.url }).end();
  expect(await sender()(target.url)).toMatchObject({
    statusCode: 307,
    error: 'answered 307: redirects are not followed',
  });
  expect(secret.received).toEqual([]);
});

test('a name that leads to this machine is not connected to, unless the operator allows it', async () => {
  const target = await receiver();
  const url = `http://rebound.example.org:${target.port}/`;
  const strict = { allowsHttp: true, allowedRanges: [] };
  expect(await sender(strict)(url)).toMatchObject({
    error: 'address is private or reserved, and its range is not allowed by the operator',
  });
  const six = async () => [{ address: '::ffff:127.0.0.1', family: 6 as const }];
  expect(await sender(strict, six)(url)).toMatchObject({
    error: 'address is private or reserved, and its range is not allowed by the operator',
  });
  expect(target.received).toEqual([]);
  expect(await sender()(url)).toMatchObject({ statusCode: 204 });
});

test('of several addresses of a name only the allowed ones are connected to', async () => {
  const target = await receiver();
  // 127.0.0.2 is this machine as well; the first address is looked up, and refused.
  const both: ResolveHost = async () => [
    { address: '10.0.0.1', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ];
  expect(await sender(LOOPBACK, both)(`http://two.example.org:${target.port}/`)).toMatchObject({ statusCode: 204 });
});

test('an address in a URL is checked again when something is sent, as is plain HTTP', async () => {
  const target = await receiver();
  expect(await sender({ allowsHttp: true, allowedRanges: [] })(target.url)).toMatchObject({
    error: 'address is private or reserved, and its range is not allowed by the operator',
  });
  expect(await sender({ ...LOOPBACK, allowsHttp: false })(target.url)).toMatchObject({ error: 'must be https' });
  expect(target.received).toEqual([]);
});

test('a certificate that nobody vouches for is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'webhook-tls-'));
  closers.push(() => rmSync(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  );
  let requests = 0;
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, () => {
    requests += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  expect((await sender()(`https://127.0.0.1:${port}/`)).error).toMatch(
    /^TLS refused: the certificate is self-signed \[(DEPTH_ZERO_)?SELF_SIGNED_CERT\]$/,
  );
  expect(requests).toBe(0);
});

test.each([['nobody listens', 'http://127.0.0.1:1/', 'connection refused']])('%s', async (_what, url, error) => {
  expect(await sender()(url)).toMatchObject({ error });
});

test('a name that is not there', async () => {
  const none: ResolveHost = async () => {
    throw Object.assign(new Error('queryA ENOTFOUND nowhere.example.org'), { code: 'ENOTFOUND' });
  };
  expect(await sender(LOOPBACK, none)('http://nowhere.example.org/')).toMatchObject({ error: 'host name not found' });
});

test('headers without an end, and no HTTP at all', async () => {
  const large = await rawServer((socket) => socket.write(`HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`));
  expect((await sender()(large)).error).toBe('headers of the answer are too large');
  const other = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
  expect((await sender()(other)).error).toBe('answer is no HTTP');
});
