import { RetryAfter } from '@catchment/bus';
import { untilNextTry } from '../domain/tries.ts';

/** The loggable part of a failure. */
export type FailureFacts = Readonly<Record<string, string | number>>;

/**
 * One try to send a message.
 * @param ageMs since it was asked for
 * @returns undefined: it was sent; otherwise why it never will be
 * @throws RetryAfter when it is to be tried again
 */
export async function tryToSend(
  send: () => Promise<void>,
  failureOf: (error: unknown) => { readonly facts: FailureFacts; readonly isFinal: boolean },
  ageMs: number,
): Promise<FailureFacts | undefined> {
  try {
    await send();
    return undefined;
  } catch (error) {
    const { facts, isFinal } = failureOf(error);
    const waitMs = isFinal ? undefined : untilNextTry(ageMs);
    // What the error says may name people and logins.
    if (waitMs !== undefined) throw new RetryAfter(waitMs, { cause: new Error(`not sent: ${whyOf(facts)}`) });
    return facts;
  }
}

export const whyOf = (facts: FailureFacts): string => Object.values(facts).join(' ');
