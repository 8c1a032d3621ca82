import { ERROR_TABLE, isContentFault, toDomainError } from '@catchment/errors';

/** Outcome of one message. Each ends in exactly one verdict. */
export type Verdict =
  | { readonly kind: 'ack' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'dead_letter'; readonly reason: string };

/** Thrown by a handler that says itself when it wants the message again; the broker keeps it until then. */
export class RetryAfter extends Error {
  readonly delayMs: number;

  constructor(delayMs: number, options?: ErrorOptions) {
    super(`to be tried again after ${delayMs} ms`, options);
    this.name = 'RetryAfter';
    this.delayMs = delayMs;
  }
}

/** A message that fails for no known reason is tried this often before it becomes a dead letter. */
export const MAX_UNKNOWN_FAILURES = 6;
/** One at which a program of ours fails is tried this often: others wait behind it. */
export const MAX_PROGRAM_FAILURES = 2;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;

/** Doubling from a quarter of a second to 5 s: a dependency is used again soon after it came back. @param deliveries how often the message has been delivered, from 1 */
export const backoffMs = (deliveries: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(deliveries - 1, 10));

/**
 * Decides on a message whose handling threw. A dependency that is away is waited for without end (nothing is lost); an error of unknown
 * cause gets a bounded number of tries, few where a program of ours cannot handle it; bad content becomes a dead letter at once.
 */
export function verdictOf(error: unknown, deliveries: number): Verdict {
  if (error instanceof RetryAfter) return { kind: 'retry', delayMs: error.delayMs };
  const known = toDomainError(error);
  switch (ERROR_TABLE[known.kind].bus) {
    case 'ack':
      return { kind: 'ack' };
    case 'drop':
      return { kind: 'dead_letter', reason: `${known.reason}: ${known.message}` };
    case 'retry_later':
      return { kind: 'retry', delayMs: LONGEST_DELAY_MS };
    case 'retry':
      if (
        known.kind === 'internal' &&
        deliveries >= (isContentFault(known) ? MAX_PROGRAM_FAILURES : MAX_UNKNOWN_FAILURES)
      ) {
        return { kind: 'dead_letter', reason: `failed ${deliveries} times` };
      }
      return { kind: 'retry', delayMs: backoffMs(deliveries) };
  }
}
