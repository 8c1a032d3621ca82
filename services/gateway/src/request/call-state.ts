import type { ApiCaller } from '@catchment/grpc';
import { HttpProblem } from '../response/problem.ts';
import type { BodyBudget } from './body-budget.ts';

/** What the gateway knows of one request besides what Fastify does. */
export class CallState {
  readonly arrivalMs = Date.now();
  readonly startedAt = performance.now();
  readonly #abort = new AbortController();
  /** Set by the guard once the key is known. */
  caller: ApiCaller | undefined;
  /**
   * The caller as it is now, for operations that go on for long: a key may have been revoked, or its rights changed. Set by the guard.
   * @throws HttpProblem 401 or 403
   */
  currentCaller: () => Promise<ApiCaller> = () => Promise.reject(new HttpProblem(401, 'UNAUTHENTICATED'));
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
