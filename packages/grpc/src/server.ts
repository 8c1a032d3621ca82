import { once } from 'node:events';
import { DomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
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
import { callerLeft } from './call-ends.ts';
import { CallRunner, type IncomingCall, type ServedStream, type ServedUnary, type Sink } from './call-runner.ts';
import type { CallsMessage, OutcomesMessage } from './call-stream.ts';
import { answerCalls } from './call-stream-server.ts';
import type { CallerVerifier } from './caller-token.ts';
import { CONNECTION_AGE_MS, grpcServerOptions } from './channel-options.ts';
import { toGrpcStatus } from './grpc-errors.ts';
import type { Handlers, UnaryHandler } from './handlers.ts';
import type { KeepAlive } from './keep-alive.ts';
import type { LocalCalls } from './local-calls.ts';
import { ServerConnections } from './server-connections.ts';
import { createWideServer } from './wide-server.ts';

export type GrpcServer = { readonly port: number; close(): Promise<void> };

type ServerSettings = {
  readonly verifier: CallerVerifier;
  readonly log: Logger;
  /** A connection takes no new calls after this time, so that clients find new replicas. */
  readonly connectionAgeMs?: number;
  readonly keepAlive?: KeepAlive;
  readonly drainMs?: number;
  /** Calls of other services of this process come here too, as calls of functions. */
  readonly local?: { readonly calls: LocalCalls; readonly name: string } | undefined;
};

/** Calls in flight may finish within this time when the server closes. */
const DRAIN_MS = 15_000;

/**
 * Collects services and serves them, over gRPC and, where it is given `local`, to the services of its own process.
 */
export class GrpcServerBuilder {
  readonly #server: Server;
  readonly #connections: ServerConnections;
  readonly #runner: CallRunner;
  readonly #served = new Map<string, ServedUnary | ServedStream>();
  readonly #local: ServerSettings['local'];
  readonly #drainMs: number;
  #isForced = false;
  /** Aborted when the server closes: streams of calls begin no more of them. */
  readonly #closing = new AbortController();

  constructor(options: ServerSettings) {
    this.#runner = new CallRunner(options);
    this.#local = options.local;
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
      if (requestStream) {
        implementation[name] = this.#calls(definition, all as AnyHandlers);
        continue;
      }
      const served = { path, handler: all[name] };
      this.#served.set(path, served as ServedUnary | ServedStream);
      implementation[name] = responseStream ? this.#stream(served as ServedStream) : this.#unary(served as ServedUnary);
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
    const served = this.#local?.calls.serve(this.#local.name, this.#runner, this.#served);
    return {
      port,
      close: async () => {
        await Promise.all([this.#close(), served?.close(this.#drainMs)]);
      },
    };
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

  #unary(served: ServedUnary): handleUnaryCall<unknown, unknown> {
    return (call, callback) => {
      const { incoming, finish } = arrived(call);
      this.#runner
        .answer(served, incoming)
        .finally(finish)
        .then(
          (response) => callback(null, response),
          (error: unknown) => callback(toGrpcStatus(error)),
        );
    };
  }

  /** Each call of the stream goes to the handler of its name. */
  #calls(definition: ServiceDefinition, handlers: AnyHandlers): handleBidiStreamingCall<CallsMessage, OutcomesMessage> {
    const run = (name = '', call: IncomingCall) => {
      const { path = '/unknown' } = definition[name] ?? {};
      return this.#runner.answer({ path, handler: handlers[name] ?? unknownCall }, call);
    };
    return answerCalls(run, this.#closing.signal);
  }

  #stream(served: ServedStream): handleServerStreamingCall<unknown, unknown> {
    return (call) => {
      const { incoming, finish } = arrived(call);
      const { signal } = incoming;
      const peer = call.getPeer();
      const sink: Sink = {
        write: (message) => (call.write(message) ? undefined : once(call, 'drain', { signal })),
        // Bytes count as sent once they are passed to the connection.
        end: () => (call.end().writableFinished ? undefined : once(call, 'finish', { signal })),
        whyAborted: () => {
          if (this.#isForced) return { reason: 'drain' };
          return this.#connections.has(peer) ? { reason: 'caller left' } : { reason: 'connection lost', peer };
        },
      };
      this.#runner
        .stream(served, incoming, sink)
        .finally(finish)
        // The status of a broken stream reaches the client, so it never takes it for a complete answer.
        .catch((error: unknown) => call.emit('error', toGrpcStatus(error)));
    };
  }
}

type AnyHandlers = Readonly<Record<string, UnaryHandler<unknown, unknown>>>;

const unknownCall = async () => {
  throw new DomainError('unimplemented', 'UNKNOWN_CALL', 'The call is of a newer version');
};

type GrpcCall = {
  readonly request: unknown;
  readonly metadata: Metadata;
  getDeadline(): Deadline;
  on(event: 'cancelled', listener: () => void): unknown;
};

/** A call by itself; `finish` when its handler has ended. */
function arrived(call: GrpcCall): { incoming: IncomingCall; finish: () => void } {
  const aborted = new AbortController();
  let isDone = false;
  // grpc-js says so at the end of every call; only before its end does it mean that the caller left.
  call.on('cancelled', () => {
    if (!isDone) aborted.abort(callerLeft());
  });
  const text = (name: string): string | undefined => call.metadata.get(name)[0]?.toString();
  const incoming = {
    request: call.request,
    token: text('authorization') ?? '',
    requestId: text('x-request-id') ?? '-',
    traceparent: text('traceparent'),
    tracestate: text('tracestate'),
    deadlineMs: toMs(call.getDeadline()),
    signal: aborted.signal,
  };
  const finish = () => {
    isDone = true;
  };
  return { incoming, finish };
}

const toMs = (deadline: Deadline): number => (deadline instanceof Date ? deadline.getTime() : deadline);
