// `npm run policies -w deploy [-- values.yaml …]` installs the chart on the cluster of KUBECONFIG, whose network must enforce policies, and
// tries from a pod of each service, and from one of a stranger, which ports it reaches: those of the architecture, and no other.
import { BETWEEN_PODS, FROM_ANYWHERE } from '../check/allowed-arrows.ts';
import { readArguments, SERVICES } from './arguments.ts';
import { check, conclude } from './checks.ts';
import { say } from './commands.ts';
import { Release } from './release.ts';

const READY_SECONDS = 240;
const STRANGER = 'stranger';
/** Prints those of the given [part, address, port] that take a connection. */
const PROBE = `
const { connect } = require('node:net');
const reached = ([part, host, port]) => new Promise((resolve) => {
  const socket = connect({ host, port, timeout: 5_000 });
  const end = (isOpen) => { socket.destroy(); resolve(isOpen ? part + ':' + port : undefined); };
  socket.on('connect', () => end(true)).on('timeout', () => end(false)).on('error', () => end(false));
});
Promise.all(JSON.parse(process.argv[1]).map(reached)).then((ports) => console.log(JSON.stringify(ports.filter(Boolean))));`;

type Target = readonly [part: string, address: string, port: number];

const { values } = readArguments(process.argv.slice(2));
const release = new Release(`catchment-${Date.now().toString(36)}`, values);

/** Returns every port that a pod of the release listens on. */
async function targets(): Promise<Target[]> {
  const found = (await release.readyPods()).flatMap(({ metadata, spec, status }) =>
    spec.containers
      .flatMap(({ ports = [] }) => ports)
      .map(({ containerPort }): Target => {
        return [metadata.labels['app.kubernetes.io/component'] ?? '', status.podIP ?? '', containerPort];
      }),
  );
  return found.sort(([a, , m], [b, , n]) => a.localeCompare(b) || m - n);
}

/** Checks what a pod reaches. @param expected as part:port */
async function reaches(from: string, pod: string, expected: readonly string[], all: readonly Target[]): Promise<void> {
  const others = all.filter(([part]) => part !== from);
  const printed = await release.kubectl('exec', pod, '--', 'node', '--eval', PROBE, JSON.stringify(others));
  const reached = new Set(JSON.parse(printed) as string[]);
  const wanted = new Set(expected.filter((port) => others.some(([part, , at]) => `${part}:${at}` === port)));
  const [missing, surplus] = [[...wanted.difference(reached)], [...reached.difference(wanted)]];
  const open = [...reached].join(' ') || 'nothing';
  check(
    `${from} reaches what it needs`,
    missing.length === 0,
    missing.length === 0 ? open : `not ${missing.join(' ')}`,
  );
  check(`${from} reaches nothing else of ${others.length} ports`, surplus.length === 0, surplus.join(' '));
}

say(`namespace ${release.namespace}`);
try {
  await release.apply();
  await release.waitReady(READY_SECONDS);
  const image = await release.imageOf('devices');
  const forever = ['--command', '--', 'sleep', 'infinity'];
  await release.kubectl('run', STRANGER, `--image=${image}`, '--image-pull-policy=IfNotPresent', ...forever);
  await release.kubectl('wait', '--for=condition=Ready', `pod/${STRANGER}`, '--timeout=60s');
  const all = await targets();
  await reaches(STRANGER, STRANGER, FROM_ANYWHERE, all);
  for (const service of SERVICES) {
    const arrows = BETWEEN_PODS.filter((arrow) => arrow.startsWith(`${service} → `));
    const expected = arrows.map((arrow) => arrow.split(' → ')[1] as string);
    await reaches(service, release.deployment(service), expected, all);
  }
} catch (error) {
  check('everything could be tried', false, String(error));
} finally {
  if (!process.env.KEEP) await release.remove();
}
conclude();
