// Log levels of services that have no connection to the broker, by the real broker and gRPC.
import type { Caller } from '@catchment/access';
import { askForLogLevel, Bus } from '@catchment/bus';
import { LogLevelsServiceService } from '@catchment/contracts/log-levels';
import {
  CallerSigner,
  CallerVerifier,
  createGrpcClient,
  type GrpcServer,
  GrpcServerBuilder,
  remotePeer,
} from '@catchment/grpc';
import { createLogger } from '@catchment/telemetry';
import { freePort, type TestNats, testNats, until } from '@catchment/testkit';
import { followLogLevels } from '../src/log-levels/follow-log-levels.ts';
import { relayLogLevels } from '../src/log-levels/relay-log-levels.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const MAX = 3;
/** A replica that waited for calls under way would wait for longer than a test may take. */
const NEVER_MS = 600_000;
const signer = new CallerSigner(SECRET);
const log = createLogger('test', { level: 'silent' });
let nats: TestNats;
let bus: Bus;
let replica: Awaited<ReturnType<typeof openReplica>>;
const closing: (() => unknown)[] = [];

/** Opens a replica as main.ts of nodes does. */
async function openReplica(port: number) {
  const relay = relayLogLevels(bus, MAX);
  const server: GrpcServer = await new GrpcServerBuilder({
    verifier: new CallerVerifier(SECRET),
    log,
    drainMs: NEVER_MS,
  })
    .add(LogLevelsServiceService, relay.handlers)
    .listen({ host: '127.0.0.1', port });
  const close = async () => {
    relay.close();
    await server.close();
  };
  return { port, address: `127.0.0.1:${port}`, close };
}

/** Makes a process of a service that has no connection to the broker. */
function processOf(name: string) {
  const logger = createLogger(name, { level: 'silent' });
  const levels = followLogLevels({ name, log: logger, nodes: remotePeer(replica.address), signer });
  closing.push(() => levels.stop());
  return { logger, stop: () => levels.stop() };
}

const ask = (service: string, level: 'error' | 'warn') =>
  askForLogLevel({ url: nats.url, prefix: nats.prefix }, { service, level, seconds: 60 });
/** Asks until as many answer. */
const heard = (service: string, level: 'error' | 'warn', count: number) =>
  until(async () => {
    const answers = await ask(service, level);
    return answers.length === count && answers.map((answer) => answer.replace(/ .+:\d+$/, ''));
  });

beforeAll(async () => {
  nats = await testNats();
  bus = await Bus.open({
    url: nats.url,
    prefix: nats.prefix,
    name: 'nodes',
    partitions: 1,
    log: createLogger('nodes', { level: 'silent' }),
  });
});
afterAll(async () => {
  await bus.close();
  await nats.drop();
});
beforeEach(async () => {
  // Nobody else gets it while no replica has it.
  replica = await openReplica(await freePort());
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await replica.close();
});

test('each process of a service is reached and answers, those of others keep their level', async () => {
  const [first, second, other] = [processOf('render'), processOf('render'), processOf('gateway')];
  expect(await heard('render', 'error', 2)).toEqual(['render', 'render']);
  expect([first, second, other].map(({ logger }) => logger.level)).toEqual(['error', 'error', 'silent']);
  expect(await heard('all', 'warn', 4)).toEqual(['gateway', 'nodes', 'render', 'render']);
  await first.stop();
  expect(await heard('render', 'error', 1)).toEqual(['render']);
});

test('a replica of nodes that stops does not wait for its followers, and another one has them', async () => {
  const { logger } = processOf('gateway');
  await heard('gateway', 'error', 1);
  const { port } = replica;
  await replica.close();
  replica = await openReplica(port);
  await heard('gateway', 'warn', 1);
  expect(logger.level).toBe('warn');
});

describe('refused is', () => {
  const open = async (caller: Caller) => {
    const client = createGrpcClient(LogLevelsServiceService, replica.address);
    closing.push(() => client.close());
    return { client, options: { token: await signer.sign(caller), timeoutMs: 5_000 } };
  };
  const SERVICE = { kind: 'service', service: 'render' } as const;

  test('whoever is no service', async () => {
    const { client, options } = await open({
      kind: 'api',
      ownerId: '1'.repeat(24),
      userId: '2'.repeat(24),
      username: 'jo@example.org',
      permission: 'MODIFY',
      accessLevel: 'ACCOUNT',
    });
    const refused = { kind: 'permission_denied' };
    await expect(Array.fromAsync(client.followLogLevels({}, options))).rejects.toMatchObject(refused);
    const answer = { answerTo: '_INBOX.A', process: 'host:1' };
    await expect(client.answerLogLevel(answer, options)).rejects.toMatchObject(refused);
  });

  test.each([
    ['an answer to a subject of the platform', 'now.log-level', 'host:1', /answerTo/],
    ['an answer to all', '_INBOX.>', 'host:1', /answerTo/],
    ['an answer of two lines', '_INBOX.A.1', 'host:1\nnodes host:2', /process/],
  ])('%s', async (_what, answerTo, process, message) => {
    const { client, options } = await open(SERVICE);
    await expect(client.answerLogLevel({ answerTo, process }, options)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringMatching(message),
    });
  });

  test('one process too many, until another one has left', async () => {
    const { client, options } = await open(SERVICE);
    const leaving = Array.from({ length: MAX }, () => new AbortController());
    const streams = leaving.map(({ signal }) =>
      client.followLogLevels({}, { ...options, timeoutMs: NEVER_MS, signal })[Symbol.asyncIterator](),
    );
    // The first message says that a place is taken.
    await Promise.all(streams.map((stream) => stream.next()));
    const another = () => {
      const stream = client.followLogLevels({}, options)[Symbol.asyncIterator]();
      return stream.next().finally(() => stream.return?.());
    };
    await expect(another()).rejects.toMatchObject({ kind: 'resource_exhausted' });
    leaving[0]?.abort();
    await until(() =>
      another().then(
        () => true,
        () => false,
      ),
    );
    for (const abort of leaving) abort.abort();
    await Promise.allSettled(streams.map((stream) => stream.next()));
  });
});
