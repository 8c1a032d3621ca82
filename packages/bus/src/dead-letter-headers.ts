/** Headers of dead letters and of messages that were made of them again. */
export const DEAD_LETTER = {
  /** The subject of the message when it came first, with the installation's prefix. */
  subject: 'x-original-subject',
  sequence: 'x-original-sequence',
  /** Unix ms. */
  time: 'x-original-time',
  reason: 'x-reason',
  /** The durable consumer that a retried message is for: every other one passes it over. */
  reader: 'x-reader',
  /** The number of the dead letter that a message was made of. */
  retryOf: 'x-retry-of',
} as const;
