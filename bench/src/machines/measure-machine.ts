import type { Installation } from '../installation.ts';
import { CONNECTIONS, type LoadRequest, runLoad } from '../loads/load.ts';
import { loadSeries } from '../loads/read-data.ts';
import { atMost, figure, processorTime, type Row } from '../report.ts';
import { memoryOf, watchMemory } from '../watch/memory.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';
import { type Measurement, measureWay } from '../writes/measure-writes.ts';

const MIB = 1024 * 1024;
/** The newest thousand is a part of a week of minutes. */
const WEEK = { firstMs: Date.UTC(2026, 0, 1), records: 10_080, stepMs: 60_000 } as const;
const PAGED = { firstMs: Date.UTC(2026, 0, 1), records: 100_000, stepMs: 60_000 } as const;
const LIMIT = 1_000;
const PAGE = 10_000;
const PAGES_READ = 8;
/** A peer of Java and PostgreSQL takes twice as long. */
const PAGES_BAR_SECONDS = 0.25;
const REQUESTS = 2_400;
/** This share of the requests is sent before the clock starts. */
const WARM_UP = 0.25;
const WAYS = [
  'documents, 1000 records × 1 column, 4 connections',
  '3-point messages to data sources, 16 connections',
  'single now writes, 16 connections',
] as const;

/** Recent records are in memory, unless the environment says otherwise (0 = none). */
export const MACHINE_ENV = { RECENT_RECORDS_MIB: process.env.RECENT_RECORDS_MIB ?? '64' };

/** Measures what a peer of one process and one database is measured by, on one machine: rates, processor time and memory by process. */
export async function measureMachine(installation: Installation, scale: number): Promise<Row[]> {
  const pids = await installation.pids();
  const memory = watchMemory(pids, 'rss');
  const rows: Row[] = [];
  const report = (...some: Row[]) => {
    rows.push(...some);
    for (const { name, value, unit } of some) console.log(`  ${name}: ${value} ${unit}`);
  };
  report(...(await readRows(installation, scale)));
  for (const way of WAYS) report(...writeRows(way, await measureWay(installation, scale, way)));
  report(figure('all services, sum of RSS at the peak', (await memory.stop()) / MIB, 'MiB'));
  report(...(await sizeRows(pids)));
  return rows;
}

async function readRows(installation: Installation, scale: number): Promise<Row[]> {
  const id = await loadSeries(installation, { name: 'Week', ...WEEK });
  const pagedId = await loadSeries(installation, { name: 'Pages', ...PAGED });
  const newest = `/api/v1/nodes/${id}/historic?limit=${LIMIT}`;
  const day = `/api/v1/nodes/${id}/historic?${span(WEEK.firstMs + (WEEK.records - 1_440) * WEEK.stepMs, WEEK.firstMs + WEEK.records * WEEK.stepMs)}`;
  const pages = Array.from({ length: PAGED.records / PAGE }, (_, n) => {
    const fromMs = PAGED.firstMs + n * PAGE * PAGED.stepMs;
    return `/api/v1/nodes/${pagedId}/historic?startTime=${iso(fromMs)}&limit=${PAGE}`;
  });
  const requests = Math.ceil(REQUESTS * scale);
  const paged = await measured(installation, PAGES_READ * pages.length, 1, (n) => pages[n % pages.length] ?? '');
  return [
    ...rateRows(
      `the newest ${LIMIT} records, ${CONNECTIONS} connections`,
      await measured(installation, requests, CONNECTIONS, () => newest),
    ),
    ...rateRows(
      `the last day of minutes, ${CONNECTIONS} connections`,
      await measured(installation, requests, CONNECTIONS, () => day),
    ),
    atMost(
      `100 000 records in pages of ${PAGE}`,
      (paged.seconds * pages.length) / paged.requests,
      's',
      PAGES_BAR_SECONDS,
    ),
    processorTime(`a page of ${PAGE} records`, paged.cpuMs),
  ];
}

type Measured = Pick<Measurement, 'requests' | 'seconds' | 'p50Ms' | 'p99Ms' | 'cpuMs'>;

async function measured(
  installation: Installation,
  requests: number,
  connections: number,
  path: (n: number) => string,
): Promise<Measured> {
  const options = { headers: { 'x-api-key': installation.key }, expect: 200 };
  const lists = (count: number): LoadRequest[][] =>
    Array.from({ length: connections }, () =>
      Array.from({ length: Math.ceil(count / connections) }, (_, n) => ({ method: 'GET', path: path(n) })),
    );
  await runLoad(installation.url, lists(requests * WARM_UP), options);
  const pids = { ...(await installation.pids()), sender: process.pid };
  const before = await cpuByProcess(pids);
  const load = await runLoad(installation.url, lists(requests), options);
  return { ...load, cpuMs: cpuOfEach(before, await cpuByProcess(pids), load.requests) };
}

const rateRows = (name: string, { requests, seconds, p50Ms, p99Ms, cpuMs }: Measured): Row[] => [
  figure(name, requests / seconds, 'requests/s'),
  figure(`${name}: p99 (p50 ${p50Ms.toFixed(1)} ms)`, p99Ms, 'ms'),
  processorTime(name, cpuMs),
];

const writeRows = (name: string, written: Measurement): Row[] => [
  name.startsWith('documents')
    ? figure(name, written.pointsPerSecond, 'points/s')
    : figure(name, written.requestsPerSecond, 'requests/s'),
  figure(`${name}: p99 (p50 ${written.p50Ms.toFixed(1)} ms)`, written.p99Ms, 'ms'),
  processorTime(name, written.cpuMs),
];

/** Reads the sizes after the work, of each process; services that share one are named together. */
async function sizeRows(pids: Readonly<Record<string, number>>): Promise<Row[]> {
  const byPid = Map.groupBy(Object.entries(pids), ([, pid]) => pid);
  return Promise.all(
    [...byPid].map(async ([pid, named]) => {
      const { rss, pss } = await memoryOf(pid);
      const name = named.map(([service]) => service).join('+');
      return figure(`${name}: PSS after the work (RSS ${Math.round(rss / MIB)} MiB)`, pss / MIB, 'MiB');
    }),
  );
}

const iso = (ms: number): string => new Date(ms).toISOString();
const span = (fromMs: number, toMs: number): string => `startTime=${iso(fromMs)}&endTime=${iso(toMs)}`;
