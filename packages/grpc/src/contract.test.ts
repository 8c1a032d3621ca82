import { AsyncLocalStorage } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import type { ApiCaller, Caller } from '@catchment/access';
import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { DomainError, ERROR_KINDS, received } from '@catchment/errors';
import { currentRequestId, currentService, inService, metricsPage, withRequestId } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { SignJWT } from 'jose';
import { apiCaller, numbers, openService, SECRET, signer, WAYS } from './contract-fixture.ts';
import { CallerSigner, MAX_MESSAGE_BYTES } from './index.ts';

const NOT_SIGNED = { kind: 'unauthenticated', reason: 'CALLER_NOT_AUTHENTICATED' };
const LATE = { kind: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED', message: 'Service temporarily unavailable' };
const LEFT = { kind: 'cancelled', reason: 'CALLER_LEFT', message: 'The caller left' };
const never = () => new Promise<never>(() => {});

describe.each(WAYS)('a call $name', (way) => {
  test.each<[string, Caller]>([
    ['a caller of the API', apiCaller],
    ['a service', { kind: 'service', service: 'devices' }],
    [
      'a user of a thousand workspaces',
      {
        ...apiCaller,
        accessLevel: 'WORKSPACES',
        rights: {
          grants: [
            { permissions: ['VIEW'], workspaceIds: numbers(1_000).map((n) => n.toString(16).padStart(24, '0')) },
          ],
        },
      },
    ],
  ])('brings its signed caller: %s', async (_what, caller) => {
    const seen: unknown[] = [];
    await using f = await openService(way, { answer: (context) => seen.push(context.caller) });
    await f.call({ token: await signer.sign(caller) });
    expect(seen).toEqual([caller]);
  });

  test('brings the request id, and nothing else of what surrounds its caller', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    await using f = await openService(way, { answer: () => seen.push(currentRequestId(), storage.getStore()) });
    const called = await storage.run('of the caller', () =>
      withRequestId('r-7', async () => {
        await f.call();
        return [currentRequestId(), storage.getStore()];
      }),
    );
    expect(called).toEqual(['r-7', 'of the caller']);
    expect(seen).toEqual(['r-7', undefined]);
  });

  test('is answered as the service that listens, whoever calls, and so is what it leaves for later', async () => {
    const seen: unknown[] = [];
    await using f = await inService('alarms', () =>
      openService(way, {
        answer: async () => {
          seen.push(currentService());
          await new Promise(setImmediate);
          return seen.push(currentService());
        },
        async *send() {
          yield Buffer.from(String(currentService()));
          await new Promise(setImmediate);
          yield Buffer.from(String(currentService()));
        },
      }),
    );
    await inService('nodes', async () => {
      await f.call();
      for await (const text of f.read()) seen.push(String(text), currentService());
    });
    expect(seen).toEqual(['alarms', 'alarms', 'alarms', 'nodes', 'alarms', 'nodes']);
  });

  test('has the answer, the error and the context of its own, among many at once', async () => {
    const seen = new Map<string, unknown>();
    await using f = await openService(way, {
      answer: ({ caller }, { nodeRef }) => {
        seen.set(nodeRef, [(caller as ApiCaller).ownerId, currentRequestId()]);
        if (nodeRef === '3')
          throw new DomainError('not_found', 'NOT_FOUND', '3 is gone', { retryAfterSeconds: 7, revision: 9 });
        return nodeRef;
      },
    });
    const owner = (n: number) => String(n).padStart(24, '0');
    const results = await Promise.allSettled(
      numbers(300).map(async (n) => {
        const token = await signer.sign({ ...apiCaller, ownerId: owner(n) });
        return withRequestId(`r-${n}`, () => f.call({ nodeRef: String(n), token }));
      }),
    );
    const gone = { kind: 'not_found', reason: 'NOT_FOUND', message: '3 is gone', retryAfterSeconds: 7, revision: 9 };
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason))).toEqual(
      numbers(300).map((n) => (n === 3 ? expect.objectContaining(gone) : n)),
    );
    expect(seen).toEqual(new Map(numbers(300).map((n) => [String(n), [owner(n), `r-${n}`]])));
  });

  test.each([
    ['no token', NOT_SIGNED, async () => ''],
    ['a forged token', NOT_SIGNED, async () => 'eyJhbGciOiJub25lIn0.e30.'],
    ['a token of another installation', NOT_SIGNED, () => new CallerSigner(`${SECRET}-other`).sign(apiCaller)],
    [
      'an expired token',
      // It was one of ours: the request has waited, which is no fault of the caller and none of the program.
      { kind: 'unavailable', reason: 'CALLER_EXPIRED' },
      () =>
        new SignJWT({ caller: apiCaller })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuer('catchment')
          .setExpirationTime('-1s')
          .sign(new TextEncoder().encode(SECRET)),
    ],
  ])('with %s is refused before its handler runs, whoever calls beside', async (_what, refusal, tokenOf) => {
    const ran: string[] = [];
    await using f = await openService(way, { answer: (_context, { nodeRef }) => ran.push(nodeRef) });
    const good = numbers(5).map((n) => f.call({ nodeRef: String(n) }));
    await expect(f.call({ nodeRef: 'bad', token: await tokenOf() })).rejects.toMatchObject(refusal);
    await Promise.all(good);
    expect(ran.toSorted()).toEqual(['0', '1', '2', '3', '4']);
  });

  test.each(ERROR_KINDS.filter((kind) => kind !== 'deadline_exceeded'))(
    'keeps kind, reason and text of an error that is %s, and nothing of its cause',
    async (kind) => {
      const reported = { kind, reason: 'A_REASON', message: 'name: must be given, Ünï' };
      const error = received(reported, { cause: new Error('of the callee') });
      await using f = await openService(way, { answer: () => Promise.reject(error) });
      const caught = (await f.call().catch((thrown: unknown) => thrown)) as DomainError;
      expect(caught).toBeInstanceOf(DomainError);
      expect(caught).toMatchObject(reported);
      expect(caught.retryAfterSeconds).toBeUndefined();
      expect(String((caught.cause as Error | undefined)?.message)).not.toBe('of the callee');
    },
  );

  test('hides an unknown error, which is logged once with the id of its request', async () => {
    await using f = await openService(way, {
      answer: (_context, { nodeRef }) => {
        if (nodeRef === '5') throw new Error('connection string postgres://secret');
        return 1;
      },
    });
    const results = await Promise.allSettled(
      numbers(10).map((n) => withRequestId(`r-${n}`, () => f.call({ nodeRef: String(n) }))),
    );
    const hidden = { kind: 'internal', reason: 'INTERNAL', message: 'Internal server error' };
    expect(results[5]).toMatchObject({ reason: hidden });
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(9);
    expect(f.lines).toEqual([
      expect.objectContaining({ msg: 'call failed', rpc: expect.stringContaining('WriteNow'), requestId: 'r-5' }),
    ]);
  });

  test('fails at its deadline, each at its own', async () => {
    const release = Promise.withResolvers<number>();
    await using f = await openService(way, { answer: () => release.promise });
    const patient = f.call({ timeoutMs: 20_000 });
    const hasty = await Promise.allSettled([f.call({ timeoutMs: 300 }), f.call({ deadlineMs: Date.now() + 300 })]);
    expect(hasty).toMatchObject([{ reason: LATE }, { reason: LATE }]);
    release.resolve(5);
    expect(await patient).toBe(5);
  });

  test('gives its handler the earlier one of deadline and timeout, which is 10 seconds', async () => {
    const left: number[] = [];
    await using f = await openService(way, { answer: ({ deadlineMs }) => left.push(deadlineMs - Date.now()) });
    await f.call();
    await f.call({ timeoutMs: 60_000 });
    await f.call({ timeoutMs: 60_000, deadlineMs: Date.now() + 30_000 });
    expect(left.map((ms) => Math.ceil(ms / 10_000))).toEqual([1, 6, 3]);
  });

  test('is never begun after its deadline', async () => {
    let ran = 0;
    await using f = await openService(way, { answer: () => (ran += 1) });
    await f.call();
    await expect(f.call({ deadlineMs: Date.now() - 1 })).rejects.toMatchObject(LATE);
    await f.call();
    expect(ran).toBe(2);
  });

  test('is unavailable when a peer of its handler is silent: the time of the caller is not over', async () => {
    await using f = await openService(way, {
      answer: () => Promise.reject(new DomainError('deadline_exceeded', 'DATABASE_DEADLINE_EXCEEDED', 'too slow')),
    });
    const reported = {
      kind: 'unavailable',
      reason: 'DATABASE_DEADLINE_EXCEEDED',
      message: 'Service temporarily unavailable',
    };
    await expect(f.call()).rejects.toMatchObject(reported);
  });

  test('is cancelled when its caller leaves: at once, or before it goes; a caller that leaves later has its answer', async () => {
    const ran: string[] = [];
    const release = Promise.withResolvers<number>();
    await using f = await openService(way, {
      answer: (_context, { nodeRef }) => {
        ran.push(nodeRef);
        return nodeRef === 'waits' ? release.promise : 1;
      },
    });
    const leaving = new AbortController();
    const first = f.call({ nodeRef: 'first', signal: leaving.signal });
    const gone = f.call({ nodeRef: 'gone', signal: AbortSignal.abort() });
    const waits = f.call({ nodeRef: 'waits', signal: leaving.signal });
    await expect(gone).rejects.toMatchObject(LEFT);
    expect(await first).toBe(1);
    await until(() => ran.includes('waits'));
    leaving.abort();
    await expect(waits).rejects.toMatchObject(LEFT);
    expect(ran.toSorted()).toEqual(['first', 'waits']);
    release.resolve(1);
  });

  test('that is slow holds back no other', async () => {
    const release = Promise.withResolvers<number>();
    await using f = await openService(way, {
      answer: (_context, { nodeRef }) => (nodeRef === '4' ? release.promise : 1),
    });
    const calls = numbers(10).map((n) => f.call({ nodeRef: String(n) }));
    await Promise.all(calls.filter((_call, n) => n !== 4));
    release.resolve(4);
    expect(await calls[4]).toBe(4);
  });

  test('of a method that nobody serves is unimplemented', async () => {
    await using f = await openService(way);
    const alarms = f.peer.client(AlarmsServiceService);
    const token = await signer.sign(apiCaller);
    await expect(alarms.acknowledge({ nodeRef: '', alarmTypes: '', comment: '' }, { token })).rejects.toMatchObject({
      kind: 'unimplemented',
      reason: 'UNIMPLEMENTED',
      message: 'The server does not implement the method /catchment.alarms.v1.AlarmsService/Acknowledge',
    });
    alarms.close();
  });

  test('brings a request of 5 MiB, and refuses one that is too large before its handler runs', async () => {
    const sizes: number[] = [];
    await using f = await openService(way, { answer: (_context, { body }) => sizes.push(body.length) });
    await f.call({ body: Buffer.alloc(5 * 1024 * 1024) });
    await expect(f.call({ body: Buffer.alloc(MAX_MESSAGE_BYTES + 1) })).rejects.toMatchObject({
      kind: 'resource_exhausted',
      reason: 'RESOURCE_EXHAUSTED',
    });
    expect(sizes).toEqual([5 * 1024 * 1024]);
  });

  test('may come back to the service that calls', async () => {
    const callers: unknown[] = [];
    await using f = await openService(way, {
      answer: async ({ caller, token, deadlineMs }, { nodeRef }) => {
        callers.push([nodeRef, (caller as ApiCaller).ownerId, currentRequestId()]);
        const left = Number(nodeRef);
        return left === 0 ? 1 : 1 + (await f.call({ nodeRef: String(left - 1), token, deadlineMs }));
      },
    });
    expect(await withRequestId('r-1', () => f.call({ nodeRef: '3' }))).toBe(4);
    expect(callers).toEqual(['3', '2', '1', '0'].map((left) => [left, apiCaller.ownerId, 'r-1']));
  });

  test('is measured on both sides by its status', async () => {
    const counts = async () =>
      Object.fromEntries(
        [...(await metricsPage()).text.matchAll(/^rpc_(\w+)_call_duration_seconds_count\{(.*)\} (\d+)$/gm)]
          .filter(([line]) => line.includes('"catchment.historic.v1.HistoricService",rpc_method="WriteNow"'))
          .map(([, side, labels, count]) => [`${side} ${labels?.match(/code="(\d+)"/)?.[1]}`, Number(count)]),
      );
    await using f = await openService(way, {
      answer: (_context, { nodeRef }) => {
        if (nodeRef === 'gone') throw new DomainError('not_found', 'NOT_FOUND', 'gone');
        return 1;
      },
    });
    const before = await counts();
    await f.call();
    await f.call({ nodeRef: 'gone' }).catch(() => {});
    await f.call({ token: '' }).catch(() => {});
    const after = await counts();
    const rises = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
    expect(Object.fromEntries(rises.filter(([, rise]) => rise > 0))).toEqual(
      Object.fromEntries(
        ['0', '5', '16'].flatMap((code) => [`client ${code}`, `server ${code}`]).map((name) => [name, 1]),
      ),
    );
  });
});

