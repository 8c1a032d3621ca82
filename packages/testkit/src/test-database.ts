import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testServerUrl } from './server-url.ts';

export type TestDatabase = {
  /** Connection string of an empty database of its own. */
  readonly url: string;
  readonly name: string;
  /** Rows of a statement, whatever schema they are in. */
  query: <T>(statement: string, values?: readonly unknown[]) => Promise<T[]>;
  /** Throws out whoever is still connected and deletes it; calling it again does nothing. */
  drop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** A PostgreSQL database for one test file. */
export async function testDatabase(): Promise<TestDatabase> {
  const serverUrl = await testServerUrl('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(serverUrl, `create database ${name}`);
  const own = new URL(serverUrl);
  own.pathname = `/${name}`;
  const query = async <T>(statement: string, values: readonly unknown[] = []) =>
    (await execute(own.href, statement, values)) as T[];
  const drop = async () => void (await execute(serverUrl, `drop database if exists ${name} with (force)`));
  return { url: own.href, name, query, drop, [Symbol.asyncDispose]: drop };
}

/** Ends every connection to the databases of a server but this one, as an administrator or a fail-over would. */
export const endConnections = async (serverUrl: string): Promise<void> =>
  void (await execute(
    serverUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  ));

async function execute(url: string, statement: string, values: readonly unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return (await client.query(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
