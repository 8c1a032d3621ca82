import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Asked, kubernetes, runHook } from './hook-scripts.ts';

type Template = { readonly metadata: { labels: object; annotations?: object }; readonly spec: object };
type Operation = { readonly op: string; readonly path: string; readonly value: unknown };

const template = (cpu: string): Template => ({
  metadata: { labels: { app: 'nats' } },
  spec: { containers: [{ name: 'nats', resources: { requests: { cpu } } }] },
});
const OLD: Template = {
  metadata: { labels: { app: 'nats', 'helm.sh/chart': 'catchment-0.0.9' }, annotations: { restartedAt: 'monday' } },
  spec: template('100m').spec,
};
const PENDING = {
  status: {
    conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes are available: 1 Insufficient cpu.' }],
  },
};
const CRASHING = {
  status: {
    containerStatuses: [
      {
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled' } },
      },
    ],
  },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'settle-'));
  const nats = { statefulSet: 'nats', sha256: 'new', template: template('250m'), config: { 'nats.conf': 'new' } };
  await writeFile(path.join(folder, '1-nats.json'), JSON.stringify(nats));
  const postgresql = { statefulSet: 'postgresql', sha256: 'new', template: template('250m') };
  await writeFile(path.join(folder, '0-postgresql.json'), JSON.stringify(postgresql));
});
afterAll(() => rm(folder, { recursive: true }));

const settle = (url: string, seconds = '60', hopelessSeconds = '60') =>
  runHook('settle', url, { FOLDER: folder, SETTLE_SECONDS: seconds, HOPELESS_SECONDS: hopelessSeconds });

/** Makes StatefulSets of which `failing` never becomes ready with a new template. */
async function cluster(mark: string, failing?: string, pod: object = PENDING) {
  const names = ['postgresql', 'nats'];
  const sets = new Map(
    names.map((name) => [
      name,
      { annotations: { mark: 'kept', 'catchment.io/template': mark } as object, template: OLD, generation: 1 },
    ]),
  );
  return await kubernetes((request, _time, body) => {
    const [method, kind, name] = request.split(/[ /]/) as [string, string, string];
    if (request.includes('/log?')) return { status: 200, body: 'exec /usr/bin/postgres: exec format error\n' };
    if (kind === 'pods') return method === 'GET' ? { status: 200, body: pod } : { status: 200 };
    if (kind === 'configmaps') return { status: 200, body: { data: { 'nats.conf': 'old' } } };
    const set = sets.get(name);
    if (!set) return { status: 404 };
    if (method === 'PATCH') {
      for (const { path: where, value } of body as Operation[])
        Object.assign(
          set,
          where === '/spec/template' ? { template: value, generation: set.generation + 1 } : { annotations: value },
        );
    }
    const isReady = name !== failing || (mark === 'old' && JSON.stringify(set.template) === JSON.stringify(OLD));
    const status = {
      observedGeneration: set.generation,
      replicas: 1,
      readyReplicas: isReady ? 1 : 0,
      currentRevision: isReady ? 'new' : 'old',
      updateRevision: 'new',
    };
    return {
      status: 200,
      body: {
        metadata: { generation: set.generation, annotations: set.annotations },
        spec: { replicas: 1, template: set.template },
        status,
      },
    };
  });
}
const changes = (asked: readonly Asked[]): Asked[] => asked.filter(({ request }) => !request.startsWith('GET'));

test('backends get their pods of this release one after the other, labels of before are gone, a restart by hand stays noted', async () => {
  await using api = await cluster('old');
  expect(await settle(api.url)).toMatchObject({ status: 0 });
  const expected = {
    ...template('250m'),
    metadata: { labels: { app: 'nats' }, annotations: { restartedAt: 'monday' } },
  };
  const annotations = { mark: 'kept', 'catchment.io/template': 'new' };
  const set = [
    { op: 'add', path: '/metadata/annotations', value: annotations },
    { op: 'replace', path: '/spec/template', value: expected },
  ];
  expect(changes(api.asked)).toEqual([
    { request: 'PATCH statefulsets/postgresql', body: set },
    { request: 'PATCH configmaps/nats', body: [{ op: 'add', path: '/data', value: { 'nats.conf': 'new' } }] },
    { request: 'PATCH statefulsets/nats', body: set },
  ]);
});

