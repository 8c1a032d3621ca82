import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@catchment/errors';
import { currentRequestId, withRequestId } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { apiCaller, numbers, openService, type Service, WAYS } from './contract-fixture.ts';
import { MAX_MESSAGE_BYTES } from './index.ts';

const LATE = { kind: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED', message: 'Service temporarily unavailable' };
const LEFT = { kind: 'cancelled', reason: 'CALLER_LEFT', message: 'The caller left' };
const LARGE = Buffer.alloc(64 * 1024, 'x');

/** Makes a handler that sends without end, and shows how far it is. */
function endless(message = LARGE) {
  const ended = Promise.withResolvers<void>();
  const state = { sent: 0, ended: ended.promise };
  const service: Service = {
    async *send() {
      try {
        for (;;) {
          state.sent += 1;
          yield message;
          await new Promise(setImmediate);
        }
      } finally {
        ended.resolve();
      }
    },
  };
  return { state, service };
}

async function all(messages: AsyncIterable<Buffer>): Promise<string[]> {
  const texts: string[] = [];
  for await (const message of messages) texts.push(String(message));
  return texts;
}

describe.each(WAYS.filter(({ isShared }) => !isShared))('a stream $name', (way) => {
  test.each([0, 1, 7, 8, 9, 3_000])('of %i messages arrives whole, in their order', async (count) => {
    await using f = await openService(way, {
      async *send() {
        for (const n of numbers(count)) yield Buffer.from(String(n));
      },
    });
    expect(await all(f.read())).toEqual(numbers(count).map(String));
  });

  test('has its caller, and nothing of what surrounds the reader, at each of its messages', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    await using f = await openService(way, {
      async *send({ caller }) {
        for (const n of numbers(30)) {
          seen.push([caller, currentRequestId(), storage.getStore()]);
          yield Buffer.from(String(n));
        }
      },
    });
    await storage.run('of the reader', () =>
      withRequestId('r-1', async () => {
        for await (const _ of f.read())
          expect([currentRequestId(), storage.getStore()]).toEqual(['r-1', 'of the reader']);
      }),
    );
    expect(seen).toEqual(numbers(30).map(() => [apiCaller, 'r-1', undefined]));
  });

  test.each([0, 1, 100])('that breaks after %i messages ends with the error, never as if complete', async (count) => {
    await using f = await openService(way, {
      async *send() {
        for (const n of numbers(count)) yield Buffer.from(String(n));
        throw new DomainError('unavailable', 'FILE_GONE', 'store is down', { retryAfterSeconds: 3, revision: 9 });
      },
    });
    const got: string[] = [];
    const read = async () => {
      for await (const message of f.read()) got.push(String(message));
    };
    await expect(read()).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'FILE_GONE',
      message: 'store is down',
      retryAfterSeconds: 3,
      revision: 9,
    });
    expect(got).toEqual(numbers(count).map(String));
  });

  test('is refused without a token', async () => {
    const { state, service } = endless();
    await using f = await openService(way, service);
    await expect(all(f.read({ token: '' }))).rejects.toMatchObject({ kind: 'unauthenticated' });
    expect(state.sent).toBe(0);
  });

  test('is no more than some messages ahead of its reader', async () => {
    const { state, service } = endless();
    await using f = await openService(way, service);
    let [got, ahead] = [0, 0];
    for await (const _ of f.read({ timeoutMs: 60_000 })) {
      got += 1;
      if (got === 1) await until(() => state.sent > got, { what: 'a message ahead' });
      if (got > 300) break;
      for (const _turn of numbers(5)) await new Promise(setImmediate);
      ahead = Math.max(ahead, state.sent - got);
    }
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThanOrEqual(way.ahead);
  });

  test('of a handler that waits for nothing lets others have their turns', async () => {
    await using f = await openService(way, {
      async *send() {
        for (const n of numbers(100)) {
          const beganMs = performance.now();
          while (performance.now() - beganMs < 1);
          yield Buffer.from(String(n));
        }
      },
    });
    let [turns, isOver] = [0, false];
    const others = (async () => {
      for (; !isOver; turns += 1) await new Promise(setImmediate);
    })();
    expect(await all(f.read())).toHaveLength(100);
    isOver = true;
    await others;
    expect(turns).toBeGreaterThan(5);
  });

  const enough = new Error('enough');
  test.each<[string, (messages: AsyncGenerator<Buffer>) => Promise<unknown>]>([
    [
      'with break',
      async (messages) => {
        for await (const _ of messages) break;
      },
    ],
    [
      'with an error of its own',
      async (messages) => {
        const read = async () => {
          for await (const _ of messages) throw enough;
        };
        await expect(read()).rejects.toBe(enough);
      },
    ],
    [
      'with return, between two messages',
      async (messages) => [await messages.next(), await messages.return(undefined)],
    ],
  ])('whose reader stops early %s ends its handler', async (_what, stop) => {
    const { state, service } = endless();
    await using f = await openService(way, service);
    await stop(f.read());
    await state.ended;
    expect(state.sent).toBeLessThan(way.ahead + 2);
  });

  test('whose reader stops early informs a handler that waits', async () => {
    const waits = Promise.withResolvers<void>();
    const reported = Promise.withResolvers<unknown>();
    await using f = await openService(way, {
      async *send({ signal }) {
        yield Buffer.from('first');
        const left = new Promise((resolve) => signal.addEventListener('abort', resolve));
        waits.resolve();
        await left;
        reported.resolve(signal.reason);
      },
    });
    for await (const _ of f.read()) {
      await waits.promise;
      break;
    }
    expect(await reported.promise).toMatchObject(LEFT);
  });

  test('that nobody reads is never begun', async () => {
    const { state, service } = endless();
    await using f = await openService(way, service);
    const messages = f.read();
    await f.call();
    expect(state.sent).toBe(0);
    await messages.return(undefined);
  });

  test.each<[string, { timeoutMs?: number }, object]>([
    ['at its deadline', { timeoutMs: 400 }, LATE],
    ['when its caller leaves', {}, LEFT],
  ])('ends in its middle %s, and so does its handler', async (_what, options, error) => {
    const { state, service } = endless(Buffer.from('x'));
    await using f = await openService(way, service);
    const leaving = new AbortController();
    const read = async () => {
      for await (const _ of f.read({ timeoutMs: 60_000, signal: leaving.signal, ...options }))
        if (error === LEFT && state.sent > 20) leaving.abort();
    };
    // Where the machine stands still, a deadline may pass before the handler begins.
    do await expect(read()).rejects.toMatchObject(error);
    while (state.sent === 0);
    await state.ended;
  });

  test('ends at its deadline although its handler is silent', async () => {
    await using f = await openService(way, {
      async *send({ signal }) {
        yield Buffer.from('first');
        await delay(60_000, undefined, { signal });
      },
    });
    await expect(all(f.read({ timeoutMs: 300 }))).rejects.toMatchObject(LATE);
  });

  test('is cancelled before it begins when its caller has left', async () => {
    const { state, service } = endless();
    await using f = await openService(way, service);
    await expect(all(f.read({ signal: AbortSignal.abort() }))).rejects.toMatchObject(LEFT);
    expect(state.sent).toBe(0);
  });

  test('with a message that is too large fails there', async () => {
    await using f = await openService(way, {
      async *send() {
        yield Buffer.from('first');
        yield Buffer.alloc(MAX_MESSAGE_BYTES + 1);
      },
    });
    const sizes: number[] = [];
    const read = async () => {
      for await (const { length } of f.read()) sizes.push(length);
    };
    await expect(read()).rejects.toMatchObject({ kind: 'resource_exhausted', reason: 'RESOURCE_EXHAUSTED' });
    expect(sizes).toEqual([5]);
  });

  const late = endless();
  test.each<[string, string, object, Service, (f: Awaited<ReturnType<typeof openService>>) => Promise<unknown>]>([
    [
      'its handler failed',
      'warn',
      { reason: 'handler failed', kind: 'unavailable', messages: 2 },
      {
        async *send() {
          yield* [LARGE, LARGE];
          throw new DomainError('unavailable', 'PEER_UNAVAILABLE', 'store is down');
        },
      },
      (f) => all(f.read()),
    ],
    [
      'its handler has a fault',
      'error',
      { reason: 'handler failed', kind: 'internal', messages: 2 },
      {
        async *send() {
          yield* [LARGE, LARGE];
          throw new TypeError('no such thing');
        },
      },
      (f) => all(f.read()),
    ],
    [
      'its deadline passed',
      'warn',
      { reason: 'deadline' },
      late.service,
      async (f) => {
        // Where the machine stands still, a deadline may pass before the handler begins: that leaves no line.
        while (late.state.sent === 0) await all(f.read({ timeoutMs: 2_000 })).catch(() => {});
        throw new Error('late');
      },
    ],
    [
      'its server stopped and could not wait',
      'warn',
      { reason: 'drain' },
      { ...endless().service, drainMs: 50 },
      async (f) => {
        for await (const _ of f.read({ timeoutMs: 60_000 })) void f.server.close();
      },
    ],
    [
      'its caller left',
      'debug',
      { reason: 'caller left' },
      endless().service,
      async (f) => {
        for await (const _ of f.read({ timeoutMs: 60_000 })) throw enough;
      },
    ],
  ])('leaves one line when %s', async (_what, level, expected, service, breakOff) => {
    await using f = await openService(way, service);
    await expect(withRequestId('r-1', () => breakOff(f))).rejects.toThrow();
    const reported = () => f.lines.filter(({ msg }) => msg === 'stream broken off');
    await until(() => reported().length > 0);
    expect(reported()).toEqual([
      expect.objectContaining({
        level,
        rpc: '/catchment.events.v1.EventsService/ListEvents',
        requestId: 'r-1',
        durationMs: expect.any(Number),
        messages: expect.any(Number),
        ...expected,
      }),
    ]);
    expect(f.lines.filter(({ msg }) => msg === 'call failed')).toEqual([]);
  });
});
