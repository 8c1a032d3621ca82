import type { OwnersServiceService } from '@catchment/contracts/owners';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { type QualityTable, qualityTable, readQuality } from '@catchment/quality';
import { LRUCache } from 'lru-cache';
import type { QualityOf } from '../usecases/ports.ts';

/** Changed settings reach every read within a second (docs/reference/guarantees.md#when-changes-take-effect). */
const KEEP_MS = 1_000;
const MAX_ACCOUNTS = 1_000;
const HISTORIC = { kind: 'service', service: 'historic' } as const;

/**
 * The quality settings of accounts, read from nodes at most once a second each; while nodes is away those that were known
 * last.
 */
export function accountQuality(
  owners: Pick<GrpcClient<typeof OwnersServiceService>, 'getQualitySettings' | 'getQuality'>,
  signer: Pick<CallerSigner, 'sign'>,
): QualityOf {
  const tables = new LRUCache<string, QualityTable>({
    max: MAX_ACCOUNTS,
    ttl: KEEP_MS,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (ownerId) =>
      qualityTable(await readQuality(owners, { ownerId }, { token: await signer.sign(HISTORIC) })),
  });
  return async (ownerId) => tables.forceFetch(ownerId);
}
