import { fakeCluster, type Running } from './fake-cluster.ts';
import { template } from './helm.ts';

type Case = {
  readonly what: string;
  readonly there: readonly Running[];
  readonly set?: readonly string[];
  /** helm says this; undefined where it is to render. */
  readonly says?: RegExp;
};

const object = (apiVersion: string, kind: string, name: string, content: object = {}): Running => ({
  ...content,
  apiVersion,
  kind,
  metadata: { name, namespace: 'water' } as Running['metadata'],
});
const NAMESPACE = object('v1', 'ServiceAccount', 'default');
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (name: string, data: Record<string, string>): Running =>
  object('v1', 'Secret', name, {
    data: Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)])),
  });

const node = (cpu: string, memory = '8Gi', spec: object = {}): Running =>
  object('v1', 'Node', 'one', { spec, status: { allocatable: { cpu, memory } } });
const requesting = (cpu: string, memory = '64Mi'): object => ({
  containers: [{ name: 'a', resources: { requests: { cpu, memory } } }],
});
/** Makes a pod of somebody that has taken processor time of the node. */
const neighbour = (cpu: string, phase = 'Running'): Running =>
  object('v1', 'Pod', `neighbour-${cpu}`, { spec: { nodeName: 'one', ...requesting(cpu) }, status: { phase } });
const SERVICES = ['gateway', 'nodes', 'historic', 'alarms', 'events', 'devices', 'render', 'processing'];
/** All parts run, and request what the chart has for them, but the backends a tenth of a core. */
const INSTALLED: readonly Running[] = [
  NAMESPACE,
  ...SERVICES.map((name) => {
    const cpu = ['gateway', 'historic', 'processing'].includes(name) ? '100m' : '50m';
    return object('apps/v1', 'Deployment', `catchment-${name}`, {
      spec: { replicas: 1, template: { metadata: { labels: {} }, spec: requesting(cpu, '256Mi') } },
    });
  }),
  ...['postgresql', 'nats', 'influxdb'].map((name) =>
    object('apps/v1', 'StatefulSet', `catchment-${name}`, {
      spec: {
        replicas: 1,
        volumeClaimTemplates: [
          {
            spec: { resources: { requests: { storage: { postgresql: '10Gi', nats: '8Gi', influxdb: '20Gi' }[name] } } },
          },
        ],
        template: { metadata: { labels: {} }, spec: requesting('100m', '256Mi') },
      },
    }),
  ),
  secret('catchment-generated', {
    'service-token-secret': 's'.repeat(48),
    'postgresql-password': 'p',
    'nats-password': 'n',
    'influxdb-password': 'i',
  }),
];
const LABELS = {
  'app.kubernetes.io/name': 'catchment',
  'app.kubernetes.io/instance': 'catchment',
  'app.kubernetes.io/component': 'gateway',
};
/** The gateway has a pod, and another one that a roll-out which has not ended started beside it. */
const ROLLING: readonly Running[] = [
  ...INSTALLED.filter(({ metadata }) => metadata.name !== 'catchment-gateway'),
  {
    ...INSTALLED.find(({ metadata }) => metadata.name === 'catchment-gateway'),
    metadata: { name: 'catchment-gateway', namespace: 'water', labels: LABELS },
  } as Running,
  ...['old', 'new'].map(
    (name) =>
      ({
        ...object('v1', 'Pod', name, {
          spec: { nodeName: 'one', ...requesting('100m') },
          status: { phase: 'Running' },
        }),
        metadata: { name, namespace: 'water', labels: LABELS },
      }) as Running,
  ),
];
/** One new pod of the largest service (0.1) comes beside the growth of two backends (2 × 0.15). */
const NEEDED =
  /upgrade\.room: .*request 0\.4 cores.*postgresql 0\.15 cores.*nats 0\.15 cores.*0\.1 cores and 256 MiB for the largest new pod/;
const volume = object('v1', 'PersistentVolumeClaim', 'data-catchment-postgresql-0');
const EXTERNAL = ['postgresql.url=postgres://db/c', 'postgresql.existingSecret=db'];
const AS_BEFORE = ['postgresql.trial.resources.requests.cpu=100m', 'nats.trial.resources.requests.cpu=100m'];

