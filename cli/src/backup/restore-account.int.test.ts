// An account of a backup comes into an installation that has others, against real servers.
import { Readable } from 'node:stream';
import { Bus } from '@catchment/bus';
import { StreamMessage } from '@catchment/contracts/copies';
import { framed } from '@catchment/contracts/frames';
import { AppliedGroup, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { encodeEntries, type LogEntry } from '@catchment/ingest-log';
import {
  removeDataFolder,
  type TestDatabase,
  type TestInflux,
  type TestNats,
  temporaryDataFolder,
  testInflux,
  testNats,
  until,
} from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import pg from 'pg';
import { backendsOf, SCHEMAS, silent, writeBackup } from '../../test/backup-fixture.ts';
import type { Backends } from './backends.ts';
import { takeInstallation } from './installation-lock.ts';
import type { Manifest } from './manifest.ts';
import { Repository } from './repository.ts';
import { restoreAccount } from './restore-account.ts';

const id = (letter: string, n = 0) => `${letter.repeat(20)}${String(n).padStart(4, '0')}`;
/** KEPT is an account of the backup, THERE of the installation that it is restored to. */
const [KEPT, THERE] = [id('a'), id('b')];
const SERIES = id('c', 1);
/** The devices have these keys: an IMEI without a secret, one with a secret, and a number that was made. */
const [IMEI, SECURED, MADE] = ['490154203237518', '356938035643809', '123456789012'];
/** The installation that was backed up has this revision; this one has made few changes yet. */
const REVISION = 500_000;
let folder: string;
let manifest: Manifest;
let servers: { backends: Backends; database: TestDatabase; influx: TestInflux; nats: TestNats };
let said: string[];

/** Makes an account with a Workspace in which a source has a parameter, and a modem. */
async function makeAccount(database: TestDatabase, ownerId: string, slug: string): Promise<void> {
  const [n, revision] = ownerId === KEPT ? [0, REVISION - 1] : [100, 1];
  const [series, source, workspace] = [id('c', n + 1), id('c', n + 2), id('c', n + 9)];
  await database.query(
    `SET search_path TO nodes;
     WITH person AS (INSERT INTO users (user_id, address, created_at, home_owner_id)
       VALUES ('${ownerId}', '${slug}@example.org', '2024-01-01', '${ownerId}'))
     INSERT INTO owners (owner_id, account_name, account_type, slug, categories, created_at, owner_user_id)
     VALUES ('${ownerId}', '${slug}', 'STANDARD', '${slug}', '[]', '2024-01-01', '${ownerId}');
     INSERT INTO nodes (node_id, owner_id, workspace_id, parent_id, class, name, name_key, created_ms, revision)
     SELECT node_id, '${ownerId}', '${workspace}', parent_id, class, class, class, 1, ${revision} FROM (VALUES
       ('${workspace}', NULL, 'Workspace'),
       ('${source}', '${workspace}', 'source.data.Jts'),
       ('${series}', '${source}', 'point.NumberPoint')) AS v (node_id, parent_id, class);
     INSERT INTO node_values (node_id) VALUES ('${series}');
     INSERT INTO node_alarms (node_id, current_state_id, state_revision) VALUES ('${series}', 'high', ${revision})`,
  );
}

/** A whole installation knows nodes and devices of the account in the backup by these names. */
const NAMES = `
  UPDATE nodes.nodes SET public_id = 'public', config = '{"transport":{"class":"HttpPush","key":"push"}}' WHERE node_id = '${id('c', 2)}';
  UPDATE nodes.nodes SET config = '{"transport":{"class":"TcpServer","siteId":"station"}}' WHERE node_id = '${id('c', 9)}';
  INSERT INTO historic.node_replica (node_id, owner_id, source_id, custom_id, revision, config)
    SELECT v.node_id, '${KEPT}', '${id('c', 2)}', '', 1, '' FROM (VALUES ('${SERIES}'), ('${id('c', 3)}'), ('${id('c', 5)}')) AS v (node_id);
  INSERT INTO alarms.series SELECT v.node_id, '${KEPT}', 'high', '[[5,1]]', '-Infinity'
    FROM (VALUES ('${SERIES}'), ('${id('c', 3)}')) AS v (node_id);
  INSERT INTO devices.key_salts VALUES ('${SECURED}', 'old');
  INSERT INTO devices.devices (device_id, owner_id, workspace_id, device_key, class, secret_hash, is_generated, unsecured_since_ms, created_ms) VALUES
    ('${id('d', 1)}', '${KEPT}', '${id('c', 9)}', '${IMEI}', 'Device', NULL, false, 5, 5),
    ('${id('d', 2)}', '${KEPT}', '${id('c', 9)}', '${SECURED}', 'Device', 'scrypt$old$hash', false, NULL, 5),
    ('${id('d', 3)}', '${KEPT}', '${id('c', 9)}', '${MADE}', 'Device', NULL, true, 5, 5)`;

/** Partitions of a month each; the installation has one that the backup lacks. */
const month = (n: number) =>
  `CREATE TABLE events.events_2024_0${n} PARTITION OF events.events FOR VALUES FROM ('2024-0${n}-01') TO ('2024-0${n + 1}-01')`;
const event = (ownerId: string, n: number) =>
  `SET search_path TO events; INSERT INTO events (event_id, event_time, recorded_at, owner_id, level, event_type, alarm_state, username, message)
   VALUES ('${ownerId}${n}', '2024-0${n}-15', '2024-0${n}-16', '${ownerId}', 'INFO', 'CONFIGURATION', '', '', 'of ${n}')`;

/** The backup has an installation with one account. */
beforeAll(async () => {
  folder = await temporaryDataFolder();
  await using database = await migratedDatabase(...SCHEMAS);
  await makeAccount(database, KEPT, 'kept');
  await database.query([NAMES, month(1), month(2), ...[1, 2, 3].map((n) => event(KEPT, n))].join(';'));
  await database.query(`SELECT setval('nodes.node_revision', ${REVISION}), setval('alarms.revisions', ${REVISION})`);
  manifest = await writeBackup(folder, database, { ownerId: KEPT, nodeId: SERIES });
});
afterAll(() => removeDataFolder(folder));

beforeEach(async () => {
  said = [];
  const [database, nats, influx] = [await migratedDatabase(...SCHEMAS), await testNats(), await testInflux()];
  const backends = backendsOf({ database, influx, nats });
  servers = { backends, database, influx, nats };
  await makeAccount(database, THERE, 'there');
  await database.query([month(1), month(3), event(THERE, 1)].join(';'));
});
afterEach(async () => {
  for (const { drop } of [servers.database, servers.nats, servers.influx]) await drop();
});

const query = <T>(statement: string, values?: readonly unknown[]) => servers.database.query<T>(statement, values);
const restore = (heard: (line: string) => unknown = () => {}, of = manifest) =>
  restoreAccount({
    backends: servers.backends,
    repository: new Repository(folder),
    manifest: of,
    decrypter: undefined,
    say: (line) => {
      said.push(line);
      heard(line);
    },
    account: 'kept',
  });
const accounts = async () =>
  (await query<{ slug: string }>('SELECT slug FROM nodes.owners ORDER BY slug')).map(({ slug }) => slug);

/** Other test files have workers of this name in databases of their own. */
const WORKER = `application_name = 'restore-account' AND datname = current_database()`;

/** Runs work while rows of nodes are moved, and waits until `go`. */
async function inLastStep(work: (restored: Promise<void>, go: () => Promise<unknown>) => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: servers.database.url });
  await holder.connect();
  try {
    await holder.query('BEGIN; LOCK TABLE nodes.workspace_access IN SHARE MODE');
    const restored = restore();
    // Whoever waits for it reports an error.
    restored.catch(() => undefined);
    const waiting = `SELECT FROM pg_stat_activity WHERE ${WORKER} AND wait_event_type = 'Lock'`;
    const waits = async () => (await query(waiting)).length > 0;
    await until(waits, { what: 'rows of nodes are moved' });
    await work(restored, () => holder.query('COMMIT'));
  } finally {
    await holder.end();
  }
}
const stagedSchemas = () => query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'restore_%'`);

describe('what changes later is newer than what was restored', () => {
  const next = async (sequence: string) =>
    Number((await query<{ next: string }>('SELECT nextval($1) AS next', [sequence]))[0]?.next);

  test('where the installation has made fewer changes than that of the backup', async () => {
    await query(`SELECT setval('nodes.node_revision', 300), setval('alarms.revisions', 20)`);
    await restore();
    expect(await accounts()).toEqual(['kept', 'there']);
    const revisions = await query<{ revision: string; state_revision: string }>(
      'SELECT revision, state_revision FROM nodes.nodes JOIN nodes.node_alarms USING (node_id) WHERE nodes.owner_id = $1',
      [KEPT],
    );
    expect(revisions).toEqual([{ revision: String(REVISION - 1), state_revision: String(REVISION - 1) }]);
    for (const name of ['nodes.node_revision', 'alarms.revisions']) expect(await next(name)).toBeGreaterThan(REVISION);
  });

  test('where it has made more, and what it counts goes on', async () => {
    await query(`SELECT setval('nodes.node_revision', 900000), setval('alarms.revisions', 900000)`);
    await restore();
    for (const name of ['nodes.node_revision', 'alarms.revisions']) expect(await next(name)).toBe(900_001);
  });
});

test('beside a backup it does not begin, and leaves what another one has laid out', async () => {
  const client = new pg.Client({ connectionString: servers.database.url, application_name: 'backup' });
  await client.connect();
  try {
    await takeInstallation(client, 'shared');
    await query('CREATE SCHEMA restore_nodes');
    await expect(restore()).rejects.toThrow(/^A backup is being made since/);
    expect(await stagedSchemas()).toHaveLength(1);
  } finally {
    await client.end();
  }
  expect(await accounts()).toEqual(['there']);
});

describe('what belongs to others', () => {
  const deviceOf = (deviceId: string, key: string, rest: string) =>
    query(
      `INSERT INTO devices.devices (device_id, owner_id, workspace_id, device_key, class, secret_hash, unsecured_since_ms, created_ms)
       VALUES ('${deviceId}', '${THERE}', '${id('c', 109)}', '${key}', 'Device', ${rest})`,
    );

  test('a modem without a secret stays with them, and a salt that nobody uses does not lock out one with a secret', async () => {
    await deviceOf(id('e', 1), IMEI, `NULL, 100, 100`);
    await query(`INSERT INTO devices.key_salts VALUES ('${SECURED}', 'other')`);
    await restore();
    const first = `SELECT owner_id FROM devices.devices WHERE device_key = $1 AND unsecured_since_ms IS NOT NULL ORDER BY unsecured_since_ms`;
    expect(await query(first, [IMEI])).toEqual([{ owner_id: THERE }, { owner_id: KEPT }]);
    expect(await query(`SELECT salt FROM devices.key_salts WHERE device_key = $1`, [SECURED])).toEqual([
      { salt: 'old' },
    ]);
    // A device with a secret waits for no modem without one.
    const secured = `SELECT unsecured_since_ms AS since FROM devices.devices WHERE device_key = $1`;
    expect(await query(secured, [SECURED])).toEqual([{ since: null }]);
  });

  test('what only one of them may have is refused by name', async () => {
    await deviceOf(id('e', 2), SECURED, `'scrypt$new$hash', NULL, 100`);
    await deviceOf(id('e', 3), MADE, `NULL, 1, 1`);
    await query(
      `INSERT INTO devices.key_salts VALUES ('${SECURED}', 'new');
       UPDATE nodes.nodes SET public_id = 'public', config = '{"transport":{"class":"HttpPush","key":"push"}}' WHERE node_id = '${id('c', 102)}';
       UPDATE nodes.nodes SET config = '{"transport":{"class":"TcpServer","siteId":"station"}}' WHERE node_id = '${id('c', 109)}'`,
    );
    await expect(restore()).rejects.toThrow(
      [
        'The account does not fit into the installation:',
        `device ${MADE} has a number that was made for one device, and is that of another device there`,
        `device ${SECURED} has a secret, and so has that of another account there: the modem could not sign in`,
        `node ${id('c', 2)} (source.data.Jts) has the push key of a source there`,
        `node ${id('c', 9)} (Workspace) names the station of a source there`,
        `node ${id('c', 2)} (source.data.Jts) has the public id of a node there`,
      ].join('\n  '),
    );
    expect(await accounts()).toEqual(['there']);
  });
});

test('what others read and write goes on in the last step, and they see all of the account or nothing', async () => {
  await inLastStep(async (restored, go) => {
    const held = await query<{ mode: string; relation: string }>(
      `SELECT DISTINCT l.mode, n.nspname || '.' || c.relname AS relation FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
       JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE l.pid = (SELECT pid FROM pg_stat_activity WHERE ${WORKER}) AND n.nspname = ANY($1) AND c.relkind IN ('r', 'p')`,
      [SCHEMAS],
    );
    const modes = Map.groupBy(held, ({ mode }) => mode);
    expect([...modes.keys()].sort()).toEqual([
      'AccessShareLock',
      'RowExclusiveLock',
      'RowShareLock',
      'ShareRowExclusiveLock',
    ]);
    const rest = modes.get('ShareRowExclusiveLock')?.map(({ relation }) => relation);
    expect(rest?.sort()).toEqual(['nodes.node_alarms', 'nodes.nodes']);
    await query(event(THERE, 3));
    await query(`UPDATE nodes.owners SET account_name = 'of another name' WHERE owner_id = $1`, [THERE]);
    expect(await query('SELECT owner_id FROM events.events WHERE owner_id = $1', [KEPT])).toEqual([]);
    expect(await query('SELECT node_id FROM nodes.nodes')).toHaveLength(3);
    await go();
    await restored;
  });
  const tables = 'SELECT tableoid::regclass::text AS month FROM events.events WHERE owner_id = $1 ORDER BY event_time';
  // A month that is not there has its events with the others.
  expect(await query(tables, [KEPT])).toEqual(
    ['events_2024_01', 'events_other', 'events_2024_03'].map((name) => ({ month: `events.${name}` })),
  );
  expect(await query('SELECT node_id FROM nodes.nodes')).toHaveLength(6);
  // Triggers are at work again, and have not counted what was counted.
  const [{ counted } = { counted: -1 }] = await query<{ counted: number }>(
    `SELECT node_count AS counted FROM nodes.owners WHERE owner_id = $1`,
    [KEPT],
  );
  expect(counted).toBe(3);
  expect(await query(`SELECT FROM pg_trigger WHERE tgenabled = 'D'`)).toEqual([]);
});

describe('one that does not come to its end', () => {
  const listeners = () => process.listenerCount('SIGTERM');

  test('ends by a signal while the backup is laid out, and leaves nothing', async () => {
    const before = listeners();
    const restored = restore((line) => line.startsWith('nodes: ') && process.emit('SIGTERM', 'SIGTERM'));
    await expect(restored).rejects.toThrow(/^Broken off by SIGTERM$/);
    expect(await stagedSchemas()).toEqual([]);
    expect(await accounts()).toEqual(['there']);
    expect(listeners()).toBe(before);
    expect(said.filter((line) => line.includes('laid out'))).toHaveLength(1);
  });

  test('ends by a signal in the last step, and leaves nothing', async () => {
    await inLastStep(async (restored) => {
      process.emit('SIGINT', 'SIGINT');
      await expect(restored).rejects.toThrow(/^Broken off by SIGINT$/);
    });
    expect(await stagedSchemas()).toEqual([]);
    expect(await accounts()).toEqual(['there']);
  });

  test('reports why, and what it left where PostgreSQL went away; the next one removes that', async () => {
    await inLastStep(async (restored) => {
      await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${WORKER}`);
      await expect(restored).rejects.toThrow(/terminat/);
    });
    expect(said.at(-2)).toMatch(/^The rows of all accounts are still in schemas restore_nodes, restore_historic/);
    expect(await stagedSchemas()).not.toEqual([]);
    await restore();
    expect(await accounts()).toEqual(['kept', 'there']);
    expect(await stagedSchemas()).toEqual([]);
  });
});

