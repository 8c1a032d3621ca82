import type { OwnersServiceService } from '@catchment/contracts/owners';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { type QualityTable, qualityTable, readQuality } from '@catchment/quality';
import { LRUCache } from 'lru-cache';

/** Changed settings are seen within a second (docs/reference/guarantees.md#when-changes-take-effect). */
const KEEP_MS = 1_000;
const MAX_ACCOUNTS = 1_000;

/**
 * The quality settings of accounts, read from nodes at most once a second each; while nodes is away those that were known
 * last.
 */
export class AccountQualities {
  readonly #tables: LRUCache<string, QualityTable>;

  /** @param service the name under which this service asks */
  constructor(
    owners: Pick<GrpcClient<typeof OwnersServiceService>, 'getQualitySettings' | 'getQuality'>,
    signer: Pick<CallerSigner, 'sign'>,
    service: string,
  ) {
    this.#tables = new LRUCache({
      max: MAX_ACCOUNTS,
      ttl: KEEP_MS,
      allowStaleOnFetchRejection: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: async (ownerId) =>
        qualityTable(
          await readQuality(owners, { ownerId }, { token: await signer.sign({ kind: 'service', service }) }),
        ),
    });
  }

  /** Returns the table as it was asked for within the last second. */
  peek(ownerId: string): QualityTable | undefined {
    return this.#tables.get(ownerId);
  }

  /** @throws DomainError unavailable while nodes is away and nothing was known before */
  load(ownerId: string): Promise<QualityTable> {
    return this.#tables.forceFetch(ownerId);
  }
}
