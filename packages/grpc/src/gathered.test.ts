import { Writable } from 'node:stream';
import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { DomainError } from '@catchment/errors';
import { createLogger, currentRequestId, withRequestId } from '@catchment/telemetry';
import { Client, credentials } from '@grpc/grpc-js';
import { CallGatherer, MAX_GATHERED_BYTES, type OutgoingCall } from './gathered-client.ts';
import { type ApiCaller, type CallContext, CallerSigner, CallerVerifier, createGrpcClient } from './index.ts';
import { GrpcServerBuilder } from './server.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const callerOf = (ownerId: string): ApiCaller => ({
  ...{ kind: 'api', ownerId, userId: '1'.repeat(24), username: 'jo@example.org' },
  ...{ permission: 'MODIFY', accessLevel: 'ACCOUNT' },
});

type Acknowledge = (nodeRef: string, context: CallContext) => Promise<void>;

/** A server whose `acknowledge` does what the test says, and a client that gathers it. */
async function fixture(acknowledge: Acknowledge) {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(SECRET),
    log: createLogger('test', { destination }),
  })
    .add(AlarmsServiceService, {
      acknowledge: async ({ nodeRef }, context) => {
        await acknowledge(nodeRef, context);
        return {};
      },
      clear: async () => ({}),
    })
    .listen({ host: '127.0.0.1', port: 0 });
  const address = `127.0.0.1:${server.port}`;
  const alarms = createGrpcClient(AlarmsServiceService, address, { gathered: ['acknowledge'] });
  const token = await new CallerSigner(SECRET).sign(callerOf('0'.repeat(24)));
  const call = (nodeRef: string, options: { token?: string; timeoutMs?: number; signal?: AbortSignal } = {}) =>
    alarms.acknowledge({ nodeRef, alarmTypes: '', comment: '' }, { token, ...options });
  return {
    ...{ call, lines, address },
    [Symbol.asyncDispose]: async () => {
      alarms.close();
      await server.close();
    },
  };
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);

test('every call has the answer, caller and request id of its own', async () => {
  const seen = new Map<string, unknown>();
  await using f = await fixture(async (nodeRef, { caller }) => {
    seen.set(nodeRef, [(caller as ApiCaller).ownerId, currentRequestId()]);
    if (nodeRef === 'n3') throw new DomainError('not_found', 'GONE', 'n3 is gone');
  });
  const signer = new CallerSigner(SECRET);
  const owner = (n: number) => String(n).padStart(24, '0');
  const results = await Promise.allSettled(
    names(40).map(async (name, n) => {
      const token = await signer.sign(callerOf(owner(n)));
      return withRequestId(`r-${n}`, () => f.call(name, { token }));
    }),
  );
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([
    expect.objectContaining({
      reason: expect.objectContaining({ kind: 'not_found', reason: 'GONE', message: 'n3 is gone' }),
    }),
  ]);
  expect(results[3]?.status).toBe('rejected');
  expect(seen).toEqual(new Map(names(40).map((name, n) => [name, [owner(n), `r-${n}`]])));
});

test('of many at once few travel alone; one after a quiet moment goes at once', async () => {
  await using f = await fixture(async () => {});
  const client = new Client(f.address, credentials.createInsecure());
  let alone = 0;
  const gatherer = new CallGatherer(client, async () => Buffer.from(`alone ${++alone}`));
  const request = Buffer.from(
    AlarmsServiceService.acknowledge.requestSerialize({ nodeRef: 'x', alarmTypes: '', comment: '' }),
  );
  const headers = { authorization: await new CallerSigner(SECRET).sign(callerOf('0'.repeat(24))) };
  const call: OutgoingCall = {
    ...{ path: AlarmsServiceService.acknowledge.path, request, headers },
    ...{ deadlineMs: Date.now() + 10_000, signal: undefined },
  };
  expect(String(await gatherer.call(call))).toBe('alone 1');
  await Promise.all(names(200).map(() => gatherer.call(call)));
  const few = alone;
  expect(few).toBeLessThan(20);
  expect(String(await gatherer.call({ ...call, request: Buffer.alloc(MAX_GATHERED_BYTES + 1) }))).toBe(
    `alone ${few + 1}`,
  );
  client.close();
});

test.each([
  ['no token', ''],
  ['a forged token', 'eyJhbGciOiJub25lIn0.e30.'],
])('%s is refused before the handler runs, whoever it travels with', async (_what, token) => {
  const ran: string[] = [];
  await using f = await fixture(async (nodeRef) => void ran.push(nodeRef));
  const good = names(10).map((name) => f.call(name));
  await expect(f.call('bad', { token })).rejects.toMatchObject({ kind: 'unauthenticated' });
  await Promise.all(good);
  expect(ran.toSorted()).toEqual(names(10).toSorted());
});

test('an unknown error is hidden and logged once, with the id of its request', async () => {
  await using f = await fixture(async (nodeRef) => {
    if (nodeRef === 'n5') throw new Error('connection string postgres://secret');
  });
  const results = await Promise.allSettled(names(10).map((name) => withRequestId(`r-${name}`, () => f.call(name))));
  expect(results[5]).toMatchObject({ reason: { kind: 'internal', message: 'Internal server error' } });
  const failed = f.lines.filter((line) => line.includes('call failed'));
  expect(failed).toEqual([expect.stringContaining('r-n5')]);
});

test('a slow call holds back no other', async () => {
  const release = Promise.withResolvers<void>();
  await using f = await fixture((nodeRef) => (nodeRef === 'n4' ? release.promise : Promise.resolve()));
  const calls = names(10).map((name) => f.call(name));
  await Promise.all(calls.filter((_call, n) => n !== 4));
  release.resolve();
  await calls[4];
});

test('calls that outlive their deadline fail, and their handlers are told', async () => {
  const told: string[] = [];
  const all = Promise.withResolvers<void>();
  await using f = await fixture(
    (nodeRef, { signal }) =>
      new Promise((resolve) => {
        const tell = () => {
          told.push(nodeRef);
          if (told.length === 5) all.resolve();
          resolve();
        };
        if (signal.aborted) tell();
        else signal.addEventListener('abort', tell);
      }),
  );
  // Long enough to reach the handlers on a busy machine.
  const results = await Promise.allSettled(names(5).map((name) => f.call(name, { timeoutMs: 1_000 })));
  for (const result of results) expect(result).toMatchObject({ reason: { kind: 'deadline_exceeded' } });
  await all.promise;
});

test('a caller that left before its call went is answered at once, and nothing is done for it', async () => {
  const ran: string[] = [];
  await using f = await fixture(async (nodeRef) => void ran.push(nodeRef));
  const left = AbortSignal.abort();
  const calls = [f.call('first'), f.call('left', { signal: left }), f.call('last')];
  await expect(calls[1]).rejects.toMatchObject({ kind: 'cancelled' });
  await Promise.all([calls[0], calls[2]]);
  expect(ran.toSorted()).toEqual(['first', 'last']);
});

test('a method that the peer does not have is named', async () => {
  await using f = await fixture(async () => {});
  const client = new Client(f.address, credentials.createInsecure());
  const gatherer = new CallGatherer(client, async () => Buffer.alloc(0));
  const call = {
    ...{ path: '/catchment.Nobody/Does', request: Buffer.alloc(0), headers: {} },
    ...{ deadlineMs: Date.now() + 10_000, signal: undefined },
  };
  const results = await Promise.allSettled(names(3).map(() => gatherer.call(call)));
  expect(results.at(-1)).toMatchObject({
    reason: { kind: 'unimplemented', message: 'There is no /catchment.Nobody/Does' },
  });
  client.close();
});
