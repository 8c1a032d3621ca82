import { totalmem } from 'node:os';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { hostedServices } from '../services.ts';
import { eventLoopDelays } from './event-loop.ts';
import { groupMemory } from './group-memory.ts';
import type { Metric, MetricType } from './registry.ts';

/** The library's own delays count, so that long ones are lost among short ones, and begin anew with each scrape: ours are in event-loop.ts. */
const REPLACED = /^nodejs_eventloop_lag_(?!seconds$)/;
/** Its timer rests. */
const LOOP_PRECISION_MS = 3_600_000;

let known: readonly Metric[] | undefined;

/** Registers nodejs_* and process_* of the library; it begins to watch with the first scrape. */
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
  const kept = library.filter(({ name }) => !REPLACED.test(name));
  return [memoryLimit, memoryUsed(), services, ...eventLoopDelays().metrics(), ...kept];
}

/** Returns the limit of the process where it is below the memory of the machine, else 0. */
const ownLimit = (): number => {
  const limit = process.constrainedMemory();
  return limit < totalmem() ? limit : 0;
};

const memoryLimit: Metric = {
  name: 'catchment_memory_limit_bytes',
  help: 'Memory that this process may have, bytes; 0 where nothing limits it but the machine.',
  type: 'gauge',
  labels: [],
  read: async () => ({ values: [{ value: ownLimit(), labels: {} }] }),
};

const services: Metric = {
  name: 'catchment_process_services',
  help: 'Services that share this process. Each of them reports what the process uses: divide by this before adding up over services.',
  type: 'gauge',
  labels: [],
  read: async () => ({ values: [{ value: Math.max(1, hostedServices().length), labels: {} }] }),
};

/** Counts what matters for the limit: children too, as browsers and runners of programs. */
function memoryUsed(): Metric {
  const group = groupMemory();
  const resident = () => process.memoryUsage.rss();
  const bytes = async () => {
    const used = ownLimit() > 0 ? await group : undefined;
    return used ? used().catch(resident) : resident();
  };
  return {
    name: 'catchment_memory_used_bytes',
    help: 'Memory that is used of catchment_memory_limit_bytes, by child processes too; that of this process where there is no limit.',
    type: 'gauge',
    labels: [],
    read: async () => ({ values: [{ value: await bytes(), labels: {} }] }),
  };
}
