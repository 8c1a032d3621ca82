import { until } from '@catchment/testkit';
import { type Api, jts, MODEL } from './src/api.ts';
import { pixelsOfColour, verticesOf } from './src/chart-reading.ts';
import { type Installation, startInstallation } from './src/installation.ts';
import { statesKnown } from './src/states-known.ts';

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
});
afterAll(() => installation?.stop());

const hour = (n: number) => new Date(Date.UTC(2024, 4, 1, n)).toISOString();

test('one reading travels all the way: source, parameter, record, current value, state, event, chart', async () => {
  const { sourceId, workspaceId } = await api.createSite();
  const values = Array.from({ length: 48 }, (_, n) => Math.round(1000 * (5 + 4 * Math.sin(n / 6))) / 1000);

  const written = await api.put(`/nodes/${sourceId}/historic`, jts(['Water level'], [[hour(0), values[0]]], 'm'));
  expect([written.status, written.json]).toEqual([
    202,
    {
      status: { code: 202, message: 'Operation accepted but not yet complete' },
      write: expect.stringMatching(/^[\w-]+$/),
    },
  ]);

  const created = (await api.get('/nodes')).json.filter((node: { parentId?: string }) => node.parentId === sourceId);
  expect(created).toEqual([
    expect.objectContaining({ _class: `${MODEL}.point.NumberPoint`, name: 'Water level', units: 'm', workspaceId }),
  ]);
  const id = created[0]._id as string;

  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 8, isAlarm: true }];
  const updated = await api.put(`/nodes/${id}`, { statesType: 'RANGE', states });
  expect(updated.status).toBe(200);
  const highId = updated.json.states.find((state: { name: string }) => state.name === 'HIGH')._id;

  await statesKnown(api);
  const rows = values.slice(1).map((v, n): [string, number] => [hour(n + 1), v]);
  expect(
    (await api.put(`/nodes/${sourceId}/historic?notifyOn=ALL_NEWER`, jts(['Water level'], rows, 'm'))).status,
  ).toBe(202);

  const document = await until(async () => {
    const answer = await api.get(`/nodes/${id}/historic?startTime=${hour(0)}&endTime=${hour(47)}`);
    return answer.json.data.length === 48 && answer.json;
  });
  expect(document.data.map((row: { f: { 0: { v: number } } }) => row.f[0].v)).toEqual(values);
  expect(document.header).toMatchObject({ recordCount: 48, columns: { 0: { id, name: 'Water level', units: 'm' } } });

  const firstHigh = values.findIndex((v) => v >= 8);
  const events = await until(async () => {
    const list = (await api.get(`/nodes/${id}/events?sort=eventTime(ASC)`)).json;
    const stateEvents = list.filter((event: { eventType: string }) => event.eventType === 'STATE');
    return stateEvents.length >= 3 && stateEvents;
  });
  expect(events[0]).toMatchObject({
    message: 'State changed from NORMAL to HIGH',
    eventTime: hour(firstHigh),
    alarmState: 'ACTIVE',
    level: 'INFO',
    nodeId: id,
  });

  const last = values.at(-1);
  expect(last).toBeGreaterThan(8);
  // The value and its state come to the node from two services, in either order.
  await until(async () => {
    const { json } = await api.get(`/nodes/${id}`);
    return json.currentTime === hour(47) && json.currentStateId === highId && json.previousValue === values.at(-2);
  });
  expect((await api.get(`/nodes/${id}`)).json).toMatchObject({
    currentValue: last,
    previousValue: values.at(-2),
    oldestValue: values[0],
    oldestTime: hour(0),
  });

  const range = `startTime=${hour(0)}&endTime=${hour(47)}`;
  const svg = await api.get(`/nodes/${id}/historic/chart?format=SVG&${range}`);
  expect([svg.status, svg.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  const vertices = verticesOf(svg.text, 48);
  const scale = scaleThrough(
    values,
    vertices.map(({ y }) => y),
  );
  for (const [n, v] of values.entries()) expect(Math.abs((vertices[n]?.y ?? 0) - scale(v))).toBeLessThan(1);
  const timeScale = scaleThrough(
    values.map((_, n) => n),
    vertices.map(({ x }) => x),
  );
  for (const [n] of values.entries()) expect(Math.abs((vertices[n]?.x ?? 0) - timeScale(n))).toBeLessThan(1);

  const png = await api.get(`/nodes/${id}/historic/chart?${range}`);
  expect([png.status, png.headers.get('content-type')]).toEqual([200, 'image/png']);
  const [xs, ys] = [vertices.map(({ x }) => x), vertices.map(({ y }) => y)];
  const plot = {
    x: Math.min(...xs),
    y: Math.min(...ys),
    width: Math.max(...xs) - Math.min(...xs),
    height: Math.max(...ys) - Math.min(...ys),
  };
  expect(await pixelsOfColour(png.bytes, '#2f7ed8', plot)).toBeGreaterThan(500);
});

