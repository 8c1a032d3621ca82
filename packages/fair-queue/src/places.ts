import type { ReasonOf } from '@catchment/errors';
import { FairQueue } from './fair-queue.ts';

/** Below the 30 s that the gateway gives a call. */
const WAIT_MS = 25_000;

/**
 * Admission to work of which each piece takes about the same: a list holds a connection until its client has taken it, a segment of
 * a file its bytes.
 * @param reason of refusals
 * @param places pieces at a time, of one account half of them
 */
export const placesFor = (reason: ReasonOf<'unavailable'>, places: number): FairQueue =>
  new FairQueue({ reason, capacity: places, waitingPerAccount: 500, waiting: 2_000, waitMs: WAIT_MS });
