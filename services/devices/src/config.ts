import { envReader, readClassNamespace } from '@catchment/config';

/** Settings of the process; see README. @throws ConfigError with every bad variable */
export function readConfig(env: NodeJS.ProcessEnv) {
  const read = envReader(env);
  const config = {
    grpcHost: read.text('GRPC_HOST', { fallback: '127.0.0.1' }),
    grpcPort: read.int('GRPC_PORT', { min: 0, max: 65_535 }),
    healthHost: read.text('HEALTH_HOST', { fallback: '127.0.0.1' }),
    healthPort: read.int('HEALTH_PORT', { min: 0, max: 65_535 }),
    serviceTokenSecret: read.text('SERVICE_TOKEN_SECRET', { minLength: 32 }),
    natsUrl: read.text('NATS_URL'),
    busPrefix: read.optionalText('BUS_PREFIX') ?? '',
    streamReplicas: read.int('STREAM_REPLICAS', { min: 1, max: 5, fallback: 1 }),
    partitions: read.int('INGEST_PARTITIONS', { min: 1, max: 256, fallback: 4 }),
    databaseUrl: read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] }),
    databaseSchema: read.text('DATABASE_SCHEMA', { fallback: 'devices', pattern: /^[a-z_][a-z0-9_]*$/ }),
    classNamespace: readClassNamespace(read),
    nodesAddress: read.text('NODES_ADDRESS'),
    historicAddress: read.text('HISTORIC_ADDRESS'),
    scoutHost: read.text('SCOUT_HOST', { fallback: '127.0.0.1' }),
    scoutPort: read.int('SCOUT_PORT', { min: 0, max: 65_535, fallback: 4331 }),
    scoutTlsPort: read.int('SCOUT_TLS_PORT', { min: 0, max: 65_535, fallback: 4334 }),
    scoutTlsCertFile: read.optionalText('SCOUT_TLS_CERT_FILE'),
    scoutTlsKeyFile: read.optionalText('SCOUT_TLS_KEY_FILE'),
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
    maxPendingBytes: read.int('SCOUT_MAX_PENDING_MB', { min: 8, max: 65_536, fallback: 256 }) * 1024 * 1024,
    identLimitMs: read.int('SCOUT_IDENT_SECONDS', { min: 1, max: 60, fallback: 10 }) * 1_000,
  };
  read.done();
  return Object.freeze(config);
}

export type Config = ReturnType<typeof readConfig>;
