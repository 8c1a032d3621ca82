import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { fakeCluster } from './fake-cluster.ts';
import { CHART, template, templateOf } from './helm.ts';
import type { Manifest } from './kubernetes-schemas.ts';

type Report = (what: string, problems: readonly string[]) => void;
type Workload = Manifest & {
  readonly spec: { readonly replicas?: number; readonly template: unknown };
  readonly data?: Readonly<Record<string, string>>;
};
/** People have these files of values of the release before this one. */
const BEFORE = path.join(import.meta.dirname, 'values-before');

/** Checks what an upgrade keeps, and what it does not touch. */
export async function checkUpgrades(report: Report): Promise<void> {
  for (const file of (await readdir(BEFORE)).sort()) {
    const { status, stderr } = await template('--values', path.join(BEFORE, file));
    report(`values of the release before: ${file}`, status === 0 ? [] : [stderr]);
  }
  report('a new version of the chart alone restarts no backend, nor a service', await restartedByVersion());
  await checkKept(report);
}

const objectsOf = (rendered: string): Workload[] =>
  parseAllDocuments(rendered).flatMap((document) => (document.toJS() as Workload | null) ?? []);

/** Finds pods that a chart of another version would make anew. */
async function restartedByVersion(): Promise<string[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'chart-'));
  try {
    await cp(CHART, folder, { recursive: true });
    const file = path.join(folder, 'Chart.yaml');
    const chart = await readFile(file, 'utf8');
    await writeFile(
      file,
      chart.replace(/^version: .*/m, 'version: 99.9.9').replace(/^appVersion: .*/m, 'appVersion: 99.9.9'),
    );
    const [before, after] = await Promise.all(
      [CHART, folder].map(async (chart) => objectsOf((await templateOf(chart, '--set', 'image.tag=1.2.3')).stdout)),
    );
    return ['StatefulSet', 'Deployment'].flatMap((kind) => {
      const olds = before?.filter((object) => object.kind === kind) ?? [];
      const changed = olds.filter(({ metadata, spec }) => {
        const now = after?.find((object) => object.kind === kind && object.metadata.name === metadata.name);
        return !isDeepStrictEqual(now?.spec.template, spec.template);
      });
      return olds.length === 0 ? [`no ${kind} is rendered`] : changed.map(({ metadata }) => `${kind} ${metadata.name}`);
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Checks that what the chart looks up in the cluster stays as it is there. */
async function checkKept(report: Report): Promise<void> {
  const running = (apiVersion: string, kind: string, name: string, content: object) => {
    return { ...content, apiVersion, kind, metadata: { name: `catchment-${name}` } };
  };
  const deployments = { nodes: 5, alarms: 1, events: 5, render: 0 };
  await using cluster = await fakeCluster([
    ...Object.entries(deployments).map(([name, replicas]) =>
      running('apps/v1', 'Deployment', name, { spec: { replicas } }),
    ),
    running('v1', 'ConfigMap', 'historic', { data: { INGEST_PARTITIONS: '4' } }),
    running('v1', 'Secret', 'generated', { data: { 'service-token-secret': 'a2VwdA==' } }),
  ]);
  const scaled = ['nodes', 'alarms', 'render', 'gateway'].flatMap((name) => [
    '--set',
    `${name}.autoscaling.enabled=true`,
  ]);
  const { status, stdout, stderr } = await template(...cluster.arguments, ...scaled);
  if (status !== 0) return report('an upgrade renders', [stderr]);
  const objects = objectsOf(stdout);
  const spec = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === `catchment-${name}`);
  const wanted = { nodes: 5, alarms: 2, render: undefined, gateway: undefined, events: 1 };
  report(
    'an upgrade: what is scaled keeps its pods, at least the fewest; without pods the scaler says how many',
    Object.entries(wanted)
      .map(([name, replicas]) => [name, replicas, spec('Deployment', name)?.spec?.replicas] as const)
      .filter(([, replicas, rendered]) => replicas !== rendered)
      .map(([name, replicas, rendered]) => `${name}: ${rendered} in place of ${replicas}`),
  );
  const kept = spec('Secret', 'generated')?.data?.['service-token-secret'];
  report('an upgrade: what was generated is kept', kept === 'a2VwdA==' ? [] : [`service-token-secret is ${kept}`]);
  const other = await template(...cluster.arguments, '--set', 'ingestPartitions=8');
  const isRefused = other.status !== 0 && /this installation has 4/.test(other.stderr);
  report('an upgrade: refused with another number of partitions', isRefused ? [] : [other.stderr || 'accepted']);
}
