import type { Protocol } from './settings.ts';

/** The SDK's exporters read their own variables: endpoints, headers, time, certificates. Those of one protocol are loaded. */
export const EXPORTERS = {
  traces: {
    'http/protobuf': async () => new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(),
    'http/json': async () => new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter(),
    grpc: async () => new (await import('@opentelemetry/exporter-trace-otlp-grpc')).OTLPTraceExporter(),
  },
  metrics: {
    'http/protobuf': async () => new (await import('@opentelemetry/exporter-metrics-otlp-proto')).OTLPMetricExporter(),
    'http/json': async () => new (await import('@opentelemetry/exporter-metrics-otlp-http')).OTLPMetricExporter(),
    grpc: async () => new (await import('@opentelemetry/exporter-metrics-otlp-grpc')).OTLPMetricExporter(),
  },
  logs: {
    'http/protobuf': async () => new (await import('@opentelemetry/exporter-logs-otlp-proto')).OTLPLogExporter(),
    'http/json': async () => new (await import('@opentelemetry/exporter-logs-otlp-http')).OTLPLogExporter(),
    grpc: async () => new (await import('@opentelemetry/exporter-logs-otlp-grpc')).OTLPLogExporter(),
  },
} as const satisfies Record<string, Record<Protocol, () => Promise<object>>>;
