import { isOvertaken } from './failures.ts';

/** A change is tried this often against others who are faster each time. */
const MOST_TRIES = 5;

/**
 * Reads what is there now and changes that, for its revision; all of it again where somebody was faster.
 * @param work reads and changes @throws as it does
 */
export async function overNow<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work();
    } catch (error) {
      if (!isOvertaken(error) || tries === MOST_TRIES) throw error;
    }
}
