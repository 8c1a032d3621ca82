import { newObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import type { Cause } from '../../changes/index.ts';
import { type CloneDeps, cloneConfig, mergeMetadata } from '../../copies/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import type { Parent } from '../../nodes/index.ts';
import { instanceConfig, type MetadataEntry } from '../domain/instance-config.ts';
import { findInstances, findTemplate, templatesRootOf } from '../store/templates-query.ts';
import type { TemplateDeps } from './deps.ts';
import { followTemplate } from './follow-template.ts';
import type { InstanceStore } from './ports.ts';
import { checkInstances } from './template-change.ts';

/** A copy becomes this: an instance of the template that is copied, (part of) a template, or ordinary nodes. */
export type Purpose = 'instance' | 'template' | 'nodes';

/**
 * Returns the purpose of copying a branch to a place (docs/reference/templates.md#instances), and whether it is allowed there.
 * @throws DomainError invalid_argument
 */
export async function purposeOf(
  tx: Queryable,
  branch: readonly StoredNode[],
  parent: Parent | undefined,
): Promise<Purpose> {
  const root = branch[0];
  if (!root || !parent) return 'nodes';
  const templatesRoot = await templatesRootOf(tx, root.ownerId);
  if (templatesRoot === undefined) return 'nodes';
  const templateId = parent.line[1]?.nodeId;
  if (parent.node.workspaceId === templatesRoot) {
    if (templateId !== undefined) {
      const lowest = parent.line.length - 1 + depthOf(branch);
      await checkInstances(tx, root.ownerId, templateId, branch, lowest);
    }
    return 'template';
  }
  if (root.parentId !== templatesRoot) return 'nodes';
  checkInstancePlace(parent);
  return 'instance';
}

/**
 * Checks that an instance may be put there (docs/reference/node-tree.md#containment).
 * @throws DomainError invalid_argument
 */
export function checkInstancePlace({ line }: Parent): void {
  const isFit = ['workspace', 'group'].includes(line.at(-1)?.kind ?? '');
  if (!isFit || line.some(({ kind }) => kind === 'location'))
    throw invalidAttribute('parentId', 'an instance lies directly under a Workspace, or a Group outside Locations');
}

/** Levels of a branch. @param branch parents before their children */
export function depthOf(branch: readonly Pick<StoredNode, 'nodeId' | 'parentId'>[]): number {
  const depths = new Map<string, number>();
  for (const node of branch) depths.set(node.nodeId, (depths.get(node.parentId ?? '') ?? 0) + 1);
  return Math.max(...depths.values());
}

/** The configuration of a copy. */
export function copiedConfig(
  node: StoredNode,
  copyId: string,
  purpose: Purpose,
  deps: Omit<CloneDeps, 'stateId'> & { readonly nowMs: number },
): Config {
  if (purpose === 'instance') return instanceConfig(node, undefined, { ...deps, nodeId: copyId });
  const newStation = purpose === 'template' ? undefined : deps.newPushKey;
  const { overrides, ...config } = cloneConfig(node, { ...deps, newStation, stateId: () => newObjectId() });
  return (purpose === 'template' && overrides ? { ...config, overrides } : config) as Config;
}

/** Returns the template that a copy follows: the copied one, or that of the original when its whole instance is copied. */
export function linksOf(
  node: StoredNode,
  ids: ReadonlyMap<string, string>,
  purpose: Purpose,
): Pick<StoredNode, 'templateNodeId' | 'instanceId'> {
  const rootId = ids.values().next().value ?? null;
  if (purpose === 'instance') return { templateNodeId: node.nodeId, instanceId: rootId };
  const instanceId = purpose === 'nodes' ? ids.get(node.instanceId ?? '') : undefined;
  return instanceId === undefined
    ? { templateNodeId: null, instanceId: null }
    : { templateNodeId: node.templateNodeId, instanceId };
}

type Copied = {
  readonly branch: readonly StoredNode[];
  readonly ids: ReadonlyMap<string, string>;
  readonly purpose: Purpose;
  /** Metadata of the request's body. */
  readonly metadata: readonly MetadataEntry[];
  readonly cause: Cause;
};

/** Records the instances among the copies. Their nodes have not been announced yet. */
export async function linkInstances(
  store: InstanceStore,
  tx: Queryable,
  deps: TemplateDeps,
  copied: Copied,
): Promise<void> {
  const { branch, ids, purpose, metadata, cause } = copied;
  const root = branch[0];
  if (!root) return;
  if (purpose === 'instance') {
    await store.ensureTemplate(tx, { templateId: root.nodeId, ownerId: root.ownerId, username: cause.username });
    const revision = (await findTemplate(tx, root.nodeId))?.revision ?? 0;
    const made = { instanceId: ids.get(root.nodeId)!, templateId: root.nodeId, revision, metadata };
    await store.insertInstances(tx, [made]);
  }
  const roots = branch.filter((node) => node.instanceId === node.nodeId).map((node) => node.nodeId);
  if (purpose !== 'nodes' || roots.length === 0) return;
  const rows = (await findInstances(tx, roots)).map((row) => ({
    ...row,
    instanceId: ids.get(row.instanceId)!,
    metadata: row.instanceId === root.nodeId ? mergeMetadata(row.metadata, metadata) : row.metadata,
  }));
  await store.insertInstances(tx, rows);
  // Ids of states are made of those of the nodes.
  for (const [templateId, instances] of Map.groupBy(rows, (row) => row.templateId)) {
    const template = await findTemplate(tx, templateId);
    if (template) await followTemplate(store, { tx, deps, cause }, template, instances, { quietly: true });
  }
}
