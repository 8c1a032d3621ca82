import { INGEST_PARTITIONS } from '@catchment/bus';
import { connectionAgeMs, envReader } from '@catchment/config';
import { databaseConnections } from '@catchment/pg';

const PORT = { min: 0, max: 65_535 };

/** Settings of the process; see README. @throws ConfigError with every bad variable */
export function readConfig(env: NodeJS.ProcessEnv) {
  const read = envReader(env);
  const config = {
    grpcHost: read.text('GRPC_HOST', { fallback: '127.0.0.1' }),
    grpcPort: read.int('GRPC_PORT', PORT),
    connectionAgeMs: connectionAgeMs(read),
    healthHost: read.text('HEALTH_HOST', { fallback: '127.0.0.1' }),
    healthPort: read.int('HEALTH_PORT', PORT),
    serviceTokenSecret: read.text('SERVICE_TOKEN_SECRET', { minLength: 32 }),
    natsUrl: read.text('NATS_URL'),
    ingestPartitions: read.int('INGEST_PARTITIONS', INGEST_PARTITIONS),
    streamReplicas: read.int('STREAM_REPLICAS', { min: 1, max: 5, fallback: 1 }),
    databaseUrl: read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] }),
    databaseSchema: read.text('DATABASE_SCHEMA', {
      fallback: 'alarms',
      pattern: /^[a-z_][a-z0-9_]{0,62}$/,
      rule: 'must be a lower-case SQL name',
    }),
    // The relay listens.
    databaseConnections: databaseConnections(read, { held: 1, usual: 10 }),
    nodesAddress: read.text('NODES_ADDRESS'),
    historicAddress: read.text('HISTORIC_ADDRESS'),
    cachedNodes: read.int('ALARM_CACHED_NODES', { min: 1_000, max: 10_000_000, fallback: 100_000 }),
  };
  read.done();
  return Object.freeze(config);
}
export type Config = ReturnType<typeof readConfig>;
