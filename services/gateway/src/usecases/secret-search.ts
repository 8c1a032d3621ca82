import { gathered } from '@catchment/fair-queue';

/** Secrets of one request (`FindSecretsRequest`). */
const ASKED = { items: 1_000 };
/** The limit lies far above the connections, each of which waits for one secret at most. */
const WAITING = { items: 100_000, reason: 'TOO_MANY_CALLS' } as const;
/** This pause between two requests allows at most a hundred statements a second, however many wrong keys come. */
const PAUSE_MS = 10;

/** The secrets that exist. */
export type FindSecrets = (sha256: Buffer[]) => Promise<readonly Uint8Array[]>;

/**
 * Separates secrets that exist from guesses. Secrets that come while a request is in flight are gathered into the next one, so that a
 * flood of wrong keys costs a bounded number of statements and no valid key is refused because of it. The search throws a DomainError
 * where the lookup fails.
 */
export function secretSearch(find: FindSecrets, pauseMs = PAUSE_MS): (sha256: Buffer) => Promise<boolean> {
  const ask = async (asked: readonly Buffer[]): Promise<boolean[]> => {
    const known = await find([...asked]);
    const ids = new Set(known.map((sha256) => Buffer.from(sha256).toString('base64')));
    return asked.map((sha256) => ids.has(sha256.toString('base64')));
  };
  return gathered(ask, { batch: ASKED, waiting: WAITING, pauseMs });
}
