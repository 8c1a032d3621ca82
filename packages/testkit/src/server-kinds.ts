export const TEST_SERVER_KINDS = ['postgres', 'nats', 'influx'] as const;
export type TestServerKind = (typeof TEST_SERVER_KINDS)[number];

/** A server given by URL is used instead of one that the run starts. */
export const URL_ENV: Record<TestServerKind, string> = {
  postgres: 'CATCHMENT_TEST_POSTGRES_URL',
  nats: 'CATCHMENT_TEST_NATS_URL',
  influx: 'CATCHMENT_TEST_INFLUX_URL',
};

/** Set by the run: the Unix socket of its server broker. */
export const BROKER_ENV = 'CATCHMENT_TEST_SERVERS';
