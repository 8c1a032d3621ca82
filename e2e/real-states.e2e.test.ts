// States and state alarms over real files (docs/reference/states.md#evaluation, docs/reference/alarms.md#conditions): what the event log
// says beside a plain reading of the file, which shares no code with the product.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { until } from '@catchment/testkit';
import { parse } from 'csv-parse/sync';
import { type Api, MODEL } from './src/api.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const FOLDER = process.env.CATCHMENT_TEST_DATA;
const LIMIT_MS = FOLDER ? 600_000 : 240_000;

let installation: Installation;
let api: Api;
beforeAll(async () => {
  installation = await startInstallation();
  api = installation.api;
});
afterAll(() => installation?.stop());

type Value = number | string;
type Line = readonly [ms: number, value: Value];
type State = {
  readonly name: string;
  readonly threshold?: Value;
  readonly occurrences?: number;
  readonly isAlarm?: boolean;
};
type Series = {
  readonly name: string;
  readonly type: 'RANGE' | 'DISCRETE';
  readonly hysteresis?: number;
  readonly states: readonly State[];
  /** Returns the lines in the order of the file. */
  readonly lines: () => readonly Line[];
  /** A request has this many lines. */
  readonly atOnce: number;
};

type Row = Readonly<Record<string, string>>;
const rowsOf = (file: string): Row[] => {
  const bytes = readFileSync(file);
  return parse(file.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true }) as Row[];
};
const own = (file: string) => path.join(import.meta.dirname, 'data', file);
const further = (file: string) => path.join(FOLDER ?? '', file);
const linesOf =
  (file: string, time: string, value: string, where: (row: Row) => boolean = () => true) =>
  (): Line[] =>
    rowsOf(file).flatMap((row): Line[] => {
      const [stamp = '', cell = ''] = [row[time], row[value]];
      if (!where(row) || cell === '' || cell === 'NA') return [];
      const iso = stamp.includes('T') || stamp.length === 10 ? stamp : `${stamp.replace(' ', 'T')}Z`;
      return [[Date.parse(iso), Number.isNaN(Number(cell)) ? cell : Number(cell)]];
    });

const MACHINE = {
  type: 'RANGE',
  hysteresis: 0.5,
  states: [
    { name: 'STOPPED', threshold: 74, isAlarm: true },
    { name: 'COLD', threshold: 78, occurrences: 3 },
    { name: 'NORMAL' },
    { name: 'WARM', threshold: 90, occurrences: 2, isAlarm: true },
    { name: 'HOT', threshold: 95, isAlarm: true },
  ],
} as const;
const AIR = {
  type: 'RANGE',
  hysteresis: 2,
  states: [
    { name: 'FROST', threshold: 34, isAlarm: true },
    { name: 'NORMAL' },
    { name: 'MILD', threshold: 48, occurrences: 2 },
    { name: 'WARM', threshold: 55, occurrences: 3, isAlarm: true },
  ],
} as const;
const WIND = {
  type: 'DISCRETE',
  states: [
    { name: 'CALM', threshold: 0 },
    { name: 'NORTH', threshold: 360, isAlarm: true },
    { name: 'NORTH-WEST', threshold: 320, occurrences: 2, isAlarm: true },
  ],
} as const;
const WEATHER = {
  type: 'DISCRETE',
  states: [
    { name: 'SNOW', threshold: 'snow', isAlarm: true },
    { name: 'WET', threshold: '/^(rain|drizzle)$/', occurrences: 2, isAlarm: true },
    { name: 'DRY', threshold: 'su' },
  ],
} as const;

const NYC = own('nyc_airports_dst_days_2013.csv');
const SERIES: readonly Series[] = [
  {
    name: 'NAB machine temperature, clock set back',
    ...MACHINE,
    atOnce: 7,
    lines: linesOf(own('nab_machine_temperature_clock_set_back.csv'), 'timestamp', 'value'),
  },
  {
    name: 'air temperature of a weather station',
    ...AIR,
    atOnce: 5,
    lines: linesOf(NYC, 'time_hour', 'temp', ({ origin }) => origin === 'EWR'),
  },
  {
    name: 'wind of a weather station',
    ...WIND,
    atOnce: 1,
    lines: linesOf(NYC, 'time_hour', 'wind_dir', ({ origin }) => origin === 'LGA'),
  },
];
const FURTHER: readonly Series[] = [
  {
    name: 'NAB machine temperature',
    ...MACHINE,
    atOnce: 500,
    lines: linesOf(further('iot-battery-states/nab_machine_temperature_5min.csv.gz'), 'timestamp', 'value'),
  },
  {
    name: 'a year of a weather station',
    ...AIR,
    atOnce: 200,
    lines: linesOf(
      further('weather-nyc-dst/nyc_airports_hourly_2013_local_and_utc.csv.gz'),
      'time_hour',
      'temp',
      ({ origin }) => origin === 'JFK',
    ),
  },
  {
    name: 'weather in words',
    ...WEATHER,
    atOnce: 40,
    lines: linesOf(further('iot-battery-states/daily_weather_text_state.csv'), 'date', 'weather'),
  },
];

type Step = { readonly ms: number; readonly text: string };

