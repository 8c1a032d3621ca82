import { INGEST_PARTITIONS } from '@catchment/bus';
import { connectionAgeMs, envReader, readClassNamespace } from '@catchment/config';
import { readMailSettings } from '@catchment/mail';
import { databaseConnections } from '@catchment/pg';
import { readSmsSettings } from './sending/index.ts';

export type Config = ReturnType<typeof readConfig>;

/** Environment → settings of the process (README, «Environment»). @throws ConfigError with every bad variable */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const read = envReader(env);
  const config = {
    grpcHost: read.text('GRPC_HOST', { fallback: '127.0.0.1' }),
    grpcPort: read.int('GRPC_PORT', { min: 0, max: 65_535 }),
    connectionAgeMs: connectionAgeMs(read),
    healthHost: read.text('HEALTH_HOST', { fallback: '127.0.0.1' }),
    healthPort: read.int('HEALTH_PORT', { min: 0, max: 65_535 }),
    serviceTokenSecret: read.text('SERVICE_TOKEN_SECRET', { minLength: 32 }),
    natsUrl: read.text('NATS_URL'),
    databaseUrl: read.url('DATABASE_URL', { protocols: ['postgres', 'postgresql'] }),
    databaseSchema: read.text('DATABASE_SCHEMA', {
      fallback: 'nodes',
      pattern: /^[a-z_][a-z0-9_]{0,62}$/,
      rule: 'must be a lower-case SQL name',
    }),
    // The relay listens.
    databaseConnections: databaseConnections(read, { held: 1, usual: 16 }),
    partitions: read.int('INGEST_PARTITIONS', INGEST_PARTITIONS),
    streamReplicas: read.int('STREAM_REPLICAS', { min: 1, max: 5, fallback: 1 }),
    classNamespace: readClassNamespace(read),
    historicAddress: read.text('HISTORIC_ADDRESS'),
    /** undefined = scheduled reports fail. */
    renderAddress: read.optionalText('RENDER_ADDRESS'),
    /** What the render service gives to a report. */
    requestMaxMs: read.int('REQUEST_MAX_SECONDS', { min: 1, max: 3600, fallback: 60 }) * 1_000,
    /** Where people open pages: what links in answers and mails begin with. */
    appUrl: read.url(env.APP_URL ? 'APP_URL' : 'BASE_URL', {
      protocols: ['http', 'https'],
      fallback: 'http://127.0.0.1:8080',
    }),
    /** The address that links to files begin with. */
    baseUrl: read
      .url('BASE_URL', { protocols: ['http', 'https'], fallback: 'http://127.0.0.1:8080' })
      .replace(/\/+$/, ''),
    /** undefined = no mail is sent. */
    mail: readMailSettings(read),
    /** undefined = no SMS is sent. */
    sms: readSmsSettings(read),
    sessionIdleMs: read.int('SESSION_IDLE_MINUTES', { min: 5, max: 50_000, fallback: 720 }) * 60_000,
    sessionMaxMs: read.int('SESSION_MAX_MINUTES', { min: 5, max: 50_000, fallback: 10_080 }) * 60_000,
    acquisitionEventMs: read.int('ACQUISITION_EVENT_SECONDS', { min: 0, max: 86_400, fallback: 60 }) * 1_000,
  };
  read.done();
  return Object.freeze(config);
}
