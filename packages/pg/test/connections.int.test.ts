import { Bus } from '@catchment/bus';
import { createLogger } from '@catchment/telemetry';
import { hang, ownPostgres, type TestDatabase, type TestNats, testDatabase, testNats, until } from '@catchment/testkit';
import { Database, type Queryable } from '../src/index.ts';
import { pingServer } from '../src/ping-server.ts';

const log = createLogger('test', { level: 'silent' });
let scratch: TestDatabase;
let nats: TestNats;
let bus: Bus;
let database: Database;

beforeAll(async () => {
  [scratch, nats] = await Promise.all([testDatabase(), testNats()]);
  bus = await Bus.open({ url: nats.url, prefix: nats.prefix, name: 'test', partitions: 1, log });
  await scratch.query('CREATE TABLE things (id int PRIMARY KEY)');
  database = new Database({ url: scratch.url, schema: 'public', applicationName: 'cut', maxConnections: 8 });
});
beforeEach(() => scratch.query('TRUNCATE things'));
afterAll(async () => {
  await database.close();
  await bus.close();
  await Promise.all([scratch.drop(), nats.drop()]);
});

const cutAll = () =>
  scratch.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut'`);
const gone = () =>
  until(async () => (await scratch.query(`SELECT FROM pg_stat_activity WHERE application_name = 'cut'`)).length === 0, {
    what: 'PostgreSQL ended the connections',
  });
/** The client is notified a turn later, while it is idle: then the error belongs to no statement. */
const cutBetweenStatements = async () => {
  await cutAll();
  await gone();
  await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('a connection that is lost between two statements fails its own work, and the next one gets another connection:', () => {
  test.each<[string, (cut: () => Promise<void>) => Promise<unknown>]>([
    [
      'a transaction',
      (cut) =>
        database.transaction(async (tx) => {
          await tx.query('INSERT INTO things VALUES (1)');
          await cut();
          await tx.query('INSERT INTO things VALUES (2)');
        }),
    ],
    [
      'a transaction before its commit',
      (cut) =>
        database.transaction(async (tx) => {
          await tx.query('INSERT INTO things VALUES (1)');
          await cut();
        }),
    ],
    [
      'a stream between two batches',
      async (cut) => {
        for await (const rows of database.stream<{ n: number }>('SELECT generate_series(1, 9) AS n', [], 3))
          if (rows[0]?.n === 1) await cut();
      },
    ],
  ])('%s', async (_what, work) => {
    await expect(work(cutBetweenStatements)).rejects.toMatchObject({ kind: 'unavailable' });
    for (let n = 0; n < 6; n += 1) await database.check();
    expect(await scratch.query('SELECT FROM things')).toEqual([]);
  });
});

test('statements that run while every connection is cut fail as unavailable', async () => {
  const waiting = [1, 2, 3].map(() => database.query('SELECT pg_sleep(10)'));
  const outcomes = Promise.allSettled(waiting);
  await until(
    async () =>
      (await scratch.query(`SELECT FROM pg_stat_activity WHERE application_name = 'cut' AND wait_event = 'PgSleep'`))
        .length === 3,
  );
  await cutAll();
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } });
  await database.check();
});

test('each connection that is lost is logged once', async () => {
  const lines: unknown[] = [];
  const warn = (...line: unknown[]) => void lines.push(line[1]);
  const reporting = new Database({
    url: scratch.url,
    schema: 'public',
    applicationName: 'cut',
    log: { info: () => {}, error: () => {}, warn },
  });
  await reporting.transaction(() => Promise.all([1, 2].map(() => reporting.check())));
  await cutBetweenStatements();
  await until(() => lines.length >= 3);
  await reporting.close();
  expect(lines).toEqual(Array(3).fill('database connection lost'));
});

test.each<[string, (standby: Database) => Promise<unknown>]>([
  ['a statement', (standby) => standby.query('INSERT INTO things VALUES (1)')],
  ['a transaction', (standby) => standby.transaction((tx) => tx.query('INSERT INTO things VALUES (1)'))],
])(
  '%s that changes something at a server that is a standby now is unavailable, and the connection is given up',
  async (_what, change) => {
    const standby = new Database({ url: scratch.url, schema: 'public', applicationName: 'standby', maxConnections: 1 });
    await standby.query(`SELECT set_config('default_transaction_read_only', 'on', false)`);
    await expect(change(standby)).rejects.toMatchObject({ kind: 'unavailable', reason: 'DATABASE_UNAVAILABLE' });
    await change(standby);
    expect(await scratch.query('SELECT FROM things')).toHaveLength(1);
    await standby.close();
  },
);

test('a dedicated connection that is lost leaves its holder alone, who gives it back', async () => {
  const client = await database.dedicated();
  await cutBetweenStatements();
  await expect(client.query('SELECT 1')).rejects.toThrow();
  client.release();
  for (let n = 0; n < 6; n += 1) await database.check();
});

