import type { Database } from '@catchment/pg';
import type { ComputationDeps, KnownProgram } from '../usecases/computation.ts';

type Row = {
  node_id: string;
  digest: string;
  checked_digest: string | null;
  is_valid: boolean;
  is_enabled: boolean;
  suspended_until_ms: number | null;
  is_computed_anew: boolean;
  failure: string;
  failures: number;
  position_ms: number | null;
  done_records: number;
  inputs: { readonly nodeId: string }[] | null;
  outputs: string[];
};

/** Programs as people look at them. */
export const pgComputations = (database: Database): ComputationDeps['programs'] => ({
  async known(nodeIds) {
    if (nodeIds.length === 0) return [];
    const { rows } = await database.query<Row>(
      `SELECT p.node_id, p.digest, p.checked_digest, p.plan_version IS NOT NULL AS is_valid, p.is_enabled AND NOT a.is_disabled AS is_enabled,
         extract(epoch FROM p.suspended_until)::float8 * 1000 AS suspended_until_ms, p.phase IS NOT NULL AS is_computed_anew, p.failure,
         p.failures, p.position_ms, p.done_records, CASE WHEN p.plan_version IS NOT NULL THEN l.plan::json -> 'plan' -> 'inputs' END AS inputs,
         ARRAY(SELECT o.output_node_id FROM program_outputs o WHERE o.node_id = p.node_id ORDER BY o.name) AS outputs
       FROM programs p JOIN accounts a USING (owner_id) LEFT JOIN program_plans l USING (node_id) WHERE p.node_id = ANY($1::text[])`,
      [nodeIds],
      'known-programs',
    );
    return rows.map(toKnown);
  },
  async followersOf(series, limit) {
    const { rows } = await database.query<{ node_id: string; kind: 'PROGRAM' | 'RATING'; outputs: string[] }>(
      `SELECT i.node_id, 'PROGRAM' AS kind, ARRAY(SELECT o.output_node_id FROM program_outputs o WHERE o.node_id = i.node_id) AS outputs
       FROM (SELECT DISTINCT node_id FROM program_inputs WHERE is_input AND on_node_id = ANY($1::text[])) i
       UNION ALL SELECT node_id, 'RATING', ARRAY[node_id] FROM rating_inputs WHERE input_node_id = ANY($1::text[])
       ORDER BY 1 LIMIT $2`,
      [series, limit],
      'followers',
    );
    return rows.map(({ node_id: nodeId, kind, outputs }) => ({ nodeId, kind, outputs }));
  },
  async programsOf(workspaceId, limit) {
    const { rows } = await database.query<{ node_id: string }>(
      `SELECT node_id FROM programs WHERE workspace_id = $1 ORDER BY suspended_until IS NULL, failure = '', name, node_id LIMIT $2`,
      [workspaceId, limit],
      'programs-of-workspace',
    );
    return rows.map((row) => row.node_id);
  },
});

const toKnown = (row: Row): KnownProgram => ({
  nodeId: row.node_id,
  digest: row.digest,
  ...(row.checked_digest !== null && { checkedDigest: row.checked_digest }),
  isValid: row.is_valid,
  isEnabled: row.is_enabled,
  isSuspended: row.suspended_until_ms !== null,
  ...(row.suspended_until_ms !== null && { suspendedUntilMs: row.suspended_until_ms }),
  isComputedAnew: row.is_computed_anew,
  failure: row.failure,
  failuresInRow: row.failures,
  ...(row.position_ms !== null && { positionMs: row.position_ms }),
  doneRecords: row.done_records,
  inputs: (row.inputs ?? []).map((input) => input.nodeId),
  outputs: row.outputs,
});
