import {
  type ApiCaller,
  checkModify,
  checkPermission,
  checkRevision,
  type RevisionMatch,
  scopeOf,
} from '@catchment/access';
import { notPermitted } from '@catchment/errors';
import { lockOwner } from '../../changes/index.ts';
import { invalidAttribute } from '../../domain/body/rule.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { findNode, removeBranches } from '../../nodes/index.ts';
import { dropLostAccess } from '../../rights/index.ts';
import { propagateNow, type TemplateDeps, templateChanged } from '../../templates/index.ts';
import type { GoneTemplates } from './ports.ts';

/**
 * Deletes a node with all below it (docs/reference/node-tree.md#delete). A node of a template goes in all instances too, a
 * template with all its instances.
 * @throws DomainError invalid_argument for the root of the templates and for nodes that follow a template
 */
export async function deleteNode(
  { forgetTemplate }: GoneTemplates,
  deps: TemplateDeps,
  caller: ApiCaller,
  nodeRef: string,
  ifMatch?: RevisionMatch,
): Promise<void> {
  checkModify(caller);
  const { ownerId, username } = caller;
  const cause = { timeMs: deps.now(), username };
  const isDue = await deps.database.transaction(async (tx) => {
    await lockOwner(tx, ownerId);
    const node = await findNode(tx, scopeOf(caller), nodeRef);
    checkPermission(caller, node.workspaceId, 'CONFIGURE');
    if (node.class === 'Workspace' && caller.rights) throw notPermitted();
    checkRevision('node', node.revision, ifMatch);
    checkDeletable(node);
    const due = await templateChanged(tx, node, cause);
    await removeBranches(tx, ownerId, [node], cause);
    await forgetTemplate(tx, node.nodeId);
    // Its users may have had access to nothing else.
    if (node.class === 'Workspace') await dropLostAccess(tx, [ownerId], cause);
    return due;
  });
  if (isDue) await propagateNow(deps, ownerId);
}

function checkDeletable(node: StoredNode): void {
  if (node.class === 'Templates') throw invalidAttribute('id', 'the root of the templates cannot be deleted');
  if (node.instanceId !== null && node.instanceId !== node.nodeId)
    throw invalidAttribute('id', 'the node follows a template: delete it there, or unlink the instance');
}
