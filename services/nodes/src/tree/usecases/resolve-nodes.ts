import { checkWorkspace, type Scope } from '@catchment/access';
import type { GetSourceResponse, NodeConfig } from '@catchment/contracts/nodes';
import { DomainError, invalid, naming, notFound } from '@catchment/errors';
import { parseNodeRef } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { nodeClass } from '../../domain/classes/class-table.ts';
import type { StoredNode } from '../../domain/classes/node.ts';
import { childrenOf, findNode, nodeConfigs } from '../../nodes/index.ts';
import { closedIds } from '../../rights/index.ts';
import type { TemplateDeps } from '../../templates/index.ts';
import { deviceSourceIds } from '../store/device-sources-query.ts';
import { nodesByRefs, parametersBelow } from '../store/tree-query.ts';

const MAX_REFERENCES = 1_000;

type Resolve = {
  readonly nodeRefs: readonly string[];
  /** The text of `not_found` ends with the reference. */
  readonly namesMissing?: boolean | undefined;
  /** Nodes that the caller may not see are left out instead of refused. */
  readonly skipsMissing?: boolean | undefined;
};

/**
 * Finds nodes in the order of the request, with a few statements however many references there are.
 * @throws DomainError not_found and permission_denied for the first such reference
 */
export async function resolveNodes(
  deps: TemplateDeps,
  scope: Scope,
  { nodeRefs, namesMissing, skipsMissing }: Resolve,
): Promise<NodeConfig[]> {
  if (nodeRefs.length > MAX_REFERENCES)
    throw invalid('INVALID_ARGUMENT', `nodeRefs: must have at most ${MAX_REFERENCES} entries`);
  const withName = namesMissing ? naming : <T>(_reference: string, look: () => T): T => look();
  const visible = await lookUpAll(deps.database, scope, nodeRefs);
  const isNarrowed = scope.workspaceIds !== undefined || scope.closedTo !== undefined;
  const inAccount =
    isNarrowed && !skipsMissing
      ? await lookUpAll(deps.database, { ownerId: scope.ownerId, workspaceIds: undefined }, nodeRefs)
      : visible;
  const found = nodeRefs.flatMap((reference) => {
    const node = visible(reference);
    if (node || skipsMissing) return node ? [{ reference, nodeId: node.nodeId }] : [];
    return withName(reference, () => {
      const outside = inAccount(reference);
      if (outside) checkWorkspace(scope, outside.workspaceId);
      throw notFound();
    });
  });
  const ids = new Set(found.map(({ nodeId }) => nodeId));
  const configs = await nodeConfigs(deps.database, [...ids], deps.names);
  return found.flatMap(({ reference, nodeId }) => {
    const config = configs.get(nodeId);
    if (config || skipsMissing) return config ?? [];
    // Deleted between the two.
    return withName(reference, () => {
      throw notFound();
    });
  });
}

/** Looks up the nodes that a scope shows of some references, by reference. */
async function lookUpAll(on: Queryable, scope: Scope, nodeRefs: readonly string[]) {
  const nodes = await nodesByRefs(on, scope, [...new Set(nodeRefs)]);
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const byCustomId = new Map(nodes.map((node) => [node.customId, node]));
  return (reference: string): StoredNode | undefined => {
    const ref = parseNodeRef(reference);
    return ref && (ref.kind === 'id' ? byId.get(ref.id) : byCustomId.get(ref.customId));
  };
}

/** @throws DomainError not_found, permission_denied for the node; those below that the caller may not see are left out */
export async function listParametersBelow(
  { database, names }: Pick<TemplateDeps, 'database' | 'names'>,
  scope: Scope,
  { nodeRef, limit }: { readonly nodeRef: string; readonly limit: number },
): Promise<NodeConfig[]> {
  const node = await findNode(database, scope, nodeRef);
  const ids = await parametersBelow(database, scope, node.nodeId, Math.min(limit, MAX_REFERENCES));
  const configs = await nodeConfigs(database, ids, names);
  return ids.flatMap((id) => configs.get(id) ?? []);
}

/** Returns a data source with the parameters directly under it. @throws DomainError not_found, failed_precondition */
export async function getSource(deps: TemplateDeps, scope: Scope, sourceRef: string): Promise<GetSourceResponse> {
  const source = await findNode(deps.database, scope, sourceRef);
  if (!['source', 'processor'].includes(nodeClass(source.class).kind)) throw notSource();
  const closed = new Set(await closedIds(deps.database, scope));
  const children = (await childrenOf(deps.database, scope.ownerId, source.nodeId)).filter(
    ({ nodeId }) => !closed.has(nodeId),
  );
  const configs = await nodeConfigs(
    deps.database,
    [source.nodeId, ...children.map(({ nodeId }) => nodeId)],
    deps.names,
  );
  const parameters = children.flatMap(({ nodeId }) => configs.get(nodeId) ?? []);
  return { source: configs.get(source.nodeId), parameters };
}

export const notSource = (): DomainError =>
  new DomainError('failed_precondition', 'NOT_A_DATA_SOURCE', 'id: the node must be a data source');

/** Lists sources that bring data by themselves, over all accounts. */
export async function* deviceSources(deps: TemplateDeps): AsyncGenerator<NodeConfig> {
  for await (const ids of deviceSourceIds(deps.database))
    yield* (await nodeConfigs(deps.database, ids, deps.names)).values();
}
