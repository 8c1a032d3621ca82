export const TEST_SERVER_KINDS = ['postgres', 'nats', 'influx'] as const;
export type TestServerKind = (typeof TEST_SERVER_KINDS)[number];

/** The run started this server. */
export type TestServer = { readonly url: string; stop: () => Promise<void> };

/** Streams of many test files live side by side; what they reserve is never written. */
export const TEST_FILE_STORE_BYTES = 16 * 1024 ** 4;

/** A server given by URL is used instead of one that the run starts. */
export const URL_ENV: Record<TestServerKind, string> = {
  postgres: 'CATCHMENT_TEST_POSTGRES_URL',
  nats: 'CATCHMENT_TEST_NATS_URL',
  influx: 'CATCHMENT_TEST_INFLUX_URL',
};

/** Set by the run: the Unix socket of its server broker. */
export const BROKER_ENV = 'CATCHMENT_TEST_SERVERS';
