import type { Edges, HistoricRecord, HistoricServiceService } from '@catchment/contracts/historic';
import { DomainError, unavailable } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { coordinatesText, type KeptRecord } from '../domain/history.ts';
import { isAway } from '../usecases/evaluate-in-rounds.ts';
import type { StoredHistory } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'alarms' } as const;
const NODES_PER_CALL = 200;
/** Readers of the log wait for the answer. */
const TIMEOUT_MS = 5_000;
/** After a call that found historic away it is not called again for this long. */
const AWAY_MS = 1_000;

/** The newest records of series, by HistoricService.GetEdges; a series that historic does not know has none. */
export function grpcHistory(
  historic: GrpcClient<typeof HistoricServiceService>,
  signer: CallerSigner,
  now: () => number,
): StoredHistory {
  let awayUntilMs = 0;
  const edgesOf = async (ownerId: string, nodeIds: string[], newest: number, signal: AbortSignal): Promise<Edges[]> => {
    if (now() < awayUntilMs) throw unavailable('HISTORIC_AWAY');
    try {
      const token = await signer.sign(SERVICE);
      const options = { token, signal, timeoutMs: TIMEOUT_MS };
      return (await historic.getEdges({ ownerId, nodeIds, newest }, options)).edges;
    } catch (error) {
      if (isAway(error)) awayUntilMs = now() + AWAY_MS;
      if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
      if (nodeIds.length === 1) return [];
      const middle = nodeIds.length >> 1;
      return [
        ...(await edgesOf(ownerId, nodeIds.slice(0, middle), newest, signal)),
        ...(await edgesOf(ownerId, nodeIds.slice(middle), newest, signal)),
      ];
    }
  };
  return {
    async newest(nodes, count, signal) {
      const found = new Map<string, readonly KeptRecord[]>();
      for (const [ownerId, ofOwner] of Map.groupBy(nodes, (node) => node.ownerId)) {
        for (let at = 0; at < ofOwner.length; at += NODES_PER_CALL) {
          const nodeIds = ofOwner.slice(at, at + NODES_PER_CALL).map((node) => node.nodeId);
          for (const edges of await edgesOf(ownerId, nodeIds, count, signal)) {
            found.set(edges.nodeId, edges.newest.flatMap(toRecord));
          }
        }
      }
      return found;
    },
    async isStored({ nodeId, sourceId }, sequence, signal) {
      const token = await signer.sign(SERVICE);
      return (await historic.getProgress({ nodeId, sourceId, sequence }, { token, signal, timeoutMs: TIMEOUT_MS }))
        .isStored;
    },
  };
}

function toRecord({ timestampMs: timeMs, value, quality: code }: HistoricRecord): KeptRecord[] {
  if (!value) return [];
  if (value.$case !== 'coordinates') return [{ timeMs, value: value.value, code }];
  return [{ timeMs, value: coordinatesText(value.value.latitude, value.value.longitude), code }];
}
