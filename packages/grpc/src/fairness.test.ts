import { AlarmsServiceService } from '@catchment/contracts/alarms';
import { EventsServiceService } from '@catchment/contracts/events';
import { NodesServiceService } from '@catchment/contracts/nodes';
import { currentAccount, FairQueue } from '@catchment/fair-queue';
import { createLogger } from '@catchment/telemetry';
import { until } from '@catchment/testkit';
import { apiCaller, SECRET, signer, WAYS, type Way } from './contract-fixture.ts';
import { admitted, CallerVerifier, GrpcServerBuilder } from './index.ts';

const settings = { verifier: new CallerVerifier(SECRET), log: createLogger('test', { level: 'silent' }) };
const tokenOf = (ownerId: string) => signer.sign({ ...apiCaller, ownerId });
const request = { nodeRef: '', arguments: {}, arrivalMs: 0 };

/** Starts a server with two places for lists of events, one an account; lists end on command. */
async function fixture(way: Way) {
  const place = await way.open();
  const queue = new FairQueue({
    reason: 'TOO_MANY_LISTS',
    capacity: 2,
    waitingPerAccount: 50,
    waiting: 100,
    waitMs: 600_000,
  });
  const begun: (string | undefined)[] = [];
  const end = Promise.withResolvers<void>();
  const handlers = {
    createEvents: async () => ({}),
    clearEvents: async () => ({}),
    countAlarmEvents: async () => ({ counts: [] }),
    getEventDays: async () => ({ eventDays: 0, debugEventDays: 30 }),
    async *listEvents() {
      begun.push(currentAccount());
      yield { data: Buffer.from('['), contentType: '', revision: '' };
      await end.promise;
      yield { data: Buffer.from(']'), contentType: '', revision: '' };
    },
  };
  const server = await place.listen((local) =>
    new GrpcServerBuilder({ ...settings, ...(local && { local }) }).add(
      EventsServiceService,
      admitted(EventsServiceService, handlers, queue, { listEvents: 1 }),
    ),
  );
  const events = place.peer.client(EventsServiceService);
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
    place.close();
  };
  return { queue, begun, end: end.resolve, list, close };
}

describe.each(WAYS.filter(({ isShared }) => !isShared))('calls $name', (way) => {
  test('lists of one account do not keep the list of another waiting, and none is lost', async () => {
    const { list, begun, queue, end, close } = await fixture(way);
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
    const { list, end, close } = await fixture(way);
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
    const { list, queue, begun, end, close } = await fixture(way);
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
    const all = new Proxy(handlers as never, { get: (target, name) => target[name as never] ?? unused });
    const place = await way.open();
    const server = await place.listen((local) =>
      new GrpcServerBuilder({ ...settings, ...(local && { local }) }).add(NodesServiceService, all),
    );
    const nodes = place.peer.client(NodesServiceService);
    const token = await signer.sign({ kind: 'service', service: 'historic' });
    await nodes.getSource({ sourceId: 's', ownerId: 'owner' }, { token });
    expect(seen).toEqual(['owner']);
    expect(() => admitted(AlarmsServiceService, {}, queue, { nothing: 1 } as never)).toThrow('nothing');
    nodes.close();
    await server.close();
    place.close();
  });
});
