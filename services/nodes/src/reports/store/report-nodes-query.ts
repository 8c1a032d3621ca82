import type { Queryable } from '@catchment/pg';

/** Reads the name of the nearest Location of nodes, themselves included, by node. */
export async function locationNames(on: Queryable, nodeIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await on.query<{ of: string; name: string }>(
    `WITH RECURSIVE line AS (
       SELECT node_id AS of, parent_id, class, name, 0 AS above FROM nodes WHERE node_id = ANY($1)
       UNION ALL
       SELECT line.of, p.parent_id, p.class, p.name, line.above + 1 FROM line JOIN nodes p ON p.node_id = line.parent_id
     ) SELECT DISTINCT ON (of) of, name FROM line WHERE class = 'location.Location' ORDER BY of, above`,
    [nodeIds],
    'location-names',
  );
  return new Map(rows.map((row) => [row.of, row.name]));
}

/** Reads the newest attachment that attachment sources had at a time, by source. */
export async function attachmentsUntil(
  on: Queryable,
  sourceIds: readonly string[],
  untilMs: number,
): Promise<Map<string, string>> {
  if (sourceIds.length === 0) return new Map();
  const { rows } = await on.query<{ parent_id: string; node_id: string }>(
    `SELECT DISTINCT ON (parent_id) parent_id, node_id FROM nodes
     WHERE class = 'Attachment' AND parent_id = ANY($1) AND created_ms <= $2
     ORDER BY parent_id, created_ms DESC, node_id DESC`,
    [sourceIds, untilMs],
    'attachments-until',
  );
  return new Map(rows.map((row) => [row.parent_id, row.node_id]));
}
