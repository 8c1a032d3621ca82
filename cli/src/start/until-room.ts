import { setTimeout as delay } from 'node:timers/promises';

const AGAIN_MS = 1_000;
/** The disk, or the share of this account, has no room. */
const NO_ROOM: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT'];

/**
 * Does what needs room on a disk, again and again while there is none.
 * @throws any other failure; the reason of `signal`
 */
export async function untilRoom<T>(
  work: () => Promise<T>,
  { say, signal, pauseMs = AGAIN_MS }: { say: (line: string) => void; signal: AbortSignal; pauseMs?: number },
): Promise<T> {
  for (let hasSaid = false; ; ) {
    try {
      return await work();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (!NO_ROOM.includes(code)) throw error;
      if (!hasSaid) say(`Waiting for room on the disk: ${message}`);
      hasSaid = true;
      await delay(pauseMs, undefined, { signal });
    }
  }
}
