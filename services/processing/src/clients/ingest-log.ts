import type { Bus } from '@catchment/bus';
import type { HistoricServiceService } from '@catchment/contracts/historic';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { IngestLog, LoggedSeries } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'processing' } as const;
const TIMEOUT_MS = 10_000;

/** Reads the log by the broker, and how far it is stored by the historic service: it knows where a series is. */
export function ingestLog(
  bus: Pick<Bus, 'lastSequence'>,
  historic: Pick<GrpcClient<typeof HistoricServiceService>, 'getProgress'>,
  signer: Pick<CallerSigner, 'sign'>,
): IngestLog {
  const progress = async ({ nodeId, sourceId }: LoggedSeries, sequence: number) =>
    historic.getProgress({ nodeId, sourceId, sequence }, { token: await signer.sign(SERVICE), timeoutMs: TIMEOUT_MS });
  return {
    end: () => bus.lastSequence('INGEST'),
    isStored: async (series, sequence) => (await progress(series, sequence)).isStored,
    backlog: async (series) => (await progress(series, 0)).pending,
  };
}
