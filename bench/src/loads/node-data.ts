import { hash } from 'node:crypto';
import pg from 'pg';
import type { Installation } from '../installation.ts';

/** One measurement made this account. */
export type SeededAccount = { readonly ownerId: string; readonly key: string; readonly nodes: number };

type NodeData = {
  /** This is one of 100 accounts of 10 000 nodes. */
  readonly crowd: SeededAccount;
  readonly list: SeededAccount;
  readonly tree: SeededAccount;
  /** Its only Location is a branch of 1000 nodes. */
  readonly clone: SeededAccount;
};

/** Two accounts for work of the same kind: one floods, the other one goes on as usual. */
export type FloodData = { readonly flooding: SeededAccount; readonly quiet: SeededAccount };

const CROWD_ACCOUNTS = 100;
const CROWD_NODES = 10_000;
const SCHEMA = 'nodes';
const CREATED_MS = Date.parse('2026-01-01T00:00:00Z');

/** Nodes lie below these numbers: 0 is the Workspace, then come Locations, then data sources, then parameters. */
type Shape = { readonly nodes: number; readonly locations: number; readonly sources: number };

const SHAPES = {
  crowd: { nodes: CROWD_NODES, locations: 9, sources: 90 },
  list: { nodes: 50_000, locations: 49, sources: 450 },
  tree: { nodes: 4_999, locations: 9, sources: 40 },
  clone: { nodes: 1_001, locations: 1, sources: 9 },
  console: { nodes: 50_000, locations: 3_000, sources: 1_000 },
} satisfies Record<string, Shape>;

const state = (index: number, name: string, threshold: number | null) => ({
  _id: `0000000000000000000000a${index}`,
  index,
  name,
  threshold,
  occurrences: 1,
  isAlarm: threshold !== null,
  notify: 'NEVER',
  categoryId: null,
  messageAway: '',
  messageTowards: '',
  qualityCode: null,
  description: '',
});
const STATES = [state(0, 'NORMAL', null), state(1, 'High', 900)] as const;
/** Every hundredth parameter's records have this state, but the current one. */
export const HIGH_ID = STATES[1]._id;
const ranges = (hysteresis: number, states: readonly object[]) => ({ statesType: 'RANGE', hysteresis, states });
const STATUS = {
  revision: 1,
  alarmState: 'CLEARED',
  message: null,
  categoryId: null,
  activeTime: null,
  acknowledgeTime: null,
  acknowledgeUsername: null,
  acknowledgeComment: null,
};

/** SQL writes them past the API: a million nodes with states and values, some with texts, custom ids and alarms. */
export async function seedNodes({ servers }: Installation): Promise<NodeData> {
  const client = new pg.Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`SET search_path = ${SCHEMA}`);
    // No row here breaks a reference; checking two million would take longer than writing them.
    await client.query(`SET session_replication_role = replica`);
    const seed = async (first: number, accounts: number, shape: Shape) => {
      const key = await insertAccounts(client, first, accounts);
      await insertNodes(client, first, accounts, shape);
      return { ownerId: ownerIdOf(first), key, nodes: shape.nodes };
    };
    const indexes = await dropIndexes(client);
    const data = {
      crowd: await seed(0, CROWD_ACCOUNTS, SHAPES.crowd),
      list: await seed(CROWD_ACCOUNTS, 1, SHAPES.list),
      tree: await seed(CROWD_ACCOUNTS + 1, 1, SHAPES.tree),
      clone: await seed(CROWD_ACCOUNTS + 2, 1, SHAPES.clone),
    };
    for (const index of indexes) await client.query(index);
    await client.query('VACUUM (ANALYZE) nodes');
    await client.query('VACUUM (ANALYZE) node_values');
    await client.query('VACUUM (ANALYZE) node_alarms');
    return data;
  } finally {
    await client.end();
  }
}

/** Writes an account of 50 000 nodes as `seedNodes` does. */
export async function seedList({ servers }: Installation): Promise<SeededAccount> {
  const client = new pg.Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`SET search_path = ${SCHEMA}`);
    const key = await insertAccounts(client, 3, 1);
    await insertNodes(client, 3, 1, SHAPES.list);
    await client.query('ANALYZE');
    return { ownerId: ownerIdOf(3), key, nodes: SHAPES.list.nodes };
  } finally {
    await client.end();
  }
}

export const CONSOLE = SHAPES.console;

/**
 * Works as `seedList`, with 3 000 Locations that are somewhere. Parameters whose numbers end with 1 or 2 have a state alarm from 900 on; `raised` of those that
 * end with 5 have one that is active.
 */
