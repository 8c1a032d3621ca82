import { fromGrpcError } from '@catchment/errors';
import { currentRequestId, injectTrace } from '@catchment/telemetry';
import {
  Client,
  type ClientReadableStream,
  connectivityState,
  credentials,
  Metadata,
  type MethodDefinition,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { GRPC_CHANNEL_OPTIONS } from './channel-options.ts';
import { CallGatherer, type OutgoingCall } from './gathered-client.ts';
import { keepClientsAlive } from './keep-alive.ts';

export type CallOptions = {
  /** Signed caller context: of the API caller on whose behalf this is, or the service's own. */
  readonly token: string;
  /** How long the call may take; the smaller of this and `deadlineMs` holds. */
  readonly timeoutMs?: number;
  /** Unix ms: what is left of the caller's own deadline. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
};

/** Promises and async iterables instead of callbacks and streams. Errors arrive as DomainError. */
export type GrpcClient<Definition> = {
  [Method in keyof Definition]: Definition[Method] extends {
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

const CHANNEL_OPTIONS = {
  ...GRPC_CHANNEL_OPTIONS,
  // A restarted peer is found again at once, not after the default of up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/**
 * A client of one service. `address` is host:port or any gRPC name (`dns:///historic:50051` spreads over replicas).
 * @param options.gathered methods with one answer that many concurrent requests call: small ones travel together
 */
export function createGrpcClient<Definition extends ServiceDefinition>(
  definition: Definition,
  address: string,
  options: { gathered?: readonly (keyof Definition)[] } = {},
): GrpcClient<Definition> {
  keepClientsAlive();
  const client = new Client(address, credentials.createInsecure(), CHANNEL_OPTIONS);
  const alone = (call: OutgoingCall) => sendAlone(client, call);
  const gatherer = new CallGatherer(client, alone);
  const together = (call: OutgoingCall) => gatherer.call(call);
  const methods = Object.entries(definition).map(([name, method]) => {
    if (method.responseStream) return [name, streaming(client, method)];
    return [name, unary(client, method, options.gathered?.includes(name) ? together : alone)];
  });
  return {
    ...Object.fromEntries(methods),
    close: () => client.close(),
    waitForReady: (timeoutMs: number) =>
      new Promise<void>((resolve, reject) =>
        client.waitForReady(Date.now() + timeoutMs, (error) => (error ? reject(error) : resolve())),
      ),
  };
}

type Method = MethodDefinition<unknown, unknown>;

function unary(client: Client, method: Method, send: (call: OutgoingCall) => Promise<Buffer>) {
  return async (request: unknown, options: CallOptions): Promise<unknown> => {
    await connected(client, options);
    const call = { path: method.path, request: method.requestSerialize(request), signal: options.signal };
    const response = await send({ ...call, headers: headersOf(options), deadlineMs: deadlineOf(options) });
    return method.responseDeserialize(response);
  };
}

const asTheyAre = (bytes: Buffer): Buffer => bytes;

function sendAlone(client: Client, { path, request, headers, deadlineMs, signal }: OutgoingCall): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      path,
      asTheyAre,
      asTheyAre,
      request,
      toMetadata(headers),
      { deadline: deadlineMs },
      (error, response) => {
        signal?.removeEventListener('abort', cancel);
        if (error || !response) reject(fromGrpcError(error));
        else resolve(response);
      },
    );
    const cancel = () => call.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

function streaming(client: Client, method: Method) {
  return async function* (request: unknown, options: CallOptions): AsyncIterable<unknown> {
    await connected(client, options);
    const call: ClientReadableStream<unknown> = client.makeServerStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      toMetadata(headersOf(options)),
      { deadline: deadlineOf(options) },
    );
    const cancel = () => call.cancel();
    options.signal?.addEventListener('abort', cancel, { once: true });
    try {
      yield* call;
    } catch (error) {
      throw fromGrpcError(error);
    } finally {
      options.signal?.removeEventListener('abort', cancel);
      // A reader that stops early stops the sender too.
      call.cancel();
    }
  };
}

/**
 * A peer that cannot be reached at this moment, because it starts or is being replaced, is given a moment to come back
 * before the call fails; connecting for the first time is waited for by gRPC itself.
 */
async function connected(client: Client, options: CallOptions): Promise<void> {
  if (client.getChannel().getConnectivityState(true) !== connectivityState.TRANSIENT_FAILURE) return;
  const limitMs = Math.min(Date.now() + RECONNECT_WAIT_MS, deadlineOf(options));
  await new Promise<void>((resolve) => client.waitForReady(limitMs, () => resolve()));
}

function headersOf({ token }: CallOptions): Record<string, string> {
  const requestId = currentRequestId();
  return { authorization: token, ...(requestId && { 'x-request-id': requestId }), ...injectTrace() };
}

function toMetadata(headers: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

const deadlineOf = ({ timeoutMs = DEFAULT_TIMEOUT_MS, deadlineMs = Number.POSITIVE_INFINITY }: CallOptions): number =>
  Math.min(Date.now() + timeoutMs, deadlineMs);