describe.each(WAYS.filter(({ isShared }) => !isShared))('a call by itself $name', (way) => {
  test.each([
    ['the deadline passes', { timeoutMs: 300 }, LATE],
    ['its caller leaves', {}, LEFT],
  ])('informs its handler when %s', async (_what, options, error) => {
    const [begun, reported] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    const storage = new AsyncLocalStorage<string>();
    await using f = await openService(way, {
      answer: ({ signal }) => {
        signal.addEventListener('abort', () => reported.resolve([signal.reason, storage.getStore()]));
        begun.resolve();
        return never();
      },
    });
    await storage.run('of the caller', async () => {
      const leaving = new AbortController();
      for (let isBegun = false; !isBegun; ) {
        const call = f.call({ signal: leaving.signal, ...options });
        const ended = expect(call).rejects.toMatchObject(error);
        // Where the machine stands still, a deadline may pass before the handler begins.
        isBegun = await Promise.race([begun.promise.then(() => true), ended.then(() => false)]);
        if (isBegun && error === LEFT) leaving.abort();
        await ended;
      }
    });
    expect(await reported.promise).toEqual([expect.objectContaining(LEFT), undefined]);
  });
});

test.each(WAYS.filter(({ isBounded }) => isBounded))(
  '5 000 calls at once have their answers $name, and more are refused',
  async (way) => {
    const release = Promise.withResolvers<number>();
    let begun = 0;
    await using f = await openService(way, {
      answer: () => {
        begun += 1;
        return release.promise;
      },
    });
    const calls = numbers(5_000).map(() => f.call({ timeoutMs: 60_000 }));
    // Calls that share a stream have 1 024 under way at a time.
    await until(() => begun >= (way.isShared ? 1_024 : 5_000));
    await expect(f.call()).rejects.toMatchObject({ kind: 'unavailable', reason: 'TOO_MANY_CALLS' });
    release.resolve(1);
    expect(new Set(await Promise.all(calls))).toEqual(new Set([1]));
    expect(await f.call()).toBe(1);
  },
);

