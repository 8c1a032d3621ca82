import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Bus } from '@catchment/bus';
import { DomainError } from '@catchment/errors';
import { createLogger, type Logger, withRequestId } from '@catchment/telemetry';
import { freePort, type TestDatabase, type TestNats, testDatabase, testNats, until } from '@catchment/testkit';
import { appendOutbox, Database, mapPgError, migrate, OutboxRelay, separately } from '../src/index.ts';

const log = createLogger('test', { level: 'silent' });
/** Longer than a test may take. */
const NEVER_MS = 600_000;
const folder = join(import.meta.dirname, 'migrations');
let test1: TestDatabase;
let nats: TestNats;
let database: Database;
/** Its statements end after a second. */
let hasty: Database;
let bus: Bus;

beforeAll(async () => {
  [test1, nats] = await Promise.all([testDatabase(), testNats()]);
  await migrate({ url: test1.url, schema: 'things', folder, log });
  const options = { url: test1.url, schema: 'things', applicationName: 'test', rehearsesTransactions: true };
  database = new Database(options);
  hasty = new Database({ ...options, statementTimeoutMs: 1_000 });
  bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
});
afterAll(async () => {
  await Promise.all([database.close(), hasty.close()]);
  await bus.close();
  await Promise.all([test1.drop(), nats.drop()]);
});

test('migrations run twice, and by several replicas at once, change nothing more', async () => {
  await Promise.all([1, 2, 3].map(() => migrate({ url: test1.url, schema: 'things', folder, log })));
  const { rows } = await database.query<{ n: number }>('SELECT count(*) AS n FROM migrations');
  expect(rows).toEqual([{ n: 1 }]);
});

test('every connection has the search path of its service', async () => {
  const asked = `SELECT current_setting('search_path') AS path`;
  const { rows } = await database.query(asked);
  expect(rows).toEqual([{ path: 'things' }]);
  const client = await database.dedicated();
  try {
    expect((await client.query(asked)).rows).toEqual(rows);
  } finally {
    client.release();
  }
});

test('a name that stands for two statements is refused while rehearsing, whichever connections they have', async () => {
  const ask = (sql: string) => database.query(sql, [], 'twice-named');
  await Promise.all([ask('SELECT 1'), ask('SELECT 1')]);
  await expect(ask('SELECT 2')).rejects.toThrow('two statements have the name twice-named');
  await expect(database.transaction((tx) => tx.query('SELECT 2', [], 'twice-named'))).rejects.toThrow('twice-named');
});

test('a database that comes later is waited for, one that never comes is an error', async () => {
  const port = await freePort();
  const url = Object.assign(new URL(test1.url), { port: String(port) }).href;
  await expect(migrate({ url, schema: 'late', folder, log, waitLimitMs: 1 })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  });
  const migrating = migrate({ url, schema: 'late', folder, log });
  const forward = createServer((socket) => {
    const onward = connect({ host: new URL(test1.url).hostname, port: Number(new URL(test1.url).port || 5432) });
    socket.pipe(onward).pipe(socket);
  });
  await once(forward.listen(port, '127.0.0.1'), 'listening');
  await migrating;
  forward.close();
  expect((await database.query('SELECT 1 FROM late.things')).rowCount).toBe(0);
});

