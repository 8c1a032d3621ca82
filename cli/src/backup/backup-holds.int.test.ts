import { heldTransaction, runSql, type TestDatabase, until } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import pg from 'pg';
import { holdDecisions } from './backup-holds.ts';

const LIMITS = { renewMs: 3_600_000, heldMs: 600_000, statementMs: 10_000 };
const LAPSED = 'The hold of the backup was not renewed for';

let postgres: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  postgres = await migratedDatabase('historic');
});
afterAll(() => postgres?.drop());
beforeEach(async () => {
  client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await postgres.query('DELETE FROM historic.backup_holds');
});

/** Reads the ids of the holds that historic honours. */
const holds = async () =>
  (
    await postgres.query<{ hold_id: string }>(
      'SELECT hold_id FROM historic.backup_holds WHERE held_until > now() ORDER BY 1',
    )
  ).map(({ hold_id }) => hold_id);
const setUntil = (offset: string) =>
  postgres.query(`UPDATE historic.backup_holds SET held_until = now() + interval '${offset}'`);

test('is held until it is released, and no longer than its time', async () => {
  const hold = await holdDecisions(client, 'one', LIMITS);
  expect(await holds()).toEqual(['one']);
  await setUntil('1 minute');
  await hold.confirm();
  const [row] = await postgres.query<{ seconds: number }>(
    'SELECT extract(epoch FROM held_until - now())::float8 AS seconds FROM historic.backup_holds',
  );
  expect(row?.seconds).toBeGreaterThan(590);
  expect(row?.seconds).toBeLessThanOrEqual(600);
  await hold.release();
  expect(await holds()).toEqual([]);
});

test('is renewed meanwhile', async () => {
  const hold = await holdDecisions(client, 'one', { ...LIMITS, renewMs: 20 });
  await setUntil('1 minute');
  await until(
    async () =>
      (await postgres.query(`SELECT FROM historic.backup_holds WHERE held_until > now() + interval '9 minutes'`))[0],
  );
  await hold.confirm();
  await hold.release();
});

test('one that has lapsed fails the backup, and is not taken up again', async () => {
  const hold = await holdDecisions(client, 'one', LIMITS);
  await setUntil('-1 second');
  await expect(hold.confirm()).rejects.toThrow(LAPSED);
  expect(await holds()).toEqual([]);
  await setUntil('1 hour');
  await expect(hold.confirm()).rejects.toThrow(LAPSED);
  await hold.release();
});

test('a renewal that comes into force after the hold had lapsed fails the backup', async () => {
  const hold = await holdDecisions(client, 'one', { ...LIMITS, heldMs: 1_000 });
  const blocked = await heldTransaction(postgres.url, 'SELECT FROM historic.backup_holds FOR UPDATE');
  const confirmed = hold.confirm();
  confirmed.catch(() => undefined);
  await until(async () => (await holds()).length === 0);
  await blocked();
  await expect(confirmed).rejects.toThrow(LAPSED);
  await hold.release();
});

test('a connection that is gone fails the backup', async () => {
  const hold = await holdDecisions(client, 'one', LIMITS);
  await client.end();
  await expect(hold.confirm()).rejects.toThrow(/hold of the backup cannot be renewed \(.+\): make the backup again/);
  await expect(hold.release()).rejects.toThrow();
});

test('the hold of a backup that died ends, and the next one removes its row', async () => {
  await holdDecisions(client, 'dead', LIMITS).then(({ release }) => release());
  await runSql(
    postgres.url,
    `INSERT INTO historic.backup_holds VALUES ('dead', now() - interval '1 second'), ('alive', now() + interval '1 minute')`,
  );
  const hold = await holdDecisions(client, 'next', LIMITS);
  const rows = await postgres.query<{ hold_id: string }>('SELECT hold_id FROM historic.backup_holds ORDER BY 1');
  expect(rows.map(({ hold_id }) => hold_id)).toEqual(['alive', 'next']);
  await hold.release();
});

describe('a transaction that began before the hold', () => {
  const REMOVES = [
    ['removes what was seen', 'DELETE FROM historic.write_observations'],
    ['removes parts of columns', 'DELETE FROM historic.column_parts'],
  ] as const;

  test.each(REMOVES)('%s: it is waited for', async (_what, statement) => {
    const older = await heldTransaction(postgres.url, statement);
    let isHeld = false;
    const holding = holdDecisions(client, 'one', LIMITS).then((hold) => {
      isHeld = true;
      return hold;
    });
    await until(async () => (await holds()).length === 1);
    // A transaction that begins now sees the hold: nobody waits for it.
    const younger = await heldTransaction(postgres.url, statement);
    expect(isHeld).toBe(false);
    await older();
    const hold = await holding;
    await younger();
    await hold.confirm();
    await hold.release();
  });

  test.each(REMOVES)('%s, and stays open: no backup begins, and nothing is held', async (_what, statement) => {
    const older = await heldTransaction(postgres.url, statement);
    await expect(holdDecisions(client, 'one', { ...LIMITS, statementMs: 300 })).rejects.toThrow(
      /transaction of PostgreSQL process \d+ writes to historic.write_observations or column_parts .*pg_stat_activity/,
    );
    expect(await holds()).toEqual([]);
    await older();
  });
});
