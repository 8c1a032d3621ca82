// `npm run test:clusters -w e2e` takes servers of a NATS cluster and of a PostgreSQL with a standby away from a running installation.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { removeDataFolder, temporaryDataFolder } from '@catchment/testkit';
import { Traffic } from '../../../deploy/test/traffic.ts';
import { MODEL } from '../api.ts';
import { type Backends, startBackends, untilCurrent } from './backends.ts';
import { type Finding, Replicas } from './replicas.ts';
import { CALM_MS, STEPS, type Step } from './steps.ts';
import { Switch } from './switch.ts';

const HELP = `npm run test:clusters -w e2e -- [options]

Starts three NATS servers as a cluster, PostgreSQL with a synchronous standby behind one name, and Catchment with two processes of each
service on them. First with one copy of each stream, then with three, which NATS makes of the one. Under steady writes and reads it then
kills, restarts and fails over the servers, and prints how long nothing was answered. Ends with status 0 when every record that was
answered 202 is there, each change of state gave one event, and no limit was exceeded. Takes about eight minutes.

  --only <names>      steps with commas: ${STEPS.map(({ name }) => name).join(', ')}
  --nats-binary <f>   nats-server instead of the machine's (NATS_BINARY)
  --replicas <n>      processes of each service, 1 or 2 (default 2)
  --keep-logs         leaves the data folder with the logs of the services, and prints its name
  --help
`;

const RATES = { writesPerSecond: 10, readsPerSecond: 3 };
const SOURCES = 4;
const ARRIVAL_MS = 60_000;
/** Messages that a server took along when it ended come again after 30 s; a partition waits for them. */
const SHOWN_LIMIT_MS = 45_000;

const WELL_LIMIT_MS = 30_000;

type Row = {
  readonly step: Step;
  readonly seconds: number;
  readonly writesMs: number;
  readonly readsMs: number;
  readonly shownMs: number;
  readonly refused: string;
  readonly faults: readonly string[];
};

const beganMs = performance.now();
const say = (line: string) =>
  process.stdout.write(`${String(Math.round((performance.now() - beganMs) / 1_000)).padStart(6)} s  ${line}\n`);

/** Starts a writer and a reader through each gateway. */
async function startTraffic(replicas: Replicas): Promise<{ all: readonly Traffic[]; stop: () => Promise<void> }> {
  const all = replicas.installations.map(({ api: { url, key } }) => new Traffic({ url, key }));
  for (const traffic of all) await traffic.prepare(MODEL, SOURCES);
  const running = all.map((traffic) => traffic.run(RATES));
  const stop = async () => {
    for (const traffic of all) traffic.stop();
    await Promise.all(running);
  };
  return { all, stop };
}

/** Runs one process that is queried while servers come and go: an answer other than expected is a fault. */
async function runStep(
  step: Step,
  scene: { backends: Backends; replicas: Replicas; traffic: readonly Traffic[]; toggle: Switch },
): Promise<Row> {
  const { backends, replicas, traffic, toggle } = scene;
  const faults: string[] = [];
  const began = Date.now();
  const broken = async () => {
    const found = await replicas.findings();
    if (step.problem && !found.some(({ about, level }) => level === 'problem' && about.startsWith(step.problem ?? '')))
      faults.push(`doctor reports no problem of ${step.problem}`);
    say(`  doctor: ${found.map(({ about, says }) => `${about} ${says}`).join('; ') || 'nothing is wrong'}`);
    await delay(CALM_MS);
  };
  await step.run({ backends, copies: 3, broken });
  const shownMs = await toggle.shownAfterMs(SHOWN_LIMIT_MS).catch((error: Error) => {
    faults.push(error.message);
    return Number.NaN;
  });
  await delay(CALM_MS);
  const phase = { beganMs: began, endedMs: Date.now() };
  const left = await problemsLeft(replicas);
  for (const { about, says } of left) faults.push(`doctor afterwards: ${about} ${says}`);
  const writesMs = Math.max(...traffic.map((run) => run.silenceMs('write', phase)));
  const readsMs = Math.max(...traffic.map((run) => run.silenceMs('read', phase)));
  if (writesMs > step.limits.writesMs) faults.push(`no write was answered for ${writesMs} ms`);
  if (readsMs > step.limits.readsMs) faults.push(`no read was answered for ${readsMs} ms`);
  const failures = traffic.flatMap((run) => run.failures).filter(({ atMs }) => atMs >= phase.beganMs);
  const kinds = Map.groupBy(failures, ({ what, status }) => `${what} ${status}`);
  for (const [kind] of kinds) if (!/ 503\b/.test(kind)) faults.push(`a request failed otherwise: ${kind}`);
  const refused = [...kinds].map(([kind, found]) => `${found.length} × ${kind}`).join(', ') || 'none';
  return { step, seconds: (phase.endedMs - began) / 1_000, writesMs, readsMs, shownMs, refused, faults };
}

