import { CONFIG_REFUSED, ConfigError, envReader } from '@catchment/config';
import { turnMetricsOff } from './metrics/registry.ts';
import { readOtlpSettings } from './otlp/settings.ts';
import { describeProcess } from './resource.ts';
import { setRunning } from './running.ts';

// Loaded by `node --import @catchment/telemetry/start` before anything else, and the only module that reads telemetry's environment. Where
// nothing is to be sent, the SDK is not even imported.
try {
  const read = envReader(process.env);
  describeProcess(read);
  if (read.oneOf('METRICS', ['on', 'off'], { fallback: 'on' }) === 'off') turnMetricsOff();
  const settings = readOtlpSettings(read);
  read.done();
  if (settings) {
    const { startSdk } = await import('./otlp/sdk.ts');
    const sdk = await startSdk(settings);
    // The SDK itself reports a failure.
    process.once('beforeExit', () => void sdk.shutdown().catch(() => undefined));
    setRunning(sdk);
  }
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  const { createLogger } = await import('./logger.ts');
  createLogger(process.env.OTEL_SERVICE_NAME || 'catchment').error(
    { problems: error.problems },
    'configuration refused',
  );
  process.exit(CONFIG_REFUSED);
}
