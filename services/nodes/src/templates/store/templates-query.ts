import type { Queryable } from '@catchment/pg';
import type { StoredNode } from '../../domain/classes/node.ts';
import { NODE_COLUMNS, type NodeRow, toNode } from '../../nodes/index.ts';
import type { MetadataEntry } from '../domain/instance-config.ts';

/** Reads the id of the account's node of class Templates. */
export async function templatesRootOf(on: Queryable, ownerId: string): Promise<string | undefined> {
  const { rows } = await on.query<{ node_id: string }>(
    `SELECT node_id FROM nodes WHERE owner_id = $1 AND class = 'Templates'`,
    [ownerId],
    'templates-root',
  );
  return rows[0]?.node_id;
}

/** The template has had instances. */
export type Template = {
  readonly templateId: string;
  readonly ownerId: string;
  readonly revision: number;
  /** This user made the last change. */
  readonly username: string;
};

type TemplateRow = { template_id: string; owner_id: string; revision: number; username: string };

const toTemplate = (row: TemplateRow): Template => ({
  templateId: row.template_id,
  ownerId: row.owner_id,
  revision: row.revision,
  username: row.username,
});

const TEMPLATE = 'template_id, owner_id, revision, username';

/** Reads templates whose instances are to follow by now, of one account or of all, longest due first. */
export async function dueTemplates(on: Queryable, nowMs: number, ownerId?: string): Promise<Template[]> {
  const { rows } = await on.query<TemplateRow>(
    `SELECT ${TEMPLATE} FROM templates
     WHERE due_ms <= $1 AND ($2::text IS NULL OR owner_id = $2) ORDER BY due_ms, template_id LIMIT 100`,
    [nowMs, ownerId ?? null],
    'due-templates',
  );
  return rows.map(toTemplate);
}

export async function findTemplate(on: Queryable, templateId: string): Promise<Template | undefined> {
  const { rows } = await on.query<TemplateRow>(
    `SELECT ${TEMPLATE} FROM templates WHERE template_id = $1`,
    [templateId],
    'template',
  );
  return rows[0] && toTemplate(rows[0]);
}

export type InstanceRow = {
  readonly instanceId: string;
  readonly templateId: string;
  readonly revision: number;
  /** Given when it was made. */
  readonly metadata: readonly MetadataEntry[];
};

type StoredInstance = { instance_id: string; template_id: string; revision: number; metadata: MetadataEntry[] };

const toInstance = (row: StoredInstance): InstanceRow => ({
  instanceId: row.instance_id,
  templateId: row.template_id,
  revision: row.revision,
  metadata: row.metadata,
});

/** Reads instances of a template that have not followed its last change yet, a few at a time. */
export async function behindInstances(
  on: Queryable,
  { templateId, revision }: Template,
  limit: number,
  except: readonly string[],
): Promise<InstanceRow[]> {
  const { rows } = await on.query<StoredInstance>(
    `SELECT instance_id, template_id, revision, metadata FROM instances
     WHERE template_id = $1 AND revision < $2 AND NOT instance_id = ANY($4)
     ORDER BY revision, instance_id LIMIT $3`,
    [templateId, revision, limit, except],
    'behind-instances',
  );
  return rows.map(toInstance);
}

export async function findInstances(on: Queryable, instanceIds: readonly string[]): Promise<InstanceRow[]> {
  const { rows } = await on.query<StoredInstance>(
    `SELECT instance_id, template_id, revision, metadata FROM instances WHERE instance_id = ANY($1)`,
    [instanceIds],
    'instances',
  );
  return rows.map(toInstance);
}

/**
 * Reads all nodes in instances, by root: their own nodes, nodes added under them, and the roots of other instances among
 * that, whose nodes are left out.
 */
export async function instanceBranches(on: Queryable, rootIds: readonly string[]): Promise<Map<string, StoredNode[]>> {
  const { rows } = await on.query<NodeRow & { root_id: string }>(
    `WITH RECURSIVE branch AS (
       SELECT node_id AS root_id, node_id, instance_id FROM nodes WHERE node_id = ANY($1)
       UNION ALL
       SELECT branch.root_id, c.node_id, c.instance_id FROM branch JOIN nodes c ON c.parent_id = branch.node_id
       WHERE branch.instance_id IS NULL OR branch.instance_id = branch.root_id
     ) SELECT branch.root_id, ${NODE_COLUMNS} FROM branch JOIN nodes n USING (node_id)`,
    [rootIds],
    'instance-branches',
  );
  const branches = new Map<string, StoredNode[]>();
  for (const row of rows) {
    const branch = branches.get(row.root_id);
    if (branch) branch.push(toNode(row));
    else branches.set(row.root_id, [toNode(row)]);
  }
  return branches;
}
