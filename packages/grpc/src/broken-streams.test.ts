import { connect, createServer, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { EventsServiceService } from '@catchment/contracts/events';
import { createLogger, withRequestId } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from './index.ts';
import { keepClientsAlive } from './keep-alive.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
/** Pings come several times in a second. */
const OFTEN = { lookMs: 20, pingAfterLooks: 3, giveUpAfterLooks: 50 };
afterAll(keepClientsAlive(OFTEN));

type Line = Readonly<Record<string, unknown>>;

async function fixture(settings: { connectionAgeMs?: number; drainMs?: number } = {}) {
  const lines: Line[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const log = createLogger('test', { destination, level: 'debug' });
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(SECRET),
    log,
    keepAlive: OFTEN,
    ...settings,
  })
    .add(EventsServiceService, {
      createEvents: async () => ({}),
      clearEvents: async () => ({}),
      countAlarmEvents: async () => ({ counts: [] }),
      getEventDays: async () => ({ eventDays: 0, debugEventDays: 30 }),
      async *listEvents({ nodeRef, arguments: { count } }, { signal }) {
        for (let n = 0; n < Number(count); n += 1) {
          if (nodeRef === 'slow') await delay(20, undefined, { signal });
          yield { data: Buffer.alloc(16 * 1024, n), contentType: '', revision: '' };
        }
      },
    })
    .listen({ host: '127.0.0.1', port: 0 });
  const proxy = await cuttable(server.port);
  const events = createGrpcClient(EventsServiceService, `127.0.0.1:${proxy.port}`);
  const token = await new CallerSigner(SECRET).sign({ kind: 'service', service: 'test' });
  const read = (nodeRef: string, count: number, options: { timeoutMs?: number; onChunk?: (n: number) => void } = {}) =>
    withRequestId('r-1', async () => {
      const { onChunk, timeoutMs = 30_000 } = options;
      let chunks = 0;
      const request = { nodeRef, arguments: { count: String(count) }, arrivalMs: 0 };
      for await (const { data } of events.listEvents(request, { token, timeoutMs, signal: leaving.signal })) {
        expect(data[0]).toBe(chunks % 256);
        chunks += 1;
        onChunk?.(chunks);
      }
      return chunks;
    });
  const leaving = new AbortController();
  const leave = () => {
    leaving.abort();
    setImmediate(() => events.close());
  };
  const reported = () => lines.filter(({ msg }) => msg === 'stream broken off');
  const broken = async () => {
    await until(() => reported().length > 0, { what: 'a line reports the stream' });
    return reported();
  };
  const close = async () => {
    events.close();
    await server.close();
    proxy.close();
  };
  return {
    lines,
    read,
    leave,
    reported,
    broken,
    cut: proxy.cut,
    fallSilent: proxy.fallSilent,
    closeServer: () => server.close(),
    close,
  };
}

/** Passes bytes on until its connections are broken. */
async function cuttable(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  /** No byte passes from now on, and neither side is notified. */
  const fallSilent = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  const close = () => {
    cut();
    server.close();
  };
  return { fallSilent, port: (server.address() as { port: number }).port, cut, close };
}

test('an answer that takes many times the age of its connection is whole, although both sides ping', async () => {
  const f = await fixture({ connectionAgeMs: 300 });
  await expect(Promise.all([f.read('slow', 90), f.read('slow', 60), f.read('slow', 30)])).resolves.toEqual([
    90, 60, 30,
  ]);
  expect(f.reported()).toEqual([]);
  await f.close();
});

test('an answer that is under way when its server stops is whole', async () => {
  const f = await fixture();
  let stopped: Promise<void> | undefined;
  await expect(
    f.read('slow', 40, {
      onChunk: () => {
        stopped ??= f.closeServer();
      },
    }),
  ).resolves.toBe(40);
  await stopped;
  expect(f.reported()).toEqual([]);
  await f.close();
});

test('a peer that has gone without a word is given up by both sides, and a new connection is made', async () => {
  const f = await fixture();
  const silenced = f.read('slow', 1_000, { onChunk: (n) => void (n === 2 && f.fallSilent()) });
  await expect(silenced).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await f.broken()).toMatchObject([{ reason: 'connection lost', level: 'warn' }]);
  expect(f.lines.map(({ msg }) => msg)).toContain('connection given up: its client does not answer');
  await expect(f.read('fast', 3)).resolves.toBe(3);
  await f.close();
});

test.each<[string, object, (f: Awaited<ReturnType<typeof fixture>>) => void]>([
  ['is lost', { level: 'warn', reason: 'connection lost' }, (f) => f.cut()],
  ['is closed by a caller that leaves', { level: 'debug', reason: 'caller left' }, (f) => f.leave()],
])('a stream leaves one line with the reason when its connection %s', async (_what, expected, breakOff) => {
  const f = await fixture();
  await expect(f.read('slow', 1_000, { onChunk: () => breakOff(f) })).rejects.toThrow();
  expect(await f.broken()).toEqual([
    expect.objectContaining({
      rpc: '/catchment.events.v1.EventsService/ListEvents',
      requestId: 'r-1',
      ...expected,
      durationMs: expect.any(Number),
      messages: expect.any(Number),
    }),
  ]);
  expect(f.lines.filter(({ msg }) => msg === 'call failed')).toEqual([]);
  await f.close();
});
