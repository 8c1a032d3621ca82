import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type MetricType = 'counter' | 'gauge' | 'histogram';
export type Values = Pick<MetricObjectWithValues<MetricValue<string>>, 'values'>;

export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly string[];
  /** @param slot the service whose values are asked for (services.ts), 0 where it is left out */
  read(slot?: number): Promise<Values>;
};

const metrics = new Map<string, Metric>();
let isOff = false;

/** Off only to measure what metrics cost. */
export const metricsAreOff = (): boolean => isOff;

/** Counts nothing from now on. */
export function turnMetricsOff(): void {
  isOff = true;
}

/** @throws Error for a name that is taken: two meanings of one name would be added up */
export function register(metric: Metric): void {
  if (metrics.has(metric.name)) throw new Error(`there is a metric ${metric.name} already`);
  metrics.set(metric.name, metric);
}

/** Returns all metrics of this process, by name. */
export const allMetrics = (): Metric[] => [...metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
