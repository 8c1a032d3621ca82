import type { ServerResponse } from 'node:http';
import type { ApiCaller } from '@catchment/access';
import { AccountChanged } from '@catchment/contracts/nodes-messages';
import { newObjectId } from '@catchment/ids';
import { until } from '@catchment/testkit';
import { vi } from 'vitest';
import type { Event } from '../src/domain/event.ts';
import { PgWebhookQueue } from '../src/webhooks/index.ts';
import { caller, recorded, type Service, startService } from './fixture.ts';
import { isSignedWith, startReceiver, startReplica } from './webhook-fixture.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let service: Service;
let clock: { nowMs: number };
let replica: Awaited<ReturnType<typeof startReplica>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let jo: ApiCaller;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

beforeEach(async () => {
  clock = { nowMs: Date.UTC(2026, 4, 15, 12) };
  jo = caller({ permission: 'MODIFY' });
  [replica, receiver] = await Promise.all([startReplica(service, clock), startReceiver()]);
});
afterEach(async () => {
  await replica.close();
  await receiver.close();
  await service.database.query('DELETE FROM webhooks');
});

const hook = (more: object = {}) => replica.create(jo, { name: 'Pager', url: receiver.url, ...more });
const happened = (more: Partial<Event> = {}) => recorded({ ownerId: jo.ownerId, timeMs: clock.nowMs, ...more });
const record = async (...events: Event[]) => {
  await service.events.record(events);
  replica.wake();
};
const pass = (ms: number) => {
  clock.nowMs += ms;
  replica.wake();
};
const sentIds = () => receiver.received.flatMap(({ events }) => events.map(({ id }) => id));
const received = (count: number) => until(() => receiver.received.length >= count);
const statuses = async (id: string) => (await replica.deliveries(jo, id)).map(({ status }) => status);
const warnings = async () =>
  (await service.list(jo)).filter(({ level }) => level === 'WARNING').map(({ message }) => message);

test('events are sent in batches of CloudEvents that the library of the convention verifies', async () => {
  const { _id: id, secret } = await hook();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const [first, second] = [happened(), happened({ workspaceId: '', nodeId: '', nodeClass: '', eventType: 'SECURITY' })];
  await record(first, second);
  await received(1);
  const [delivery] = receiver.received;
  if (!delivery) throw new Error('none');
  expect(delivery.headers['content-type']).toBe('application/cloudevents-batch+json; charset=utf-8');
  // The event about the webhook itself was recorded before it.
  expect(sentIds()).toEqual([first.eventId, second.eventId]);
  expect(delivery.events[0]).toMatchObject({ specversion: '1.0', source: `/owners/${jo.ownerId}`, id: first.eventId });
  expect(delivery.events[0]?.data).toEqual((await service.list(jo, { filter: `_id($eq:${first.eventId})` }))[0]);
  expect(isSignedWith(secret, delivery, clock.nowMs)).toBe(true);
  expect(isSignedWith(secret, { ...delivery, text: `${delivery.text} ` }, clock.nowMs)).toBe(false);
  await until(async () => (await statuses(id))[0] === 'DELIVERED');
  expect(await replica.deliveries(jo, id)).toEqual([
    {
      _id: delivery.id,
      kind: 'EVENTS',
      status: 'DELIVERED',
      eventCount: 2,
      createdTime: '2026-05-15T12:00:00.000Z',
      tries: [{ time: '2026-05-15T12:00:00.000Z', durationMs: expect.any(Number), statusCode: 204 }],
    },
  ]);
});

test('a filter chooses the events, and nothing of another account is sent', async () => {
  const station = happened().nodeId;
  await replica.close();
  const names = vi.fn(async () => new Map([['station', station]]));
  replica = await startReplica(service, clock, { nodes: names });
  await hook({ filter: 'level($eq:ERROR)|nodeId($eq:@station)' });
  const wanted = [happened({ level: 'ERROR' }), happened({ nodeId: station })];
  await record(happened(), ...wanted, recorded({ ownerId: caller().ownerId, level: 'ERROR' }));
  await received(1);
  expect(sentIds()).toEqual(wanted.map(({ eventId }) => eventId));
  expect(names).toHaveBeenCalledWith(jo.ownerId, ['station']);
});

