import { type ApiCaller, checkModify, checkPermission, isUnlimited, scopeOf } from '@catchment/access';
import { DomainError, notPermitted } from '@catchment/errors';
import { newObjectId, newPublicId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { lockOwner } from '../../changes/index.ts';
import { newPushKey } from '../../copies/index.ts';
import { generateName } from '../../domain/body/names.ts';
import { invalidAttribute, isJsonObject, type JsonObject } from '../../domain/body/rule.ts';
import { blankSettings, changeSettings } from '../../domain/classes/change-settings.ts';
import { classToCreate } from '../../domain/classes/class-table.ts';
import { checkContainment, MAX_NODES_PER_ACCOUNT } from '../../domain/classes/containment.ts';
import { checkKnownAttributes } from '../../domain/classes/known-attributes.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import { isControl, isRoot, type NodeClass } from '../../domain/classes/node-class.ts';
import { announceCreated, countNodes, findParent, insertNodes, type NewNode, namingUnique } from '../../nodes/index.ts';
import { checkInstances, propagateNow, type TemplateDeps, templateChanged, templateOf } from '../../templates/index.ts';
import { checkSourceLimit } from '../../usage/index.ts';
import { type ViewedNode, viewedNode } from '../../views/index.ts';
import { namesUnder } from '../store/tree-query.ts';
import { checkDevice } from './check-device.ts';
import { claimStation } from './claim-station.ts';
import type { Refusals } from './ports.ts';
import { checkRoomForParameter, readParentId } from './read-parent.ts';
import { ruleContext } from './rule-context.ts';

/**
 * Makes a node of any class under a parent that may contain it; the body takes every updatable attribute. A node that
 * is made in a template is made in all its instances.
 * @throws DomainError invalid_argument naming the attribute, not_found and permission_denied for the parent
 */
export async function createNode(
  refusals: Refusals,
  deps: TemplateDeps,
  caller: ApiCaller,
  body: JsonObject,
): Promise<ViewedNode> {
  checkModify(caller);
  const cls = classToCreate(body._class, deps.names);
  if (isRoot(cls) && !isUnlimited(caller)) throw notPermitted();
  checkKnownAttributes(body);
  if (isControl(cls) && (body.controlValue ?? null) !== null)
    throw invalidAttribute('controlValue', 'can be given once the parameter is there');
  if (body.name === undefined && cls.kind !== 'templates') throw invalidAttribute('name', 'is required');
  return makeNode(refusals, deps, caller, { cls, body: withNewStates(body), wantedName: 'Templates' });
}

/** A new node has no states yet: ids in the states of its body, copied from another node, are dropped. */
function withNewStates(body: JsonObject): JsonObject {
  if (!Array.isArray(body.states)) return body;
  const states = body.states.map((state: unknown) => {
    if (!isJsonObject(state)) return state;
    const { _id, ...rest } = state;
    return rest;
  });
  return { ...body, states };
}

type Making = {
  readonly cls: NodeClass;
  readonly body: JsonObject;
  /** The name starts from this when the body gives none. */
  readonly wantedName: string;
  /** Settings that no body gives. */
  readonly config?: Config;
  /** Done in the same transaction. */
  readonly within?: (tx: Queryable, node: NewNode, parent: StoredNode | undefined) => Promise<void>;
};

/** Makes a node of a class that the caller may make. @throws DomainError as `createNode` does */
export async function makeNode(
  refusals: Refusals,
  deps: TemplateDeps,
  caller: ApiCaller,
  { cls, body, wantedName, config, within }: Making,
): Promise<ViewedNode> {
  const nowMs = deps.now();
  let isDue = false;
  const made = await namingUnique(() =>
    deps.database.transaction(async (tx) => {
      const owner = await lockOwner(tx, caller.ownerId);
      const { parent, line } = await checkedParent(tx, caller, cls, body.parentId);
      if (parent) checkPermission(caller, parent.workspaceId, 'CONFIGURE');
      if ((await countNodes(tx, caller.ownerId)) >= MAX_NODES_PER_ACCOUNT)
        throw invalidAttribute('parentId', `an account may have at most ${MAX_NODES_PER_ACCOUNT} nodes`);
      const blank = blankSettings(cls, newObjectId);
      const subject = { cls, workspaceId: parent?.workspaceId, config: blank.config };
      const context = await ruleContext(tx, scopeOf(caller), owner.categories, subject, body);
      const change = { names: deps.names, context, newPublicId, newPushKey, nowMs };
      const named = body.name === undefined ? { ...body, name: await freeName(tx, caller, parent, wantedName) } : body;
      const { settings } = changeSettings(cls, blank, named, change);
      const nodeId = newObjectId(nowMs);
      const node: NewNode = {
        ...settings,
        config: { ...settings.config, ...config },
        nodeId,
        ownerId: caller.ownerId,
        workspaceId: parent?.workspaceId ?? nodeId,
        parentId: parent?.nodeId ?? null,
        class: cls.name,
        isActive: true,
        createdMs: nowMs,
      };
      await checkDevice(tx, node);
      const refusal = await claimStation(refusals, tx, deps, {
        ownerId: caller.ownerId,
        before: {},
        after: node.config,
        body,
      });
      if (refusal) return refusal;
      const templateId = parent && (await templateOf(tx, parent));
      if (templateId !== undefined) await checkInstances(tx, caller.ownerId, templateId, [node], line.length);
      await insertNodes(tx, [node]);
      await checkSourceLimit(tx, caller.ownerId, [node]);
      await within?.(tx, node, parent);
      const cause = { timeMs: nowMs, username: caller.username };
      await announceCreated({ tx, deps, cause }, caller.ownerId, [node]);
      isDue = parent !== undefined && (await templateChanged(tx, parent, cause));
      return viewedNode(tx, nodeId);
    }),
  );
  if (made instanceof DomainError) throw made;
  if (isDue) await propagateNow(deps, caller.ownerId);
  return made;
}

/** A name of the platform's own (docs/reference/node-tree.md#names). */
const freeName = async (
  tx: Queryable,
  { ownerId }: ApiCaller,
  parent: StoredNode | undefined,
  wantedName: string,
): Promise<string> => generateName(wantedName, await namesUnder(tx, ownerId, parent?.nodeId ?? null));

async function checkedParent(tx: Queryable, caller: ApiCaller, cls: NodeClass, parentId: unknown) {
  if (parentId === undefined || parentId === null || parentId === '') {
    checkContainment(cls.kind, []);
    return { parent: undefined, line: [] };
  }
  const { node, line } = await findParent(tx, scopeOf(caller), readParentId(parentId));
  checkContainment(cls.kind, line);
  if (cls.kind === 'parameter') await checkRoomForParameter(tx, node);
  return { parent: node, line };
}