test('a database that is away for an hour is reported four times a minute', async () => {
  const url = Object.assign(new URL(test1.url), { port: String(await freePort()) }).href;
  const lines: object[] = [];
  const heard = { ...log, warn: (facts: object) => void lines.push(facts) } as unknown as Logger;
  let nowMs = 0;
  // A try takes as long as ten seconds of waiting.
  const pause = async () => (nowMs += 10_000);
  const options = { url, schema: 'late', folder, log: heard, waitLimitMs: 60_000, clock: { now: () => nowMs, pause } };
  await expect(migrate(options)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(lines).toEqual([0, 20, 40, 60].map((waitedSeconds) => ({ schema: 'late', waitedSeconds })));
});

describe('a migration of a table that somebody reads for long', () => {
  let changed: string;
  let reader: Database;
  beforeAll(async () => {
    changed = await mkdtemp(join(tmpdir(), 'migrations-'));
    await cp(folder, changed, { recursive: true });
    await writeFile(join(changed, '0002-change-things.sql'), 'ALTER TABLE things ADD COLUMN later text;');
    reader = new Database({ url: test1.url, schema: 'read', applicationName: 'reader', rehearsesTransactions: true });
    await migrate({ url: test1.url, schema: 'read', folder, log });
  });
  afterAll(async () => {
    await reader.close();
    await rm(changed, { recursive: true });
  });

  /** Reads as a backup does. */
  async function reading() {
    const client = await reader.dedicated();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT FROM things');
    return async () => {
      await client.query('COMMIT');
      client.release();
    };
  }

  test('waits for it, and holds up nobody meanwhile', async () => {
    const end = await reading();
    const lines: unknown[] = [];
    const heard = { ...log, info: () => {}, warn: (...line: unknown[]) => void lines.push(line) } as unknown as Logger;
    let isSeen = false;
    const pauses: number[] = [];
    const pause = async (ms: number) => {
      pauses.push(ms);
      if (isSeen) await end();
    };
    const clock = { now: () => performance.now(), pause };
    const migrating = migrate({ url: test1.url, schema: 'read', folder: changed, log: heard, clock });
    // A statement that comes behind the waiting migration is answered though the reader goes on.
    await until(async () => (await waiting()) > 0);
    await reader.query('INSERT INTO things (id) VALUES (1)');
    isSeen = true;
    await migrating;
    expect(new Set(pauses)).toEqual(new Set([5_000]));
    expect(lines[0]).toEqual([
      { schema: 'read', waitedSeconds: expect.any(Number) },
      'waiting for a table that others use',
    ]);
    expect((await reader.query('SELECT later FROM things')).rowCount).toBe(1);
  });

  test('gives up when its time is over, and has changed nothing', async () => {
    await writeFile(join(changed, '0003-change-things.sql'), 'ALTER TABLE things ADD COLUMN last text;');
    const end = await reading();
    const options = { url: test1.url, schema: 'read', folder: changed, log, waitLimitMs: 1 };
    await expect(migrate(options)).rejects.toMatchObject({ code: '55P03' });
    await end();
    await migrate(options);
    expect((await reader.query('SELECT last FROM things')).rowCount).toBe(1);
  });

  const waiting = async () => {
    const { rows } = await reader.query<{ n: number }>(
      `SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ADD COLUMN later%'`,
    );
    return rows[0]?.n ?? 0;
  };
});

test('a transaction that fails leaves nothing', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.query('INSERT INTO things (id) VALUES (1)');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect((await database.query('SELECT 1 FROM things WHERE id = 1')).rowCount).toBe(0);
});

test('of two transactions that wait for each other, both end up done', async () => {
  await database.query('INSERT INTO things (id, big) VALUES (100, 0), (101, 0)');
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  const add = (first: number, second: number) =>
    database.transaction(async (tx) => {
      await tx.query('UPDATE things SET big = big + 1 WHERE id = $1', [first]);
      holding += 1;
      if (holding >= 2) bothHold.resolve();
      await bothHold.promise;
      await tx.query('UPDATE things SET big = big + 1 WHERE id = $1', [second]);
    });
  await Promise.all([add(100, 101), add(101, 100)]);
  const { rows } = await database.query('SELECT big FROM things WHERE id IN (100, 101)');
  expect(rows).toEqual([{ big: 2 }, { big: 2 }]);
});

test.each([
  ['a duplicate', `INSERT INTO things (id, name) VALUES (10, 'a'), (11, 'a')`, 'already_exists'],
  ['a statement over its time', 'SELECT pg_sleep(3)', 'deadline_exceeded'],
  ['a bug in a statement', 'SELECT nothing FROM nowhere', 'internal'],
])('%s becomes %s', async (_what, statement, kind) => {
  await expect(hasty.query(statement)).rejects.toMatchObject({ kind });
});

test('a database that is away is unavailable, and its address stays hidden', async () => {
  const away = new Database({
    url: 'postgres://u:p4ss@127.0.0.1:1/x',
    schema: 's',
    applicationName: 'test',
    rehearsesTransactions: true,
  });
  await expect(away.check()).rejects.toMatchObject({ kind: 'unavailable', message: 'Service temporarily unavailable' });
  await away.close();
});

test('a large result arrives in batches, and a reader that stops early frees its connection', async () => {
  let seen = 0;
  for await (const rows of database.stream<{ n: number }>('SELECT generate_series(1, 10000) AS n', [], 1_000)) {
    seen += rows.length;
    if (seen >= 3_000) break;
  }
  expect(seen).toBe(3_000);
  for (let n = 0; n < 20; n += 1) await database.check();
});

