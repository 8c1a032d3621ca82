import { DomainError, toDomainError } from '@catchment/errors';
import {
  type Context,
  commonTrace,
  extractTrace,
  type Logger,
  SpanKind,
  withRequestId,
  withSpan,
} from '@catchment/telemetry';
import type { JsMsg } from '@nats-io/jetstream';
import { DEAD_LETTER } from './dead-letter-headers.ts';
import { processDuration, readerOf, streamOf } from './reader-metrics.ts';

/** Handlers see such a message. */
export type BusMessage = {
  /** Subject without the installation's prefix. */
  readonly subject: string;
  readonly data: Uint8Array;
  /** Its sequence in the stream grows, and never repeats. A retried dead letter of DOMAIN has the one that it had. */
  readonly sequence: number;
  /** The message came with this sequence first: another one for a dead letter of a partition that is tried again. */
  readonly firstSequence: number;
  /** The message is a dead letter that is tried again: what came after it has been handled. */
  readonly isRetry: boolean;
  /** 1 on the first delivery. */
  readonly deliveries: number;
  readonly timeMs: number;
  /** The publisher's trace. */
  readonly trace: Context;
  /**
   * Makes a dead letter of a part of the message that can never be handled, so that the rest can: to be called before that is stored. The
   * same part again is the same dead letter.
   * @param key distinguishes the parts of a message
   * @param data a message that holds this part alone
   */
  readonly putAside: (key: string, data: Uint8Array, reason: string) => Promise<void>;
};

/**
 * Handles a batch; resolves when all of it is durable. May see a message again, so it is idempotent.
 * `signal` aborts well before the server would give the messages to another replica: a store write may not outlive it.
 */
export type BatchHandler = (messages: readonly BusMessage[], signal: AbortSignal) => Promise<void>;

/** @param part of the message; absent: all of it */
type DeadLetter = (message: JsMsg, reason: string, part?: DeadLetterPart) => Promise<void>;
export type DeadLetterPart = { readonly key: string; readonly data: Uint8Array };

/** Every loop over a durable consumer takes these arguments. */
export type LoopOptions = {
  readonly stream: string;
  readonly consumer: string;
  readonly maxBatch: number;
  /** Messages are handled alone, `maxBatch` of them at once, so that a slow one holds up no other. */
  readonly alone?: boolean;
  readonly workLimitMs: number;
  /** A message that was put aside meanwhile has the sequence and the time that it came with. */
  readonly keepsPosition?: boolean;
  /** Batches begin at least this far apart, unless the next one is full. */
  readonly gatherMs?: number;
  readonly stripPrefix: (subject: string) => string;
  readonly handle: BatchHandler;
  readonly deadLetter: DeadLetter;
  /** Acknowledges a message. @throws Error where the broker does not confirm it in time */
  readonly acknowledge: (message: JsMsg) => Promise<void>;
  /** Sends an acknowledgement. @param to where the message says that it goes */
  readonly acknowledgeAgain: (to: string) => void;
  /** Makes the consumer where there is none. @returns false for one that others remove on purpose: it stays away */
  readonly makeAgain: () => Promise<boolean>;
  readonly log: Logger;
};

/**
 * Hands a batch to the handler, in the trace of its messages or linked to the traces of several. Messages that are retried for
 * another reader are left out.
 */
export async function handleDelivered(delivered: readonly JsMsg[], options: LoopOptions): Promise<void> {
  const batch = delivered.filter(
    ({ headers }) => (headers?.get(DEAD_LETTER.reader) || options.consumer) === options.consumer,
  );
  const [first, ...others] = batch;
  if (!first) return;
  const messages = batch.map((message) => toBusMessage(message, options));
  const requestId = (others.length === 0 && first.headers?.get('x-request-id')) || '-';
  // The messages of one request stay in its trace, however many they are.
  const parent = commonTrace(messages.map(({ trace }) => trace));
  const linkedTraceparents = parent
    ? []
    : batch.map((message) => message.headers?.get('traceparent')).filter((text): text is string => !!text);
  const [stream, reader] = [streamOf(options.stream), readerOf(options.consumer)];
  const attributes = {
    'messaging.system.name': 'nats',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': stream,
    'messaging.consumer.group.name': reader,
    'messaging.batch.message_count': messages.length,
  };
  const beganMs = performance.now();
  const ended = (error_type: string) =>
    processDuration.observe(
      { messaging_destination_name: stream, messaging_consumer_group_name: reader, error_type },
      (performance.now() - beganMs) / 1_000,
    );
  const kind = SpanKind.CONSUMER;
  const span = { kind, attributes, ...(parent && { parent }), linkedTraceparents, workName: `${reader} handle` };
  await withRequestId(requestId, () =>
    withSpan(`process ${stream}`, span, async () => {
      // A signal of `AbortSignal.timeout` makes its error at its time, also when the work has ended long before.
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(tooSlow()), options.workLimitMs).unref();
      try {
        await options.handle(messages, limit.signal);
        ended('');
      } catch (error) {
        ended(toDomainError(error).kind);
        throw error;
      } finally {
        clearTimeout(timer);
      }
    }),
  );
}

/** A store that is slow for a while says nothing about the message: it is tried again without end, as while the store is away. */
const tooSlow = (): DomainError =>
  new DomainError('deadline_exceeded', 'TOO_SLOW', 'The work on messages took too long');

function toBusMessage(message: JsMsg, options: LoopOptions): BusMessage {
  const { stripPrefix, keepsPosition, deadLetter, consumer, log } = options;
  const header = (name: string) => message.headers?.get(name) || undefined;
  const original = (name: string) => (keepsPosition && Number(header(name))) || undefined;
  const firstSequence = Number(header(DEAD_LETTER.sequence)) || message.seq;
  return {
    subject: stripPrefix(message.subject),
    data: message.data,
    sequence: keepsPosition ? firstSequence : message.seq,
    firstSequence,
    isRetry: header(DEAD_LETTER.reader) !== undefined,
    deliveries: message.info.deliveryCount,
    timeMs: original(DEAD_LETTER.time) ?? Math.floor(message.info.timestampNanos / 1e6),
    trace: extractTrace({ traceparent: header('traceparent'), tracestate: header('tracestate') }),
    putAside: async (key, data, reason) => {
      await deadLetter(message, reason, { key, data });
      log.error(
        { consumer, subject: message.subject, sequence: message.seq, part: key, reason },
        'part of a message became a dead letter',
      );
    },
  };
}

/** Every message has it; the library's type does not say so. */
export const answerSubjectOf = (message: JsMsg): string => (message as JsMsg & { readonly reply: string }).reply;
