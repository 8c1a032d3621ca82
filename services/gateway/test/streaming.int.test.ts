import { once } from 'node:events';
import { connect } from 'node:net';
import { DomainError } from '@catchment/errors';
import { until } from '@catchment/testkit';
import { chunk, KEYS, openGateway } from './fixture.ts';

const HISTORIC = `/api/v1/nodes/${'1'.repeat(24)}/historic`;
const BLOCK = Buffer.alloc(256 * 1024, 'x');

test.each(['identity', 'gzip'])(
  'an answer that breaks after its first byte breaks the connection (%s)',
  async (encoding) => {
    await using gateway = await openGateway({
      behaviour: {
        async *stream() {
          for (let n = 0; n < 8; n += 1) yield chunk(BLOCK, 'text/csv');
          throw new DomainError('unavailable', 'PEER_UNAVAILABLE', 'the store is away');
        },
      },
    });
    await expect(gateway.ask(HISTORIC, { headers: { 'accept-encoding': encoding } })).rejects.toThrow(
      /aborted|hang up|reset/,
    );
    await until(async () => gateway.lines.some((line) => line.includes('"reason":"peer failed"')));
  },
);

test.each(['identity', 'gzip'])(
  'a slow client slows the peer down, and one that leaves stops it (%s)',
  async (encoding) => {
    let produced = 0;
    const stopped = Promise.withResolvers<void>();
    await using gateway = await openGateway({
      behaviour: {
        async *stream(_rpc, _request, { signal }) {
          signal.addEventListener('abort', () => stopped.resolve());
          // Noise does not shrink, so gzip has to keep up too.
          for (; produced < 2_000; produced += 1) yield chunk(noise(produced));
        },
      },
    });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      `GET ${HISTORIC} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${KEYS.modify}\r\nAccept-Encoding: ${encoding}\r\n\r\n`,
    );
    await once(socket, 'readable');
    let before = -1;
    // Nobody reads: the peer comes to rest long before its 500 MB are out.
    await until(async () => {
      const isResting = produced > 0 && produced === before;
      before = produced;
      return isResting;
    });
    expect(produced).toBeLessThan(200);
    socket.destroy();
    await stopped.promise;
  },
);

function noise(seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(256 * 1024);
  let state = seed + 1;
  for (let offset = 0; offset < bytes.length; offset += 4) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes.writeUInt32LE(state, offset);
  }
  return bytes;
}

const DRAIN = { connections: async () => 1, lingerMs: 0, quietMs: 0, limitMs: 60_000 };

test('draining: readiness off, clients are served and asked to leave, also those that asked before', async () => {
  const gate = Promise.withResolvers<string>();
  await using gateway = await openGateway({
    behaviour: { unary: async (rpc) => (rpc === 'getNode' ? gate.promise : '[]') },
  });
  const inFlight = gateway.ask(`/api/v1/nodes/${'1'.repeat(24)}`);
  await until(async () => gateway.calls.some(({ rpc }) => rpc === 'getNode'));
  gateway.readiness.draining();
  const drained = gateway.drain.begin({ ...DRAIN, serveMs: 60_000 });
  const served = await gateway.ask('/api/v1/owners/account');
  expect([served.status, served.headers.connection]).toEqual([200, 'close']);
  expect((await gateway.ask('/readyz', { key: undefined })).status).toBe(503);
  gate.resolve('{"_id":"late"}');
  const late = await inFlight;
  expect([late.text, late.headers.connection]).toEqual(['{"_id":"late"}', 'close']);
  await drained;
});

test('draining for too long: new requests are refused, and what is in flight finishes', async () => {
  const gate = Promise.withResolvers<string>();
  await using gateway = await openGateway({ behaviour: { unary: () => gate.promise } });
  const inFlight = gateway.ask(`/api/v1/nodes/${'1'.repeat(24)}`);
  await until(async () => gateway.calls.some(({ rpc }) => rpc === 'getNode'));
  gateway.readiness.draining();
  const drained = gateway.drain.begin({ ...DRAIN, serveMs: 0 });
  await until(async () => gateway.drain.isClosed);
  const refused = await gateway.ask('/api/v1/nodes');
  expect([refused.status, refused.headers.connection, refused.headers['retry-after']]).toEqual([503, 'close', '30']);
  expect(refused.json()).toMatchObject({ error: { code: 503, message: 'Service temporarily unavailable' } });
  expect((await gateway.ask('/healthz', { key: undefined })).status).toBe(200);
  gate.resolve('{"_id":"late"}');
  expect((await inFlight).text).toBe('{"_id":"late"}');
  await drained;
});
