import { envReader, INGEST_PARTITIONS, natsPrefix, natsUrl, withBackendLogins } from '@catchment/config';
import { addressOf, awaitServers, SERVERS_WAIT_MS } from '../await-servers.ts';
import { furtherInfluxdbs } from '../shards/further-influxdbs.ts';
import { readRunning } from '../start/state.ts';

/** The data of an installation is here. URLs hold logins: none is ever printed. */
export type Backends = {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly natsPrefix: string;
  readonly influxUrl: string;
  readonly influxDatabase: string | undefined;
  /** Other InfluxDBs are `name=url,…`, as historic has it; '' = none. Their logins are in the environment, or in the URLs. */
  readonly influxShards: string;
  readonly streamReplicas: number;
  /** The environment says this number, or nothing. */
  readonly partitions: number | undefined;
};

export const BACKENDS_HELP = `
Where the installation is found:
  DATABASE_URL, NATS_URL and INFLUX_URL in the environment, with NATS_PREFIX, INFLUX_DATABASE, INFLUX_SHARDS and STREAM_REPLICAS as historic has them,
  otherwise the installation of "npm start" on this machine (--data-dir).`;

/** Returns the servers that the environment names; undefined where it names none. @throws ConfigError where it names some of them */
export function backendsOf(env: NodeJS.ProcessEnv): Backends | undefined {
  const complete = withBackendLogins(env);
  if (!complete.DATABASE_URL && !complete.NATS_URL && !complete.INFLUX_URL) return undefined;
  const read = envReader(complete);
  const backends = {
    databaseUrl: read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] }),
    natsUrl: natsUrl(read),
    natsPrefix: natsPrefix(read),
    influxUrl: read.url('INFLUX_URL', { protocols: ['http', 'https'] }),
    influxDatabase: read.optionalText('INFLUX_DATABASE'),
    influxShards: read.optionalText('INFLUX_SHARDS') ?? '',
    streamReplicas: read.int('STREAM_REPLICAS', { min: 1, max: 5, fallback: 1 }),
    partitions: env.INGEST_PARTITIONS === undefined ? undefined : read.int('INGEST_PARTITIONS', INGEST_PARTITIONS),
  };
  read.done();
  return backends;
}

/** Returns the servers of an installation that runs. @throws Error when none is found */
export async function runningBackends(dataDir: string): Promise<Backends> {
  const named = backendsOf(process.env);
  if (named) return named;
  const running = await readRunning(dataDir);
  if (!running)
    throw new Error('No installation found. Start one with "npm start", or set DATABASE_URL, NATS_URL and INFLUX_URL.');
  const { postgresUrl: databaseUrl, natsUrl, influxUrl, moreInfluxUrls } = running;
  return localBackends({ databaseUrl, natsUrl, influxUrl }, Object.entries(moreInfluxUrls));
}

/** Returns the servers of an installation on this machine. @param more InfluxDBs by the names of their shards */
export const localBackends = (
  urls: Pick<Backends, 'databaseUrl' | 'natsUrl' | 'influxUrl'>,
  more: readonly (readonly [string, string])[],
): Backends => ({
  ...urls,
  natsPrefix: process.env.NATS_PREFIX ?? '',
  influxDatabase: process.env.INFLUX_DATABASE,
  influxShards: more.map((shard) => shard.join('=')).join(','),
  streamReplicas: 1,
  partitions: undefined,
});

/** Waits a minute for servers that do not take connections yet. */
export const awaitBackends = (backends: Backends, say: (line: string) => void): Promise<void> =>
  awaitServers(
    [
      addressOf(backends.databaseUrl),
      addressOf(backends.natsUrl),
      addressOf(backends.influxUrl),
      ...furtherInfluxdbs(backends.influxShards).map(({ url }) => addressOf(url)),
    ],
    SERVERS_WAIT_MS,
    say,
  );
