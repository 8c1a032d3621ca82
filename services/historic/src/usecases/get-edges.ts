import { scopeOf, serviceCaller } from '@catchment/access';
import type { Edges, GetEdgesRequest } from '@catchment/contracts/historic';
import { DomainError, invalid } from '@catchment/errors';
import { isSeries } from '../domain/series-node.ts';
import { edgesOf } from './edges.ts';
import type { ReadCall, ReadDeps } from './read-deps.ts';

const MAX_EDGES = 500;
const MAX_NEWEST = 15;

/** The edges of several nodes, for services only; those of nodes that are no series, or gone, are empty. */
export async function getEdges(
  { catalogue, reader }: Pick<ReadDeps, 'catalogue' | 'reader'>,
  { ownerId, nodeIds, newest }: GetEdgesRequest,
  { caller, token, signal }: ReadCall,
): Promise<Edges[]> {
  serviceCaller(caller);
  const scope = scopeOf(caller, ownerId);
  if (nodeIds.length > MAX_EDGES) throw invalid('TOO_MANY_NODES', `nodeIds: must be at most ${MAX_EDGES}`);
  const edges: Edges[] = [];
  for (const nodeId of nodeIds) {
    const node = await catalogue.resolve(nodeId, { scope, isService: true, token }).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    });
    if (!node || !isSeries(node)) edges.push({ nodeId, newest: [], oldest: undefined });
    else {
      const key = { nodeId, valueType: node.series.valueType };
      edges.push(await edgesOf(reader, key, Math.min(newest, MAX_NEWEST), signal));
    }
  }
  return edges;
}
