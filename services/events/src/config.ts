import { INGEST_PARTITIONS } from '@catchment/bus';
import { connectionAgeMs, envReader, readClassNamespace } from '@catchment/config';
import { allowedRanges } from '@catchment/egress';
import { databaseConnections } from '@catchment/pg';
import { readKafkaConfig } from './topics/index.ts';

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
      fallback: 'events',
      pattern: /^[a-z_][a-z0-9_]{0,62}$/,
      rule: 'must be a lower-case SQL name',
    }),
    databaseConnections: databaseConnections(read, { held: 0, usual: 10 }),
    classNamespace: readClassNamespace(read),
    nodesAddress: read.text('NODES_ADDRESS'),
    /** 0 = events but DEBUG are kept for ever. */
    retentionDays: read.int('EVENT_DAYS', { min: 0, max: 36_500, fallback: 0 }),
    debugRetentionDays: read.int('EVENT_DEBUG_DAYS', { min: 1, max: 36_500, fallback: 30 }),
    monthsMax: read.int('EVENT_MONTHS_MAX', { min: 3, max: 2_000, fallback: 72 }),
    sweepSeconds: read.int('EVENT_SWEEP_SECONDS', { min: 1, max: 86_400, fallback: 3_600 }),
    webhooks: {
      allowsHttp: read.bool('WEBHOOK_ALLOW_HTTP', { fallback: false }),
      allowedRanges: allowedRanges(read, 'WEBHOOK_ALLOWED_RANGES'),
    },
    kafka: readKafkaConfig(read, env),
  };
  read.done();
  return Object.freeze(config);
}
export type Config = ReturnType<typeof readConfig>;
