import type { DELIVERY_STATUSES } from '@catchment/query';
import type { DisabledReason } from './webhook.ts';

const MINUTE_MS = 60_000;
/** A delivery waits this long after its failed tries; the try after the last wait is the last. */
const RETRY_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const;
/** A webhook is disabled after this many deliveries in a row were given up: twelve hours of failures. */
export const FAILURES_MAX = 20;
/** The log shows this many tries of a delivery; those by hand have no other bound. */
export const TRIES_MAX = 20;

/** The log shows this many characters of an answer. */
const ANSWER_MAX = 200;

/**
 * Returns the beginning of an answer as one line for people: without control characters, truncated. @returns undefined
 * for nothing
 */
export function answerText(bytes: Uint8Array): string | undefined {
  const line = new TextDecoder()
    .decode(bytes)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  const characters = [...line];
  if (characters.length === 0) return undefined;
  return characters.length <= ANSWER_MAX ? line : `${characters.slice(0, ANSWER_MAX - 1).join('')}…`;
}

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One try to send a delivery. */
export type Try = {
  readonly timeMs: number;
  readonly durationMs: number;
  /** Absent when no answer came. */
  readonly statusCode?: number;
  /** The delivery failed for this reason; absent where it arrived. For people, and nothing of it is secret. */
  readonly error?: string;
  /** The beginning of what was answered, for people; absent when that was nothing. */
  readonly answer?: string;
};

/** A try makes this of its delivery and its webhook. */
export type Outcome = {
  readonly status: DeliveryStatus;
  /** The next try. */
  readonly dueMs: number | undefined;
  readonly failedTries: number;
  /** This many deliveries of the webhook were given up in a row. */
  readonly failures: number;
  readonly disabled: DisabledReason | undefined;
};

const GONE = 410;

/**
 * Decides what follows from a try (docs/reference/events.md#retries). A try by hand is the only one, and is not counted when it fails.
 * @param before of the delivery and its webhook
 */
export function outcomeOf(
  attempt: Try,
  before: { readonly isByHand: boolean; readonly failedTries: number; readonly failures: number },
): Outcome {
  const { isByHand, failures } = before;
  if (attempt.error === undefined)
    return { status: 'DELIVERED', dueMs: undefined, failedTries: 0, failures: 0, disabled: undefined };
  const failedTries = before.failedTries + 1;
  const isGone = attempt.statusCode === GONE;
  const waitMs = isByHand || isGone ? undefined : RETRY_AFTER_MS[failedTries - 1];
  if (waitMs !== undefined) {
    const dueMs = attempt.timeMs + attempt.durationMs + waitMs;
    return { status: 'PENDING', dueMs, failedTries, failures, disabled: undefined };
  }
  const given = isByHand ? failures : failures + 1;
  const disabled = isGone ? 'GONE' : !isByHand && given >= FAILURES_MAX ? 'FAILURES' : undefined;
  return { status: 'FAILED', dueMs: undefined, failedTries, failures: given, disabled };
}
