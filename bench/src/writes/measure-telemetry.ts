import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Installation, startInstallation } from '../installation.ts';
import { atLeastOfFloor, figure, type Row } from '../report.ts';
import { quantile } from '../watch/in-turns.ts';
import { type Measurement, measureWay } from './measure-writes.ts';

const WAYS = ['documents, 1000 records × 1 column, 4 connections', '3-point messages to data sources, 16 connections'];
const ROUNDS = 7;
/** A round alone says little on a machine that does other things: the median of pairs does. */
const LEAST_OF_BARE = 0.97;
const SCRAPE_EVERY_MS = 5_000;

/**
 * Rates of writes with metrics that are scraped and one trace in a hundred, beside those without both: two installations on this
 * machine, in turns, first one and then the other.
 */
export async function measureTelemetry(scale: number): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-telemetry-'));
  const bare = await startInstallation({ env: { METRICS: 'off' } });
  const measured = await startInstallation({
    env: {
      TELEMETRY_FOLDER: folder,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    },
  });
  const scraping = setInterval(() => void scrape(measured).catch(() => {}), SCRAPE_EVERY_MS);
  try {
    const rows: Row[] = [];
    for (const way of WAYS) {
      const pairs = await inPairs(bare, measured, scale, way);
      const median = (of: (pair: Pair) => number) => quantile(pairs.map(of), 0.5);
      const ratio = median(({ measured, bare: other }) => measured.requestsPerSecond / other.requestsPerSecond);
      const floor = median((pair) => pair.bare.requestsPerSecond);
      const name = `${way}, with metrics and 1 % of traces, beside those without: median of ${ROUNDS} pairs`;
      rows.push(atLeastOfFloor(name, ratio * floor, 'requests/s', floor, LEAST_OF_BARE));
      const cpuMs = median((pair) => processorMs(pair.measured));
      const bareMs = median((pair) => processorMs(pair.bare));
      const more = median((pair) => processorMs(pair.measured) / processorMs(pair.bare));
      const time = `${way}: processor time of the services, a request (without: ${bareMs.toFixed(3)} ms)`;
      rows.push({ ...figure(time, Math.round(cpuMs * 1_000) / 1_000, 'ms'), ratio: Math.round(more * 1_000) / 1_000 });
    }
    return rows;
  } finally {
    clearInterval(scraping);
    await Promise.all([bare.stop(), measured.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

type Pair = Readonly<Record<'bare' | 'measured', Measurement>>;

/** Servers and the sender do the same for both. */
const OTHERS = ['sender', 'nats', 'postgres', 'influx'];
const processorMs = ({ cpuMs }: Measurement): number =>
  Object.entries(cpuMs).reduce((sum, [name, ms]) => (OTHERS.includes(name) ? sum : sum + ms), 0);

/** Rates one right after the other, each time in the other order; the first pair warms up. */
async function inPairs(bare: Installation, measured: Installation, scale: number, way: string): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begin = () => measureWay(bare, scale, way);
    const before = round % 2 === 0 ? await begin() : undefined;
    const result = await measureWay(measured, scale, way);
    const pair = { measured: result, bare: before ?? (await begin()) };
    if (round === 0) continue;
    const [ours, theirs] = [pair.measured, pair.bare].map(
      (load) => `${Math.round(load.requestsPerSecond)} requests/s, ${processorMs(load).toFixed(3)} ms`,
    );
    console.log(`  ${way}: ${ours}; without: ${theirs}`);
    pairs.push(pair);
  }
  return pairs;
}

/** Scrapes as Prometheus does. */
async function scrape(installation: Installation): Promise<void> {
  const headers = { accept: 'application/openmetrics-text; version=1.0.0' };
  await Promise.all(
    (await installation.healthPorts()).map(async (port) =>
      (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text(),
    ),
  );
}
