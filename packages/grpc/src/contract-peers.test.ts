import { openPlace, openService, WAYS } from './contract-fixture.ts';

const LATE = { kind: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED' };
const LEFT = { kind: 'cancelled', reason: 'CALLER_LEFT' };
const AWAY = { kind: 'unavailable', reason: 'PEER_UNAVAILABLE', message: 'Service temporarily unavailable' };
const read = async (messages: AsyncIterable<Buffer>) => (await Array.fromAsync(messages)).map(String);

describe.each(WAYS)('calls $name: a peer', (way) => {
  test('that starts late is waited for', async () => {
    await using f = await openPlace(way);
    const calls = [f.call(), f.call({ waitForReady: true })];
    const texts = read(f.read());
    const ready = f.historic.waitForReady(60_000);
    await f.serve({
      async *send() {
        yield Buffer.from('here');
      },
    });
    expect(await Promise.all(calls)).toEqual([1, 1]);
    expect(await texts).toEqual(['here']);
    await ready;
    await f.historic.waitForReady(1);
  });

  test('that does not come is unavailable, and is not ready', async () => {
    await using f = await openPlace(way);
    await expect(f.historic.waitForReady(100)).rejects.toThrow();
    await expect(f.call({ timeoutMs: 300 })).rejects.toMatchObject(AWAY);
    await expect(read(f.read({ timeoutMs: 300 }))).rejects.toMatchObject(AWAY);
  });

  test('that is waited for without end is waited for until the deadline, or until the caller leaves', async () => {
    await using f = await openPlace(way);
    const leaving = new AbortController();
    const left = f.call({ waitForReady: true, signal: leaving.signal, timeoutMs: 60_000 });
    const late = f.call({ waitForReady: true, timeoutMs: 300 });
    leaving.abort();
    expect(await Promise.allSettled([left, late])).toMatchObject([{ reason: LEFT }, { reason: LATE }]);
  });

  test('that is being replaced answers what it has begun, and new calls wait for the next one', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
    await using f = await openPlace(way);
    const first = await f.serve({
      answer: () => {
        begun.resolve();
        return release.promise;
      },
      async *send() {
        yield Buffer.from('one');
        await release.promise;
        yield Buffer.from('two');
      },
    });
    const stream = f.read()[Symbol.asyncIterator]();
    expect(String((await stream.next()).value)).toBe('one');
    const call = f.call();
    await begun.promise;
    const closed = first.close();
    const next = f.call({ timeoutMs: 60_000, waitForReady: true });
    await f.serve({ answer: () => 2 });
    // A call on a shared stream is taken to the next server once those before it are answered.
    if (!way.isShared) expect(await next).toBe(2);
    release.resolve(1);
    expect(await Promise.all([call, next])).toEqual([1, 2]);
    expect(String((await stream.next()).value)).toBe('two');
    expect((await stream.next()).done).toBe(true);
    await closed;
  });

  test('that was there before is given a moment to come back', async () => {
    await using f = await openService(way);
    await f.call();
    await f.server.close();
    // The moment is counted from an hour ahead, so that no machine is too slow for it.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    const calls = [f.call(), f.call({ waitForReady: true })];
    clock.mockRestore();
    await f.serve({ answer: () => 2 });
    expect(await Promise.all(calls)).toEqual([2, 2]);
  });

  test('that stops waits no longer for its calls than it is given', async () => {
    const begun = Promise.withResolvers<void>();
    await using f = await openService(way, {
      answer: () => {
        begun.resolve();
        return new Promise(() => {});
      },
      drainMs: 50,
    });
    const call = f.call({ timeoutMs: 60_000 });
    const failed = expect(call).rejects.toMatchObject({ kind: expect.stringMatching(/^(unavailable|cancelled)$/) });
    await begun.promise;
    await f.server.close();
    await failed;
  });

  test('is not called by a client that is closed; calls under way have their answers', async () => {
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
    await using f = await openService(way, {
      answer: () => {
        begun.resolve();
        return release.promise;
      },
    });
    const client = f.client();
    const call = f.call({}, client);
    await begun.promise;
    client.close();
    for (const options of [{}, { waitForReady: true }])
      await expect(f.call(options, client)).rejects.toMatchObject(AWAY);
    await expect(client.waitForReady(1_000)).rejects.toThrow();
    release.resolve(1);
    expect(await call).toBe(1);
  });
});
