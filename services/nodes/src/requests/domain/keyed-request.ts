import { DomainError, invalid } from '@catchment/errors';

/** An answer is kept so long. */
export const KEPT_HOURS = 24;
/** An account may have kept so much: more is refused, since no answer may be forgotten before its time. */
export const MOST_OF_ACCOUNT = { requests: 100_000, bytes: 64 * 1024 * 1024 } as const;
/** No client hears earlier that there is room again: answers leave one by one. */
const RETRY_SECONDS = 600;

export type Answer = {
  readonly status: number;
  readonly contentType: string;
  /** undefined = it was too large to be kept. */
  readonly body: Uint8Array | undefined;
  readonly bodySha256: Uint8Array;
};

/** The store knows this of a request that came before. */
export type KnownRequest = {
  readonly requestId: string;
  readonly headSha256: Uint8Array;
  readonly bodySha256: Uint8Array | undefined;
  readonly arrivalMs: number;
  readonly tryNumber: number;
  readonly isHeld: boolean;
  /** The last try has died: nobody knows what came of it. */
  readonly hasDied: boolean;
  /** A try has changed something here. */
  readonly isDone: boolean;
  readonly answer: Answer | undefined;
};

export type AskedRequest = {
  readonly headSha256: Uint8Array;
  /** Empty: not known yet. */
  readonly bodySha256: Uint8Array;
  readonly isRepeatable: boolean;
};

/**
 * Decides what becomes of a request whose key has come before.
 * @throws DomainError invalid_argument: the key is another request's, or what was answered is lost
 */
export function nextStep(known: KnownRequest, asked: AskedRequest): 'answer' | 'wait' | 'run' {
  const isSame =
    isEqual(known.headSha256, asked.headSha256) &&
    (known.bodySha256 === undefined || asked.bodySha256.length === 0 || isEqual(known.bodySha256, asked.bodySha256));
  if (!isSame)
    throw invalid(
      'IDEMPOTENCY_KEY_REUSED',
      'Idempotency-Key: was sent with another request; each request needs a key of its own',
    );
  if (known.answer) return 'answer';
  if (known.isHeld) return 'wait';
  if (known.isDone || (known.hasDied && !asked.isRepeatable))
    throw invalid(
      'ANSWER_LOST',
      `Idempotency-Key: the request with this key ${known.isDone ? 'was' : 'may have been'} carried out, but its answer is lost; look for what it has made, and send what is missing with another key`,
    );
  return 'run';
}

/** @throws DomainError resource_exhausted */
export function checkRoom(kept: { readonly requests: number; readonly bytes: number }): void {
  if (kept.requests < MOST_OF_ACCOUNT.requests && kept.bytes < MOST_OF_ACCOUNT.bytes) return;
  throw new DomainError(
    'resource_exhausted',
    'TOO_MANY_KEYED_REQUESTS',
    `Idempotency-Key: the account has had ${MOST_OF_ACCOUNT.requests} requests with keys in ${KEPT_HOURS} hours, or answers of ${MOST_OF_ACCOUNT.bytes} bytes; send it without a key, or later`,
    { retryAfterSeconds: RETRY_SECONDS },
  );
}

const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;
