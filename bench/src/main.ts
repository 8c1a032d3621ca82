import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { type Installation, PROCESSES, type Processes, startInstallation } from './installation.ts';
import { atLeastOfFloor, markdown, type Row } from './report.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import { measureWay, measureWrites } from './writes/measure-writes.ts';

/** The rate at log level `warn` must have at least this share. */
const LEAST_OF_QUIET = 0.95;
const NOW_WRITES = 'single now writes, 16 connections';

const PARTS = ['writes', ...(Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[])] as const;
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
      'of the services, of the parts `lag` and `events` (default: 1 and each), `writes`, `modems` and `mqtt` (default: each)',
    ).choices(PROCESSES),
  )
  .addOption(new Option('--only <part>', 'that part alone').choices(PARTS))
  .parse();
const options = program.opts<Options>();

const scale = Number(options.scale);
const named = options.scenario;
const rows: Row[] = [];
for (const part of PARTS)
  if (options.only === undefined || options.only === part) {
    if (part === 'writes') rows.push(...(await writes()));
    else for (const scenario of SCENARIOS[part]) rows.push(...(await found(scenario)));
  }
if (options.json) await writeFile(options.json, `${JSON.stringify(rows, null, 2)}\n`);
if (rows.some((row) => row.holds === false)) process.exitCode = 1;

function measured(
  title: string,
  measure: (installation: Installation) => Promise<Row[]>,
  settings: Parameters<typeof startInstallation>[0] = {},
): Promise<Row[]> {
  return shown(title, async () => {
    const installation = await startInstallation(settings);
    try {
      return await measure(installation);
    } finally {
      await installation.stop();
    }
  });
}

async function shown(title: string, measure: () => Promise<Row[]>): Promise<Row[]> {
  console.log(`${title}: starting`);
  const rows = await measure();
  console.log(`\n${markdown(title, rows)}\n`);
  return rows;
}

async function found(scenario: Scenario): Promise<Row[]> {
  if ('apart' in scenario) return shown(scenario.title, () => scenario.apart(scale));
  const { title, measure, settings, processes } = scenario;
  const run = (installation: Installation) => measure(installation, scale, Number(options.seconds));
  if (processes === undefined) return measured(title, run, settings);
  const rows: Row[] = [];
  for (const number of options.processes === undefined ? processes : [options.processes])
    rows.push(...(await measured(`${title}, --processes ${number}`, run, { ...settings, processes: number })));
  return rows;
}

async function writes(): Promise<Row[]> {
  const { processes } = options;
  const shared = { ...(processes !== undefined && { processes }) };
  const suffix = processes === undefined ? '' : `, --processes ${processes}`;
  const found = await measured(
    `Writes, class accepted${suffix}`,
    (installation) => measureWrites(installation, 'accepted', { scale, named }),
    shared,
  );
  if (named === '') found.push(...(await logLevels()));
  const { durableNats: natsBinary } = options;
  if (natsBinary === undefined)
    console.log('No class durable: give a nats-server 2.10 or newer with --durable-nats or DURABLE_NATS_BINARY.');
  else
    found.push(
      ...(await measured(
        `Writes, class durable${suffix}`,
        (installation) => measureWrites(installation, 'durable', { scale, named }),
        { natsBinary, ...shared },
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
