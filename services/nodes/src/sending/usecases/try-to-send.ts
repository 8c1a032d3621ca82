import { RetryAfter } from '@catchment/bus';
import { counter } from '@catchment/telemetry';
import { untilNextTry } from '../domain/tries.ts';

const CHANNELS = ['mail', 'sms'] as const;
type SentBy = (typeof CHANNELS)[number];
const OUTCOMES = ['sent', 'failed', 'given_up'] as const;

const notifications = counter({
  name: 'catchment_notifications_total',
  help: 'Tries to send a notification or a report to somebody: sent; failed, to be tried again; given up.',
  labels: ['channel', 'outcome'],
  known: CHANNELS.flatMap((channel) => OUTCOMES.map((outcome) => ({ channel, outcome }))),
});

/** This part of a failure may be logged. */
export type FailureFacts = Readonly<Record<string, string | number>>;

/**
 * One try to send a message.
 * @param ageMs since it was asked for
 * @returns undefined: it was sent; otherwise why it never will be
 * @throws RetryAfter when it is to be tried again
 */
export async function tryToSend(
  channel: SentBy,
  send: () => Promise<void>,
  failureOf: (error: unknown) => { readonly facts: FailureFacts; readonly isFinal: boolean },
  ageMs: number,
): Promise<FailureFacts | undefined> {
  try {
    await send();
    notifications.add({ channel, outcome: 'sent' });
    return undefined;
  } catch (error) {
    const { facts, isFinal } = failureOf(error);
    const waitMs = isFinal ? undefined : untilNextTry(ageMs);
    notifications.add({ channel, outcome: waitMs === undefined ? 'given_up' : 'failed' });
    // The text of the error may name people and logins.
    if (waitMs !== undefined) throw new RetryAfter(waitMs, { cause: new Error(`not sent: ${whyOf(facts)}`) });
    return facts;
  }
}

export const whyOf = (facts: FailureFacts): string => Object.values(facts).join(' ');
