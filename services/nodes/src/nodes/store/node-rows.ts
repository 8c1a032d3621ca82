import type { Config, StoredNode } from '../../domain/classes/node.ts';

/** A row of `nodes`. */
export type NodeRow = {
  node_id: string;
  owner_id: string;
  workspace_id: string;
  parent_id: string | null;
  class: string;
  name: string;
  custom_id: string | null;
  series_key: string | null;
  public_id: string | null;
  is_active: boolean;
  created_ms: number;
  revision: number;
  config: Config;
  template_node_id: string | null;
  instance_id: string | null;
};

export const NODE_COLUMNS = `n.node_id, n.owner_id, n.workspace_id, n.parent_id, n.class, n.name, n.custom_id, n.series_key,
  n.public_id, n.is_active, n.created_ms, n.revision, n.config, n.template_node_id, n.instance_id`;

export const toNode = (row: NodeRow): StoredNode => ({
  nodeId: row.node_id,
  ownerId: row.owner_id,
  workspaceId: row.workspace_id,
  parentId: row.parent_id,
  class: row.class,
  name: row.name,
  customId: row.custom_id,
  seriesKey: row.series_key,
  publicId: row.public_id,
  isActive: row.is_active,
  createdMs: row.created_ms,
  revision: row.revision,
  config: row.config,
  templateNodeId: row.template_node_id,
  instanceId: row.instance_id,
});