/**
 * Returns what `catchment doctor` has to say of the servers when all of them are back; a busy machine may delay a
 * check.
 */
async function problemsLeft(replicas: Replicas): Promise<readonly Finding[]> {
  const untilMs = performance.now() + WELL_LIMIT_MS;
  for (;;) {
    const left = (await replicas.findings()).filter(
      ({ about, level }) => level === 'problem' && /^(nats|stream|reader|postgresql|dead letters)/.test(about),
    );
    if (left.length === 0 || performance.now() > untilMs) return left;
  }
}

function table(rows: readonly Row[]): string {
  const time = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const lines = rows.map(
    ({ step, seconds, writesMs, readsMs, shownMs, refused }) =>
      `${step.name.padEnd(12)}${time(seconds * 1_000).padStart(9)}${time(writesMs).padStart(10)}${time(readsMs).padStart(10)}${time(shownMs).padStart(10)}   ${refused}`,
  );
  const head = `${'step'.padEnd(12)}${'takes'.padStart(9)}${'no write'.padStart(10)}${'no read'.padStart(10)}${'shown'.padStart(10)}   refused`;
  return [head, ...lines].join('\n');
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      'nats-binary': { type: 'string' },
      replicas: { type: 'string', default: '2' },
      'keep-logs': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const wanted = values.only?.split(',');
  const unknown = wanted?.filter((name) => !STEPS.some((step) => step.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`--only: there is no step ${unknown.join(', ')}; see --help`);
  if (values.replicas !== '1' && values.replicas !== '2') throw new Error('--replicas must be 1 or 2');
  const steps = STEPS.filter(({ name }) => wanted?.includes(name) ?? true);
  const faults: string[] = [];
  const rows: Row[] = [];
  const dataDir = await temporaryDataFolder();
  await using ending = new AsyncDisposableStack();
  if (values['keep-logs']) say(`data and logs are in ${dataDir}`);
  else ending.defer(() => removeDataFolder(dataDir));
  say('starting a NATS cluster, PostgreSQL with a standby, and Catchment with one copy of each stream');
  const backends = ending.adopt(await startBackends(values['nats-binary'] ?? process.env.NATS_BINARY), (all) =>
    all.stop(),
  );
  say(`NATS ${backends.nats.version}, PostgreSQL ${backends.postgres.primary.version}`);
  const replicas = ending.adopt(await Replicas.open(dataDir, backends, Number(values.replicas)), (all) => all.stop());
  await replicas.start(1);
  const before = await startTraffic(replicas);
  await delay(CALM_MS);
  await before.stop();
  say('services are started again with three copies of each stream');
  await replicas.stop();
  await replicas.start(3);
  await untilCurrent(backends.nats, 3);
  const [first] = replicas.installations;
  if (!first) throw new Error('nothing was started');
  const after = await startTraffic(replicas);
  const toggle = await Switch.start(first.api);
  await delay(CALM_MS);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  for (const step of steps) {
    if (stopping.signal.aborted) break;
    say(`${step.name}: ${step.what}`);
    const row = await runStep(step, { backends, replicas, traffic: after.all, toggle });
    for (const fault of row.faults) say(`  FAILED ${fault}`);
    rows.push(row);
  }
  await after.stop();
  await toggle.stop();
  const traffic = [...before.all, ...after.all];
  let missing = 0;
  for (const run of traffic) missing += await run.missing(ARRIVAL_MS);
  if (missing > 0) faults.push(`${missing} records that were answered 202 are lost`);
  const wrong = await toggle.faults();
  faults.push(...wrong.slice(0, 5));
  const written = traffic.reduce((sum, run) => sum + run.writes, 0);
  process.stdout.write(`\n${table(rows)}\n\n${written} records answered 202, ${missing} lost; `);
  process.stdout.write(`${toggle.written} changes of a state, ${wrong.length} without one event each\n`);
  for (const fault of faults) process.stdout.write(`FAILED ${fault}\n`);
  return rows.some((row) => row.faults.length > 0) || faults.length > 0 ? 1 : 0;
}

process.exitCode = await main();
