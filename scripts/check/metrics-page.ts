import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { allMetrics } from '@catchment/telemetry';

/** Operators find the metrics here, below the root. */
export const METRICS_PAGE = 'docs/operations/metrics.md';

/** The modules of this repository are loaded from its root. */
const ROOT = path.resolve(import.meta.dirname, '../..');
const DECLARATION = /\b(?:counter|gauge|histogram)\(\{\s*name: '([a-z_]+)'/g;

/** Makes the page of all metrics, out of the modules that declare them. */
export async function metricsPageText(): Promise<string> {
  const declared = await declaringFiles();
  for (const file of new Set(declared.values())) await import(pathToFileURL(path.join(ROOT, file)).href);
  const metrics = allMetrics().filter(({ name }) => declared.has(name));
  const missing = [...declared.keys()].filter((name) => !metrics.some((metric) => metric.name === name));
  if (missing.length > 0) throw new Error(`metrics that no loaded module has: ${missing.join(', ')}`);
  const rows = metrics.map(({ name, type, labels, help }) => {
    const shown = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${shown || '–'} | ${reporterOf(declared.get(name) ?? '')} | ${help} |`;
  });
  return `# Metrics

\`npm run generate\` makes this page from the code. [Telemetry](telemetry.md) describes how to get the metrics.

A histogram consists of the series \`…_bucket\`, \`…_sum\` and \`…_count\`. «services» means every service with such a thing: a broker, a database, calls.

| metric | type | labels | reported by | meaning |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

Besides, each service reports on its process: \`catchment_memory_limit_bytes\` (its memory limit, 0 where only the machine limits it),
\`catchment_memory_used_bytes\` (its used memory, with its children; without a limit, without them), \`catchment_event_loop_longest_delay_seconds\` (the
longest delay of its event loop in the last minute: meanwhile it answers nobody), \`catchment_event_loop_delay_seconds\` (a histogram of the longest delay in each
fifth of a second, so that a share of the counts is a share of the time), \`target_info\` (the service, its version and instance), and \`nodejs_*\` and
\`process_*\` of prom-client: heap, garbage collection, processor time, file descriptors. Services of one process report the same:
\`catchment_process_services\` is their number, by which such a value is divided before values of several services are added up.
`;
}

/** Groups files by the metrics that they declare. */
async function declaringFiles(): Promise<Map<string, string>> {
  const declared = new Map<string, string>();
  for await (const file of glob('{packages,services}/*/src/**/*.ts', { cwd: ROOT })) {
    if (file.endsWith('.test.ts')) continue;
    const text = await readFile(path.join(ROOT, file), 'utf8');
    for (const [, name = ''] of text.matchAll(DECLARATION)) declared.set(name, file);
  }
  return declared;
}

const reporterOf = (file: string): string => {
  const [folder, name = ''] = file.split(path.sep);
  return folder === 'services' ? name : 'services';
};