export async function seedConsole({ servers }: Installation, raised: number): Promise<SeededAccount> {
  const client = new pg.Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`SET search_path = ${SCHEMA}`);
    const key = await insertAccounts(client, 4, 1);
    await insertNodes(client, 4, 1, CONSOLE);
    const account = { ownerId: ownerIdOf(4), key, nodes: CONSOLE.nodes };
    await client.query(
      `UPDATE node_values v SET current_ms = $2::bigint, updated_ms = $2::bigint,
         current_value = jsonb_build_array(25 + (n * 7919 % 3001) / 100.0, -120 + (n * 104729 % 3001) / 22.0)
       FROM (SELECT node_id, substring(name FROM 6)::int AS n FROM nodes WHERE owner_id = $1 AND class = 'location.Location') l
       WHERE v.node_id = l.node_id`,
      [account.ownerId, CREATED_MS],
    );
    await client.query(
      `UPDATE nodes SET config = config || $2 WHERE owner_id = $1 AND class = 'point.NumberPoint' AND name LIKE '%2'`,
      [account.ownerId, JSON.stringify(ranges(1, STATES))],
    );
    await raiseAlarms(client, account, raised, `name LIKE '%5'`);
    await client.query('ANALYZE');
    return account;
  } finally {
    await client.end();
  }
}

const RAISED = {
  revision: 1,
  alarmState: 'ACTIVE',
  message: 'High',
  categoryId: null,
  acknowledgeTime: null,
  acknowledgeUsername: null,
  acknowledgeComment: null,
};

/** Raises alarms of about so many parameters, spread over those that meet a condition. */
export async function raiseAlarms(
  client: pg.Client,
  { ownerId }: SeededAccount,
  count: number,
  condition = 'true',
): Promise<void> {
  const points = `FROM nodes WHERE owner_id = $1 AND class LIKE 'point.%' AND ${condition}`;
  await client.query(
    `INSERT INTO node_alarms (node_id, alarms)
     SELECT node_id, jsonb_build_object('stateAlarm', $2::jsonb || jsonb_build_object('activeTime', created_ms))
     FROM (SELECT node_id, created_ms, row_number() OVER (ORDER BY node_id) AS n ${points}) point
     WHERE n % greatest(1, (SELECT count(*) ${points}) / $3) = 0 LIMIT $3
     ON CONFLICT (node_id) DO UPDATE SET alarms = excluded.alarms`,
    [ownerId, JSON.stringify(RAISED), count],
  );
  await client.query('VACUUM (ANALYZE) node_alarms');
  await client.query('VACUUM (ANALYZE) node_texts');
}

/** Accounts of 4999 nodes each, written as `seedNodes` does. */
export async function seedFlood({ servers }: Installation): Promise<FloodData> {
  const client = new pg.Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`SET search_path = ${SCHEMA}`);
    const [flooding = '', quiet = ''] = [await insertAccounts(client, 1, 1), await insertAccounts(client, 2, 1)];
    await insertNodes(client, 1, 2, SHAPES.tree);
    await client.query('ANALYZE');
    const { nodes } = SHAPES.tree;
    return {
      flooding: { ownerId: ownerIdOf(1), key: flooding, nodes },
      quiet: { ownerId: ownerIdOf(2), key: quiet, nodes },
    };
  } finally {
    await client.end();
  }
}

/** Makes sources with outdatedAlarm that have just reported, one parameter each, and all due; written as `seedNodes` does. */
export async function seedOutdated({ servers }: Installation, sources: number, quietMaxMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`SET search_path = ${SCHEMA}`);
    await insertAccounts(client, 1, 1);
    await insertNodes(client, 1, 1, { nodes: 2 * sources + 100, locations: 99, sources });
    await client.query(
      'UPDATE node_values SET current_ms = extract(epoch FROM now()) * 1000 WHERE current_ms IS NOT NULL',
    );
    await client.query('VACUUM (ANALYZE) nodes');
    await client.query('VACUUM (ANALYZE) node_values');
    await client.query(
      `INSERT INTO alarms.outdated_checks (node_id, quiet_max_ms)
       SELECT node_id, $1 FROM nodes WHERE class LIKE 'source.%'`,
      [quietMaxMs],
    );
  } finally {
    await client.end();
  }
}

/** Accounts of 100 sources with 100 parameters each: those of the first have five states, those of the second none. */
type EvaluationData = { readonly stateful: SeededAccount; readonly plain: SeededAccount };

