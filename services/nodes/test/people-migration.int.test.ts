import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database, migrate } from '@catchment/pg';
import { createLogger } from '@catchment/telemetry';
import { type TestDatabase, testDatabase } from '@catchment/testkit';

const MIGRATIONS = join(import.meta.dirname, '../migrations');
const BEFORE = '0017';
const log = createLogger('test', { level: 'silent' });
const id = (n: number): string => n.toString(16).padStart(24, '0');
const [X, Y] = [id(1), id(2)];
/** These people were there before, in one account or two, active or not. */
const [OWNER_X, OWNER_Y, ONE, BOTH, PENDING_ONE, PENDING_BOTH, NOWHERE] = [10, 11, 12, 13, 14, 15, 16].map(id) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

let test_: TestDatabase;
let database: Database;

beforeAll(async () => {
  test_ = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  for (const name of (await readdir(MIGRATIONS)).filter((file) => file < BEFORE))
    await cp(join(MIGRATIONS, name), join(folder, name));
  await migrate({ url: test_.url, schema: 'nodes', folder, log });
  await rm(folder, { recursive: true });
  database = new Database({
    url: test_.url,
    schema: 'nodes',
    applicationName: 'test',
    rehearsesTransactions: true,
    maxConnections: 4,
  });
  const user = (userId: string, name: string, isActive: boolean) =>
    database.query(
      `INSERT INTO users (user_id, email, first_name, created_at, password_hash, activated_at)
       VALUES ($1, $2, $3, now(), $4, $5)`,
      [userId, `${name}@example.org`, name, isActive ? 'hash' : null, isActive ? new Date() : null],
    );
  await user(OWNER_X, 'owner-x', true);
  await user(OWNER_Y, 'owner-y', false);
  await user(ONE, 'one', true);
  await user(BOTH, 'both', true);
  await user(PENDING_ONE, 'pending-one', false);
  await user(PENDING_BOTH, 'pending-both', false);
  await user(NOWHERE, 'nowhere', false);
  for (const [ownerId, slug, userId] of [
    [X, 'x01', OWNER_X],
    [Y, 'y01', OWNER_Y],
  ])
    await database.query(
      `INSERT INTO owners (owner_id, account_name, account_type, slug, categories, created_at, owner_user_id)
       VALUES ($1, $2, 'STANDARD', $2, '[]', now(), $3)`,
      [ownerId, slug, userId],
    );
  const administrator = (ownerId: string, userId: string) =>
    database.query('INSERT INTO administrators VALUES ($1, $2, 0)', [ownerId, userId]);
  await administrator(X, ONE);
  await administrator(X, BOTH);
  await administrator(Y, BOTH);
  await administrator(X, PENDING_ONE);
  await administrator(X, PENDING_BOTH);
  await database.query(`INSERT INTO user_groups VALUES ($1, $2, 'Crew', 'crew', 0)`, [id(30), Y]);
  await database.query('INSERT INTO user_group_members VALUES ($1, $2, 0)', [id(30), PENDING_BOTH]);
  for (const userId of [PENDING_ONE, PENDING_BOTH, NOWHERE, BOTH])
    await database.query(
      `INSERT INTO person_links VALUES (gen_random_uuid(), $1, 'activate', sha256($2), 0, 4102444800000)`,
      [userId, Buffer.from(userId)],
    );
  await database.query(`INSERT INTO sessions VALUES (sha256('x'), $1, $2, 0, 0, 4102444800000)`, [ONE, X]);
  await migrate({ url: test_.url, schema: 'nodes', folder: MIGRATIONS, log });
});
afterAll(async () => {
  await database.close();
  await test_.drop();
});

const rowsOf = async (name: string) =>
  (
    await database.query<{ user_id: string; home: string | null; isProven: boolean; name: string; isActive: boolean }>(
      `SELECT user_id, home_owner_id AS home, proven_at IS NOT NULL AS "isProven", first_name AS name,
         activated_at IS NOT NULL AS "isActive"
       FROM users WHERE address = $1 ORDER BY home_owner_id`,
      [`${name}@example.org`],
    )
  ).rows;
const linksOf = async (userId: string) =>
  (
    await database.query<{ proves: boolean }>('SELECT proves_email AS proves FROM person_links WHERE user_id = $1', [
      userId,
    ])
  ).rows;

describe('people of before', () => {
  test.each([
    ['owner-x', OWNER_X, X, true],
    ['owner-y', OWNER_Y, Y, false],
    ['one', ONE, X, true],
    ['pending-one', PENDING_ONE, X, false],
  ])('%s, of one account, becomes a profile of it and keeps what it has', async (name, userId, home, isActive) => {
    expect(await rowsOf(name)).toEqual([{ user_id: userId, home, isProven: false, name, isActive }]);
  });

  test('an open link and a session of somebody of one account stay; the link proves nothing', async () => {
    expect(await linksOf(PENDING_ONE)).toEqual([{ proves: false }]);
    expect((await database.query('SELECT 1 FROM sessions WHERE user_id = $1', [ONE])).rows).toHaveLength(1);
  });

  test('who is active in several accounts stays one, in both of them, without proof', async () => {
    expect(await rowsOf('both')).toEqual([
      { user_id: BOTH, home: null, isProven: false, name: 'both', isActive: true },
    ]);
    const { rows } = await database.query<{ owner_id: string }>(
      'SELECT owner_id FROM memberships WHERE user_id = $1 ORDER BY owner_id',
      [BOTH],
    );
    expect(rows.map((row) => row.owner_id)).toEqual([X, Y]);
  });

  test('who was named by several accounts and is not active is one profile for each, and open links end', async () => {
    const rows = await rowsOf('pending-both');
    expect(rows).toMatchObject([
      { user_id: PENDING_BOTH, home: X, name: 'pending-both', isActive: false },
      { home: Y, name: '', isActive: false },
    ]);
    expect(await linksOf(PENDING_BOTH)).toEqual([]);
    const members = await database.query<{ user_id: string }>('SELECT user_id FROM user_group_members');
    expect(members.rows).toEqual([{ user_id: rows[1]?.user_id }]);
    expect(rows[1]?.user_id).toMatch(/^[0-9a-f]{24}$/);
  });

  test('a link of somebody whom no account knows ends', async () => {
    expect(await linksOf(NOWHERE)).toEqual([]);
  });
});
