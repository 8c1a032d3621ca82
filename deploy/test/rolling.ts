// `node deploy/test/rolling.ts IMAGE_TAG [values.yaml …]`: two replicas of everything, a writer and a reader, and meanwhile an upgrade to
// an image with another tag, the deletion of a pod of each service, of the NATS pod and of the InfluxDB pod. Lists what failed when.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { say } from './commands.ts';
import { Release } from './release.ts';
import { type Failure, Traffic } from './traffic.ts';

const SERVICES = ['gateway', 'nodes', 'historic', 'alarms', 'events', 'devices', 'render'];
const TWO = [...SERVICES.map((service) => `${service}.replicas=2`), 'gateway.rateLimit.requests=0'];
const RATES = { writesPerSecond: Number(process.env.WRITES_PER_SECOND ?? 200), readsPerSecond: 10 };
const READY_SECONDS = 240;
/** Between two disturbances, so that failures can be told apart. */
const CALM_MS = 5_000;

const [tag, ...files] = process.argv.slice(2);
if (!tag) throw new Error('usage: rolling.ts IMAGE_TAG [values.yaml …]');
const values = files.length > 0 ? files : [path.join(import.meta.dirname, 'cluster-values.yaml')];
const release = new Release(`catchment-${Date.now().toString(36)}`, values);

const STEPS: [string, () => Promise<unknown>][] = [
  ['calm', () => wait(10_000)],
  [`upgrade to the image ${tag}`, () => release.apply([...TWO, `image.tag=${tag}`])],
  ...SERVICES.map((service): [string, () => Promise<unknown>] => [
    `one pod of ${service} deleted`,
    async () => deletePod(`app.kubernetes.io/component=${service}`),
  ]),
  ['the NATS pod deleted', () => deletePod('app.kubernetes.io/component=nats')],
  ['the InfluxDB pod deleted', () => deletePod('app.kubernetes.io/component=influxdb')],
];

async function deletePod(selector: string): Promise<void> {
  const name = await release.kubectl(
    'get',
    'pods',
    '--selector',
    selector,
    '--output',
    'jsonpath={.items[0].metadata.name}',
  );
  await release.kubectl('delete', 'pod', name, '--wait=true');
}

function countByStatus(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { what, status } of failures) counts.set(`${what} ${status}`, (counts.get(`${what} ${status}`) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} ×${count}`).join(', ') || 'none failed';
}

let isGood = false;
try {
  await release.apply(TWO);
  await release.waitReady(READY_SECONDS);
  say(`two replicas of every service in ${release.namespace}`);
  const traffic = new Traffic({ url: await release.url(), key: await release.key() });
  await traffic.prepare('io.svc.models.node', 10);
  const running = traffic.run(RATES);
  for (const [what, disturb] of STEPS) {
    const [failed, writes, began] = [traffic.failures.length, traffic.writes, Date.now()];
    await disturb();
    await release.waitReady(READY_SECONDS);
    await wait(CALM_MS);
    const seconds = (Date.now() - began) / 1_000;
    say(
      `${what}: ${seconds.toFixed(0)} s, ${((traffic.writes - writes) / seconds).toFixed(0)} writes/s; ${countByStatus(traffic.failures.slice(failed))}`,
    );
  }
  traffic.stop();
  await running;
  const missing = await traffic.missing(120_000);
  const restarts = await release.restarts();
  say(
    `${traffic.writes} records answered 202 (median ${traffic.latencyMs(0.5).toFixed(0)} ms, 99 % ${traffic.latencyMs(0.99).toFixed(0)} ms), ${missing} lost; ${traffic.reads} reads; restarts: ${restarts.join(' ') || 'none'}`,
  );
  isGood = missing === 0;
} finally {
  if (!process.env.KEEP) await release.remove();
}
process.exitCode = isGood ? 0 : 1;