test('services look anew at series of the account that were written while the backup was made', async () => {
  const { url, prefix } = servers.nats;
  const bus = await Bus.open({ url, prefix, name: 'test', partitions: 2, log: silent });
  try {
    const column = (nodeId: string, ownerId: string): LogEntry => ({
      kind: 'column',
      column: {
        nodeId,
        ownerId,
        workspaceId: id('c', 9),
        sourceId: id('c', 2),
        valueType: ValueType.VALUE_TYPE_NUMBER,
        writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
        notifyOn: 0,
        modifiedMs: 1,
        username: '',
        timestamps: Float64Array.of(5),
        flags: Uint8Array.of(1),
        numbers: Float64Array.of(5),
        texts: [],
        qualities: new Uint16Array(0),
        annotations: new Map(),
        traceparent: '',
      },
    });
    await using repository = new Repository(folder);
    await repository.begin();
    const message = (sequence: number, subject: string, data: Uint8Array) =>
      framed(StreamMessage.encode({ sequence, subject, headers: [], data: Buffer.from(data) }).finish());
    const keep = async (...frames: Uint8Array[]) => ({
      messages: frames.length,
      blobs: [await repository.write(Readable.from(frames))],
    });
    const logged = (sequence: number, nodeId: string, ownerId: string) =>
      encodeEntries([column(nodeId, ownerId)], 100_000, () => 'whole').map((data) =>
        message(sequence, 'ingest.0', data),
      );
    const applied = AppliedGroup.encode(
      AppliedGroup.fromPartial({
        batches: [{ series: [id('c', 5), id('c', 6)].map((nodeId) => ({ nodeId, ownerId: KEPT })) }],
      }),
    ).finish();
    const written = {
      ...manifest,
      replay: [{ from: 5, to: 7 }],
      streams: {
        INGEST: await keep(
          ...logged(5, id('c', 4), KEPT),
          ...logged(6, SERIES, KEPT),
          ...logged(6, id('c', 101), THERE),
          message(7, 'ingest.0', Buffer.from('of no layout')),
        ),
        APPLIED: await keep(message(3, 'applied.0', applied)),
      },
    };
    type Announced = { reader: string; nodes: string[]; isRetry: boolean };
    const announced: Announced[] = [];
    for (const reader of ['nodes', 'processing', 'alarms-applied'] as const)
      bus.readPartitions(reader, async (_partition, messages) => {
        for (const { data, isRetry } of messages)
          for (const { series } of AppliedGroup.decode(data).batches)
            announced.push({ reader, nodes: series.map(({ nodeId }) => nodeId).sort(), isRetry });
      });
    await restore(undefined, written);
    const readers = async () =>
      Object.entries(await bus.lag('APPLIED')).filter(([name]) => /^(nodes|processing|alarms-applied)-\d/.test(name));
    await until(async () => announced.length >= 2 && (await readers()).every(([, left]) => left === 0), {
      what: 'readers hear of it, and have read all',
    });
    const nodes = [SERIES, id('c', 5)];
    expect(announced.sort((message, other) => (message.reader < other.reader ? -1 : 1))).toEqual([
      { reader: 'nodes', nodes, isRetry: true },
      { reader: 'processing', nodes, isRetry: true },
    ]);
    expect(said).toContain('2 series were written while the backup was made: services look at their newest records');
    expect(await query('SELECT node_id, history, known_since_ms AS since FROM alarms.series ORDER BY node_id')).toEqual(
      [
        { node_id: SERIES, history: [], since: Number.POSITIVE_INFINITY },
        { node_id: id('c', 3), history: [[5, 1]], since: Number.NEGATIVE_INFINITY },
      ],
    );
  } finally {
    await bus.close();
  }
});
