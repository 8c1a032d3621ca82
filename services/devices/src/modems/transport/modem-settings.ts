import type { EnvReader } from '@catchment/config';
import type { AdmissionLimits, FailureLimits } from '../../listening/index.ts';
import type { ListenerSettings } from './modem-transports.ts';

export type ModemSettings = AdmissionLimits &
  FailureLimits & {
    readonly scout: ListenerSettings;
    readonly callback: ListenerSettings;
    readonly identLimitMs: number;
  };

/** Settings of Scouts and call-back loggers; see the README of devices. */
export const modemSettings = (read: EnvReader): ModemSettings => ({
  scout: listenerSettings(read, 'SCOUT', { port: 4331, tlsPort: 4334 }),
  callback: listenerSettings(read, 'CALLBACK', { port: 4332, tlsPort: 4335 }),
  maxConnections: read.int('SCOUT_MAX_CONNECTIONS', { min: 1, max: 1_000_000, fallback: 10_000 }),
  // Modems of a mobile network share addresses.
  maxConnectionsPerAddress: read.int('SCOUT_MAX_CONNECTIONS_PER_ADDRESS', {
    min: 1,
    max: 1_000_000,
    fallback: 1_000,
  }),
  maxFailures: read.int('SCOUT_MAX_FAILURES', { min: 1, max: 1_000_000, fallback: 100 }),
  failureWindowSeconds: read.int('SCOUT_FAILURE_WINDOW_SECONDS', { min: 1, max: 86_400, fallback: 300 }),
  maxPendingBytes: read.int('SCOUT_MAX_PENDING_MB', { min: 8, max: 65_536, fallback: 64 }) * 1024 * 1024,
  identLimitMs: read.int('SCOUT_IDENT_SECONDS', { min: 1, max: 60, fallback: 10 }) * 1_000,
});

const listenerSettings = (read: EnvReader, prefix: string, ports: { port: number; tlsPort: number }) => ({
  host: read.text(`${prefix}_HOST`, { fallback: '127.0.0.1' }),
  port: read.port(`${prefix}_PORT`, ports.port),
  tlsPort: read.int(`${prefix}_TLS_PORT`, { min: 0, max: 65_535, fallback: ports.tlsPort }),
  tlsCertFile: read.optionalText(`${prefix}_TLS_CERT_FILE`),
  tlsKeyFile: read.optionalText(`${prefix}_TLS_KEY_FILE`),
});
