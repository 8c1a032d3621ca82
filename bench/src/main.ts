import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { influxFloor } from './influx-floor.ts';
import { startInstallation } from './installation.ts';
import { fairnessMarkdown, measureFairness } from './measure-fairness.ts';
import { measureLimitedReads } from './measure-limited-reads.ts';
import { measureMemory } from './measure-memory.ts';

import { measureNodes, nodesMarkdown } from './measure-nodes.ts';
import { measureReads, readsMarkdown } from './measure-reads.ts';
import { measureWrites } from './measure-writes.ts';
import { type Column, markdown, type Row, rowsOf } from './report.ts';
import { writeScenarios } from './write-scenarios.ts';

const FLOOR_POINTS = 1_000_000;
const FLOOR_SERIES = 40;

const PARTS = ['writes', 'reads', 'limited-reads', 'nodes', 'fairness', 'memory'] as const;
type Part = (typeof PARTS)[number];
type Options = { json?: string; durableNats?: string; scale: string; only?: Part };

const program = new Command('bench')
  .description(
    'write rates against InfluxDB’s own floor, until the last record is readable, and reads beside InfluxDB’s own; everything on this machine',
  )
  .option('--json <file>', 'also write the rows {name, value, unit, ratio, bar, holds} to this file')
  .option(
    '--durable-nats <file>',
    'nats-server 2.10 or newer for class durable (sync_interval: always)',
    process.env.DURABLE_NATS_BINARY,
  )
  .option('--scale <number>', 'share of the usual number of requests', '1')
  .addOption(new Option('--only <part>', 'that part alone').choices(PARTS))
  .parse();
const options = program.opts<Options>();

const rows: Row[] = [];
const isWanted = (part: Part) => options.only === undefined || options.only === part;
if (isWanted('writes')) rows.push(...(await writes()));
if (isWanted('reads')) rows.push(...(await reads('Reads', measureReads)));
if (isWanted('limited-reads')) rows.push(...(await reads('Reads by limit', measureLimitedReads)));
if (isWanted('nodes')) rows.push(...(await nodes()));
if (isWanted('fairness')) rows.push(...(await fairness()));
if (isWanted('memory')) rows.push(...(await memory()));
if (options.json) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);
if (rows.some((row) => row.holds === false)) process.exitCode = 1;

async function writes(): Promise<Row[]> {
  const columns: Column[] = [await measure('accepted')];
  if (options.durableNats) columns.push(await measure('durable', options.durableNats));
  else console.log('No class durable: give a nats-server 2.10 or newer with --durable-nats or DURABLE_NATS_BINARY.');
  console.log(`\n${markdown(columns)}`);
  return rowsOf(columns);
}

async function reads(title: string, measure: typeof measureReads): Promise<Row[]> {
  console.log(`${title}: starting`);
  const installation = await startInstallation({});
  try {
    const measured = await measure(installation, Number(options.scale));
    console.log(`\n${readsMarkdown(measured)}`);
    return measured;
  } finally {
    await installation.stop();
  }
}

async function nodes(): Promise<Row[]> {
  console.log('Nodes: starting, and writing a million of them');
  const installation = await startInstallation({});
  try {
    const measured = await measureNodes(installation, Number(options.scale));
    console.log(`\n${nodesMarkdown(measured)}`);
    return measured;
  } finally {
    await installation.stop();
  }
}

async function fairness(): Promise<Row[]> {
  console.log('Fairness: starting');
  const installation = await startInstallation({});
  try {
    const measured = await measureFairness(installation, Number(options.scale));
    console.log(`\n${fairnessMarkdown(measured)}`);
    return measured;
  } finally {
    await installation.stop();
  }
}

async function memory(): Promise<Row[]> {
  console.log('Memory: starting');
  const installation = await startInstallation({});
  try {
    return await measureMemory(installation, Number(options.scale));
  } finally {
    await installation.stop();
  }
}

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
