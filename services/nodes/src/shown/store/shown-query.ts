import type { Queryable } from '@catchment/pg';
import { LRUCache } from 'lru-cache';
import { EDGES, type Edge, type Edges, type RawValue, type SeriesRecord } from '../domain/edges.ts';
import type { Shown, ShownInputs } from '../domain/shown.ts';
import { SHOWN_ATTRIBUTES } from '../domain/shown-attributes.ts';

type EdgesRow = Record<`${Edge}_ms` | `${Edge}_quality`, number | null> & Record<`${Edge}_value`, RawValue | null>;
type ShownRow = Record<`${Edge}_number`, number | null> &
  Record<`${Edge}_state`, string | null> & { status: string | null };

/** Records and shown values of `node_values`; all NULL where a node has no row. */
export type ValuesRow = EdgesRow & ShownRow & { is_stale: boolean | null };

const toRecord = (ms: number | null, value: RawValue | null, quality: number | null): SeriesRecord | null =>
  ms === null || value === null ? null : { ms, value, quality };

export const toEdges = (row: EdgesRow): Edges => ({
  current: toRecord(row.current_ms, row.current_value, row.current_quality),
  previous: toRecord(row.previous_ms, row.previous_value, row.previous_quality),
  oldest: toRecord(row.oldest_ms, row.oldest_value, row.oldest_quality),
});

export const toShown = (row: ShownRow): Shown => ({
  current: { number: row.current_number, stateId: row.current_state },
  previous: { number: row.previous_number, stateId: row.previous_state },
  oldest: { number: row.oldest_number, stateId: row.oldest_state },
  status: row.status,
});

const EDGE_COLUMNS = EDGES.map((edge) => `${edge}_ms, ${edge}_value, ${edge}_quality`).join(', ');
const LOCK_EDGES = (where: string): string =>
  `SELECT node_id, ${EDGE_COLUMNS} FROM node_values WHERE node_id = ANY($1)${where} ORDER BY node_id FOR NO KEY UPDATE`;
const LOCKS = { all: LOCK_EDGES(''), stale: LOCK_EDGES(' AND is_stale') } as const;

/**
 * Locks the records that nodes show, in the order of their ids; nodes that are gone are left out. Whoever computes shown values
 * locks these rows first and reads everything else after that: so no result rests on data that another transaction is changing.
 * @param which rows whose shown values are stale, or all
 */
export async function lockEdges(
  tx: Queryable,
  nodeIds: readonly string[],
  which: keyof typeof LOCKS = 'all',
): Promise<Map<string, Edges>> {
  const { rows } = await tx.query<EdgesRow & { node_id: string }>(LOCKS[which], [nodeIds], `lock-edges-${which}`);
  return new Map(rows.map((row) => [row.node_id, toEdges(row)]));
}

/** Shown values have these inputs and the node's place. */
export type PlacedInputs = ShownInputs & { readonly ownerId: string; readonly workspaceId: string };

/** null where a configuration has none. */
const CONFIG = SHOWN_ATTRIBUTES.map((name) => `'${name}', n.config -> '${name}'`).join(', ');

/** This many configurations are kept: those of 10 000 sources with 3 parameters each, some 20 MB. */
const MOST_KEPT = 40_000;
/**
 * The newest configurations that were read, by node. A revision stands for one configuration: every change gives the node another one, also
 * a change that is undone.
 */
const kept = new LRUCache<string, { readonly revision: number; readonly config: ShownInputs['config'] }>({
  max: MOST_KEPT,
});

/** The inputs of shown values by node; nodes that are gone are left out. Configurations are read where they are not known yet. */
export async function placedInputs(on: Queryable, nodeIds: readonly string[]): Promise<Map<string, PlacedInputs>> {
  if (nodeIds.length === 0) return new Map();
  const { rows } = await on.query<Omit<PlacedInputs, 'config'> & { nodeId: string; revision: number }>(
    `SELECT n.node_id AS "nodeId", n.owner_id AS "ownerId", n.workspace_id AS "workspaceId", n.class, n.revision,
       a.current_state_id AS reported
     FROM nodes n LEFT JOIN node_alarms a USING (node_id) WHERE n.node_id = ANY($1)`,
    [nodeIds],
    'placed-inputs',
  );
  const configs = await configsOf(on, rows);
  return new Map(
    rows.flatMap(({ nodeId, ownerId, workspaceId, class: name, reported }) => {
      const config = configs.get(nodeId);
      return config ? [[nodeId, { ownerId, workspaceId, class: name, config, reported }]] : [];
    }),
  );
}

async function configsOf(on: Queryable, nodes: readonly { readonly nodeId: string; readonly revision: number }[]) {
  const configs = new Map<string, ShownInputs['config']>();
  const unknown: string[] = [];
  for (const { nodeId, revision } of nodes) {
    const known = kept.get(nodeId);
    if (known?.revision === revision) configs.set(nodeId, known.config);
    else unknown.push(nodeId);
  }
  if (unknown.length === 0) return configs;
  const { rows } = await on.query<{ nodeId: string; revision: number; config: ShownInputs['config'] }>(
    `SELECT n.node_id AS "nodeId", n.revision, jsonb_build_object(${CONFIG}) AS config FROM nodes n WHERE n.node_id = ANY($1)`,
    [unknown],
    'shown-configs',
  );
  for (const { nodeId, revision, config } of rows) {
    configs.set(nodeId, config);
    kept.set(nodeId, { revision, config });
  }
  return configs;
}

/** Reads steps of the sessions of sources that are not at rest. */
export async function sessionsOf(on: Queryable, nodeIds: readonly string[]): Promise<Map<string, string>> {
  if (nodeIds.length === 0) return new Map();
  const { rows } = await on.query<{ node_id: string; session_status: string }>(
    'SELECT node_id, session_status FROM node_values WHERE node_id = ANY($1) AND session_status IS NOT NULL',
    [nodeIds],
    'sessions-of',
  );
  return new Map(rows.map((row) => [row.node_id, row.session_status]));
}

/** Reads nodes whose shown values are stale, in the order of their ids. @param after the last id of the batch before; '' at first */
export async function staleNodes(on: Queryable, after: string, limit: number): Promise<string[]> {
  const { rows } = await on.query<{ node_id: string }>(
    'SELECT node_id FROM node_values WHERE is_stale AND node_id > $1 ORDER BY node_id LIMIT $2',
    [after, limit],
    'stale-nodes',
  );
  return rows.map((row) => row.node_id);
}
