// Programs run on real data, and chains of them while processes die (docs/reference/processing-and-ratings.md).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { amount, until } from '@catchment/testkit';
import { type Api, MODEL } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowInstallation } from './src/lent-installation.ts';

const COMPUTED = { everyMs: 250 };
const KILLED = (['processing', 'historic', 'nats', 'processing', 'alarms'] as const).slice(0, amount(1, 5));

let installation: Installation;
let api: Api;

beforeAll(async () => {
  installation = await borrowInstallation('messages');
  api = installation.api;
});
afterAll(() => installation?.stop());

const nodeOf = async (id: string) => (await api.get(`/nodes/${id}`)).json;
/** Reads values by time; a chart's worth at a time would do, a year fits into one answer. */
async function valuesOf(id: string): Promise<Map<string, number>> {
  const { data } = (
    await api.get(`/nodes/${id}/historic?startTime=2013-01-01T00:00:00Z&endTime=2030-01-01T00:00:00Z&renderFormat=`)
  ).json;
  return new Map(data.map(({ ts, f }: { ts: string; f: Record<string, { v: number }> }) => [ts, f[0]?.v]));
}
const messagesOf = async (id: string): Promise<string[]> =>
  (await api.get(`/nodes/${id}/events?limit=1000`)).json.map(({ message }: { message: string }) => message);
async function write(id: string, rows: readonly (readonly [time: string, value: number | null])[]): Promise<void> {
  const data = rows.map(([ts, v]) => ({ ts, f: { 0: v === null ? null : { v } } }));
  // A gateway or broker that was killed is tried again: the same records twice are the same records.
  const put = () => api.put(`/nodes/${id}/historic`, { docType: 'jts', data }).catch(() => undefined);
  await until(async () => (await put())?.status === 202, { what: '202' });
}

