import { gauge, histogram } from './metrics/instruments.ts';

/** Statements and writes; the stores of several packages publish theirs here. */
export const databaseDuration = histogram({
  name: 'db_client_operation_duration_seconds',
  help: 'Duration of statements and writes to PostgreSQL and InfluxDB.',
  labels: ['db_system_name', 'db_operation_name', 'error_type', 'shard'],
});

/** The stores keep so much, and may keep so much where they say so; several packages publish theirs here. */
export const storeBytes = gauge({
  name: 'catchment_store_bytes',
  help: 'Bytes that a store keeps on its disk: the database of PostgreSQL, the streams and attachments of NATS, the database of InfluxDB by its shard.',
  labels: ['store', 'part'],
});
export const storeLimit = gauge({
  name: 'catchment_store_limit_bytes',
  help: 'Bytes that a store may keep by its settings: those of NATS, if its account or NATS_MONITOR_URL reports them. Kubernetes reports volumes.',
  labels: ['store', 'part'],
});

/** The clock of this process is ahead by this. */
export const clockSkew = gauge({
  name: 'catchment_clock_skew_seconds',
  help: 'Time by which the clock of this process is ahead of that of PostgreSQL or of the broker.',
  labels: ['against'],
});

/** An answer that took longer says less of a clock than of what it waited for. */
const LATE_CLOCK_MS = 1_000;

/**
 * Asks what another clock shows.
 * @param ask answers Unix ms; undefined: it does not say
 * @returns by how many seconds ours is ahead; undefined where that is not known, or the answer took too long
 */
export async function aheadOf(
  ask: () => Promise<number | undefined>,
  now: () => number = Date.now,
): Promise<number | undefined> {
  const beforeMs = now();
  const theirMs = await ask();
  const afterMs = now();
  if (theirMs === undefined || afterMs - beforeMs > LATE_CLOCK_MS) return undefined;
  return ((beforeMs + afterMs) / 2 - theirMs) / 1_000;
}
