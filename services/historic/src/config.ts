import { INGEST_PARTITIONS } from '@catchment/bus';
import { connectionAgeMs, type EnvReader, envReader } from '@catchment/config';

const MIB = 1024 * 1024;

/** Everything that the environment decides (README, «Settings»). @throws ConfigError with every problem */
export function readConfig(env: NodeJS.ProcessEnv) {
  const read = envReader(env);
  const config = {
    grpcHost: read.text('GRPC_HOST', { fallback: '127.0.0.1' }),
    grpcPort: read.int('GRPC_PORT', { min: 0, max: 65_535 }),
    connectionAgeMs: connectionAgeMs(read),
    healthHost: read.text('HEALTH_HOST', { fallback: '127.0.0.1' }),
    healthPort: read.int('HEALTH_PORT', { min: 0, max: 65_535 }),
    tokenSecret: read.text('SERVICE_TOKEN_SECRET', { minLength: 32 }),
    natsUrl: read.text('NATS_URL'),
    natsPrefix: read.optionalText('NATS_PREFIX') ?? '',
    ...databaseConfig(read),
    partitions: read.int('INGEST_PARTITIONS', INGEST_PARTITIONS),
    streamReplicas: read.int('STREAM_REPLICAS', { min: 1, max: 5, fallback: 1 }),
    nodesAddress: read.text('NODES_ADDRESS'),
    ...influxConfig(read),
    presenceOnAllRecords: read.bool('PRESENCE_ON_ALL_RECORDS', { fallback: false }),
    responseMaxFields: read.int('RESPONSE_MAX_FIELDS', { min: 1, max: 50_000_000, fallback: 1_000_000 }),
    responseMaxBytes: read.int('RESPONSE_MAX_BYTES', { min: 1024, fallback: 200 * MIB }),
    requestMaxSeconds: read.int('REQUEST_MAX_SECONDS', { min: 1, max: 3600, fallback: 60 }),
    rowsPerSourcePerDay: read.int('ROWS_PER_SOURCE_PER_DAY', { min: 0, max: 100_000_000, fallback: 100_000 }),
    readConcurrency: read.int('READ_CONCURRENCY', { min: 1, max: 256, fallback: 8 }),
  };
  read.done();
  return Object.freeze(config);
}

export type Config = ReturnType<typeof readConfig>;

/** What copying records needs of the same environment (copy-records.ts). @throws ConfigError with every problem */
export function readCopyConfig(env: NodeJS.ProcessEnv) {
  const read = envReader(env);
  const config = { ...databaseConfig(read), ...influxConfig(read) };
  read.done();
  return Object.freeze(config);
}

const databaseConfig = (read: EnvReader) => ({
  databaseUrl: read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] }),
  databaseSchema: read.text('DATABASE_SCHEMA', {
    fallback: 'historic',
    pattern: /^[a-z][a-z0-9_]{0,62}$/,
    rule: 'must be lower-case letters, digits and underscores',
  }),
});

const influxConfig = (read: EnvReader) => ({
  influxUrl: read.url('INFLUX_URL', { protocols: ['http', 'https'] }),
  influxDatabase: read.text('INFLUX_DATABASE', {
    fallback: 'catchment',
    pattern: /^[A-Za-z0-9_-]{1,64}$/,
    rule: 'must be letters, digits, - and _',
  }),
});
