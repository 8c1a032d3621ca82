import { scopeOf, serviceCaller } from '@catchment/access';
import type { GetEdgesRequest, GetEdgesResponse } from '@catchment/contracts/historic';
import { DomainError, invalid } from '@catchment/errors';
import { inParallel } from '@catchment/fair-queue';
import { type EarlierRecords, edgesBefore, edgesOf } from '../../records/index.ts';
import { isSeries } from '../../series/index.ts';
import type { ReadCall, ReadDeps } from './read-deps.ts';

const MAX_EDGES = 500;
const MAX_NEWEST = 15;
/** This many nodes are read at a time. */
const AT_ONCE = 4;

export type EdgeDeps = Pick<ReadDeps, 'catalogue' | 'reader'> & {
  readonly earlier: EarlierRecords;
  /** Returns the sequence of the newest message of the log. */
  readonly endOfLog: () => Promise<number>;
};

/** Returns the edges of several nodes, for services only; those of nodes that are no series, or gone, are empty. */
export async function getEdges(
  { catalogue, reader, earlier: records, endOfLog }: EdgeDeps,
  { ownerId, nodeIds, newest, untilMs, writtenBeforeMs }: GetEdgesRequest,
  { caller, token, signal }: ReadCall,
): Promise<GetEdgesResponse> {
  serviceCaller(caller);
  const scope = scopeOf(caller, ownerId);
  if (nodeIds.length > MAX_EDGES) throw invalid('TOO_MANY_NODES', `nodeIds: must be at most ${MAX_EDGES}`);
  if (writtenBeforeMs.length > 0 && writtenBeforeMs.length !== nodeIds.length)
    throw invalid('INVALID_ARGUMENT', 'writtenBeforeMs: must have as many entries as nodeIds');
  const count = Math.min(newest, MAX_NEWEST);
  const asked = nodeIds.map((nodeId, n) => ({ nodeId, beforeMs: writtenBeforeMs[n] }));
  const found = await inParallel(asked, { atOnce: AT_ONCE, signal }, async ({ nodeId, beforeMs }, stopping) => {
    const node = await catalogue.resolve(nodeId, { scope, isService: true, token }).catch((error: unknown) => {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    });
    const none = { nodeId, newest: [], oldest: undefined };
    if (!node || !isSeries(node)) return { edges: none, earlier: none };
    const series = { nodeId, valueType: node.series.valueType };
    if (beforeMs === undefined)
      return { edges: await edgesOf(reader, series, { count, untilMs }, stopping), earlier: none };
    const { newest: all, earlier } = await edgesBefore(reader, records, series, { count, beforeMs }, stopping);
    return { edges: { ...none, newest: all }, earlier: { ...none, newest: earlier } };
  });
  const edges = found.map((entry) => entry.edges);
  if (writtenBeforeMs.length === 0) return { edges, earlier: [] };
  return { edges, earlier: found.map((entry) => entry.earlier), logSequence: await endOfLog() };
}
