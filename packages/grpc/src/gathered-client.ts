import { type GatheredCall, GatheredCallsServiceService } from '@catchment/contracts/calls';
import { DomainError, fromGrpcError, fromWire, unavailable } from '@catchment/errors';
import type { Client } from '@grpc/grpc-js';

/** One call as it goes out, before it is known whether alone or with others. */
export type OutgoingCall = {
  readonly path: string;
  readonly request: Buffer;
  /** By the names of metadata: authorization, x-request-id, traceparent, tracestate. */
  readonly headers: Readonly<Record<string, string>>;
  /** Unix ms. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal | undefined;
};

type Waiting = OutgoingCall & {
  readonly resolve: (response: Buffer) => void;
  readonly reject: (error: unknown) => void;
};

/** Larger ones go alone: they cost more to copy than to carry. */
export const MAX_GATHERED_BYTES = 32 * 1024;
/** Of one group. */
const MAX_GROUP = { calls: 64, bytes: 512 * 1024 };
/** After a group has gone, calls gather this long; one that comes after a quiet moment goes at once. */
const LINGER_MS = 5;

const { run } = GatheredCallsServiceService;

/**
 * Carries small calls to a peer, those of concurrent requests together: a call of its own costs gRPC four times what a small
 * write costs the service that takes it (bench/README.md). Each is answered as soon as the peer has its answer. A caller
 * that leaves is not waited for; what it asked for may be done nevertheless.
 */
export class CallGatherer {
  readonly #client: Client;
  readonly #alone: (call: OutgoingCall) => Promise<Buffer>;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #sentMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** @param alone sends a call by itself */
  constructor(client: Client, alone: (call: OutgoingCall) => Promise<Buffer>) {
    this.#client = client;
    this.#alone = alone;
  }

  call(call: OutgoingCall): Promise<Buffer> {
    if (call.request.length > MAX_GATHERED_BYTES) return this.#alone(call);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...call, resolve, reject });
      this.#bytes += call.request.length;
      const leftMs = this.#sentMs + LINGER_MS - performance.now();
      if (leftMs <= 0 || this.#waiting.length >= MAX_GROUP.calls || this.#bytes >= MAX_GROUP.bytes) this.#send();
      else this.#timer ??= setTimeout(() => this.#send(), leftMs);
    });
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sentMs = performance.now();
    const group = this.#waiting.filter(({ signal, reject }) => {
      if (signal?.aborted) reject(new DomainError('cancelled', 'CALLER_LEFT', 'The caller left'));
      return !signal?.aborted;
    });
    this.#waiting = [];
    this.#bytes = 0;
    const [first] = group;
    if (group.length > 1) this.#sendGroup(group);
    else if (first) this.#alone(first).then(first.resolve, first.reject);
  }

  #sendGroup(group: readonly Waiting[]): void {
    const open = new Map(group.entries());
    const rejectRest = (error: DomainError) => {
      for (const { reject } of open.values()) reject(error);
    };
    const stream = this.#client.makeServerStreamRequest(
      run.path,
      run.requestSerialize,
      run.responseDeserialize,
      { calls: group.map(toMessage) },
      { deadline: Math.max(...group.map(({ deadlineMs }) => deadlineMs)) },
    );
    stream.on('data', ({ answers }: ReturnType<typeof run.responseDeserialize>) => {
      for (const { index, result } of answers) {
        const call = open.get(index);
        open.delete(index);
        if (result?.$case === 'response') call?.resolve(result.value);
        else if (result?.$case === 'failure') call?.reject(fromWire(result.value));
      }
    });
    stream.on('error', (error) => rejectRest(fromGrpcError(error)));
    stream.on('end', () => {
      if (open.size > 0) rejectRest(unavailable('CALL_NOT_ANSWERED'));
    });
  }
}

function toMessage({ path, request, headers, deadlineMs }: Waiting): GatheredCall {
  return {
    path,
    request,
    token: headers.authorization ?? '',
    requestId: headers['x-request-id'] ?? '',
    traceparent: headers.traceparent ?? '',
    tracestate: headers.tracestate ?? '',
    timeoutMs: Math.max(1, Math.round(deadlineMs - Date.now())),
  };
}
