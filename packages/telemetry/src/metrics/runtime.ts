import { totalmem } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Metric, MetricType } from './registry.ts';

/** Accurate enough for an event loop that is held up, and no work of its own. */
const LOOP_PRECISION_MS = 50;

let known: readonly Metric[] | undefined;

/** nodejs_* and process_* of the library; it begins to watch with the first scrape. */
export function runtimeMetrics(): readonly Metric[] {
  known ??= begin();
  return known;
}

function begin(): Metric[] {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_PRECISION_MS });
  const library = registry.getMetricsAsArray().map((metric) => {
    const { name, help, type } = metric as unknown as { name: string; help: string; type: MetricType };
    const read = () => (metric as unknown as { get(): ReturnType<Metric['read']> }).get();
    return { name, help, type, labels: [], read };
  });
  return [memoryLimit, ...library];
}

const memoryLimit: Metric = {
  name: 'catchment_memory_limit_bytes',
  help: 'Memory that this process may have, bytes; 0 where nothing limits it but the machine.',
  type: 'gauge',
  labels: [],
  read: async () => {
    const limit = process.constrainedMemory();
    return { values: [{ value: limit < totalmem() ? limit : 0, labels: {} }] };
  },
};
