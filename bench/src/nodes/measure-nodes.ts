import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { startFloor } from '../floors/floor-server.ts';
import type { Installation } from '../installation.ts';
import { type LoadRequest, runLoad } from '../loads/load.ts';
import { HIGH_ID, nodeIdOf, type SeededAccount, seedNodes } from '../loads/node-data.ts';
import { atLeast, atLeastOfFloor, atMost, atMostOfFloor, figure, processorTime, type Row } from '../report.ts';
import { inTurns, quantile } from '../watch/in-turns.ts';
import { cpuByProcess, cpuOfEach, memoryGrowth } from '../watch/processes.ts';

const MIB = 1024 * 1024;
const LIST_BAR = 1.5;
const GROWTH_BAR_MIB = 100;
const GET_CONNECTIONS = 16;
/** Requests of each connection. */
const SINGLE_READS = 600;
const SINGLE_BAR = 2_000;
const SINGLE_RATIO_BAR = 0.4;
/** PostgreSQL publishes the statistics of a connection after 10 s without work. */
const COUNTED_AFTER_MS = 12_000;
/** A filter reads at most this many rows per node of its account. */
const TOUCHED_BAR = 2;

/**
 * The bare query reads all that a list of all attributes is made of, joined as PostgreSQL likes best, in the list's order.
 * Its rows are held in memory as `pg` gives them.
 */
const BARE_QUERY = `
  SELECT n.node_id, n.owner_id, n.workspace_id, n.parent_id, n.class, n.name, n.custom_id, n.series_key, n.public_id,
    n.is_active, n.created_ms, n.revision, n.config, n.template_node_id, n.instance_id, v.current_ms, v.current_value,
    v.current_quality, v.previous_ms, v.previous_value, v.previous_quality, v.oldest_ms, v.oldest_value, v.oldest_quality,
    v.updated_ms, v.last_attempt_ms, v.last_success_ms, v.total_attempts, v.total_successes, v.last_record_count,
    a.current_state_id, a.alarms, d.newest_ms, d.oldest_ms AS data_oldest_ms
  FROM nodes.nodes n
  LEFT JOIN nodes.node_values v USING (node_id)
  LEFT JOIN nodes.node_alarms a USING (node_id)
  LEFT JOIN (
    SELECT c.parent_id AS node_id, max(cv.current_ms) AS newest_ms, min(cv.current_ms) AS oldest_ms
    FROM nodes.nodes c JOIN nodes.node_values cv USING (node_id)
    WHERE c.owner_id = $1 AND c.is_active AND c.class LIKE 'point.%' GROUP BY c.parent_id
  ) d USING (node_id)
  WHERE n.owner_id = $1 ORDER BY n.created_ms, n.node_id`;

/** @param scale share of the usual number of repetitions */
export async function measureNodes(installation: Installation, scale: number): Promise<Row[]> {
  const data = await seedNodes(installation);
  const { gateway = 0 } = await installation.pids();
  // Each request has a connection: the gateway ends those that lie idle while the bare query runs.
  const api = new Pool(installation.url, { connections: 2, pipelining: 0 });
  const database = new pg.Client({ connectionString: installation.servers.postgres.url });
  await database.connect();
  const times = (usual: number) => Math.max(3, Math.ceil(usual * scale));
  const bare = (account: SeededAccount) => () => timed(() => database.query(BARE_QUERY, [account.ownerId]));
  const get = (account: SeededAccount, path: string, expected: string) => () =>
    timed(() => request(api, { method: 'GET', path }, account, { status: 200, expected }));
  try {
    const list = get(data.list, '/nodes?limit=50000', '[{"_class":');
    const growth = await memoryGrowth([gateway], list);
    const listed = await inTurns(times(5), list, bare(data.list));
    const tree = await inTurns(times(7), get(data.tree, '/nodes?type=TREE', '"children":[{'), bare(data.tree));
    return [
      atMostOfFloor(
        `list of 50 000 nodes, all attributes${bareOf(listed)}`,
        listed.ownMs,
        'ms',
        listed.floorMs,
        LIST_BAR,
      ),
      atMost('list of 50 000 nodes: RSS growth of the gateway', growth / MIB, 'MiB', GROWTH_BAR_MIB),
      figure(`TREE of 4 999 nodes${bareOf(tree)}`, tree.ownMs, 'ms'),
      ...(await filterRows(api, database, data.crowd, times(40))),
      ...(await singleRate(installation, data.crowd, times(SINGLE_READS))),
      await cloneRow(api, data.clone, times(5)),
    ];
  } finally {
    await Promise.all([api.close(), database.end()]);
  }
}

