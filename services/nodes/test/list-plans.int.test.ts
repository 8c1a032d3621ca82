import { Database, type Queryable } from '@catchment/pg';
import type { TestDatabase } from '@catchment/testkit';
import { migratedDatabase } from '@catchment/testkit/migrated-database';
import { classNames } from '../src/domain/body/class-names.ts';
import { nodeConfigs } from '../src/nodes/store/node-configs-query.ts';
import { refreshStale } from '../src/shown/index.ts';
import { locationOfSource } from '../src/tree/store/tree-query.ts';
import { listedNodes } from '../src/views/store/node-list-query.ts';
import { nodeQueryColumns } from '../src/views/store/node-query-columns.ts';
import { toViewed, VIEW } from '../src/views/store/node-views-query.ts';
import { parseQuery } from '../src/views/usecases/list-nodes.ts';

const OTHERS = 100;
const NODES_OF_OTHERS = 600;
const NODES = 3_000;
/** The requested account has the last number. */
const OWNER_ID = `00${OTHERS.toString(16).padStart(22, '0')}`;

const [NORMAL, HIGH] = ['a'.repeat(24), 'b'.repeat(24)];
const STATES = [
  { _id: NORMAL, name: 'NORMAL', threshold: null },
  { _id: HIGH, name: 'HIGH', threshold: 2_900 },
];
/** A number of the sources is shown as another, which is the only one of its own. */
const QUALITY = { codes: [{ name: 'Fine', code: 1_000, type: 'GOOD', sourceQuality: [7] }] };

let db: TestDatabase;
let database: Database;

beforeAll(async () => {
  db = await migratedDatabase('nodes');
  const connection = { maxConnections: 1, statementTimeoutMs: 120_000 };
  database = new Database({
    url: db.url,
    schema: 'nodes',
    applicationName: 'test',
    rehearsesTransactions: true,
    ...connection,
  });
  await seed();
});
afterAll(async () => {
  await database?.close();
  await db?.drop();
});

/** Makes accounts that grew at the same time: a Workspace with Locations, with data sources, with parameters that have values. */
async function seed() {
  const id = (n: string) => `lpad(to_hex(a), 6, '0') || lpad(to_hex(${n}), 18, '0')`;
  const all = `(SELECT a, n, CASE WHEN n = 0 THEN 'Workspace' WHEN n < 5 THEN 'location.Location'
      WHEN n < 20 THEN 'source.data.Jts' WHEN n % 100 = 0 THEN 'point.TextPoint' ELSE 'point.NumberPoint' END AS class
    FROM generate_series(0, ${OTHERS}) a, generate_series(0, ${NODES - 1}) n
    WHERE a = ${OTHERS} OR n < ${NODES_OF_OTHERS} ORDER BY n, a) seeded`;
  await database.query(
    `INSERT INTO users (user_id, address, created_at) VALUES (repeat('a', 24), 'jo@example.org', now())`,
  );
  await database.query(
    `INSERT INTO owners (owner_id, account_name, account_type, slug, categories, quality, created_at, owner_user_id)
     SELECT lpad(to_hex(a), 24, '0'), 'Account', 'STANDARD', 'account' || a, '[]', $1, now(), repeat('a', 24)
     FROM generate_series(0, ${OTHERS}) a`,
    [JSON.stringify(QUALITY)],
  );
  await database.query(
    `INSERT INTO nodes (node_id, owner_id, workspace_id, parent_id, class, name, name_key, custom_id, created_ms, revision, config)
     SELECT ${id('n')}, lpad(to_hex(a), 24, '0'), ${id('0')},
       CASE WHEN n = 0 THEN NULL WHEN n < 5 THEN ${id('0')} WHEN n < 20 THEN ${id('1 + n % 4')} ELSE ${id('5 + n % 15')} END,
       class, 'Node ' || n, 'node ' || n, CASE WHEN n % 10 = 3 THEN 'custom-' || n END, n, 1,
       CASE class WHEN 'point.NumberPoint' THEN jsonb_build_object('statesType', 'RANGE', 'states', $1::jsonb) ELSE '{"units": "mm"}' END
     FROM ${all}`,
    [JSON.stringify(STATES)],
  );
  await database.query(
    `INSERT INTO node_values (node_id, current_ms, current_value, current_quality)
     SELECT ${id('n')}, n, CASE WHEN n >= 20 THEN to_jsonb(n + 0.25) END, n % 100 FROM ${all} WHERE n > 0`,
  );
  await database.query(
    `INSERT INTO node_alarms (node_id, alarms) SELECT ${id('n')}, '{}' FROM ${all} WHERE n % 10 = 1`,
  );
  await refreshStale({ database });
  for (const table of ['nodes', 'node_values', 'node_alarms']) await database.query(`VACUUM (ANALYZE) ${table}`);
}

type Plan = {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Relation Name'?: string;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
};

