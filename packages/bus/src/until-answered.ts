import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { JetStreamApiError } from '@nats-io/jetstream';
import { NoRespondersError, RequestError, TimeoutError } from '@nats-io/transport-node';

/** A cluster that elects leaders, or copies streams to further servers, answers later. */
const ANSWER_LIMIT_MS = 60_000;
const PAUSE_MS = 500;
/** NATS says «temporarily unavailable» with this code, as HTTP does. */
const UNAVAILABLE = 503;

type AnswerWait = { readonly limitMs?: number; readonly pauseMs?: number; readonly signal?: AbortSignal | undefined };

/**
 * Repeats what may be repeated until the broker has answered it.
 * @throws what it answered, or its silence after a minute; when `signal` is aborted
 */
export async function untilAnswered<T>(
  log: Pick<Logger, 'warn'>,
  ask: () => Promise<T>,
  { limitMs = ANSWER_LIMIT_MS, pauseMs = PAUSE_MS, signal }: AnswerWait = {},
): Promise<T> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await ask();
    } catch (err) {
      if (!isNoAnswer(err) || performance.now() > untilMs) throw err;
      log.warn({ err }, 'the broker does not answer for its streams yet');
      await delay(pauseMs, undefined, { ...(signal && { signal }) });
    }
  }
}

const isNoAnswer = (error: unknown): boolean =>
  error instanceof TimeoutError ||
  error instanceof NoRespondersError ||
  error instanceof RequestError ||
  (error instanceof DomainError && isNoAnswer(error.cause)) ||
  (error instanceof JetStreamApiError && error.status === UNAVAILABLE);
