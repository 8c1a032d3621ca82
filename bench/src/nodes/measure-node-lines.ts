import pg from 'pg';
import { Pool } from 'undici';
import type { Installation } from '../installation.ts';
import { nodeIdOf, raiseAlarms, type SeededAccount, seedList } from '../loads/node-data.ts';
import { atMost, atMostOfFloor, figure, type Row } from '../report.ts';
import { inTurns, quantile } from '../watch/in-turns.ts';

const ALARMS = 2_000;
/** The bar is half of what docs/reference/node-tree.md#search promises: the other half is left for the way to the browser. */
const BAR_MS = 50;
/** The bar compares with the bare statement of PostgreSQL. */
const RATIO_BAR = 2.5;
const TIMES = 15;

/**
 * Measures what the console asks all the time, in an account of 50 000 nodes with 2 000 raised alarms: the search of nodes, children of the
 * tree, and the list of alarms. Beside each search is a bare statement that finds the words without ranks, beside children one that reads
 * the nodes of the page.
 */
export async function measureNodeLines(installation: Installation, scale: number): Promise<Row[]> {
  const account = await seedList(installation);
  const database = new pg.Client({ connectionString: installation.servers.postgres.url });
  await database.connect();
  const api = new Pool(installation.url, { connections: 1 });
  try {
    await database.query('SET search_path = nodes');
    await raiseAlarms(database, account, ALARMS);
    const times = Math.max(3, Math.ceil(TIMES * scale));
    const get = (path: string) => () => timed(() => ask(api, account, path));
    const texts = (q: string) => {
      const found = q
        .split(' ')
        .map((_word, n) => `(name LIKE $${n + 2} OR more LIKE $${n + 2} OR above LIKE $${n + 2})`);
      const statement = `SELECT node_id FROM node_texts WHERE owner_id = $1 AND ${found.join(' AND ')} ORDER BY name, node_id LIMIT 20`;
      const values = [
        account.ownerId,
        ...q
          .toLowerCase()
          .split(' ')
          .map((word) => `%${word}%`),
      ];
      return () => timed(() => database.query(statement, values));
    };
    const below = (parentId: string | null) => () =>
      timed(() =>
        database.query(
          `SELECT n.*, v.* FROM nodes n LEFT JOIN node_values v USING (node_id)
           WHERE n.owner_id = $1 AND ${parentId === null ? 'n.parent_id IS NULL' : 'n.parent_id = $2'} ORDER BY n.name_key LIMIT 101`,
          parentId === null ? [account.ownerId] : [account.ownerId, parentId],
        ),
      );
    const rows: Row[] = [];
    for (const [what, q] of [
      ['one of them', 'Node 43210'],
      ['most of them', 'node 3'],
      ['all of them', 'node'],
      ['none', 'weir gauge'],
    ] as const) {
      const { ownMs, floorMs } = await inTurns(times, get(`/nodes/search?q=${encodeURIComponent(q)}`), texts(q));
      const name = `search of 50 000 nodes that finds ${what}`;
      rows.push(
        atMost(name, ownMs, 'ms', BAR_MS),
        atMostOfFloor(
          `${name}: beside a bare statement that finds as many (${floorMs.toFixed(1)} ms)`,
          ownMs,
          'ms',
          floorMs,
          RATIO_BAR,
        ),
      );
    }
    const ws = nodeIdOf(account, 0);
    const location = nodeIdOf(account, 1);
    const source = nodeIdOf(account, 50);
    for (const [what, parentId] of [
      ['the Workspaces', null],
      ['a Workspace', ws],
      ['a Location', location],
      ['a data source', source],
    ] as const) {
      const path = `/nodes/children${parentId === null ? '' : `?parentId=${parentId}`}`;
      const { ownMs, floorMs } = await inTurns(times, get(path), below(parentId));
      rows.push(
        atMost(
          `children of ${what}, ${ALARMS} alarms raised (bare statement: ${floorMs.toFixed(1)} ms)`,
          ownMs,
          'ms',
          BAR_MS,
        ),
      );
    }
    const took: number[] = [];
    for (let n = 0; n < times; n += 1) took.push(await get('/alarms')());
    rows.push(figure(`GET /alarms of ${ALARMS} raised, 100 of them`, quantile(took, 0.5), 'ms'));
    return rows;
  } finally {
    await Promise.all([api.close(), database.end()]);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** @throws Error unless it is answered */
async function ask(api: Pool, { key }: SeededAccount, path: string): Promise<void> {
  const answer = await api.request({ method: 'GET', path: `/api/v1${path}`, headers: { 'x-api-key': key } });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
}
