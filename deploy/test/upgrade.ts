// `npm run test:upgrade -w deploy` upgrades from the chart and image of an earlier version under writes, on a small cluster.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SERVICES, TWO_REPLICAS } from './arguments.ts';
import { check, conclude } from './checks.ts';
import { attempt, run, say } from './commands.ts';
import { PodWatch } from './pod-watch.ts';
import { CHART, RELEASE, Release } from './release.ts';
import { Traffic } from './traffic.ts';
import { judge } from './upgrade-verdict.ts';

const HELP = `npm run test:upgrade -w deploy -- --from-chart FOLDER --from-tag TAG --to-tag TAG [options] [values.yaml …]

On the cluster of KUBECONFIG, which has the images: installs the earlier chart with its image, two replicas of every service and backends of the
chart that request a tenth of a core each; upgrades to this chart, whose backends request what its values say, while records are written and read;
then the same again. Says what failed in each second beside what the pods did, and reads back every record that was answered 202.
Ends with status 0 when no write failed but while the one pod of a server was replaced, and none is lost.

  --times <number>      of the upgrade, each from an installation of its own (1)
  --writes <number>     a second (120)
  --reads <number>      a second (4)
  --free <cores>        before the upgrade, so many are left free, which are too few: it has to be refused, and nothing changes (0.4; 0: not tried)
  --rollback            after the last upgrade: one that restarts NATS, and the way back
  --prepare             install the earlier version only, and leave it; the name of its namespace is printed
  --namespace <name>    begin with that installation
  --keep                leave the last namespace
  --help

CLUSTER_RECYCLE is a command that makes volumes of deleted namespaces free again, where the cluster does not by itself.
An upgrade may take five minutes, so that each time takes eight at the most.
`;
const UPGRADE = '5m';
const READY_SECONDS = 240;
const ARRIVAL_MS = 60_000;
const CALM_MS = 8_000;
const SOURCES = 10;
const LIMITS = ['gateway.rateLimit.requests=0', 'limits.rowsPerSourcePerDay=0', 'render.reports.enabled=false'];
const SMALL = ['postgresql', 'nats', 'influxdb'].map((name) => `${name}.trial.resources.requests.cpu=100m`);
const RESTARTS_NATS = 'nats.trial.resources.requests.memory=160Mi';
const FILLER = 'filler';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const { values: options, positionals } = parseArgs({
  options: {
    'from-chart': text,
    'from-tag': text,
    'to-tag': text,
    times: text,
    writes: text,
    reads: text,
    free: text,
    namespace: text,
    rollback: flag,
    prepare: flag,
    keep: flag,
    help: flag,
  },
  allowPositionals: true,
});
const values = positionals.length > 0 ? positionals : [path.join(import.meta.dirname, 'cluster-values.yaml')];
const { 'from-chart': fromChart = '', 'from-tag': fromTag, 'to-tag': toTag } = options;
const NEW = [...TWO_REPLICAS, ...LIMITS, `image.tag=${toTag}`];

/** Returns the release of a time; with `--namespace` it runs already. */
const releaseOf = (): Release => new Release(options.namespace ?? `catchment-${Date.now().toString(36)}`, values);

async function install(release: Release): Promise<void> {
  const settings = [...TWO_REPLICAS, ...LIMITS, ...SMALL, `image.tag=${fromTag}`];
  await release.apply(settings, [], { chart: path.resolve(fromChart) });
  await release.waitReady(READY_SECONDS);
  say(`${fromTag} runs in ${release.namespace}`);
}

type Requests = { readonly cpu?: string };
type Objects<Item> = { readonly items: readonly Item[] };
type Node = { readonly status: { readonly allocatable: { readonly cpu: string } } };
type Pod = {
  readonly spec: { readonly containers: readonly { readonly resources?: { readonly requests?: Requests } }[] };
  readonly status: { readonly phase: string };
};
const millicores = (cpu = '0'): number => (cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1_000);

