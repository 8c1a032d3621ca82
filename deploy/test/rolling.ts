// `npm run traffic -w deploy -- IMAGE_TAG … [values.yaml …]` runs two replicas of everything, a writer and a reader, and meanwhile upgrades
// to an image with each tag, evicts a pod of each service, and deletes the NATS pod and the InfluxDB pod. Lists what failed when. Four
// parameters cross a threshold and come back all the time, and their subscribers get mails: each change one mail and one event.
// WRITES_PER_SECOND, READS_PER_SECOND; KEEP leaves the namespace; FAILURES_FILE takes every failed request as JSON, LATENCIES_FILE every
// write with its time and duration.
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Alarms } from './alarms.ts';
import { readArguments, SERVICES, TWO_REPLICAS } from './arguments.ts';
import { say } from './commands.ts';
import { latencyOf, type Phase, type PhaseOf, reportPhases } from './phases.ts';
import { RELEASE, Release } from './release.ts';
import { Traffic } from './traffic.ts';
import { VersionWatch } from './version-watch.ts';

const REPLICAS_AND_LIMITS = [...TWO_REPLICAS, 'gateway.rateLimit.requests=0', 'limits.rowsPerSourcePerDay=0'];
const { WRITES_PER_SECOND = 200, READS_PER_SECOND = 10, KEEP, FAILURES_FILE, LATENCIES_FILE } = process.env;
const RATES = { writesPerSecond: Number(WRITES_PER_SECOND), readsPerSecond: Number(READS_PER_SECOND) };
const SOURCES = 10;
const READY_SECONDS = 240;
/** Two disturbances have this pause between them, so that each failure has one cause. */
const CALM_MS = 5_000;
const ARRIVAL_MS = 120_000;
/**
 * Messages that a process had in hand when it ended come again within this time: acknowledgements are waited for two
 * minutes.
 */
const AGAIN_MS = 130_000;
/**
 * 99 % of the writes take no longer while every part has another pod. While the only server of its kind is away they
 * wait for it.
 */
const MAX_P99_MS = 1_000;

const { values, words: tags } = readArguments(process.argv.slice(2));
if (tags.length === 0) throw new Error('usage: npm run traffic -w deploy -- IMAGE_TAG … [values.yaml …]');
const release = new Release(`catchment-${Date.now().toString(36)}`, values);
const alarms = await Alarms.listening(await release.nodeAddress());
const settings = [...REPLICAS_AND_LIMITS, ...alarms.settings];

type Step = PhaseOf & { readonly disturb: () => Promise<unknown> };

const STEPS: readonly Step[] = [
  { what: 'calm', disturb: () => wait(10_000) },
  ...tags.map((tag) => ({ what: `upgrade to the image ${tag}`, disturb: () => upgrade(tag) })),
  ...SERVICES.map((service) => ({ what: `one pod of ${service} evicted`, disturb: () => evictPod(service) })),
  { what: 'the NATS pod deleted', disturb: () => deletePod('nats'), single: true },
  { what: 'the InfluxDB pod deleted', disturb: () => deletePod('influxdb'), single: true },
];

async function upgrade(tag: string): Promise<void> {
  const watch = new VersionWatch(release);
  try {
    await release.apply([...settings, `image.tag=${tag}`]);
    await release.waitReady(READY_SECONDS);
  } finally {
    say(`  ${await watch.stop(tag)}`);
  }
}

const podOf = (component: string): Promise<string> => {
  const first = ['--output', 'jsonpath={.items[0].metadata.name}'];
  return release.kubectl('get', 'pods', '--selector', `app.kubernetes.io/component=${component}`, ...first);
};

async function deletePod(component: string): Promise<void> {
  await release.kubectl('delete', 'pod', await podOf(component), '--wait=true');
}

/** Evicts a pod as a drain of its node does. */
async function evictPod(component: string): Promise<void> {
  const name = await podOf(component);
  await release.evict(name);
  await release.kubectl('wait', '--for=delete', `pod/${name}`, '--timeout=120s');
}

async function disturbAll(): Promise<Phase[]> {
  const phases: Phase[] = [];
  for (const step of STEPS) {
    const beganMs = Date.now();
    say(step.what);
    await step.disturb();
    await release.waitReady(READY_SECONDS);
    await wait(CALM_MS);
    phases.push({ of: step, beganMs, endedMs: Date.now() });
  }
  return phases;
}

const secrets = async () => JSON.stringify([await release.secret(`${RELEASE}-generated`), await release.key()]);

async function run(): Promise<boolean> {
  await release.apply(settings);
  await release.waitReady(READY_SECONDS);
  say(`two replicas of every service in ${release.namespace}`);
  const before = await secrets();
  const access = { url: await release.url(), key: await release.key() };
  const traffic = new Traffic(access);
  await Promise.all([traffic.prepare('io.svc.models.node', SOURCES), alarms.prepare(access)]);
  const running = Promise.all([traffic.run(RATES), alarms.run()]);
  const beganMs = Date.now();
  const phases = await disturbAll().finally(() => {
    traffic.stop();
    alarms.stop();
  });
  const seconds = (Date.now() - beganMs) / 1_000;
  await running;
  if (FAILURES_FILE) await writeFile(FAILURES_FILE, JSON.stringify(traffic.failures));
  if (LATENCIES_FILE) await writeFile(LATENCIES_FILE, JSON.stringify(traffic.durations));
  const missing = await traffic.missing(ARRIVAL_MS);
  const notified = await alarms.notified(ARRIVAL_MS, AGAIN_MS);
  const redundant = phases.filter(({ of }) => !of.single);
  const slowestMs = traffic.latencyMs(0.99, redundant);
  const unexplained = reportPhases(phases, traffic);
  const sent = traffic.writes + traffic.failures.filter(({ what }) => what === 'write').length;
  say(`${sent} writes in ${seconds.toFixed(0)} s, ${(sent / seconds).toFixed(0)}/s`);
  say(`${traffic.writes} records answered 202 (99 % within ${latencyOf(traffic, 0.99, phases)}), ${missing} lost`);
  say(`99 % of the writes while there was another pod: ${slowestMs.toFixed(0)} ms (${MAX_P99_MS})`);
  say(`${traffic.reads} reads; ${traffic.repeated} requests sent again, as their kept connection was closed`);
  say(`${unexplained} requests failed while there was another pod`);
  say(`${notified.changes} changes of states, ${notified.mails} mails, ${notified.repeated} again with the same id`);
  for (const fault of notified.faults) say(`  ${fault}`);
  say(`restarts: ${(await release.restarts()).join(' ') || 'none'}`);
  const isSame = (await secrets()) === before;
  say(`secrets and key are ${isSame ? 'the same' : 'OTHERS'}`);
  return missing === 0 && unexplained === 0 && notified.faults.length === 0 && isSame && slowestMs <= MAX_P99_MS;
}

let isGood = false;
try {
  isGood = await run();
} finally {
  await alarms.close();
  if (!KEEP) await release.remove();
}
process.exitCode = isGood ? 0 : 1;
