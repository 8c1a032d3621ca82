import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@catchment/bus';
import { type Api, apiOf } from '../api.ts';
import { startFloor } from '../floors/floor-server.ts';
import { influxFloor } from '../floors/influx-floor.ts';
import type { Installation } from '../installation.ts';
import { type LoadResult, runLoad } from '../loads/load.ts';
import { type Durability, type Scenario, writeScenarios } from '../loads/write-scenarios.ts';
import { atLeast, atLeastOfFloor, atMost, figure, processorTime, type Row } from '../report.ts';
import { openBus, untilRead } from '../watch/log-readers.ts';
import { memoryOfServices, watchMemory } from '../watch/memory.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';

const MODEL = 'io.svc.models.node';
const MIB = 1024 * 1024;
const FLOOR_POINTS = 1_000_000;
const FLOOR_SERIES = 40;
/** This share of the requests is sent before the clock starts. */
const WARM_UP = 0.25;
/** The services' proportional set size. */
const MOST_AT_REST_MIB = 450;
const MOST_AT_PEAK_MIB = 900;
const SETTLED_MS = 5_000;

/**
 * Measures every way of writing; the clock stops when the last records are readable and no reader of the log is behind.
 * @param options.named only those whose name and number of connections have this text
 */
export async function measureWrites(
  installation: Installation,
  durability: Durability,
  { scale, named }: { scale: number; named: string },
): Promise<Row[]> {
  await delay(SETTLED_MS);
  const atRest = (await memoryOfServices(await installation.pids())) / MIB;
  const points = await influxFloor(installation.servers.influx.url, {
    points: Math.ceil(FLOOR_POINTS * scale),
    series: FLOOR_SERIES,
  });
  const rows: Row[] = [];
  const report = (row: Row) => {
    rows.push(row);
    console.log(`  ${row.name}: ${row.value} ${row.unit}${row.ratio === null ? '' : `, ratio ${row.ratio}`}`);
  };
  report(
    figure(
      `floor: InfluxDB's line protocol, batches of ${points.batch} (${durability})`,
      points.pointsPerSecond,
      'points/s',
    ),
  );
  let peakBytes = 0;
  for (const scenario of writeScenarios(scale).filter((each) => nameOf(each).includes(named))) {
    const measured = await measureScenario(installation, scenario);
    const floor =
      scenario.floor === 'points'
        ? points.pointsPerSecond
        : await appendFloor(installation, scenario, measured.requests);
    for (const row of rowsOf(scenario, durability, measured, floor)) report(row);
    peakBytes = Math.max(peakBytes, measured.peakBytes);
  }
  report(atMost(`services at rest, PSS of all (${durability})`, atRest, 'MiB', MOST_AT_REST_MIB));
  report(atMost(`services at peak, PSS of all (${durability})`, peakBytes / MIB, 'MiB', MOST_AT_PEAK_MIB));
  return rows;
}

/** Measures a way of writing at installations that are compared. @param text of its name and number of connections */
export async function measureWay(installation: Installation, scale: number, text: string): Promise<Measurement> {
  const scenario = writeScenarios(scale).find((scenario) => nameOf(scenario).includes(text));
  if (!scenario) throw new Error(`there is no scenario ${text}`);
  return measureScenario(installation, scenario);
}

