import type { GetSourceResponse, NodeConfig } from '@catchment/contracts/nodes';
import { DomainError, invalid, notFound } from '@catchment/errors';
import type { Scope } from '@catchment/grpc';
import { nodeClass } from '../../domain/node-class.ts';
import { closedIds } from '../../store/pg-closed-nodes.ts';
import { deviceSourceIds, nodeConfigs } from '../../store/pg-node-configs.ts';
import { childrenOf, findNode } from '../../store/pg-nodes.ts';
import type { Deps } from '../deps.ts';

const MAX_REFERENCES = 1_000;

/** Same order as asked. @throws DomainError not_found and permission_denied for the first such reference */
export async function resolveNodes(deps: Deps, scope: Scope, nodeRefs: readonly string[]): Promise<NodeConfig[]> {
  if (nodeRefs.length > MAX_REFERENCES)
    throw invalid('INVALID_ARGUMENT', `nodeRefs: must have at most ${MAX_REFERENCES} entries`);
  const found = new Map<string, string>();
  for (const reference of new Set(nodeRefs))
    found.set(reference, (await findNode(deps.database, scope, reference)).nodeId);
  const ids = nodeRefs.map((reference) => found.get(reference)!);
  const configs = await nodeConfigs(deps.database, [...new Set(ids)], deps.names);
  return ids.map((id) => {
    const config = configs.get(id);
    // Deleted between the two.
    if (!config) throw notFound();
    return config;
  });
}

/** A data source with the parameters directly under it. @throws DomainError not_found, failed_precondition */
export async function getSource(deps: Deps, scope: Scope, sourceRef: string): Promise<GetSourceResponse> {
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

/** Sources whose transport names a device, over all accounts. */
export async function* deviceSources(deps: Deps): AsyncGenerator<NodeConfig> {
  for await (const ids of deviceSourceIds(deps.database))
    yield* (await nodeConfigs(deps.database, ids, deps.names)).values();
}
