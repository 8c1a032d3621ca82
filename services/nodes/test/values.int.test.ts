import { DeadLetters } from '@catchment/bus';
import { AlarmChanged, StateChanged } from '@catchment/contracts/alarms';
import { AppliedGroup, type BatchApplied } from '@catchment/contracts/ingest';
import { DomainError, unavailable } from '@catchment/errors';
import { until } from '@catchment/testkit';
import type { Edges } from '../src/shown/index.ts';
import { decodeAlarms } from '../src/values/bus/decode-alarms.ts';
import {
  type ApplyDeps,
  applyAlarms,
  applyBatches,
  closeEndedWindows,
  showAwaited,
  startReaders,
} from '../src/values/index.ts';
import { dataTimes } from '../src/views/store/source-data-query.ts';
import { decoded, number, T, text, written } from './applied.ts';
import { type Fixture, openFixture } from './fixture.ts';

const iso = (ms: number) => new Date(ms).toISOString();
const WINDOW_MS = 60_000;
let f: Fixture;
let deps: ApplyDeps;
/** The record store's answers. */
const store = new Map<string, Edges>();
beforeAll(async () => {
  f = await openFixture();
  const readEdges = async (_ownerId: string, ids: readonly string[]) =>
    new Map(ids.flatMap((id) => (store.has(id) ? [[id, store.get(id)!] as const] : [])));
  deps = { database: f.database, readEdges, acquisitionEventMs: WINDOW_MS };
});
afterAll(() => f.close());

let sequence = 0;
const batchOf = (part: object, logSequence = ++sequence) => decoded({ partition: 0, logSequence, ...part });
const apply = (part: object, logSequence?: number) =>
  applyBatches(deps, 0, batchOf(part, logSequence), new AbortController().signal);

async function point(cls = 'point.NumberPoint', more: object = {}) {
  const api = await f.account();
  const { source, location } = await f.source(api);
  const node = cls === 'location.Location' ? location : await api.create(cls, 'P', source._id, more);
  return { api, source, node, ownerId: api.ownerId, show: () => api.get(node._id) };
}

test('a write gives current, previous and oldest, transformed when read', async () => {
  const { api, node, ownerId, show } = await point('point.NumberPoint', { multiplier: 2, offset: 1 });
  await apply(written(node._id, ownerId, number(T + 30, 3, 7), number(T + 20, 2), number(T, 1)));
  const expected = {
    currentValue: 7,
    rawValue: 3,
    currentTime: iso(T + 30),
    currentQuality: 7,
    previousValue: 5,
    previousTime: iso(T + 20),
    oldestValue: 3,
    oldestTime: iso(T),
    updatedTime: iso(T + 1_000),
  };
  expect(await show()).toMatchObject(expected);
  expect(await api.update(node._id, { multiplier: 10, offset: null })).toMatchObject({
    currentValue: 30,
    previousValue: 20,
    rawValue: 3,
  });
  const { list } = await api.list({ filter: 'currentValue($eq:Number(30))', attr: '_id,currentValue' });
  expect(list).toEqual([{ _id: node._id, currentValue: 30 }]);
});

test('an equation takes the place of multiplier and offset, which stay stored', async () => {
  const { api, node, ownerId, show } = await point('point.NumberPoint', { multiplier: 2, equation: '4 - x^2' });
  await apply(written(node._id, ownerId, number(T + 30, 3), number(T + 20, 2), number(T, 0)));
  const shown = { currentValue: -5, rawValue: 3, previousValue: 0, oldestValue: 4, multiplier: 2, equation: '4 - x^2' };
  expect(await show()).toMatchObject(shown);
  expect(await api.update(node._id, { equation: '1/(x-3)' })).toMatchObject({ rawValue: 3, previousValue: -1 });
  expect((await show()).currentValue ?? null).toBeNull();
  expect(await api.update(node._id, { equation: null })).toMatchObject({ currentValue: 6, previousValue: 4 });
  const { list } = await api.list({ filter: 'equation($eq:null)', attr: '_id' });
  expect(list).toContainEqual({ _id: node._id });
});

