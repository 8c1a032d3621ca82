import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Installation } from '../installation.ts';
import { CONNECTIONS, type LoadRequest, runLoad } from '../loads/load.ts';
import { atLeast, atLeastOfFloor, atMost, figure, processorTime, type Row } from '../report.ts';
import { openBus, untilRead } from '../watch/log-readers.ts';
import { cpuByProcess, cpuOfEach, memoryGrowth } from '../watch/processes.ts';

const MODEL = 'io.svc.models.node';
const FIRST_MS = Date.parse('2025-01-01T00:00:00Z');
const STEP_MS = 60_000;
const MIB = 1_048_576;
const ROWS = 1_000;
const LIMIT_MS = 300_000;

const SITES = 10;
const DOCUMENTS_EACH = 20;
const EVALUATIONS_PER_SECOND = 5_000;

const YEAR_MINUTES = 525_600;
const YEAR_BAR_SECONDS = 120;
const YEAR_BAR_MIB = 150;

const IDLE = 10_000;
const IDLE_PER_SOURCE = 400;
const IDLE_DOCUMENTS = 600;
const TURNS = 3;
const LEAST_OF_NONE = 0.95;
/** Deleted series leave the stores. */
const SETTLE_MS = 30_000;

/** Measures programs: evaluations until results are shown, a history computed anew, and what programs cost that have nothing to do. */
export async function measureProcessing(installation: Installation, scale: number): Promise<Row[]> {
  const api = new Client(installation);
  try {
    return [
      ...(await evaluations(installation, api, scale)),
      ...(await recomputation(installation, api, scale)),
      ...(await idlePrograms(installation, api, scale)),
    ];
  } finally {
    await api.close();
  }
}

type Node = { readonly _id: string; readonly currentTime?: string; readonly alarms?: Record<string, unknown> };

/** The API is for what is not measured. */
class Client {
  readonly #pool: Pool;
  readonly headers: Record<string, string>;

  constructor({ url, key }: Installation) {
    this.#pool = new Pool(url, { connections: 8, pipelining: 0 });
    this.headers = { 'x-api-key': key, 'content-type': 'application/json' };
  }

  async send<T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<T> {
    const request = { method, path: `/api/v1${path}`, headers: this.headers };
    const answer = await this.#pool.request(body === undefined ? request : { ...request, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text) as T;
  }

  create = async (cls: string, name: string, more: object): Promise<string> =>
    (await this.send<Node>('POST', '/nodes', { _class: `${MODEL}.${cls}`, name, ...more }))._id;

  close = () => this.#pool.close();
}

const program = (code: string) => ({ process: { code } });

type Site = { readonly source: string; readonly inputs: readonly string[] };

async function site(api: Client, parentId: string, name: string, inputs: readonly string[]): Promise<Site> {
  const location = await api.create('location.Location', name, { parentId });
  const source = await api.create('source.data.Jts', 'Source', { parentId: location });
  const ids: string[] = [];
  for (const input of inputs) ids.push(await api.create('point.NumberPoint', input, { parentId: source }));
  return { source, inputs: ids };
}

/** Makes a document of records a minute apart, from the nth minute on. */
function document({ source, inputs }: Site, fromMinute: number, rows: number): LoadRequest {
  const columns = Object.fromEntries(inputs.map((id, c) => [c, { id }]));
  const data = Array.from({ length: rows }, (_, n) => ({
    ts: new Date(FIRST_MS + (fromMinute + n) * STEP_MS).toISOString(),
    f: Object.fromEntries(inputs.map((_id, c) => [c, { v: ((fromMinute + n) % 97) + c / 8 }])),
  }));
  const body = JSON.stringify({ docType: 'jts', version: '1.0', header: { columns }, data });
  return { method: 'PUT', path: `/api/v1/nodes/${source}/historic`, body };
}

