import { AckPolicy, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { apiOf } from '../api.ts';
import type { Installation } from '../installation.ts';
import { seedFlood } from '../loads/node-data.ts';
import { messageBody, writeScenarios } from '../loads/write-scenarios.ts';
import { figure, type Row } from '../report.ts';

const MODEL = 'io.svc.models.node';
const EVENTS = 200_000;
const MESSAGES = 2_000;
const DOCUMENTS = 40;
const PARAMETERS_OF_A_DOCUMENT = 10;
const ROWS_OF_A_DOCUMENT = 1_000;

/** Measures what nodes, events and values of the log take on the disks of PostgreSQL and NATS: for docs/operations/capacity.md. */
export async function measureSizes(installation: Installation): Promise<Row[]> {
  const { servers } = installation;
  const client = new pg.Client({ connectionString: servers.postgres.url });
  const { host, username, password } = new URL(servers.nats.url);
  const nats = await connect({ servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) });
  await client.connect();
  try {
    const empty = await schemaBytes(client, 'nodes');
    const { quiet, flooding } = await seedFlood(installation);
    const nodes = quiet.nodes + flooding.nodes;
    const node = ((await schemaBytes(client, 'nodes')) - empty) / nodes;

    const noEvents = await schemaBytes(client, 'events');
    // Its triggers name tables of their schema.
    await client.query('SET search_path = events');
    await client.query(
      `INSERT INTO events.events (event_id, event_time, owner_id, workspace_id, node_id, node_class, level, event_type, alarm_state,
         username, message)
       SELECT lpad(to_hex(n), 24, '0'), now() - n * interval '1 second', $2, lpad('1', 24, '0'), lpad(to_hex(n % 5000), 24, '0'),
         'point.NumberPoint', 'INFO', 'STATE', 'NONE', 'System', 'State changed from NORMAL to High ' || n % 5
       FROM generate_series(1, $1::int) n`,
      [EVENTS, quiet.ownerId],
    );
    const event = ((await schemaBytes(client, 'events')) - noEvents) / EVENTS;

    const manager = await jetstreamManager(nats);
    // This reader never reads: the log keeps what the others have read.
    await manager.consumers.add('INGEST', { durable_name: 'sizes', ack_policy: AckPolicy.Explicit });
    const api = apiOf(installation);
    const create = async (node: object) => (await api<{ _id: string }>('POST', '/nodes', node))._id;
    const workspace = await create({ _class: `${MODEL}.Workspace`, name: 'Sizes' });
    const parentId = await create({ _class: `${MODEL}.location.Location`, name: 'Site', parentId: workspace });
    const source = (name: string) => create({ _class: `${MODEL}.source.data.Jts`, name, parentId });
    const messages = await source('Messages');
    const before = await logBytes(manager);
    for (let nth = 0; nth < MESSAGES; nth += 1) await write(installation, messages, messageBody(nth));
    const afterMessages = await logBytes(manager);
    const documents = writeScenarios(1).find(({ name }) => name.includes(`× ${PARAMETERS_OF_A_DOCUMENT} column`));
    const target = await source('Documents');
    for (let nth = 0; nth < DOCUMENTS; nth += 1)
      await write(installation, target, String(documents?.request(target, nth).body));
    const afterDocuments = await logBytes(manager);
    return [
      figure('PostgreSQL: a node with its values, states and alarms', node, 'bytes'),
      figure('PostgreSQL: an event', event, 'bytes'),
      figure('ingest log: a message of 3 records, written alone', (afterMessages - before) / MESSAGES, 'bytes'),
      figure(
        'ingest log: a record of a document of 1000 × 10',
        (afterDocuments - afterMessages) / (DOCUMENTS * ROWS_OF_A_DOCUMENT * PARAMETERS_OF_A_DOCUMENT),
        'bytes',
      ),
    ];
  } finally {
    await Promise.all([client.end(), nats.close()]);
  }
}

const schemaBytes = async (client: pg.Client, schema: string): Promise<number> => {
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = $1 AND relkind = 'r'`,
    [schema],
  );
  return Number(rows[0]?.bytes ?? 0);
};

const logBytes = async (manager: JetStreamManager): Promise<number> =>
  (await manager.streams.info('INGEST')).state.bytes;

async function write({ url, key }: Installation, sourceId: string, body: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/nodes/${sourceId}/historic`, {
    method: 'PUT',
    body,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  });
  if (answer.status !== 202) throw new Error(`a write was answered ${answer.status}: ${await answer.text()}`);
  await answer.body?.cancel();
}
