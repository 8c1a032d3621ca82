import { Writable } from 'node:stream';
import type { ApiCaller } from '@catchment/access';
import { HistoricServiceService, type WriteNowRequest } from '@catchment/contracts/historic';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { createLogger } from '@catchment/telemetry';
import { Front, freePort, until } from '@catchment/testkit';
import { MAX_STREAMED_BYTES } from './client.ts';
import type { Handlers } from './handlers.ts';
import { type CallContext, CallerSigner, CallerVerifier, createGrpcClient } from './index.ts';
import { type GrpcServer, GrpcServerBuilder } from './server.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const signer = new CallerSigner(SECRET);
const callerOf = (ownerId: string): ApiCaller => ({
  kind: 'api',
  ownerId,
  userId: '1'.repeat(24),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
});

type WriteNow = (nodeRef: string, context: CallContext) => Promise<number>;

const unused = () => {
  throw new Error('not used here');
};
const handlersOf = (writeNow: WriteNow) =>
  ({
    write: unused,
    writeMany: unused,
    deleteAll: unused,
    tellFault: unused,
    read: unused,
    readMany: unused,
    readSeries: unused,
    getEdges: unused,
    writeComputed: unused,
    readAggregateAt: unused,
    getProgress: unused,
    getRecordLimits: unused,
    getWriteState: unused,
    writeLines: unused,
    writeNow: async ({ nodeRef }: WriteNowRequest, context: CallContext) => ({
      rows: await writeNow(nodeRef, context),
      parts: [],
    }),
  }) as Handlers<typeof HistoricServiceService>;

function serve(writeNow: WriteNow, port = 0, lines: string[] = []): Promise<GrpcServer> {
  const destination = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  return new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log: createLogger('test', { destination }) })
    .add(HistoricServiceService, handlersOf(writeNow))
    .listen({ host: '127.0.0.1', port });
}

const streamed = {
  by: 'writeStream',
  calls: ['writeNow'],
  sizeBytes: ({ body }: { body: Uint8Array }) => body.length,
} as const;

/** Makes a client whose `writeNow` shares a stream. */
async function clientOf(port: number) {
  const historic = createGrpcClient(HistoricServiceService, `127.0.0.1:${port}`, { streamed });
  const token = await signer.sign(callerOf('0'.repeat(24)));
  const call = async (
    nodeRef: string,
    {
      body = Buffer.alloc(0),
      ...options
    }: { token?: string; timeoutMs?: number; signal?: AbortSignal; body?: Buffer } = {},
  ) => (await historic.writeNow({ nodeRef, body, arrivalMs: 0 }, { token, ...options })).rows;
  return { call, close: () => historic.close() };
}

async function fixture(writeNow: WriteNow) {
  const lines: string[] = [];
  const server = await serve(writeNow, 0, lines);
  const client = await clientOf(server.port);
  const dispose = async () => {
    client.close();
    await server.close();
  };
  return { call: client.call, lines, server, [Symbol.asyncDispose]: dispose };
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);
const numberOf = (nodeRef: string) => Number(nodeRef.slice(1));

test('a server that stops answers what it has begun, and the rest goes to the next one: nothing is done twice', async () => {
  const ran: string[] = [];
  const writeNow: WriteNow = async (nodeRef) => {
    ran.push(nodeRef);
    await new Promise((resolve) => setImmediate(resolve));
    return numberOf(nodeRef);
  };
  // Nobody else gets this port while no server has it, not even as that of an outgoing connection.
  const port = await freePort();
  let server = await serve(writeNow, port);
  const { call, close } = await clientOf(port);
  const results: Promise<number>[] = [];
  let [isOver, open] = [false, 0];
  const load = (async () => {
    for (let n = 0; !isOver; n += 1) {
      open += 1;
      const settled = () => {
        open -= 1;
      };
      results.push(call(`n${n}`, { timeoutMs: 30_000 }).finally(settled));
      do await new Promise((resolve) => setImmediate(resolve));
      while (open > 200);
    }
  })();
  for (let round = 0; round < 5; round += 1) {
    const seen = ran.length;
    await until(() => ran.length > seen + 50);
    await server.close();
    server = await serve(writeNow, port);
  }
  const seen = ran.length;
  await until(() => ran.length > seen + 50);
  isOver = true;
  await load;
  expect(await Promise.all(results)).toEqual(results.map((_result, n) => n));
  expect(new Set(ran).size).toBe(ran.length);
  close();
  await server.close();
});

test('a server that dies leaves no call without an answer', async () => {
  const release = Promise.withResolvers<number>();
  let begun = 0;
  await using f = await fixture(() => {
    begun += 1;
    return release.promise;
  });
  const front = await Front.open(() => ({ host: '127.0.0.1', port: f.server.port }));
  const { call, close } = await clientOf(front.port);
  const calls = Promise.allSettled(names(20).map((name) => call(name)));
  await until(() => begun === 20);
  front.cut('reset');
  for (const result of await calls) expect(result).toMatchObject({ reason: { kind: 'unavailable' } });
  release.resolve(1);
  close();
  front.close();
});

test.each([
  ['at the size that still shares the stream', MAX_STREAMED_BYTES],
  ['of a size that goes alone', MAX_STREAMED_BYTES + 1],
])('calls %s arrive whole, many at once', async (_what, size) => {
  await using f = await fixture(async () => 1);
  const body = Buffer.alloc(size, 'x');
  const answers = await Promise.all(names(300).map((name) => f.call(name, { body, timeoutMs: 30_000 })));
  expect(answers).toHaveLength(300);
});

test('documents that are done at the same moment and fit no message together arrive whole', async () => {
  const json = Buffer.alloc(3 * 1024 * 1024, 'x');
  const all = new Proxy({ getNode: async () => ({ json }) } as never, {
    get: (target, name) => target[name] ?? unused,
  });
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(SECRET),
    log: createLogger('test', { level: 'silent' }),
  })
    .add(NodesServiceService, all)
    .listen({ host: '127.0.0.1', port: 0 });
  const nodes = createGrpcClient(NodesServiceService, `127.0.0.1:${server.port}`, {
    streamed: { by: 'readStream', calls: ['getNode'], sizeBytes: () => 0 },
  });
  const token = await signer.sign(callerOf('0'.repeat(24)));
  const answers = names(6).map((nodeRef) => nodes.getNode({ nodeRef, attr: '', expiry: 0 }, { token }));
  expect((await Promise.all(answers)).map((answer) => answer.json.length)).toEqual(Array(6).fill(json.length));
  nodes.close();
  await server.close();
});
