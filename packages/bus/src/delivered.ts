import { type Context, extractTrace, type Logger, SpanKind, withRequestId, withSpan } from '@catchment/telemetry';
import type { JsMsg } from '@nats-io/jetstream';

/** A message as handlers see it. */
export type BusMessage = {
  /** Without the installation's prefix. */
  readonly subject: string;
  readonly data: Uint8Array;
  /** Sequence in its stream: grows, never repeats. */
  readonly sequence: number;
  /** 1 on the first delivery. */
  readonly deliveries: number;
  readonly timeMs: number;
  /** The publisher's trace. */
  readonly trace: Context;
};

/**
 * Handles a batch; resolves when all of it is durable. May see a message again, so it is idempotent.
 * `signal` aborts well before the server would give the messages to another replica: a store write may not outlive it.
 */
export type BatchHandler = (messages: readonly BusMessage[], signal: AbortSignal) => Promise<void>;

export type DeadLetter = (message: JsMsg, reason: string) => Promise<void>;

/** Arguments of every loop over a durable consumer. */
export type LoopOptions = {
  readonly stream: string;
  readonly consumer: string;
  readonly maxBatch: number;
  /** Messages are handled alone, `maxBatch` of them at once, so that a slow one holds up no other. */
  readonly alone?: boolean;
  readonly workLimitMs: number;
  /** Shortest time from the beginning of one batch to that of the next, unless the next one is full. */
  readonly gatherMs?: number;
  readonly stripPrefix: (subject: string) => string;
  readonly handle: BatchHandler;
  readonly deadLetter: DeadLetter;
  readonly log: Logger;
};

/** Hands a batch to the handler, in the trace of its message or linked to the traces of several. */
export function handleDelivered(batch: readonly JsMsg[], options: LoopOptions): Promise<void> {
  const messages = batch.map((message) => toBusMessage(message, options.stripPrefix));
  const [first, ...others] = batch;
  const requestId = (others.length === 0 && first?.headers?.get('x-request-id')) || '-';
  const parent = others.length === 0 ? messages[0]?.trace : undefined;
  const linkedTraceparents = parent
    ? []
    : batch.map((one) => one.headers?.get('traceparent')).filter((text): text is string => !!text);
  return withRequestId(requestId, () =>
    withSpan(
      `${options.consumer.replace(/-\d+$/, '')} handle`,
      { kind: SpanKind.CONSUMER, ...(parent && { parent }), linkedTraceparents },
      () => options.handle(messages, AbortSignal.timeout(options.workLimitMs)),
    ),
  );
}

function toBusMessage(message: JsMsg, stripPrefix: LoopOptions['stripPrefix']): BusMessage {
  const header = (name: string) => message.headers?.get(name) || undefined;
  return {
    subject: stripPrefix(message.subject),
    data: message.data,
    sequence: message.seq,
    deliveries: message.info.deliveryCount,
    timeMs: Math.floor(message.info.timestampNanos / 1e6),
    trace: extractTrace({ traceparent: header('traceparent'), tracestate: header('tracestate') }),
  };
}
