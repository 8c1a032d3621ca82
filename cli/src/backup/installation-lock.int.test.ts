// Commands that exclude each other, by a lock of PostgreSQL.
import { type TestDatabase, testDatabase } from '@catchment/testkit';
import pg from 'pg';
import { takeInstallation } from './installation-lock.ts';

let database: TestDatabase;
const clients: pg.Client[] = [];
beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.end();
});
afterAll(() => database.drop());

async function named(application_name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name });
  await client.connect();
  clients.push(client);
  return client;
}

test.each([
  ['backup', 'shared', 'backup', 'shared', undefined],
  ['backup', 'shared', 'restore', 'alone', /^A backup is being made since 2\S+Z \(PostgreSQL process \d+\): wait for/],
  ['restore', 'alone', 'backup', 'shared', /^A restore is at work since/],
  ['restore-account', 'alone', 'restore-account', 'alone', /^A restore of one account is at work since/],
] as const)('%s (%s), then %s (%s)', async (first, held, second, other, refusal) => {
  const holder = await named(first);
  await takeInstallation(holder, held);
  const taken = takeInstallation(await named(second), other);
  if (refusal) await expect(taken).rejects.toThrow(refusal);
  else await taken;
  for (const client of clients.splice(0)) await client.end();
  // The end of a connection frees it, however it came.
  await takeInstallation(await named('restore'), 'alone');
});
