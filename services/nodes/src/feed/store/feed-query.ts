import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { wasClosed } from '../../rights/index.ts';
import { scopeSql } from '../../views/index.ts';
import { type NodePlace, oldestOf } from '../domain/feed-cursor.ts';

/** An account at a moment. */
export type FeedHead = {
  readonly snapshot: string;
  /** Differs whenever a list of the account's nodes may differ. */
  readonly revision: string;
  /** Documents of nodes depend on these settings of the account. */
  readonly settings: string;
  /** Snapshots belong to this history of transactions: another after a restore. */
  readonly history: string;
};

export async function feedHead(on: Queryable, ownerId: string): Promise<FeedHead> {
  const { rows } = await on.query<FeedHead>(
    `SELECT pg_current_snapshot()::text AS snapshot,
       coalesce((SELECT string_agg(writer || ':' || revision, ',' ORDER BY writer) FROM owner_revisions WHERE owner_id = $1), '') AS revision,
       coalesce((SELECT shown_codes::text FROM owners WHERE owner_id = $1), '') AS settings,
       (SELECT s.system_identifier || '.' || c.timeline_id FROM pg_control_system() s, pg_control_checkpoint() c)
         || '.' || 'nodes'::regclass::oid AS history`,
    [ownerId],
    'feed-head',
  );
  return rows[0] as FeedHead;
}

/** Texts that differ when nodes of accounts may have changed, by account. */
export async function ownerRevisions(on: Queryable, ownerIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await on.query<{ owner_id: string; revision: string }>(
    `SELECT owner_id, string_agg(writer || ':' || revision, ',' ORDER BY writer) AS revision
     FROM owner_revisions WHERE owner_id = ANY($1) GROUP BY owner_id`,
    [ownerIds],
    'owner-revisions',
  );
  return new Map(rows.map((row) => [row.owner_id, row.revision]));
}

/** A node that has changed, or may not be seen any more. */
export type Change = NodePlace & {
  readonly isGone: boolean;
  /** The document of this node shows which attachment is its newest. */
  readonly sourceId: string | null;
};

/**
 * Reads nodes of a scope that were written since a snapshot, and those that have left it, in the order of their creation.
 * @param from undefined = all nodes of the scope
 */
export async function changesSince(
  on: Queryable,
  scope: Scope,
  { from, after, limit }: { from: string | undefined; after: NodePlace; limit: number },
): Promise<Change[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const [createdMs, nodeId, most] = [bind(after.createdMs), bind(after.nodeId), bind(limit)];
  const page = (of: string) => `(${of}.created_ms, ${of}.node_id) > (${createdMs}::bigint, ${nodeId}::text)`;
  const ordered = (of: string) => `ORDER BY ${of}.created_ms NULLS FIRST, ${of}.node_id LIMIT ${most}`;
  const since = from === undefined ? undefined : sinceSql(from, bind);
  // The rows of values and alarms are looked up by node: see `views/store/node-views-query.ts`.
  const changed = since
    ? `SELECT n.created_ms, n.node_id, FALSE AS is_gone, CASE WHEN n.class = 'Attachment' THEN n.parent_id END AS source_id
       FROM nodes n
       LEFT JOIN LATERAL (SELECT own.xmin AS stamp FROM node_values own WHERE own.node_id = n.node_id OFFSET 0) v ON TRUE
       LEFT JOIN LATERAL (SELECT own.xmin AS stamp FROM node_alarms own WHERE own.node_id = n.node_id OFFSET 0) a ON TRUE
       WHERE ${scopeSql(scope, values)} AND ${page('n')} AND (${since('n.xmin')} OR ${since('v.stamp')} OR ${since('a.stamp')})`
    : `SELECT n.created_ms, n.node_id, FALSE AS is_gone, NULL AS source_id
       FROM nodes n WHERE ${scopeSql(scope, values)} AND ${page('n')}`;
  const gone = since
    ? `UNION ALL (SELECT lost.created_ms, lost.node_id, TRUE, NULL FROM gone_nodes lost
       WHERE lost.owner_id = ${bind(scope.ownerId)} AND ${page('lost')} AND ${since('lost.xmin')}
         ${scope.workspaceIds ? `AND lost.workspace_id = ANY(${bind(scope.workspaceIds)}::text[])` : ''}
         AND NOT ${wasClosed(scope, 'lost', values)}
         AND NOT EXISTS (SELECT FROM nodes n WHERE n.node_id = lost.node_id AND ${scopeSql(scope, values)})
       ${ordered('lost')})`
    : '';
  const { rows } = await on.query<{ created_ms: number; node_id: string; is_gone: boolean; source_id: string | null }>(
    `SELECT * FROM ((${changed} ${ordered('n')}) ${gone}) AS c ${ordered('c')}`,
    values,
  );
  return rows.map((row) => ({
    createdMs: row.created_ms,
    nodeId: row.node_id,
    isGone: row.is_gone,
    sourceId: row.source_id,
  }));
}

/**
 * Returns whether a row was written since a snapshot, by its `xmin`. The age, which is cheap, leaves out nearly all
 * rows; the second condition separates transactions that were under way in the snapshot from those that had ended.
 */
function sinceSql(snapshot: string, bind: (value: unknown) => string): (stamp: string) => string {
  const oldest = `${bind(String(BigInt.asUintN(32, oldestOf(snapshot))))}::text::xid`;
  const known = `${bind(snapshot)}::pg_snapshot`;
  const next = '(SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint)';
  return (stamp) => `(age(${stamp}) <= age(${oldest}) AND written_since(${stamp}, ${known}, ${next}))`;
}
