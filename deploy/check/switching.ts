import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { fakeCluster } from './fake-cluster.ts';
import { CHART, template } from './helm.ts';
import type { Manifest } from './kubernetes-schemas.ts';
import { wrongArrows } from './network-arrows.ts';

type Labels = Readonly<Record<string, string>>;
type Port = { readonly name: string; readonly containerPort: number };
type Pod = { readonly metadata: { labels: Labels }; readonly spec: { containers: readonly { ports: Port[] }[] } };
type Deployment = Manifest & { readonly spec: { readonly replicas: number; readonly template: Pod } };
type Service = Manifest & {
  readonly spec: { readonly selector: Labels; readonly ports: readonly { readonly targetPort: string | number }[] };
};

const TINY = path.join(CHART, 'values-tiny.yaml');
const APART = ['--values', TINY, '--set', 'processes=null'];
const SHARED = ['--values', TINY];
const BACKENDS = /-(postgresql|nats|influxdb)$/;

const isDeployment = (object: Manifest): object is Deployment => object.kind === 'Deployment';
const isService = (object: Manifest): object is Service =>
  object.kind === 'Service' && !BACKENDS.test(object.metadata.name);

/** @throws with what helm says */
async function rendered(...args: string[]): Promise<Manifest[]> {
  const { status, stdout, stderr } = await template(...args);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

/** Upgrades that lead from pods of one service to shared ones and back, and what is wrong with each. */
export async function checkSwitching(report: (what: string, problems: readonly string[]) => void): Promise<void> {
  const [apart, shared] = [await rendered(...APART), await rendered(...SHARED)];
  report('from pods of one service to shared ones', await upgraded(apart, SHARED, 'core front'));
  report('from shared pods to those of one service', await upgraded(shared, APART, deploymentsOf(apart).join(' ')));
  report('an upgrade of shared pods takes none away', await remains(shared, SHARED));
  const others = ['--set', 'processes.core.services={nodes,historic}'];
  report(
    'shared pods keep their services',
    await refused(shared, [...SHARED, ...others], /processes\.core: .*another name/),
  );
}

/** Renders an upgrade of what runs. */
async function running(objects: readonly Manifest[], args: readonly string[]): Promise<Manifest[]> {
  await using cluster = await fakeCluster(objects);
  return await rendered(...cluster.arguments, ...args);
}

async function upgraded(before: readonly Manifest[], args: readonly string[], wanted: string): Promise<string[]> {
  const after = await running(before, args);
  const olds = before.filter(isDeployment);
  const changed = olds.filter(({ metadata, spec }) => {
    const kept = after.filter(isDeployment).find((deployment) => deployment.metadata.name === metadata.name);
    return !isDeepStrictEqual(kept?.spec, spec);
  });
  const job = after.find(({ kind, metadata }) => kind === 'Job' && metadata.name === 'catchment-retire');
  const env = JSON.stringify(job ?? {});
  const names = (list: string) =>
    `"value":"${list
      .split(' ')
      .map((name) => `catchment-${name}`)
      .join(' ')}"`;
  return [
    ...changed.map(({ metadata }) => `${metadata.name} does not stay as it is until the others are ready`),
    ...(env.includes(`{"name":"NEW_DEPLOYMENTS",${names(wanted)}`)
      ? []
      : [`the hook does not wait for ${wanted}: ${env}`]),
    ...(env.includes(names(deploymentsOf(before).join(' '))) ? [] : ['the hook does not take the old ones away']),
    ...(await servesBoth(before, after)),
    ...wrongArrows(after),
  ];
}

const deploymentsOf = (objects: readonly Manifest[]): string[] =>
  objects
    .filter(isDeployment)
    .map(({ metadata }) => metadata.name.replace('catchment-', ''))
    .sort();

/** Each Service leads to pods of before and to those that come, by ports that both have. */
async function servesBoth(before: readonly Manifest[], after: readonly Manifest[]): Promise<string[]> {
  const olds = before.filter(isDeployment);
  const names = new Set(olds.map(({ metadata }) => metadata.name));
  const news = after.filter(isDeployment).filter(({ metadata, spec }) => {
    return (
      !names.has(metadata.name) ||
      !isDeepStrictEqual(spec, olds.find((old) => old.metadata.name === metadata.name)?.spec)
    );
  });
  const now = before.filter(isService).map(({ metadata }) => metadata.name);
  const services = after.filter(isService);
  const lost = now.filter((name) => !services.some(({ metadata }) => metadata.name === name));
  return [
    ...lost.map((name) => `the Service ${name} is gone`),
    ...services.flatMap((service) => [
      ...(olds.some((old) => leadsTo(service, old.spec.template))
        ? []
        : [`${service.metadata.name} leaves the old pods`]),
      ...(news.some((deployment) => leadsTo(service, deployment.spec.template))
        ? []
        : [`${service.metadata.name} finds no new pods`]),
    ]),
  ];
}

function leadsTo({ spec }: Service, { metadata, spec: pod }: Pod): boolean {
  const ports = pod.containers.flatMap((container) => container.ports);
  return (
    Object.entries(spec.selector).every(([label, value]) => metadata.labels[label] === value) &&
    spec.ports.every(({ targetPort }) =>
      ports.some(({ name, containerPort }) => [name, containerPort].includes(targetPort)),
    )
  );
}

async function remains(before: readonly Manifest[], args: readonly string[]): Promise<string[]> {
  const after = await running(before, args);
  const surplus = deploymentsOf(after).filter((name) => !deploymentsOf(before).includes(name));
  const hook = after.some(({ metadata }) => metadata.name === 'catchment-retire');
  return [...surplus, ...(hook ? ['there is a hook that takes some away'] : [])];
}

async function refused(before: readonly Manifest[], args: readonly string[], says: RegExp): Promise<string[]> {
  const message = await running(before, args).then(
    () => 'accepted',
    (error) => String(error),
  );
  return says.test(message) ? [] : [message];
}
