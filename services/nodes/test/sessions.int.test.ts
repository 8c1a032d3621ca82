import { ControlEnded, SourceChanged } from '@catchment/contracts/devices';
import { until } from '@catchment/testkit';
import { decodeDevices } from '../src/values/bus/decode-devices.ts';
import { applyBatches, applyDevices, startReaders } from '../src/values/index.ts';
import { decoded, T } from './applied.ts';
import { type Fixture, openFixture } from './fixture.ts';

const iso = (ms: number) => new Date(ms).toISOString();
let f: Fixture;
beforeAll(async () => {
  f = await openFixture();
});
afterAll(() => f.close());

const changed = (announced: Partial<SourceChanged>) => ({
  subject: 'devices.source.changed.v1',
  data: SourceChanged.encode(SourceChanged.fromPartial(announced)).finish(),
});
const ended = (announced: Partial<ControlEnded>) => ({
  subject: 'devices.control.ended.v1',
  data: ControlEnded.encode(ControlEnded.fromPartial(announced)).finish(),
});
const announce = (...messages: ReturnType<typeof changed>[]) => applyDevices(f, messages.flatMap(decodeDevices));

async function scheduled() {
  const api = await f.account();
  const { source, location } = await f.source(api, { scheduleType: 'SERVER' });
  const of = { ownerId: api.ownerId, sourceId: source._id };
  return { api, source, location, of, show: () => api.get(source._id) };
}

describe('sessions', () => {
  test('show their step, at rest what the configuration says, and nothing older than what was reported', async () => {
    const { api, source, of, show } = await scheduled();
    await announce(changed({ ...of, revision: 2, status: 'CONNECTING', sessionAttempts: 1, lastAttemptMs: T }));
    expect(await show()).toMatchObject({ currentStatus: 'CONNECTING', totalCommsAttempt: 1, lastCommsAttempt: iso(T) });
    await announce(changed({ ...of, revision: 1, status: 'QUEUED' }));
    expect((await show()).currentStatus).toBe('CONNECTING');
    const list = async (filter: string) => (await api.list({ filter, attr: '_id' })).list.map(({ _id }) => _id);
    expect(await list('currentStatus($eq:CONNECTING)')).toEqual([source._id]);
    expect((await api.update(source._id, { isEnabled: false })).currentStatus).toBe('DISABLED');
    expect((await api.update(source._id, { isEnabled: true })).currentStatus).toBe('CONNECTING');
    await announce(changed({ ...of, revision: 3, status: 'REST', sessionAttempts: 1 }));
    expect((await show()).currentStatus).toBe('SCHEDULED');
    expect((await api.update(source._id, { scheduleType: 'NONE' })).currentStatus).toBe('IDLE');
  });

  test('count beside what is pushed; their writes are no pushes', async () => {
    const { source, of, show } = await scheduled();
    const acquisition = { nodeId: source._id, ownerId: of.ownerId, isSource: true, rows: 7, timeMs: T, origin: 'API' };
    const readEdges = async () => new Map();
    const deps = { database: f.database, readEdges, acquisitionEventMs: 0 };
    const acquired = (logSequence: number, inSession: boolean) => {
      const acquisitions = [{ ...acquisition, inSession }] as never;
      return applyBatches(deps, 3, decoded({ partition: 3, logSequence, acquisitions }), new AbortController().signal);
    };
    await acquired(1, false);
    const announced = {
      ...of,
      status: 'REST',
      sessionAttempts: 4,
      sessionSuccesses: 3,
      lastSuccessMs: T + 5,
      lastRecordCount: 2,
    };
    await announce(changed({ ...announced, revision: 7 }));
    await acquired(2, true);
    const counted = { totalCommsAttempt: 5, totalCommsSuccess: 4, lastAcquireRecordCount: 2 };
    expect(await show()).toMatchObject({ ...counted, lastCommsSuccess: iso(T + 5) });
    await announce(changed({ ...announced, revision: 7 }), changed({ ...announced, revision: 6, sessionAttempts: 9 }));
    expect(await show()).toMatchObject(counted);
    await announce(changed({ ...announced, revision: 8, sessionAttempts: 5, lastRecordCount: undefined }));
    expect(await show()).toMatchObject({ ...counted, totalCommsAttempt: 6 });
  });

  test('a file that is written in parts is one push, with one event, reported with its last part', async () => {
    const { source, of, show } = await scheduled();
    const acquisition = {
      nodeId: source._id,
      ownerId: of.ownerId,
      isSource: true,
      fault: '',
      timeMs: T,
      origin: 'a.dat',
    };
    const deps = { database: f.database, readEdges: async () => new Map(), acquisitionEventMs: 60_000 };
    const parts = [
      { rows: 2000, deliveries: 0 },
      { rows: 2000, deliveries: 0 },
      { rows: 4296, parameters: 13 },
    ];
    for (const [n, part] of parts.entries()) {
      const acquisitions = [{ ...acquisition, ...part }] as never;
      const batch = decoded({ partition: 3, logSequence: n + 1, acquisitions });
      await applyBatches(deps, 3, batch, new AbortController().signal);
    }
    expect(await show()).toMatchObject({ totalCommsAttempt: 1, totalCommsSuccess: 1, lastAcquireRecordCount: 4296 });
    const announced = () => f.published.messagesOf(source._id).filter((message) => message.includes('from a.dat'));
    await until(() => announced().length > 0, { what: 'the event is reported' });
    expect(announced()).toEqual(['Processed 4296 records from a.dat [13 parameters updated]']);
  });

  test('show their logger, which filters and sort know', async () => {
    const { api, source, of, show } = await scheduled();
    const logger = { model: 'CR1000', firmwareVersion: '32.05', programName: 'CPU:weir.cr1' };
    await announce(changed({ ...of, revision: 1, status: 'DOWNLOADING', ...logger }));
    const shown = { model: 'CR1000', firmwareVersion: '32.05', progName: 'CPU:weir.cr1' };
    expect(await show()).toMatchObject(shown);
    const found = await api.list({
      filter: 'model($eq:CR1000),progName($match:weir)',
      sort: 'firmwareVersion',
      attr: '_id',
    });
    expect(found.list).toEqual([{ _id: source._id }]);
  });

  test('change lists of the account alone that owns the source', async () => {
    const [{ api, of, show }, other] = [await scheduled(), await f.account()];
    const before = await api.list();
    await announce(changed({ ...of, ownerId: other.ownerId, revision: 9, status: 'FAILED' }));
    expect((await show()).currentStatus).toBe('SCHEDULED');
    expect((await api.list()).revision).toBe(before.revision);
    await announce(changed({ ...of, revision: 1, status: 'FAILED' }));
    expect((await show()).currentStatus).toBe('FAILED');
    expect((await api.list()).revision).not.toBe(before.revision);
  });

  test('come by the bus', async () => {
    const { of, show } = await scheduled();
    const readEdges = async () => new Map();
    const readers = startReaders(f.bus, { database: f.database, readEdges, acquisitionEventMs: 0 });
    const { subject, data } = changed({ ...of, revision: 1, status: 'QUEUED' });
    await f.bus.publish(subject, data, { msgId: 'session-1' });
    await until(async () => (await show()).currentStatus === 'QUEUED');
    await readers.stop();
  });
});

