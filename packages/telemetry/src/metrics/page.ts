import { type Metric as LibraryMetric, Registry, type RegistryContentType } from 'prom-client';
import { targetInfo } from '../resource.ts';
import { hostedService, hostedServices } from '../services.ts';
import { allMetrics, type Metric, metricsAreOff } from './registry.ts';
import { runtimeMetrics } from './runtime.ts';

export type MetricsPage = { readonly contentType: string; readonly text: string };

/** Scrapes of one service that come together are one. */
const running = new Map<string, Promise<MetricsPage>>();

/**
 * Returns the metrics of a service of this process, and those of the process: OpenMetrics with exemplars for whoever accepts it,
 * Prometheus' text otherwise.
 * @param accept the header of the request
 * @param service name of a service of this process; undefined where it has only one, or none
 * @throws Error for a service that is none of this process
 */
export async function metricsPage(accept = '', service?: string): Promise<MetricsPage> {
  const type = accept.includes('application/openmetrics-text')
    ? Registry.OPENMETRICS_CONTENT_TYPE
    : Registry.PROMETHEUS_CONTENT_TYPE;
  const slot = service === undefined ? 0 : hostedService(service).slot;
  const key = `${slot} ${type}`;
  const before = running.get(key);
  if (before) return before;
  const page = written(type, slot).finally(() => running.delete(key));
  running.set(key, page);
  return page;
}

async function written(type: RegistryContentType, slot: number): Promise<MetricsPage> {
  const registry = new Registry<RegistryContentType>();
  registry.setContentType(type);
  if (!metricsAreOff()) {
    const metrics = [...allMetrics(), ...runtimeMetrics(), targetInfo(hostedServices()[slot]?.name)];
    for (const metric of metrics) registry.registerMetric(view(metric, slot));
  }
  return { contentType: type, text: await registry.metrics() };
}

/** The library renames counters for OpenMetrics for good; so each page has its own. */
function view(metric: Metric, slot: number): LibraryMetric {
  const labelled = {
    name: metric.name,
    type: metric.type,
    get: async () => ({ ...(await metric.read(slot)), name: labelled.name, help: metric.help, type: metric.type }),
  };
  return labelled as unknown as LibraryMetric;
}
