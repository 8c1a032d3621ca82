import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { quantile } from './in-turns.ts';
import { type Installation, startInstallation } from './installation.ts';
import { writeRate } from './measure-writes.ts';
import { atLeastOfFloor, type Row } from './report.ts';

const WAYS = ['documents, 1000 records × 1 column, 4 connections', '3-point messages to data sources, 16 connections'];
const ROUNDS = 7;
/** One round alone says little on a machine that does other things: the median of pairs does. */
const LEAST_OF_BARE = 0.97;
const SCRAPE_EVERY_MS = 5_000;

/**
 * Rates of writes with metrics that are scraped and one trace in a hundred, beside those without both: two installations on this
 * machine, in turns, first one and then the other.
 */
export async function measureTelemetry(scale: number): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-telemetry-'));
  const bare = await startInstallation({ env: { METRICS: 'off' } });
  const told = await startInstallation({
    env: {
      TELEMETRY_FOLDER: folder,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_LOGS_EXPORTER: 'none',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
    },
  });
  const scraping = setInterval(() => void scrape(told).catch(() => {}), SCRAPE_EVERY_MS);
  try {
    const rows: Row[] = [];
    for (const way of WAYS) {
      const pairs = await inPairs(bare, told, scale, way);
      const ratio = quantile(
        pairs.map((pair) => pair.told / pair.bare),
        0.5,
      );
      const floor = quantile(
        pairs.map((pair) => pair.bare),
        0.5,
      );
      const name = `${way}, with metrics and 1 % of traces, beside those without: median of ${ROUNDS} pairs`;
      rows.push(atLeastOfFloor(name, ratio * floor, 'requests/s', floor, LEAST_OF_BARE));
    }
    return rows;
  } finally {
    clearInterval(scraping);
    await Promise.all([bare.stop(), told.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

type Pair = { readonly bare: number; readonly told: number };

/** Rates one right after the other, each time in the other order; the first pair warms up. */
async function inPairs(bare: Installation, told: Installation, scale: number, way: string): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = { bare: 0, told: 0 };
    const order = round % 2 === 0 ? (['bare', 'told'] as const) : (['told', 'bare'] as const);
    for (const which of order) rates[which] = await writeRate(which === 'bare' ? bare : told, scale, way);
    if (round === 0) continue;
    console.log(`  ${way}: ${Math.round(rates.told)} beside ${Math.round(rates.bare)} requests/s`);
    pairs.push(rates);
  }
  return pairs;
}

/** As Prometheus does it. */
async function scrape(installation: Installation): Promise<void> {
  const headers = { accept: 'application/openmetrics-text; version=1.0.0' };
  await Promise.all(
    (await installation.healthPorts()).map(async (port) =>
      (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text(),
    ),
  );
}
