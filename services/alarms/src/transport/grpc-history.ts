import type { HistoricRecord, HistoricServiceService } from '@catchment/contracts/historic';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { ValueRecord } from '../domain/history.ts';
import type { StoredHistory } from '../usecases/ports.ts';
import { SERVICE } from './grpc-nodes.ts';

const NODES_PER_CALL = 200;

/** The newest records of series, by HistoricService.GetEdges. */
export const grpcHistory = (
  historic: GrpcClient<typeof HistoricServiceService>,
  signer: CallerSigner,
): StoredHistory => ({
  async newest(nodes, count, signal) {
    const found = new Map<string, readonly ValueRecord[]>();
    for (const [ownerId, ofOwner] of Map.groupBy(nodes, (node) => node.ownerId)) {
      for (let at = 0; at < ofOwner.length; at += NODES_PER_CALL) {
        const nodeIds = ofOwner.slice(at, at + NODES_PER_CALL).map((node) => node.nodeId);
        const token = await signer.sign(SERVICE);
        const { edges } = await historic.getEdges({ ownerId, nodeIds, newest: count }, { token, signal });
        for (const { nodeId, newest } of edges) found.set(nodeId, newest.flatMap(toRecord));
      }
    }
    return found;
  },
});

function toRecord({ timestampMs, value }: HistoricRecord): ValueRecord[] {
  if (value?.$case !== 'number' && value?.$case !== 'text') return [];
  return [{ timeMs: timestampMs, value: value.value }];
}
