// `node deploy/check/take-schemas.ts` takes the schemas of the kinds that the chart uses from the cluster of KUBECONFIG.
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type KubernetesSchemas, SCHEMAS_FILE, type Schema } from './kubernetes-schemas.ts';
import { trimmed } from './trimmed-schema.ts';

const KINDS: Readonly<Record<string, readonly string[]>> = {
  'api/v1': ['ConfigMap', 'PersistentVolumeClaim', 'Pod', 'Secret', 'Service', 'ServiceAccount'],
  'apis/apps/v1': ['Deployment', 'StatefulSet'],
  'apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'apis/batch/v1': ['CronJob', 'Job'],
  'apis/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
  'apis/policy/v1': ['PodDisruptionBudget'],
  'apis/rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding'],
  'apis/scheduling.k8s.io/v1': ['PriorityClass'],
};

type Named = Schema & { 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[] };

const raw = (url: string): string =>
  execFileSync('kubectl', ['get', '--raw', url], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

const kinds: Record<string, string> = {};
const schemas: Record<string, Schema> = {};
for (const [api, wanted] of Object.entries(KINDS)) {
  const all = (JSON.parse(raw(`/openapi/v3/${api}`)) as { components: { schemas: Record<string, Named> } }).components
    .schemas;
  const take = (name: string): void => {
    const schema = all[name];
    if (!schema || schemas[name]) return;
    schemas[name] = trimmed(schema) as Schema;
    for (const [, needed] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/([^"]+)"/g))
      take(needed as string);
  };
  for (const kind of wanted) {
    const found = Object.entries(all).find(([, schema]) =>
      schema['x-kubernetes-group-version-kind']?.some((version) => version.kind === kind),
    );
    if (!found) throw new Error(`the cluster does not know ${api} ${kind}`);
    kinds[`${api.replace(/^apis?\//, '')}/${kind}`] = found[0];
    take(found[0]);
  }
}
const { gitVersion } = JSON.parse(raw('/version')) as { gitVersion: string };
const taken: KubernetesSchemas = { version: gitVersion, kinds, schemas };
await mkdir(path.dirname(SCHEMAS_FILE), { recursive: true });
await writeFile(SCHEMAS_FILE, `${JSON.stringify(taken)}\n`);
process.stdout.write(`${Object.keys(schemas).length} schemas of Kubernetes ${gitVersion}\n`);