test('a reader may take longer than a statement; a statement may not', async () => {
  const seen: number[] = [];
  for await (const rows of hasty.stream<{ n: number }>('SELECT generate_series(1, $1::int) AS n', [5], 2)) {
    seen.push(...rows.map(({ n }) => n));
    if (seen.length === 2) await delay(1_300);
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
  const slow = hasty.stream('SELECT pg_sleep(5)', [], 2);
  await expect(slow.next()).rejects.toMatchObject({ kind: 'deadline_exceeded' });
  await expect(hasty.stream('SELECT 1 / 0', [], 2).next()).rejects.toMatchObject({ kind: 'internal' });
  for (let n = 0; n < 20; n += 1) await hasty.check();
});

test('messages of committed transactions are published once each, in order, with their request id; others never', async () => {
  const received: string[] = [];
  bus.readDomain('events-recorded', async (messages) => {
    for (const message of messages) received.push(Buffer.from(message.data).toString());
  });
  const message = (content: string) => ({ subject: 'events.event.recorded.v1', data: Buffer.from(content) });
  await expect(
    database.transaction(async (tx) => {
      await appendOutbox(tx, [message('never')]);
      throw new Error('no');
    }),
  ).rejects.toThrow();
  const relays = [1, 2].map(() => new OutboxRelay({ database, bus, log }));
  await withRequestId('r-1', () => database.transaction((tx) => appendOutbox(tx, [message('1'), message('2')])));
  await database.transaction((tx) => appendOutbox(tx, [message('3')]));
  await until(async () => (await database.query('SELECT 1 FROM outbox')).rowCount === 0);
  await Promise.all(relays.map((relay) => relay.stop()));
  // What the relays have published comes before it.
  await bus.publish('events.event.recorded.v1', Buffer.from('last'), { msgId: 'last' });
  await until(() => received.includes('last'));
  expect(received).toEqual(['1', '2', '3', 'last']);
});

test('a message that the broker refuses is set aside with the reason, and those behind it go on', async () => {
  const lines: string[] = [];
  const destination = new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) });
  const append = (subject: string, bytes: number) => ({ subject, data: Buffer.alloc(bytes) });
  await database.transaction((tx) =>
    appendOutbox(tx, [
      append('nodes.x.large.v1', 2 * 1024 * 1024),
      append('nodes.x.good.v1', 1),
      append('unheard.of.v1', 1),
      append('nodes.not a subject.v1', 1),
      append('nodes.x.good.v1', 1),
    ]),
  );
  const relay = new OutboxRelay({ database, bus, log: createLogger('test', { destination }) });
  try {
    await until(async () => (await database.query('SELECT 1 FROM outbox')).rowCount === 0);
  } finally {
    await relay.stop();
  }
  const { rows } = await database.query(
    'SELECT subject, length(data) AS bytes, reason FROM refused_outbox ORDER BY id',
  );
  expect(rows).toEqual([
    { subject: 'nodes.x.large.v1', bytes: 2 * 1024 * 1024, reason: expect.stringContaining('max_payload') },
    { subject: 'unheard.of.v1', bytes: 1, reason: expect.stringContaining('no stream') },
    { subject: 'nodes.not a subject.v1', bytes: 1, reason: expect.stringContaining('subject') },
  ]);
  expect(lines.filter((line) => line.includes('set aside'))).toHaveLength(3);
});

test('while the broker does not take messages they wait in their order, and what it took before is not sent again', async () => {
  const tried: string[] = [];
  let isAway = true;
  const publish: Bus['publish'] = async (_subject, data) => {
    const text = Buffer.from(data).toString();
    tried.push(text);
    if (isAway && text === '2') throw new DomainError('unavailable', 'BROKER_UNAVAILABLE', 'away');
    return { sequence: 1, duplicate: false };
  };
  const message = (content: string) => ({ subject: 'nodes.x.done.v1', data: Buffer.from(content) });
  await database.transaction((tx) => appendOutbox(tx, ['1', '2', '3'].map(message)));
  const relay = new OutboxRelay({ database, bus: { publish }, log });
  try {
    await until(() => tried.filter((text) => text === '2').length === 2);
    isAway = false;
    await until(async () => (await database.query('SELECT 1 FROM outbox')).rowCount === 0);
  } finally {
    await relay.stop();
  }
  expect(tried.filter((text) => text !== '2')).toEqual(['1', '3']);
});

