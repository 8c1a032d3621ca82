import { BETWEEN_PODS } from './allowed-arrows.ts';
import { hooksWithoutWay, type NetworkPolicy, wrongArrows } from './network-arrows.ts';

const pods = (component?: string) => ({ matchLabels: component ? { 'app.kubernetes.io/component': component } : {} });
const policy = (component: string | undefined, rules: Partial<NetworkPolicy['spec']> = {}): NetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: component ?? 'default-deny' },
  spec: { podSelector: pods(component), policyTypes: ['Ingress', 'Egress'], ...rules },
});

/** Makes policies that allow exactly these arrows. */
function policies(arrows: readonly string[]): NetworkPolicy[] {
  const parsed = arrows.map((arrow) => /^(.+) → (.+):(\d+)$/.exec(arrow)?.slice(1) as [string, string, string]);
  const parts = new Set(parsed.flat());
  const own = [...parts].map((part) =>
    policy(part, {
      ingress: parsed
        .filter(([, to]) => to === part)
        .map(([from, , port]) => ({ from: [{ podSelector: pods(from) }], ports: [{ port: Number(port) }] })),
      egress: parsed
        .filter(([from]) => from === part)
        .map(([, to, port]) => ({ to: [{ podSelector: pods(to) }], ports: [{ port: Number(port) }] })),
    }),
  );
  return [policy(undefined), ...own];
}

test('exactly the arrows of the architecture are right', () => {
  expect(wrongArrows(policies(BETWEEN_PODS))).toEqual([]);
});

test.each([
  [
    'an arrow too many',
    policies([...BETWEEN_PODS, 'render → postgresql:5432']),
    'render → postgresql:5432 is allowed leaving',
  ],
  [
    'an arrow too few',
    policies(BETWEEN_PODS.filter((arrow) => arrow !== 'nodes → historic:50051')),
    'nodes → historic:50051 is not allowed arriving',
  ],
  ['another port', policies([...BETWEEN_PODS, 'gateway → nodes:8081']), 'gateway → nodes:8081 is allowed arriving'],
  ['no denial of the rest', policies(BETWEEN_PODS).slice(1), 'no policy denies'],
  [
    'a port open to everybody',
    [...policies(BETWEEN_PODS), policy('nats', { ingress: [{ ports: [{ port: 4222 }] }] })],
    'nats:4222 is open to everybody',
  ],
  [
    'one direction only',
    [...policies(BETWEEN_PODS), policy('nats', { policyTypes: ['Ingress'] })],
    'leaves one direction open',
  ],
])('%s is reported', (_what, rendered, says) => {
  expect(wrongArrows(rendered).join('\n')).toContain(says);
});

/** This pod runs nodes beside others, on a separate port. */
const shared = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'core' },
  spec: { template: { spec: { containers: [{ ports: [{ name: 'grpc-nodes', containerPort: 50062 }] }] } } },
};
/** Makes policies whose pods are selected by the label of their service, and nodes by another port. */
const ofServices = (port: number) =>
  JSON.parse(
    JSON.stringify(policies(BETWEEN_PODS.map((arrow) => arrow.replace('nodes:50051', `nodes:${port}`)))).replaceAll(
      /"app.kubernetes.io\/component":"nodes"/g,
      '"catchment.io/service-nodes":"true"',
    ),
  ) as NetworkPolicy[];

test.each([
  ['the port that its pods have', 50062, ''],
  ['a port that they have not', 50063, 'gateway → nodes:50063 is allowed arriving'],
])('a service of shared pods is reached by %s', (_what, port, says) => {
  expect(wrongArrows([shared, ...ofServices(port)]).join('\n')).toContain(says);
  expect(wrongArrows([shared, ...ofServices(port)]).length > 0).toBe(says !== '');
});

describe('a job before an upgrade', () => {
  const hook = (weight: string) => ({ 'helm.sh/hook': 'pre-upgrade', 'helm.sh/hook-weight': weight });
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: 'migrate',
      labels: { 'app.kubernetes.io/component': 'migrate' },
      annotations: hook('0'),
    },
  };
  const asHook = (policy: NetworkPolicy, weight = '-1'): NetworkPolicy => ({
    ...policy,
    metadata: { ...policy.metadata, annotations: hook(weight) },
  });
  const [deny, migrate, postgresql] = policies(['migrate → postgresql:5432']) as [
    NetworkPolicy,
    NetworkPolicy,
    NetworkPolicy,
  ];

  test.each([
    ['has its ways when they are hooks before it', [asHook(migrate), postgresql, asHook(postgresql)], []],
    ['needs none to a server elsewhere', [asHook(migrate)], []],
    [
      'has none by a policy of the upgrade',
      [migrate, asHook(postgresql)],
      ['migrate runs before the upgrade, its network policy comes with it'],
    ],
    [
      'has none by a hook beside it',
      [asHook(migrate, '0'), asHook(postgresql)],
      ['migrate runs before the upgrade, its network policy comes with it'],
    ],
    [
      'is not let in by a policy of the upgrade',
      [asHook(migrate), postgresql],
      ['migrate runs before the upgrade, what lets it in to postgresql comes with it'],
    ],
  ])('%s', (_what, rendered, says) => {
    expect(hooksWithoutWay([deny, job, ...rendered])).toEqual(says);
  });

  test('needs no policy where there are none', () => {
    expect(hooksWithoutWay([job])).toEqual([]);
  });
});
