import type { ApiCaller } from '@catchment/grpc';
import type { BodyBudget } from './body-budget.ts';

/** What the gateway knows of one request besides what Fastify does. */
export class CallState {
  readonly arrivalMs = Date.now();
  readonly startedAt = performance.now();
  readonly #abort = new AbortController();
  /** Set by the guard once the key is known. */
  caller: ApiCaller | undefined;
  /** What the browser shows of its session, where that and no key has authenticated the caller. */
  session: string | undefined;
  /** The inflated body; empty when there is none. */
  body: Buffer = Buffer.alloc(0);
  bodyClaim: ReturnType<BodyBudget['open']> | undefined;

  /** Aborted when the client left or the answer needs no more of the peers. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(): void {
    this.#abort.abort();
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    call: CallState;
  }
}
