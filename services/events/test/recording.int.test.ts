import { newObjectId } from '@catchment/ids';
import { until } from '@catchment/testkit';
import type { Event } from '../src/domain/event.ts';
import { sweep } from '../src/usecases/sweep.ts';
import { caller, NOW, recorded, type Service, startService } from './fixture.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ monthsMax: 6 });
});
afterAll(() => service.close());

const DAY_MS = 86_400_000;
const keptFor =
  (installation: number, own: ReadonlyMap<string, number> = new Map()) =>
  async () => ({ installation, own });
const running = new AbortController().signal;
const ids = (events: readonly Record<string, unknown>[]) => events.map((event) => event._id);

async function countIn(table: string, event: Event): Promise<number> {
  return (await service.database.query(`SELECT 1 FROM ${table} WHERE event_id = $1`, [event.eventId])).rowCount;
}

test('what the bus brings is stored once, however often it comes, and bad messages are put aside', async () => {
  const { ownerId } = caller();
  const [first, second] = [recorded({ ownerId }), recorded({ ownerId, timeMs: NOW + 1 })];
  await service.publish(first);
  await service.publish(recorded({ ownerId, level: 'LOUD' }));
  await service.publish(first, 'again');
  await service.bus.publish('events.event.recorded.v1', Buffer.from([0xff, 0xff]), { msgId: newObjectId() });
  await service.publish(second);
  const readers = service.read();
  await until(async () => (await service.list(caller({ ownerId }))).length === 2);
  await until(() => service.bus.deadLetterCount === 2);
  expect(ids(await service.list(caller({ ownerId })))).toEqual([first.eventId, second.eventId]);
  await readers.stop();
});

test('events of deleted nodes go, and do not come back by messages that arrive late', async () => {
  const { ownerId } = caller();
  const [gone, stays] = [newObjectId(), newObjectId()];
  await service.events.record([recorded({ ownerId, nodeId: gone }), recorded({ ownerId, nodeId: stays })]);
  const readers = service.read();
  await service.publishDeleted(ownerId, [gone]);
  await until(async () => (await service.list(caller({ ownerId }))).length === 1);
  await service.publish(recorded({ ownerId, nodeId: gone }));
  await service.publish(recorded({ ownerId, nodeId: stays }));
  await until(async () => (await service.list(caller({ ownerId }))).length === 2);
  expect((await service.list(caller({ ownerId }))).map((event) => event.nodeId)).toEqual([stays, stays]);
  await readers.stop();
});

test('recording and forgetting at the same time leave nothing of the node', async () => {
  const { ownerId } = caller();
  const nodeIds = Array.from({ length: 20 }, () => newObjectId());
  await Promise.all(
    nodeIds.flatMap((nodeId) => [
      service.events.record([recorded({ ownerId, nodeId })]),
      service.events.forgetNodes([nodeId]),
      service.events.record([recorded({ ownerId, nodeId })]),
    ]),
  );
  expect(await service.list(caller({ ownerId }))).toEqual([]);
});

test('months are made on demand up to the limit; the rest is kept together and moves when its month is made', async () => {
  const { ownerId } = caller();
  const at = (iso: string) => recorded({ ownerId, timeMs: Date.parse(iso) });
  const own = [at('2016-05-31T23:59:59.999Z'), at('2016-06-01T00:00:00.000Z')];
  await service.events.record(own);
  expect(await countIn('events_2016_05', own[0] as Event)).toBe(1);
  expect(await countIn('events_2016_06', own[1] as Event)).toBe(1);
  const far = ['1800-01-01T00:00:00Z', '9998-12-31T23:59:59.999Z', '2026-08-10T00:00:00Z'].map(at);
  await service.events.record(far);
  const partitions = await service.months.partitions();
  expect(partitions).toHaveLength(7);
  expect(await countIn('events_other', far[2] as Event)).toBe(1);
  // Three months later the month is made ahead, and what was waiting for it is found as before.
  await service.months.makeAhead(Date.UTC(2026, 7, 1));
  expect(await countIn('events_2026_08', far[2] as Event)).toBe(1);
  expect(await countIn('events_other', far[2] as Event)).toBe(0);
  expect(ids(await service.list(caller({ ownerId })))).toEqual(
    [far[0], ...own, far[2], far[1]].map((event) => event?.eventId),
  );
});

test('replicas that need the same months at the same time agree', async () => {
  const { ownerId } = caller();
  const others = await Promise.all([startService(), startService()]);
  const [first] = others;
  const batch = Array.from({ length: 8 }, (_, n) => recorded({ ownerId, timeMs: Date.UTC(2001, n, 1) }));
  await Promise.all(Array.from({ length: 4 }, () => first?.events.record(batch)));
  expect(await first?.list(caller({ ownerId }))).toHaveLength(8);
  await Promise.all(others.map((other) => other.close()));
});

