import type { HistoricRecord, HistoricServiceService } from '@catchment/contracts/historic';
import { DomainError, unavailable } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { coordinatesText, type KeptRecord } from '../domain/history.ts';
import { isAway } from '../usecases/evaluate-in-rounds.ts';
import type { StoredHistory, StoredRecords } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'alarms' } as const;
const NODES_PER_CALL = 200;
/** Readers of the log wait for the answer. */
const TIMEOUT_MS = 5_000;
/** After a call that found historic down, historic is not called again for this long. */
const AWAY_MS = 1_000;

type Asked = { readonly nodeId: string; readonly beforeMs: number | undefined };
type Answer = StoredRecords & { readonly nodeId: string };

/** The newest records of series, by HistoricService.GetEdges; a series that historic does not know has none. */
export function grpcHistory(
  historic: GrpcClient<typeof HistoricServiceService>,
  signer: CallerSigner,
  now: () => number,
): StoredHistory {
  let awayUntilMs = 0;
  const ask = async (ownerId: string, of: readonly Asked[], newest: number, signal: AbortSignal): Promise<Answer[]> => {
    if (now() < awayUntilMs) throw unavailable('HISTORIC_AWAY');
    try {
      const token = await signer.sign(SERVICE);
      const [nodeIds, times] = [of.map(({ nodeId }) => nodeId), of.map(({ beforeMs }) => beforeMs)];
      const writtenBeforeMs = times.every((timeMs) => timeMs !== undefined) ? times : [];
      const request = { ownerId, nodeIds, newest, writtenBeforeMs };
      const { edges, earlier, logSequence } = await historic.getEdges(request, {
        token,
        signal,
        timeoutMs: TIMEOUT_MS,
      });
      return edges.map((own, n) => ({
        nodeId: own.nodeId,
        newest: own.newest.flatMap(toRecord),
        logSequence: logSequence ?? 0,
        earlier: logSequence === undefined ? undefined : earlier[n]?.newest.flatMap(toRecord),
        beforeMs: of[n]?.beforeMs,
      }));
    } catch (error) {
      if (isAway(error)) awayUntilMs = now() + AWAY_MS;
      if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
      if (of.length === 1) return [];
      const middle = of.length >> 1;
      return [
        ...(await ask(ownerId, of.slice(0, middle), newest, signal)),
        ...(await ask(ownerId, of.slice(middle), newest, signal)),
      ];
    }
  };
  const askAll = async (nodes: readonly (Asked & { ownerId: string })[], count: number, signal: AbortSignal) => {
    const found: Answer[] = [];
    for (const ofOwner of Map.groupBy(nodes, (node) => `${node.ownerId} ${node.beforeMs === undefined}`).values()) {
      for (let at = 0; at < ofOwner.length; at += NODES_PER_CALL)
        found.push(...(await ask(ofOwner[0]?.ownerId ?? '', ofOwner.slice(at, at + NODES_PER_CALL), count, signal)));
    }
    return found;
  };
  return {
    async newest(nodes, count, signal) {
      const asked = nodes.map(({ nodeId, ownerId }) => ({ nodeId, ownerId, beforeMs: undefined }));
      return new Map((await askAll(asked, count, signal)).map(({ nodeId, newest }) => [nodeId, newest]));
    },
    async before(needs, count, signal) {
      return new Map((await askAll(needs, count, signal)).map(({ nodeId, ...records }) => [nodeId, records]));
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
