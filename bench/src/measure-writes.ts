import { setTimeout as delay } from 'node:timers/promises';
import { Bus } from '@catchment/bus';
import { createLogger } from '@catchment/telemetry';
import type { Installation } from './installation.ts';
import { runLoad } from './load.ts';
import { watchMemory } from './memory.ts';
import type { Scenario } from './write-scenarios.ts';

export type WriteMeasurement = {
  readonly scenario: Scenario;
  readonly pointsPerSecond: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly peakBytes: Readonly<Record<string, number>>;
};

const MODEL = 'io.svc.models.node';
const READABLE_LIMIT_MS = 120_000;
/** Share of the requests that are sent before the clock starts. */
const WARM_UP = 0.25;

/** Runs a scenario; the clock stops when its last records are readable and no reader of the log is behind. */
export async function measureWrites(installation: Installation, scenario: Scenario): Promise<WriteMeasurement> {
  const api = apiOf(installation);
  const ids = await makeTargets(api, scenario);
  const bus = await openBus(installation);
  const perTarget = Math.ceil(scenario.requests / ids.length);
  const headers = { 'x-api-key': installation.key, 'content-type': 'application/json' };
  const lists = (from: number, to: number) =>
    ids.map((id) => Array.from({ length: to - from }, (_, n) => scenario.request(id, from + n)));
  // The services compile what is hot while they warm up; the clock measures what they are afterwards.
  const warmUp = Math.ceil(perTarget * WARM_UP);
  await runLoad(installation.url, lists(0, warmUp), { headers, expect: 202 });
  await untilReadable(api, bus, ids, warmUp, scenario);
  const measured = lists(warmUp, warmUp + perTarget);
  const memory = watchMemory(await installation.pids());
  const began = performance.now();
  const load = await runLoad(installation.url, measured, { headers, expect: 202 });
  await untilReadable(api, bus, ids, warmUp + perTarget, scenario);
  const seconds = (performance.now() - began) / 1000;
  await bus.close();
  return {
    scenario,
    pointsPerSecond: (load.requests * scenario.pointsPerRequest) / seconds,
    requestsPerSecond: load.requests / seconds,
    p50Ms: load.p50Ms,
    p99Ms: load.p99Ms,
    peakBytes: memory.stop(),
  };
}

type Api = <T>(method: string, path: string, body?: unknown) => Promise<T>;

function apiOf({ url, key }: Installation): Api {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as never;
  };
}

/** A workspace and location of its own, and under it sources, each with one parameter where parameters are written. */
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

function openBus({ servers }: Installation): Promise<Bus> {
  const partitions = Number(process.env.INGEST_PARTITIONS ?? 1);
  return Bus.open({
    url: servers.nats.url,
    name: 'bench',
    partitions,
    log: createLogger('bench', { level: 'silent' }),
  });
}

async function untilReadable(
  api: Api,
  bus: Bus,
  ids: readonly string[],
  requestsPerTarget: number,
  scenario: Scenario,
): Promise<void> {
  const deadline = performance.now() + READABLE_LIMIT_MS;
  while (await isBehind(bus)) {
    if (performance.now() > deadline)
      throw new Error(`the readers of the log did not catch up within ${READABLE_LIMIT_MS / 1000} s`);
    await delay(20);
  }
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

async function isBehind(bus: Bus): Promise<boolean> {
  const lags = { ...(await bus.lag('INGEST')), ...(await bus.lag('APPLIED')) };
  return Object.values(lags).some((lag) => lag > 0);
}

async function parametersOf(api: Api, id: string, scenario: Scenario): Promise<string[]> {
  if (scenario.target === 'parameter') return [id];
  const children = await api<{ _id: string }[]>('GET', `/nodes?attr=_id&filter=parentId($eq:${id})`);
  return children.map((child) => child._id);
}
