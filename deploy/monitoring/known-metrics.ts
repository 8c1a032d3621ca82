import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCES = '{packages,services}/*/src/**/*.ts';
/** Metrics in the code begin with their kind and name. */
const DEFINED = /\b(counter|gauge|histogram)(?:<[^>]*>)?\(\{\s*name: '(\w+)'/g;
const OF_HISTOGRAMS = ['_bucket', '_count', '_sum'];

/** Lists names of all series that the services' code and its library can have, and that of the scraper. */
export async function knownMetrics(): Promise<ReadonlySet<string>> {
  const known = new Set([
    'up',
    'catchment_memory_limit_bytes',
    'catchment_memory_used_bytes',
    'catchment_process_services',
    'catchment_event_loop_longest_delay_seconds',
    ...OF_HISTOGRAMS.map((suffix) => `catchment_event_loop_delay_seconds${suffix}`),
  ]);
  for await (const file of glob(SOURCES, { cwd: ROOT, exclude: (name) => name.endsWith('.test.ts') })) {
    const text = await readFile(path.join(ROOT, file), 'utf8');
    for (const [, kind, name = ''] of text.matchAll(DEFINED))
      for (const suffix of kind === 'histogram' ? OF_HISTOGRAMS : ['']) known.add(name + suffix);
  }
  const library = new Registry();
  collectDefaultMetrics({ register: library });
  for (const { name } of await library.getMetricsAsJSON()) known.add(name);
  return known;
}