test('DEBUG events are removed 30 days after they were stored, others stay', async () => {
  const { ownerId } = caller();
  const events = [
    recorded({ ownerId, level: 'DEBUG', timeMs: Date.UTC(2016, 0, 1) }),
    recorded({ ownerId, level: 'INFO', timeMs: Date.UTC(2016, 0, 2) }),
    recorded({ ownerId, level: 'DEBUG', timeMs: NOW }),
  ];
  await service.events.record(events);
  const storedMs = Date.now();
  const deps = { retention: service.retention, debugRetentionDays: 30, daysOf: keptFor(0) };
  await sweep(deps, storedMs + 29 * DAY_MS, running);
  expect(await service.list(caller({ ownerId }))).toHaveLength(3);
  // Two replicas at once: one works, the other leaves the work to it.
  await Promise.all([sweep(deps, storedMs + 31 * DAY_MS, running), sweep(deps, storedMs + 31 * DAY_MS, running)]);
  expect(ids(await service.list(caller({ ownerId })))).toEqual([events[1]?.eventId]);
});

test('events of every level go when their time is over, whatever month they are about; 0 days keep them', async () => {
  const { ownerId } = caller();
  const events = [NOW, NOW - 3_000 * DAY_MS, NOW + 40 * DAY_MS].map((timeMs) => recorded({ ownerId, timeMs }));
  await service.events.record(events);
  const storedMs = Date.now();
  const shown = async () => (await service.list(caller({ ownerId }))).length;
  const sweepAt = (days: number, nowMs: number) =>
    sweep({ retention: service.retention, debugRetentionDays: 30, daysOf: keptFor(days) }, nowMs, running);
  await sweepAt(0, storedMs + 4_000 * DAY_MS);
  await sweepAt(365, storedMs + 364 * DAY_MS);
  expect(await shown()).toBe(3);
  await sweepAt(365, storedMs + 366 * DAY_MS);
  expect(await shown()).toBe(0);
});

test('days of an account overrule those of the installation, both ways', async () => {
  const [short, long, ever, other] = Array.from({ length: 4 }, () => caller());
  const all = [short, long, ever, other].map((account) => account?.ownerId ?? '');
  // More than one statement removes, some in each of several months.
  await service.events.record(
    all.flatMap((ownerId) =>
      Array.from({ length: 3_000 }, (_, n) => recorded({ ownerId, timeMs: NOW - (n % 3) * 40 * DAY_MS })),
    ),
  );
  const storedMs = Date.now();
  const counts = async () => {
    const { rows } = await service.database.query<{ owner_id: string; count: number }>(
      'SELECT owner_id, count(*) FROM events WHERE owner_id = ANY($1) GROUP BY owner_id',
      [all],
    );
    return all.map((ownerId) => rows.find((row) => row.owner_id === ownerId)?.count ?? 0);
  };
  const own = new Map([10, 1_000, 0].map((days, n) => [all[n] ?? '', days]));
  const after = async (days: number) => {
    const daysOf = keptFor(100, own);
    await sweep({ retention: service.retention, debugRetentionDays: 30, daysOf }, storedMs + days * DAY_MS, running);
    return counts();
  };
  expect(await after(9)).toEqual([3_000, 3_000, 3_000, 3_000]);
  expect(await after(11)).toEqual([0, 3_000, 3_000, 3_000]);
  expect(await after(101)).toEqual([0, 3_000, 3_000, 0]);
  expect(await after(1_001)).toEqual([0, 0, 3_000, 0]);
});

test('a sweep that is stopped removes no more, and the next one goes on', async () => {
  const { ownerId } = caller();
  await service.events.record(Array.from({ length: 6_000 }, () => recorded({ ownerId, timeMs: NOW })));
  const stopping = new AbortController();
  const daysOf = async () => {
    stopping.abort();
    return keptFor(10)();
  };
  const deps = { retention: service.retention, debugRetentionDays: 30, daysOf };
  const inAWhile = Date.now() + 11 * DAY_MS;
  expect(await sweep(deps, inAWhile, stopping.signal)).toBe(0);
  expect(await sweep({ ...deps, daysOf: keptFor(10) }, inAWhile, running)).toBeGreaterThanOrEqual(6_000);
});

test('events without a position, as of a restored account, go in their time too', async () => {
  const [restored, other] = [caller().ownerId, caller().ownerId];
  await service.events.record([restored, other].flatMap((ownerId) => [recorded({ ownerId }), recorded({ ownerId })]));
  await service.database.query('UPDATE events SET position = NULL WHERE owner_id = $1', [restored]);
  const storedMs = Date.now();
  const daysOf = keptFor(0, new Map([[restored, 10]]));
  const left = async (days: number) => {
    await sweep({ retention: service.retention, debugRetentionDays: 30, daysOf }, storedMs + days * DAY_MS, running);
    const counted = 'SELECT count(*) AS n FROM events WHERE owner_id = $1';
    const count = async (ownerId: string) =>
      (await service.database.query<{ n: number }>(counted, [ownerId])).rows[0]?.n ?? 0;
    return [await count(restored), await count(other)];
  };
  expect(await left(9)).toEqual([2, 2]);
  expect(await left(11)).toEqual([0, 2]);
});

test('while nodes does not say how long events are kept, DEBUG ones alone are removed', async () => {
  const { ownerId } = caller();
  const events = (['DEBUG', 'INFO'] as const).map((level) => recorded({ ownerId, level }));
  await service.events.record(events);
  const daysOf = () => Promise.reject(new Error('nodes is away'));
  const deps = { retention: service.retention, debugRetentionDays: 30, daysOf };
  await expect(sweep(deps, Date.now() + 4_000 * DAY_MS, running)).rejects.toThrow('nodes is away');
  expect(ids(await service.list(caller({ ownerId })))).toEqual([events[1]?.eventId]);
});
