import { type Bus, partitionConsumerOf } from '@catchment/bus';
import type { HistoricServiceService } from '@catchment/contracts/historic';
import { DomainError } from '@catchment/errors';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { partitionOf } from '@catchment/ids';
import type { IngestLog, LoggedSeries } from '../usecases/ports.ts';

const SERVICE = { kind: 'service', service: 'processing' } as const;
const TIMEOUT_MS = 10_000;

/** The log by the broker, and how far it is stored by the historic service: it knows where a series is. */
export function ingestLog(
  bus: Pick<Bus, 'lag' | 'lastSequence' | 'hasRead' | 'partitions'>,
  historic: Pick<GrpcClient<typeof HistoricServiceService>, 'getProgress'>,
  signer: Pick<CallerSigner, 'sign'>,
): IngestLog {
  /** @param before what a historic of the version before, with one InfluxDB, would say */
  const progress = async ({ nodeId, sourceId }: LoggedSeries, sequence: number, before: () => Promise<Progress>) => {
    const token = await signer.sign(SERVICE);
    return historic
      .getProgress({ nodeId, sourceId, sequence }, { token, timeoutMs: TIMEOUT_MS })
      .catch((error: unknown) => {
        if (error instanceof DomainError && error.kind === 'unimplemented') return before();
        throw error;
      });
  };
  return {
    end: () => bus.lastSequence('INGEST'),
    async isStored(series, sequence) {
      const before = async () => {
        const partition = partitionOf(series.sourceId, bus.partitions);
        return { isStored: await bus.hasRead('writer', partition, sequence), pending: 0 };
      };
      return (await progress(series, sequence, before)).isStored;
    },
    async backlog(series) {
      const before = async () => {
        const lags = Object.entries(await bus.lag('INGEST'));
        const ofWriters = lags.filter(([name]) => partitionConsumerOf(name)?.reader === 'writer');
        return { isStored: true, pending: ofWriters.reduce((sum, [, lag]) => sum + lag, 0) };
      };
      return (await progress(series, 0, before)).pending;
    },
  };
}

type Progress = { readonly isStored: boolean; readonly pending: number };