const inLists = (requests: readonly LoadRequest[]): LoadRequest[][] =>
  Array.from({ length: CONNECTIONS }, (_, c) => requests.filter((_request, n) => n % CONNECTIONS === c));

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not within ${LIMIT_MS / 1_000} s: ${what}`);
    await delay(50);
  }
}

async function evaluations(installation: Installation, api: Client, scale: number): Promise<Row[]> {
  const workspace = await api.create('Workspace', 'Evaluations', {});
  const sites: Site[] = [];
  const results: string[] = [];
  for (let n = 0; n < SITES; n += 1) {
    const made = await site(api, workspace, `Site ${n}`, ['A', 'B']);
    sites.push(made);
    const code = "return NUMBER('A') + NUMBER('B') * 0.1;";
    results.push(await api.create('point.NumberProcessPoint', 'Sum', { parentId: made.source, ...program(code) }));
  }
  await recomputed(api, results);
  const documents = Math.ceil(DOCUMENTS_EACH * scale);
  const requests = Array.from({ length: documents }, (_, n) =>
    sites.map((site) => document(site, n * ROWS, ROWS)),
  ).flat();
  const count = requests.length * ROWS;
  const last = new Date(FIRST_MS + (documents * ROWS - 1) * STEP_MS).toISOString();
  const pids = await withRunners(await installation.pids());
  const before = await cpuByProcess(pids);
  const began = performance.now();
  await runLoad(installation.url, inLists(requests), { headers: api.headers, expect: 202 });
  await until('every result is shown', async () => {
    const nodes = await api.send<Node[]>('GET', `/nodes?attr=_id,currentTime&filter=_class($match:ProcessPoint)`);
    const times = new Map(nodes.map(({ _id, currentTime }) => [_id, currentTime]));
    return results.every((id) => times.get(id) === last);
  });
  const seconds = (performance.now() - began) / 1_000;
  const cpuMs = cpuOfEach(before, await cpuByProcess(pids), requests.length);
  const name = `${count.toLocaleString('en-US').replaceAll(',', ' ')} evaluations of a formula of two inputs`;
  return [
    atLeast(
      `${name}, from the first write until the last result is shown`,
      count / seconds,
      'evaluations/s',
      EVALUATIONS_PER_SECOND,
    ),
    processorTime(`${name}, a document of ${ROWS} records × 2 columns`, cpuMs),
  ];
}

/** Waits until these process parameters have computed their history. */
const recomputed = (api: Client, ids: readonly string[]) =>
  until('every history is computed', async () => {
    const found = await Promise.all(
      ids.map((id) => api.send<{ message: string }[]>('GET', `/nodes/${id}/events?attr=message`)),
    );
    return found.every((events) => events.some(({ message }) => message.startsWith('Recomputed')));
  });

/** Includes the children of processing: they run the programs. */
async function withRunners(pids: Record<string, number>): Promise<Record<string, number>> {
  const { processing = 0 } = pids;
  const children = await readFile(`/proc/${processing}/task/${processing}/children`, 'utf8');
  const runners = children.split(' ').filter(Boolean);
  return { ...pids, ...Object.fromEntries(runners.map((pid, n) => [`runner ${n + 1}`, Number(pid)])) };
}

async function recomputation(installation: Installation, api: Client, scale: number): Promise<Row[]> {
  const minutes = Math.ceil(YEAR_MINUTES * scale);
  const workspace = await api.create('Workspace', 'Year', {});
  const made = await site(api, workspace, 'Site', ['A', 'B']);
  const requests = Array.from({ length: Math.ceil(minutes / 10_000) }, (_, n) =>
    document(made, n * 10_000, Math.min(10_000, minutes - n * 10_000)),
  );
  await runLoad(installation.url, [requests], { headers: api.headers, expect: 202 });
  const bus = await openBus(installation);
  await untilRead(bus);
  await bus.close();
  const { processing = 0, historic = 0, ...others } = await withRunners(await installation.pids());
  const runners = Object.keys(others).filter((name) => name.startsWith('runner'));
  let seconds = 0;
  const work = async () => {
    const began = performance.now();
    const code = "return NUMBER('A') + NUMBER('B') * 0.1;";
    const id = await api.create('point.NumberProcessPoint', 'Sum', { parentId: made.source, ...program(code) });
    await recomputed(api, [id]);
    seconds = (performance.now() - began) / 1_000;
  };
  let historicGrowth = 0;
  const growth = await memoryGrowth([processing, ...runners.map((name) => others[name] ?? 0)], async () => {
    historicGrowth = await memoryGrowth([historic], work);
  });
  const name = `a year of ${minutes.toLocaleString('en-US').replaceAll(',', ' ')} minutes computed anew`;
  return [
    atMost(name, seconds, 's', YEAR_BAR_SECONDS),
    atMost(`${name}: growth of processing with its runners (RSS)`, growth / MIB, 'MiB', YEAR_BAR_MIB),
    figure(`${name}: growth of historic (RSS)`, historicGrowth / MIB, 'MiB'),
  ];
}

async function idlePrograms(installation: Installation, api: Client, scale: number): Promise<Row[]> {
  const working = await api.create('Workspace', 'Busy', {});
  const workspace = await api.create('Workspace', 'Idle', {});
  const busy: Site[] = [];
  for (let n = 0; n < CONNECTIONS; n += 1) busy.push(await site(api, working, `Busy ${n}`, ['A']));
  let minute = 0;
  const bus = await openBus(installation);
  const documents = Math.ceil(IDLE_DOCUMENTS * scale);
  const rate = async (): Promise<{ rate: number; cpuMs: Record<string, number> }> => {
    const requests = Array.from({ length: documents }, (_, n) =>
      document(busy[n % busy.length] as Site, minute + Math.floor(n / busy.length) * ROWS, ROWS),
    );
    minute += Math.ceil(documents / busy.length) * ROWS;
    const pids = await installation.pids();
    const before = await cpuByProcess(pids);
    const began = performance.now();
    await runLoad(installation.url, inLists(requests), { headers: api.headers, expect: 202 });
    await untilRead(bus);
    const perSecond = documents / ((performance.now() - began) / 1_000);
    return { rate: perSecond, cpuMs: cpuOfEach(before, await cpuByProcess(pids), documents) };
  };
  await rate();
  const best = async () => {
    const turns: Awaited<ReturnType<typeof rate>>[] = [];
    for (let n = 0; n < TURNS; n += 1) turns.push(await rate());
    return turns.toSorted((a, b) => b.rate - a.rate)[0] as (typeof turns)[number];
  };
  const before = await best();
  const count = Math.ceil(IDLE * scale);
  const began = performance.now();
  const ids: string[] = [];
  for (let first = 0; first < count; first += IDLE_PER_SOURCE) {
    const made = await site(api, workspace, `Idle ${first}`, ['A', 'B']);
    const names = Array.from({ length: Math.min(IDLE_PER_SOURCE, count - first) }, (_, n) => `Sum ${n}`);
    const parameter = { parentId: made.source, ...program("return NUMBER('A') + NUMBER('B') * 0.1;") };
    for (let n = 0; n < names.length; n += 8)
      ids.push(
        ...(await Promise.all(
          names.slice(n, n + 8).map((name) => api.create('point.NumberProcessPoint', name, parameter)),
        )),
      );
  }
  await until('every program is looked through', async () => {
    await delay(1_000);
    const filter = 'message($eq:Recomputed 0 records)';
    const path = `/events?attr=nodeId&limit=10000&sort=eventTime(DESC)&filter=${encodeURIComponent(filter)}`;
    const done = new Set((await api.send<{ nodeId: string }[]>('GET', path)).map(({ nodeId }) => nodeId));
    return ids.every((id) => done.has(id));
  });
  const madeSeconds = (performance.now() - began) / 1_000;
  const withIdle = await best();
  // A run before and one after: the installation is another one by then, whatever there was in between.
  await api.send('DELETE', `/nodes/${workspace}`);
  await delay(SETTLE_MS);
  const after = await best();
  const without = (before.rate + after.rate) / 2;
  await bus.close();
  const name = `documents of ${ROWS} records beside ${count.toLocaleString('en-US').replaceAll(',', ' ')} process parameters with nothing to do`;
  return [
    figure(`${count} process parameters made and looked through`, madeSeconds, 's'),
    atLeastOfFloor(
      `${name} (before: ${before.rate.toFixed(0)}/s, after they are deleted: ${after.rate.toFixed(0)}/s)`,
      withIdle.rate,
      'documents/s',
      without,
      LEAST_OF_NONE,
    ),
    processorTime(name, withIdle.cpuMs),
    processorTime('the same after they are deleted', after.cpuMs),
  ];
}
