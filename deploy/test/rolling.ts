// `npm run deploy:traffic -- IMAGE_TAG … [values.yaml …]`: two replicas of everything, a writer and a reader, and meanwhile an upgrade to
// an image with each tag, the deletion of a pod of each service, of the NATS pod and of the InfluxDB pod. Lists what failed when.
// WRITES_PER_SECOND, READS_PER_SECOND; KEEP leaves the namespace; FAILURES_FILE takes every failed request as JSON,
// LATENCIES_FILE every write with its time and duration.
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { readArguments, SERVICES, TWO_REPLICAS } from './arguments.ts';
import { say } from './commands.ts';
import { RELEASE, Release } from './release.ts';
import { type Failure, Traffic } from './traffic.ts';
import { VersionWatch } from './version-watch.ts';

const SETTINGS = [...TWO_REPLICAS, 'gateway.rateLimit.requests=0', 'limits.rowsPerSourcePerDay=0'];
const { WRITES_PER_SECOND = 200, READS_PER_SECOND = 10, KEEP, FAILURES_FILE, LATENCIES_FILE } = process.env;
const RATES = { writesPerSecond: Number(WRITES_PER_SECOND), readsPerSecond: Number(READS_PER_SECOND) };
const SOURCES = 10;
const READY_SECONDS = 240;
/** Between two disturbances, so that each failure has one cause. */
const CALM_MS = 5_000;
const ARRIVAL_MS = 120_000;
/** 99 % of the writes take no longer while every part has another pod. Where the one server of its kind is away they wait for it. */
const MAX_P99_MS = 1_000;
/** The machine may let this process stand still for long, and everything else with it. */
const STALL_MS = 3_000;

const { values, words: tags } = readArguments(process.argv.slice(2));
if (tags.length === 0) throw new Error('usage: npm run deploy:traffic -- IMAGE_TAG … [values.yaml …]');
const release = new Release(`catchment-${Date.now().toString(36)}`, values);

/** `single`: the one server of its kind is away for a moment, requests may fail. */
type Step = { readonly what: string; readonly disturb: () => Promise<unknown>; readonly single?: true };

const STEPS: readonly Step[] = [
  { what: 'calm', disturb: () => wait(10_000) },
  ...tags.map((tag) => ({ what: `upgrade to the image ${tag}`, disturb: () => upgrade(tag) })),
  ...SERVICES.map((service) => ({ what: `one pod of ${service} deleted`, disturb: () => deletePod(service) })),
  { what: 'the NATS pod deleted', disturb: () => deletePod('nats'), single: true },
  { what: 'the InfluxDB pod deleted', disturb: () => deletePod('influxdb'), single: true },
];

async function upgrade(tag: string): Promise<void> {
  const watch = new VersionWatch(release);
  try {
    await release.apply([...SETTINGS, `image.tag=${tag}`]);
    await release.waitReady(READY_SECONDS);
  } finally {
    say(`  ${await watch.stop(tag)}`);
  }
}

async function deletePod(component: string): Promise<void> {
  const first = ['--output', 'jsonpath={.items[0].metadata.name}'];
  const name = await release.kubectl('get', 'pods', '--selector', `app.kubernetes.io/component=${component}`, ...first);
  await release.kubectl('delete', 'pod', name, '--wait=true');
}

