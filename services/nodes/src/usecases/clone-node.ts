import { invalid, notPermitted, tooLarge } from '@catchment/errors';
import { type ApiCaller, checkModify, scopeOf } from '@catchment/grpc';
import { newObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { parseAttr } from '@catchment/query';
import { METADATA } from '../domain/attributes.ts';
import { cloneConfig, mergeMetadata, relinkCode } from '../domain/clone.ts';
import { checkBranchContainment, MAX_NODES_PER_ACCOUNT } from '../domain/containment.ts';
import { generateName, readName } from '../domain/names.ts';
import type { Config, StoredNode } from '../domain/node.ts';
import { nodeClass } from '../domain/node-class.ts';
import { newPushKey } from '../domain/push-key.ts';
import { invalidAttribute, type JsonObject, readValue } from '../domain/rule.ts';
import { linesOf, namesUnder, type Step, wholeBranch } from '../store/pg-branch.ts';
import { viewedNodes } from '../store/pg-node-views.ts';
import { childrenOf, countNodes, findNode, insertNodes, lockOwner, type NewNode } from '../store/pg-nodes.ts';
import { readOwner } from '../store/pg-owners.ts';
import type { ViewedNode } from '../view/node-view.ts';
import { checkSourceLimit } from './check-source-limit.ts';
import { announceCreated } from './create-node.ts';
import type { Deps } from './deps.ts';
import { nested, pieces, shown } from './list-nodes.ts';
import { checkRoomForParameter, findParent, type Parent, readParentId } from './new-parent.ts';
import { relinking } from './relink.ts';
import { namingUnique } from './unique-names.ts';

const MAX_NODES = 5_000;
/** Nodes stored and announced in one go. */
const BATCH = 500;

type Entry = { readonly name: string; readonly value: unknown };

/**
 * Copies a node with all below it, all or nothing (semantics 4.7), and answers the copies: LIST with the new root first,
 * depth first; TREE as an array with one root. The copies are stored before the first piece comes.
 * @throws DomainError invalid_argument, permission_denied (TRIAL; a Workspace with a limited key), not_found, too_large
 */
export async function* cloneNode(
  deps: Deps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
  options: { readonly attr: string; readonly type: string },
): AsyncGenerator<string> {
  checkModify(caller);
  if ((await readOwner(deps.database, caller.ownerId)).account_type === 'TRIAL') throw notPermitted();
  const selector = options.attr === '' ? undefined : parseAttr(options.attr);
  const type = (options.type || 'LIST').toUpperCase();
  if (type !== 'LIST' && type !== 'TREE') throw invalid('INVALID_ARGUMENT', 'type: must be LIST or TREE');
  const given = readBody(body);
  const made = await namingUnique(() =>
    deps.database.transaction(async (tx) => {
      await lockOwner(tx, caller.ownerId);
      return clone(tx, deps, caller, nodeRef, given);
    }),
  );
  const nodes = await inOrder(deps, made);
  if (type === 'TREE') yield* pieces(JSON.stringify(nested(nodes, nodes[0]?.parentId ?? null, deps, selector)));
  else yield* pieces(JSON.stringify(nodes.map((node) => shown(node, deps, deps.now(), selector))));
}

type Given = { readonly parentId: unknown; readonly name: string | undefined; readonly metadata: readonly Entry[] };

function readBody({ parentId, name, metadata }: JsonObject): Given {
  const rule = METADATA.metadata?.rule;
  const isGiven = metadata !== undefined && metadata !== null && rule;
  const context = { hasCategory: () => false, findNode: () => undefined };
  return {
    parentId,
    name: name === undefined || name === null ? undefined : readName(name),
    metadata: isGiven ? (readValue(rule, metadata, 'metadata', context) as Entry[]) : [],
  };
}

async function clone(tx: Queryable, deps: Deps, caller: ApiCaller, nodeRef: string, given: Given): Promise<string[]> {
  const original = await findNode(tx, scopeOf(caller), nodeRef);
  const isWorkspace = nodeClass(original.class).kind === 'workspace';
  if (isWorkspace && caller.workspaceIds) throw notPermitted();
  const parent = isWorkspace ? undefined : await findParent(tx, scopeOf(caller), readParentId(given.parentId));
  const branch = await wholeBranch(tx, original.nodeId, MAX_NODES + 1);
  if (branch.length > MAX_NODES)
    throw tooLarge(`Request or response too large: a clone must have at most ${MAX_NODES} nodes`);
  await checkPlace(tx, branch, parent);
  const nodes = await copies(tx, branch, parent, given, deps.now());
  for (let from = 0; from < nodes.length; from += BATCH) {
    const part = nodes.slice(from, from + BATCH);
    await insertNodes(tx, part);
    await announceCreated(tx, deps, caller.ownerId, part, { timeMs: deps.now(), username: caller.username });
  }
  await checkSourceLimit(tx, caller.ownerId, nodes);
  return nodes.map(({ nodeId }) => nodeId);
}

/** @throws DomainError invalid_argument */
async function checkPlace(tx: Queryable, branch: readonly StoredNode[], parent: Parent | undefined): Promise<void> {
  const root = branch[0];
  if (!root) return;
  if (parent?.line.some(({ nodeId }) => nodeId === root.nodeId))
    throw invalidAttribute('parentId', 'must not be the node itself or lie below it');
  const kinds = branch.map((one) => ({
    nodeId: one.nodeId,
    parentId: one.parentId,
    kind: nodeClass(one.class).kind,
  }));
  checkBranchContainment(kinds, parent?.line ?? []);
  if (parent && kinds[0]?.kind === 'parameter') await checkRoomForParameter(tx, parent.node);
  if ((await countNodes(tx, root.ownerId)) + branch.length > MAX_NODES_PER_ACCOUNT)
    throw invalidAttribute('parentId', `an account may have at most ${MAX_NODES_PER_ACCOUNT} nodes`);
}

async function copies(
  tx: Queryable,
  branch: readonly StoredNode[],
  parent: Parent | undefined,
  given: Given,
  nowMs: number,
): Promise<NewNode[]> {
  const ids = new Map(branch.map(({ nodeId }) => [nodeId, newObjectId(nowMs)]));
  const root = branch[0]!;
  const rootId = ids.get(root.nodeId)!;
  const workspaceId = parent?.node.workspaceId ?? rootId;
  const lines = await linesOf(tx, root.ownerId, [root.nodeId, ...(parent ? [parent.node.nodeId] : [])]);
  const from = (lines.get(root.nodeId) ?? []).slice(0, -1);
  const to = (parent && lines.get(parent.node.nodeId)) ?? [];
  const relink = await relinking(tx, branch, ids, { from, to, workspaceId });
  const name = given.name ?? generateName(root.name, await namesUnder(tx, root.ownerId, parent?.node.nodeId ?? null));
  const paths = { from: pathOf(from, root.name), to: pathOf(to, name) };
  const customIds = new Map(branch.flatMap((one) => (one.customId === null ? [] : [[`@${one.customId}`, one.nodeId]])));
  const copyOf = (reference: string) => ids.get(customIds.get(reference) ?? reference);
  const deps = {
    relink,
    relinkCode: (code: string) => relinkCode(code, copyOf, paths),
    newId: newObjectId,
    newPushKey,
  };
  const made = branch.map((node): NewNode => {
    const isRoot = node === root;
    return {
      nodeId: ids.get(node.nodeId)!,
      ownerId: node.ownerId,
      workspaceId,
      parentId: isRoot ? (parent?.node.nodeId ?? null) : ids.get(node.parentId!)!,
      class: node.class,
      name: isRoot ? name : node.name,
      customId: null,
      publicId: null,
      seriesKey: node.seriesKey,
      isActive: node.isActive,
      createdMs: nowMs,
      config: cloneConfig(node, deps),
    };
  });
  return [await fitRoot(tx, made[0]!, given, parent), ...made.slice(1)];
}

const pathOf = (line: readonly Step[], name: string): string =>
  `/${[...line.map((step) => step.name), name].join('/')}`;

/** The new root with the metadata of the body, and without a series key that its new siblings have. */
async function fitRoot(
  tx: Queryable,
  root: NewNode,
  { metadata }: Given,
  parent: Parent | undefined,
): Promise<NewNode> {
  const own = (root.config.metadata ?? []) as readonly Entry[];
  const merged = mergeMetadata(own, metadata);
  if (merged.length > 100) throw invalidAttribute('metadata', 'must have at most 100 entries');
  const config: Config = merged.length > 0 ? { ...root.config, metadata: merged } : root.config;
  const siblings = parent && root.seriesKey !== null ? await childrenOf(tx, root.ownerId, parent.node.nodeId) : [];
  const isTaken = siblings.some(({ seriesKey }) => seriesKey === root.seriesKey);
  return { ...root, config, seriesKey: isTaken ? null : root.seriesKey };
}

async function inOrder(deps: Deps, nodeIds: readonly string[]): Promise<ViewedNode[]> {
  const byId = new Map<string, ViewedNode>();
  for await (const nodes of viewedNodes(deps.database, 'WHERE n.node_id = ANY($1)', [nodeIds]))
    for (const node of nodes) byId.set(node.nodeId, node);
  return nodeIds.flatMap((id) => byId.get(id) ?? []);
}