/** An account of 10 000 nodes is measured among a hundred; every request is different. */
async function filterRows(api: Pool, database: pg.Client, account: SeededAccount, times: number): Promise<Row[]> {
  const node = (n: number) => 100 + ((n * 7_919) % 9_900);
  const filters: Record<string, (n: number) => string> = {
    'name($eq:…)': (n) => `name($eq:Node ${node(n)})`,
    'name($match:…)': (n) => `name($match:ode ${node(n)})`,
    '_class($eq:…)': () => '_class($eq:io.svc.models.node.point.TextPoint)',
    '_class($match:…)': () => '_class($match:source.data)',
    'customId($eq:…)': (n) => `customId($eq:custom-${Math.floor(node(n) / 10) * 10 + 3})`,
    'currentValue($gt:Number(…))': (n) => `currentValue($gt:Number(${980 + (n % 10)}))`,
    'previousStateId($eq:…)': () => `previousStateId($eq:${HIGH_ID}),previousValue($gt:Number(990))`,
  };
  const rows: Row[] = [];
  let before = await rowsRead(database);
  for (const [name, filter] of Object.entries(filters)) {
    const took: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const path = `/nodes?filter=${encodeURIComponent(filter(n))}`;
      took.push(await timed(() => request(api, { method: 'GET', path }, account, { status: 200, expected: '_class' })));
    }
    const after = await rowsRead(database);
    const where = `filter ${name}, one account of 10 000 nodes among 1 000 000`;
    rows.push(figure(`${where}, p95`, quantile(took, 0.95), 'ms'));
    const touched = (after - before) / times;
    rows.push(atMostOfFloor(`${where}, rows looked at`, touched, 'rows', account.nodes, TOUCHED_BAR));
    before = after;
  }
  return rows;
}

/** Returns rows of tables and entries of indexes that the service has read so far. */
async function rowsRead(database: pg.Client): Promise<number> {
  await delay(COUNTED_AFTER_MS);
  const { rows } = await database.query<{ read: number }>(
    `SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE schemaname = 'nodes' AND relname LIKE 'node%')::float8
       + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE schemaname = 'nodes' AND relname LIKE 'node%')::float8
       AS read`,
  );
  return rows[0]?.read ?? Number.NaN;
}

/**
 * Measures single nodes, beside a bare route of Fastify that runs one query.
 * @param times requests of each connection
 */
async function singleRate(installation: Installation, account: SeededAccount, times: number): Promise<Row[]> {
  const lists = Array.from({ length: GET_CONNECTIONS }, (_, connection) =>
    Array.from({ length: times }, (_unused, n): LoadRequest => {
      const id = nodeIdOf(account, ((n * GET_CONNECTIONS + connection) * 7_919) % account.nodes);
      return { method: 'GET', path: `/api/v1/nodes/${id}` };
    }),
  );
  const options = { headers: { 'x-api-key': account.key }, expect: 200 };
  const rateOf = async (origin: string) => {
    await runLoad(
      origin,
      lists.map((list) => list.slice(0, times / 4)),
      options,
    );
    return runLoad(origin, lists, options);
  };
  const floor = await startFloor('node-server.ts', installation.servers.postgres.url);
  const bare = await rateOf(floor.origin).finally(() => floor.stop());
  const pids = await installation.pids();
  const before = await cpuByProcess(pids);
  const ours = await rateOf(installation.url);
  const cpuMs = cpuOfEach(before, await cpuByProcess(pids), 1.25 * ours.requests);
  const [rate, bareRate] = [ours.requests / ours.seconds, bare.requests / bare.seconds];
  const name = `GET /nodes/:id, ${GET_CONNECTIONS} connections`;
  return [
    atLeast(`${name}: rate (p99 ${ours.p99Ms.toFixed(1)} ms)`, rate, 'requests/s', SINGLE_BAR),
    atLeastOfFloor(
      `${name}: beside a bare Fastify route with one query (${Math.round(bareRate)}/s)`,
      rate,
      'requests/s',
      bareRate,
      SINGLE_RATIO_BAR,
    ),
    processorTime(name, cpuMs),
  ];
}

async function cloneRow(api: Pool, account: SeededAccount, times: number): Promise<Row> {
  const path = `/nodes/${nodeIdOf(account, 1)}/clone`;
  const took: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const body = JSON.stringify({ parentId: nodeIdOf(account, 0), name: `Copy ${n}` });
    took.push(
      await timed(() => request(api, { method: 'POST', path, body }, account, { status: 201, expected: '_class' })),
    );
  }
  return figure('clone of 1 000 nodes', quantile(took, 0.5), 'ms');
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Reads the whole answer. @throws Error when its status or its beginning is another than expected */
async function request(
  api: Pool,
  { method, path, body }: LoadRequest,
  { key }: SeededAccount,
  { status, expected }: { status: number; expected: string },
): Promise<void> {
  const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const answer = await api.request({ method, path: `/api/v1${path}`, headers, body: body ?? null });
  let start = '';
  for await (const chunk of answer.body) if (start.length < 40_000) start += chunk;
  if (answer.statusCode !== status || !start.includes(expected))
    throw new Error(`${method} ${path.slice(0, 200)} answered ${answer.statusCode}: ${start.slice(0, 300)}`);
}

const bareOf = ({ floorMs }: { floorMs: number }): string => ` (bare query: ${floorMs.toFixed(1)} ms)`;
