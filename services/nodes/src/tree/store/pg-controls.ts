import type { Queryable } from '@catchment/pg';

/** Keeps the value that a control parameter is to get; it replaces one that waits. @returns its revision */
export async function keepControl(tx: Queryable, nodeId: string, value: unknown): Promise<number> {
  const { rows } = await tx.query<{ control_revision: number }>(
    `UPDATE node_values SET control_value = $2::jsonb, control_revision = nextval('node_revision') WHERE node_id = $1
     RETURNING control_revision`,
    [nodeId, JSON.stringify(value)],
    'keep-control',
  );
  if (!rows[0]) throw new Error(`no row of values for ${nodeId}`);
  return rows[0].control_revision;
}

export async function dropControl(tx: Queryable, nodeId: string): Promise<number | undefined> {
  const { rows } = await tx.query<{ control_revision: number }>(
    `UPDATE node_values SET control_value = NULL, control_revision = nextval('node_revision')
     WHERE node_id = $1 AND control_value IS NOT NULL RETURNING control_revision`,
    [nodeId],
    'drop-control',
  );
  return rows[0]?.control_revision;
}
