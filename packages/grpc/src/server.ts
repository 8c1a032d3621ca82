import { once } from 'node:events';
import { DomainError, toDomainError, toGrpcStatus } from '@catchment/errors';
import { inAccount } from '@catchment/fair-queue';
import { extractTrace, type Logger, SpanKind, withRequestId, withSpan } from '@catchment/telemetry';
import {
  type Deadline,
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { accountOf } from './admission.ts';
import type { CallsMessage, OutcomesMessage, StreamedCall } from './call-stream.ts';
import { answerCalls, type IncomingCall } from './call-stream-server.ts';
import type { Caller, CallerVerifier } from './caller.ts';
import { GRPC_SERVER_OPTIONS } from './channel-options.ts';
import { createWideServer } from './wide-server.ts';

/** What a handler knows of a call besides its request. */
export type CallContext = {
  readonly caller: Caller;
  /** The caller's signed context, to be handed on by calls made on the caller's behalf. */
  readonly token: string;
  /** Aborted when the caller left or the deadline passed. */
  readonly signal: AbortSignal;
  /** Unix ms; Infinity without one. */
  readonly deadlineMs: number;
  readonly log: Logger;
};

type UnaryHandler<Request, Response> = (request: Request, context: CallContext) => Promise<Response>;
type StreamHandler<Request, Response> = (request: Request, context: CallContext) => AsyncIterable<Response>;

/** The handlers of a service, by the shape of its definition. A method that carries calls (call-stream.ts) has none of its own. */
export type Handlers<Definition> = {
  [Method in keyof Definition as Definition[Method] extends { requestStream: true }
    ? never
    : Method]: Definition[Method] extends {
    responseStream: true;
    requestDeserialize: (bytes: Buffer) => infer Request;
    responseDeserialize: (bytes: Buffer) => infer Response;
  }
    ? StreamHandler<Request, Response>
    : Definition[Method] extends {
          requestDeserialize: (bytes: Buffer) => infer Request;
          responseDeserialize: (bytes: Buffer) => infer Response;
        }
      ? UnaryHandler<Request, Response>
      : never;
};

export type GrpcServer = { readonly port: number; close(): Promise<void> };

/** Calls in flight may finish within this time when the server closes. */
const DRAIN_MS = 15_000;

/**
 * Collects services and serves them. Every call is authenticated by its signed caller context before its handler runs;
 * errors leave by the table of @catchment/errors; `internal` ones are logged whole, once.
 */
export class GrpcServerBuilder {
  readonly #server = createWideServer({ ...GRPC_SERVER_OPTIONS });
  readonly #verifier: CallerVerifier;
  readonly #log: Logger;
  /** Aborted when the server closes: streams of calls begin no more of them. */
  readonly #closing = new AbortController();

  constructor(options: { verifier: CallerVerifier; log: Logger }) {
    this.#verifier = options.verifier;
    this.#log = options.log;
  }

  add<Definition extends ServiceDefinition>(definition: Definition, handlers: Handlers<Definition>): this {
    const implementation: UntypedServiceImplementation = {};
    const all = handlers as Readonly<Record<string, unknown>>;
    for (const [name, { path, requestStream, responseStream }] of Object.entries(definition)) {
      if (requestStream)
        implementation[name] = this.#calls(path, all as Record<string, UnaryHandler<unknown, unknown>>);
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
    const limit = setTimeout(() => this.#server.forceShutdown(), DRAIN_MS);
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
    path: string,
    handlers: Readonly<Record<string, UnaryHandler<unknown, unknown>>>,
  ): handleBidiStreamingCall<CallsMessage, OutcomesMessage> {
    const run = ({ request }: StreamedCall, incoming: IncomingCall, signal: AbortSignal) =>
      this.#run(`${path}/${request?.$case}`, incoming, signal, async (context) => {
        const handler = request && handlers[request.$case];
        if (!handler) throw new DomainError('unimplemented', 'UNKNOWN_CALL', 'The call is of a newer version');
        return inAccount(accountOf(context.caller, request.value), () => handler(request.value, context));
      });
    return answerCalls(run, this.#closing.signal);
  }

  #stream(path: string, handler: StreamHandler<unknown, unknown>): handleServerStreamingCall<unknown, unknown> {
    return (call) => {
      const { incoming, signal, finish } = arrived(call);
      this.#run(path, incoming, signal, (context) =>
        inAccount(accountOf(context.caller, call.request), async () => {
          for await (const message of handler(call.request, context)) {
            signal.throwIfAborted();
            if (!call.write(message)) await once(call, 'drain', { signal });
          }
        }),
      )
        .finally(finish)
        .then(
          () => call.end(),
          // The status of a broken stream reaches the client, so it never takes it for a complete answer.
          (error: unknown) => call.emit('error', toGrpcStatus(error)),
        );
    };
  }

  async #run<T>(
    path: string,
    { token, requestId, traceparent, tracestate, deadlineMs }: IncomingCall,
    signal: AbortSignal,
    work: (context: CallContext) => Promise<T>,
  ): Promise<T> {
    const parent = extractTrace({ traceparent, tracestate });
    return withRequestId(requestId, () =>
      withSpan(path.slice(1), { kind: SpanKind.SERVER, parent }, async () => {
        try {
          const caller = await this.#verifier.verify(token);
          return await work({ caller, token, signal, deadlineMs, log: this.#log });
        } catch (error) {
          const known = toDomainError(error);
          if (known.kind === 'internal' && !signal.aborted) this.#log.error({ err: error, rpc: path }, 'call failed');
          throw known;
        }
      }),
    );
  }
}

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
