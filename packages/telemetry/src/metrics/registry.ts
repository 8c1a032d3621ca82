import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Off only to measure what metrics cost. */
export const METRICS_ON = process.env.METRICS !== 'off';

export type MetricType = 'counter' | 'gauge' | 'histogram';
type Values = Pick<MetricObjectWithValues<MetricValue<string>>, 'values'>;

export type Metric = {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly string[];
  read(): Promise<Values>;
};

const metrics = new Map<string, Metric>();

/** @throws Error for a name that is taken: two meanings of one name would be added up */
export function register(metric: Metric): void {
  if (metrics.has(metric.name)) throw new Error(`there is a metric ${metric.name} already`);
  metrics.set(metric.name, metric);
}

/** All metrics of this process, by name. */
export const allMetrics = (): Metric[] => [...metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
