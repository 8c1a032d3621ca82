import { type DomainError, unavailable } from '@catchment/errors';
import { currentRequestId, injectTrace } from '@catchment/telemetry';
import {
  Client,
  type ClientReadableStream,
  connectivityState,
  credentials,
  Metadata,
  type MetadataOptions,
  type MethodDefinition,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import type { CallsMessage, OutcomesMessage } from './call-stream.ts';
import { CallStream, type OutgoingCall } from './call-stream-client.ts';
import { GRPC_CHANNEL_OPTIONS } from './channel-options.ts';
import { fromGrpcError } from './grpc-errors.ts';
import { keepClientsAlive } from './keep-alive.ts';
import { clientDuration, measured } from './rpc-metrics.ts';

export type CallOptions = {
  /** Signed caller context: of the API caller on whose behalf this is, or the service's own. */
  readonly token: string;
  /** Longest duration of the call; the smaller of this and `deadlineMs` applies. */
  readonly timeoutMs?: number;
  /** Unix ms: the caller's own deadline. */
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
  /** Resolves once the channel is connected; rejects when it is not within the time. For readiness checks. */
  waitForReady(timeoutMs: number): Promise<void>;
};

export const DEFAULT_TIMEOUT_MS = 10_000;
const RECONNECT_WAIT_MS = 2_000;
/** The kernel takes connections for a process that hangs: it says nothing on them, and the library would wait for it without end. */
const CONNECT_WAIT_MS = 5_000;

const CHANNEL_OPTIONS = {
  ...GRPC_CHANNEL_OPTIONS,
  // A restarted peer is found again at once, not after the default of up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Which calls of concurrent requests travel together, and on what. */
export type StreamedCalls<Definition> = {
  /** The method that carries them. */
  readonly by: keyof Definition;
  readonly calls: readonly (keyof Definition)[];
  /** Of a request, about; larger ones go alone, so that small ones do not wait behind them. */
  readonly sizeBytes: (request: never) => number;
};

/** Larger ones cost more to copy than to carry. */
export const MAX_STREAMED_BYTES = 32 * 1024;

/**
 * A client of one service. `address` is host:port or any gRPC name (`dns:///historic:50051` spreads over replicas).
 * @param options.streamed methods with one answer that many concurrent requests call: small ones share a stream
 */
export function createGrpcClient<Definition extends ServiceDefinition>(
  definition: Definition,
  address: string,
  options: { streamed?: StreamedCalls<Definition> } = {},
): GrpcClient<Definition> {
  const release = keepClientsAlive();
  const client = new Client(address, credentials.createInsecure(), CHANNEL_OPTIONS);
  const alone = (call: OutgoingCall) => sendAlone(client, definition[call.name] as Method, call);
  const { by, calls = [], sizeBytes } = options.streamed ?? {};
  const shared = by === undefined ? undefined : new CallStream(client, definition[by] as CarryingMethod, alone);
  const together = (call: OutgoingCall) =>
    shared && sizeBytes && sizeBytes(call.request as never) <= MAX_STREAMED_BYTES ? shared.call(call) : alone(call);
  const methods = Object.entries(definition)
    .filter(([, method]) => !method.requestStream)
    .map(([name, method]) => {
      if (method.responseStream) return [name, streaming(client, method)];
      return [name, unary(client, name, method.path, calls.includes(name) ? together : alone)];
    });
  return {
    ...Object.fromEntries(methods),
    close: () => {
      shared?.close();
      client.close();
      release();
    },
    waitForReady: (timeoutMs: number) =>
      new Promise<void>((resolve, reject) =>
        client.waitForReady(Date.now() + timeoutMs, (error) => (error ? reject(error) : resolve())),
      ),
  };
}

type Method = MethodDefinition<unknown, unknown>;
type CarryingMethod = MethodDefinition<CallsMessage, OutcomesMessage>;

function unary(client: Client, name: string, path: string, send: (call: OutgoingCall) => Promise<unknown>) {
  return async (request: unknown, options: CallOptions): Promise<unknown> => {
    const ended = measured(clientDuration, path);
    try {
      const { signal, waitForReady = false } = options;
      if (!waitForReady) await connected(client, deadlineOf(options));
      const headers = headersOf(options);
      const call = { name, request, signal, headers, waitForReady, deadlineMs: deadlineOf(options) };
      const response = await send(call);
      ended();
      return response;
    } catch (error) {
      ended(error);
      throw error;
    }
  };
}

function sendAlone(client: Client, method: Method, call: OutgoingCall): Promise<unknown> {
  const { request, headers, waitForReady = false, deadlineMs, signal } = call;
  return new Promise((resolve, reject) => {
    const sent = client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      toMetadata(headers, { waitForReady }),
      { deadline: deadlineMs },
      (error, response) => {
        signal?.removeEventListener('abort', cancel);
        if (error || response === undefined) reject(fromGrpcError(error));
        else resolve(response);
      },
    );
    const cancel = () => sent.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
  });
}

function streaming(client: Client, method: Method) {
  return async function* (request: unknown, options: CallOptions): AsyncIterable<unknown> {
    const ended = measured(clientDuration, method.path);
    let failure: DomainError | undefined;
    const { waitForReady = false } = options;
    if (!waitForReady)
      await connected(client, deadlineOf(options)).catch((error: unknown) => {
        ended(error);
        throw error;
      });
    const call: ClientReadableStream<unknown> = client.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      toMetadata(headersOf(options), { waitForReady }),
      { deadline: deadlineOf(options) },
    );
    const cancel = () => call.cancel();
    options.signal?.addEventListener('abort', cancel, { once: true });
    if (options.signal?.aborted) cancel();
    try {
      yield* call;
    } catch (error) {
      failure = fromGrpcError(error);
      throw failure;
    } finally {
      ended(failure);
      options.signal?.removeEventListener('abort', cancel);
      // A reader that stops early stops the sender too.
      call.cancel();
    }
  };
}

/**
 * A peer that cannot be reached at this moment, because it starts or is being replaced, is given a moment to come back
 * before the call fails, and so is one that takes the connection and says nothing on it.
 * @throws DomainError unavailable
 */
async function connected(client: Client, deadlineMs: number): Promise<void> {
  const state = client.getChannel().getConnectivityState(true);
  if (state === connectivityState.READY) return;
  const waitMs = state === connectivityState.TRANSIENT_FAILURE ? RECONNECT_WAIT_MS : CONNECT_WAIT_MS;
  const limitMs = Math.min(Date.now() + waitMs, deadlineMs);
  const late = await new Promise<Error | undefined>((resolve) => client.waitForReady(limitMs, resolve));
  if (late) throw unavailable('PEER_UNAVAILABLE', { cause: late });
}

function headersOf({ token }: CallOptions): Record<string, string> {
  const requestId = currentRequestId();
  return { authorization: token, ...(requestId && { 'x-request-id': requestId }), ...injectTrace() };
}

function toMetadata(headers: Readonly<Record<string, string>>, options: MetadataOptions = {}): Metadata {
  const metadata = new Metadata(options);
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

const deadlineOf = ({ timeoutMs = DEFAULT_TIMEOUT_MS, deadlineMs = Number.POSITIVE_INFINITY }: CallOptions): number =>
  Math.min(Date.now() + timeoutMs, deadlineMs);
