import { INGEST_PARTITIONS } from '@catchment/bus';
import { connectionAgeMs, envReader } from '@catchment/config';
import { databaseConnections } from '@catchment/pg';

const PORT = { min: 0, max: 65_535 };
/** Each has so many loops, see `startProcessing`. */
const KINDS_OF_LOOPS = 3;
/** Beside the loops: the relay that listens, readers, calls, and a quarter for second connections. */
const MORE_CONNECTIONS = 8;

/** Settings of the process; see README. @throws ConfigError with every bad variable */
export function readConfig(env: NodeJS.ProcessEnv) {
  const read = envReader(env);
  const loops = read.int('PROCESSING_LOOPS', { min: 1, max: 64, fallback: 4 });
  // A step of a loop is a transaction.
  const inLoops = KINDS_OF_LOOPS * loops;
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
      fallback: 'processing',
      pattern: /^[a-z_][a-z0-9_]{0,62}$/,
      rule: 'must be a lower-case SQL name',
    }),
    databaseConnections: databaseConnections(read, {
      held: inLoops + 1,
      usual: Math.ceil(inLoops * 1.5) + MORE_CONNECTIONS,
    }),
    nodesAddress: read.text('NODES_ADDRESS'),
    historicAddress: read.text('HISTORIC_ADDRESS'),
    runners: read.int('RUNNERS', { min: 1, max: 64, fallback: 2 }),
    convertersFolder: read.optionalText('CONVERTERS_FOLDER'),
    loops,
  };
  read.done();
  return Object.freeze(config);
}
export type Config = ReturnType<typeof readConfig>;
