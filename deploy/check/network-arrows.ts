import { BETWEEN_PODS, FROM_ANYWHERE, GRPC } from './allowed-arrows.ts';
import type { Manifest } from './kubernetes-schemas.ts';

type Selector = { readonly matchLabels?: Readonly<Record<string, string>> };
type Peer = {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { cidr: string };
};
type Rule = {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number }[];
};
export type NetworkPolicy = Manifest & {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly Rule[] | null;
    readonly egress?: readonly Rule[] | null;
  };
};

type Deployment = Manifest & {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly ports: readonly { name: string; containerPort: number }[] }[];
      };
    };
  };
};

const COMPONENT = 'app.kubernetes.io/component';
/** A service has a label of its own, whatever else its pods run. */
const SERVICE = /^catchment\.io\/service-(\w+)$/;
const isPolicy = (object: Manifest): object is NetworkPolicy => object.kind === 'NetworkPolicy';
const isDeployment = (object: Manifest): object is Deployment => object.kind === 'Deployment';

/**
 * Compares the policies of a render with the table of allowed arrows: each arrow must be opened at both of its ends, and
 * nothing else. Ways to DNS and out of the cluster have no pod at their other end and are not arrows.
 */
export function wrongArrows(objects: readonly Manifest[]): string[] {
  const policies = objects.filter(isPolicy);
  const usual = usualPorts(objects);
  const parts = new Set(policies.map(componentOf).filter((part) => part !== undefined));
  const expected = new Set(BETWEEN_PODS.filter((arrow) => arrow.split(/ → |:/, 2).every((part) => parts.has(part))));
  const egress = policies.flatMap((policy) =>
    (policy.spec.egress ?? []).flatMap((rule) =>
      arrowsOf(rule.to, rule.ports, (peer, port) => `${componentOf(policy)} → ${peer}:${usual(peer, port)}`),
    ),
  );
  const ingress = policies.flatMap((policy) =>
    (policy.spec.ingress ?? []).flatMap((rule) =>
      arrowsOf(rule.from, rule.ports, (peer, port) => {
        const part = componentOf(policy) ?? '';
        return `${peer} → ${part}:${usual(part, port)}`;
      }),
    ),
  );
  const open = policies.flatMap((policy) =>
    (policy.spec.ingress ?? [])
      .filter((rule) => !rule.from)
      .flatMap((rule) => (rule.ports ?? [{ port: 0 }]).map(({ port }) => `${componentOf(policy)}:${port}`)),
  );
  return [
    ...(policies.some((policy) => componentOf(policy) === undefined && isDenyAll(policy))
      ? []
      : ['no policy denies what is not allowed']),
    ...policies
      .filter((policy) => policy.spec.policyTypes.length !== 2)
      .map(({ metadata }) => `${metadata.name} leaves one direction open`),
    ...differences(expected, new Set(egress), 'leaving'),
    ...differences(
      expected,
      new Set([...ingress, ...[...expected].filter((arrow) => open.includes(arrow.split(' → ')[1] as string))]),
      'arriving',
    ),
    ...open.filter((port) => !FROM_ANYWHERE.includes(port)).map((port) => `${port} is open to everybody`),
  ];
}

/**
 * The job of a pre-upgrade hook runs before any other object of the render is there: policies of hooks before it must open its
 * arrows at both ends, whatever the version before has left.
 */
export function hooksWithoutWay(objects: readonly Manifest[]): string[] {
  const hooks = objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']?.includes('pre-upgrade'));
  const policies = objects.filter(isPolicy);
  if (policies.length === 0) return [];
  const parts = new Set(policies.map(componentOf));
  return hooks
    .filter(({ kind }) => kind === 'Job')
    .flatMap((job) => {
      const name = job.metadata.labels?.[COMPONENT] ?? '';
      const before = hooks.filter(isPolicy).filter((policy) => weightOf(policy) < weightOf(job));
      const namesake = before.find((policy) => componentOf(policy) === name);
      if (!namesake) return [`${name} runs before the upgrade, its network policy comes with it`];
      return BETWEEN_PODS.map((arrow) => arrow.split(/ → |:/, 2) as [string, string])
        .filter(([from, to]) => from === name && parts.has(to))
        .filter(([, to]) => !before.some((policy) => componentOf(policy) === to && letsIn(policy, name)))
        .map(([, to]) => `${name} runs before the upgrade, what lets it in to ${to} comes with it`);
    });
}

const weightOf = ({ metadata }: Manifest): number => Number(metadata.annotations?.['helm.sh/hook-weight'] ?? 0);
const letsIn = ({ spec }: NetworkPolicy, component: string): boolean =>
  (spec.ingress ?? []).some((rule) => arrowsOf(rule.from, [{ port: 0 }], (peer) => peer).includes(component));

const componentOf = ({ spec }: NetworkPolicy): string | undefined => partOf(spec.podSelector);
const isDenyAll = ({ spec }: NetworkPolicy): boolean => !spec.ingress?.length && !spec.egress?.length;

/** Returns the part that labels select: a service, or a component. */
function partOf(selector: Selector | undefined): string | undefined {
  const labels = selector?.matchLabels ?? {};
  const services = Object.keys(labels).flatMap((label) => SERVICE.exec(label)?.[1] ?? []);
  return services[0] ?? labels[COMPONENT];
}

/** Returns the port of calls that the table names, in the place of those where rendered pods have it: side by side in shared ones. */
function usualPorts(objects: readonly Manifest[]): (part: string, port: number) => number {
  const ports = objects
    .filter(isDeployment)
    .flatMap(({ spec }) => spec.template.spec.containers.flatMap((container) => container.ports));
  const calls = new Set(
    ports
      .filter(({ name }) => name.startsWith('grpc-'))
      .map(({ name, containerPort }) => `${name.slice('grpc-'.length)}:${containerPort}`),
  );
  return (part, port) => (calls.has(`${part}:${port}`) ? GRPC : port);
}

function arrowsOf(
  peers: readonly Peer[] | undefined,
  ports: Rule['ports'],
  arrow: (peer: string, port: number) => string,
): string[] {
  const components = (peers ?? []).map(({ podSelector }) => partOf(podSelector)).filter((part) => part !== undefined);
  return components.flatMap((component) => (ports ?? [{ port: 0 }]).map(({ port }) => arrow(component, port)));
}

function differences(expected: ReadonlySet<string>, found: ReadonlySet<string>, end: string): string[] {
  return [
    ...[...expected.difference(found)].map((arrow) => `${arrow} is not allowed ${end}, but needed`),
    ...[...found.difference(expected)].map((arrow) => `${arrow} is allowed ${end}, but not of the architecture`),
  ];
}
