import type { LimitsServiceService } from '@catchment/contracts/limits';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';
import type { Logger } from '@catchment/telemetry';
import { LRUCache } from 'lru-cache';

const REFRESH_AFTER_MS = 500;
/** docs/reference/guarantees.md#when-changes-take-effect: changed limits reach every writer within this time. */
const TRUST_MS = 1_000;
const ASK_LIMIT_MS = 1_000;
/** No write waits for nodes for this long after it did not answer. */
const AWAY_MS = 5_000;
const MAX_ACCOUNTS = 1_000;
const HISTORIC = { kind: 'service', service: 'historic' } as const;

/**
 * Limits the rows per source and day of an account, by the limit of the account or else that of the installation. The nodes service is
 * asked at most twice a second, in the background while an account writes; a limit older than a second is read first. While nodes does not
 * answer, a write uses the last known limit, or the installation's limit before there is one.
 */
export function accountRowLimit(
  limits: Pick<GrpcClient<typeof LimitsServiceService>, 'getLimits'>,
  signer: Pick<CallerSigner, 'sign'>,
  installationLimit: number,
  log: Pick<Logger, 'warn'>,
  now: () => number = () => performance.now(),
): (ownerId: string) => Promise<number> {
  let awayUntilMs = Number.NEGATIVE_INFINITY;
  const known = new LRUCache<string, number>({
    max: MAX_ACCOUNTS,
    ttl: REFRESH_AFTER_MS,
    ttlResolution: 0,
    perf: { now },
    allowStale: true,
    allowStaleOnFetchRejection: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (ownerId) => {
      const answer = await limits
        .getLimits({ ownerId }, { token: await signer.sign(HISTORIC), timeoutMs: ASK_LIMIT_MS })
        .catch((error: unknown) => {
          if (now() >= awayUntilMs) log.warn({ err: error }, 'row limits could not be read, the known ones are used');
          awayUntilMs = now() + AWAY_MS;
          throw error;
        });
      return answer.rowsPerSourcePerDay ?? installationLimit;
    },
  });
  return async (ownerId) => {
    const allowStale = now() < awayUntilMs || known.getRemainingTTL(ownerId) > REFRESH_AFTER_MS - TRUST_MS;
    // The failure is logged above, once for all accounts.
    return (await known.fetch(ownerId, { allowStale }).catch(() => undefined)) ?? installationLimit;
  };
}
