import { unavailable } from '@catchment/errors';
import { Gather, type Gathered } from '@catchment/fair-queue';
import { type Client, type ClientDuplexStream, Metadata, type MethodDefinition } from '@grpc/grpc-js';
import { callerLeft, deadlineExceeded, tooManyCalls } from './call-ends.ts';
import type { CallsMessage, OutcomesMessage, StreamedCall } from './call-stream.ts';
import { fromFailure, fromGrpcError } from './grpc-errors.ts';
import type { OutgoingCall } from './transport.ts';

/** `tries`: number of streams that ended without beginning the call. */
type Waiting = Gathered<OutgoingCall & { tries: number }, unknown>;
type Stream = ClientDuplexStream<CallsMessage, OutcomesMessage>;
type Opened = {
  readonly stream: Stream;
  readonly calls: Map<number, Waiting>;
  /** Lets the next calls go: the stream takes more, or is followed by another one. */
  goOn: () => void;
};

/** Calls of a client without an answer, written or not; more are refused. */
export const MAX_CALLS = 5_000;
/** Calls of one message. */
const MAX_MESSAGE_CALLS = 128;
/** Calls gather for this long after a message; one that comes after a quiet moment goes at once. */
const LINGER_MS = 1;
/** Streams are replaced, since each stays with one replica of the peer. */
const STREAM_MS = 10_000;
const MAX_TRIES = 3;
const EXPIRY_CHECK_MS = 50;

/** Carries calls of concurrent requests to a peer on a stream that they share. */
export class CallStream {
  readonly #client: Client;
  readonly #method: MethodDefinition<CallsMessage, OutcomesMessage>;
  readonly #gather = new Gather<Waiting['item'], unknown>({
    lingerMs: LINGER_MS,
    batch: { items: MAX_MESSAGE_CALLS },
    work: (batch) => this.#send(batch),
  });
  #opened: Opened | undefined;
  readonly #all = new Set<Opened>();
  #unanswered = 0;
  #nextId = 0;
  #expiry: NodeJS.Timeout | undefined;

  constructor(client: Client, method: MethodDefinition<CallsMessage, OutcomesMessage>) {
    this.#client = client;
    this.#method = method;
  }

  /**
   * The call's answer. A cancelled call returns at once; its work may be done nevertheless.
   * @throws DomainError unavailable: too many calls wait, or the stream broke, and the call may have happened; deadline_exceeded;
   *   cancelled; the peer's own
   */
  call(call: OutgoingCall): Promise<unknown> {
    if (this.#unanswered >= MAX_CALLS) return Promise.reject(tooManyCalls());
    this.#unanswered += 1;
    this.#expiry ??= setInterval(() => this.#expire(), EXPIRY_CHECK_MS);
    const settled = this.#gather.add({ ...call, tries: 0 }).finally(() => this.#settled());
    const { signal } = call;
    return signal ? unlessAborted(settled, signal) : settled;
  }

  /** Ends the stream once its calls are answered. */
  close(): void {
    void this.#gather.stop();
    this.#end();
  }

  #settled(): void {
    this.#unanswered -= 1;
    if (this.#unanswered > 0) return;
    clearInterval(this.#expiry);
    this.#expiry = undefined;
  }

  /** @returns what ends when the stream takes more; undefined where it does already */
  #send(batch: readonly Waiting[]): Promise<void> | undefined {
    const now = Date.now();
    const group = batch.filter((call) => isWanted(call, now));
    if (group.length === 0) return undefined;
    const opened = this.#current();
    const calls = group.map((call) => {
      this.#nextId = (this.#nextId + 1) % 2 ** 31;
      opened.calls.set(this.#nextId, call);
      return toMessage(this.#nextId, call.item, now);
    });
    if (opened.stream.write({ calls })) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    opened.goOn = resolve;
    return promise;
  }

  #current(): Opened {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  #end(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    opened?.stream.end();
    opened?.goOn();
  }

  #open(): Opened {
    const { path, requestSerialize, responseDeserialize } = this.#method;
    // A peer that is being replaced is waited for: calls have their own deadlines.
    const metadata = new Metadata({ waitForReady: true });
    const stream = this.#client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, metadata);
    const opened: Opened = { stream, calls: new Map(), goOn: () => {} };
    const age = setTimeout(() => {
      if (this.#opened === opened) this.#end();
    }, STREAM_MS).unref();
    const over = (settle: (calls: readonly Waiting[]) => void) => {
      clearTimeout(age);
      this.#all.delete(opened);
      if (this.#opened === opened) this.#opened = undefined;
      const calls = [...opened.calls.values()];
      opened.calls.clear();
      settle(calls);
      opened.goOn();
    };
    this.#all.add(opened);
    stream.on('data', ({ outcomes }) => {
      for (const { id, result } of outcomes) {
        const call = opened.calls.get(id);
        opened.calls.delete(id);
        if (result?.$case === 'response') call?.resolve(result.value);
        else call?.reject(fromFailure(result?.value ?? { kind: 'internal', reason: 'NO_RESULT', message: '' }));
      }
    });
    stream.on('drain', () => opened.goOn());
    // The peer has answered all calls that it has begun (historic.proto): the rest is sent again.
    stream.on('end', () => over((calls) => this.#again(calls)));
    stream.on('error', (cause) => {
      const error = fromGrpcError(cause);
      over((calls) => {
        for (const { reject } of calls) reject(error);
      });
    });
    return opened;
  }

  #again(calls: readonly Waiting[]): void {
    for (const { item, reject } of calls) {
      item.tries += 1;
      if (item.tries >= MAX_TRIES) reject(unavailable('CALL_NOT_BEGUN'));
    }
    this.#gather.again(calls.filter(({ item }) => item.tries < MAX_TRIES));
  }

  /** Calls whose time is over, whether they were written or wait. */
  #expire(): void {
    const now = Date.now();
    this.#gather.drop((call) => !isWanted(call, now));
    for (const { calls } of this.#all) for (const [id, call] of calls) if (!isWanted(call, now)) calls.delete(id);
  }
}

/** @returns false for a call that was cancelled or is late, after rejecting it */
function isWanted({ item: { signal, deadlineMs }, reject }: Waiting, nowMs: number): boolean {
  if (signal?.aborted) reject(callerLeft());
  else if (deadlineMs <= nowMs) reject(deadlineExceeded());
  else return true;
  return false;
}

function toMessage(id: number, { name, request, headers, deadlineMs }: OutgoingCall, nowMs: number): StreamedCall {
  const head = {
    token: headers.authorization ?? '',
    requestId: headers['x-request-id'] ?? '',
    traceparent: headers.traceparent ?? '',
    tracestate: headers.tracestate ?? '',
    timeoutMs: Math.max(1, Math.round(deadlineMs - nowMs)),
  };
  return { id, head, request: { $case: name, value: request } };
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = () => reject(callerLeft());
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  return promise;
}
