import { AsyncLocalStorage } from 'node:async_hooks';
import { Writable } from 'node:stream';
import type { ApiCaller } from '@catchment/access';
import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { EventsServiceService } from '@catchment/contracts/events';
import { DomainError } from '@catchment/errors';
import { createLogger, currentRequestId, currentService, inService, withRequestId } from '@catchment/telemetry';
import {
  type CallContext,
  CallerSigner,
  CallerVerifier,
  type GrpcServer,
  GrpcServerBuilder,
  type Handlers,
  LocalCalls,
  type Peer,
  remotePeer,
} from './index.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const signer = new CallerSigner(SECRET);
const apiCaller: ApiCaller = {
  ...{ kind: 'api', ownerId: '0'.repeat(24), userId: '1'.repeat(24), username: 'jo@example.org' },
  ...{ permission: 'MODIFY', accessLevel: 'ACCOUNT' },
};
type Line = Readonly<Record<string, unknown>>;
type Local = { calls: LocalCalls; name: string };
/** Where servers are put, one after the other, and how they are reached. */
type Way = { listen(server: (local?: Local) => GrpcServerBuilder): Promise<GrpcServer>; peer(): Peer };

const overGrpc = (): Way => {
  let port = 0;
  return {
    listen: async (server) => {
      const listening = await server().listen({ host: '127.0.0.1', port });
      port = listening.port;
      return listening;
    },
    peer: () => remotePeer(`127.0.0.1:${port}`),
  };
};
const insideAProcess = (): Way => {
  const calls = new LocalCalls({ checksMessages: true });
  return {
    listen: (server) => server({ calls, name: 'peer' }).listen({ host: '127.0.0.1', port: 0 }),
    peer: () => calls.peer('peer'),
  };
};