export const EVALUATION = { sources: 100, parametersEach: 100 } as const;
const CATEGORY = { _id: '0000000000000000000000c1', name: 'Critical', index: 0 };
const FIVE_STATES = [null, 10, 20, 30, 40].map((threshold, index) => ({
  ...state(index, threshold === null ? 'NORMAL' : `High ${index}`, threshold),
  notify: threshold === null ? 'NEVER' : 'AWAY_FROM_NORMAL',
  categoryId: CATEGORY._id,
}));

/** SQL writes them as `seedNodes` does; the owner of the first account is subscribed to each of its parameters, by e-mail. */
export async function seedEvaluation({ servers }: Installation): Promise<EvaluationData> {
  const client = new pg.Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`SET search_path = ${SCHEMA}`);
    const { sources, parametersEach } = EVALUATION;
    const nodes = 2 + sources * (1 + parametersEach);
    const [stateful = '', plain = ''] = [await insertAccounts(client, 1, 1), await insertAccounts(client, 2, 1)];
    await insertNodes(client, 1, 2, { nodes, locations: 1, sources });
    await client.query('DELETE FROM node_values');
    await client.query('DELETE FROM node_alarms');
    await client.query(`UPDATE owners SET categories = $1 WHERE owner_id = $2`, [
      JSON.stringify([CATEGORY]),
      ownerIdOf(1),
    ]);
    await client.query(
      `UPDATE nodes SET class = 'point.NumberPoint', config = CASE owner_id WHEN $1 THEN $2::jsonb ELSE $3::jsonb END
       WHERE class LIKE 'point.%'`,
      [ownerIdOf(1), JSON.stringify(ranges(0, FIVE_STATES)), JSON.stringify(ranges(0, STATES.slice(0, 1)))],
    );
    const person = '(SELECT owner_user_id FROM owners WHERE owner_id = $1)';
    await client.query(`UPDATE users SET activated_at = now(), password_hash = coalesce(password_hash, '-')`);
    await client.query(
      `INSERT INTO subscriptions (node_id, owner_id, user_id)
       SELECT node_id, owner_id, ${person} FROM nodes WHERE owner_id = $1 AND class LIKE 'point.%'`,
      [ownerIdOf(1)],
    );
    await client.query(
      `INSERT INTO notification_preferences (workspace_id, owner_id, user_id, category_id, email, sms)
       SELECT node_id, owner_id, ${person}, $2, true, false FROM nodes WHERE owner_id = $1 AND class = 'Workspace'`,
      [ownerIdOf(1), CATEGORY._id],
    );
    await client.query('ANALYZE');
    return {
      stateful: { ownerId: ownerIdOf(1), key: stateful, nodes },
      plain: { ownerId: ownerIdOf(2), key: plain, nodes },
    };
  } finally {
    await client.end();
  }
}

/** Returns the ids of a source of `seedEvaluation` and of its parameters. */
export function sourceOf(account: SeededAccount, nth: number): { source: string; parameters: string[] } {
  const { sources, parametersEach } = EVALUATION;
  const above = 1 + sources;
  // A parameter n lies below source 2 + n % sources.
  const first = above + 1 + ((((nth - (above + 1)) % sources) + sources) % sources);
  return {
    source: nodeIdOf(account, 2 + nth),
    parameters: Array.from({ length: parametersEach }, (_, c) => nodeIdOf(account, first + c * sources)),
  };
}

/** Built anew when the rows are there, indexes take a tenth of the time. @returns the statements that make them again */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
     FROM pg_index i WHERE i.indrelid IN ('nodes'::regclass, 'node_values'::regclass)
       AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
const ownerIdOf = (account: number): string => `00${hex(account, 22)}`;

/** Returns the id of a seeded node: 0 is the Workspace, 1 the first Location. */
export const nodeIdOf = ({ ownerId }: SeededAccount, n: number): string => `${ownerId.slice(-6)}${hex(n, 18)}`;

const OWNER_ID = `lpad(to_hex(a), 24, '0')`;

