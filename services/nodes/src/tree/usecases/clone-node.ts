import { type ApiCaller, checkModify, checkPermission, isUnlimited, scopeOf } from '@catchment/access';
import { notPermitted, tooLarge } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { argumentReader, NODE_CLONE, parseAttr } from '@catchment/query';
import { lockOwner, readOwner } from '../../changes/index.ts';
import { branchLinks, linesOf, mergeMetadata, newPushKey, wholeBranch } from '../../copies/index.ts';
import { generateName, readName } from '../../domain/body/names.ts';
import { invalidAttribute, type JsonObject, NO_CONTEXT, readValue } from '../../domain/body/rule.ts';
import { METADATA } from '../../domain/classes/attributes.ts';
import { nodeClass } from '../../domain/classes/class-table.ts';
import { checkBranchContainment, MAX_NODES_PER_ACCOUNT } from '../../domain/classes/containment.ts';
import type { Config, StoredNode } from '../../domain/classes/node.ts';
import {
  announceCreated,
  childrenOf,
  countNodes,
  findNode,
  findParent,
  insertNodes,
  type NewNode,
  namingUnique,
  type Parent,
} from '../../nodes/index.ts';
import {
  bringUpToDate,
  copiedConfig,
  linkInstances,
  linksOf,
  type Purpose,
  propagateNow,
  purposeOf,
  type TemplateDeps,
  templateChanged,
} from '../../templates/index.ts';
import { checkSourceLimit } from '../../usage/index.ts';
import { batches } from '../../usecases/batches.ts';
import {
  type FileUrl,
  givenNodes,
  listText,
  type Shown,
  treeText,
  type WrittenNode,
  writtenNodes,
} from '../../views/index.ts';
import { namesUnder } from '../store/tree-query.ts';
import { checkRoomForParameter, readParentId } from './read-parent.ts';

const MAX_NODES = 5_000;

type Entry = { readonly name: string; readonly value: unknown };

/** A clone has these copies, which are to be answered in this way. */
type Cloned = { readonly nodeIds: readonly string[]; readonly type: 'LIST' | 'TREE'; readonly how: Shown };

/**
 * Copies a node with all below it, all or nothing (docs/reference/node-tree.md#clone). A template that is copied to a place
 * outside the templates becomes an instance (docs/reference/templates.md#instances).
 * @throws DomainError invalid_argument, permission_denied (TRIAL; a Workspace with a limited key), not_found, too_large
 */
export async function cloneNode(
  deps: TemplateDeps,
  caller: ApiCaller,
  nodeRef: string,
  body: JsonObject,
  options: { readonly attr: string; readonly type: string; readonly urlOf: FileUrl },
): Promise<Cloned> {
  checkModify(caller);
  if ((await readOwner(deps.database, caller.ownerId)).account_type === 'TRIAL') throw notPermitted();
  const how = { selector: options.attr === '' ? undefined : parseAttr(options.attr), urlOf: options.urlOf, caller };
  const type = argumentReader(NODE_CLONE, { type: options.type })('type');
  const given = readBody(body);
  const { nodeIds, isDue } = await namingUnique(() =>
    deps.database.transaction(async (tx) => {
      await lockOwner(tx, caller.ownerId);
      return clone(tx, deps, caller, nodeRef, given);
    }),
  );
  if (isDue) await propagateNow(deps, caller.ownerId);
  return { nodeIds, type, how };
}

/** Writes the JSON text of the copies: LIST with the new root first, depth first; TREE as an array with one root. */
export async function* clonedText(deps: TemplateDeps, { nodeIds, type, how }: Cloned): AsyncGenerator<string> {
  const byId = new Map<string, WrittenNode>();
  for await (const slice of writtenNodes(deps, givenNodes(nodeIds), how))
    for (const node of slice) byId.set(node.nodeId, node);
  const nodes = nodeIds.flatMap((id) => byId.get(id) ?? []);
  if (type === 'TREE') yield* treeText(nodes, nodes[0]?.parentId ?? null);
  else yield* listText([nodes]);
}

type Given = { readonly parentId: unknown; readonly name: string | undefined; readonly metadata: readonly Entry[] };

function readBody({ parentId, name, metadata }: JsonObject): Given {
  const rule = METADATA.metadata?.rule;
  const isGiven = metadata !== undefined && metadata !== null && rule;
  return {
    parentId,
    name: name === undefined || name === null ? undefined : readName(name),
    metadata: isGiven ? (readValue(rule, metadata, 'metadata', NO_CONTEXT) as Entry[]) : [],
  };
}

type Made = { readonly nodeIds: readonly string[]; readonly isDue: boolean };

