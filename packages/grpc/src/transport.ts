import { currentRequestId, injectTrace, isTraceKept, openSpan, SpanKind, withSpan } from '@catchment/telemetry';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { callerLeft, deadlineExceeded, peerUnavailable } from './call-ends.ts';
import { clientDuration, isCallFailure, isStreamFailure, measured, rpcSpan } from './rpc-metrics.ts';

export type CallOptions = {
  /** Signed caller context: of the API caller on whose behalf this is, or the service's own. */
  readonly token: string;
  /** Longest duration of the call; the smaller of this and `deadlineMs` applies. */
  readonly timeoutMs?: number;
  /** Caller's deadline, Unix ms. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** A peer that is not there is waited for until the deadline. Calls that travel together wait in any case. */
  readonly waitForReady?: boolean;
};

/** Promises and async iterables instead of callbacks and streams. Errors arrive as DomainError. */
export type GrpcClient<Definition> = {
  // Methods that carry calls are not called by themselves (`StreamedCalls`).
  [Method in keyof Definition as Definition[Method] extends { requestStream: true }
    ? never
    : Method]: Definition[Method] extends {
    responseStream: true;
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseDeserialize: (bytes: Buffer) => infer Response;
  }
    ? (request: Request, options: CallOptions) => AsyncIterable<Response>
    : Definition[Method] extends {
          requestDeserialize: (bytes: Buffer) => infer Request;
          responseDeserialize: (bytes: Buffer) => infer Response;
        }
      ? (request: Request, options: CallOptions) => Promise<Response>
      : never;
} & {
  close(): void;
  /** Resolves once the peer can be called; rejects when it cannot within the time. For readiness checks. */
  waitForReady(timeoutMs: number): Promise<void>;
};

const DEFAULT_TIMEOUT_MS = 10_000;
/** A peer that was there before is being replaced. */
export const RECONNECT_WAIT_MS = 2_000;
/** The kernel takes connections for a process that hangs: it says nothing on them, and the library would wait for it without end. */
export const CONNECT_WAIT_MS = 5_000;

export type Method = MethodDefinition<unknown, unknown>;

/** One call before it is known how it travels. */
export type OutgoingCall = {
  readonly name: string;
  readonly request: unknown;
  /** The keys are the names of metadata: authorization, x-request-id, traceparent, tracestate. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unix ms. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
  /** Alone only: a stream waits for its peer in any case. */
  readonly waitForReady: boolean;
};

/** A way to a peer. All errors are DomainErrors. */
export type Transport = {
  /**
   * A peer that cannot be reached at this moment, because it starts or is being replaced, is given a moment to come back before the call
   * fails.
   * @returns undefined where nothing is to be waited for
   */
  connected(call: OutgoingCall): Promise<unknown> | undefined;
  send(method: Method, call: OutgoingCall): Promise<unknown>;
  /** A reader that stops early stops the sender too. */
  read(method: Method, call: OutgoingCall): AsyncIterable<unknown>;
  close(): void;
  waitForReady(timeoutMs: number): Promise<void>;
};

/** Returns the methods of a service: what is true of all calls, whatever way they go. */
export function clientOver<Definition extends ServiceDefinition>(
  definition: Definition,
  transport: Transport,
): GrpcClient<Definition> {
  const way: Way = { transport, isClosed: false };
  const methods = Object.entries(definition)
    .filter(([, method]) => !method.requestStream)
    .map(([name, method]) => [name, (method.responseStream ? streaming : unary)(way, name, method)]);
  return {
    ...Object.fromEntries(methods),
    close: () => {
      way.isClosed = true;
      transport.close();
    },
    waitForReady: async (timeoutMs: number) => {
      if (way.isClosed) throw peerUnavailable();
      await transport.waitForReady(timeoutMs);
    },
  };
}

type Way = { readonly transport: Transport; isClosed: boolean };

function unary(way: Way, name: string, method: Method) {
  const call = async (request: unknown, options: CallOptions): Promise<unknown> => {
    const ended = measured(clientDuration, method.path);
    try {
      const call = outgoing(name, request, options);
      const waiting = reached(way, call);
      if (waiting) await waiting;
      const response = await way.transport.send(method, call);
      ended();
      return response;
    } catch (error) {
      ended(error);
      throw error;
    }
  };
  const { name: spanName, attributes } = rpcSpan(method.path);
  const settings = { kind: SpanKind.CLIENT, attributes, isFailure: isCallFailure };
  // A call of a trace that is not kept, as most are, costs what it did without spans.
  return (request: unknown, options: CallOptions): Promise<unknown> =>
    isTraceKept() ? withSpan(spanName, settings, () => call(request, options)) : call(request, options);
}

function streaming(way: Way, name: string, method: Method) {
  const { name: spanName, attributes } = rpcSpan(method.path);
  const settings = { kind: SpanKind.CLIENT, attributes, isFailure: isStreamFailure };
  return async function* (request: unknown, options: CallOptions): AsyncIterable<unknown> {
    const ended = measured(clientDuration, method.path);
    const span = openSpan(spanName, settings);
    let failure: unknown;
    try {
      const begin = () => outgoing(name, request, options);
      const call = span ? span.within(begin) : begin();
      const waiting = reached(way, call);
      if (waiting) await waiting;
      yield* way.transport.read(method, call);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      ended(failure);
      span?.end(failure);
    }
  };
}

/** @returns undefined where nothing is to be waited for: nothing comes between then and the call's way to its peer */
function reached({ transport, isClosed }: Way, call: OutgoingCall): Promise<void> | undefined {
  if (isClosed) throw peerUnavailable();
  return transport.connected(call)?.then(() => {
    if (call.signal?.aborted) throw callerLeft();
  });
}

function outgoing(name: string, request: unknown, options: CallOptions): OutgoingCall {
  const { token, timeoutMs = DEFAULT_TIMEOUT_MS, deadlineMs = Number.POSITIVE_INFINITY, signal } = options;
  const nowMs = Date.now();
  if (signal?.aborted) throw callerLeft();
  if (deadlineMs <= nowMs) throw deadlineExceeded();
  const requestId = currentRequestId();
  return {
    name,
    request,
    headers: { authorization: token, ...(requestId && { 'x-request-id': requestId }), ...injectTrace() },
    deadlineMs: Math.min(nowMs + timeoutMs, deadlineMs),
    signal,
    waitForReady: options.waitForReady ?? false,
  };
}
