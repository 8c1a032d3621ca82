// Ratings (docs/reference/processing-and-ratings.md#ratings) through the gateway: chains, recomputation, states of results, refusals.
import { until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
});
afterAll(() => installation?.stop());

const minute = (n: number) => new Date(Date.UTC(2024, 0, 1, 0, n)).toISOString();
const EXAMPLE = [
  {
    startTime: minute(0),
    table: [
      [1.2, 120],
      [0.1, 9.8],
      [0.5, 40],
    ],
  },
  { startTime: minute(30), equationType: 'POLYNOMIAL', coefficients: { A: 1.1, b: 2.5, c: 1.115, d: 4.01, e: 0.85 } },
];
const STATES = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 100, isAlarm: true }];

async function site() {
  const { sourceId } = await api.createSite();
  const create = (cls: string, name: string, more: object = {}) =>
    api.create({ _class: `${MODEL}.point.${cls}`, name, parentId: sourceId, ...more });
  const stage = await create('NumberPoint', 'Stage');
  const flow = await create('NumberRatingPoint', 'Flow', { rating: { inputNodeId: stage._id, ratings: EXAMPLE } });
  return { create, stage: stage._id, flow: flow._id };
}
const write = async (id: string, rows: readonly [number, object | null][]) => {
  const data = rows.map(([n, field]) => ({ ts: minute(n), f: { 0: field } }));
  expect((await api.put(`/nodes/${id}/historic`, { docType: 'jts', data })).status).toBe(202);
};
const valuesOf = async (id: string) => {
  const { data } = (await api.get(`/nodes/${id}/historic?limit=100&endTime=${minute(59)}`)).json;
  return data.map(({ ts, f }: { ts: string; f: Record<string, { v?: number; q?: number }> }) => [ts, f[0]?.v, f[0]?.q]);
};
const isComputed = async (id: string) => (await api.get(`/nodes/${id}/events`)).text.includes('Rating recomputed');
const nodeOf = async (id: string) => (await api.get(`/nodes/${id}`)).json;

test('a write to the input gives records, current value, state and alarm of the rating, and of what follows from it', async () => {
  const { create, stage, flow } = await site();
  await api.put(`/nodes/${flow}`, { states: STATES, multiplier: 2 });
  const load = await create('NumberRatingPoint', 'Load', {
    rating: {
      inputNodeId: flow,
      ratings: [{ startTime: minute(0), equationType: 'POLYNOMIAL', coefficients: { a: 1, b: 1 } }],
    },
  });
  // The first recomputation is over, so that the alarms below come from new records alone.
  for (const id of [flow, load._id]) await until(() => isComputed(id));
  await write(stage, [
    [1, { v: 0.3, q: 192 }],
    [2, { v: 0.05 }],
    [30, { v: 2 }],
  ]);
  await until(async () => {
    expect(await nodeOf(flow)).toMatchObject({ currentValue: expect.closeTo(112.48, 9), currentTime: minute(30) });
    expect((await nodeOf(flow)).alarms.stateAlarm.status.alarmState).toBe('ACTIVE');
    expect((await nodeOf(load._id)).currentValue).toBeCloseTo(113.48, 9);
    return true;
  });
  expect(await valuesOf(flow)).toEqual([
    [minute(1), expect.closeTo(49.8, 9), 192],
    [minute(2), undefined, 155],
    [minute(30), expect.closeTo(112.48, 9), undefined],
  ]);
  const high = (await nodeOf(flow)).states.find(({ name }: { name: string }) => name === 'HIGH');
  expect((await nodeOf(flow)).currentStateId).toBe(high._id);
});

test('deleting from the input takes the results back', async () => {
  const { stage, flow } = await site();
  await write(stage, [
    [1, { v: 0.1 }],
    [2, { v: 1.2 }],
  ]);
  await until(async () => (await nodeOf(flow)).currentValue === 120);
  await write(stage, [[2, null]]);
  await until(async () => (await nodeOf(flow)).currentValue === 9.8);
  expect((await api.delete(`/nodes/${stage}/historic`)).status).toBe(202);
  await until(async () => (await nodeOf(flow)).currentValue == null);
});

test('another rating recomputes everything and says so; none empties the series', async () => {
  const { stage, flow } = await site();
  await write(stage, [
    [1, { v: 0.1 }],
    [2, { v: 1.2 }],
  ]);
  await until(async () => (await nodeOf(flow)).currentValue === 120);
  const ratings = [
    {
      startTime: minute(0),
      table: [
        [0, 0],
        [2, 20],
      ],
    },
  ];
  expect((await api.put(`/nodes/${flow}`, { rating: { inputNodeId: stage, ratings } })).status).toBe(200);
  await until(async () => {
    expect((await valuesOf(flow)).map(([, v]: [string, number]) => v)).toEqual([1, 12]);
    expect((await nodeOf(flow)).currentValue).toBe(12);
    const events = (await api.get(`/nodes/${flow}/events`)).json.map(({ message }: { message: string }) => message);
    expect(events).toContain('Rating recomputed from 2 records');
    expect(events).not.toContain('Deleted historic data');
    return true;
  });
  expect((await api.put(`/nodes/${flow}`, { rating: null })).status).toBe(200);
  await until(async () => {
    expect((await nodeOf(flow)).currentValue ?? null).toBeNull();
    expect(await valuesOf(flow)).toEqual([]);
    return true;
  });
});

test('a cycle, however long, a writer and a wrong input are refused with 400', async () => {
  const { create, stage, flow } = await site();
  const ratings: never[] = [];
  const second = await create('NumberRatingPoint', 'Second', { rating: { inputNodeId: flow, ratings } });
  const text = await create('TextPoint', 'Note');
  const answers = [
    await api.put(`/nodes/${flow}`, { rating: { inputNodeId: second._id, ratings } }),
    await api.put(`/nodes/${flow}`, { rating: { inputNodeId: flow, ratings } }),
    await api.put(`/nodes/${flow}`, { rating: { inputNodeId: text._id, ratings } }),
    await api.put(`/nodes/${flow}/historic/now`, { value: 1 }),
  ];
  expect(answers.map(({ status, json }) => [status, json.error.message])).toEqual([
    [400, expect.stringContaining('rating.inputNodeId')],
    [400, expect.stringContaining('rating.inputNodeId')],
    [400, expect.stringContaining('rating.inputNodeId')],
    [400, expect.stringContaining('rating parameter')],
  ]);
  expect((await nodeOf(flow)).rating.inputNodeId).toBe(stage);
});