test.each<[string, object, number[], number, string | null, string]>([
  ['held by hysteresis', { hysteresis: 3 }, [12, 8], 8.5, 'HIGH', 'ACTIVE'],
  ['not yet accepted', { occurrences: 3 }, [5, 50], 60, 'NORMAL', 'CLEARED'],
  ['none, of DISCRETE', { occurrences: 3, statesType: 'DISCRETE' }, [1, 10], 10 + 1e-9, null, 'CLEARED'],
])(
  'a state that is %s is shown so once the current record is corrected; then occurrences are changed by id',
  async (_what, {
    occurrences = 1,
    statesType = 'RANGE',
    hysteresis,
  }: {
    occurrences?: number;
    statesType?: string;
    hysteresis?: number;
  }, values, corrected, name, alarmState) => {
    const { sourceId } = await api.createSite();
    const high = { name: 'HIGH', threshold: 10, isAlarm: true, occurrences };
    const _class = `${MODEL}.point.NumberPoint`;
    const made = statesType === 'RANGE' ? [{ name: 'NORMAL' }, high] : [high];
    const given = { _class, name: 'L', parentId: sourceId, statesType, hysteresis, states: made };
    const { _id: id } = await api.create(given);
    const node = async () => (await api.get(`/nodes/${id}`)).json;
    const shown = async () => {
      const { currentValue, currentStateId, states, alarms } = await node();
      const current = states.find((state: { _id: string }) => state._id === currentStateId);
      return JSON.stringify([currentValue, current?.name ?? null, alarms.stateAlarm.status.alarmState]);
    };
    const write = async (n: number, v: number) => {
      const sent = await api.put(`/nodes/${sourceId}/historic?notifyOn=ALL_NEWER`, jts(['L'], [[hour(n), v]]));
      expect(sent.status).toBe(202);
    };
    for (const [n, value] of values.entries()) await write(n, value);
    await until(async () => {
      expect(await shown()).toBe(JSON.stringify([values.at(-1), name, alarmState]));
      return true;
    });
    await write(1, corrected);
    await until(async () => (await node()).currentValue === corrected);
    expect(await shown()).toBe(JSON.stringify([corrected, name, alarmState]));
    const _id = (await node()).states.find((state: { name: string }) => state.name === 'HIGH')._id;
    expect((await api.put(`/nodes/${id}`, { states: [{ _id, occurrences: occurrences === 1 ? 3 : 1 }] })).status).toBe(
      200,
    );
    const other = occurrences === 1 ? ['NORMAL', 'CLEARED'] : ['HIGH', 'ACTIVE'];
    await until(async () => {
      expect(await shown()).toBe(JSON.stringify([corrected, ...other]));
      return true;
    });
  },
);

