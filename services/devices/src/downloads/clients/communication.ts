import { failureWords } from '@catchment/egress';
import { CommunicationFailure } from '../../acquisition/index.ts';

const SHOWN = 200;

/** What another side said, as far as it may be shown. */
export const shownText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN);

/**
 * The failure of a session for an error of a connection.
 * @param words of the protocol, for errors that are none of the network
 */
export function communicationFailure(
  error: unknown,
  words: (error: unknown) => string | undefined,
): CommunicationFailure {
  if (error instanceof CommunicationFailure) return error;
  const message = failureWords(error) ?? words(error) ?? 'connection broken off';
  return new CommunicationFailure(message, { cause: error });
}

/** Runs `work`; its errors become failures of the session, but the abortion of the session stays what it is. */
export async function communicating<T>(
  signal: AbortSignal,
  words: (error: unknown) => string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw communicationFailure(error, words);
  }
}

/** The same for what comes in pieces. */
export async function* communicatingAll<T>(
  signal: AbortSignal,
  words: (error: unknown) => string | undefined,
  work: () => AsyncIterable<T>,
): AsyncGenerator<T> {
  const items = work()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await communicating(signal, words, () => items.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await Promise.resolve(items.return?.()).catch(() => undefined);
  }
}