test('events wait while the nodes that a filter names cannot be looked up', async () => {
  await replica.close();
  const names = vi.fn(async () => new Map<string, string>()).mockRejectedValueOnce(new Error('away'));
  replica = await startReplica(service, clock, { nodes: names });
  await hook({ filter: 'level($eq:ERROR)|nodeId($eq:@station)' });
  const event = happened({ level: 'ERROR' });
  await record(event);
  const paused = 'SELECT FROM webhooks WHERE paused_until_ms > $1';
  await until(async () => (await service.database.query(paused, [clock.nowMs])).rowCount === 1);
  expect(names).toHaveBeenCalledTimes(1);
  pass(59_000);
  await expect(until(() => names.mock.calls.length > 1, { deadlineMs: 100 })).rejects.toThrow();
  pass(2_000);
  await received(1);
  expect(sentIds()).toEqual([event.eventId]);
});

test('many events come in order, at most 100 at a time, by however many replicas', async () => {
  const other = await startReplica(service, clock);
  await hook();
  const events = Array.from({ length: 250 }, () => happened());
  await record(...events.slice(0, 120));
  await record(...events.slice(120));
  other.wake();
  await until(() => sentIds().length >= 250);
  await other.close();
  expect(sentIds()).toEqual(events.map(({ eventId }) => eventId));
  expect(receiver.received.every(({ events: batch }) => batch.length <= 100)).toBe(true);
});

test('a failed delivery is tried again after 1, 5 and 30 minutes under the same id; later events wait, then come in order', async () => {
  const { _id: id, secret } = await hook();
  receiver.answer = (response) => void response.writeHead(500).end('down');
  const [first, second] = [happened(), happened()];
  await record(first);
  await received(1);
  await record(second);
  for (const [n, wait] of [1, 5, 30].entries()) {
    pass((await tookMs(id, n + 1)) + wait * MINUTE - 1_000);
    await expect(until(() => receiver.received.length > n + 1, { deadlineMs: 100 })).rejects.toThrow();
    if (n === 2) receiver.answer = (response) => void response.writeHead(200).end('thanks');
    pass(2_000);
    await received(n + 2);
  }
  await received(5);
  expect(sentIds()).toEqual([...Array(4).fill(first.eventId), second.eventId]);
  expect(new Set(receiver.received.slice(0, 4).map((delivery) => delivery.id)).size).toBe(1);
  expect(isSignedWith(secret, receiver.received[3] as never, clock.nowMs)).toBe(true);
  await until(async () => (await statuses(id)).join() === 'DELIVERED,DELIVERED');
  expect((await replica.deliveries(jo, id))[1]?.tries.map(({ statusCode, error }) => [statusCode, error])).toEqual([
    ...Array(3).fill([500, 'answered 500']),
    [200, undefined],
  ]);
  expect(await replica.get(jo, id)).toMatchObject({ failures: 0, enabled: true, eventsWait: false });
});

/** Returns how long the newest of so many tries has taken, by the clock of the machine: the wait for the next one begins after it. */
async function tookMs(id: string, count: number): Promise<number> {
  const tries = await until(async () => {
    const [newest] = await replica.deliveries(jo, id);
    return newest?.tries.length === count && newest.tries;
  });
  return Number(tries.at(-1)?.durationMs);
}

/** Lets all four tries of the delivery in hand fail. */
async function failDelivery(id: string): Promise<void> {
  const before = receiver.received.length;
  for (const [n, wait] of [1, 5, 30, 0].entries()) {
    await received(before + n + 1);
    pass((await tookMs(id, n + 1)) + wait * MINUTE + 1_000);
  }
}

test('a delivery that was given up lets the next ones go on, and is sent again by hand under the same id', async () => {
  const { _id: id } = await hook();
  receiver.answer = (response) => void response.writeHead(503).end();
  const lost = happened();
  await record(lost);
  await failDelivery(id);
  expect(await statuses(id)).toEqual(['FAILED']);
  expect(await replica.deliveries(jo, id, { status: 'FAILED' })).toHaveLength(1);
  expect(await replica.deliveries(jo, id, { status: 'DELIVERED' })).toEqual([]);
  expect(await replica.get(jo, id)).toMatchObject({ failures: 1, lastTry: { statusCode: 503, error: 'answered 503' } });
  receiver.answer = (response) => void response.writeHead(200).end();
  const next = happened();
  await record(next);
  await received(5);
  const [delivery] = receiver.received;
  expect(await replica.redeliver(jo, id, delivery?.id ?? '')).toMatchObject({ status: 'PENDING' });
  await received(6);
  expect([sentIds().at(-1), receiver.received[5]?.id]).toEqual([lost.eventId, delivery?.id]);
  await until(async () => (await statuses(id)).join() === 'DELIVERED,DELIVERED');
});

