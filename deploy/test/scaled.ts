// `npm run scaled -w deploy [-- values.yaml …]` runs on a cluster with KEDA and the operator of Prometheus: the chart's PodMonitor is
// scraped, its rules are evaluated, and the pods of historic follow what its readers have not read: InfluxDB is stopped under writes,
// Prometheus is stopped while the lag is there, both come back. Takes a quarter of an hour. PROMETHEUS_IMAGE; KEEP leaves the namespaces.
import assert from 'node:assert/strict';
import { until } from '@catchment/testkit';
import { readArguments, SERVICES } from './arguments.ts';
import { check, conclude } from './checks.ts';
import { say } from './commands.ts';
import { Monitoring } from './monitoring.ts';
import { RELEASE, Release } from './release.ts';
import { Traffic } from './traffic.ts';

const { KEEP, PROMETHEUS_IMAGE = 'localhost/test-prometheus:1' } = process.env;
const READY_SECONDS = 240;
const SCRAPED_SECONDS = 120;
/** KEDA polls (30 s), the autoscaler polls (15 s), and a pod starts. */
const OUT_SECONDS = 180;
/** Four polls that fail. */
const FALLBACK_SECONDS = 240;
/** The chart looks at five minutes before it takes pods away. */
const IN_SECONDS = 480;
const STORED_MS = 180_000;
const LOOK_MS = 5_000;
const [FEWEST, MOST] = [1, 3];
const RATES = { writesPerSecond: 100, readsPerSecond: 1 };

const { values } = readArguments(process.argv.slice(2));
const release = new Release(`catchment-${Date.now().toString(36)}`, values);
const monitoring = new Monitoring(release.namespace, PROMETHEUS_IMAGE);
const HISTORIC = `${RELEASE}-historic`;
const settings = [
  'gateway.rateLimit.requests=0',
  'limits.rowsPerSourcePerDay=0',
  'monitoring.podMonitor.enabled=true',
  'monitoring.podMonitor.interval=10s',
  'monitoring.rules.enabled=true',
  `monitoring.scrapeFrom[0].namespaceSelector.matchLabels.kubernetes\\.io/metadata\\.name=${monitoring.namespace}`,
  'historic.autoscaling.enabled=true',
  `historic.autoscaling.minReplicas=${FEWEST}`,
  `historic.autoscaling.maxReplicas=${MOST}`,
  // No use of processors reaches this: the lag alone brings pods.
  'historic.autoscaling.targetCPUUtilizationPercentage=1000',
  'historic.autoscaling.lag.enabled=true',
  `historic.autoscaling.lag.prometheusUrl=${monitoring.url}`,
];

/** Checks that an assertion comes true within a time. */
async function checkWithin(seconds: number, what: string, assertion: () => Promise<void>): Promise<void> {
  const began = performance.now();
  const passed = () => `after ${Math.round((performance.now() - began) / 1_000)} s`;
  const limits = { deadlineMs: seconds * 1_000, everyMs: LOOK_MS, what };
  await until(() => assertion().then(() => true), limits).then(
    () => check(what, true, passed()),
    (error: unknown) => check(what, false, `${passed()}: ${error}`),
  );
}

async function monitored(): Promise<void> {
  await checkWithin(SCRAPED_SECONDS, 'the pods of every service are scraped', async () => {
    const up = await monitoring.query('up{job="catchment"} == 1');
    assert.deepEqual(new Set(up.map(({ metric }) => metric.service)), new Set(SERVICES));
  });
  const listed = await release.kubectl('get', 'prometheusrule', RELEASE, '--output', 'json');
  const { spec } = JSON.parse(listed) as { spec: { groups: { rules: unknown[] }[] } };
  const expected = spec.groups.flatMap(({ rules }) => rules).length;
  await checkWithin(SCRAPED_SECONDS, `each of the ${expected} rules is evaluated`, async () => {
    const rules = (await monitoring.ruleGroups()).flatMap((group) => group.rules);
    assert.equal(rules.length, expected);
    assert.deepEqual(
      rules.filter(({ health }) => health !== 'ok').map(({ name }) => name),
      [],
    );
  });
}

type ScaledObject = { readonly status?: { readonly conditions?: readonly { type: string; status: string }[] } };

async function conditionOf(type: string): Promise<string> {
  const printed = await release.kubectl('get', 'scaledobject', HISTORIC, '--output', 'json');
  const { status } = JSON.parse(printed) as ScaledObject;
  return status?.conditions?.find((condition) => condition.type === type)?.status ?? 'Unknown';
}

async function replicas(): Promise<number> {
  const path = 'jsonpath={.spec.replicas}';
  return Number(await release.kubectl('get', release.deployment('historic'), '--output', path));
}

async function setInflux(count: 0 | 1): Promise<void> {
  await release.kubectl('scale', `statefulset/${RELEASE}-influxdb`, `--replicas=${count}`);
}

const hasReplicas = (count: number) => async () => assert.equal(await replicas(), count);
const hasCondition = (type: string) => async () => assert.equal(await conditionOf(type), 'True');

/** Checks the number of pods without a lag, with a lag, while nobody can know the lag, and without a lag again. */
async function scaled(traffic: Traffic): Promise<void> {
  await checkWithin(SCRAPED_SECONDS, 'KEDA takes the ScaledObject', hasCondition('Ready'));
  await checkWithin(0, 'without a lag there are the fewest pods', hasReplicas(FEWEST));
  await setInflux(0);
  await checkWithin(OUT_SECONDS, 'records that wait bring further pods', hasReplicas(MOST));
  await monitoring.scale(0);
  await checkWithin(FALLBACK_SECONDS, 'KEDA falls back without Prometheus', hasCondition('Fallback'));
  await checkWithin(0, 'the pods stay then', hasReplicas(MOST));
  await setInflux(1);
  await monitoring.scale(1);
  traffic.stop();
  await checkWithin(IN_SECONDS, 'the pods go when nothing waits any more', hasReplicas(FEWEST));
}

say(`namespaces ${release.namespace}, ${monitoring.namespace}`);
try {
  await release.apply(settings);
  await release.waitReady(READY_SECONDS);
  await monitoring.start();
  await monitored();
  const traffic = new Traffic({ url: await release.url(), key: await release.key() });
  await traffic.prepare('io.svc.models.node', 10);
  const running = traffic.run(RATES);
  await scaled(traffic).finally(() => traffic.stop());
  await running;
  const missing = await traffic.missing(STORED_MS);
  const failed = traffic.failures.filter(({ what }) => what === 'write').length;
  check(
    'no write failed, none is lost',
    failed === 0 && missing === 0,
    `${traffic.writes} written, ${failed}, ${missing}`,
  );
} catch (error) {
  check('everything could be tried', false, String(error));
} finally {
  if (!KEEP) await Promise.all([release.remove(), monitoring.remove()]);
}
conclude();
