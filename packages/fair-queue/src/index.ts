export { currentAccount, inAccount } from './current-account.ts';
export { FairQueue, type FairQueueOptions, type Leave, PLATFORM, type Work } from './fair-queue.ts';
export { listWork, placesFor } from './places.ts';
export { atOnce, inSlice, inSlices, Pace, type Steps } from './slice.ts';