function countByStatus(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { what, status } of failures) counts.set(`${what} ${status}`, (counts.get(`${what} ${status}`) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} ×${count}`).join(', ') || 'none failed';
}

const latencyOf = (traffic: Traffic, quantile: number, phases: readonly Phase[]): string =>
  `${traffic.latencyMs(quantile, phases).toFixed(0)} ms`;

type Phase = { readonly step: Step; readonly beganMs: number; readonly endedMs: number };

async function disturbAll(): Promise<Phase[]> {
  const phases: Phase[] = [];
  for (const step of STEPS) {
    const beganMs = Date.now();
    say(step.what);
    await step.disturb();
    await release.waitReady(READY_SECONDS);
    await wait(CALM_MS);
    phases.push({ step, beganMs, endedMs: Date.now() });
  }
  return phases;
}

/** Each phase with the requests that were sent in it and failed. @returns how many failed though there was another pod */
function report(phases: readonly Phase[], traffic: Traffic): number {
  const { failures, stalls } = traffic;
  const long = stalls.filter(({ fromMs, toMs }) => toMs - fromMs > STALL_MS);
  const isStalled = ({ atMs, durationMs }: Failure) =>
    long.some(({ fromMs, toMs }) => atMs < toMs + STALL_MS && atMs + durationMs > fromMs);
  let unexplained = 0;
  for (const phase of phases) {
    const { step, beganMs, endedMs } = phase;
    const own = failures.filter(({ atMs }) => atMs >= beganMs && atMs < endedMs);
    const stalled = own.filter(isStalled);
    const others = own.filter((failure) => !isStalled(failure));
    if (!step.single) unexplained += others.length;
    const also = stalled.length > 0 ? `; while this machine stood still: ${countByStatus(stalled)}` : '';
    const latency = `median ${latencyOf(traffic, 0.5, [phase])}, 99 % ${latencyOf(traffic, 0.99, [phase])}`;
    say(`${step.what}: ${((endedMs - beganMs) / 1_000).toFixed(0)} s; ${latency}; ${countByStatus(others)}${also}`);
  }
  for (const { fromMs, toMs } of long)
    say(
      `stood still from ${new Date(fromMs).toISOString().slice(11, 19)} for ${((toMs - fromMs) / 1_000).toFixed(0)} s`,
    );
  return unexplained;
}

const secrets = async () => JSON.stringify([await release.secret(`${RELEASE}-generated`), await release.key()]);

async function run(): Promise<boolean> {
  await release.apply(SETTINGS);
  await release.waitReady(READY_SECONDS);
  say(`two replicas of every service in ${release.namespace}`);
  const before = await secrets();
  const traffic = new Traffic({ url: await release.url(), key: await release.key() });
  await traffic.prepare('io.svc.models.node', SOURCES);
  const running = traffic.run(RATES);
  const beganMs = Date.now();
  const phases = await disturbAll().finally(() => traffic.stop());
  const seconds = (Date.now() - beganMs) / 1_000;
  await running;
  if (FAILURES_FILE) await writeFile(FAILURES_FILE, JSON.stringify(traffic.failures));
  if (LATENCIES_FILE) await writeFile(LATENCIES_FILE, JSON.stringify(traffic.durations));
  const missing = await traffic.missing(ARRIVAL_MS);
  const redundant = phases.filter(({ step }) => !step.single);
  const slowestMs = traffic.latencyMs(0.99, redundant);
  const unexplained = report(phases, traffic);
  const sent = traffic.writes + traffic.failures.filter(({ what }) => what === 'write').length;
  say(`${sent} writes in ${seconds.toFixed(0)} s, ${(sent / seconds).toFixed(0)}/s`);
  say(`${traffic.writes} records answered 202 (99 % within ${latencyOf(traffic, 0.99, phases)}), ${missing} lost`);
  say(`99 % of the writes while there was another pod: ${slowestMs.toFixed(0)} ms (${MAX_P99_MS})`);
  say(`${traffic.reads} reads; ${traffic.repeated} requests sent again, as their kept connection was closed`);
  say(`${unexplained} requests failed while there was another pod`);
  say(`restarts: ${(await release.restarts()).join(' ') || 'none'}`);
  const isSame = (await secrets()) === before;
  say(`secrets and key are ${isSame ? 'the same' : 'OTHERS'}`);
  return missing === 0 && unexplained === 0 && isSame && slowestMs <= MAX_P99_MS;
}

let isGood = false;
try {
  isGood = await run();
} finally {
  if (!KEEP) await release.remove();
}
process.exitCode = isGood ? 0 : 1;
