import path from 'node:path';

type InfluxConfigFacts = { folder: string; host: string; httpPort: number; backupPort: number };

/** Writes the configuration file of InfluxDB 1.x: one node, quiet, nothing listening but HTTP and the backup port. */
export function influxConfig({ folder, host, httpPort, backupPort }: InfluxConfigFacts): string {
  const quoted = (text: string) => JSON.stringify(text);
  const under = (name: string) => quoted(path.join(folder, name));
  return `reporting-disabled = true
bind-address = ${quoted(`${host}:${backupPort}`)}

[meta]
  dir = ${under('meta')}
  logging-enabled = false

[data]
  dir = ${under('data')}
  wal-dir = ${under('wal')}
  index-version = "tsi1"
  query-log-enabled = false
  # Accounts are not limited here: the platform bounds sources and rows itself.
  max-series-per-database = 0
  max-values-per-tag = 0

[coordinator]
  write-timeout = "10s"
  query-timeout = "60s"
  max-concurrent-queries = 64

[http]
  enabled = true
  bind-address = ${quoted(`${host}:${httpPort}`)}
  auth-enabled = true
  log-enabled = false
  pprof-enabled = false
  max-body-size = ${128 * 1024 ** 2}
  max-concurrent-write-limit = 32
  max-enqueued-write-limit = 256
  # enqueued-write-timeout stays as it is, 30 s: 1.8 wants a number there, the generations around it text.

[logging]
  level = "warn"
  suppress-logo = true

[monitor]
  store-enabled = false

[subscriber]
  enabled = false

[continuous_queries]
  enabled = false
`;
}
