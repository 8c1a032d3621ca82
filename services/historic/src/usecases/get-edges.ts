import { scopeOf, serviceCaller } from '@catchment/access';
import type { Edges, GetEdgesRequest } from '@catchment/contracts/historic';
import { DomainError, invalid } from '@catchment/errors';
import { isSeries } from '../domain/series-node.ts';
import { edgesOf } from './edges.ts';
import { inParallel } from './in-parallel.ts';
import type { ReadCall, ReadDeps } from './read-deps.ts';

const MAX_EDGES = 500;
const MAX_NEWEST = 15;
/** Nodes that are read at the same time. */
const AT_ONCE = 4;

/** The edges of several nodes, for services only; those of nodes that are no series, or gone, are empty. */
export async function getEdges(
  { catalogue, reader }: Pick<ReadDeps, 'catalogue' | 'reader'>,
  { ownerId, nodeIds, newest, untilMs }: GetEdgesRequest,
  { caller, token, signal }: ReadCall,
): Promise<Edges[]> {
  serviceCaller(caller);
  const scope = scopeOf(caller, ownerId);
  if (nodeIds.length > MAX_EDGES) throw invalid('TOO_MANY_NODES', `nodeIds: must be at most ${MAX_EDGES}`);
  const asked = { count: Math.min(newest, MAX_NEWEST), untilMs };
  return inParallel(nodeIds, AT_ONCE, signal, async (nodeId, own) => {
    const node = await catalogue.resolve(nodeId, { scope, isService: true, token }).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    });
    if (!node || !isSeries(node)) return { nodeId, newest: [], oldest: undefined };
    return edgesOf(reader, { nodeId, valueType: node.series.valueType }, asked, own);
  });
}