test('what is as this release has it is waited for, and not changed', async () => {
  await using api = await cluster('new');
  expect(await settle(api.url)).toMatchObject({ status: 0 });
  expect(changes(api.asked)).toEqual([]);
});

test('a backend that is not there yet comes with the release', async () => {
  await using api = await kubernetes(() => ({ status: 404 }));
  expect(await settle(api.url)).toMatchObject({ status: 0 });
  expect(changes(api.asked)).toEqual([]);
});

test.each([
  [
    'is not scheduled',
    PENDING,
    /postgresql did not become ready: its pod is not scheduled: 0\/1 nodes are available: 1 Insufficient cpu\./,
  ],
  ['has no memory', CRASHING, /its container ended with 137 \(OOMKilled\)/],
])(
  'a backend whose new pod %s gets the one of before back, the others are not touched, and the reason is said',
  async (_what, pod, says) => {
    await using api = await cluster('old', 'postgresql', pod);
    const { status, said } = await settle(api.url, '0');
    expect(status).toBe(1);
    expect(said).toMatch(says);
    expect(said).toContain('It runs as before again. The services were not touched.');
    expect(changes(api.asked).map(({ request }) => request)).toEqual([
      'PATCH statefulsets/postgresql',
      'PATCH statefulsets/postgresql',
      'DELETE pods/postgresql-0',
    ]);
    expect(changes(api.asked)[1]?.body).toContainEqual({ op: 'replace', path: '/spec/template', value: OLD });
  },
);

test('a backend whose container ends says its last lines, and what an image of another architecture says', async () => {
  await using api = await cluster('old', 'postgresql', CRASHING);
  const { said } = await settle(api.url, '0');
  expect(said).toContain(
    'The end of its log: exec /usr/bin/postgres: exec format error. Its image is for another architecture',
  );
});

const MISSING = {
  status: { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } }] },
};

test.each([
  ['is not scheduled', PENDING, /its pod is not scheduled/],
  ['has no image', MISSING, /its container waits: ImagePullBackOff: not found/],
])('a backend whose new pod %s is not waited for to the end', async (_what, pod, says) => {
  await using api = await cluster('old', 'postgresql', pod);
  const { status, said } = await settle(api.url, '3600', '0');
  expect([status, said]).toEqual([1, expect.stringMatching(says)]);
});

test('a backend that was not ready before either is left as it is', async () => {
  await using api = await cluster('new', 'postgresql');
  const { status, said } = await settle(api.url, '0');
  expect([status, said]).toEqual([1, expect.stringContaining('It was not before this upgrade either.')]);
  expect(changes(api.asked)).toEqual([]);
});

test('a pod that was not ready before is made anew, since its controller would wait for it', async () => {
  await using api = await cluster('broken', 'postgresql');
  const { status, said } = await settle(api.url, '0');
  expect([status, said]).toEqual([1, expect.stringContaining('It was not before this upgrade either.')]);
  expect(changes(api.asked).map(({ request }) => request)).toEqual([
    'PATCH statefulsets/postgresql',
    'DELETE pods/postgresql-0',
  ]);
});

test('a change that the cluster refuses ends it with what was refused', async () => {
  await using api = await kubernetes((request) =>
    request.startsWith('PATCH')
      ? { status: 422, body: { message: 'spec.template: Invalid value' } }
      : {
          status: 200,
          body: {
            metadata: { generation: 1 },
            spec: { replicas: 1, template: OLD },
            status: { observedGeneration: 1, replicas: 1, readyReplicas: 1 },
          },
        },
  );
  const { status, said } = await settle(api.url);
  expect([status, said]).toEqual([1, expect.stringContaining('PATCH postgresql: 422')]);
});