test.each([
  ['always_on', { isSame: true, isChild: true, isKept: true }],
  ['always_off', { isSame: true, isChild: false, isKept: false }],
])('a trace goes on through a call of any way (%s)', (sampler, expected) => {
  const script = `
    import { injectTrace, SpanKind, withSpan } from '@catchment/telemetry';
    import { openService, WAYS } from './contract-fixture.ts';
    const seen = [];
    for (const way of WAYS) {
      let inside;
      const f = await openService(way, { answer: () => { inside = injectTrace().traceparent; return 1; } });
      const outside = await withSpan('a', { kind: SpanKind.SERVER }, async () => {
        await f.call();
        return injectTrace().traceparent;
      });
      const [, trace, span, flags] = inside.split('-');
      const [, ownTrace, ownSpan] = outside.split('-');
      seen.push({ isSame: trace === ownTrace, isChild: span !== ownSpan, isKept: flags === '01' });
    }
    console.log(JSON.stringify(seen));
    process.exit(0);`;
  const args = ['--import', '@catchment/telemetry/start', '--input-type=module', '-e', script];
  const env = {
    PATH: process.env.PATH,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_TRACES_SAMPLER: sampler,
  };
  const out = execFileSync(process.execPath, args, { cwd: import.meta.dirname, env, encoding: 'utf8' });
  expect(JSON.parse(out)).toEqual(WAYS.map(() => expected));
});