export type Measurement = LoadResult & {
  readonly pointsPerSecond: number;
  readonly requestsPerSecond: number;
  /** A request takes this processor time, ms, by process. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly peakBytes: number;
};

async function measureScenario(installation: Installation, scenario: Scenario): Promise<Measurement> {
  const api = apiOf(installation);
  const ids = await makeTargets(api, scenario);
  const bus = await openBus(installation);
  const perTarget = Math.ceil(scenario.requests / ids.length);
  const headers = { 'x-api-key': installation.key, 'content-type': 'application/json' };
  const lists = (from: number, to: number) =>
    ids.map((id) => Array.from({ length: to - from }, (_, n) => scenario.request(id, from + n)));
  // The services compile hot code while they warm up; the clock starts afterwards.
  const warmUp = Math.ceil(perTarget * WARM_UP);
  await runLoad(installation.url, lists(0, warmUp), { headers, expect: scenario.status ?? 202 });
  await untilReadable(api, bus, ids, warmUp, scenario);
  const measured = lists(warmUp, warmUp + perTarget);
  const pids = { ...(await installation.pids()), sender: process.pid };
  const memory = watchMemory(pids);
  const before = await cpuByProcess(pids);
  const began = performance.now();
  const load = await runLoad(installation.url, measured, { headers, expect: scenario.status ?? 202 });
  const sentBy = await cpuByProcess({ sender: process.pid });
  await untilReadable(api, bus, ids, warmUp + perTarget, scenario);
  const seconds = (performance.now() - began) / 1000;
  const after = { ...(await cpuByProcess(pids)), ...sentBy };
  await bus.close();
  return {
    ...load,
    pointsPerSecond: (load.requests * scenario.pointsPerRequest) / seconds,
    requestsPerSecond: load.requests / seconds,
    cpuMs: cpuOfEach(before, after, load.requests),
    peakBytes: await memory.stop(),
  };
}

/** Measures requests a second of a bare server that parses the same bodies and appends them to the same broker, equally often. */
export async function appendFloor(
  { servers }: Installation,
  scenario: Pick<Scenario, 'targets' | 'request'>,
  requests: number,
): Promise<number> {
  const floor = await startFloor('append-server.ts', servers.nats.url);
  try {
    const perConnection = Math.ceil(requests / scenario.targets);
    const lists = Array.from({ length: scenario.targets }, () =>
      Array.from({ length: perConnection }, (_, n) => scenario.request('floor', n)),
    );
    const options = { headers: { 'content-type': 'application/json' }, expect: 202 };
    await runLoad(
      floor.origin,
      lists.map((list) => list.slice(0, list.length * WARM_UP)),
      options,
    );
    const load = await runLoad(floor.origin, lists, options);
    return load.requests / load.seconds;
  } finally {
    await floor.stop();
  }
}

const nameOf = ({ name, targets }: Scenario): string => `${name}, ${targets} connections`;

function rowsOf(scenario: Scenario, durability: Durability, measured: Measurement, floor: number): Row[] {
  const { leastRatio, leastPerSecond, mostP99Ms } = scenario.bars[durability];
  const name = `${nameOf(scenario)} (${durability})`;
  const [rate, unit] =
    scenario.floor === 'points' ? [measured.pointsPerSecond, 'points/s'] : [measured.requestsPerSecond, 'requests/s'];
  const beside = { ...figure(name, rate, unit), ratio: Math.round((rate / floor) * 100) / 100 };
  const rows = [leastRatio === undefined ? beside : atLeastOfFloor(name, rate, unit, floor, leastRatio)];
  if (leastPerSecond !== undefined) rows.push(atLeast(`${name}: rate`, rate, unit, leastPerSecond));
  const p99 = `${name}: p99 (p50 ${measured.p50Ms.toFixed(1)} ms)`;
  rows.push(mostP99Ms === undefined ? figure(p99, measured.p99Ms, 'ms') : atMost(p99, measured.p99Ms, 'ms', mostP99Ms));
  return [...rows, processorTime(name, measured.cpuMs)];
}

/** Makes a workspace and location of its own, and under it sources, each with one parameter where parameters are written. */
async function makeTargets(api: Api, scenario: Scenario): Promise<string[]> {
  const create = async (body: Record<string, unknown>) => (await api<{ _id: string }>('POST', '/nodes', body))._id;
  const workspace = await create({
    _class: `${MODEL}.Workspace`,
    name: `${scenario.name.replace(/[^a-z0-9 ]/gi, ' ')} ${Date.now()}`,
  });
  const location = await create({ _class: `${MODEL}.location.Location`, name: 'Site', parentId: workspace });
  const ids: string[] = [];
  for (let n = 0; n < scenario.targets; n += 1) {
    const source = await create({ _class: `${MODEL}.source.data.Jts`, name: `Source ${n}`, parentId: location });
    ids.push(
      scenario.target === 'source'
        ? source
        : await create({ _class: `${MODEL}.point.NumberPoint`, name: 'Value', parentId: source }),
    );
  }
  return ids;
}

async function untilReadable(
  api: Api,
  bus: Bus,
  ids: readonly string[],
  requestsPerTarget: number,
  scenario: Scenario,
): Promise<void> {
  await untilRead(bus);
  const last = new Date(scenario.lastRecordMs(requestsPerTarget)).toISOString();
  for (const id of ids) {
    for (const parameter of await parametersOf(api, id, scenario)) {
      const document = await api<{ data: { ts: string }[] }>(
        'GET',
        `/nodes/${parameter}/historic?startTime=${last}&endTime=${last}`,
      );
      if (document.data.length !== 1) throw new Error(`the last record of ${parameter} at ${last} is not readable`);
    }
  }
}

async function parametersOf(api: Api, id: string, scenario: Scenario): Promise<string[]> {
  if (scenario.target === 'parameter') return [id];
  const children = await api<{ _id: string }[]>('GET', `/nodes?attr=_id&filter=parentId($eq:${id})`);
  return children.map((child) => child._id);
}
