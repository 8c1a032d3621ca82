import type { LimitsServiceService } from '@catchment/contracts/limits';
import type { CallerSigner, GrpcClient } from '@catchment/grpc';

/** Nodes comes last at the start of an installation. */
const ASK_LIMIT_MS = 30_000;

export type DaysOf = {
  /** Accounts without days of their own have these; 0 = for ever. */
  readonly installation: number;
  /** The key is the owner id; 0 means for ever. */
  readonly own: ReadonlyMap<string, number>;
};

/**
 * Reads from nodes each time how many days data of each account are kept: data that an old answer removes are gone.
 * @param what the kind of data
 * @param service the name under which this service asks
 */
export function accountDays(
  limits: Pick<GrpcClient<typeof LimitsServiceService>, 'listOwnDays'>,
  signer: Pick<CallerSigner, 'sign'>,
  service: string,
  what: 'recordDays' | 'eventDays',
  installation: number,
): (signal: AbortSignal) => Promise<DaysOf> {
  return async (signal) => {
    const token = await signer.sign({ kind: 'service', service });
    const { accounts } = await limits.listOwnDays({}, { token, timeoutMs: ASK_LIMIT_MS, waitForReady: true, signal });
    const own = accounts.flatMap((account) => {
      const days = account[what];
      return days === undefined ? [] : [[account.ownerId, days] as const];
    });
    return { installation, own: new Map(own) };
  };
}