/** @returns the key of the first account */
async function insertAccounts(client: pg.Client, first: number, accounts: number): Promise<string> {
  const key = `bench${first}`.padEnd(40, '0');
  await client.query(
    `INSERT INTO owners (owner_id, account_name, account_type, slug, categories, created_at, owner_user_id)
     SELECT ${OWNER_ID}, 'Seeded ' || a, 'STANDARD', 'seeded' || a, '[]', now(), (SELECT min(user_id) FROM users)
     FROM generate_series($1::int, $2::int) a`,
    [first, first + accounts - 1],
  );
  await client.query(
    `INSERT INTO api_keys (key_id, owner_id, user_id, key_sha256, last4, label, permission, access_level, created_at)
     SELECT 'bench' || a, ${OWNER_ID}, (SELECT min(user_id) FROM users), decode($2, 'hex'), '0000', 'Bench', 'MODIFY',
       'ACCOUNT', now() FROM generate_series($1::int, $1::int) a`,
    [first, hash('sha256', key)],
  );
  return key;
}

/** Accounts grow at the same time: the rows of one lie between those of the others. */
async function insertNodes(client: pg.Client, first: number, accounts: number, shape: Shape): Promise<void> {
  const { nodes, locations, sources } = shape;
  const id = (n: string) => `lpad(to_hex(a), 6, '0') || lpad(to_hex(${n}), 18, '0')`;
  const above = locations + sources;
  const all = `(SELECT a, n, CASE WHEN n = 0 THEN 'Workspace' WHEN n <= ${locations} THEN 'location.Location'
      WHEN n <= ${above} THEN 'source.data.Jts' WHEN n % 100 = 0 THEN 'point.TextPoint' ELSE 'point.NumberPoint' END AS class
    FROM generate_series(0, ${nodes - 1}) n, generate_series(${first}, ${first + accounts - 1}) a ORDER BY n, a) seeded`;
  await client.query(
    `INSERT INTO nodes (node_id, owner_id, workspace_id, parent_id, class, name, name_key, custom_id, series_key, created_ms,
       revision, config)
     SELECT ${id('n')}, ${OWNER_ID}, ${id('0')},
       CASE WHEN n = 0 THEN NULL WHEN n <= ${locations} THEN ${id('0')}
         WHEN n <= ${above} THEN ${id(`1 + n % ${locations}`)} ELSE ${id(`${locations + 1} + n % ${sources}`)} END,
       class, 'Node ' || n, 'node ' || n, CASE WHEN n % 10 = 3 THEN 'custom-' || n END,
       CASE WHEN n > ${above} THEN n::text END, ${CREATED_MS}::bigint + n, 1,
       CASE class
         WHEN 'point.NumberPoint' THEN '{"units": "mm", "decimalPlaces": 3, "metadata": [{"name": "Depth", "value": 12.5}]}'::jsonb
           || CASE WHEN n % 10 = 1 THEN $1::jsonb ELSE $2::jsonb END
         ELSE '{}'::jsonb END
     FROM ${all}`,
    [JSON.stringify(ranges(1, STATES)), JSON.stringify(ranges(0, STATES.slice(0, 1)))],
  );
  // The rows include what is shown of them, as the service would compute it: a pass over a million rows would go on beside the
  // measurements.
  await client.query(
    `INSERT INTO node_values (node_id, current_ms, current_value, current_quality, previous_ms, previous_value,
       previous_quality, oldest_ms, oldest_value, oldest_quality, updated_ms, current_number, previous_number, oldest_number,
       current_state, previous_state, oldest_state, status, is_stale)
     SELECT ${id('n')}, ms, value, 192, ms - 60000, value, 192, ms - 600000, value, 192, ms + 500, number, number, number,
       CASE WHEN number IS NOT NULL THEN '${STATES[0]._id}' END, state, state,
       CASE class WHEN 'source.data.Jts' THEN 'IDLE' END, false
     FROM (SELECT *, coalesce(to_jsonb(number), CASE class WHEN 'point.TextPoint' THEN to_jsonb('text ' || n) END) AS value,
         CASE WHEN number >= 900 AND n % 10 = 1 THEN '${STATES[1]._id}' WHEN number IS NOT NULL THEN '${STATES[0]._id}' END AS state
       FROM (SELECT *, CASE WHEN n > ${above} THEN ${CREATED_MS}::bigint + 86400000 + n END AS ms,
           CASE class WHEN 'point.NumberPoint' THEN n % 1000 + 0.25 END AS number FROM ${all}) numbered) valued`,
  );
  await client.query(
    `INSERT INTO node_alarms (node_id, current_state_id, state_revision, alarms)
     SELECT ${id('n')}, '${STATES[0]._id}', 1, $1 FROM ${all} WHERE class = 'point.NumberPoint' AND n % 10 = 1`,
    [JSON.stringify({ stateAlarm: STATUS })],
  );
}
