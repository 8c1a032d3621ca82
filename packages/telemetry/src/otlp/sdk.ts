import { context, type Logger, propagation, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { JsonLogsSerializer, JsonMetricsSerializer, JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { emptyResource } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { metricsAreOff } from '../metrics/registry.ts';
import type { Running } from '../running.ts';
import { reportFailures } from './export-failures.ts';
import { EXPORTERS } from './exporters.ts';
import { MetricsOfServices, metricProducer } from './metrics-of-services.ts';
import { sdkResource } from './sdk-resource.ts';
import { byService, ServiceFiles, serviceOf } from './service-files.ts';
import type { OtlpSettings } from './settings.ts';

const SCOPE = 'catchment';

/**
 * Starts what is wanted of traces, metrics and logs. Each service of the process has a separate resource; queues,
 * exporters and timers they share.
 */
export async function startSdk(settings: OtlpSettings): Promise<Running> {
  reportFailures(settings.sdkLogLevel);
  const traces = await spanProcessor(settings);
  const logs = await logRecordProcessor(settings);
  const metrics = await meterProvider(settings);
  if (traces) {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  }
  return {
    keptShare: keptShareOf(settings),
    tracerOf:
      traces &&
      remembered((service): Tracer => {
        const resource = sdkResource(service);
        return new TracerProvider({ resource, sampler: samplerOf(settings), spanProcessors: [traces] }).getTracer(
          SCOPE,
        );
      }),
    loggerOf:
      logs &&
      remembered(
        (service): Logger =>
          new LoggerProvider({ resource: sdkResource(service), processors: [logs] }).getLogger(SCOPE),
      ),
    shutdown: async () => {
      await Promise.all([traces?.shutdown(), logs?.shutdown(), metrics?.shutdown()]);
    },
  };
}

/** Keeps few: the services of a process. */
function remembered<T>(make: (service: string | undefined) => T): (service: string | undefined) => T {
  const made = new Map<string | undefined, T>();
  return (service) => {
    const known = made.get(service) ?? make(service);
    made.set(service, known);
    return known;
  };
}

async function spanProcessor({ protocols, folder, spans }: OtlpSettings): Promise<BatchSpanProcessor | undefined> {
  if (!protocols.traces) return undefined;
  const exporter = folder
    ? new ServiceFiles({ folder, signal: 'traces' }, JsonTraceSerializer, byService)
    : await EXPORTERS.traces[protocols.traces]();
  return new BatchSpanProcessor({ exporter, ...spans });
}

async function logRecordProcessor(settings: OtlpSettings): Promise<BatchLogRecordProcessor | undefined> {
  const { protocols, folder, logRecords } = settings;
  if (!protocols.logs) return undefined;
  const exporter = folder
    ? new ServiceFiles({ folder, signal: 'logs' }, JsonLogsSerializer, byService)
    : await EXPORTERS.logs[protocols.logs]();
  return new BatchLogRecordProcessor({ exporter, ...logRecords });
}

async function meterProvider({ protocols, folder, metrics }: OtlpSettings): Promise<MeterProvider | undefined> {
  if (!protocols.metrics || metricsAreOff()) return undefined;
  const exporter = folder
    ? new ServiceFiles(
        { folder, signal: 'metrics' },
        JsonMetricsSerializer,
        (all) => new Map([[serviceOf(all.resource), all]]),
      )
    : await EXPORTERS.metrics[protocols.metrics]();
  const reader = new PeriodicExportingMetricReader({
    exporter: new MetricsOfServices(exporter),
    exportIntervalMillis: metrics.intervalMs,
    exportTimeoutMillis: metrics.timeoutMs,
    metricProducers: [metricProducer],
  });
  return new MeterProvider({ resource: emptyResource(), readers: [reader] });
}

/**
 * Requests that are not kept never come to the sampler (tracing.ts), which is asked with ids and a separate span for
 * each.
 */
function keptShareOf({ sampler, share }: OtlpSettings): number {
  if (sampler === 'parentbased_always_off') return 0;
  return sampler === 'parentbased_traceidratio' ? share : 1;
}

function samplerOf({ sampler, share }: OtlpSettings): Sampler {
  if (sampler === 'always_off') return new AlwaysOffSampler();
  if (sampler === 'traceidratio') return new TraceIdRatioBasedSampler(share);
  return new ParentBasedSampler({ root: new AlwaysOnSampler() });
}
