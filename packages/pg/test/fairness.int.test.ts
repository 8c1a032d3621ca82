import { inAccount } from '@catchment/fair-queue';
import { type TestDatabase, testDatabase, until } from '@catchment/testkit';
import { Database, type Queryable } from '../src/index.ts';
import { leastConnections } from '../src/pool-size.ts';

let server: TestDatabase;
let database: Database;

beforeEach(async () => {
  server = await testDatabase();
  database = new Database({
    url: server.url,
    schema: 'public',
    applicationName: 'test',
    rehearsesTransactions: true,
    maxConnections: 4,
  });
});
afterEach(async () => {
  await database.close();
  await server.drop();
});

/** Transactions that hold their connections until they are ended. */
function holders(account: string, count: number) {
  const end = Promise.withResolvers<void>();
  let begun = 0;
  const all = Array.from({ length: count }, () =>
    inAccount(account, () =>
      database.transaction(async (tx) => {
        begun += 1;
        await tx.query('SELECT 1');
        await end.promise;
      }),
    ),
  );
  return { begun: () => begun, end: end.resolve, all: Promise.all(all) };
}

test('an account that holds connections and waits for more does not keep another account waiting', async () => {
  const held = holders('a', 20);
  await until(() => held.begun() === 2);
  await inAccount('b', () => database.query('SELECT 1'));
  // One of four connections is kept for second ones, and an account has at most half of the others.
  expect(held.begun()).toBe(2);
  held.end();
  await held.all;
});

test('statements wait for a connection in use for longer than a new one may take to come', async () => {
  const held = holders('a', 2);
  await until(() => held.begun() === 2);
  const waiting = inAccount('a', () => database.query('SELECT pg_sleep(0)'));
  await inAccount('b', () => database.query('SELECT pg_sleep(5.5)'));
  held.end();
  await expect(waiting).resolves.toBeDefined();
  await held.all;
});

test('256 statements at once of one account are all answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 256 }, (_, n) =>
      inAccount('a', () => database.query('SELECT $1::int AS n, pg_sleep(0.01)', [n])),
    ),
  );
  expect(answers.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 256 }, (_, n) => n));
});

test('transactions that need a second connection each do not wait for one another for ever', async () => {
  const nested = async (tx: Queryable) => {
    await tx.query('SELECT 1');
    await database.query('SELECT 1');
  };
  await Promise.all(Array.from({ length: 40 }, () => inAccount('a', () => database.transaction(nested))));
});

test.each([0, 1, 2])('with the fewest connections for %i that are held, other work goes on', async (held) => {
  const maxConnections = leastConnections(held);
  const small = new Database({
    url: server.url,
    schema: 'public',
    applicationName: 'small',
    rehearsesTransactions: true,
    maxConnections,
  });
  const listeners = await Promise.all(Array.from({ length: held }, () => small.dedicated()));
  await small.transaction(async (tx) => {
    await tx.query('SELECT 1');
    await inAccount('a', () => small.query('SELECT 1'));
  });
  for (const listener of listeners) listener.release();
  await small.close();
});

test('a connection that cannot be made gives its turn on', async () => {
  const away = new Database({
    url: 'postgres://u:p4ss@127.0.0.1:1/x',
    schema: 's',
    applicationName: 'test',
    rehearsesTransactions: true,
  });
  for (let n = 0; n < 24; n += 1) {
    const used = n % 2 === 0 ? away.check() : away.transaction(async () => undefined);
    await expect(used).rejects.toMatchObject({ kind: 'unavailable', reason: 'DATABASE_UNAVAILABLE' });
  }
  await away.close();
});
