import { type HrTime, ValueType } from '@opentelemetry/api';
import type { ExportResult } from '@opentelemetry/core';
import { emptyResource, type Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
  type PushMetricExporter,
  type ResourceMetrics,
  type ScopeMetrics,
} from '@opentelemetry/sdk-metrics';
import type { MetricValue, MetricValueWithName } from 'prom-client';
import { allMetrics, type Metric } from '../metrics/registry.ts';
import { runtimeMetrics } from '../metrics/runtime.ts';
import { reporters } from '../services.ts';
import { sdkResource } from './sdk-resource.ts';
import { attributesOf, descriptorOf } from './semantic-names.ts';
import { worstOf } from './service-files.ts';

type Sample = MetricValue<string> & Partial<Pick<MetricValueWithName<string>, 'metricName'>>;

const hrTime = (ms: number): HrTime => [Math.trunc(ms / 1_000), Math.round((ms % 1_000) * 1e6)];
const startTime = hrTime(Date.now() - process.uptime() * 1_000);

/** The reader leaves the metrics of a service as they are. */
type OfService = ScopeMetrics & { readonly resource: Resource };

/** OpenTelemetry's readers take the metrics of each service of this process from it; those that cannot be read are left out. */
export const metricProducer: MetricProducer = {
  async collect(): Promise<CollectionResult> {
    const errors: unknown[] = [];
    const endTime = hrTime(Date.now());
    const read = async (metric: Metric, slot: number): Promise<MetricData[]> => {
      try {
        const { values } = await metric.read(slot);
        return values.length === 0 ? [] : [dataOf(metric, values as Sample[], endTime)];
      } catch (error) {
        errors.push(error);
        return [];
      }
    };
    const known = [...allMetrics(), ...runtimeMetrics()];
    const scopeMetrics = await Promise.all(
      reporters().map(async ({ name, slot }): Promise<OfService> => {
        const metrics = await Promise.all(known.map((metric) => read(metric, slot)));
        return { resource: sdkResource(name), scope: { name: 'catchment' }, metrics: metrics.flat() };
      }),
    );
    return { resourceMetrics: { resource: emptyResource(), scopeMetrics }, errors };
  },
};

/** A reader has one resource: what it hands over is taken apart again. */
export class MetricsOfServices implements PushMetricExporter {
  readonly #exporter: PushMetricExporter;

  constructor(exporter: PushMetricExporter) {
    this.#exporter = exporter;
  }

  export({ scopeMetrics }: ResourceMetrics, done: (result: ExportResult) => void): void {
    const exports = (scopeMetrics as OfService[]).map(
      ({ resource, scope, metrics }) =>
        new Promise<ExportResult>((resolve) =>
          this.#exporter.export({ resource, scopeMetrics: [{ scope, metrics }] }, resolve),
        ),
    );
    void Promise.all(exports).then((results) => done(worstOf(results)));
  }

  forceFlush(): Promise<void> {
    return this.#exporter.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}

function dataOf(metric: Metric, samples: readonly Sample[], endTime: HrTime): MetricData {
  const shared = {
    descriptor: { ...descriptorOf(metric), description: metric.help, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const at = { startTime, endTime };
  if (metric.type === 'histogram')
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(metric.name, samples, at) };
  const dataPoints = samples.map(({ labels, value }) => ({ ...at, attributes: attributesOf(labels), value }));
  return metric.type === 'counter'
    ? { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...shared, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** Prometheus counts all values below a bound, OpenTelemetry those between two. */
function histograms(
  name: string,
  samples: readonly Sample[],
  at: { startTime: HrTime; endTime: HrTime },
): DataPoint<Histogram>[] {
  const series = Map.groupBy(samples, ({ labels: { le, ...labels } }) => JSON.stringify(labels));
  return [...series.values()].map((ofService) => {
    const { le: _, ...labels } = ofService[0]?.labels ?? {};
    const buckets = ofService.filter(({ metricName }) => metricName === `${name}_bucket`);
    const totalOf = (suffix: string) => ofService.find(({ metricName }) => metricName === name + suffix)?.value ?? 0;
    const value = {
      buckets: {
        boundaries: buckets.slice(0, -1).map(({ labels: { le } }) => Number(le)),
        counts: buckets.map((bucket, n) => bucket.value - (buckets[n - 1]?.value ?? 0)),
      },
      sum: totalOf('_sum'),
      count: totalOf('_count'),
    };
    return { ...at, attributes: attributesOf(labels), value };
  });
}