test('a message is published at its commit, not at the next poll', async () => {
  // A name of its own: connections of the relays before may be ending still.
  const listening = new Database({ url: test1.url, schema: 'things', applicationName: 'listening' });
  const relay = new OutboxRelay({ database: listening, bus, log, pollMs: NEVER_MS });
  try {
    const listens = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'listening' AND query = 'LISTEN outbox' AND state = 'idle'`;
    await until(async () => (await database.query(listens)).rowCount === 1);
    for (let n = 0; n < 30; n += 1) {
      await database.transaction((tx) => appendOutbox(tx, [{ subject: 'nodes.x.done.v1', data: Buffer.from('x') }]));
      await until(async () => (await database.query('SELECT 1 FROM outbox')).rowCount === 0);
    }
  } finally {
    await relay.stop();
    await listening.close();
  }
});

test('what another process has left is published by the next poll, which is one statement where there is nothing', async () => {
  const [transactions, statements] = [vi.spyOn(database, 'transactionOnce'), vi.spyOn(database, 'query')];
  const looks = () => statements.mock.calls.filter(([text]) => text === 'SELECT FROM outbox LIMIT 1').length;
  const relay = new OutboxRelay({ database, bus, log, pollMs: 5 });
  try {
    await until(() => looks() >= 5);
    expect(transactions).toHaveBeenCalledTimes(1);
    // The message comes without a notification.
    await test1.query(`INSERT INTO things.outbox (subject, data, headers) VALUES ('nodes.x.done.v1', 'x', '{}')`);
    await until(async () => (await database.query('SELECT 1 FROM outbox')).rowCount === 0);
    expect(transactions.mock.calls.length).toBeGreaterThan(1);
  } finally {
    await relay.stop();
    vi.restoreAllMocks();
  }
});

test.each([
  ['U+0000 in a text', 'SELECT $1::text', ['a\0b'], '22021'],
  ['U+0000 in jsonb', 'SELECT $1::jsonb', ['{"a":"\\u0000"}'], '22P05'],
  ['half of a surrogate pair in jsonb', 'SELECT $1::jsonb', ['"\\ud800"'], '22P02'],
  ['what is no number', 'SELECT $1::int', ['x'], '22P02'],
  ['a number that is too large', 'SELECT $1::int', ['3000000000'], '22003'],
  ['a time that there is not', 'SELECT $1::timestamptz', ['2024-02-30'], '22008'],
  ['a pattern that is none', "SELECT 'a' ~ $1", ['('], '2201B'],
  ['a text too long for a key', 'SELECT repeat($1, 300000000)', ['aaaa'], '54000'],
])('%s is refused for what it is, whoever waits', async (_what, statement, values, code) => {
  const error = await database.query(statement, values).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: 'invalid_argument', reason: 'CONTENT_REFUSED', cause: { code } });
});

test.each(['53100', '53200', '53300', '57P01', '57P03', '58030', '08006'])('%s is an outage, which passes', (code) => {
  expect(mapPgError(Object.assign(new Error('x'), { code }))).toMatchObject({ kind: 'unavailable' });
});

test('of items that are stored together only those at fault are left out, wherever they stand', async () => {
  const items = Array.from({ length: 20 }, (_, n) => ([0, 7, 8, 19].includes(n) ? `${n}\0` : `${n}`));
  let statements = 0;
  const refused = await database.transaction(async (tx) => {
    statements = 0;
    await tx.query('CREATE TEMP TABLE kept (name text) ON COMMIT DROP');
    const found = await separately(tx, items, async (some) => {
      statements += 1;
      await tx.query('INSERT INTO kept SELECT unnest($1::text[])', [some]);
    });
    const { rows } = await tx.query<{ name: string }>('SELECT name FROM kept');
    expect(rows.map(({ name }) => name)).toEqual(items.filter((item) => !item.includes('\0')));
    return found;
  });
  expect(refused.map(({ item }) => item)).toEqual(['0\0', '7\0', '8\0', '19\0']);
  expect(refused[0]?.error).toMatchObject({ reason: 'CONTENT_REFUSED' });
  expect(statements).toBeLessThan(items.length + 5);
  const outage = Object.assign(new DomainError('unavailable', 'PEER_UNAVAILABLE', 'x'));
  const work = async () => Promise.reject(outage);
  await expect(database.transaction((tx) => separately(tx, items, work))).rejects.toBe(outage);
});
