export { Bag } from './bag.ts';
export { currentAccount, inAccount } from './current-account.ts';
export { FairQueue, type Leave, PLATFORM, type Work } from './fair-queue.ts';
export { Gather, type Gathered, type GatherOptions, gathered } from './gather.ts';
export { inParallel } from './in-parallel.ts';
export { Rounds } from './rounds.ts';
export { atOnce, inSlice, inSlices, Pace, type Steps } from './slice.ts';
export { listWork, slotsFor } from './slots.ts';