test.each([
  ['point.TextPoint', { $case: 'text', value: 'rain' }, 'rain'],
  ['point.TimePoint', { $case: 'timeMs', value: T }, iso(T)],
  ['location.Location', { $case: 'coordinates', value: { latitude: 1.5, longitude: -2 } }, [1.5, -2]],
] as const)('the value of a %s', async (cls, value, shown) => {
  const { api, node, ownerId, show } = await point(cls);
  const find = async (filter: string) => (await api.list({ filter: `_id($eq:${node._id}),${filter}` })).list.length;
  expect(await find('currentValue($eq:null)')).toBe(1);
  await apply(written(node._id, ownerId, { timestampMs: T, value }));
  expect(await show()).toMatchObject({ currentValue: shown, oldestValue: shown, currentTime: iso(T) });
  expect(await show()).not.toHaveProperty('rawValue');
  expect(await find('currentValue($ne:null)')).toBe(1);
  expect(await find('currentValue($eq:null)')).toBe(0);
  expect(await find('currentValue($ne:Number(1.5))')).toBe(1);
  expect(await find('currentValue($lt:Number(5))')).toBe(0);
});

test('a message that comes twice, or one that was passed, changes nothing, counters included', async () => {
  const { api, source, node, ownerId } = await point();
  const part = {
    ...written(node._id, ownerId, number(T, 1)),
    acquisitions: [
      { nodeId: source._id, ownerId, isSource: true, rows: 5, parameters: 1, timeMs: T, username: 'jo', origin: 'API' },
    ],
  };
  const at = ++sequence;
  await apply(part, at);
  const before = await api.get(source._id);
  expect(before).toMatchObject({
    totalCommsAttempt: 1,
    totalCommsSuccess: 1,
    lastAcquireRecordCount: 5,
    lastCommsSuccess: iso(T),
  });
  await Promise.all([apply(part, at), apply(part, at - 1)]);
  expect(await api.get(source._id)).toEqual(before);
  expect((await api.get(node._id)).currentValue).toBe(1);
});

test('two replicas that apply one message at once apply it once', async () => {
  const { api, source, ownerId } = await point();
  const acquisitions = [
    { nodeId: source._id, ownerId, isSource: true, rows: 1, parameters: 1, timeMs: T, username: 'jo' },
  ];
  const at = ++sequence;
  await Promise.all(Array.from({ length: 6 }, () => apply({ acquisitions }, at)));
  expect((await api.get(source._id)).totalCommsAttempt).toBe(1);
});

test('where values may have gone, the store of records is asked', async () => {
  const { node, ownerId, show } = await point();
  await apply(written(node._id, ownerId, number(T + 10, 2), number(T, 1)));
  store.set(node._id, {
    current: { ms: T, value: 1, quality: null },
    previous: null,
    oldest: { ms: T, value: 1, quality: null },
  });
  await apply({ series: [{ nodeId: node._id, ownerId, modifiedMs: T + 5_000, recompute: true }] });
  const shown = await show();
  expect(shown).toMatchObject({ currentValue: 1, currentTime: iso(T), updatedTime: iso(T + 5_000) });
  expect(shown).not.toHaveProperty('previousValue');
});

test('where values may have gone and the message says what is there, nobody is asked', async () => {
  const { node, ownerId, show } = await point();
  await apply(written(node._id, ownerId, number(T + 10, 2), number(T, 1)));
  const away = { ...deps, readEdges: () => Promise.reject(unavailable('PEER_UNAVAILABLE')) };
  const edges = { nodeId: node._id, newest: [number(T + 5, 3)], oldest: number(T + 5, 3) };
  const batch = batchOf({ series: [{ nodeId: node._id, ownerId, modifiedMs: T, recompute: true, edges }] });
  await applyBatches(away, 0, batch, new AbortController().signal);
  const shown = await show();
  expect(shown).toMatchObject({ currentValue: 3, currentTime: iso(T + 5), oldestTime: iso(T + 5) });
  expect(shown).not.toHaveProperty('previousValue');
});

