import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { natsLogin, testDatabase, testInflux, testNats, until } from './index.ts';
import { pauseAfter } from './until.ts';

describe('testDatabase', () => {
  async function tablesOf(url: string): Promise<string[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
    await client.end();
    return rows.map((row) => row.tablename);
  }

  test('two databases do not see each other', async () => {
    await using first = await testDatabase();
    await using second = await testDatabase();
    const client = new pg.Client({ connectionString: first.url });
    await client.connect();
    await client.query('create table only_here (id int)');
    await client.end();
    expect(await tablesOf(first.url)).toEqual(['only_here']);
    expect(await tablesOf(second.url)).toEqual([]);
  });

  test('drop throws out who is still connected, and may be called twice', async () => {
    const database = await testDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {});
    await client.connect();
    await database.drop();
    await database.drop();
    await expect(tablesOf(database.url)).rejects.toThrow(database.name);
  });
});

describe('testInflux', () => {
  test('two databases do not see each other', async () => {
    await using first = await testInflux();
    await using second = await testInflux();
    const { origin, username, password, database } = first;
    const written = await fetch(`${origin}/write?db=${database}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
      body: 'm value=1 1',
    });
    expect(written.status).toBe(204);
    expect((await first.query('SELECT * FROM m')).results[0]?.series?.[0]?.values).toHaveLength(1);
    expect((await second.query('SELECT * FROM m')).results[0]?.series).toBeUndefined();
  });

  test('a wrong statement is an error with its text', async () => {
    await using influx = await testInflux();
    await expect(influx.query('SELEKT 1')).rejects.toThrow(/SELEKT/);
  });
});

describe('testNats', () => {
  test('hands out another prefix to each, on a server that asks for a login', async () => {
    const [first, second] = [await testNats(), await testNats()];
    expect(first.prefix).not.toBe(second.prefix);
    await expect(connect({ servers: new URL(first.url).host, reconnect: false })).rejects.toThrow(/authorization/i);
    const connection = await connect(natsLogin(first.url));
    await connection.close();
  });
});

describe('until', () => {
  test('returns what the condition gives once it is truthy', async () => {
    let looks = 0;
    expect(await until(() => (++looks < 3 ? undefined : looks), { everyMs: 1 })).toBe(3);
  });

  test('takes a condition that throws as not yet held', async () => {
    let looks = 0;
    const condition = () => {
      if (++looks < 3) throw new Error('not yet');
      return true;
    };
    await expect(until(condition, { everyMs: 1 })).resolves.toBe(true);
  });

  test.each([
    [0, 25],
    [250, 25],
    [600, 60],
    [1_000, 100],
    [60_000, 100],
  ])('after %d ms it pauses for %d ms: what it waits for needs the processor', (waitedMs, pauseMs) => {
    expect(pauseAfter(waitedMs)).toBe(pauseMs);
  });

  test.each([
    ['what it gave', () => 0, 'it gave 0'],
    [
      'what it threw',
      () => {
        throw new Error('no row');
      },
      'it threw: Error: no row',
    ],
  ])('reports at the deadline what was waited for and %s', async (_what, condition, reported) => {
    const waiting = until<number>(condition, { deadlineMs: 5, everyMs: 1, what: 'the row' });
    await expect(waiting).rejects.toThrow(`not within 5 ms: the row\nat the last look ${reported}`);
  });
});