/** Adds up all nodes, by the requests of pods. */
async function freeMillicores(): Promise<number> {
  const list = async <Item>(kind: string) =>
    (JSON.parse(await run('kubectl', 'get', kind, '--all-namespaces', '--output', 'json')) as Objects<Item>).items;
  const [nodes, pods] = await Promise.all([list<Node>('nodes'), list<Pod>('pods')]);
  const running = pods.filter(({ status }) => !['Succeeded', 'Failed'].includes(status.phase));
  const requests = running.flatMap(({ spec }) =>
    spec.containers.map(({ resources }) => millicores(resources?.requests?.cpu)),
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  return sum(nodes.map(({ status }) => millicores(status.allocatable.cpu))) - sum(requests);
}

/** Another pod takes what is free but for `cores`: helm has to refuse the upgrade and say why, and no pod is touched. */
async function refused(release: Release, cores: number): Promise<void> {
  const surplus = (await freeMillicores()) - cores * 1_000;
  if (surplus < 0) return check(`${cores} cores are free before the upgrade that has to be refused`, false);
  const image = await release.imageOf('devices');
  const requests = { cpu: `${surplus}m` };
  const container = { name: FILLER, image, command: ['sleep', 'infinity'], resources: { requests } };
  const overrides = JSON.stringify({ spec: { containers: [container] } });
  await release.kubectl('run', FILLER, `--image=${image}`, `--overrides=${overrides}`);
  await release.kubectl('wait', '--for=condition=Ready', `pod/${FILLER}`, '--timeout=60s');
  const pods = () => release.kubectl('get', 'pods', '--output', 'jsonpath={.items[*].metadata.uid}');
  const before = await pods();
  const { status, stderr } = await attempt('helm', ...release.arguments(NEW), '--timeout', UPGRADE);
  const isSaid = status !== 0 && stderr.includes('upgrade.room');
  check(`with ${cores} cores free the upgrade is refused`, isSaid, stderr.trim().split('\n').at(-1));
  check('nothing has changed then', (await pods()) === before);
  await release.kubectl('delete', 'pod', FILLER, '--now');
}

/** Runs it while records are written, and says what it did to them. */
async function underWrites(what: string, to: Under, change: () => Promise<unknown>): Promise<void> {
  const { release, traffic, watch } = to;
  say(what);
  const beganMs = Date.now();
  await change();
  await release.waitReady(READY_SECONDS);
  const changedMs = Date.now();
  await wait(CALM_MS);
  const failed = judge(what, traffic, watch, { beganMs, endedMs: Date.now() });
  check(
    `${what}: no write failed while every server was there`,
    failed === 0,
    `${((changedMs - beganMs) / 1_000).toFixed(0)} s`,
  );
}

type Under = { readonly release: Release; readonly traffic: Traffic; readonly watch: PodWatch };

async function once(release: Release, isLast: boolean): Promise<void> {
  const traffic = new Traffic({ url: await release.url(), key: await release.key() });
  await traffic.prepare('io.svc.models.node', SOURCES);
  const watch = new PodWatch(release.namespace);
  const writesPerSecond = Number(options.writes ?? 120);
  const running = traffic.run({ writesPerSecond, readsPerSecond: Number(options.reads ?? 4) });
  const under = { release, traffic, watch };
  const free = Number(options.free ?? 0.4);
  const helm = (set: readonly string[]) => release.apply(set, [], { wait: UPGRADE });
  try {
    await wait(CALM_MS);
    if (free > 0) await underWrites('an upgrade that finds no room', under, () => refused(release, free));
    await underWrites(`upgrade from ${fromTag} to ${toTag}`, under, () => helm(NEW));
    if (isLast && options.rollback) {
      await underWrites('an upgrade that restarts NATS', under, () => helm([...NEW, RESTARTS_NATS]));
      const back = ['rollback', RELEASE, '0', '--wait', '--timeout', UPGRADE];
      await underWrites('the way back from it', under, () => release.helm(...back));
    }
  } finally {
    traffic.stop();
    await running;
    await watch.stop();
  }
  const missing = await traffic.missing(ARRIVAL_MS);
  check(`${traffic.writes} records were answered 202, none is lost`, missing === 0, `${missing} lost`);
  const restarts = await release.restarts();
  check('no container was restarted', restarts.length === 0, restarts.join(' '));
}

async function main(): Promise<void> {
  if (options.help) return void process.stdout.write(HELP);
  if (!fromTag || !toTag || (!options.namespace && !fromChart)) throw new Error(HELP);
  const times = options.namespace || options.prepare ? 1 : Number(options.times ?? 1);
  for (let time = 1; time <= times; time += 1) {
    const release = releaseOf();
    try {
      if (!options.namespace) await install(release);
      if (options.prepare) return say(`--namespace ${release.namespace}`);
      say(`${time} of ${times}: ${SERVICES.length} services twice, chart ${CHART}`);
      await once(release, time === times);
    } finally {
      if (!(options.keep || options.prepare) || time < times) await release.remove({ isWaited: time < times });
      const { CLUSTER_RECYCLE } = process.env;
      if (CLUSTER_RECYCLE && time < times) await attempt('sh', '-c', CLUSTER_RECYCLE);
    }
  }
  conclude();
}

await main();
