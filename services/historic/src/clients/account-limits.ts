import type { LimitsServiceService } from '@catchment/contracts/limits';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import { LRUCache } from 'lru-cache';

const KEEP_MS = 1_000;
const MAX_ACCOUNTS = 1_000;
const HISTORIC = { kind: 'service', service: 'historic' } as const;

/**
 * Rows per source and day of an account: its own limit, or the installation's. Asked of nodes at most once a second; a
 * write goes by what was known last, and by the installation's limit while nothing is.
 */
export function accountRowLimit(
  limits: Pick<GrpcClient<typeof LimitsServiceService>, 'getLimits'>,
  signer: Pick<CallerSigner, 'sign'>,
  installationLimit: number,
): (ownerId: string) => Promise<number> {
  const known = new LRUCache<string, number>({
    max: MAX_ACCOUNTS,
    ttl: KEEP_MS,
    allowStale: true,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (ownerId) => {
      const answer = await limits.getLimits({ ownerId }, { token: await signer.sign(HISTORIC) });
      return answer.rowsPerSourcePerDay ?? installationLimit;
    },
  });
  return async (ownerId) => (await known.fetch(ownerId).catch(() => undefined)) ?? installationLimit;
}
