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
  return registry.getMetricsAsArray().map((metric) => {
    const { name, help, type } = metric as unknown as { name: string; help: string; type: MetricType };
    return {
      name,
      help,
      type,
      labels: [],
      read: async () => (metric as unknown as { get(): ReturnType<Metric['read']> }).get(),
    };
  });
}
