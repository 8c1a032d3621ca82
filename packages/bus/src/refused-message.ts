import { DomainError, type Reason } from '@catchment/errors';
import { type Logger, reportRefusedWrite } from '@catchment/telemetry';
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { isSubject } from './streams.ts';

const REASON = 'MESSAGE_REFUSED' satisfies Reason;
/** A message that is larger than its stream allows has this error code of JetStream. */
const LARGER_THAN_STREAM_ALLOWS = 10_054;

/** JetStream has these error codes for what has no room: a server, an account, its storage; a stream that could not store it says why. */
const NO_ROOM = new Set([10_023, 10_028, 10_047]);
const NOT_STORED = 10_077;

const UNCONNECTED = [errors.ClosedConnectionError, errors.DrainingConnectionError, errors.ConnectionError];

/**
 * Reports that a stream did not take a message. Without a connection there is nobody who could have refused it.
 * @param stream without the installation's prefix
 */
export function reportRefusal(log: Pick<Logger, 'error'>, stream: string, cause: unknown): void {
  if (UNCONNECTED.some((kind) => cause instanceof kind)) return;
  const says = cause instanceof Error ? cause.message || cause.name : String(cause);
  const { code } = cause as { code?: unknown };
  const isApi = cause instanceof JetStreamApiError;
  const isFull = isApi && (NO_ROOM.has(code as number) || (code === NOT_STORED && /maximum|no space/i.test(says)));
  const reason = isFull ? 'full' : isApi ? 'other' : 'silent';
  reportRefusedWrite(log, { store: 'nats', part: stream, reason, says });
}

/**
 * Returns the error of a message that the broker will never take, however often it is tried; undefined where another try may help.
 * A stream that is full, missing for a moment, or without a leader is such a case.
 */
export function refusedMessage(subject: string, cause: unknown): DomainError | undefined {
  const why = refusal(subject, cause);
  return why === undefined
    ? undefined
    : new DomainError('internal', REASON, `broker refuses message: ${why}`, { cause });
}

/** Returns whether `publish` failed for good. */
export const isRefusedMessage = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.reason === REASON;

function refusal(subject: string, cause: unknown): string | undefined {
  if (cause instanceof errors.InvalidArgumentError || cause instanceof errors.InvalidSubjectError) return cause.message;
  if (cause instanceof JetStreamApiError && cause.code === LARGER_THAN_STREAM_ALLOWS) return cause.message;
  // Nobody answered for the subject: JetStream is away, or no stream of ours takes it.
  if (cause instanceof errors.NoRespondersError && !isSubject(subject)) return 'no stream takes its subject';
  return undefined;
}
