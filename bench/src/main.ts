import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { type Installation, PROCESSES, type Processes, startInstallation } from './installation.ts';
import { measureCalls } from './measure-calls.ts';
import { measureCharts } from './measure-charts.ts';
import { measureConsole } from './measure-console.ts';
import { measureDashboard } from './measure-dashboard.ts';
import { measureEvaluation } from './measure-evaluation.ts';
import { measureEvents } from './measure-events.ts';
import { measureFairness } from './measure-fairness.ts';
import { measureFiles } from './measure-files.ts';
import { measureFormats } from './measure-formats.ts';
import { measureLag } from './measure-lag.ts';
import { measureLimitedReads } from './measure-limited-reads.ts';
import { MACHINE_ENV, measureMachine } from './measure-machine.ts';
import { measureMemory } from './measure-memory.ts';
import { MODEMS_ENV, measureModems } from './measure-modems.ts';
import { MQTT_ENV, measureMqtt } from './measure-mqtt.ts';
import { measureNodeLines } from './measure-node-lines.ts';
import { measureNodes } from './measure-nodes.ts';
import { measureOutdated } from './measure-outdated.ts';
import { measurePods, PODS_ENV } from './measure-pods.ts';
import { measureProcesses } from './measure-processes.ts';
import { measureProcessing } from './measure-processing.ts';
import { measurePromises } from './measure-promises.ts';
import { measurePublic } from './measure-public.ts';
import { measurePush, PUSH_ENV } from './measure-push.ts';
import { measureReads } from './measure-reads.ts';
import { measureReports, REPORTS_ENV } from './measure-reports.ts';
import { measureSchedules } from './measure-schedules.ts';
import { measureShards, SHARDS_ARGS } from './measure-shards.ts';
import { measureSizes } from './measure-sizes.ts';
import { measureTelemetry } from './measure-telemetry.ts';
import { measureWay, measureWrites } from './measure-writes.ts';
import { atLeastOfFloor, markdown, type Row } from './report.ts';

/** Least share of the rate at log level `warn`. */
const LEAST_OF_QUIET = 0.95;
const NOW_WRITES = 'single now writes, 16 connections';

const PARTS = [
  'writes',
  'reads',
  'limited-reads',
  'formats',
  'charts',
  'reports',
  'nodes',
  'node-lines',
  'promises',
  'shards',
  'fairness',
  'lag',
  'memory',
  'machine',
  'pods',
  'outdated',
  'evaluation',
  'events',
  'push',
  'processing',
  'schedules',
  'mqtt',
  'modems',
  'files',
  'dashboard',
  'console',
  'telemetry',
  'sizes',
  'processes',
  'calls',
] as const;
type Part = (typeof PARTS)[number];
type Options = {
  processes?: Processes;
  json?: string;
  durableNats?: string;
  scale: string;
  seconds: string;
  only?: Part;
  scenario: string;
};

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
  .option('--seconds <number>', 'how long modems and clients of MQTT send', '60')
  .option('--scenario <text>', 'only ways of writing whose name has this text, and no log levels', '')
  .addOption(
    new Option(
      '--processes <number>',
      'of the services, of the parts `lag` (default: 1 and each), `modems` and `mqtt` (default: each)',
    ).choices(PROCESSES),
  )
  .addOption(new Option('--only <part>', 'that part alone').choices(PARTS))
  .parse();
const options = program.opts<Options>();