describe('while the store of records is away', () => {
  const away = { readEdges: () => Promise.reject(unavailable('PEER_UNAVAILABLE')) };
  const edge = (ms: number, value: number) => ({ ms, value, quality: null });
  const due = () => f.database.query('UPDATE awaited_values SET next_at = now()');
  const { signal } = new AbortController();
  const show = async (readEdges = deps.readEdges) => {
    await due();
    await showAwaited({ ...deps, readEdges }, signal);
  };
  const recomputed = ({ node, ownerId }: Awaited<ReturnType<typeof point>>) => ({
    series: [{ nodeId: node._id, ownerId, modifiedMs: T + 5_000, recompute: true }],
  });
  const others = ({ node, ownerId }: Awaited<ReturnType<typeof point>>) => written(node._id, ownerId, number(T, 8));

  test('values that only it knows wait for it, those of other series do not, and what was applied is applied once', async () => {
    const [waiting, going] = [await point(), await point()];
    await apply(written(waiting.node._id, waiting.ownerId, number(T, 1)));
    const batch = [...batchOf(recomputed(waiting)), ...batchOf(others(going))];
    await applyBatches({ ...deps, ...away }, 0, batch, signal);
    expect((await going.show()).currentValue).toBe(8);
    expect((await waiting.show()).currentValue).toBe(1);
    await show(away.readEdges);
    store.set(waiting.node._id, { current: edge(T - 5, 4), previous: null, oldest: edge(T - 5, 4) });
    await applyBatches(deps, 0, batch, signal);
    expect((await waiting.show()).currentValue).toBe(1);
    await show();
    expect(await waiting.show()).toMatchObject({ currentValue: 4, updatedTime: iso(T + 5_000) });
    store.set(waiting.node._id, { current: edge(T - 5, 5), previous: null, oldest: edge(T - 5, 5) });
    await show();
    expect((await waiting.show()).currentValue).toBe(4);
  });

  test('the stores of other nodes of an account are asked all the same', async () => {
    const waiting = await point();
    const { node, ownerId } = waiting;
    const there = await waiting.api.create('point.NumberPoint', 'Q', waiting.source._id);
    const both = [node._id, there._id].map((nodeId) => ({ nodeId, ownerId, modifiedMs: T, recompute: true }));
    await applyBatches({ ...deps, ...away }, 0, batchOf({ series: both }), signal);
    store.set(there._id, { current: edge(T, 6), previous: null, oldest: null });
    await show(async (_owner, ids, ...rest) =>
      ids.includes(node._id) ? away.readEdges() : deps.readEdges(_owner, ids, ...rest),
    );
    expect((await waiting.api.get(there._id)).currentValue).toBe(6);
    expect(await waiting.show()).not.toHaveProperty('currentValue');
  });

  test.each([
    [
      'what is written',
      (series: Awaited<ReturnType<typeof point>>) => apply(written(series.node._id, series.ownerId, number(T + 9, 9))),
    ],
    [
      'what waits',
      (series: Awaited<ReturnType<typeof point>>) =>
        applyBatches({ ...deps, ...away }, 0, batchOf(recomputed(series)), signal),
    ],
  ])('an answer from before %s meanwhile is none', async (_what, meanwhile) => {
    const waiting = await point();
    await applyBatches({ ...deps, ...away }, 0, batchOf(recomputed(waiting)), signal);
    await show(async () => {
      await meanwhile(waiting);
      return new Map([[waiting.node._id, { current: edge(T, 3), previous: null, oldest: null }]]);
    });
    expect((await waiting.show()).currentValue).not.toBe(3);
    store.set(waiting.node._id, { current: edge(T + 9, 9), previous: edge(T, 3), oldest: edge(T, 3) });
    await show();
    expect(await waiting.show()).toMatchObject({ currentValue: 9, previousValue: 3 });
  });
});

