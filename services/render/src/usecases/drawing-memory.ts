import { FairQueue } from '@catchment/fair-queue';

/**
 * Charts and previews may take this memory at a time, from their first record to the last byte of their picture: the accounts
 * share it fairly.
 * @param options.mib in all; one account has at most half
 */
export const drawingMemory = ({ mib, waiting }: { readonly mib: number; readonly waiting: number }): FairQueue =>
  new FairQueue({
    reason: 'TOO_MANY_CHARTS',
    capacity: mib,
    waitingPerAccount: waiting,
    waiting: 4 * waiting,
    // Reading and drawing have the rest of the minute that a chart may take.
    waitMs: 25_000,
  });
