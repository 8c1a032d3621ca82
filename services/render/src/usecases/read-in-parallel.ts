import { inParallel } from '@catchment/fair-queue';
import type { Call } from './ports.ts';

/** Series that a request reads at the same time: more would take the room of other accounts at historic. */
const AT_ONCE = 4;

/**
 * Reads something for every item, a few at a time.
 * @param read gets the call, with a signal that is also aborted when another read has failed
 * @returns and @throws as `inParallel`
 */
export const readInParallel = <T, R>(
  items: readonly T[],
  call: Call,
  read: (item: T, call: Call, index: number) => Promise<R>,
): Promise<R[]> =>
  inParallel(items, { atOnce: AT_ONCE, signal: call.signal }, (item, signal, index) =>
    read(item, { ...call, signal }, index),
  );