test('a redelivery by hand does not wait for another one that does, fails once, and is not counted', async () => {
  const { _id: id } = await hook();
  await record(happened());
  await received(1);
  await until(async () => (await statuses(id))[0] === 'DELIVERED');
  receiver.answer = (response) => void response.writeHead(500).end();
  await record(happened());
  await received(2);
  await until(async () => (await replica.deliveries(jo, id))[0]?.tries.length === 1);
  await replica.redeliver(jo, id, receiver.received[0]?.id ?? '');
  await received(3);
  await until(async () => (await statuses(id)).join() === 'PENDING,FAILED');
  expect(await replica.get(jo, id)).toMatchObject({ failures: 0 });
  // A delivery that waits for its next try makes the try at once.
  receiver.answer = (response) => void response.writeHead(200).end();
  await replica.redeliver(jo, id, receiver.received[1]?.id ?? '');
  await until(async () => (await statuses(id)).join() === 'DELIVERED,FAILED');
});

test('a process that dies between the answer and its note of it: the same delivery again, under the same id, and no other', async () => {
  const { _id: id } = await hook();
  const died = Promise.withResolvers<void>();
  const recording = vi.spyOn(PgWebhookQueue.prototype, 'record').mockImplementationOnce(() => died.promise);
  const event = happened();
  await record(event);
  await received(1);
  await until(() => recording.mock.calls.length === 1);
  clock.nowMs += 29_000;
  replica.wake();
  await expect(until(() => receiver.received.length > 1, { deadlineMs: 100 })).rejects.toThrow();
  clock.nowMs += 2_000;
  replica.wake();
  await received(2);
  await until(async () => (await statuses(id)).join() === 'DELIVERED');
  expect(receiver.received.map((delivery) => delivery.id)).toEqual(Array(2).fill(receiver.received[0]?.id));
  expect(sentIds()).toEqual([event.eventId, event.eventId]);
  // A late answer of the first replica changes nothing.
  died.reject(new Error('it lives again'));
  await until(async () => (await replica.deliveries(jo, id))[0]?.tries.length === 1);
  recording.mockRestore();
});

test('a replica that stops breaks off what it sends; the next one sends it under the same id', async () => {
  const { _id: id } = await hook();
  receiver.answer = () => undefined;
  await record(happened());
  await received(1);
  await replica.close();
  receiver.answer = (response) => void response.writeHead(200).end();
  replica = await startReplica(service, clock);
  await received(2);
  expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id);
  await until(async () => (await replica.deliveries(jo, id))[0]?.tries.length === 1);
});

test('410 Gone disables the webhook at once, and an event says so', async () => {
  const { _id: id } = await hook();
  receiver.answer = (response) => void response.writeHead(410).end();
  await record(happened());
  await until(async () => (await replica.get(jo, id)).enabled === false);
  expect(await replica.get(jo, id)).toMatchObject({ disabledReason: 'GONE', lastTry: { statusCode: 410 } });
  expect(await statuses(id)).toEqual(['FAILED']);
  expect(await warnings()).toEqual(["Webhook 'Pager' disabled: the receiver has answered 410 Gone"]);
});

test('20 deliveries given up in a row disable the webhook; enabled again it goes on where it stopped, or from now', async () => {
  const { _id: id } = await hook();
  receiver.answer = (response) => void response.writeHead(500).end();
  await service.database.query('UPDATE webhooks SET failures = 19');
  await record(happened());
  await failDelivery(id);
  expect(await replica.get(jo, id)).toMatchObject({ enabled: false, disabledReason: 'FAILURES', failures: 20 });
  expect(await warnings()).toEqual(["Webhook 'Pager' disabled: too many deliveries in a row have failed"]);
  const missed = happened();
  await record(missed);
  expect(await replica.get(jo, id)).toMatchObject({ eventsWait: true });
  receiver.answer = (response) => void response.writeHead(200).end();
  const enabled = await replica.update(jo, id, { enabled: true });
  expect(enabled).toMatchObject({ enabled: true, failures: 0 });
  expect(enabled.disabledReason).toBeUndefined();
  await until(() => sentIds().includes(missed.eventId));

  await replica.update(jo, id, { enabled: false });
  const left = happened();
  await record(left);
  await replica.update(jo, id, { enabled: true, skipWaiting: true });
  const next = happened();
  await record(next);
  await until(() => sentIds().includes(next.eventId));
  expect(sentIds()).not.toContain(left.eventId);
});

