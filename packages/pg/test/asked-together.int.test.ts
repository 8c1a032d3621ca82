import { type TestDatabase, testDatabase } from '@catchment/testkit';
import { askedTogether, Database } from '../src/index.ts';

let scratch: TestDatabase;
let database: Database;

beforeAll(async () => {
  scratch = await testDatabase();
  database = new Database({ url: scratch.url, schema: 'public', applicationName: 'together', maxConnections: 4 });
});
afterAll(async () => {
  await database.close();
  await scratch.drop();
});

/** Doubles numbers in the database, at most 100 in a statement. */
function doubling() {
  const statements: number[] = [];
  const double = askedTogether<number, number>(
    async (numbers) => {
      statements.push(numbers.length);
      const { rows } = await database.query<{ twice: number }>(
        'SELECT 2 * n AS twice FROM unnest($1::int[]) WITH ORDINALITY AS given (n, nth) ORDER BY nth',
        [numbers],
        'double',
      );
      return rows.map(({ twice }) => twice);
    },
    { batch: { items: 100 } },
  );
  return { statements, double };
}

test('thousands of questions at once are a few statements, and each has its own answer', async () => {
  const { statements, double } = doubling();
  const numbers = Array.from({ length: 5_000 }, (_, n) => n);
  expect(await Promise.all(numbers.map(double))).toEqual(numbers.map((n) => 2 * n));
  expect(statements.length).toBeLessThanOrEqual(52);
});

test('work that holds a connection asks by itself: it waits for no connection that others hold', async () => {
  const { statements, double } = doubling();
  // All connections that such work may have at once are held until all are answered.
  const answered = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  const held = answered.map(({ resolve }, n) =>
    database.transaction(async () => {
      const twice = await double(n);
      resolve();
      await Promise.all(answered.map(({ promise }) => promise));
      return twice;
    }),
  );
  expect(await Promise.all(held)).toEqual([0, 2]);
  expect(statements).toEqual([1, 1]);
});

test('a question that fails fails those that were asked with it, and no later one', async () => {
  let isAway = true;
  const ask = askedTogether<number, number>(
    async (numbers) => {
      if (isAway) throw new Error('away');
      return numbers;
    },
    { batch: { items: 100 } },
  );
  const asked = await Promise.allSettled([ask(1), ask(2)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  expect(await ask(3)).toBe(3);
});