describe.each([
  ['over gRPC', overGrpc],
  ['inside a process', insideAProcess],
])('a call %s', (_way, openWay) => {
  type Unary = (context: CallContext, nodeRef: string) => unknown;
  type Stream = (context: CallContext, nodeRef: string) => AsyncIterable<string>;

  async function fixture({ answer = () => {}, send }: { answer?: Unary; send?: Stream } = {}) {
    const lines: Line[] = [];
    const destination = new Writable({
      write: (chunk, _encoding, done) => done(void lines.push(JSON.parse(String(chunk)))),
    });
    const log = createLogger('test', { destination, level: 'debug' });
    const way = openWay();
    const server = await way.listen((local) =>
      new GrpcServerBuilder({ verifier: new CallerVerifier(SECRET), log, ...(local && { local }) })
        .add(AlarmsServiceService, {
          acknowledge: async ({ nodeRef }, context) => {
            await answer(context, nodeRef);
            return {};
          },
          clear: async () => ({}),
          changeAlarms: async () => ({ outcomes: [] }),
        })
        .add(EventsServiceService, {
          createEvents: async () => ({}),
          clearEvents: async () => ({}),
          countAlarmEvents: async () => ({ counts: [] }),
          async *listEvents({ nodeRef }, context) {
            for await (const text of send?.(context, nodeRef) ?? [])
              yield { data: Buffer.from(text), contentType: '', revision: '' };
          },
        } as Handlers<typeof EventsServiceService>),
    );
    const token = await signer.sign(apiCaller);
    const [alarms, events] = [way.peer().client(AlarmsServiceService), way.peer().client(EventsServiceService)];
    const call = (options: object = {}, nodeRef = '') =>
      alarms.acknowledge({ nodeRef, alarmTypes: '', comment: '' }, { token, ...options });
    const read = async function* (options: object = {}, nodeRef = '') {
      const request = { nodeRef, arguments: {}, arrivalMs: 0 };
      for await (const { data } of events.listEvents(request, { token, ...options })) yield String(data);
    };
    const dispose = async () => {
      alarms.close();
      events.close();
      await server.close();
    };
    return { call, read, lines, alarms, server, [Symbol.asyncDispose]: dispose };
  }

  test('brings the signed caller and the request id, and nothing else of its caller', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    await using f = await fixture({
      answer: ({ caller }) => seen.push(caller, currentRequestId(), storage.getStore()),
      async *send({ caller }) {
        seen.push(caller, currentRequestId(), storage.getStore());
        yield '';
      },
    });
    const both = () =>
      withRequestId('r-7', async () => {
        await f.call();
        for await (const _ of f.read());
        return storage.getStore();
      });
    expect(await storage.run('of the caller', both)).toBe('of the caller');
    expect(seen).toEqual([apiCaller, 'r-7', undefined, apiCaller, 'r-7', undefined]);
  });

  test('is answered as the service that listens, whoever calls, its own calls and what it leaves for later too', async () => {
    const seen: unknown[] = [];
    await using f = await inService('alarms', () =>
      fixture({
        answer: async () => {
          seen.push(currentService());
          await new Promise((resolve) => setImmediate(resolve));
          seen.push(currentService());
        },
        async *send() {
          yield String(currentService());
          await new Promise((resolve) => setImmediate(resolve));
          yield String(currentService());
        },
      }),
    );
    await inService('nodes', async () => {
      await f.call();
      for await (const text of f.read()) seen.push(text, currentService());
    });
    expect(seen).toEqual(['alarms', 'alarms', 'alarms', 'nodes', 'alarms', 'nodes']);
  });

  test('keeps kind, reason and text of a domain error; an unknown one is hidden and logged once', async () => {
    const errors = [
      new DomainError('not_found', 'NOT_FOUND', 'gone', { retryAfterSeconds: 7 }),
      new Error('connection string postgres://secret'),
    ];
    await using f = await fixture({ answer: () => Promise.reject(errors.shift()) });
    const told = { kind: 'not_found', reason: 'NOT_FOUND', message: 'gone', retryAfterSeconds: 7 };
    await expect(f.call()).rejects.toMatchObject(told);
    await expect(f.call()).rejects.toMatchObject({ kind: 'internal', message: 'Internal server error' });
    expect(f.lines.filter(({ msg }) => msg === 'call failed')).toHaveLength(1);
  });

  test('fails at its deadline, and its handler is told', async () => {
    const told = Promise.withResolvers<void>();
    await using f = await fixture({
      answer: ({ signal }) => new Promise(() => signal.addEventListener('abort', () => told.resolve())),
    });
    await expect(f.call({ timeoutMs: 300 })).rejects.toMatchObject({
      ...{ kind: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED', message: 'Service temporarily unavailable' },
    });
    await told.promise;
  });

  test('is cancelled at once when its caller leaves, and its handler is told', async () => {
    const begun = Promise.withResolvers<void>();
    const told = Promise.withResolvers<void>();
    await using f = await fixture({
      answer: ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => told.resolve());
          begun.resolve();
        }),
    });
    const leaving = new AbortController();
    const call = f.call({ signal: leaving.signal });
    await begun.promise;
    leaving.abort();
    await expect(call).rejects.toMatchObject({ kind: 'cancelled', reason: 'CALLER_LEFT' });
    await told.promise;
  });

  test('reads messages in their order, and the error after them', async () => {
    await using f = await fixture({
      async *send() {
        for (let n = 0; n < 100; n += 1) yield String(n);
        throw new DomainError('unavailable', 'PEER_UNAVAILABLE', 'store is down');
      },
    });
    const got: string[] = [];
    const read = async () => {
      for await (const text of f.read()) got.push(text);
    };
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable', message: 'store is down' });
    expect(got).toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
  });

  test('that reads no further ends the handler', async () => {
    let sent = 0;
    const ended = Promise.withResolvers<void>();
    await using f = await fixture({
      async *send() {
        try {
          for (; sent < 1_000; sent += 1) yield 'x'.repeat(64 * 1024);
        } finally {
          ended.resolve();
        }
      },
    });
    for await (const _ of f.read()) break;
    await ended.promise;
    expect(sent).toBeLessThan(200);
  });
});
