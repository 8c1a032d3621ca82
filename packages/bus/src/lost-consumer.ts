import type { LoopOptions } from './delivered.ts';
import { isNoConsumer } from './no-consumer.ts';

/**
 * A reader of which the broker says that there is none gets its consumer anew. Without it the reader would stand still, and a log would
 * keep no message for it. What came and went meanwhile is lost to it: somebody has to look.
 * @param error why the reader was interrupted; another reason changes nothing
 * @returns whether there is another consumer now
 */
export async function makeLostConsumer(
  error: unknown,
  { consumer, log, makeAgain }: Pick<LoopOptions, 'consumer' | 'log' | 'makeAgain'>,
): Promise<boolean> {
  if (!isNoConsumer(error)) return false;
  try {
    const isMade = await makeAgain();
    if (isMade) log.error({ consumer }, 'the broker had lost a reader, which was made again: messages may be missing');
    return isMade;
  } catch (err) {
    log.warn({ err, consumer }, 'a lost reader could not be made again yet');
    return false;
  }
}

const SAME_MADE_MS = 1_000;

/**
 * Compares when consumers of one name were made, as the broker says it. NATS 2.9 takes the time twice, and tells the second one after it was started
 * again.
 */
export const isSameConsumer = (made: string | undefined, madeToo: string): boolean =>
  made !== undefined && Math.abs(Date.parse(made) - Date.parse(madeToo)) < SAME_MADE_MS;