test('messages that come again among others count once', async () => {
  const { source, ownerId, show, node } = await point();
  const acquired = (value: number) => ({
    partition: 0,
    logSequence: ++sequence,
    ...written(node._id, ownerId, number(T + sequence, value)),
    acquisitions: [
      { nodeId: source._id, ownerId, isSource: true, rows: 1, parameters: 1, timeMs: T, username: 'jo', origin: 'API' },
    ],
  });
  const [first, second, third] = [acquired(1), acquired(2), acquired(3)] as unknown as Partial<BatchApplied>[];
  const { signal } = new AbortController();
  for (const group of [[first, second], [first], [second, third], [first, second, third]])
    await applyBatches(deps, 0, decoded(...group.filter((batch) => batch !== undefined)), signal);
  expect(await show()).toMatchObject({ currentValue: 3, previousValue: 2 });
  const { rows } = await f.database.query('SELECT total_attempts FROM node_values WHERE node_id = $1', [source._id]);
  expect(rows).toEqual([{ total_attempts: 3 }]);
});

test('work that took too long is not committed', async () => {
  const { node, ownerId, show } = await point();
  const batch = batchOf(written(node._id, ownerId, number(T, 1)));
  await expect(applyBatches(deps, 0, batch, AbortSignal.abort())).rejects.toThrow();
  expect(await show()).not.toHaveProperty('currentValue');
  await applyBatches(deps, 0, batch, new AbortController().signal);
  expect((await show()).currentValue).toBe(1);
});

test('deleted historic data leaves no values and one event by its user', async () => {
  const { node, ownerId, show } = await point();
  await apply(written(node._id, ownerId, number(T, 1)));
  await apply({ seriesDeletes: [{ nodeId: node._id, ownerId, timeMs: T + 9_000, username: 'ann@example.org' }] });
  const shown = await show();
  for (const name of ['currentValue', 'currentTime', 'currentStateId', 'oldestValue', 'rawValue'])
    expect(shown).not.toHaveProperty(name);
  expect(shown.updatedTime).toBe(iso(T + 9_000));
  const event = await until(() =>
    f.published.events.find((event) => event.nodeId === node._id && event.message === 'Deleted historic data'),
  );
  expect(event).toMatchObject({
    level: 'INFO',
    eventType: 'CONFIGURATION',
    username: 'ann@example.org',
    timeMs: T + 9_000,
    nodeClass: 'point.NumberPoint',
  });
});

test('a column that failed leaves an ERROR event by its user, once, and no value', async () => {
  const { node, ownerId, show } = await point();
  const failure = { nodeId: node._id, ownerId, timeMs: T + 5, username: 'ann@example.org' };
  const part = { columnFailures: [{ ...failure, message: 'Merge failed: existing records' }] };
  const at = ++sequence;
  await apply(part, at);
  await apply(part, at);
  const mine = () => f.published.events.filter((event) => event.nodeId === node._id && event.level === 'ERROR');
  await until(() => mine().length > 0);
  // Later messages have been published too, so a second one would be here.
  await apply({ columnFailures: [{ ...failure, message: 'Insert failed: existing records' }] });
  await until(() => mine().some((event) => event.message.startsWith('Insert')));
  expect(mine()).toMatchObject([
    { eventType: 'ACQUISITION', message: 'Merge failed: existing records', username: 'ann@example.org', timeMs: T + 5 },
    { eventType: 'ACQUISITION', message: 'Insert failed: existing records', nodeClass: 'point.NumberPoint' },
  ]);
  expect(await show()).not.toHaveProperty('currentValue');
});

