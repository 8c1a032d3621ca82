import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { EventsServiceService } from '@catchment/contracts/events';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { currentAccount, FairQueue } from '@catchment/fair-queue';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { admitted, CallerSigner, CallerVerifier, createGrpcClient, GrpcServerBuilder } from './index.ts';

const SECRET = 'a-test-secret-of-more-than-32-characters';
const signer = new CallerSigner(SECRET);
const tokenOf = (ownerId: string) =>
  signer.sign({ kind: 'api', ownerId, userId: 'u', username: 'u', permission: 'MODIFY', accessLevel: 'ACCOUNT' });
const request = { nodeRef: '', arguments: {}, arrivalMs: 0 };

/** A server with two places for lists of events, one an account; lists end on command. */
async function fixture() {
  const queue = new FairQueue({
    reason: 'TOO_MANY_LISTS',
    capacity: 2,
    waitingPerAccount: 50,
    waiting: 100,
    waitMs: 5_000,
  });
  const begun: (string | undefined)[] = [];
  const end = Promise.withResolvers<void>();
  const handlers = {
    createEvents: async () => ({}),
    clearEvents: async () => ({}),
    countAlarmEvents: async () => ({ counts: [] }),
    async *listEvents() {
      begun.push(currentAccount());
      yield { data: Buffer.from('['), contentType: '', revision: '' };
      await end.promise;
      yield { data: Buffer.from(']'), contentType: '', revision: '' };
    },
  };
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(SECRET),
    log: createLogger('test', { level: 'silent' }),
  })
    .add(EventsServiceService, admitted(EventsServiceService, handlers, queue, { listEvents: 1 }))
    .listen({ host: '127.0.0.1', port: 0 });
  const events = createGrpcClient(EventsServiceService, `127.0.0.1:${server.port}`);
  const list = async (ownerId: string, signal?: AbortSignal) => {
    let text = '';
    const options = { token: await tokenOf(ownerId), timeoutMs: 20_000, ...(signal && { signal }) };
    for await (const { data } of events.listEvents(request, options)) text += data;
    return text;
  };
  const close = async () => {
    end.resolve();
    events.close();
    await server.close();
  };
  return { queue, begun, end: end.resolve, list, close };
}

test('lists of one account do not keep the list of another waiting, and none is lost', async () => {
  const { list, begun, queue, end, close } = await fixture();
  const flood = Array.from({ length: 40 }, () => list('a'));
  await until(() => queue.load.waiting === 39);
  const other = list('b');
  await until(() => begun.length === 2);
  expect(begun).toEqual(['a', 'b']);
  end();
  expect(new Set(await Promise.all([other, ...flood]))).toEqual(new Set(['[]']));
  expect(queue.load).toEqual({ inWork: 0, waiting: 0 });
  await close();
});

test('only the account that has filled the queue is refused', async () => {
  const { list, end, close } = await fixture();
  const refused: unknown[] = [];
  const flood = Array.from({ length: 60 }, () => list('a').catch((error: unknown) => void refused.push(error)));
  await until(() => refused.length === 9);
  const other = list('b');
  end();
  expect((await Promise.all(flood)).filter((answer) => answer === '[]')).toHaveLength(51);
  for (const error of refused) expect(error).toMatchObject({ kind: 'unavailable', reason: 'TOO_MANY_LISTS' });
  expect(await other).toBe('[]');
  await close();
});

test('a caller that leaves gives its place back, waiting or in the middle of its answer', async () => {
  const { list, queue, begun, end, close } = await fixture();
  const leaving = new AbortController();
  const gone = [1, 2].map(() => list('a', leaving.signal).catch(() => 'gone'));
  await until(() => begun.length === 1 && queue.load.waiting === 1);
  leaving.abort();
  expect(await Promise.all(gone)).toEqual(['gone', 'gone']);
  await until(() => queue.load.waiting === 0);
  end();
  await until(() => queue.load.inWork === 0);
  expect(await list('a')).toBe('[]');
  expect(begun).toEqual(['a', 'a']);
  await close();
});

test('a service works in the turn of the account that it names', async () => {
  const queue = new FairQueue({
    reason: 'TOO_MANY_READS',
    capacity: 2,
    waitingPerAccount: 1,
    waiting: 1,
    waitMs: 1_000,
  });
  const seen: (string | undefined)[] = [];
  const handlers = {
    getSource: async () => {
      seen.push(currentAccount());
      return { source: undefined, parameters: [] };
    },
  };
  const unused = () => {
    throw new Error('not used here');
  };
  const all = new Proxy(handlers as never, { get: (own, name) => own[name as never] ?? unused });
  const server = await new GrpcServerBuilder({
    verifier: new CallerVerifier(SECRET),
    log: createLogger('test', { level: 'silent' }),
  })
    .add(NodesServiceService, all)
    .listen({ host: '127.0.0.1', port: 0 });
  const nodes = createGrpcClient(NodesServiceService, `127.0.0.1:${server.port}`);
  const token = await signer.sign({ kind: 'service', service: 'historic' });
  await nodes.getSource({ sourceId: 's', ownerId: 'owner' }, { token });
  expect(seen).toEqual(['owner']);
  expect(() => admitted(AlarmsServiceService, {}, queue, { nothing: 1 } as never)).toThrow('nothing');
  nodes.close();
  await server.close();
});
