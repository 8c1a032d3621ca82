import { once } from 'node:events';
import { LogLevelsServiceService } from '@catchment/contracts/log-levels';
import { unavailable } from '@catchment/errors';
import { CallerSigner, CallerVerifier, type GrpcServer, GrpcServerBuilder, remotePeer } from '@catchment/grpc';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { followLogLevels } from './follow-log-levels.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const silent = createLogger('test', { level: 'silent' });
const signer = new CallerSigner(SECRET);
let server: GrpcServer | undefined;
afterEach(() => server?.close());

type Stream = () => AsyncGenerator<{ change: Buffer; answerTo: string }>;

/** Follows a nodes whose streams end as `stream` says. @returns the pauses after the first `count` of them */
async function pausesOf(stream: Stream, count: number) {
  server = await new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log: silent })
    .add(LogLevelsServiceService, { followLogLevels: stream, answerLogLevel: async () => ({}) })
    .listen({ host: '127.0.0.1', port: 0 });
  const pauses: number[] = [];
  const levels = followLogLevels({
    name: 'render',
    log: silent,
    nodes: remotePeer(`127.0.0.1:${server.port}`),
    signer,
    pause: async (ms, signal) => {
      pauses.push(ms);
      if (pauses.length >= count) await once(signal, 'abort');
    },
  });
  await until(() => pauses.length >= count);
  await levels.stop();
  return pauses;
}
const FIRST = { change: Buffer.alloc(0), answerTo: '' };

test('a stream that has ended well is followed by the next at once', async () => {
  const pauses = await pausesOf(async function* () {
    yield FIRST;
  }, 3);
  expect(pauses).toEqual([50, 50, 50]);
});

test.each<[string, Stream]>([
  [
    'that cannot begin',
    async function* () {
      yield* [];
      throw unavailable('PEER_UNAVAILABLE');
    },
  ],
  ['that end at once', async function* () {}],
])('after streams %s the pauses grow, half a minute at the most', async (_what, stream) => {
  const pauses = await pausesOf(stream, 9);
  const most = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
  for (const [n, pause] of pauses.entries()) {
    expect(pause).toBeLessThanOrEqual(most[n] ?? 0);
    expect(pause).toBeGreaterThanOrEqual((most[n] ?? 0) / 2);
  }
});

test('a stream that breaks after a while is tried again soon', async () => {
  const pauses = await pausesOf(async function* () {
    yield FIRST;
    throw unavailable('PEER_UNAVAILABLE');
  }, 3);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(500);
});
