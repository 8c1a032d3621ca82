import type { Queryable } from '@catchment/pg';
import type { InstanceRow } from './templates-query.ts';

export async function ensureTemplate(
  tx: Queryable,
  template: { readonly templateId: string; readonly ownerId: string; readonly username: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO templates (template_id, owner_id, revision, username) VALUES ($1, $2, 0, $3) ON CONFLICT DO NOTHING`,
    [template.templateId, template.ownerId, template.username],
    'ensure-template',
  );
}

export async function makeDue(tx: Queryable, templateId: string, username: string, nowMs: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE templates t SET revision = revision + 1, username = $2, due_ms = $3
     WHERE template_id = $1 AND EXISTS (SELECT FROM instances i WHERE i.template_id = t.template_id)`,
    [templateId, username, nowMs],
    'make-due',
  );
  return rowCount > 0;
}

export async function postpone(on: Queryable, templateId: string, untilMs: number): Promise<void> {
  await on.query('UPDATE templates SET due_ms = $2 WHERE template_id = $1', [templateId, untilMs], 'postpone');
}

export async function settle(tx: Queryable, templateId: string): Promise<void> {
  await tx.query('UPDATE templates SET due_ms = NULL WHERE template_id = $1', [templateId], 'settle');
  await forgetTemplate(tx, templateId);
}

/** Forgets everything about a template that is gone and has no instance. */
export async function forgetTemplate(tx: Queryable, templateId: string): Promise<void> {
  await tx.query(
    `DELETE FROM templates t WHERE template_id = $1 AND NOT EXISTS (SELECT FROM nodes n WHERE n.node_id = t.template_id)
       AND NOT EXISTS (SELECT FROM instances i WHERE i.template_id = t.template_id)`,
    [templateId],
    'forget-template',
  );
}

export async function insertInstances(tx: Queryable, rows: readonly InstanceRow[]): Promise<void> {
  await tx.query(
    `INSERT INTO instances (instance_id, template_id, revision, metadata)
     SELECT "instanceId", "templateId", revision, metadata
     FROM jsonb_to_recordset($1::jsonb) AS r("instanceId" text, "templateId" text, revision bigint, metadata jsonb)`,
    [JSON.stringify(rows)],
    'insert-instances',
  );
}

export async function setRevision(tx: Queryable, instanceIds: readonly string[], revision: number): Promise<void> {
  await tx.query(
    'UPDATE instances SET revision = $2 WHERE instance_id = ANY($1)',
    [instanceIds, revision],
    'set-revision',
  );
}

export async function clearMetadata(tx: Queryable, templateId: string): Promise<void> {
  await tx.query(`UPDATE instances SET metadata = '[]' WHERE template_id = $1`, [templateId], 'clear-metadata');
}

export async function unlinkNodes(tx: Queryable, instanceId: string): Promise<void> {
  await tx.query(
    `UPDATE nodes SET template_node_id = NULL, instance_id = NULL, revision = nextval('node_revision') WHERE instance_id = $1`,
    [instanceId],
    'unlink-nodes',
  );
  await tx.query('DELETE FROM instances WHERE instance_id = $1', [instanceId], 'unlink-instance');
}
