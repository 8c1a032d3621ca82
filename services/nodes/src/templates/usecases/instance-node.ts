import type { Scope } from '@catchment/access';
import type { Queryable } from '@catchment/pg';
import { invalidAttribute } from '../../domain/body/rule.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { OWN_ATTRIBUTES } from '../../domain/classes/overrides.ts';
import { findNode, type NodeChange, nodesById } from '../../nodes/index.ts';
import { overriddenIn } from '../domain/instance-config.ts';
import { bringUpToDate } from './follow-template.ts';
import type { InstanceStore } from './ports.ts';

/** Finds the node that a reference names; one of an instance as its template is by now. @throws DomainError not_found, permission_denied */
export async function findCurrent(
  store: InstanceStore,
  { tx, deps, cause }: NodeChange,
  scope: Scope,
  nodeRef: string,
): Promise<StoredNode> {
  const node = await findNode(tx, scope, nodeRef);
  if (node.instanceId === null) return node;
  await bringUpToDate(store, tx, deps, [node.instanceId], cause.timeMs);
  return findNode(tx, scope, node.nodeId);
}

/**
 * Attributes of instances are locked to the template, but those that its node lists in `overrides`, the name of the root, and
 * what belongs to each node alone (docs/reference/templates.md#locked-attributes).
 * @throws DomainError invalid_argument naming the first locked one
 */
export async function checkUnlocked(tx: Queryable, node: StoredNode, changed: readonly string[]): Promise<void> {
  const [template] = await nodesById(tx, node.ownerId, [node.templateNodeId ?? '']);
  const overridden = template ? overriddenIn(template) : new Set<string>();
  const isRoot = node.instanceId === node.nodeId;
  const locked = changed.find(
    (name) => !OWN_ATTRIBUTES.has(name) && !overridden.has(name) && !(isRoot && name === 'name'),
  );
  if (locked !== undefined)
    throw invalidAttribute(locked, 'is locked to the template, whose node does not list it in overrides');
}
