import { authorization } from '../floors/influx-floor.ts';
import type { Installation } from '../installation.ts';
import { CONNECTIONS, type LoadRequest, type LoadResult, runLoad } from '../loads/load.ts';
import { loadSeries } from '../loads/read-data.ts';
import { atLeast, atMostOfFloor, processorTime, type Row } from '../report.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';

const LIMIT = 1_000;
const REQUESTS = 1_200;
const LEAST_PER_SECOND = 400;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SERIES = [
  { name: 'dense', firstMs: Date.UTC(2024, 0, 1), records: 525_600, stepMs: MINUTE_MS },
  { name: 'sparse', firstMs: Date.UTC(2004, 0, 1), records: 7_305, stepMs: DAY_MS },
] as const;

/** Measures the newest 1000 records before a time, beside InfluxDB's own answer for the open range and for the part that holds them. */
export async function measureLimitedReads(installation: Installation, scale: number): Promise<Row[]> {
  const rows: Row[] = [];
  const { origin, username, password } = new URL(installation.servers.influx.url);
  const store = { headers: { ...authorization(username, password), accept: 'application/csv' }, expect: 200 };
  const api = { headers: { 'x-api-key': installation.key }, expect: 200 };
  const load = (from: string, path: (n: number) => string, options: typeof store | typeof api) =>
    runLoad(from, lists(Math.ceil(REQUESTS * scale), path), options);
  for (const { name, ...series } of SERIES) {
    const id = await loadSeries(installation, { name, ...series });
    // Reads begin at different records, as those of people do.
    const endMs = (n: number) => series.firstMs + (series.records - 1 - (n % 997)) * series.stepMs;
    const statement = (range: string) =>
      `/query?${new URLSearchParams({ db: 'catchment', epoch: 'ms', q: `SELECT "v" FROM "h" WHERE "s" = '${id}' AND ${range} ORDER BY time DESC LIMIT ${LIMIT}` })}`;
    const open = await load(origin, (n) => statement(`time <= ${endMs(n)}ms`), store);
    const bounded = await load(
      origin,
      (n) => statement(`time > ${endMs(n) - LIMIT * series.stepMs}ms AND time <= ${endMs(n)}ms`),
      store,
    );
    const pids = await installation.pids();
    const before = await cpuByProcess(pids);
    const ours = await load(
      installation.url,
      (n) => `/api/v1/nodes/${id}/historic?limit=${LIMIT}&endTime=${new Date(endMs(n)).toISOString()}`,
      api,
    );
    const cpuMs = cpuOfEach(before, await cpuByProcess(pids), ours.requests);
    const title = `read ${LIMIT} records by limit, ${name} series, ${CONNECTIONS} connections`;
    rows.push(
      beside(`${title}: p50 beside InfluxDB's answer for the open range (${ms(open)})`, ours, open, 1),
      beside(`${title}: p50 beside InfluxDB's bounded answer (${ms(bounded)})`, ours, bounded, 4),
      atLeast(`${title}: rate`, ours.requests / ours.seconds, 'requests/s', LEAST_PER_SECOND),
      processorTime(title, cpuMs),
    );
  }
  return rows;
}

const lists = (requests: number, path: (n: number) => string): LoadRequest[][] =>
  Array.from({ length: CONNECTIONS }, (_, connection) =>
    Array.from({ length: Math.ceil(requests / CONNECTIONS) }, (_request, n) => ({
      method: 'GET' as const,
      path: path(n * CONNECTIONS + connection),
    })),
  );

const ms = ({ p50Ms }: LoadResult): string => `${p50Ms.toFixed(1)} ms`;
const beside = (name: string, ours: LoadResult, floor: LoadResult, bar: number): Row =>
  atMostOfFloor(name, ours.p50Ms, 'ms', floor.p50Ms, bar);
