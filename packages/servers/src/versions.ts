export type ServerKind = 'postgres' | 'nats' | 'influx';

/** The oldest versions Catchment is proven on. */
export const MINIMUM_VERSIONS: Record<ServerKind, string> = { postgres: '15', nats: '2.9', influx: '1.6' };

/** NATS fsyncs each message (`sync_interval: always`) from here on. */
export const NATS_SYNC_ALWAYS_VERSION = '2.10';

/**
 * A cluster keeps what it has copied from this version on: `npm run test:clusters -w e2e` lost readers, streams and messages with 2.9.10.
 */
export const NATS_CLUSTER_VERSION = '2.10';

/**
 * Returns the version number in what a binary prints for `--version`, e.g. `nats-server: v2.9.10` → `2.9.10`.
 * @returns undefined when the text holds none
 */
export function parseVersion(printed: string): string | undefined {
  return /(?:^|[^\d.])v?(\d+(?:\.\d+){0,2})(?![\d])/.exec(printed)?.[1];
}

/** Returns whether `version` is `minimum` or newer; missing parts count as 0. */
export function isAtLeast(version: string, minimum: string): boolean {
  const have = version.split('.').map(Number);
  const want = minimum.split('.').map(Number);
  for (let part = 0; part < Math.max(have.length, want.length); part++) {
    const difference = (have[part] ?? 0) - (want[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** InfluxDB 2 and 3 share the name `influxd` or not at all; only 1.x is configured by the file we write. */
export function isUsable(kind: ServerKind, version: string): boolean {
  return isAtLeast(version, MINIMUM_VERSIONS[kind]) && !(kind === 'influx' && isAtLeast(version, '2'));
}
