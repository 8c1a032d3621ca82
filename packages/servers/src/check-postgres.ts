import pg from 'pg';

/** Connects, and makes the database of the URL where it is missing. @throws Error while it does not answer */
export async function checkPostgres(url: string): Promise<void> {
  const target = new URL(url);
  const database = target.pathname.slice(1);
  target.pathname = '/postgres';
  const client = new pg.Client({
    connectionString: target.href,
    connectionTimeoutMillis: 2_000,
    query_timeout: 20_000,
  });
  client.on('error', () => {}); // a connection that breaks rejects the call that uses it
  try {
    await client.connect();
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
