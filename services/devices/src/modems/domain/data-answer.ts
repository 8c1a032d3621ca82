import type { DomainError } from '@catchment/errors';
import { isRefusal, MAX_INTERNAL_FAILURES } from '../../sources/index.ts';

/** A modem gets this answer to a data message. */
export type DataAnswer =
  /** The log has it, now or since an earlier connection. */
  | { readonly type: 'ack'; readonly seq: number }
  /** It can never be taken: the modem drops it. */
  | { readonly type: 'nack'; readonly seq: number; readonly message: string }
  /** The modem keeps the message, and sends it again after the wait. */
  | { readonly type: 'busy'; readonly seq: number; readonly retryAfterSeconds: number; readonly message: string };

const RETRY_SECONDS = 30;
/** A source that is switched off stays so for longer. */
export const DISABLED_RETRY_SECONDS = 300;

/** Answer after a write that failed. @param failures how often this message has failed on this connection, from 1 */
export function answerToFailure(seq: number, error: DomainError, failures: number): DataAnswer {
  if (isRefusal(error.kind)) return { type: 'nack', seq, message: error.message };
  if (error.kind === 'internal' && failures >= MAX_INTERNAL_FAILURES) {
    return { type: 'nack', seq, message: `failed ${failures} times: ${error.message}` };
  }
  return { type: 'busy', seq, retryAfterSeconds: RETRY_SECONDS, message: error.message };
}
