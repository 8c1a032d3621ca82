// Names of ours beside OpenTelemetry's registry, as its package for Node has it.
import { glob, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as registry from '@opentelemetry/semantic-conventions/incubating';
import { attributesOf, descriptorOf, SEMANTIC_NAMES } from './semantic-names.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const PACKAGE = path.dirname(createRequire(import.meta.url).resolve('@opentelemetry/semantic-conventions'));
/** Attributes of the registry's groups, as object keys and first arguments of setAttribute. */
const USED = /'((?:http|url|rpc|messaging|db|server|client|network|error|service|k8s|peer)\.[a-z_.]+)'(?=\s*[:,])/g;

/** The registry has put these aside; the texts say why we keep them. */
const KEPT: Readonly<Record<string, string>> = {
  'rpc.service': 'a label of metrics: rules and dashboards are by it, also behind a collector that writes Prometheus',
  'rpc.grpc.status_code': 'the same',
};

const names: ReadonlySet<string> = new Set<string>(
  Object.values(registry).filter((value) => typeof value === 'string'),
);

async function deprecated(): Promise<Set<string>> {
  const files = ['experimental_attributes.d.mts', 'stable_attributes.d.mts', 'experimental_metrics.d.mts'];
  const texts = await Promise.all(files.map((file) => readFile(path.join(PACKAGE, file), 'utf8')));
  const comments = texts
    .join('\n')
    .matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*declare const (?:ATTR|METRIC)_\w+: "([^"]+)"/g);
  return new Set([...comments].flatMap(([, text = '', name = '']) => (text.includes('@deprecated') ? [name] : [])));
}

/** Attributes that the code gives to spans, by the file. */
async function used(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const file of glob('{packages,services}/*/src/**/*.ts', {
    cwd: ROOT,
    exclude: (name) => name.endsWith('.test.ts'),
  }))
    for (const [, name = ''] of (await readFile(path.join(ROOT, file), 'utf8')).matchAll(USED)) found.set(name, file);
  return found;
}

test('every attribute of a span is one of the registry, and none that it has put aside', async () => {
  const old = await deprecated();
  expect(old.size).toBeGreaterThan(50);
  const attributes = await used();
  expect(attributes.size).toBeGreaterThan(20);
  const wrong = [...attributes].filter(([name]) => !KEPT[name] && (!names.has(name) || old.has(name)));
  expect(wrong).toEqual([]);
});

test('what is kept though it was put aside is used, and was put aside', async () => {
  const old = await deprecated();
  expect(Object.keys(KEPT).filter((name) => !old.has(name))).toEqual([]);
});

test('metrics that the registry knows have its names and attributes', async () => {
  const old = await deprecated();
  const metrics = Object.entries(SEMANTIC_NAMES).map(([prometheus, name]) => {
    expect(descriptorOf({ name: prometheus, type: 'histogram' })).toEqual({ name, unit: 's' });
    return name;
  });
  expect(metrics.filter((name) => !names.has(name) || old.has(name))).toEqual([]);
  const labels = {
    http_route: '/x',
    rpc_method: 'A',
    messaging_destination_name: 'S',
    db_system_name: 'p',
    error_type: 'e',
  };
  expect(Object.keys(attributesOf(labels)).filter((name) => !names.has(name) || old.has(name))).toEqual([]);
});
