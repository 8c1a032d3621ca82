import { turnMetricsOff } from './metrics/registry.ts';
import { wantedOf } from './otlp/wanted.ts';
import { describeProcess } from './resource.ts';
import type { Running } from './running.ts';

// Loaded by `node --import @catchment/telemetry/start` before anything else. Where nothing is to be sent, the SDK is not even imported.
describeProcess(process.env);
if (process.env.METRICS === 'off') turnMetricsOff();
const wanted = process.env.OTEL_SDK_DISABLED === 'true' ? undefined : wantedOf(process.env);
if (wanted) {
  const { startSdk } = await import('./otlp/sdk.ts');
  const sdk = await startSdk(wanted, process.env);
  // A failure is told by the SDK itself.
  process.once('beforeExit', () => void sdk.shutdown().catch(() => undefined));
  const { traces, logs, keptShare } = wanted;
  const running: Running = { shutdown: () => sdk.shutdown(), traces, logs, keptShare };
  Object.assign(globalThis, { catchmentTelemetry: running });
}
