import { gauge, histogram } from './metrics/instruments.ts';

/** Statements and writes; the stores of several packages tell theirs here. */
export const databaseDuration = histogram({
  name: 'db_client_operation_duration_seconds',
  help: 'Duration of statements and writes to PostgreSQL and InfluxDB.',
  labels: ['db_system_name', 'db_operation_name', 'error_type', 'shard'],
});

/** By how much the clock of this process is ahead. */
export const clockSkew = gauge({
  name: 'catchment_clock_skew_seconds',
  help: 'By how much the clock of this process is ahead of that of PostgreSQL or of the broker.',
  labels: ['against'],
});