test('a secret is shown when it is made only; after a change both sign for a day', async () => {
  const { _id: id, secret } = await hook();
  const { secret: second, previousSecretUntil } = await replica.rotate(jo, id);
  expect(previousSecretUntil).toBe('2026-05-16T12:00:00.000Z');
  expect(JSON.stringify([await replica.list(jo), await replica.get(jo, id)])).not.toContain('whsec_');
  const signatures = async () => {
    const { _id: testId } = await replica.test(jo, id);
    const test = await until(() => receiver.received.find((delivery) => delivery.id === testId));
    return [secret, second].map((webhookSecret) => isSignedWith(webhookSecret, test, clock.nowMs));
  };
  expect(await signatures()).toEqual([true, true]);
  pass(24 * HOUR + 1);
  expect(await signatures()).toEqual([false, true]);
});

test('a test is sent to a disabled webhook too, and events are not', async () => {
  const { _id: id } = await hook({ enabled: false });
  await record(happened());
  expect(await replica.test(jo, id)).toMatchObject({ kind: 'TEST', status: 'PENDING', eventCount: 1 });
  await received(1);
  expect(receiver.received[0]?.events).toMatchObject([{ type: 'io.catchment.webhook.tested.v1' }]);
  await until(async () => (await statuses(id)).join() === 'DELIVERED');
});

test('deliveries by hand that wait are bounded', async () => {
  const { _id: id } = await hook();
  receiver.answer = () => undefined;
  for (let n = 0; n < 10; n += 1) await replica.test(jo, id);
  await expect(replica.test(jo, id)).rejects.toMatchObject({ reason: 'TOO_MANY_DELIVERIES' });
});

test('another account has none of it, and a key below ACCOUNT or without MODIFY may not', async () => {
  const { _id: id } = await hook();
  await record(happened());
  await received(1);
  const stranger = caller({ permission: 'MODIFY' });
  expect(await replica.list(stranger)).toEqual([]);
  const deliveryId = receiver.received[0]?.id ?? '';
  const notFound = { kind: 'not_found' };
  await expect(replica.get(stranger, id)).rejects.toMatchObject(notFound);
  await expect(replica.update(stranger, id, { name: 'Taken' })).rejects.toMatchObject(notFound);
  await expect(replica.remove(stranger, id)).rejects.toMatchObject(notFound);
  await expect(replica.rotate(stranger, id)).rejects.toMatchObject(notFound);
  await expect(replica.deliveries(stranger, id)).rejects.toMatchObject(notFound);
  await expect(replica.redeliver(stranger, id, deliveryId)).rejects.toMatchObject(notFound);
  await expect(replica.test(stranger, id)).rejects.toMatchObject(notFound);
  // A webhook of the stranger does not reach the delivery either.
  const own = await replica.create(stranger, { name: 'Own', url: receiver.url });
  await expect(replica.redeliver(stranger, own._id, deliveryId)).rejects.toMatchObject(notFound);
  const denied = { kind: 'permission_denied' };
  const reader = { ...jo, permission: 'READ_ONLY' as const };
  expect(await replica.list(reader)).toHaveLength(1);
  await expect(replica.create(reader, { name: 'No', url: receiver.url })).rejects.toMatchObject(denied);
  await expect(replica.list({ ...jo, accessLevel: 'WORKSPACES' })).rejects.toMatchObject(denied);
});

test('a webhook is changed and deleted for a revision of its settings, which deliveries do not change', async () => {
  const { _id: id, revision } = await hook();
  const overtaken = { kind: 'changed', reason: 'REVISION_CHANGED', revision };
  for (const body of [{ name: 'Siren' }, { name: 5 }])
    await expect(replica.update(jo, id, body, { revisions: [0] })).rejects.toMatchObject(overtaken);
  await expect(replica.remove(jo, id, { revisions: [0] })).rejects.toMatchObject(overtaken);
  await record(happened());
  await received(1);
  await until(async () => (await replica.get(jo, id)).lastTry !== undefined);
  const present = { revisions: [Number(revision)] };
  const ended = await Promise.allSettled(['Siren', 'Horn'].map((name) => replica.update(jo, id, { name }, present)));
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const stranger = caller({ permission: 'MODIFY' });
  await expect(replica.update(stranger, id, {}, { revisions: [0] })).rejects.toMatchObject({ kind: 'not_found' });
  const weak = { ...jo, permission: 'READ_ONLY' as const };
  await expect(replica.update(weak, id, {}, { revisions: [0] })).rejects.toMatchObject({ kind: 'permission_denied' });
  await replica.remove(jo, id, { revisions: [Number((await replica.get(jo, id)).revision)] });
});

