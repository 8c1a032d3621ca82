import type { ApiCaller } from '@catchment/access';
import type { BodyClaim } from '../../domain/body-budget.ts';
import { type Breakage, breakageOf, CLIENT_LEFT } from '../response/broken-answer.ts';
import { HttpProblem } from '../response/problem.ts';

const NO_BODY = Buffer.alloc(0);

/** Keeps what the gateway itself knows of one request. */
export class CallState {
  readonly arrivalMs = Date.now();
  readonly startedAt = performance.now();
  readonly #abort = new AbortController();
  /** Set by the guard once the key is known. */
  caller: ApiCaller | undefined;
  /** The browser's session has this token, where it authenticated the caller instead of a key. */
  session: string | undefined;
  /** Identifies the key or session; empty before it is known. */
  keyId = '';
  /**
   * The caller's present rights, for long operations: a key may have been revoked, or its rights changed. Set by the guard. Given an age
   * (ms), they are not older than that.
   * @throws HttpProblem 401 or 403
   */
  currentCaller: (maxAgeMs?: number) => Promise<ApiCaller> = () =>
    Promise.reject(new HttpProblem(401, 'UNAUTHENTICATED'));
  /** Hands the connection over to the account whose key the request has shown. @throws HttpProblem 503 where it holds too many */
  pays: (account: string) => void = () => undefined;
  /** The inflated body; empty when there is none. */
  body: Buffer = NO_BODY;
  bodyClaim: BodyClaim | undefined;
  /** An answer of status 500 or above has this reason. */
  problem: string | undefined;
  #breakage: Breakage | undefined;

  /** Releases the body: a connection that stays open keeps its last request in memory. */
  giveBack(): void {
    this.body = NO_BODY;
    this.bodyClaim?.release();
  }

  /** Aborted when the client left or the answer needs no more of the peers. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(): void {
    this.#abort.abort();
  }

  /** The reason why the answer ends before its end; the client alone can end it otherwise. */
  get breakage(): Breakage {
    return this.#breakage ?? CLIENT_LEFT;
  }

  /** The first reason is the cause of all later ones. */
  breaks(breakage: Breakage): void {
    this.#breakage ??= breakage;
  }

  /** Yields the parts of an answer; when its source fails, the reason is noted. */
  async *partsOf<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* source;
    } catch (error) {
      if (!this.signal.aborted) this.breaks(breakageOf(error));
      throw error;
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    call: CallState;
  }
}