test('acquisitions that come fast are summed up, even over a restart', async () => {
  const { source, ownerId } = await point();
  const acquired = (timeMs: number, rows: number) => ({
    acquisitions: [
      { nodeId: source._id, ownerId, isSource: true, rows, parameters: 2, timeMs, username: 'jo', origin: 'API' },
    ],
  });
  const start = f.clock.nowMs;
  await apply(acquired(start, 1));
  await apply(acquired(start + 10, 2));
  await apply(acquired(start + 20, 4));
  const messages = () => f.published.messagesOf(source._id).filter((message) => message.startsWith('Processed'));
  await until(() => messages().length === 1);
  await closeEndedWindows({ database: f.database, now: () => start + WINDOW_MS - 1 });
  const closing = { database: f.database, now: () => start + WINDOW_MS };
  await Promise.all([closeEndedWindows(closing), closeEndedWindows(closing)]);
  await until(() => messages().length === 2);
  expect(messages()).toEqual([
    'Processed 1 records from API [2 parameters updated]',
    'Processed 6 records from API [2 parameters updated]',
  ]);
  expect(f.published.events.filter((event) => event.nodeId === source._id).at(-1)).toMatchObject({
    level: 'DEBUG',
    eventType: 'ACQUISITION',
    timeMs: start + WINDOW_MS,
  });
  expect((await f.database.query('SELECT 1 FROM acquisition_windows WHERE node_id = $1', [source._id])).rowCount).toBe(
    0,
  );
});

test('what concerns deleted nodes is passed over', async () => {
  const { api, node, source, ownerId } = await point();
  await api.remove(source._id);
  const acquisition = {
    nodeId: source._id,
    ownerId,
    isSource: true,
    rows: 1,
    parameters: 1,
    timeMs: T,
    username: 'jo',
  };
  await apply({
    ...written(node._id, ownerId, number(T, 1)),
    acquisitions: [acquisition],
    seriesDeletes: [{ nodeId: source._id, ownerId, timeMs: T, username: 'jo' }],
  });
  await say([state(node._id, ownerId, 'a'.repeat(24), 1)]);
  await expect(api.get(node._id)).rejects.toMatchObject({ kind: 'not_found' });
});

/** The alarms service says so. */
const say = (messages: readonly ReturnType<typeof state>[]) => applyAlarms(deps, messages.flatMap(decodeAlarms));
const state = (nodeId: string, ownerId: string, stateId: string, revision: number, timeMs?: number) => ({
  subject: 'alarms.state.changed.v1',
  data: StateChanged.encode({ nodeId, ownerId, stateId, revision, timeMs }).finish(),
});
const alarm = (nodeId: string, ownerId: string, revision: number, change: Partial<AlarmChanged>) => ({
  subject: 'alarms.alarm.changed.v1',
  data: AlarmChanged.encode(
    AlarmChanged.fromPartial({ nodeId, ownerId, revision, alarmType: 'stateAlarm', ...change }),
  ).finish(),
});

test('states: previous and oldest are matched, the current one is what the alarms service says', async () => {
  const { api, node, ownerId, show } = await point();
  const made = await api.update(node._id, {
    states: [{ name: 'LOW', threshold: 1 }, { name: 'NORMAL' }, { name: 'HIGH', threshold: 5 }],
  });
  const [low, normal, high] = (made.states as { _id: string }[]).map(({ _id }) => _id);
  await apply(written(node._id, ownerId, number(T + 2, 6), number(T + 1, 3), number(T, 0)));
  expect(await show()).toMatchObject({ currentStateId: high, previousStateId: normal, oldestStateId: low });
  await say([state(node._id, ownerId, normal!, 5)]);
  expect((await show()).currentStateId).toBe(normal);
  await say([state(node._id, ownerId, low!, 4)]);
  expect((await show()).currentStateId).toBe(normal);
  await api.update(node._id, { states: null });
  const { states, currentStateId } = (await show()) as unknown as { states: { _id: string }[]; currentStateId: string };
  expect(currentStateId).toBe(states[0]!._id);
});

