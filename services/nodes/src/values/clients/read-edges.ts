import type { HistoricServiceService } from '@catchment/contracts/historic';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { Edges } from '../../shown/index.ts';
import type { ReadEdges } from '../usecases/apply-batch.ts';
import { toEdges } from '../usecases/series-records.ts';

/** One call has this many ids: fewer than the service allows. */
const BATCH = 200;
/** A message may take much longer. */
const TIMEOUT_MS = 8_000;

/** Asks the historic service for the records at the edges of series. */
export function readEdgesFrom(historic: GrpcClient<typeof HistoricServiceService>, signer: CallerSigner): ReadEdges {
  return async (ownerId, nodeIds, signal, untilMs) => {
    const found = new Map<string, Edges>();
    const token = await signer.sign({ kind: 'service', service: 'nodes' });
    for (let from = 0; from < nodeIds.length; from += BATCH) {
      const part = nodeIds.slice(from, from + BATCH);
      const options = { token, signal, timeoutMs: TIMEOUT_MS };
      const { edges } = await historic.getEdges(
        { ownerId, nodeIds: part, newest: 2, untilMs, writtenBeforeMs: [] },
        options,
      );
      for (const edge of edges) found.set(edge.nodeId, toEdges(edge));
    }
    return found;
  };
}
