// These faults need the servers' own logins.
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import { natsLogin } from './test-nats.ts';

const CONNECT_LIMIT_MS = 10_000;

async function withNats<T>(url: string, work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connect({ ...natsLogin(url), reconnect: false });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Publishes bytes under a subject, whatever they are. */
export const publishBytes = (natsUrl: string, subject: string, bytes: Uint8Array): Promise<void> =>
  withNats(natsUrl, async (connection) => {
    connection.publish(subject, bytes);
    await connection.flush();
  });

/**
 * Sets the limit of a stream.
 * @param maxBytes of the bytes that it has now
 * @returns the limit before
 */
export const limitStream = (natsUrl: string, stream: string, maxBytes: (bytes: number) => number): Promise<number> =>
  withNats(natsUrl, async (connection) => {
    const { streams } = await jetstreamManager(connection);
    const { config, state } = await streams.info(stream);
    await streams.update(stream, { ...config, max_bytes: maxBytes(state.bytes) });
    return config.max_bytes;
  });

/** Drops all messages of a stream. */
export const purgeStream = (natsUrl: string, stream: string): Promise<void> =>
  withNats(natsUrl, async (connection) => {
    const { streams } = await jetstreamManager(connection);
    await streams.purge(stream);
  });

/** Runs a statement. @returns its rows */
export async function runSql(url: string, statement: string, values: readonly unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** Runs a statement in a transaction that stays open, as a person's forgotten session does. @returns ends it */
export async function heldTransaction(url: string, statement: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_LIMIT_MS });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement);
  return () => client.end();
}
