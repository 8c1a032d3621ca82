import type { HistoricRecord, HistoricServiceService } from '@catchment/contracts/historic';
import { DomainError, unavailable } from '@catchment/errors';
import { inParallel } from '@catchment/fair-queue';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { StoredRecords } from '../domain/evaluation/stored-records.ts';
import { coordinatesText, type KeptRecord } from '../domain/history.ts';
import { isAway } from '../usecases/evaluate-in-rounds.ts';
import type { StoredHistory } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'alarms' } as const;
const NODES_PER_CALL = 200;
const CALLS_AT_ONCE = 50;
/** Readers of the log wait for the answer. */
const TIMEOUT_MS = 5_000;
/** Historic is not asked for a workspace for this long after a call that found historic or the store of the workspace down. */
const AWAY_MS = 1_000;
/** This many workspaces are remembered so; with more all are asked again. */
const MAX_AWAY = 10_000;

type Asked = { readonly nodeId: string; readonly beforeMs: number | undefined };
/** One workspace has one store. */
type Place = { readonly ownerId: string; readonly workspaceId: string };
type Answer = StoredRecords & { readonly nodeId: string };

/** Reads the newest records of series, by HistoricService.GetEdges; a series that historic does not know has none. */
export function grpcHistory(
  historic: GrpcClient<typeof HistoricServiceService>,
  signer: CallerSigner,
  now: () => number,
): StoredHistory {
  const awayUntilMs = new Map<string, number>();
  const ask = async (
    place: Place,
    of: readonly Asked[],
    newest: number,
    signal: AbortSignal,
  ): Promise<readonly Answer[]> => {
    const { ownerId, workspaceId } = place;
    if (now() < (awayUntilMs.get(workspaceId) ?? 0)) throw unavailable('HISTORIC_AWAY');
    awayUntilMs.delete(workspaceId);
    try {
      const token = await signer.sign(SERVICE);
      const nodeIds = of.map(({ nodeId }) => nodeId);
      const writtenBeforeMs = of.flatMap(({ beforeMs }) => beforeMs ?? []);
      const request = { ownerId, nodeIds, newest, writtenBeforeMs };
      const { edges, earlier, logSequence } = await historic.getEdges(request, {
        token,
        signal,
        timeoutMs: TIMEOUT_MS,
      });
      return edges.map((found, n) => ({
        nodeId: found.nodeId,
        newest: found.newest.flatMap(toRecord),
        logSequence: logSequence ?? 0,
        earlier: earlier[n]?.newest.flatMap(toRecord) ?? [],
        beforeMs: of[n]?.beforeMs ?? 0,
      }));
    } catch (error) {
      if (awayUntilMs.size >= MAX_AWAY) awayUntilMs.clear();
      if (isAway(error)) awayUntilMs.set(workspaceId, now() + AWAY_MS);
      if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
      if (of.length === 1) return [];
      const middle = of.length >> 1;
      return [
        ...(await ask(place, of.slice(0, middle), newest, signal)),
        ...(await ask(place, of.slice(middle), newest, signal)),
      ];
    }
  };
  /** Asks many workspaces at once: stores that hang take their time limit once. */
  const askAll = async <T>(
    nodes: readonly (Asked & Place)[],
    count: number,
    signal: AbortSignal,
    unless: (error: unknown, of: readonly Asked[]) => readonly T[],
  ): Promise<(Answer | T)[]> => {
    const calls: { readonly first: Asked & Place; readonly of: readonly Asked[] }[] = [];
    for (const some of Map.groupBy(nodes, ({ workspaceId }) => workspaceId).values()) {
      for (let at = 0; at < some.length; at += NODES_PER_CALL) {
        const [first, of] = [some[at], some.slice(at, at + NODES_PER_CALL)];
        if (first) calls.push({ first, of });
      }
    }
    const found = await inParallel(calls, { atOnce: CALLS_AT_ONCE, signal }, ({ first, of }, stopping) =>
      ask(first, of, count, stopping).catch((error: unknown) => unless(error, of)),
    );
    return found.flat();
  };
  const fails = (error: unknown): never => {
    throw error;
  };
  return {
    async newest(nodes, count, signal) {
      const asked = nodes.map(({ nodeId, ownerId, workspaceId }) => ({
        nodeId,
        ownerId,
        workspaceId,
        beforeMs: undefined,
      }));
      return new Map((await askAll<never>(asked, count, signal, fails)).map(({ nodeId, newest }) => [nodeId, newest]));
    },
    async before(needs, count, signal) {
      const noneOfAway = (error: unknown, of: readonly Asked[]) => {
        signal.throwIfAborted();
        return isAway(error) ? of.map(({ nodeId }) => ({ nodeId, isAway: true as const })) : fails(error);
      };
      const found = await askAll(needs, count, signal, noneOfAway);
      return new Map(found.map((one) => [one.nodeId, 'isAway' in one ? null : one]));
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
