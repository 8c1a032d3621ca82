import { type DomainError, received, toDomainError } from '@catchment/errors';
import { inAccount } from '@catchment/fair-queue';
import { extractTrace, type Logger, SpanKind, withRequestId, withSpan } from '@catchment/telemetry';
import { accountOf } from './admission.ts';
import type { CallerVerifier } from './caller-token.ts';
import type { CallContext, StreamHandler, UnaryHandler } from './handlers.ts';
import { inKeyedRequest } from './keyed-request.ts';
import { isCallFailure, isStreamFailure, measured, rpcSpan, serverDuration } from './rpc-metrics.ts';

/** A caller's deadline ends before ours: counted from when the call arrived. */
const ON_ITS_WAY_MS = 1_000;

/** A call as it comes to its handler, by whatever way. */
export type IncomingCall = {
  readonly request: unknown;
  readonly token: string;
  readonly requestId: string;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** Unix ms; Infinity without one. */
  readonly deadlineMs: number;
  /** Aborted when the caller left or the deadline passed. */
  readonly signal: AbortSignal;
};

/** A method with one answer, and one whose answer is a stream. */
export type ServedUnary = { readonly path: string; readonly handler: UnaryHandler<unknown, unknown> };
export type ServedStream = { readonly path: string; readonly handler: StreamHandler<unknown, unknown> };

/** The messages of a stream go here. */
export type Sink = {
  /** @returns undefined while there is room; else resolves when there is, and rejects once the call is aborted */
  write(message: unknown): Promise<unknown> | undefined;
  /** Resolves when all messages have left: a caller that goes away before has not got them all. */
  end(): Promise<unknown> | undefined;
  /** Tells why the stream was aborted before its deadline. */
  whyAborted(): Aborted;
};
/** A caller knows why it left, and it is no fault: an answer that a client had already, a person who left a page. */
type Aborted = { readonly reason: 'drain' | 'connection lost' | 'caller left'; readonly peer?: string };

/**
 * Runs handlers, by whatever way their calls come: every call is authenticated by its signed caller context before its handler runs, and is
 * traced, measured and counted for its account; errors leave by the table of @catchment/errors, and `internal` ones are logged whole, once.
 */
export class CallRunner {
  readonly #verifier: CallerVerifier;
  readonly #log: Logger;

  constructor({ verifier, log }: { readonly verifier: CallerVerifier; readonly log: Logger }) {
    this.#verifier = verifier;
    this.#log = log;
  }

  /** @throws DomainError */
  answer({ path, handler }: ServedUnary, call: IncomingCall): Promise<unknown> {
    return this.#run(path, call, (context) =>
      inAccount(accountOf(context.caller, call.request), () => handler(call.request, context)),
    );
  }

  /** @throws DomainError after the messages before it are written */
  stream({ path, handler }: ServedStream, call: IncomingCall, sink: Sink): Promise<void> {
    const progress = { sink, beganMs: performance.now(), messages: 0 };
    const write = async (context: CallContext) => {
      for await (const message of handler(call.request, context)) {
        call.signal.throwIfAborted();
        progress.messages += 1;
        const room = sink.write(message);
        if (!room) continue;
        await room;
        call.signal.throwIfAborted();
      }
      await sink.end();
    };
    return this.#run(
      path,
      call,
      (context) => inAccount(accountOf(context.caller, call.request), () => write(context)),
      progress,
    );
  }

  async #run<T>(
    path: string,
    { token, requestId, traceparent, tracestate, deadlineMs, signal }: IncomingCall,
    work: (context: CallContext) => Promise<T>,
    progress?: Progress,
  ): Promise<T> {
    const parent = extractTrace({ traceparent, tracestate });
    const attributes = () => rpcSpan(path).attributes;
    // A caller that leaves a stream, or lets it end, has what it wanted.
    const isFailure = (error: unknown) =>
      !(signal.aborted && progress) && (progress ? isStreamFailure : isCallFailure)(error);
    return withRequestId(requestId, () =>
      withSpan(path.slice(1), { kind: SpanKind.SERVER, parent, attributes, isFailure }, async () => {
        const ended = measured(serverDuration, path);
        try {
          const caller = await this.#verifier.verify(token);
          const context = { caller, token, signal, deadlineMs, log: this.#log };
          const result = await inKeyedRequest(caller, () => work(context));
          ended();
          return result;
        } catch (error) {
          const known = ofThisCall(toDomainError(error), deadlineMs);
          ended(known);
          if (progress && (progress.messages > 0 || signal.aborted))
            this.#reportBroken(path, { error, known, isAborted: signal.aborted, deadlineMs, ...progress });
          else if (known.kind === 'internal' && !signal.aborted)
            this.#log.error({ err: error, rpc: path }, 'call failed');
          throw known;
        }
      }),
    );
  }

  /** Logs one line for a stream that ended before its end. */
  #reportBroken(rpc: string, { error, known, isAborted, deadlineMs, sink, beganMs, messages }: BrokenStream): void {
    const line = { rpc, messages, durationMs: Math.round(performance.now() - beganMs) };
    const text = 'stream broken off';
    if (!isAborted) {
      const level = known.kind === 'internal' ? 'error' : 'warn';
      this.#log[level]({ ...line, reason: 'handler failed', kind: known.kind, err: error }, text);
    } else if (Date.now() >= deadlineMs - ON_ITS_WAY_MS) this.#log.warn({ ...line, reason: 'deadline' }, text);
    else {
      const why = sink.whyAborted();
      this.#log[why.reason === 'caller left' ? 'debug' : 'warn']({ ...line, ...why }, text);
    }
  }
}

/**
 * A deadline that is exceeded while time is left belongs to a call of the handler: to a peer or a store that is silent. Unchanged, it would
 * mean that the request was too large.
 */
const ofThisCall = (error: DomainError, deadlineMs: number): DomainError =>
  error.kind === 'deadline_exceeded' && Date.now() < deadlineMs - ON_ITS_WAY_MS
    ? received(
        { kind: 'unavailable', reason: error.reason, message: 'Service temporarily unavailable' },
        { cause: error },
      )
    : error;

/** Progress of a stream. */
type Progress = { readonly sink: Sink; readonly beganMs: number; messages: number };
type BrokenStream = Progress & {
  readonly error: unknown;
  readonly known: DomainError;
  readonly isAborted: boolean;
  readonly deadlineMs: number;
};
