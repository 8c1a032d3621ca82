import {
  type ApiCaller,
  checkModify,
  checkPermission,
  checkRevision,
  may,
  type RevisionMatch,
  scopeOf,
} from '@catchment/access';
import { appendOutbox, type Queryable } from '@catchment/pg';
import { lockOwner, nodeEvent } from '../../changes/index.ts';
import { type Watch, watchMove } from '../../dependents/index.ts';
import type { JsonObject } from '../../domain/body/rule.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import {
  announceConfigs,
  findParent,
  movedMessage,
  type NodeChange,
  namingUnique,
  nodeConfigs,
  type Parent,
} from '../../nodes/index.ts';
import { dropLostAccess } from '../../rights/index.ts';
import {
  checkInstancePlace,
  checkInstances,
  depthOf,
  findCurrent,
  type TemplateDeps,
  templateChanged,
  templateOf,
} from '../../templates/index.ts';
import { viewedNode } from '../../views/index.ts';
import { checkMove, templateOfMove } from '../domain/move.ts';
import { type BranchNode, branchByDepth } from '../store/tree-query.ts';
import { checkDeviceOf } from './check-device.ts';
import type { Places } from './ports.ts';
import { readParentId } from './read-parent.ts';
import { type Changed, settled } from './settled.ts';

type Move = { readonly nodeRef: string; readonly body: JsonObject; readonly ifMatch: RevisionMatch | undefined };

/**
 * Puts a node with all below it under another parent of the account. Ids stay, so records, events and references do too; a
 * parameter stays with its source, whose id chooses the partition of its records.
 * @throws DomainError invalid_argument, not_found, permission_denied, changed
 */
export async function moveNode(
  places: Places,
  deps: TemplateDeps,
  caller: ApiCaller,
  { nodeRef, body, ifMatch }: Move,
): Promise<Changed> {
  checkModify(caller);
  const cause = { timeMs: deps.now(), username: caller.username };
  let isDue = false;
  let watch: Watch | undefined;
  const node = await namingUnique(() =>
    deps.database.transaction(async (tx) => {
      await lockOwner(tx, caller.ownerId);
      const change = { tx, deps, cause };
      const node = await findCurrent(change, scopeOf(caller), nodeRef);
      // A caller who may not change the node hears of a parent that does not exist first, as of any other.
      if (may(caller, node.workspaceId, 'CONFIGURE')) checkRevision('node', node.revision, ifMatch);
      const parent = await findParent(tx, scopeOf(caller), readParentId(body.parentId));
      for (const { workspaceId } of [node, parent.node]) checkPermission(caller, workspaceId, 'CONFIGURE');
      if (parent.node.nodeId !== node.parentId) {
        watch = await watchMove(tx, scopeOf(caller), node, parent.node);
        await move(places, change, node, parent);
        isDue = await templateChanged(tx, parent.node, cause);
      }
      return viewedNode(tx, node.nodeId);
    }),
  );
  return { node, warnings: await settled(deps, caller.ownerId, { isDue, watch }) };
}

async function move(
  { rememberPlaces, setParent, setWorkspace, touchOwners }: Places,
  change: NodeChange,
  node: StoredNode,
  parent: Parent,
): Promise<void> {
  const { tx, deps, cause } = change;
  const branch = await branchByDepth(tx, node.nodeId);
  checkMove(node, branch, parent.line);
  await checkTemplates(tx, node, branch, parent);
  const before = await nodeConfigs(tx, [node.nodeId], deps.names);
  await rememberPlaces(
    tx,
    branch.map(({ nodeId }) => nodeId),
  );
  await setParent(tx, node.nodeId, parent.node.nodeId);
  await announceConfigs(
    change,
    branch.map(({ nodeId }) => nodeId),
    (on, ids) => setWorkspace(on, ids, parent.node.workspaceId),
  );
  const { ownerId, workspaceId } = parent.node;
  if (workspaceId !== node.workspaceId)
    for (const { nodeId, deviceId } of branch)
      if (deviceId) await checkDeviceOf(tx, { nodeId, ownerId, workspaceId }, deviceId, 'parentId');
  const after = await nodeConfigs(tx, [node.nodeId], deps.names);
  const pathIn = (configs: typeof after) => configs.get(node.nodeId)?.path ?? '';
  const moved = { ...node, workspaceId };
  await appendOutbox(tx, [nodeEvent(moved, movedMessage(pathIn(before), pathIn(after)), cause)]);
  // The new place may be closed to users who could see the node in the old one.
  await dropLostAccess(tx, [node.ownerId], cause);
  await touchOwners(tx, [node.ownerId], 'configuration');
}

/** Instances have room for what moves in their template, and lie where they may be made. @throws DomainError invalid_argument */
async function checkTemplates(tx: Queryable, node: StoredNode, branch: readonly BranchNode[], parent: Parent) {
  const [from, to] = [await templateOf(tx, node), await templateOf(tx, parent.node)];
  const templateId = templateOfMove(node, { from, to, parentClass: parent.node.class });
  if (templateId !== undefined)
    await checkInstances(tx, node.ownerId, templateId, [], parent.line.length - 1 + depthOf(branch));
  else if (branch.some(({ isInstance }) => isInstance)) checkInstancePlace(parent);
}
