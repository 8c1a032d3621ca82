import type { Bus } from '@catchment/bus';
import type { HistoricServiceService } from '@catchment/contracts/historic';
import { inParallel } from '@catchment/fair-queue';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { IngestLog, LoggedSeries, ProgramSource } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'processing' } as const;
const TIMEOUT_MS = 10_000;
const AT_ONCE = 8;

/** Reads the log by the broker, and how far it is stored by the historic service: it knows where a series is. */
export function ingestLog(
  bus: Pick<Bus, 'lastSequence'>,
  historic: Pick<GrpcClient<typeof HistoricServiceService>, 'getProgress'>,
  signer: Pick<CallerSigner, 'sign'>,
  source: Pick<ProgramSource, 'node'>,
): IngestLog {
  const progress = async ({ nodeId, sourceId }: LoggedSeries, sequence: number) =>
    historic.getProgress({ nodeId, sourceId, sequence }, { token: await signer.sign(SERVICE), timeoutMs: TIMEOUT_MS });
  const isStored = async (series: LoggedSeries, sequence: number) => (await progress(series, sequence)).isStored;
  return {
    end: () => bus.lastSequence('INGEST'),
    isStored,
    async areStored(series, sequence) {
      const owners = new Map(series.map(({ nodeId, ownerId }) => [nodeId, ownerId]));
      const stored = await inParallel([...owners], { atOnce: AT_ONCE }, async ([nodeId, ownerId]) => {
        const node = await source.node(ownerId, nodeId);
        return !node || isStored(node, sequence);
      });
      return !stored.includes(false);
    },
    backlog: async (series) => (await progress(series, 0)).pending,
  };
}