describe('control values', () => {
  async function control(cls = 'point.NumberControlPoint', more: object = {}, source: object = {}) {
    const api = await f.account();
    const made = await f.source(api, source);
    const node = await api.create(cls, 'Gate', made.source._id, { series: 'Public.gate', ...more });
    const announced = () => f.published.controls.filter(({ nodeId }) => nodeId === node._id);
    const set = (controlValue: unknown) => api.update(node._id, { controlValue });
    return { api, node, set, announced, source: made.source, show: () => api.get(node._id) };
  }
  const refused = (rule: string) => ({
    kind: 'invalid_argument',
    message: expect.stringMatching(new RegExp(`^controlValue: .*${rule}`)),
  });
  const waits = (announced: () => unknown[], count: number) => until(() => announced().length === count);

  test('wait, are shown and reported, until they are sent; a newer one stays', async () => {
    const { api, node, set, announced, source, show } = await control();
    expect(await show()).not.toHaveProperty('controlValue');
    expect((await set(4.5)).controlValue).toBe(4.5);
    await waits(announced, 1);
    const [first] = announced();
    expect(first).toMatchObject({
      ownerId: api.ownerId,
      sourceId: source._id,
      value: '4.5',
      series: 'Public.gate',
      name: 'Gate',
      family: 'NUMBER',
      username: api.caller.username,
    });
    await until(() => f.published.messagesOf(node._id).includes("Control 'Gate' set to 4.5"));
    expect(f.published.events.find(({ message }) => message.startsWith("Control 'Gate'"))?.eventType).toBe('CONTROL');
    expect((await api.list({ filter: 'controlValue($gt:Number(4))', attr: '_id' })).list).toEqual([{ _id: node._id }]);
    await set(5);
    await waits(announced, 2);
    const second = announced()[1]!;
    expect(second.revision).toBeGreaterThan(first!.revision);
    await announce(ended({ ownerId: api.ownerId, nodeId: node._id, revision: first!.revision }));
    expect((await show()).controlValue).toBe(5);
    const other = await f.account();
    await announce(ended({ ownerId: other.ownerId, nodeId: node._id, revision: second.revision }));
    expect((await show()).controlValue).toBe(5);
    await announce(ended({ ownerId: api.ownerId, nodeId: node._id, revision: second.revision }));
    expect(await show()).not.toHaveProperty('controlValue');
  });

  test('are taken back by null, which is reported where one waits', async () => {
    const { set, announced, show } = await control();
    await set(null);
    await set(1);
    await set(null);
    expect(await show()).not.toHaveProperty('controlValue');
    await waits(announced, 2);
    expect(announced().map(({ value }) => value)).toEqual(['1', '']);
    expect(announced()[1]!.revision).toBeGreaterThan(announced()[0]!.revision);
  });

  test('are numbers as they are shown, sent as the logger has them', async () => {
    const { set, announced } = await control('point.NumberControlPoint', { multiplier: 2, offset: 10 });
    expect((await set(14)).controlValue).toBe(14);
    await waits(announced, 1);
    expect(announced()[0]!.value).toBe('2');
    await expect(set('14')).rejects.toMatchObject(refused('must be a number'));
    await expect(set(true)).rejects.toMatchObject(refused('must be a number'));
    const { set: squared } = await control('point.NumberControlPoint', { equation: 'x^2' });
    await expect(squared(4)).rejects.toMatchObject(refused('equation'));
  });

  test('keep within a range, or the states by threshold or name', async () => {
    const range = { controlValueRestriction: 'RANGE', controlValueMinimum: 0, controlValueMaximum: 10 };
    const ranged = await control('point.NumberControlPoint', range);
    await expect(ranged.set(10.1)).rejects.toMatchObject(refused('must be from 0 to 10'));
    expect((await ranged.set(10)).controlValue).toBe(10);
    const states = [{ name: 'NORMAL' }, { name: 'OPEN', threshold: 7 }];
    const stated = await control('point.NumberControlPoint', { states, controlValueRestriction: 'STATES' });
    expect((await stated.set('OPEN')).controlValue).toBe(7);
    expect((await stated.set(7)).controlValue).toBe(7);
    for (const wrong of [8, 'SHUT', 'NORMAL'])
      await expect(stated.set(wrong)).rejects.toMatchObject(refused('a state'));
  });

  test('of texts and times have their own types', async () => {
    const text = await control('point.TextControlPoint');
    expect((await text.set('up\n')).controlValue).toBe('up\n');
    await expect(text.set(1)).rejects.toMatchObject(refused('must be a text'));
    const time = await control('point.TimeControlPoint');
    expect((await time.set({ $time: iso(T) })).controlValue).toBe(iso(T));
    await waits(time.announced, 1);
    expect(time.announced()[0]).toMatchObject({ value: String(T), family: 'TIME' });
    await expect(time.set('soon')).rejects.toMatchObject(refused('must be a time'));
  });

  test('are refused by disabled sources, as texts by PakBus loggers, in templates and for new nodes', async () => {
    const { api, set, source } = await control();
    await api.update(source._id, { isEnabled: false });
    await expect(set(1)).rejects.toMatchObject(refused('disabled'));
    const location = await api.create('location.Location', 'Weir', String(source.workspaceId));
    const logger = await api.create('source.data.CampbellPakBus', 'CR6', location._id);
    const text = await api.create('point.TextControlPoint', 'T', logger._id);
    await expect(api.update(text._id, { controlValue: 'x' })).rejects.toMatchObject(refused('PakBus'));
    await expect(api.create('point.NumberControlPoint', 'N', logger._id, { controlValue: 1 })).rejects.toMatchObject(
      refused('once the parameter is there'),
    );
    const templates = await api.create('Templates', 'Templates');
    const template = await api.create('location.Location', 'Station', templates._id);
    const own = await api.create('source.data.Jts', 'Logger', template._id);
    const point = await api.create('point.NumberControlPoint', 'N', own._id);
    await expect(api.update(point._id, { controlValue: 1 })).rejects.toMatchObject(refused('template'));
  });

  test('need the permission CONTROL and no other', async () => {
    const { api, node } = await control();
    const user = (...permissions: string[]) =>
      f.as({
        ...api.caller,
        rights: { grants: [{ permissions: ['VIEW', ...permissions], workspaceIds: [String(node.workspaceId)] }] },
      });
    const [may, mayNot] = [await user('CONTROL'), await user('EDIT_ALARMS')];
    expect((await may.update(node._id, { controlValue: 3 })).controlValue).toBe(3);
    await expect(mayNot.update(node._id, { controlValue: 4 })).rejects.toMatchObject({ kind: 'permission_denied' });
    await expect(mayNot.update(node._id, { controlValue: null })).rejects.toMatchObject({ kind: 'permission_denied' });
    await expect(may.update(node._id, { controlValue: 4, name: 'N' })).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    expect((await api.get(node._id)).controlValue).toBe(3);
  });
});
