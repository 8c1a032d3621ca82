import type { NodeConfig } from '@catchment/contracts/nodes';
import type { Queryable } from '@catchment/pg';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { nodeConfig } from '../usecases/node-config.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from './node-rows.ts';

/** With the account's slug and the names above: enough for the full path. */
const WITH_PATH = `
  WITH RECURSIVE line AS (
    SELECT n.node_id AS start_id, n.parent_id, n.class, n.name AS path FROM nodes n WHERE n.node_id = ANY($1)
    UNION ALL
    SELECT line.start_id, p.parent_id, p.class, p.name || '/' || line.path FROM line JOIN nodes p ON p.node_id = line.parent_id
  )
  SELECT ${NODE_COLUMNS}, o.slug || '/' || line.path AS path, line.class = 'Templates' AS in_template
  FROM line JOIN nodes n ON n.node_id = line.start_id JOIN owners o USING (owner_id)
  WHERE line.parent_id IS NULL`;

/** Configurations of nodes for other services, by id; ids that do not exist are left out. */
export async function nodeConfigs(
  on: Queryable,
  nodeIds: readonly string[],
  names: ClassNames,
): Promise<Map<string, NodeConfig>> {
  const { rows } = await on.query<NodeRow & { path: string; in_template: boolean }>(
    WITH_PATH,
    [nodeIds],
    'node-configs',
  );
  return new Map(
    rows.map((row) => [row.node_id, nodeConfig(toNode(row), { path: row.path, isInTemplate: row.in_template }, names)]),
  );
}