/**
 * Reports of alarms are about the series: alarms judges a corrected record too, and reports what becomes another state.
 */
test('what alarms has said last holds when the current record is gone or has another value, whatever comes first', async () => {
  const { api, node, ownerId, show } = await point();
  const made = await api.update(node._id, {
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5 }, { name: 'TOP', threshold: 9 }],
  });
  const [normal, high, top] = (made.states as { _id: string }[]).map(({ _id }) => _id);
  const expectState = async (stateId: string | undefined) => {
    expect((await show()).currentStateId).toBe(stateId);
    expect((await api.list({ filter: `currentStateId($eq:${stateId})` })).list).toMatchObject([{ _id: node._id }]);
  };
  await apply(written(node._id, ownerId, number(T + 20, 8), number(T + 10, 6), number(T, 1)));
  await say([state(node._id, ownerId, top!, 1, T + 20)]);
  // Held by hysteresis: alarms has nothing to report of this correction.
  await apply(written(node._id, ownerId, number(T + 20, 8.5)));
  await expectState(top);
  // The report of the next one comes before its value.
  await say([state(node._id, ownerId, normal!, 2, T + 20)]);
  await apply(written(node._id, ownerId, number(T + 20, 6)));
  await expectState(normal);
  store.set(node._id, {
    current: { ms: T, value: 1, quality: null },
    previous: null,
    oldest: { ms: T, value: 1, quality: null },
  });
  await say([state(node._id, ownerId, high!, 3, T + 20)]);
  await apply({ series: [{ nodeId: node._id, ownerId, modifiedMs: T, recompute: true }] });
  await expectState(high);
});

test('alarm status follows the alarms service, older messages change nothing', async () => {
  const { api, node, ownerId, show } = await point();
  const raised = alarm(node._id, ownerId, 2, { alarmState: 'ACTIVE', message: 'too high', activeTimeMs: T });
  await say([raised, alarm(node._id, ownerId, 3, { alarmType: 'qualityAlarm', alarmState: 'ACTIVE' })]);
  await say([alarm(node._id, ownerId, 1, { alarmState: 'CLEARED' })]);
  expect((await show()).alarms).toMatchObject({
    stateAlarm: { status: { alarmState: 'ACTIVE', message: 'too high', activeTime: iso(T) } },
    qualityAlarm: { status: { alarmState: 'ACTIVE' } },
  });
  expect((await api.list({ filter: 'alarms.stateAlarm.status.alarmState($eq:ACTIVE)' })).list).toHaveLength(1);
  await say([raised, alarm(node._id, ownerId, 4, { alarmState: 'CLEARED' })]);
  expect((await show()).alarms).toMatchObject({
    stateAlarm: { status: { alarmState: 'CLEARED' } },
    qualityAlarm: { status: { alarmState: 'ACTIVE' } },
  });
});

test('a source shows how fresh its data are, and the list a new revision', async () => {
  const { api, node, source, ownerId } = await point();
  const before = (await api.list()).revision;
  await apply(written(node._id, ownerId, number(T, 1)));
  expect((await api.get(source._id)).alarms).toMatchObject({ outdatedAlarm: { status: { dataTime: iso(T) } } });
  expect((await api.list()).revision).not.toBe(before);
});