/** Counts rows of tables that were read, those that did not fit included. */
function touchedBy(plan: Plan): number {
  const looked =
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = plan['Relation Name'] === undefined ? 0 : looked * plan['Actual Loops'];
  return (plan.Plans ?? []).reduce((sum, below) => sum + touchedBy(below), own);
}

test('nodes that no data ever came to are shown with their ids', async () => {
  const { rows } = await database.query<{ shown: string }>(`${VIEW} WHERE n.owner_id = $1 AND n.parent_id IS NULL`, [
    OWNER_ID,
  ]);
  expect(rows.map(toViewed)).toMatchObject([
    { nodeId: expect.stringMatching(/^[0-9a-f]{24}$/), edges: { current: null }, updatedMs: null },
  ]);
});

async function explain(filter: string): Promise<{ found: number; touched: number }> {
  const scope = { ownerId: OWNER_ID, workspaceIds: undefined };
  const asked = parseQuery({ filter, sort: '', limit: undefined, skip: 0 });
  const { rest, values } = listedNodes(nodeQueryColumns(classNames('io.svc')), scope, asked);
  const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${VIEW} ${rest}`,
    values,
  );
  const [{ Plan: plan }] = rows[0]?.['QUERY PLAN'] ?? [
    { Plan: { 'Node Type': '', 'Actual Rows': -1, 'Actual Loops': 0 } },
  ];
  return { found: plan['Actual Rows'], touched: touchedBy(plan) };
}

test.each([
  ['name($eq:Node 1234)', 1, 10],
  ['name($eq:nobody)', 0, 0],
  ['name($match:ode 1234)', 1, NODES],
  ['name($eq:Node 1234),isActive($eq:true)|name($eq:Node 1235)', 2, 10],
  ['_class($eq:io.svc.models.node.point.TextPoint)', 29, 100],
  ['_class($match:source.data)', 15, 2 * NODES],
  ['_class($match:.nothing.)', 0, 0],
  ['customId($eq:custom-1233)', 1, 10],
  ['customId($match:tom-1233)', 1, NODES],
  ['currentValue($gt:Number(2900.5))', 99, 2 * NODES],
  ['currentValue($eq:Number(1234.25))', 1, 2 * NODES],
  ['currentValue($eq:Text(nothing))', 0, 2 * NODES],
  ['currentQuality($eq:1000)', 29, 2 * NODES],
  ['currentQuality($eq:7)', 0, 2 * NODES],
  [`currentStateId($eq:${HIGH})`, 99, 2 * NODES],
  [`previousStateId($eq:${NORMAL})`, 0, 2 * NODES],
])(
  'filter=%s finds %i nodes and looks at about %i rows, never at more than twice the account’s nodes',
  async (filter, expected, about) => {
    const { found, touched } = await explain(filter);
    expect(found).toBe(expected);
    expect(touched).toBeLessThanOrEqual(Math.min(about + 100, 2 * NODES));
  },
);

/** The requested account's source. */
const SOURCE_ID = `${OTHERS.toString(16).padStart(6, '0')}${'5'.padStart(18, '0')}`;

test.each<[string, (on: Queryable) => Promise<unknown>]>([
  ['the configuration of a source', (on) => nodeConfigs(on, [SOURCE_ID], classNames('io.svc'))],
  ['the Location that follows a source', (on) => locationOfSource(on, OWNER_ID, SOURCE_ID)],
])('%s looks at no other nodes than those around it, however many the account has', async (_what, ask) => {
  let touched = 0;
  const query = async (text: string, values: readonly unknown[] = []) => {
    const explained = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`;
    const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(explained, values);
    for (const {
      'QUERY PLAN': [{ Plan: plan }],
    } of rows)
      touched += touchedBy(plan);
    return { rows: [], rowCount: 0 };
  };
  await ask({ query });
  expect(touched).toBeLessThan(50);
});

test('a node that is made or renamed has its words written without a look at all others', async () => {
  await database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO nodes (node_id, owner_id, workspace_id, parent_id, class, name, name_key, created_ms, revision, config)
       SELECT repeat('c', 24), owner_id, workspace_id, node_id, 'point.NumberPoint', 'New', 'new', 1, 1,
         '{"metadata": [{"name": "Depth", "value": 12.5}]}' FROM nodes WHERE node_id = $1`,
      [SOURCE_ID],
    );
    await tx.query(`UPDATE nodes SET name_key = 'newer' WHERE node_id = repeat('c', 24)`);
    const { rows } = await tx.query(
      `SELECT t.name, t.more, t.above, s.seq_tup_read FROM node_texts t, pg_stat_xact_user_tables s
       WHERE t.node_id = repeat('c', 24) AND s.relid = 'nodes'::regclass`,
    );
    expect(rows).toEqual([{ name: 'newer', more: '\ndepth 12.5', above: 'node 0/node 2/node 5', seq_tup_read: 0 }]);
    await tx.query(`DELETE FROM nodes WHERE node_id = repeat('c', 24)`);
  });
});