test('an alarm is acknowledged and cleared by hand', async () => {
  const { sourceId } = await api.createSite();
  const point = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Pressure',
    parentId: sourceId,
    states: [{ name: 'LOW', threshold: 1, isAlarm: true }, { name: 'NORMAL' }],
  });
  const alarm = async () => (await api.get(`/nodes/${point._id}`)).json.alarms.stateAlarm.status;
  expect((await alarm()).alarmState).toBe('CLEARED');
  expect((await api.put(`/nodes/${point._id}/historic/now`, { value: 0.5 })).status).toBe(202);
  await until(async () => (await alarm()).alarmState === 'ACTIVE');
  expect((await api.post(`/nodes/${point._id}/alarms/acknowledge`, { comment: 'on my way' })).status).toBe(202);
  await until(async () => (await alarm()).alarmState === 'ACKNOWLEDGED');
  expect(await alarm()).toMatchObject({
    acknowledgeComment: 'on my way',
    acknowledgeUsername: expect.stringContaining('@'),
  });
  expect((await api.post(`/nodes/${point._id}/alarms/clear`)).status).toBe(202);
  await until(async () => (await alarm()).alarmState === 'CLEARED');
  // Two services report them, each in its own time.
  await until(async () => {
    const list = (await api.get(`/nodes/${point._id}/events`)).json.map((event: { message: string }) => event.message);
    expect(list).toEqual(
      expect.arrayContaining([
        "Created node 'Pressure'",
        'State changed from NORMAL to LOW',
        "Acknowledged alarm 'STATE' with comment 'on my way'",
        "Cleared alarm 'STATE'",
      ]),
    );
    return true;
  });
});

test('records, current values and alarm of a parameter are gone after DELETE historic', async () => {
  const { sourceId } = await api.createSite();
  await api.put(
    `/nodes/${sourceId}/historic`,
    jts(
      ['a'],
      [
        [hour(0), 1],
        [hour(1), 2],
      ],
    ),
  );
  const [point] = (await api.get('/nodes')).json.filter((node: { parentId?: string }) => node.parentId === sourceId);
  await until(async () => (await api.get(`/nodes/${point._id}`)).json.currentValue === 2);
  expect((await api.delete(`/nodes/${point._id}/historic`)).status).toBe(202);
  await until(async () => (await api.get(`/nodes/${point._id}`)).json.currentValue === undefined);
  expect((await api.get(`/nodes/${point._id}/historic?limit=10`)).json.data).toEqual([]);
  await until(async () =>
    (await api.get(`/nodes/${point._id}/events`)).json.some(
      (event: { message: string }) => event.message === 'Deleted historic data',
    ),
  );
});

test('nothing of a deleted workspace is found afterwards, and its names are free again', async () => {
  const name = `Gone ${Date.now()}`;
  const { workspaceId, sourceId } = await api.createSite(name);
  await api.put(`/nodes/${sourceId}/historic`, jts(['a'], [[hour(0), 1]]));
  const deleted = await api.delete(`/nodes/${workspaceId}`);
  expect([deleted.status, deleted.json]).toEqual([200, { status: { code: 200, message: 'Success' } }]);
  expect((await api.get(`/nodes/${sourceId}`)).status).toBe(404);
  // Other services know of it within a second (docs/reference/guarantees.md#when-changes-take-effect).
  await until(async () => (await api.put(`/nodes/${sourceId}/historic`, jts(['a'], [[hour(1), 1]]))).status === 404, {
    what: 'writes to the deleted source are refused',
  });
  expect((await api.delete(`/nodes/${workspaceId}`)).status).toBe(404);
  expect(
    (await api.get('/nodes')).json.filter((node: { workspaceId?: string }) => node.workspaceId === workspaceId),
  ).toEqual([]);
  await api.createSite(name);
});

/** Returns the straight line through the smallest and the largest value and their pixels. */
function scaleThrough(values: readonly number[], pixels: readonly number[]): (value: number) => number {
  const low = values.indexOf(Math.min(...values));
  const high = values.indexOf(Math.max(...values));
  const [v0 = 0, v1 = 1, p0 = 0, p1 = 0] = [values[low], values[high], pixels[low], pixels[high]];
  return (value) => p0 + ((value - v0) / (v1 - v0)) * (p1 - p0);
}