test('how fresh a source is follows what its plain, active parameters bring, and the newest file', async () => {
  const { api, node, source, ownerId } = await point();
  const more = await Promise.all(
    ['point.TextPoint', 'point.NumberControlPoint', 'point.NumberProcessPoint', 'point.NumberRatingPoint'].map(
      (cls, n) => api.create(cls, `P${n}`, source._id),
    ),
  );
  const referenceOf = async (id: string) => (await dataTimes(f.database, [id])).map(({ referenceMs }) => referenceMs);
  expect(await referenceOf(source._id)).toEqual([Date.parse(String(source.createdTime))]);
  await apply(written(node._id, ownerId, number(T, 1)));
  for (const [n, { _id }] of more.entries()) await apply(written(_id, ownerId, number(T + n + 1, 1)));
  expect(await referenceOf(source._id)).toEqual([T + 1]);
  await api.update(source._id, { alarms: { outdatedAlarm: { config: { latestData: 'OLDEST' } } } });
  expect(await referenceOf(source._id)).toEqual([T]);
  await f.database.query('UPDATE nodes SET is_active = false WHERE node_id = $1', [node._id]);
  expect(await referenceOf(source._id)).toEqual([T + 1]);
  const files = await api.create('source.attachment.AttachmentSource', 'Camera', String(source.parentId));
  const file = await api.upload(files._id, Buffer.from('bytes'), 'a.jpg');
  expect(await referenceOf(files._id)).toEqual([Date.parse(String(file.createdTime))]);
  expect(await dataTimes(f.database, [node._id, ownerId])).toEqual([]);
  await f.owners.updateAccount({ account: ownerId, status: 'DISABLED' }, f.service);
  expect(await referenceOf(source._id)).toEqual([]);
});

test('the readers follow the bus, partition by partition, and stop', async () => {
  const { node, ownerId, show } = await point();
  const readers = startReaders(f.bus, deps);
  for (const [logSequence, value] of [
    [1, 10],
    [2, 20],
  ] as const) {
    const applied = { partition: 1, logSequence, ...written(node._id, ownerId, number(T + logSequence, value)) };
    const data = AppliedGroup.encode(AppliedGroup.fromPartial({ batches: [applied] })).finish();
    await f.bus.publish('applied.1', data, { msgId: `applied-1-${logSequence}` });
  }
  const raised = alarm(node._id, ownerId, 9, { alarmState: 'ACTIVE' });
  await f.bus.publish(raised.subject, raised.data, { msgId: `alarm-${node._id}` });
  await until(async () => {
    expect(await show()).toMatchObject({
      currentValue: 20,
      previousValue: 10,
      alarms: { stateAlarm: { status: { alarmState: 'ACTIVE' } } },
    });
    return true;
  });
  const mine = async () => Object.entries(await f.bus.lag('APPLIED')).filter(([name]) => name.startsWith('nodes-'));
  await until(async () => (await mine()).every(([, lag]) => lag === 0));
  await readers.stop();
});

test('a dead letter that is tried again later leaves what the store has now, and counts once', async () => {
  const { api, source, node, ownerId, show } = await point();
  let isFaulty = true;
  const readEdges: ApplyDeps['readEdges'] = async (...call) => {
    if (isFaulty) throw new DomainError('invalid_argument', 'INVALID_ARGUMENT', 'edges: cannot be read');
    return deps.readEdges(...call);
  };
  const letters = await DeadLetters.open({ url: f.nats.url, prefix: f.nats.prefix, name: 'test' });
  const readers = startReaders(f.bus, { ...deps, readEdges });
  const publish = async (logSequence: number, part: object) => {
    const batches = [{ partition: 0, logSequence: 1_000_000 + logSequence, ...part }];
    const data = AppliedGroup.encode(AppliedGroup.fromPartial({ batches })).finish();
    await f.bus.publish('applied.0', data, { msgId: `late-${logSequence}` });
  };
  const acquisition = {
    nodeId: source._id,
    ownerId,
    isSource: true,
    rows: 1,
    parameters: 1,
    timeMs: T,
    username: 'jo',
  };
  const recomputed = { nodeId: node._id, ownerId, modifiedMs: T, recompute: true };
  await publish(1, { series: [recomputed], acquisitions: [acquisition] });
  await publish(2, { ...written(node._id, ownerId, number(T + 20, 2)), acquisitions: [acquisition] });
  await until(async () => (await show()).currentValue === 2);
  const [letter] = await Array.fromAsync(letters.list());
  if (!letter) throw new Error('there is no dead letter');
  expect(letter).toMatchObject({ reader: 'nodes-0', subject: 'applied.0' });
  // The dead letter has only what the message says of the series.
  expect((await api.get(source._id)).totalCommsAttempt).toBe(2);

  isFaulty = false;
  const edge = (ms: number, value: number) => ({ ms, value, quality: null });
  store.set(node._id, { current: edge(T + 20, 2), previous: edge(T + 10, 1), oldest: edge(T + 10, 1) });
  const outcome = await letters.outcome(letter, await letters.retry(letter.number), 10_000);
  expect(outcome).toEqual({ kind: 'handled' });
  expect(await show()).toMatchObject({ currentValue: 2, previousValue: 1, oldestValue: 1 });
  expect((await api.get(source._id)).totalCommsAttempt).toBe(2);
  await publish(3, written(node._id, ownerId, number(T + 30, 3)));
  await until(async () => (await show()).currentValue === 3);
  await readers.stop();
  await letters.close();
});