describe('work under a lock', () => {
  test('is alone with its keys, and others go on beside it', async () => {
    const order: string[] = [];
    const inside = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const first = database.locked('x', ['a', 'b'], async () => {
      inside.resolve();
      await release.promise;
      order.push('first');
    });
    await inside.promise;
    const second = database.locked('x', ['b'], async () => order.push('second'));
    await database.locked('x', ['c'], async () => order.push('other key'));
    release.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['other key', 'first', 'second']);
  });

  test('is run once and keeps its result when the connection breaks meanwhile', async () => {
    let runs = 0;
    const result = await database.locked('x', ['a'], async () => {
      runs += 1;
      await cutBetweenStatements();
      return 'done';
    });
    expect({ runs, result }).toEqual({ runs: 1, result: 'done' });
    expect(await database.locked('x', ['a'], async () => 'free again')).toBe('free again');
  });
});

describe('what a transaction does is never done twice', () => {
  const publish = () => bus.publish('events.event.recorded.v1', Buffer.from('x'), { msgId: 'once' });

  test('publishing, and storing objects, from within is refused', async () => {
    for (const effect of [publish, () => bus.objects.put('a', Buffer.from('x')), () => bus.objects.delete('a')])
      await expect(database.transaction<unknown>(effect)).rejects.toThrow('a transaction must not publish');
    await publish();
  });

  test('what began within one and goes on after its end may publish', async () => {
    const ended = Promise.withResolvers<void>();
    let later: Promise<unknown> | undefined;
    await database.transaction(async () => {
      later = ended.promise.then(publish);
    });
    ended.resolve();
    await expect(later).resolves.toMatchObject({ sequence: expect.any(Number) });
  });

  test('one that may have effects is not run again after a conflict', async () => {
    let runs = 0;
    const conflicting = (tx: Queryable) => {
      runs += 1;
      return tx.query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$`);
    };
    await expect(database.transactionOnce(conflicting)).rejects.toMatchObject({ kind: 'conflict' });
    expect(runs).toBe(1);
    await expect(database.transaction(conflicting)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(runs).toBe(4);
  });

  test('a rehearsing database runs all work twice and keeps what the second run did', async () => {
    const rehearsing = new Database({
      url: scratch.url,
      schema: 'public',
      applicationName: 'rehearsing',
      rehearsesTransactions: true,
    });
    let runs = 0;
    await rehearsing.transaction((tx) => {
      runs += 1;
      return tx.query('INSERT INTO things VALUES ($1)', [runs]);
    });
    await rehearsing.close();
    expect(await scratch.query('SELECT id FROM things')).toEqual([{ id: 2 }]);
  });
});

test('PostgreSQL that hangs: statements under way end, further ones are refused at once, and all goes on when it answers again', async () => {
  await using postgres = await ownPostgres();
  const hung = new Database({ url: postgres.url, schema: 'public', applicationName: 'hung', maxConnections: 8 });
  const SILENT = { kind: 'unavailable', reason: 'DATABASE_SILENT' };
  // More than there are connections: some wait for a turn.
  const askAll = () =>
    Promise.allSettled([
      ...Array.from({ length: 20 }, () => hung.query('SELECT 1')),
      hung.transaction((tx) => tx.query('SELECT 1')),
      hung.locked('x', ['1'], () => hung.query('SELECT 1')),
      (async () => {
        for await (const _rows of hung.stream('SELECT 1', [], 1));
      })(),
    ]);
  expect((await askAll()).map(({ status }) => status)).not.toContain('rejected');
  const goOn = await hang(postgres.pid ?? 0);
  try {
    for (const asked of await askAll()) expect(asked).toMatchObject({ status: 'rejected', reason: SILENT });
    // Nothing waits any more, not even for a timer.
    const soon = new Promise((resolve) => setImmediate(resolve)).then(
      () => new Promise((resolve) => setImmediate(resolve)),
    );
    expect(await Promise.race([hung.query('SELECT 1').catch((error: unknown) => error), soon])).toMatchObject(SILENT);
  } finally {
    await goOn();
  }
  await until(async () => (await hung.query('SELECT 1')).rowCount === 1);
  expect((await askAll()).map(({ status }) => status)).not.toContain('rejected');
  await hung.close();
});

test.each<[string, () => string]>([
  ['answers', () => scratch.url],
  ['refuses the login', () => scratch.url.replace(/:[^:@/]*@/, ':wrong@')],
  ['is not there, which its machine says', () => 'postgres://u:p4ss@127.0.0.1:1/x'],
])('a server that %s does not hang', async (_what, url) => {
  await pingServer(url(), new AbortController().signal);
});

test('a database whose server hangs can be closed', async () => {
  await using postgres = await ownPostgres();
  const hung = new Database({ url: postgres.url, schema: 'public', applicationName: 'hung' });
  await Promise.all([hung.query('SELECT 1'), hung.query('SELECT 2')]);
  const goOn = await hang(postgres.pid ?? 0);
  try {
    const asked = hung.query('SELECT 1').catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    await hung.close();
    expect(await asked).toMatchObject({ kind: 'unavailable' });
  } finally {
    await goOn();
  }
});
