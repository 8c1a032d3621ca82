import { Allowance, failureWords, LimitReached, type Limits } from '@catchment/egress';
import { CommunicationFailure } from '../../acquisition/index.ts';

const SHOWN = 200;

/** Returns what another side said, as far as it may be shown. */
export const shownText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, SHOWN);

/**
 * Turns an error of a connection into the failure of the session.
 * @param words of the protocol, for errors that are none of the network
 */
function communicationFailure(error: unknown, words: (error: unknown) => string | undefined): CommunicationFailure {
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
    if (!signal.aborted) throw communicationFailure(error, words);
    // The answer has reached a limit, or the session ends.
    throw signal.reason instanceof LimitReached ? communicationFailure(signal.reason, words) : signal.reason;
  }
}

/** Does the same with what one answer may take: `work` ends soon after the signal of its allowance aborts. */
export async function communicatingWithin<T>(
  limits: Limits,
  signal: AbortSignal,
  words: (error: unknown) => string | undefined,
  work: (allowance: Allowance) => Promise<T>,
): Promise<T> {
  using allowance = new Allowance(limits, signal);
  return await communicating(allowance.signal, words, () => work(allowance));
}

/** Does the same for what comes in pieces. */
export async function* communicatingAll<T>(
  limits: Limits,
  signal: AbortSignal,
  words: (error: unknown) => string | undefined,
  work: (allowance: Allowance) => AsyncIterable<T>,
): AsyncGenerator<T> {
  using allowance = new Allowance(limits, signal);
  const items = work(allowance)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await communicating(allowance.signal, words, () => items.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await Promise.resolve(items.return?.()).catch(() => undefined);
  }
}
