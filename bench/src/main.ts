import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { influxFloor } from './influx-floor.ts';
import { startInstallation } from './installation.ts';
import { measureWrites } from './measure-writes.ts';
import { type Column, markdown, rowsOf } from './report.ts';
import { writeScenarios } from './write-scenarios.ts';

const FLOOR_POINTS = 1_000_000;
const FLOOR_SERIES = 40;

type Options = { json?: string; durableNats?: string; scale: string };

const program = new Command('bench')
  .description(
    'write rates against InfluxDB’s own floor, everything on this machine, until the last record is readable',
  )
  .option('--json <file>', 'also write the rows {name, value, unit, ratio, bar, holds} to this file')
  .option(
    '--durable-nats <file>',
    'nats-server 2.10 or newer for class durable (sync_interval: always)',
    process.env.DURABLE_NATS_BINARY,
  )
  .option('--scale <number>', 'share of the usual number of requests', '1')
  .parse();
const options = program.opts<Options>();

const columns: Column[] = [await measure('accepted')];
if (options.durableNats) columns.push(await measure('durable', options.durableNats));
else console.log('No class durable: give a nats-server 2.10 or newer with --durable-nats or DURABLE_NATS_BINARY.');
console.log(`\n${markdown(columns)}`);
if (options.json) await writeFile(options.json, `${JSON.stringify(rowsOf(columns), null, 2)}\n`);
if (rowsOf(columns).some((row) => row.holds === false)) process.exitCode = 1;

async function measure(durability: Column['durability'], natsBinary?: string): Promise<Column> {
  console.log(`Class ${durability}: starting`);
  const installation = await startInstallation({ ...(natsBinary !== undefined && { natsBinary }) });
  try {
    const scale = Number(options.scale);
    const floor = await influxFloor(installation.servers.influx.url, {
      points: Math.ceil(FLOOR_POINTS * scale),
      series: FLOOR_SERIES,
    });
    console.log(`  floor: ${Math.round(floor.pointsPerSecond)} points/s`);
    const writes = [];
    for (const scenario of writeScenarios(scale)) {
      const measured = await measureWrites(installation, scenario);
      writes.push(measured);
      const ratio = measured.pointsPerSecond / floor.pointsPerSecond;
      console.log(
        `  ${scenario.name}: ${Math.round(measured.pointsPerSecond)} points/s, ratio ${ratio.toFixed(2)}, p99 ${measured.p99Ms.toFixed(1)} ms`,
      );
    }
    return { durability, broker: `NATS ${installation.servers.nats.version ?? 'by URL'}`, floor, writes };
  } finally {
    await installation.stop();
  }
}
