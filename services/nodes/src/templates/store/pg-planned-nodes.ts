import type { Queryable } from '@catchment/pg';
import { nameKey } from '../../domain/body/names.ts';
import type { PlannedNode } from '../domain/instance-plan.ts';

export async function parkNames(tx: Queryable, nodeIds: readonly string[]): Promise<void> {
  if (nodeIds.length === 0) return;
  // No name begins so (docs/reference/node-tree.md#names).
  await tx.query(
    `UPDATE nodes SET name_key = '/' || node_id, series_key = NULL WHERE node_id = ANY($1)`,
    [nodeIds],
    'park-names',
  );
}

export async function savePlanned(tx: Queryable, nodes: readonly PlannedNode[]): Promise<void> {
  const records = nodes.map((node) => ({
    node_id: node.nodeId,
    parent_id: node.parentId,
    name: node.name,
    name_key: nameKey(node.name),
    series_key: node.seriesKey,
    config: node.config,
    template_node_id: node.templateNodeId,
    instance_id: node.instanceId,
  }));
  await tx.query(
    `UPDATE nodes n SET parent_id = r.parent_id, name = r.name, name_key = r.name_key, series_key = r.series_key,
       config = r.config, template_node_id = r.template_node_id, instance_id = r.instance_id,
       revision = nextval('node_revision')
     FROM jsonb_to_recordset($1::jsonb) AS r(node_id text, parent_id text, name text, name_key text, series_key text,
       config jsonb, template_node_id text, instance_id text)
     WHERE n.node_id = r.node_id`,
    [JSON.stringify(records)],
    'save-planned',
  );
}
