import { join } from 'node:path';
import { ConfigError, type envReader, readClassNamespace } from '@catchment/config';
import { allowedRanges } from '@catchment/egress';
import { databaseConnections } from '@catchment/pg';
import { serviceConfig } from '@catchment/service';
import { acquisitionSettings } from './acquisition/index.ts';
import { pakBusSettings } from './loggers/index.ts';
import { mqttSettings } from './mqtt/index.ts';
import { stationSettings } from './stations/index.ts';
import { uploadSettings } from './uploads/index.ts';

/** Reads what devices uses, and its settings; see README. */
export const config = serviceConfig({
  name: 'devices',
  uses: {
    peers: ['nodes', 'historic'],
    // Expressions and decoders need processing; previews of pictures render.
    optionalPeers: ['processing', 'render'],
    bus: { options: (read) => ({ prefix: read.optionalText('BUS_PREFIX') ?? '' }) },
    database: {
      migrations: join(import.meta.dirname, '../migrations'),
      // The relay listens, and the connections of devices.
      connections: (read) => databaseConnections(read, { held: 2, usual: 10 }),
      outbox: true,
    },
  },
  settings: (read) => ({
    classNamespace: readClassNamespace(read),
    ...acquisitionSettings(read),
    scout: modemSettings(read, 'SCOUT', { port: 4331, tlsPort: 4334 }),
    callback: modemSettings(read, 'CALLBACK', { port: 4332, tlsPort: 4335 }),
    remote: remoteSettings(read),
    egressRanges: allowedRanges(read, 'EGRESS_ALLOWED_RANGES'),
    scoutPublicHost: read.optionalText('SCOUT_PUBLIC_HOST'),
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
    stations: stationSettings(read),
    identLimitMs: read.int('SCOUT_IDENT_SECONDS', { min: 1, max: 60, fallback: 10 }) * 1_000,
    mqtt: mqttSettings(read),
    uploads: uploadSettings(read),
    pakBus: pakBusSettings(read),
  }),
});

export type Config = ReturnType<typeof config.read>;

type Reader = ReturnType<typeof envReader>;

const modemSettings = (read: Reader, prefix: string, ports: { port: number; tlsPort: number }) => ({
  host: read.text(`${prefix}_HOST`, { fallback: '127.0.0.1' }),
  port: read.port(`${prefix}_PORT`, ports.port),
  tlsPort: read.int(`${prefix}_TLS_PORT`, { min: 0, max: 65_535, fallback: ports.tlsPort }),
  tlsCertFile: read.optionalText(`${prefix}_TLS_CERT_FILE`),
  tlsKeyFile: read.optionalText(`${prefix}_TLS_KEY_FILE`),
});

/** Remote access is off unless ports are given, as in "4400-4409". */
function remoteSettings(read: Reader) {
  const range = read.optionalText('REMOTE_PORTS') ?? '';
  const [first = 0, last = first] = range.split('-').map(Number);
  const isRange =
    /^\d{1,5}(?:-\d{1,5})?$/.test(range) && first >= 1 && last <= 65_535 && first <= last && last - first < 1_000;
  if (range !== '' && !isRange)
    throw new ConfigError(['REMOTE_PORTS must be a range of at most 1000 ports such as 4400-4409']);
  const host = read.text('REMOTE_HOST', { fallback: '127.0.0.1' });
  const publicHost = read.optionalText('REMOTE_PUBLIC_HOST') ?? host;
  return { host, publicHost, ports: range === '' ? undefined : { first, last } };
}
