import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DomainError } from '@catchment/errors';
import { until } from '@catchment/testkit';
import { chunk, KEYS, noMessages, openGateway } from './fixture.ts';

const HISTORIC = `/api/v1/nodes/${'1'.repeat(24)}/historic`;
const BLOCK = Buffer.alloc(256 * 1024, 'x');

type Gateway = Awaited<ReturnType<typeof openGateway>>;
type Line = Readonly<Record<string, unknown>>;

/** A peer behaves like this after a part of its answer. */
const afterSome = (end: (signal: AbortSignal) => Promise<void>) => ({
  async *stream(_rpc: string, _request: never, { signal }: { signal: AbortSignal }) {
    for (let n = 0; n < 4; n += 1) yield chunk(BLOCK, 'text/csv');
    await end(signal);
  },
});
const endless = {
  async *stream() {
    for (;;) yield chunk(BLOCK, 'text/csv');
  },
};
const silence = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
const failWith = (error: unknown) => () => Promise.reject(error);

const requested = async (gateway: Gateway, path = HISTORIC): Promise<Socket> => {
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${KEYS.modify}\r\nX-Request-Id: broken-1\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
};
const linesOf = (gateway: Gateway): Line[] => gateway.lines.map((line) => JSON.parse(line) as Line);
const about = ({ requestId, route }: Line) => requestId === 'broken-1' && route !== undefined;

type Case = readonly [
  what: string,
  options: Parameters<typeof openGateway>[0] & { readonly idleMs?: number },
  breakOff: (socket: Socket, gateway: Gateway) => unknown,
  expected: Line,
];
/** Long enough for a busy machine to begin an answer. */
const IDLE_MS = 3_000;

const CASES: readonly Case[] = [
  [
    'the client leaves',
    { behaviour: endless },
    (socket) => socket.destroy(),
    { level: 'info', status: 499, reason: 'client left' },
  ],
  [
    'the client resets its connection',
    { behaviour: endless },
    (socket) => socket.resetAndDestroy(),
    { level: 'info', status: 499, reason: 'client left' },
  ],
  [
    'the client takes nothing any more',
    { behaviour: endless, idleMs: IDLE_MS },
    (socket) => socket.pause(),
    { level: 'info', status: 499, reason: 'client stalled' },
  ],
  [
    'the client sends what is no HTTP',
    { behaviour: endless },
    (socket) => socket.resume().write('no such thing\r\n\r\n'),
    { level: 'info', status: 499, reason: 'client sent what is no HTTP' },
  ],
  [
    'a peer fails',
    { behaviour: afterSome(failWith(new DomainError('unavailable', 'PEER_UNAVAILABLE', 'the store is away'))) },
    (socket) => socket.resume(),
    { level: 'warn', status: 500, reason: 'peer failed', err: expect.objectContaining({ kind: 'unavailable' }) },
  ],
  [
    'a peer has a fault',
    { behaviour: afterSome(failWith(new TypeError('no such thing'))) },
    (socket) => socket.resume(),
    { level: 'error', status: 500, reason: 'fault' },
  ],
  [
    'the connection to a peer is lost',
    { behaviour: afterSome(silence), peersDrainMs: 0 },
    (socket, gateway) => {
      socket.resume();
      return gateway.stopPeers();
    },
    { level: 'warn', status: 500, reason: 'peer failed' },
  ],
  [
    'a peer says nothing more',
    { behaviour: afterSome(silence), idleMs: IDLE_MS },
    (socket) => socket.resume(),
    { level: 'warn', status: 500, reason: 'peer failed' },
  ],
  [
    'the gateway stops and cannot wait longer',
    { behaviour: afterSome(silence) },
    async (socket, { app, drain }) => {
      socket.resume();
      await drain.begin({ connections: async () => 1, lingerMs: 0, quietMs: 0, serveMs: 0, limitMs: 0 });
      app.server.closeAllConnections();
    },
    { level: 'warn', status: 500, reason: 'drain' },
  ],
];

test.each(CASES)(
  'an answer that is broken off leaves one line: %s',
  async (_what, { idleMs, ...options }, breakOff, expected) => {
    await using gateway = await openGateway(options);
    if (idleMs) gateway.app.server.timeout = idleMs;
    const socket = await requested(gateway);
    await breakOff(socket, gateway);
    await until(() => linesOf(gateway).some(about));
    expect(linesOf(gateway).filter(about)).toEqual([
      expect.objectContaining({
        msg: 'answer broken off',
        method: 'GET',
        route: '/api/v1/nodes/:id/historic',
        bytes: expect.any(Number),
        durationMs: expect.any(Number),
        ...expected,
      }),
    ]);
    expect(Number(linesOf(gateway).find(about)?.bytes)).toBeGreaterThan(1_000);
    socket.destroy();
  },
);

test('a client that leaves before the first byte leaves a line too', async () => {
  await using gateway = await openGateway({
    behaviour: {
      stream: (_rpc, _request, { signal }) => noMessages(() => silence(signal)),
    },
  });
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
  socket.write(`GET ${HISTORIC} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${KEYS.modify}\r\nX-Request-Id: broken-1\r\n\r\n`);
  await until(() => gateway.calls.some(({ rpc }) => rpc === 'read'));
  socket.destroy();
  await until(() => linesOf(gateway).some(about));
  expect(linesOf(gateway).filter(about)).toMatchObject([{ msg: 'answer broken off', reason: 'client left', bytes: 0 }]);
});

test('what a peer answered in place of an answer is reported with the request', async () => {
  await using gateway = await openGateway({
    behaviour: {
      stream: () => noMessages(() => Promise.reject(new DomainError('unavailable', 'INFLUX_SILENT', 'away'))),
    },
  });
  expect((await gateway.ask(HISTORIC, { headers: { 'x-request-id': 'broken-1' } })).status).toBe(503);
  await until(() => linesOf(gateway).some(about));
  expect(linesOf(gateway).filter(about)).toMatchObject([{ msg: 'request', status: 503, problem: 'INFLUX_SILENT' }]);
});

test('a request that went well leaves its line at level debug, one that was refused at the default level', async () => {
  await using gateway = await openGateway({});
  const headers = { 'x-request-id': 'broken-1' };
  expect((await gateway.ask('/healthz', { headers })).status).toBe(200);
  expect((await gateway.ask('/api/v1/nowhere', { headers })).status).toBe(404);
  await until(() => linesOf(gateway).filter(about).length === 2);
  expect(linesOf(gateway).filter(about)).toMatchObject([
    { msg: 'request', status: 200, level: 'debug' },
    { msg: 'request', status: 404, level: 'info' },
  ]);
});
