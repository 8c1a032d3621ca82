// `npm run switch -w deploy [-- values.yaml …]` installs values-tiny.yaml, whose services share two pods, and upgrades to one Deployment
// for each service and back while a writer and a reader go on. Lists what failed when, reads back every record that was answered 202, and
// prints the memory of each pod at rest and under load. WRITES_PER_SECOND, READS_PER_SECOND, LOAD_SECONDS; KEEP leaves the namespace,
// NAMESPACE names one that may be there already.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { readArguments, SERVICES } from './arguments.ts';
import { check, conclude } from './checks.ts';
import { say } from './commands.ts';
import { latencyOf, type Phase, reportPhases } from './phases.ts';
import { reportMemory } from './pod-memory.ts';
import { CHART, RELEASE, Release } from './release.ts';
import { Traffic } from './traffic.ts';

const { WRITES_PER_SECOND = 50, READS_PER_SECOND = 5, LOAD_SECONDS = 60, KEEP, NAMESPACE } = process.env;
const RATES = { writesPerSecond: Number(WRITES_PER_SECOND), readsPerSecond: Number(READS_PER_SECOND) };
const SETTINGS = ['gateway.rateLimit.requests=0', 'limits.rowsPerSourcePerDay=0'];
const TINY = path.join(CHART, 'values-tiny.yaml');
const READY_SECONDS = 300;
const REST_MS = 30_000;
const CALM_MS = 10_000;
const ARRIVAL_MS = 120_000;
const SOURCES = 10;

const { values } = readArguments(process.argv.slice(2));
const release = new Release(NAMESPACE ?? `catchment-${Date.now().toString(36)}`, values);

/** Writes the same with every service in its own pods: other values of the servers would restart them, which are one of each kind. */
async function eachApart(folder: string): Promise<string> {
  const { processes: _processes, ...others } = parse(await readFile(TINY, 'utf8'));
  const file = path.join(folder, 'each.yaml');
  await writeFile(file, stringify(others));
  return file;
}

async function upgrade(to: string, further: readonly string[] = []): Promise<void> {
  await release.apply([...SETTINGS, ...further], [to]);
  await release.waitReady(READY_SECONDS);
}

/** Lists the deployments of services, without the name of the release. */
async function deployments(): Promise<string> {
  const names = await release.kubectl('get', 'deployment', '--output', 'jsonpath={.items[*].metadata.name}');
  return names.replaceAll(`${RELEASE}-`, '').split(' ').sort().join(' ');
}

const SHARED = 'core front';
const APART = [...SERVICES].sort().join(' ');

async function run(each: string): Promise<void> {
  await upgrade(TINY);
  say(`two Deployments in ${release.namespace}`);
  await wait(REST_MS);
  await reportMemory(release, 'at rest');
  const traffic = new Traffic({ url: await release.url(), key: await release.key() });
  await traffic.prepare('io.svc.models.node', SOURCES);
  const running = traffic.run(RATES);
  const phases: Phase[] = [];
  const phase = async (what: string, disturb: () => Promise<unknown>) => {
    // No request is between two of them.
    const beganMs = phases.at(-1)?.endedMs ?? Date.now();
    say(what);
    await disturb();
    await wait(CALM_MS);
    phases.push({ of: { what }, beganMs, endedMs: Date.now() });
  };
  const load = async (on: string) => {
    await wait(Number(LOAD_SECONDS) * 1_000);
    await reportMemory(release, `under load, ${on}`);
  };
  try {
    await phase('load', () => load('two Deployments'));
    await phase('upgrade to a Deployment for each service', () => upgrade(each));
    check('each service has its own pods', (await deployments()) === APART, await deployments());
    await phase('load on them', () => load('each apart'));
    await phase('upgrade back to two Deployments', () => upgrade(TINY));
    check('the services share two pods', (await deployments()) === SHARED, await deployments());
    await phase('an upgrade that changes a setting', () => upgrade(TINY, ['logLevel=warn']));
  } finally {
    traffic.stop();
  }
  await running;
  const missing = await traffic.missing(ARRIVAL_MS);
  const failed = reportPhases(phases, traffic);
  say(`99 % of the writes within ${latencyOf(traffic, 0.99, phases)}; ${traffic.reads} reads`);
  check(
    'no request failed',
    failed === 0,
    `${failed} of ${traffic.writes + traffic.reads}; ${traffic.repeated} sent again`,
  );
  check('no record is lost', missing === 0, `${missing} of ${traffic.writes}`);
  const restarts = await release.restarts();
  check('no pod was restarted', restarts.length === 0, restarts.join(' '));
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'switch-'));
try {
  await run(await eachApart(folder));
} catch (error) {
  check('everything could be tried', false, String(error));
} finally {
  await rm(folder, { recursive: true });
  if (!KEEP) await release.remove();
}
conclude();