test('changes are reported in the log of the account, and an account has at most 20 webhooks', async () => {
  const { _id: id } = await hook();
  await replica.update(jo, id, { name: 'Siren' });
  await replica.rotate(jo, id);
  await replica.remove(jo, id);
  expect((await service.list(jo)).map(({ message, username, eventType }) => [message, username, eventType])).toEqual(
    [
      "Created webhook 'Pager'",
      "Changed webhook 'Siren'",
      "Changed the secret of webhook 'Siren'",
      "Deleted webhook 'Siren'",
    ].map((message) => [message, jo.username, 'SECURITY']),
  );
  await expect(replica.get(jo, id)).rejects.toMatchObject({ kind: 'not_found' });
  const made = await Promise.allSettled(Array.from({ length: 22 }, () => hook()));
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
  await expect(hook()).rejects.toThrow('at most 20 webhooks');
});

test('a body that is no object is refused before the webhook is looked for', async () => {
  await expect(replica.update(jo, newObjectId(), [])).rejects.toThrow('body: must be a JSON object');
  await expect(replica.update(jo, newObjectId(), { name: '' })).rejects.toMatchObject({ kind: 'not_found' });
});

test('the filter is checked when it is set', async () => {
  await expect(hook({ filter: 'eventTime($gt:2024-01-01T00:00:00Z)' })).rejects.toThrow('filter');
  await expect(hook({ filter: 'level($gt:' })).rejects.toThrow('filter');
});

test('receivers of one account that hang leave room for others', async () => {
  const hanging: ServerResponse[] = [];
  receiver.answer = (response, { path }) => {
    if (path === '/hook?quick') response.writeHead(200).end();
    else hanging.push(response);
  };
  for (let n = 0; n < 6; n += 1) await hook({ name: `Slow ${n}` });
  await record(happened());
  await received(4);
  const other = caller({ permission: 'MODIFY' });
  await replica.create(other, { name: 'Quick', url: `${receiver.url}?quick` });
  await service.events.record([recorded({ ownerId: other.ownerId })]);
  replica.wake();
  await until(() => receiver.received.some(({ path }) => path === '/hook?quick'));
  expect(receiver.received.filter(({ path }) => path === '/hook')).toHaveLength(4);
  for (const response of hanging.splice(0)) response.writeHead(200).end();
  await until(() => receiver.received.filter(({ path }) => path === '/hook').length === 6);
});

test('deliveries go after 30 days, and the newest thousand stay at most; those that wait stay', async () => {
  const { _id: id } = await hook();
  await record(happened());
  await received(1);
  await until(async () => (await statuses(id))[0] === 'DELIVERED');
  await service.database.query(
    `INSERT INTO webhook_deliveries (delivery_id, webhook_id, owner_id, kind, body, event_count, created_ms, status, is_by_hand)
     SELECT 'old-' || n, $1, $2, 'EVENTS', '[]', 1, $3, 'DELIVERED', false FROM generate_series(1, 1100) n`,
    [id, jo.ownerId, clock.nowMs],
  );
  await record(happened());
  await received(2);
  await until(async () =>
    (await replica.deliveries(jo, id, { limit: '1000' })).every((delivery) => delivery.status === 'DELIVERED'),
  );
  const { rows } = await service.database.query<{ count: number }>('SELECT count(*) FROM webhook_deliveries');
  expect(rows[0]?.count).toBe(1_000);
  receiver.answer = (response) => void response.writeHead(500).end();
  await record(happened());
  await received(3);
  const queue = new PgWebhookQueue(service.database, service.events);
  await queue.purge(clock.nowMs + 1);
  await until(async () => (await statuses(id)).join() === 'PENDING');
});

test('a disabled account sends nothing until it is enabled again; the webhooks of a deleted one go', async () => {
  const { _id: id } = await hook();
  const say = async (status: string) => {
    const message = AccountChanged.encode({ ownerId: jo.ownerId, status }).finish();
    await service.bus.publish('nodes.account.changed.v1', message, { msgId: newObjectId() });
  };
  const isActive = async () =>
    (await service.database.query<{ is_account_active: boolean }>('SELECT is_account_active FROM webhooks')).rows[0]
      ?.is_account_active;
  await say('DISABLED');
  await until(async () => (await isActive()) === false);
  await record(happened());
  await replica.test(jo, id);
  await expect(until(() => receiver.received.length > 0, { deadlineMs: 300 })).rejects.toThrow();
  await say('ACTIVE');
  await until(async () => (await isActive()) === true);
  replica.wake();
  await received(2);
  await say('DELETED');
  await until(async () => (await replica.list(jo)).length === 0);
});