describe('dew point of a year at JFK airport', () => {
  const PROGRAM = [
    '// Magnus formula with the coefficients of Alduchov and Eskridge (1996)',
    "var t = NUMBER('Temperature'), humidity = NUMBER('Humidity');",
    'var gamma = Math.log(humidity / 100) + (17.625 * t) / (243.04 + t);',
    'return (243.04 * gamma) / (17.625 - gamma);',
  ].join('\n');
  /** Returns the saturation vapour pressure of the air, made smaller by its humidity, turned into the temperature that has it. */
  function dewPoint(celsius: number, humidity: number): number {
    const pressure = (humidity / 100) * 6.1094 * Math.exp((17.625 * celsius) / (celsius + 243.04));
    const ratio = Math.log(pressure / 6.1094);
    return (243.04 * ratio) / (17.625 - ratio);
  }
  const celsiusOf = (fahrenheit: number) => ((fahrenheit - 32) * 5) / 9;

  /** Fahrenheit and percent, as measured. */
  const temperature = new Map<string, number>();
  const humidity = new Map<string, number>();
  const reported = new Map<string, number>();
  let ids: { source: string; temperature: string; humidity: string; dewPoint: string };

  /** Returns what a computation of all records gives: where both are, since both have the same times. */
  const fresh = () =>
    new Map(
      [...temperature].flatMap(([ts, t]) => {
        const h = humidity.get(ts);
        return h === undefined ? [] : [[ts, dewPoint(celsiusOf(t), h)] as const];
      }),
    );
  async function expectSeries(expected: ReadonlyMap<string, number>): Promise<void> {
    let stored = new Map<string, number>();
    await until(async () => {
      stored = await valuesOf(ids.dewPoint);
      const wrong = [...expected].filter(([ts, v]) => !(Math.abs((stored.get(ts) ?? Number.NaN) - v) < 1e-9));
      expect({ count: stored.size, wrong: wrong.slice(0, 3) }).toEqual({ count: expected.size, wrong: [] });
      return true;
    }, COMPUTED);
  }
  const acquire = async () => expect((await api.post(`/nodes/${ids.source}/operate/acquire`)).status).toBe(202);

  beforeAll(async () => {
    const file = await readFile(path.join(import.meta.dirname, 'data/jfk_temperature_humidity_2013.csv.gz'));
    for (const line of gunzipSync(file).toString().trim().split('\n').slice(1)) {
      const [time = '', ...columns] = line.split(',');
      const [t = 0, h = 0, dew = 0] = columns.map(Number);
      const ts = time.replace('Z', '.000Z');
      temperature.set(ts, t);
      humidity.set(ts, h);
      reported.set(ts, celsiusOf(dew));
    }
    const { sourceId: source } = await api.createSite();
    const create = async (cls: string, name: string, more: object = {}) =>
      (await api.create({ _class: `${MODEL}.point.${cls}`, name, parentId: source, ...more }))._id;
    ids = {
      source,
      temperature: await create('NumberPoint', 'Temperature', {
        multiplier: 5 / 9,
        offset: (-32 * 5) / 9,
        units: '°C',
      }),
      humidity: await create('NumberPoint', 'Humidity', { units: '%' }),
      dewPoint: await create('NumberProcessPoint', 'Dew point', { process: { code: PROGRAM }, units: '°C' }),
    };
    await write(ids.temperature, [...temperature]);
    await write(ids.humidity, [...humidity]);
  });

  test('each of 8 706 hours equals an independent computation, and comes near what the station reported', async () => {
    expect(temperature.size).toBe(8_706);
    await expectSeries(fresh());
    const stored = await valuesOf(ids.dewPoint);
    const errors = [...reported].map(([ts, dew]) => Math.abs((stored.get(ts) ?? Number.NaN) - dew));
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.05);
  });

  test('a late record and one that is deleted change nothing before they are asked for, then all is as computed afresh', async () => {
    const before = fresh();
    const [late, gone] = ['2013-07-04T12:30:00.000Z', '2013-07-05T12:00:00.000Z'];
    temperature.set(late, 79.7);
    humidity.set(late, 61.5);
    await write(ids.temperature, [[late, 79.7]]);
    await write(ids.humidity, [[late, 61.5]]);
    temperature.delete(gone);
    await write(ids.temperature, [[gone, null]]);
    await until(async () => !(await valuesOf(ids.temperature)).has(gone), COMPUTED);
    await expectSeries(before);
    await acquire();
    await expectSeries(fresh());
    await until(async () => (await messagesOf(ids.source)).includes('Acquire requested'), COMPUTED);
    await until(async () => (await messagesOf(ids.dewPoint)).includes('Recomputed 8706 records'), COMPUTED);
  });

  test('another program computes the whole history anew', async () => {
    const code = PROGRAM.replace('return ', 'return 32 + 1.8 * ');
    expect((await api.put(`/nodes/${ids.dewPoint}`, { process: { code } })).status).toBe(200);
    await expectSeries(new Map([...fresh()].map(([ts, celsius]) => [ts, 32 + 1.8 * celsius])));
  });

  test('a program that is wrong raises the processAlarm with its line, and a right one clears it', async () => {
    const alarm = async () => (await nodeOf(ids.dewPoint)).alarms.processAlarm.status;
    expect((await api.put(`/nodes/${ids.dewPoint}`, { process: { code: "\nreturn NUMBER('Nowhere')" } })).status).toBe(
      200,
    );
    await until(async () => (await alarm()).alarmState === 'ACTIVE', COMPUTED);
    expect((await alarm()).message).toMatch(/^Process failed: .*Nowhere.*\(line 2\)$/);
    expect((await api.put(`/nodes/${ids.dewPoint}`, { process: { code: PROGRAM } })).status).toBe(200);
    await until(async () => (await alarm()).alarmState === 'CLEARED', COMPUTED);
    await expectSeries(fresh());
  });
});