const scale = Number(options.scale);
const named = options.scenario;
const inProcesses = options.processes ? { processes: options.processes } : {};
const parts: Record<Part, () => Promise<Row[]>> = {
  writes,
  reads: () => measured('Reads', measureReads),
  'limited-reads': () => measured('Reads by limit', measureLimitedReads),
  formats: () => measured('Formats of answers', measureFormats),
  charts: () => measured('Charts', measureCharts),
  reports: () => measured('Reports', measureReports, { env: REPORTS_ENV }),
  nodes: () => measured('Nodes (a million are written first)', measureNodes),
  'node-lines': () => measured('Search and tree of the console, 50 000 nodes', measureNodeLines),
  promises: () => measured('When changes take effect', measurePromises),
  shards: () => measured('One of two InfluxDBs hangs', measureShards, { args: SHARDS_ARGS }),
  fairness: () => measured('Fairness', measureFairness),
  lag,
  memory: () => measured('Memory', measureMemory),
  machine: () => measured('One machine', measureMachine, { processes: '1', env: MACHINE_ENV }),
  pods: () => measured('Memory of pods under loads of devices', measurePods, { env: PODS_ENV }),
  outdated: () => measured('Outdated sources', measureOutdated),
  evaluation: () => apart('Evaluation', measureEvaluation),
  events: () => measured('Events', measureEvents),
  push: async () => [
    ...(await measured('Push', measurePush, { env: PUSH_ENV })),
    ...(await measured('Public pages', measurePublic)),
  ],
  processing: () => measured('Programs', measureProcessing),
  schedules: () => measured('Schedules', measureSchedules),
  mqtt: () => measured('MQTT, class accepted', mqtt, { ...inProcesses, env: MQTT_ENV }),
  modems: () => measured('Modems, class accepted', modems, { ...inProcesses, env: MODEMS_ENV }),
  files: () => measured('Files, class accepted', measureFiles),
  dashboard: () => apart('Dashboard in a browser', measureDashboard),
  console: () => measured('The console in a browser, 50 000 nodes', measureConsole, { processes: '1' }),
  telemetry: () => apart('Telemetry', () => measureTelemetry(scale)),
  sizes: () => measured('Sizes', measureSizes),
  processes: () => apart('Processes of the services', () => measureProcesses(scale)),
  calls: () => apart('Calls inside a process, processor time of both sides', () => measureCalls(scale)),
};

const mqtt = (installation: Installation) => measureMqtt(installation, scale, Number(options.seconds));
const modems = (installation: Installation) => measureModems(installation, scale, Number(options.seconds));

const rows: Row[] = [];
for (const part of PARTS) if (options.only === undefined || options.only === part) rows.push(...(await parts[part]()));
if (options.json) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);
if (rows.some((row) => row.holds === false)) process.exitCode = 1;

async function measured(
  title: string,
  measure: (installation: Installation, scale: number) => Promise<Row[]>,
  settings: Parameters<typeof startInstallation>[0] = {},
): Promise<Row[]> {
  console.log(`${title}: starting`);
  const installation = await startInstallation(settings);
  try {
    const found = await measure(installation, scale);
    console.log(`\n${markdown(title, found)}\n`);
    return found;
  } finally {
    await installation.stop();
  }
}

/** With all services in one process, and with one process for each. */
async function lag(): Promise<Row[]> {
  const choices: readonly Processes[] = options.processes === undefined ? ['1', 'each'] : [options.processes];
  const rows: Row[] = [];
  for (const processes of choices)
    rows.push(...(await measured(`Neighbours of long work, --processes ${processes}`, measureLag, { processes })));
  return rows;
}

/** Without an installation. */
async function apart(title: string, measure: () => Promise<Row[]>): Promise<Row[]> {
  console.log(`${title}: starting`);
  const found = await measure();
  console.log(`\n${markdown(title, found)}\n`);
  return found;
}

async function writes(): Promise<Row[]> {
  const found = await measured('Writes, class accepted', (installation) =>
    measureWrites(installation, 'accepted', { scale, named }),
  );
  if (named === '') found.push(...(await logLevels()));
  const { durableNats: natsBinary } = options;
  if (natsBinary === undefined)
    console.log('No class durable: give a nats-server 2.10 or newer with --durable-nats or DURABLE_NATS_BINARY.');
  else
    found.push(
      ...(await measured(
        'Writes, class durable',
        (installation) => measureWrites(installation, 'durable', { scale, named }),
        {
          natsBinary,
        },
      )),
    );
  return found;
}

/** Now writes at the default log level beside those of an installation that logs warnings only. */
async function logLevels(): Promise<Row[]> {
  let quiet = 0;
  await measured('Log level warn', async (installation) => {
    quiet = (await measureWay(installation, scale, NOW_WRITES)).requestsPerSecond;
    return [];
  });
  const name = 'single now writes, 16 connections, at the default log level, beside those at level warn';
  const row = async (installation: Installation) => {
    const { requestsPerSecond } = await measureWay(installation, scale, NOW_WRITES);
    return [atLeastOfFloor(name, requestsPerSecond, 'requests/s', quiet, LEAST_OF_QUIET)];
  };
  return measured('Default log level', row, { env: { LOG_LEVEL: 'info' } });
}
