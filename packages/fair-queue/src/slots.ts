import type { ReasonOf } from '@catchment/errors';
import { FairQueue, type Work } from './fair-queue.ts';

/** The wait is below the 30 s that the gateway gives a call. */
const WAIT_MS = 25_000;

/**
 * Admission to work of which each piece takes about the same: a list holds a connection until its client has taken it, a segment of
 * a file its bytes.
 * @param reason of refusals
 * @param slots pieces at a time, of one account half of them
 */
export const slotsFor = (reason: ReasonOf<'unavailable'>, slots: number): FairQueue =>
  new FairQueue({ reason, capacity: slots, waitingPerAccount: 500, waiting: 2_000, waitMs: WAIT_MS });

/** Longer lists count as a whole one, which may be of 50 000 things. */
const SHORT_LIST = 500;

/**
 * A list waits among those of its account by its question, so that asking one of them many times does not hold up
 * another; and a short list finds a slot beside all that are long.
 */
export function listWork(
  { limit }: { readonly limit?: number | undefined },
  question = '',
): Pick<Work, 'cost' | 'lane' | 'isBulk'> {
  return limit !== undefined && limit <= SHORT_LIST
    ? { cost: 0.5, lane: `short list ${question}` }
    : { cost: 1, lane: `list ${question}`, isBulk: true };
}