/** A cluster has this against an upgrade; and must not have that. */
const CASES: readonly Case[] = [
  { what: 'room: an upgrade for which 0.4 cores are free', there: [...INSTALLED, node('1'), neighbour('600m')] },
  { what: 'room: 0.39 cores are free', there: [...INSTALLED, node('1'), neighbour('610m')], says: NEEDED },
  {
    what: 'room: backends that request what they did need one new pod of a service alone',
    there: [...INSTALLED, node('1'), neighbour('900m')],
    set: AS_BEFORE,
  },
  {
    what: 'room: none is needed where a service is replaced pod by pod',
    there: [...INSTALLED, node('1'), neighbour('1')],
    set: [...AS_BEFORE, 'workload.rollingUpdate.maxSurge=0', 'workload.rollingUpdate.maxUnavailable=1'],
  },
  {
    what: 'room: an upgrade after one that has not ended, whose new pods go with it',
    there: [...ROLLING, node('1'), neighbour('800m')],
    set: AS_BEFORE,
  },
  {
    what: 'room: pods of the release count as often as there shall be some',
    there: [...ROLLING, node('1'), neighbour('810m')],
    set: AS_BEFORE,
    says: /upgrade\.room: .*free are 0\.09 cores/,
  },
  {
    what: 'room: pods that have ended take none',
    there: [...INSTALLED, node('1'), neighbour('900m', 'Succeeded'), neighbour('600m')],
  },
  {
    what: 'room: a node that takes no pods',
    there: [
      ...INSTALLED,
      node('2', '8Gi'),
      object('v1', 'Node', 'two', {
        spec: { unschedulable: true },
        status: { allocatable: { cpu: '8', memory: '8Gi' } },
      }),
      neighbour('1900m'),
    ],
    says: /free are 0\.1 cores and \d+ MiB on one\./,
  },
  {
    what: 'room: memory that is missing',
    there: [...INSTALLED, node('4', '100Mi')],
    says: /upgrade\.room: .*free are 4 cores and 100 MiB/,
  },
  {
    what: 'room: an installation that the cluster is too small for',
    there: [NAMESPACE, node('1')],
    says: /upgrade\.room: .*request 1\.15 cores and 2560 MiB|upgrade\.room: .*free are 1 cores/,
  },
  { what: 'room: not judged where the values say so', there: [NAMESPACE, node('1')], set: ['upgrade.room=never'] },
  {
    what: 'room: not judged where pods are placed',
    there: [NAMESPACE, node('1')],
    set: ['workload.nodeSelector.disk=ssd'],
  },
  {
    what: 'a Secret that is not there',
    there: [NAMESPACE],
    set: EXTERNAL,
    says: /postgresql\.existingSecret: there is no Secret db in the namespace water: make it with username and password/,
  },
  {
    what: 'a Secret without its keys',
    there: [NAMESPACE, secret('db', { username: 'u' })],
    set: EXTERNAL,
    says: /the Secret db lacks password/,
  },
  {
    what: 'a Secret as it should be',
    there: [NAMESPACE, secret('db', { username: 'u', password: 'p' })],
    set: EXTERNAL,
  },
  {
    what: 'a Secret that the release brings',
    there: [NAMESPACE],
    set: [
      ...EXTERNAL,
      'extraObjects[0].apiVersion=v1',
      'extraObjects[0].kind=Secret',
      'extraObjects[0].metadata.name=db',
    ],
  },
  {
    what: 'a short secret of calls',
    there: [NAMESPACE, secret('token', { 'service-token-secret': 'short' })],
    set: ['secrets.existingSecret=token'],
    says: /service-token-secret of the Secret token has 5 characters, and needs 32/,
  },
  ...(['s', 't'] as const).map((letter) => ({
    what: letter === 's' ? 'the same secret of calls under another name' : 'a secret of calls of another installation',
    there: [
      ...INSTALLED.filter(({ metadata }) => metadata.name !== 'catchment-nodes'),
      secret('token', { 'service-token-secret': letter.repeat(48) }),
      {
        ...object('apps/v1', 'Deployment', 'catchment-nodes', {
          spec: {
            replicas: 1,
            template: {
              metadata: { labels: { 'catchment.io/service-nodes': 'true' } },
              spec: {
                containers: [
                  {
                    name: 'nodes',
                    env: [
                      {
                        name: 'SERVICE_TOKEN_SECRET',
                        valueFrom: { secretKeyRef: { name: 'catchment-generated', key: 'service-token-secret' } },
                      },
                    ],
                  },
                ],
              },
            },
          },
        }),
        metadata: {
          name: 'catchment-nodes',
          namespace: 'water',
          labels: {
            'app.kubernetes.io/name': 'catchment',
            'app.kubernetes.io/instance': 'catchment',
            'app.kubernetes.io/component': 'nodes',
          },
        },
      },
    ],
    set: ['secrets.existingSecret=token'],
    ...(letter === 't' && { says: /running pods sign their calls with another secret .*catchment-generated/ }),
  })),
  {
    what: 'a volume without its password',
    there: [NAMESPACE, volume],
    says: /its volume data-catchment-postgresql-0 is there, and the password of what lies on it is not/,
  },
  {
    what: 'a volume that would have another size',
    there: INSTALLED,
    set: ['postgresql.trial.storage=20Gi'],
    says: /postgresql\.trial\.storage: the volume was made with 10Gi.*give 10Gi/,
  },
];

export async function checkRefusals(report: (what: string, problems: readonly string[]) => void): Promise<void> {
  for (const { what, there, set = [], says } of CASES) {
    await using cluster = await fakeCluster(there);
    const { status, stderr } = await template(...cluster.arguments, ...set.flatMap((setting) => ['--set', setting]));
    const isAsWanted = says ? status !== 0 && says.test(stderr) : status === 0;
    report(`by the cluster, ${says ? 'refused' : 'accepted'}: ${what}`, isAsWanted ? [] : [stderr || 'accepted']);
  }
}