describe('what PostgreSQL refuses for its content', () => {
  /** Its column is an int. */
  const evil = (nodeId: string, ownerId: string) => written(nodeId, ownerId, number(T + 10, 1, 3_000_000_000));

  test('is distinguished from an outage by its code', async () => {
    const { node, ownerId } = await point();
    await expect(apply(evil(node._id, ownerId), 3_000_000)).rejects.toMatchObject({
      kind: 'invalid_argument',
      reason: 'CONTENT_REFUSED',
      cause: { code: '22003' },
    });
  });

  test('is one dead letter of its account; all others of its message, and those behind it, have their values', async () => {
    const [bad, beside, behind] = [await point(), await point('point.TextPoint'), await point()];
    const own = await bad.api.create('point.NumberPoint', 'Q', bad.source._id);
    await using letters = await openLetters();
    await publish(
      1,
      ...written(beside.node._id, beside.ownerId, text(T, 'rain')).series,
      ...evil(bad.node._id, bad.ownerId).series,
      ...written(own._id, bad.ownerId, number(T, 4)).series,
    );
    await publish(2, ...written(behind.node._id, behind.ownerId, number(T, 5)).series);
    const readers = startReaders(f.bus, deps);
    await until(async () => (await behind.show()).currentValue === 5);
    expect((await beside.show()).currentValue).toBe('rain');
    expect((await bad.api.get(own._id)).currentValue).toBe(4);
    const found = await letters.news();
    expect(found).toMatchObject([{ reader: 'nodes-1', reason: `${bad.node._id}: CONTENT_REFUSED` }]);
    const { data } = await letters.all.get(found[0]?.number ?? 0);
    const said = AppliedGroup.decode(data).batches.flatMap(({ series }) => series.map(({ nodeId }) => nodeId));
    expect(said).toEqual([bad.node._id]);
    await readers.stop();
  });

  test('a text that was stored before it was refused is shown with U+FFFD', async () => {
    const { node, ownerId, show } = await point('point.TextPoint');
    await apply(written(node._id, ownerId, text(T, 'x\0y')), 3_000_001);
    expect((await show()).currentValue).toBe('x\ufffdy');
  });

  async function publish(logSequence: number, ...series: ReturnType<typeof written>['series']): Promise<void> {
    const batches = [{ partition: 1, logSequence: 2_000_000 + logSequence, series }];
    const data = AppliedGroup.encode(AppliedGroup.fromPartial({ batches })).finish();
    await f.bus.publish('applied.1', data, { msgId: `evil-${logSequence}` });
  }

  /** Collects dead letters from now on. */
  async function openLetters() {
    const all = await DeadLetters.open({ url: f.nats.url, prefix: f.nats.prefix, name: 'test' });
    const before = (await Array.fromAsync(all.list())).at(-1)?.number ?? 0;
    return {
      all,
      news: () => Array.fromAsync(all.list(before)),
      [Symbol.asyncDispose]: () => all.close(),
    };
  }
});
