import { once } from 'node:events';
import { DomainError, received, toDomainError } from '@catchment/errors';
import { inAccount } from '@catchment/fair-queue';
import { extractTrace, type Logger, SpanKind, withRequestId, withSpan } from '@catchment/telemetry';
import {
  type Deadline,
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  type Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { accountOf } from './admission.ts';
import type { CallsMessage, OutcomesMessage, StreamedCall } from './call-stream.ts';
import { answerCalls, type IncomingCall } from './call-stream-server.ts';
import type { CallerVerifier } from './caller-token.ts';
import { CONNECTION_AGE_MS, grpcServerOptions } from './channel-options.ts';
import { toGrpcStatus } from './grpc-errors.ts';
import type { CallContext, Handlers, StreamHandler, UnaryHandler } from './handlers.ts';
import type { KeepAlive } from './keep-alive.ts';
import { measured, rpcAttributes, rpcName, serverDuration } from './rpc-metrics.ts';
import { ServerConnections } from './server-connections.ts';
import { createWideServer } from './wide-server.ts';

export type GrpcServer = { readonly port: number; close(): Promise<void> };

/** A caller's deadline ends before ours: counted from when the call arrived. */
const ON_ITS_WAY_MS = 1_000;

export type ServerSettings = {
  readonly verifier: CallerVerifier;
  readonly log: Logger;
  /** After this time a connection takes no new calls, so that clients find new replicas. */
  readonly connectionAgeMs?: number;
  readonly keepAlive?: KeepAlive;
  readonly drainMs?: number;
};

/** Calls in flight may finish within this time when the server closes. */
const DRAIN_MS = 15_000;

/**
 * Collects services and serves them. Every call is authenticated by its signed caller context before its handler runs;
 * errors leave by the table of @catchment/errors; `internal` ones are logged whole, once.
 */
export class GrpcServerBuilder {
  readonly #server: Server;
  readonly #connections: ServerConnections;
  readonly #verifier: CallerVerifier;
  readonly #log: Logger;
  readonly #drainMs: number;
  #isForced = false;
  /** Aborted when the server closes: streams of calls begin no more of them. */
  readonly #closing = new AbortController();

  constructor(options: ServerSettings) {
    this.#verifier = options.verifier;
    this.#log = options.log;
    this.#drainMs = options.drainMs ?? DRAIN_MS;
    this.#connections = new ServerConnections(options.log, options.keepAlive);
    this.#server = createWideServer(grpcServerOptions(options.connectionAgeMs ?? CONNECTION_AGE_MS), (session) =>
      this.#connections.add(session),
    );
  }

  add<Definition extends ServiceDefinition>(definition: Definition, handlers: Handlers<Definition>): this {
    const implementation: UntypedServiceImplementation = {};
    const all = handlers as Readonly<Record<string, unknown>>;
    for (const [name, { path, requestStream, responseStream }] of Object.entries(definition)) {
      if (requestStream)
        implementation[name] = this.#calls(definition, all as Record<string, UnaryHandler<unknown, unknown>>);
      else if (responseStream) implementation[name] = this.#stream(path, all[name] as StreamHandler<unknown, unknown>);
      else implementation[name] = this.#unary(path, all[name] as UnaryHandler<unknown, unknown>);
    }
    this.#server.addService(definition, implementation);
    return this;
  }

  /** @param options.port 0 = any free port */
  async listen(options: { host: string; port: number }): Promise<GrpcServer> {
    const port = await new Promise<number>((resolve, reject) =>
      this.#server.bindAsync(`${options.host}:${options.port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    return { port, close: () => this.#close() };
  }

  async #close(): Promise<void> {
    const limit = setTimeout(() => {
      this.#isForced = true;
      this.#server.forceShutdown();
    }, this.#drainMs);
    this.#closing.abort();
    await new Promise<void>((resolve) => this.#server.tryShutdown(() => resolve()));
    clearTimeout(limit);
  }

  #unary(path: string, handler: UnaryHandler<unknown, unknown>): handleUnaryCall<unknown, unknown> {
    return (call, callback) => {
      const { incoming, signal, finish } = arrived(call);
      this.#run(path, incoming, signal, (context) =>
        inAccount(accountOf(context.caller, call.request), () => handler(call.request, context)),
      )
        .finally(finish)
        .then(
          (response) => callback(null, response),
          (error: unknown) => callback(toGrpcStatus(error)),
        );
    };
  }

  /** Each call of the stream goes to the handler of its name. */
  #calls(
    definition: ServiceDefinition,
    handlers: Readonly<Record<string, UnaryHandler<unknown, unknown>>>,
  ): handleBidiStreamingCall<CallsMessage, OutcomesMessage> {
    const run = ({ request }: StreamedCall, incoming: IncomingCall, signal: AbortSignal) =>
      this.#run(definition[request?.$case ?? '']?.path ?? '/unknown', incoming, signal, async (context) => {
        const handler = request && handlers[request.$case];
        if (!handler) throw new DomainError('unimplemented', 'UNKNOWN_CALL', 'The call is of a newer version');
        return inAccount(accountOf(context.caller, request.value), () => handler(request.value, context));
      });
    return answerCalls(run, this.#closing.signal);
  }

  #stream(path: string, handler: StreamHandler<unknown, unknown>): handleServerStreamingCall<unknown, unknown> {
    return (call) => {
      const { incoming, signal, finish } = arrived(call);
      const progress = { peer: call.getPeer(), beganMs: performance.now(), messages: 0 };
      this.#run(
        path,
        incoming,
        signal,
        (context) =>
          inAccount(accountOf(context.caller, call.request), async () => {
            for await (const message of handler(call.request, context)) {
              signal.throwIfAborted();
              progress.messages += 1;
              if (!call.write(message)) await once(call, 'drain', { signal });
            }
            // Only bytes passed to the connection are sent: a caller that left before has not got them all.
            call.end();
            if (!call.writableFinished) await once(call, 'finish', { signal });
          }),
        progress,
      )
        .finally(finish)
        // The status of a broken stream reaches the client, so it never takes it for a complete answer.
        .catch((error: unknown) => call.emit('error', toGrpcStatus(error)));
    };
  }

  async #run<T>(
    path: string,
    { token, requestId, traceparent, tracestate, deadlineMs }: IncomingCall,
    signal: AbortSignal,
    work: (context: CallContext) => Promise<T>,
    progress?: Progress,
  ): Promise<T> {
    const parent = extractTrace({ traceparent, tracestate });
    return withRequestId(requestId, () =>
      withSpan(path.slice(1), { kind: SpanKind.SERVER, parent, attributes: rpcAttributes(rpcName(path)) }, async () => {
        const ended = measured(serverDuration, path);
        try {
          const caller = await this.#verifier.verify(token);
          const result = await work({ caller, token, signal, deadlineMs, log: this.#log });
          ended();
          return result;
        } catch (error) {
          const known = ofThisCall(toDomainError(error), deadlineMs);
          ended(known);
          if (progress && (progress.messages > 0 || signal.aborted))
            this.#tellBroken(path, { error, known, isAborted: signal.aborted, deadlineMs, ...progress });
          else if (known.kind === 'internal' && !signal.aborted)
            this.#log.error({ err: error, rpc: path }, 'call failed');
          throw known;
        }
      }),
    );
  }

  /** One line for a stream that ended before its end. */
  #tellBroken(rpc: string, { error, known, isAborted, deadlineMs, peer, beganMs, messages }: BrokenStream): void {
    const line = { rpc, messages, durationMs: Math.round(performance.now() - beganMs) };
    const text = 'stream broken off';
    if (!isAborted) {
      const level = known.kind === 'internal' ? 'error' : 'warn';
      this.#log[level]({ ...line, reason: 'handler failed', kind: known.kind, err: error }, text);
    } else if (Date.now() >= deadlineMs - ON_ITS_WAY_MS) this.#log.warn({ ...line, reason: 'deadline' }, text);
    else if (this.#isForced) this.#log.warn({ ...line, reason: 'drain' }, text);
    else if (!this.#connections.has(peer)) this.#log.warn({ ...line, reason: 'connection lost', peer }, text);
    // The caller knows why, and it is no fault: an answer that a client had already, a person who left a page.
    else this.#log.debug({ ...line, reason: 'caller left' }, text);
  }
}

/**
 * While there is time left, an exceeded deadline belongs to a call of the handler: to a peer or a store that is
 * silent. Unchanged, it would mean that the request was too large.
 */
const ofThisCall = (error: DomainError, deadlineMs: number): DomainError =>
  error.kind === 'deadline_exceeded' && Date.now() < deadlineMs - ON_ITS_WAY_MS
    ? received(
        { kind: 'unavailable', reason: error.reason, message: 'Service temporarily unavailable' },
        { cause: error },
      )
    : error;

/** Progress of a stream. */
type Progress = { readonly peer: string; readonly beganMs: number; messages: number };
type BrokenStream = Progress & {
  readonly error: unknown;
  readonly known: DomainError;
  readonly isAborted: boolean;
  readonly deadlineMs: number;
};

type GrpcCall = {
  readonly metadata: Metadata;
  getDeadline(): Deadline;
  on(event: 'cancelled', listener: () => void): unknown;
};

/** A call by itself; `finish` when its handler has ended. */
function arrived(call: GrpcCall): { incoming: IncomingCall; signal: AbortSignal; finish: () => void } {
  const aborted = new AbortController();
  let isDone = false;
  // grpc-js says so at the end of every call; only before its end does it mean that the caller left.
  call.on('cancelled', () => {
    if (!isDone) aborted.abort(new DomainError('cancelled', 'CALLER_LEFT', 'The caller left'));
  });
  const text = (name: string): string | undefined => call.metadata.get(name)[0]?.toString();
  const incoming = {
    token: text('authorization') ?? '',
    requestId: text('x-request-id') ?? '-',
    traceparent: text('traceparent'),
    tracestate: text('tracestate'),
    deadlineMs: toMs(call.getDeadline()),
  };
  const finish = () => {
    isDone = true;
  };
  return { incoming, signal: aborted.signal, finish };
}

const toMs = (deadline: Deadline): number => (deadline instanceof Date ? deadline.getTime() : deadline);
