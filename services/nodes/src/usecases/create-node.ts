import { notPermitted } from '@catchment/errors';
import { type ApiCaller, checkModify, scopeOf } from '@catchment/grpc';
import { newObjectId, newPublicId } from '@catchment/ids';
import { appendOutbox, type Queryable } from '@catchment/pg';
import { eventRecorded, nodeChanged } from '../bus/messages.ts';
import { blankSettings, changeSettings } from '../domain/change-settings.ts';
import { checkContainment, MAX_NODES_PER_ACCOUNT } from '../domain/containment.ts';
import { classToCreate, type NodeClass } from '../domain/node-class.ts';
import { createdMessage } from '../domain/node-event.ts';
import { newPushKey } from '../domain/push-key.ts';
import { invalidAttribute, type JsonObject } from '../domain/rule.ts';
import { touchOwners } from '../store/node-rows.ts';
import { nodeConfigs } from '../store/pg-node-configs.ts';
import { viewedNode } from '../store/pg-node-views.ts';
import { countNodes, insertNodes, lockOwner, type NewNode } from '../store/pg-nodes.ts';
import type { ViewedNode } from '../view/node-view.ts';
import { checkDevice } from './check-device.ts';
import { checkSourceLimit } from './check-source-limit.ts';
import type { Deps } from './deps.ts';
import { checkRoomForParameter, findParent, readParentId } from './new-parent.ts';
import { ruleContext } from './rule-context.ts';
import { namingUnique } from './unique-names.ts';

/**
 * Makes a node of any class under a parent that may contain it; the body takes every updatable attribute.
 * @throws DomainError invalid_argument naming the attribute, not_found and permission_denied for the parent
 */
export async function createNode(deps: Deps, caller: ApiCaller, body: JsonObject): Promise<ViewedNode> {
  checkModify(caller);
  const cls = classToCreate(body._class, deps.names);
  if (cls.kind === 'workspace' && caller.workspaceIds) throw notPermitted();
  if (body.name === undefined) throw invalidAttribute('name', 'is required');
  const nowMs = deps.now();
  return namingUnique(() =>
    deps.database.transaction(async (tx) => {
      const owner = await lockOwner(tx, caller.ownerId);
      const parent = await checkedParent(tx, caller, cls, body.parentId);
      if ((await countNodes(tx, caller.ownerId)) >= MAX_NODES_PER_ACCOUNT)
        throw invalidAttribute('parentId', `an account may have at most ${MAX_NODES_PER_ACCOUNT} nodes`);
      const blank = blankSettings(cls, newObjectId);
      const subject = { cls, workspaceId: parent?.workspaceId, config: blank.config };
      const context = await ruleContext(tx, scopeOf(caller), owner.categories, subject, body);
      const change = { names: deps.names, context, newId: newObjectId, newPublicId, newPushKey, nowMs };
      const { settings } = changeSettings(cls, blank, body, change);
      const nodeId = newObjectId(nowMs);
      const node: NewNode = {
        ...settings,
        nodeId,
        ownerId: caller.ownerId,
        workspaceId: parent?.workspaceId ?? nodeId,
        parentId: parent?.nodeId ?? null,
        class: cls.name,
        isActive: true,
        createdMs: nowMs,
      };
      await checkDevice(tx, nodeId, node.workspaceId, node.config);
      await insertNodes(tx, [node]);
      await checkSourceLimit(tx, caller.ownerId, [node]);
      await announceCreated(tx, deps, caller.ownerId, [node], { timeMs: nowMs, username: caller.username });
      return viewedNode(tx, nodeId) as Promise<ViewedNode>;
    }),
  );
}

async function checkedParent(tx: Queryable, caller: ApiCaller, cls: NodeClass, parentId: unknown) {
  if (parentId === undefined || parentId === null || parentId === '') {
    checkContainment(cls.kind, []);
    return undefined;
  }
  const { node, line } = await findParent(tx, scopeOf(caller), readParentId(parentId));
  checkContainment(cls.kind, line);
  if (cls.kind === 'parameter') await checkRoomForParameter(tx, node);
  return node;
}

/** Everything that follows new nodes, in their transaction: events, messages, the list's revision. */
export async function announceCreated(
  tx: Queryable,
  deps: Pick<Deps, 'names'>,
  ownerId: string,
  nodes: readonly NewNode[],
  cause: { timeMs: number; username: string },
): Promise<void> {
  const configs = await nodeConfigs(
    tx,
    nodes.map(({ nodeId }) => nodeId),
    deps.names,
  );
  const messages = nodes.flatMap((node) => {
    const config = configs.get(node.nodeId);
    const event = eventRecorded(ownerId, {
      nodeId: node.nodeId,
      workspaceId: node.workspaceId,
      nodeClass: node.class,
      level: 'INFO',
      eventType: 'CONFIGURATION',
      message: createdMessage(node.name),
      ...cause,
    });
    return config ? [nodeChanged(config, true, cause), event] : [event];
  });
  await appendOutbox(tx, messages);
  await touchOwners(tx, [ownerId], 'configuration');
}
