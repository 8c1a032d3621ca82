import path from 'node:path';
import { JsonLogsSerializer, JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler } from '@opentelemetry/sdk-trace';
import { metricsAreOff } from '../metrics/registry.ts';
import { resourceOf } from '../resource.ts';
import { FileExporter } from './file-exporter.ts';
import { metricProducer } from './metric-producer.ts';
import { tellFailures } from './told-failures.ts';
import type { Wanted } from './wanted.ts';

const EXPORT_INTERVAL_MS = 60_000;
const EXPORT_TIMEOUT_MS = 30_000;

/** Starts what is wanted of traces, metrics and logs, with one resource. */
export async function startSdk(wanted: Wanted, env: NodeJS.ProcessEnv): Promise<{ shutdown(): Promise<void> }> {
  const own = resourceOf();
  tellFailures(own['service.name'] ?? 'catchment', env);
  const fileOf = (signal: string) => path.join(wanted.folder ?? '', `${own['service.name']}.${signal}.jsonl`);
  const hasFiles = wanted.folder !== undefined;
  const metrics = wanted.metrics && !metricsAreOff();
  const sdk = new NodeSDK({
    instrumentations: [],
    autoDetectResources: false,
    resource: defaultResource().merge(resourceFromAttributes(own)),
    // Requests that are not kept never come to the sampler (tracing.ts).
    ...(wanted.keptShare !== undefined && { sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }) }),
    // Nothing given: the SDK's exporter by the standard variables.
    ...(!wanted.traces && { spanProcessors: [] }),
    ...(wanted.traces &&
      hasFiles && {
        spanProcessors: [
          new BatchSpanProcessor({
            exporter: new FileExporter(fileOf('traces'), JsonTraceSerializer),
            ...numberOf(env.OTEL_BSP_SCHEDULE_DELAY, 'scheduledDelayMillis'),
          }),
        ],
      }),
    metricReaders: metrics
      ? [readerOf(hasFiles ? new FileExporter(fileOf('metrics'), JsonMetricsSerializer) : await byProtocol(env), env)]
      : [],
    ...(!wanted.logs && { logRecordProcessors: [] }),
    ...(wanted.logs &&
      hasFiles && {
        logRecordProcessors: [
          new BatchLogRecordProcessor({
            exporter: new FileExporter(fileOf('logs'), JsonLogsSerializer),
            ...numberOf(env.OTEL_BLRP_SCHEDULE_DELAY, 'scheduledDelayMillis'),
          }),
        ],
      }),
  });
  sdk.start();
  return sdk;
}

function readerOf(exporter: PushMetricExporter, env: NodeJS.ProcessEnv): PeriodicExportingMetricReader {
  const exportIntervalMillis = Number(env.OTEL_METRIC_EXPORT_INTERVAL) || EXPORT_INTERVAL_MS;
  const exportTimeoutMillis = Math.min(
    Number(env.OTEL_METRIC_EXPORT_TIMEOUT) || EXPORT_TIMEOUT_MS,
    exportIntervalMillis,
  );
  return new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis,
    exportTimeoutMillis,
    metricProducers: [metricProducer],
  });
}

/** The SDK's readers cannot be given a producer, so the exporter is chosen here, by the same variables. */
async function byProtocol(env: NodeJS.ProcessEnv): Promise<PushMetricExporter> {
  const protocol = env.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol === 'grpc') return new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter();
  if (protocol === 'http/json')
    return new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter();
  return new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter();
}

const numberOf = <Name extends string>(text: string | undefined, name: Name) =>
  (Number(text) > 0 ? { [name]: Number(text) } : {}) as { [K in Name]?: number };