async function clone(
  tx: Queryable,
  deps: TemplateDeps,
  caller: ApiCaller,
  nodeRef: string,
  given: Given,
): Promise<Made> {
  const original = await findNode(tx, scopeOf(caller), nodeRef);
  const isWorkspace = nodeClass(original.class).kind === 'workspace';
  if (original.class === 'Templates') throw invalidAttribute('id', 'the root of the templates cannot be cloned');
  if (isWorkspace && !isUnlimited(caller)) throw notPermitted();
  const parent = isWorkspace ? undefined : await findParent(tx, scopeOf(caller), readParentId(given.parentId));
  for (const { workspaceId } of parent ? [original, parent.node] : [])
    checkPermission(caller, workspaceId, 'CONFIGURE');
  const branch = await currentBranch(tx, deps, original.nodeId);
  await checkPlace(tx, branch, parent);
  const purpose = await purposeOf(tx, branch, parent);
  const cause = { timeMs: deps.now(), username: caller.username };
  const { nodes, ids } = await copies(tx, { branch, parent, given, purpose, nowMs: cause.timeMs });
  for (const part of batches(nodes)) await insertNodes(tx, part);
  await linkInstances(tx, deps, { branch, ids, purpose, metadata: given.metadata, cause });
  for (const part of batches(nodes)) await announceCreated({ tx, deps, cause }, caller.ownerId, part);
  await checkSourceLimit(tx, caller.ownerId, nodes);
  const isDue = parent !== undefined && (await templateChanged(tx, parent.node, cause));
  return { nodeIds: nodes.map(({ nodeId }) => nodeId), isDue };
}

/** Reads the branch with its instances as their templates are by now. @throws DomainError too_large */
async function currentBranch(tx: Queryable, deps: TemplateDeps, nodeId: string): Promise<StoredNode[]> {
  const read = async () => {
    const branch = await wholeBranch(tx, nodeId, MAX_NODES + 1);
    if (branch.length <= MAX_NODES) return branch;
    throw tooLarge(`Request or response too large: a clone must have at most ${MAX_NODES} nodes`);
  };
  const branch = await read();
  const roots = branch.filter((node) => node.instanceId === node.nodeId).map((node) => node.nodeId);
  return (await bringUpToDate(tx, deps, roots, deps.now())) ? read() : branch;
}

/** @throws DomainError invalid_argument */
async function checkPlace(tx: Queryable, branch: readonly StoredNode[], parent: Parent | undefined): Promise<void> {
  const root = branch[0];
  if (!root) return;
  if (parent?.line.some(({ nodeId }) => nodeId === root.nodeId))
    throw invalidAttribute('parentId', 'must not be the node itself or lie below it');
  const kinds = branch.map((node) => ({
    nodeId: node.nodeId,
    parentId: node.parentId,
    kind: nodeClass(node.class).kind,
  }));
  checkBranchContainment(kinds, parent?.line ?? []);
  if (parent && kinds[0]?.kind === 'parameter') await checkRoomForParameter(tx, parent.node);
  if ((await countNodes(tx, root.ownerId)) + branch.length > MAX_NODES_PER_ACCOUNT)
    throw invalidAttribute('parentId', `an account may have at most ${MAX_NODES_PER_ACCOUNT} nodes`);
}

type Copying = {
  readonly branch: readonly StoredNode[];
  readonly parent: Parent | undefined;
  readonly given: Given;
  readonly purpose: Purpose;
  readonly nowMs: number;
};

async function copies(
  tx: Queryable,
  { branch, parent, given, purpose, nowMs }: Copying,
): Promise<{ nodes: NewNode[]; ids: ReadonlyMap<string, string> }> {
  const ids = new Map(branch.map(({ nodeId }) => [nodeId, newObjectId(nowMs)]));
  const root = branch[0]!;
  const rootId = ids.get(root.nodeId)!;
  const workspaceId = parent?.node.workspaceId ?? rootId;
  const lines = await linesOf(tx, root.ownerId, [root.nodeId, ...(parent ? [parent.node.nodeId] : [])]);
  const from = (lines.get(root.nodeId) ?? []).slice(0, -1);
  const to = (parent && lines.get(parent.node.nodeId)) ?? [];
  const name = given.name ?? generateName(root.name, await namesUnder(tx, root.ownerId, parent?.node.nodeId ?? null));
  const links = await branchLinks(tx, branch, ids, { from, to, workspaceId, name });
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
      config: copiedConfig(node, ids.get(node.nodeId)!, purpose, { ...links, newPushKey, nowMs }),
      ...linksOf(node, ids, purpose),
    };
  });
  return { nodes: [await fitRoot(tx, made[0]!, given, parent), ...made.slice(1)], ids };
}

/** Returns the new root with the metadata of the body, and without a series key that its new siblings have. */
async function fitRoot(
  tx: Queryable,
  root: NewNode,
  { metadata }: Given,
  parent: Parent | undefined,
): Promise<NewNode> {
  const rootMetadata = (root.config.metadata ?? []) as readonly Entry[];
  const merged = mergeMetadata(rootMetadata, metadata);
  if (merged.length > 100) throw invalidAttribute('metadata', 'must have at most 100 entries');
  const config: Config = merged.length > 0 ? { ...root.config, metadata: merged } : root.config;
  const siblings = parent && root.seriesKey !== null ? await childrenOf(tx, root.ownerId, parent.node.nodeId) : [];
  const isTaken = siblings.some(({ seriesKey }) => seriesKey === root.seriesKey);
  return { ...root, config, seriesKey: isTaken ? null : root.seriesKey };
}
