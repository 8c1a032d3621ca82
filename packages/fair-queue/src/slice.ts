import { setImmediate as nextTurn } from 'node:timers/promises';
import { currentAccount } from './current-account.ts';
import { FairQueue, PLATFORM } from './fair-queue.ts';

/** The processor of this thread: one slice at a time. Only work in progress waits here, so nothing is refused. */
const processor = new FairQueue({
  reason: 'PROCESSOR_BUSY',
  capacity: 1,
  waitingPerAccount: Number.POSITIVE_INFINITY,
  waiting: Number.POSITIVE_INFINITY,
  waitMs: 10 * 60_000,
});

/**
 * Runs a slice of a long piece of work: some milliseconds of computing. Accounts take turns, whatever number of requests each has
 * in progress, and the event loop gets to everything else between two slices.
 */
export async function inSlice<T>(work: () => T): Promise<T> {
  const leave = await processor.enter({ account: currentAccount() ?? PLATFORM, cost: 1 });
  try {
    return work();
  } finally {
    void nextTurn().then(() => leave());
  }
}
