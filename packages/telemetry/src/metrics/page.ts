import { type Metric as LibraryMetric, Registry, type RegistryContentType } from 'prom-client';
import { targetInfo } from '../resource.ts';
import { allMetrics, METRICS_ON, type Metric } from './registry.ts';
import { runtimeMetrics } from './runtime.ts';

export type MetricsPage = { readonly contentType: string; readonly text: string };

/** Scrapes that come together are one. */
let running: { accept: string; page: Promise<MetricsPage> } | undefined;

/**
 * All metrics of this process: OpenMetrics with exemplars for whoever accepts it, Prometheus' text otherwise.
 * @param accept the header of the request
 */
export function metricsPage(accept = ''): Promise<MetricsPage> {
  const type = accept.includes('application/openmetrics-text')
    ? Registry.OPENMETRICS_CONTENT_TYPE
    : Registry.PROMETHEUS_CONTENT_TYPE;
  if (running?.accept === type) return running.page;
  const page = written(type).finally(() => {
    running = undefined;
  });
  running = { accept: type, page };
  return page;
}

async function written(type: RegistryContentType): Promise<MetricsPage> {
  const registry = new Registry<RegistryContentType>();
  registry.setContentType(type);
  if (METRICS_ON)
    for (const metric of [...allMetrics(), ...runtimeMetrics(), targetInfo()]) registry.registerMetric(view(metric));
  return { contentType: type, text: await registry.metrics() };
}

/** The library renames counters for OpenMetrics for good; so each page has its own. */
function view(metric: Metric): LibraryMetric {
  const own = {
    name: metric.name,
    type: metric.type,
    get: async () => ({ ...(await metric.read()), name: own.name, help: metric.help, type: metric.type }),
  };
  return own as unknown as LibraryMetric;
}