test('parameter, program, rating, program, with alarms at each step, and a processor on a schedule, while processes die', async () => {
  const { locationId, sourceId } = await api.createSite();
  const states = (threshold: number) => ({ states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold, isAlarm: true }] });
  const create = async (cls: string, name: string, more: object) =>
    (await api.create({ _class: `${MODEL}.${cls}`, name, parentId: sourceId, ...more }))._id;
  const program = (code: string) => ({ process: { code } });
  const raw = await create('point.NumberPoint', 'Raw', states(2));
  const level = await create('point.NumberProcessPoint', 'Level', {
    ...program("return NUMBER('Raw') + 0.5;"),
    ...states(2.5),
  });
  const rating = {
    inputNodeId: level,
    ratings: [
      {
        startTime: '2020-01-01T00:00:00Z',
        table: [
          [0, 0],
          [10, 100],
        ],
      },
    ],
  };
  const flow = await create('point.NumberRatingPoint', 'Flow', { rating, ...states(25) });
  const volume = await create('point.NumberProcessPoint', 'Volume', {
    ...program("return (THIS.currentValue || 0) + NUMBER('Flow') * 60;"),
    ...states(20_000 * KILLED.length),
  });
  const processor = await create('source.data.Processor', 'Each minute', {
    parentId: locationId,
    process: { code: "NUMBER('Doubled').currentValue = NUMBER('Source/Level') * 2;", runMode: 'SCHEDULE' },
    scheduleType: 'SERVER',
    intervalSeconds: 60,
    intervalOffsetSeconds: 0,
  });
  // A recomputation is silent: what is written before its end would be part of it.
  for (const id of [level, flow, volume])
    await until(
      async () => (await messagesOf(id)).some((message) => /^(Recomputed|Rating recomputed)/.test(message)),
      COMPUTED,
    );

  const firstMs = Date.UTC(2024, 0, 1);
  const at = (n: number) => new Date(firstMs + n * 60_000).toISOString();
  // The values cross the threshold every ten records.
  const value = (n: number) => (n % 20 < 10 ? 1 : 3);
  const count = KILLED.length * 40;
  for (const [index, name] of KILLED.entries()) {
    const killing = installation.kill(name);
    for (let n = index * 40; n < (index + 1) * 40; n += 2)
      await write(raw, [
        [at(n), value(n)],
        [at(n + 1), value(n + 1)],
      ]);
    await killing;
  }

  const times = Array.from({ length: count }, (_, n) => n);
  const levels = times.map((n) => value(n) + 0.5);
  const flows = levels.map((level) => level * 10);
  let sum = 0;
  const volumes = flows.map((flow) => {
    sum += flow * 60;
    return sum;
  });
  const expected = { [level]: levels, [flow]: flows, [volume]: volumes };
  for (const [id, values] of Object.entries(expected))
    await until(async () => {
      const stored = await valuesOf(id);
      expect([...stored.keys()]).toEqual(times.map(at));
      expect([...stored.values()]).toEqual(values.map((value) => expect.closeTo(value, 6)));
      return true;
    }, COMPUTED);

  // Every state was entered once each time that it was crossed, at each step, however often a step was repeated.
  const up = 'State changed from NORMAL to HIGH';
  for (const id of [raw, level, flow, volume]) {
    const crossings = id === volume ? 1 : count / 20;
    await until(async () => (await messagesOf(id)).filter((message) => message === up).length >= crossings, COMPUTED);
    expect((await messagesOf(id)).filter((message) => message === up)).toHaveLength(crossings);
    // The node and the event log are written by two services.
    await until(async () => /ACTIVE|CLEARED/.test((await nodeOf(id)).alarms.stateAlarm.status.alarmState), COMPUTED);
  }

  const doubled = await until(async () => {
    const children = (await api.get(`/nodes?filter=parentId($eq:${processor})`)).json;
    // The values are twice the level at one minute or another, of which some passed while processes died.
    return children.find(({ currentValue }: { currentValue?: number }) => currentValue === 3 || currentValue === 7);
  }, COMPUTED);
  expect(doubled).toMatchObject({ name: 'Doubled', currentTime: expect.stringMatching(/:00\.000Z$/) });
});
