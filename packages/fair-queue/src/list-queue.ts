import { FairQueue } from './fair-queue.ts';

/** Below the 30 s that the gateway gives a call. */
const WAIT_MS = 25_000;

/**
 * Admission to lists that stream from PostgreSQL: each holds a connection until its client has taken it.
 * @param places lists at a time, of one account half of them
 */
export const listQueue = (places: number): FairQueue =>
  new FairQueue({
    reason: 'TOO_MANY_LISTS',
    capacity: places,
    waitingPerAccount: 500,
    waiting: 2_000,
    waitMs: WAIT_MS,
  });
