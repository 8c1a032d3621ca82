// Loaded by `node --import @catchment/telemetry/start` before anything else. Tracing is on when an OTLP endpoint is set;
// otherwise the SDK is not even imported.
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT || process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const sdk = new NodeSDK({ instrumentations: [] });
  sdk.start();
  process.once('beforeExit', () => void sdk.shutdown());
  (globalThis as { catchmentTracing?: { shutdown(): Promise<void> } }).catchmentTracing = sdk;
}

export {};
