import type { EnvReader } from '@catchment/config';
import {
  type AdmissionLimits,
  type FailureLimits,
  type ListenerSettings,
  listenerSettings,
} from '../../listening/index.ts';

export type ModemSettings = AdmissionLimits &
  FailureLimits & {
    readonly scout: ListenerSettings;
    readonly callback: ListenerSettings;
    readonly identLimitMs: number;
  };

/** Settings of Scouts and call-back loggers; see the README of devices. */
export const modemSettings = (read: EnvReader): ModemSettings => ({
  scout: listenerSettings(read, 'scout'),
  callback: listenerSettings(read, 'callback'),
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
