import { AsyncLocalStorage } from 'node:async_hooks';
import { received } from '@catchment/errors';
import { Bag } from '@catchment/fair-queue';
import { callerLeft, deadlineExceeded, peerUnavailable } from './call-ends.ts';
import type { CallRunner, IncomingCall, ServedStream, ServedUnary, Sink } from './call-runner.ts';
import { checkingStream, checkingUnary } from './check-messages.ts';
import type { Deadlines, Expiring } from './deadlines.ts';
import { fromFailure, toFailure } from './grpc-errors.ts';
import { HandOff } from './hand-off.ts';
import { checkSize } from './message-size.ts';
import type { Method, OutgoingCall } from './transport.ts';

export type ServedMethods = ReadonlyMap<string, ServedUnary | ServedStream>;

type LocalSettings = {
  readonly deadlines: Deadlines;
  /** Tests check messages by check-messages.ts. */
  readonly checksMessages: boolean;
};

/** Answers calls of the same process, as a server of gRPC answers those of others. */
export class LocalServer {
  readonly #runner: CallRunner;
  readonly #methods: ServedMethods;
  readonly #settings: LocalSettings;
  /** Handlers know nothing of their callers but what comes with the call: they run in the context in which the service began to listen. */
  readonly #outside = AsyncLocalStorage.snapshot();
  readonly #open = new Bag<OpenCall>();
  #isForced = false;
  #idle: PromiseWithResolvers<void> | undefined;

  constructor(runner: CallRunner, methods: ServedMethods, settings: LocalSettings) {
    this.#runner = runner;
    this.#methods = methods;
    this.#settings = settings;
  }

  async answer(method: Method, call: OutgoingCall): Promise<unknown> {
    const served = this.#unary(method);
    checkSize(call.request);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const open = this.#begin(call, reject);
    const end = (error: unknown) => {
      open.end();
      reject(fromFailure(toFailure(error)));
    };
    this.#outside(() => this.#runner.answer(served, open.incoming))
      .then((response) => {
        checkSize(response);
        open.end();
        resolve(response);
      })
      .catch(end);
    return promise;
  }

  async *read(method: Method, call: OutgoingCall): AsyncGenerator<unknown> {
    const served = this.#stream(method);
    checkSize(call.request);
    const handOff = new HandOff();
    const open = this.#begin(call, (error) => handOff.breakOff(error));
    const sink: Sink = {
      write: (message) => handOff.write(message, checkSize(message)),
      end: () => handOff.finish(),
      whyAborted: () => ({ reason: this.#isForced ? 'drain' : 'caller left' }),
    };
    const end = (error?: unknown) => {
      open.end();
      handOff.end(error);
    };
    this.#outside(() => this.#runner.stream(served, open.incoming, sink)).then(
      () => end(),
      (error: unknown) => end(fromFailure(toFailure(error))),
    );
    try {
      yield* handOff.read();
    } finally {
      // A reader that stops early stops the sender too.
      open.stop(callerLeft());
    }
  }

  /** Waits for calls under way, but no longer than the time given. */
  async close(drainMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    this.#idle = Promise.withResolvers();
    const limit = setTimeout(() => {
      this.#isForced = true;
      for (const open of this.#open.all()) open.stop(peerUnavailable());
      this.#idle?.resolve();
    }, drainMs);
    await this.#idle.promise;
    clearTimeout(limit);
  }

  #unary(method: Method): ServedUnary {
    const served = this.#method(method) as ServedUnary;
    return this.#settings.checksMessages ? checkingUnary(served, method) : served;
  }

  #stream(method: Method): ServedStream {
    const served = this.#method(method) as ServedStream;
    return this.#settings.checksMessages ? checkingStream(served, method) : served;
  }

  #method({ path }: Method): ServedUnary | ServedStream {
    const served = this.#methods.get(path);
    if (served) return served;
    const message = `The server does not implement the method ${path}`;
    throw received({ kind: 'unimplemented', reason: 'UNIMPLEMENTED', message });
  }

  #begin(call: OutgoingCall, fail: (error: unknown) => void): OpenCall {
    const over = () => {
      leave();
      if (this.#open.size === 0) this.#idle?.resolve();
    };
    const open = new OpenCall(call, { fail, over, deadlines: this.#settings.deadlines, outside: this.#outside });
    const leave = this.#open.add(open);
    return open;
  }
}

type Ends = {
  /** Reports the error to the caller. */
  readonly fail: (error: unknown) => void;
  readonly over: () => void;
  readonly deadlines: Deadlines;
  readonly outside: <T>(work: () => T) => T;
};

/** A call that somebody waits for. */
class OpenCall implements Expiring {
  readonly deadlineMs: number;
  readonly incoming: IncomingCall;
  readonly #ends: Ends;
  readonly #aborted = new AbortController();
  readonly #callerSignal: AbortSignal | undefined;
  readonly #leave = () => this.stop(callerLeft());
  readonly #forgetDeadline: () => void;
  #isOver = false;

  constructor({ request, headers, deadlineMs, signal }: OutgoingCall, ends: Ends) {
    this.deadlineMs = deadlineMs;
    this.#ends = ends;
    this.#callerSignal = signal;
    this.incoming = {
      request,
      token: headers.authorization ?? '',
      requestId: headers['x-request-id'] ?? '-',
      traceparent: headers.traceparent,
      tracestate: headers.tracestate,
      deadlineMs,
      signal: this.#aborted.signal,
    };
    this.#forgetDeadline = ends.deadlines.add(this);
    signal?.addEventListener('abort', this.#leave, { once: true });
  }

  expire(): void {
    this.stop(deadlineExceeded());
  }

  /** Aborts the handler and answers the caller, once; a call that is over is left alone. */
  stop(error: unknown): void {
    if (this.#isOver) return;
    this.end();
    this.#ends.outside(() => this.#aborted.abort(callerLeft()));
    this.#ends.fail(error);
  }

  /** It has its answer, or nobody waits for it. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#forgetDeadline();
    this.#callerSignal?.removeEventListener('abort', this.#leave);
    this.#ends.over();
  }
}
