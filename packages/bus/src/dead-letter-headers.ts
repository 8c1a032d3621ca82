import type { JsMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';

/** Headers of dead letters and of messages that were made of them again. */
export const DEAD_LETTER = {
  /** The message came first with this subject, the installation's prefix included. */
  subject: 'x-original-subject',
  sequence: 'x-original-sequence',
  /** Unix ms. */
  time: 'x-original-time',
  reason: 'x-reason',
  /** A retried message is for this durable consumer: every other one passes it over. */
  reader: 'x-reader',
  /** A message was made of the dead letter of this number. */
  retryOf: 'x-retry-of',
} as const;

/** Returns the headers of the dead letter of a message: those that it came with, and where it comes from. */
export function deadLetterHeaders(message: JsMsg, reason: string): MsgHdrs {
  const marked = headers();
  for (const name of message.headers?.keys() ?? [])
    if (!name.startsWith('Nats-')) marked.set(name, message.headers?.get(name) ?? '');
  // One that was retried keeps its position and time.
  if (!marked.has(DEAD_LETTER.sequence)) {
    marked.set(DEAD_LETTER.subject, message.subject);
    marked.set(DEAD_LETTER.sequence, String(message.seq));
    marked.set(DEAD_LETTER.time, String(Math.floor(message.info.timestampNanos / 1e6)));
  }
  marked.set(DEAD_LETTER.reason, reason.replace(/[\r\n]+/g, ' ').slice(0, 500));
  return marked;
}
