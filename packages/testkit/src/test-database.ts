import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { testServerUrl } from './server-url.ts';

export type TestDatabase = {
  /** Connection string of the database. */
  readonly url: string;
  readonly name: string;
  /** Rows of a statement, whatever schema they are in. */
  query: <T>(statement: string, values?: readonly unknown[]) => Promise<T[]>;
  /** Throws out whoever is still connected and deletes it; calling it again does nothing. */
  drop: () => Promise<void>;
  [Symbol.asyncDispose]: () => Promise<void>;
};

/** A database begins with one of these. */
type DatabaseContent = {
  /** The same key is the same content. */
  readonly key: string;
  /** Makes it, in an empty database. */
  readonly fill: (url: string) => Promise<void>;
};

/** Makes a PostgreSQL database for one test file: empty, or a copy of the first one with this content. */
export async function testDatabase(content?: DatabaseContent): Promise<TestDatabase> {
  const serverUrl = await testServerUrl('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = urlOf(serverUrl, name);
  await execute(
    serverUrl,
    `create database ${name}${content ? ` template ${await template(serverUrl, content)}` : ''}`,
  );
  const query = async <T>(statement: string, values: readonly unknown[] = []) =>
    (await execute(url, statement, values)) as T[];
  const drop = async () => void (await execute(serverUrl, `drop database if exists ${name} with (force)`));
  return { url, name, query, drop, [Symbol.asyncDispose]: drop };
}

/** Makes a database with this content unless there is one, whatever other processes want at the same time. @returns its name */
async function template(serverUrl: string, { key, fill }: DatabaseContent): Promise<string> {
  const name = `template_${key}`;
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      // Has its name when it is complete.
      await client.query(`drop database if exists ${name}_begun`);
      await client.query(`create database ${name}_begun`);
      await fill(urlOf(serverUrl, `${name}_begun`));
      await client.query(`alter database ${name}_begun rename to ${name}`);
    }
    return name;
  } finally {
    await client.end();
  }
}

const urlOf = (serverUrl: string, database: string): string =>
  Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href;

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