/** Reads the lines as they are sent, and says by the rules alone what changes: the event, and what it does to the alarm. */
function plainReading({ type, states, hysteresis = 0, lines, atOnce }: Series): { steps: Step[]; alarm: string } {
  const normal = type === 'RANGE' ? states.findIndex(({ name }) => name === 'NORMAL') : -1;
  const records = new Map<number, Value>();
  const steps: Step[] = [];
  let [state, alarm] = [normal, false];
  const all = lines();
  for (let from = 0; from < all.length; from += atOnce) {
    const currentMs = Math.max(...records.keys());
    for (const [ms, value] of all.slice(from, from + atOnce)) records.set(ms, value);
    const sorted = [...records].sort(([a], [b]) => a - b);
    for (const [at, [ms]] of sorted.entries()) {
      if (ms <= currentMs) continue;
      const last = (count: number) => sorted.slice(Math.max(0, at + 1 - count), at + 1).map(([, value]) => value);
      const next = type === 'RANGE' ? rangeState(last) : discreteState(last);
      if (next !== state) {
        const isAlarm = states[next]?.isAlarm === true;
        const isWorse =
          !alarm ||
          type === 'DISCRETE' ||
          sideOf(next) !== sideOf(state) ||
          Math.abs(next - normal) > Math.abs(state - normal);
        const outcome = isAlarm ? (isWorse ? 'ACTIVE' : 'NONE') : alarm ? 'CLEARED' : 'NONE';
        const name = (index: number) => states[index]?.name ?? 'NONE';
        steps.push({ ms, text: `State changed from ${name(state)} to ${name(next)}, ${outcome}` });
        [state, alarm] = [next, isAlarm];
      }
    }
  }
  return { steps, alarm: alarm ? 'ACTIVE' : 'CLEARED' };

  function sideOf(index: number): number {
    return Math.sign(index - normal);
  }
  function isBeyond(index: number, value: Value, slack: number): boolean {
    const distance = (Number(value) - Number(states[index]?.threshold)) * sideOf(index);
    return distance >= -slack;
  }
  function rangeState(last: (count: number) => Value[]): number {
    const [value = 0] = last(1);
    let keep = normal;
    for (
      let index = normal + sideOf(state);
      state !== normal && index !== state + sideOf(state);
      index += sideOf(state)
    )
      if (isBeyond(index, value, hysteresis)) keep = index;
    let next = keep;
    for (const [index, { occurrences = 1 }] of states.entries()) {
      const values = last(occurrences);
      const isEntered =
        index !== normal && values.length === occurrences && values.every((value) => isBeyond(index, value, 0));
      const isFurther = sideOf(index) !== sideOf(next) || Math.abs(index - normal) > Math.abs(next - normal);
      if (isEntered && isFurther) next = index;
    }
    return next;
  }
  function discreteState(last: (count: number) => Value[]): number {
    const match = (value: Value | undefined) =>
      states.findIndex(({ threshold }) => {
        if (typeof threshold !== 'string') return threshold === value;
        if (threshold.startsWith('/')) return new RegExp(threshold.slice(1, -1)).test(String(value));
        return String(value).includes(threshold);
      });
    const found = match(last(1)[0]);
    if (found < 0) return found;
    const { occurrences = 1 } = states[found] ?? {};
    const values = last(occurrences);
    return values.length === occurrences && values.every((value) => match(value) === found) ? found : state;
  }
}

async function follow(series: Series): Promise<void> {
  const { type, states, hysteresis, atOnce } = series;
  const lines = series.lines();
  const expected = plainReading(series);
  expect(expected.steps.length).toBeGreaterThan(3);
  const { sourceId } = await api.createSite();
  const { _id: id } = await api.create({
    _class: `${MODEL}.point.${typeof lines[0]?.[1] === 'string' ? 'TextPoint' : 'NumberPoint'}`,
    name: 'Series',
    parentId: sourceId,
    statesType: type,
    states,
    ...(hysteresis !== undefined && { hysteresis }),
  });
  for (let from = 0; from < lines.length; from += atOnce) {
    const data = lines
      .slice(from, from + atOnce)
      .map(([ms, v]) => ({ ts: new Date(ms).toISOString(), f: { 0: { v } } }));
    const answer = await api.put(`/nodes/${id}/historic?notifyOn=ALL_NEWER`, { docType: 'jts', data });
    expect(answer.status).toBe(202);
  }
  const logged = async (): Promise<Step[]> => {
    const { json } = await api.get(`/nodes/${id}/events?filter=eventType($eq:STATE)&limit=10000`);
    return (json as { eventTime: string; message: string; alarmState: string }[])
      .map(({ eventTime, message, alarmState }) => ({ ms: Date.parse(eventTime), text: `${message}, ${alarmState}` }))
      .sort((a, b) => a.ms - b.ms);
  };
  const newest = new Date(Math.max(...lines.map(([ms]) => ms))).toISOString();
  await until(async () => (await api.get(`/nodes/${id}`)).json.currentTime === newest);
  await until(async () => (await logged()).length >= expected.steps.length).catch(() => {});
  expect(await logged()).toEqual(expected.steps);
  // The node and the event log are written by two services: one may show the last change before the other.
  const alarmState = async () => (await api.get(`/nodes/${id}`)).json.alarms.stateAlarm.status.alarmState;
  await until(async () => (await alarmState()) === expected.alarm, { what: `alarm ${expected.alarm}` });
}

test.each(SERIES)('$name', follow, LIMIT_MS);

if (FOLDER && existsSync(FOLDER)) test.each(FURTHER)('$name', follow, LIMIT_MS);
