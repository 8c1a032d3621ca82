import { value } from '../floors/influx-floor.ts';
import type { Installation } from '../installation.ts';
import { type LoadRequest, runLoad } from '../loads/load.ts';
import { loadSeries, type SeriesTimes, timeOf, YEAR_RECORDS } from '../loads/read-data.ts';
import { atLeast, atMost, atMostOfFloor, figure, processorTime, type Row } from '../report.ts';
import { inTurns } from '../watch/in-turns.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';

const POINTS = 1_000;
const PICTURES = 60;
const CLIENTS = 4;
const YEAR_PICTURES = 9;
/** InfluxDB then has put the first of them into files: its cache of a shard has room for some 25 MiB. */
const OTHER_YEARS = 4;
/** The promise is «no more than one without»; two runs of the same differ by a tenth. */
const GAPS_BAR = 1.1;
const YEAR: SeriesTimes = { firstMs: Date.UTC(2023, 0, 1), records: YEAR_RECORDS, stepMs: 60_000 };
const spiked = (n: number): number => (n % 40_009 === 20_000 ? 1_234.5 : value(n));

/** Measures pictures through the API: small ones one by one and by several clients, and those of years of minutes. */
export async function measureCharts(installation: Installation, scale: number): Promise<Row[]> {
  const headers = { 'x-api-key': installation.key };
  const load = (clients: number, each: number, path: string) => {
    const request: LoadRequest = { method: 'GET', path };
    const lists = Array.from({ length: clients }, () => Array.from({ length: each }, () => request));
    return runLoad(installation.url, lists, { headers, expect: 200 });
  };
  const rows: Row[] = [];
  const report = (...found: Row[]) => {
    rows.push(...found);
    for (const { name, value: shown, unit, holds } of found) console.log(`  ${name}: ${shown} ${unit}, ${holds}`);
  };
  const counted = (times: number) => Math.max(3, Math.ceil(times * scale));

  const small = { ...YEAR, records: POINTS };
  const picture = chartOf(await loadSeries(installation, { name: 'Small', ...small }), small);
  await load(CLIENTS, 5, picture);
  const pids = await installation.pids();
  const before = await cpuByProcess(pids);
  const single = await load(1, counted(PICTURES), picture);
  const title = `PNG 1200 × 800 of ${POINTS} points`;
  report(
    atMost(`${title}: p50`, single.p50Ms, 'ms', 100),
    processorTime(title, cpuOfEach(before, await cpuByProcess(pids), single.requests)),
  );
  const many = await load(CLIENTS, counted(PICTURES), picture);
  report(atLeast(`${title}, ${CLIENTS} clients`, many.requests / many.seconds, 'images/s', 16));

  const ids = {
    even: await loadSeries(installation, { name: 'Year', ...YEAR }),
    spiked: await loadSeries(installation, { name: 'Year with spikes', ...YEAR, numberAt: spiked }),
  };
  const years = async (state: string) => {
    for (const [kind, id] of Object.entries(ids)) {
      await load(1, 1, chartOf(id, YEAR));
      const charts = await load(1, counted(YEAR_PICTURES), chartOf(id, YEAR));
      const reads = await load(1, counted(YEAR_PICTURES), `${pathOf(id)}?${rangeOf(YEAR)}&reduce=M4&width=1200`);
      report(
        atMost(`a chart of a year of minutes, ${kind}, ${state}: p50`, charts.p50Ms, 'ms', 700),
        figure(`the same as reduce=M4&width=1200, JSON: p50`, reads.p50Ms, 'ms'),
      );
    }
  };
  await years('just written');
  for (let n = 0; n < OTHER_YEARS; n += 1) await loadSeries(installation, { name: `Other ${n}`, ...YEAR });
  await years('in files of InfluxDB');
  report(...(await measureGaps(installation, load, counted)));
  return rows;
}

const pathOf = (id: string): string => `/api/v1/nodes/${id}/historic`;
const chartOf = (id: string, times: SeriesTimes): string => `${pathOf(id)}/chart?${rangeOf(times)}`;
const rangeOf = (times: SeriesTimes): string =>
  `startTime=${new Date(timeOf(times, 0)).toISOString()}&endTime=${new Date(timeOf(times, times.records - 1)).toISOString()}`;

type Load = (
  clients: number,
  each: number,
  path: string,
) => Promise<{ readonly p50Ms: number; readonly requests: number }>;

/**
 * Measures pictures whose lines break at outages, which they learn from the last records, beside pictures of as many records without
 * outages whose parameter says its interval: nothing is learnt.
 */
async function measureGaps(installation: Installation, load: Load, counted: (times: number) => number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [what, records, pictures] of [
    ['50 points', 50, PICTURES],
    [`${POINTS} points`, POINTS, PICTURES],
    ['a year of minutes', YEAR_RECORDS, YEAR_PICTURES],
  ] as const) {
    const even = { ...YEAR, records };
    const broken = { ...even, outageEvery: 25 };
    const plain = chartOf(
      await loadSeries(installation, { name: `Even, ${what}`, ...even }, { expectedIntervalSeconds: 60 }),
      even,
    );
    const gaps = chartOf(await loadSeries(installation, { name: `Broken, ${what}`, ...broken }), broken);
    const timed = (path: string) => async () => (await load(1, 1, path)).p50Ms;
    const { ownMs, floorMs } = await inTurns(counted(pictures), timed(gaps), timed(plain));
    const title = `a chart with outages, ${what}`;
    rows.push(atMostOfFloor(`${title} (without: ${floorMs.toFixed(1)} ms): p50`, ownMs, 'ms', floorMs, GAPS_BAR));
    const cpu = await cpuInTurns(await installation.pids(), counted(pictures), [gaps, plain], load);
    rows.push(
      atMostOfFloor(
        `${title} (without: ${cpu[1].toFixed(1)} ms): processor time of a request`,
        cpu[0],
        'ms',
        cpu[1],
        GAPS_BAR,
      ),
    );
  }
  return rows;
}

/** Returns the processor time of all processes for a picture of each. */
async function cpuInTurns(
  pids: Readonly<Record<string, number>>,
  times: number,
  paths: readonly [string, string],
  load: Load,
): Promise<[number, number]> {
  const spent: [number, number] = [0, 0];
  for (let n = 0; n < times; n += 1)
    for (const which of [0, 1] as const) {
      const before = await cpuByProcess(pids);
      await load(1, 1, paths[which]);
      const each = cpuOfEach(before, await cpuByProcess(pids), times);
      spent[which] += Object.values(each).reduce((sum, ms) => sum + ms, 0);
    }
  return spent;
}
