import { setTimeout as delay } from 'node:timers/promises';
import { FIRST_MS, STEP_MS } from '../floors/influx-floor.ts';
import { type Installation, PROCESSES, type Processes, startInstallation } from '../installation.ts';
import { runLoad } from '../loads/load.ts';
import { loadSeries } from '../loads/read-data.ts';
import { atLeastOfFloor, atMost, figure, processorTime, type Row } from '../report.ts';
import { quantile } from '../watch/in-turns.ts';
import { memoryOfServices, watchMemory } from '../watch/memory.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';
import { type Measurement, measureWay } from '../writes/measure-writes.ts';

const ROUNDS = 3;
const MIB = 1024 * 1024;
/** Code that ran once goes within this time after a start. */
const SETTLED_MS = 8_000;
const MESSAGES = '3-point messages to data sources, 16 connections';
const NOW = 'single now writes, 16 connections';
const READS = 'reads of 1000 records, 4 connections';
const READERS = 4;
const READS_EACH = 500;
const RECORDS = 1_000;
const SERIES_RECORDS = 50_000;

/** Services that share processes are to reach these, where they take no more than two. */
const BARS = { atRestMib: 300, atPeakMb: 800, readySeconds: 4, messages: 1.3, singles: 1.3, reads: 1.2 } as const;

type Rate = Pick<Measurement, 'requestsPerSecond' | 'cpuMs'>;
type Figures = {
  readonly readySeconds: number;
  /** All processes of services count: proportional at rest, the highest resident at the peak. */
  readonly atRestMib: number;
  readonly atPeakMb: number;
  readonly messages: Rate;
  readonly singles: Rate;
  readonly reads: Rate;
};

/**
 * Measures the services in one process, in two and in one each (`catchment start --processes`): memory, start, rates and processor time.
 * They take turns, with a fresh installation each time: medians, since a machine that does other things says little at once.
 */
export async function measureProcesses(scale: number): Promise<Row[]> {
  const found = new Map<Processes, Figures[]>(PROCESSES.map((processes) => [processes, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each time another one is the first.
    for (const [n] of PROCESSES.entries()) {
      const processes = PROCESSES[(n + round) % PROCESSES.length] ?? 'each';
      const figures = await figuresOf(processes, scale);
      found.get(processes)?.push(figures);
      console.log(`  ${round + 1}. --processes ${processes}: ${shown(figures)}`);
    }
  }
  return PROCESSES.flatMap((processes) => rowsOf(processes, found.get(processes) ?? [], found.get('each') ?? []));
}

async function figuresOf(processes: Processes, scale: number): Promise<Figures> {
  const installation = await startInstallation({ processes });
  try {
    await delay(SETTLED_MS);
    const pids = await installation.pids();
    const atRestMib = (await memoryOfServices(pids)) / MIB;
    const memory = watchMemory(pids, 'rss');
    const messages = await measureWay(installation, scale, MESSAGES);
    const singles = await measureWay(installation, scale, NOW);
    const reads = await measureReading(installation, Math.max(20, Math.ceil(READS_EACH * scale)));
    const atPeakMb = (await memory.stop()) / 1e6;
    return { readySeconds: installation.readySeconds, atRestMib, atPeakMb, messages, singles, reads };
  } finally {
    await installation.stop();
  }
}

/** Every reader asks for another thousand each time. */
async function measureReading(installation: Installation, each: number): Promise<Rate> {
  const series = { name: 'Read', firstMs: FIRST_MS, stepMs: STEP_MS, records: SERIES_RECORDS };
  const id = await loadSeries(installation, series);
  const request = (reader: number, n: number) => {
    const first = ((reader * each + n) * RECORDS) % (SERIES_RECORDS - RECORDS);
    const startTime = new Date(FIRST_MS + first * STEP_MS).toISOString();
    return { method: 'GET' as const, path: `/api/v1/nodes/${id}/historic?startTime=${startTime}&limit=${RECORDS}` };
  };
  const lists = (count: number) =>
    Array.from({ length: READERS }, (_, reader) => Array.from({ length: count }, (_, n) => request(reader, n)));
  const options = { headers: { 'x-api-key': installation.key }, expect: 200 };
  await runLoad(installation.url, lists(Math.ceil(each / 4)), options);
  const pids = { ...(await installation.pids()), sender: process.pid };
  const before = await cpuByProcess(pids);
  const load = await runLoad(installation.url, lists(each), options);
  const cpuMs = cpuOfEach(before, await cpuByProcess(pids), load.requests);
  return { requestsPerSecond: load.requests / load.seconds, cpuMs };
}

function rowsOf(processes: Processes, found: readonly Figures[], each: readonly Figures[]): Row[] {
  const median = (of: (figures: Figures) => number, all = found) => quantile(all.map(of), 0.5);
  const named = (what: string) => `--processes ${processes}: ${what}`;
  const isFew = processes !== 'each';
  const most = (what: string, value: number, unit: string, bar: number) =>
    isFew ? atMost(named(what), value, unit, bar) : figure(named(what), value, unit);
  const rate = (what: string, of: (figures: Figures) => Rate, bar: number): Row[] => {
    const rate = median((result) => of(result).requestsPerSecond);
    const floor = median((result) => of(result).requestsPerSecond, each);
    const row = isFew
      ? atLeastOfFloor(named(`${what}, beside a process each`), rate, 'requests/s', floor, bar)
      : figure(named(what), rate, 'requests/s');
    return [row, processorTime(named(what), medianOfEach(found.map((result) => of(result).cpuMs)))];
  };
  return [
    most(
      'memory of the services at rest, PSS',
      median(({ atRestMib }) => atRestMib),
      'MiB',
      BARS.atRestMib,
    ),
    most(
      'memory of the services at the peak, RSS',
      median(({ atPeakMb }) => atPeakMb),
      'MB',
      BARS.atPeakMb,
    ),
    most(
      'all services are ready after the servers',
      median(({ readySeconds }) => readySeconds),
      's',
      BARS.readySeconds,
    ),
    ...rate(MESSAGES, ({ messages }) => messages, BARS.messages),
    ...rate(NOW, ({ singles }) => singles, BARS.singles),
    ...rate(READS, ({ reads }) => reads, BARS.reads),
  ];
}

const medianOfEach = (all: readonly Readonly<Record<string, number>>[]): Record<string, number> =>
  Object.fromEntries(
    Object.keys(all[0] ?? {}).map((name) => [
      name,
      quantile(
        all.map((run) => run[name] ?? 0),
        0.5,
      ),
    ]),
  );

const shown = ({ readySeconds, atRestMib, atPeakMb, messages, singles, reads }: Figures): string =>
  [
    `ready after ${readySeconds.toFixed(1)} s`,
    `${atRestMib.toFixed(0)} MiB at rest, ${atPeakMb.toFixed(0)} MB at the peak`,
    ...[messages, singles, reads].map(({ requestsPerSecond }) => `${requestsPerSecond.toFixed(0)} requests/s`),
  ].join('; ');
