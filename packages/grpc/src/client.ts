import {
  Client,
  connectivityState,
  credentials,
  Metadata,
  type MetadataOptions,
  type MethodDefinition,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { callerLeft, peerUnavailable } from './call-ends.ts';
import type { CallsMessage, OutcomesMessage } from './call-stream.ts';
import { CallStream } from './call-stream-client.ts';
import { GRPC_CHANNEL_OPTIONS } from './channel-options.ts';
import { fromGrpcError } from './grpc-errors.ts';
import { keepClientsAlive } from './keep-alive.ts';
import {
  CONNECT_WAIT_MS,
  clientOver,
  type GrpcClient,
  type Method,
  type OutgoingCall,
  RECONNECT_WAIT_MS,
} from './transport.ts';

const CHANNEL_OPTIONS = {
  ...GRPC_CHANNEL_OPTIONS,
  // A restarted peer is found again at once, not after the default of up to two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1_000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
};

/** Says which calls of concurrent requests travel together, and on what. */
export type StreamedCalls<Definition> = {
  /** The method that carries them. */
  readonly by: keyof Definition;
  readonly calls: readonly (keyof Definition)[];
  /** Returns the approximate size of a request; larger ones go alone, so that small ones do not wait behind them. */
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
  const shared = by === undefined ? undefined : new CallStream(client, definition[by] as CarryingMethod);
  const together = (call: OutgoingCall) =>
    shared && sizeBytes && sizeBytes(call.request as never) <= MAX_STREAMED_BYTES ? shared.call(call) : alone(call);
  return clientOver(definition, {
    connected: (call) => (call.waitForReady ? undefined : connected(client, call.deadlineMs)),
    send: (method, call) => (calls.includes(call.name) ? together(call) : sendAlone(client, method, call)),
    read: (method, call) => read(client, method, call),
    close: () => {
      shared?.close();
      client.close();
      release();
    },
    waitForReady: (timeoutMs) =>
      new Promise<void>((resolve, reject) =>
        client.waitForReady(Date.now() + timeoutMs, (error) => (error ? reject(error) : resolve())),
      ),
  });
}

type CarryingMethod = MethodDefinition<CallsMessage, OutcomesMessage>;

function sendAlone(client: Client, method: Method, call: OutgoingCall): Promise<unknown> {
  const { request, headers, waitForReady, deadlineMs, signal } = call;
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
        if (error || response === undefined) reject(signal?.aborted ? callerLeft() : fromGrpcError(error));
        else resolve(response);
      },
    );
    const cancel = () => sent.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
  });
}

async function* read(client: Client, method: Method, call: OutgoingCall): AsyncIterable<unknown> {
  const { path, requestSerialize, responseDeserialize } = method;
  const { request, headers, waitForReady, deadlineMs: deadline, signal } = call;
  const metadata = toMetadata(headers, { waitForReady });
  const messages = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata, {
    deadline,
  });
  const cancel = () => messages.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    yield* messages;
  } catch (error) {
    throw signal?.aborted ? callerLeft() : fromGrpcError(error);
  } finally {
    signal?.removeEventListener('abort', cancel);
    messages.cancel();
  }
}

/**
 * Waits for a connection, for a moment only; a peer that takes the connection and says nothing on it is not waited for either.
 * @throws DomainError unavailable
 */
function connected(client: Client, deadlineMs: number): Promise<void> | undefined {
  const state = client.getChannel().getConnectivityState(true);
  if (state === connectivityState.READY) return undefined;
  const waitMs = state === connectivityState.TRANSIENT_FAILURE ? RECONNECT_WAIT_MS : CONNECT_WAIT_MS;
  const limitMs = Math.min(Date.now() + waitMs, deadlineMs);
  return new Promise((resolve, reject) =>
    client.waitForReady(limitMs, (late) => (late ? reject(peerUnavailable(late)) : resolve())),
  );
}

function toMetadata(headers: Readonly<Record<string, string>>, options: MetadataOptions): Metadata {
  const metadata = new Metadata(options);
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}
