export { currentAccount, inAccount } from './current-account.ts';
export { FairQueue, type FairQueueOptions, PLATFORM, type Work } from './fair-queue.ts';
export { inSlice } from './slice.ts';
