import type { ServiceDefinition } from '@grpc/grpc-js';
import { callerLeft, deadlineExceeded, peerUnavailable, tooManyCalls } from './call-ends.ts';
import type { CallRunner } from './call-runner.ts';
import { MAX_CALLS } from './call-stream-client.ts';
import { Deadlines } from './deadlines.ts';
import { LocalServer, type ServedMethods } from './local-server.ts';
import type { Peer } from './peer.ts';
import {
  CONNECT_WAIT_MS,
  clientOver,
  type Method,
  type OutgoingCall,
  RECONNECT_WAIT_MS,
  type Transport,
} from './transport.ts';

/**
 * Calls the services of this process by name: a call of one to another is a call of a function with the contract of a call over gRPC.
 * Requests and answers are handed over as they are: nobody changes a message that is given away.
 */
export class LocalCalls {
  readonly #deadlines = new Deadlines();
  readonly #checksMessages: boolean;
  readonly #places = new Map<string, Place>();

  /** @param options.checksMessages for tests: what a wire would change fails its call, and messages are frozen */
  constructor({ checksMessages = false }: { readonly checksMessages?: boolean } = {}) {
    this.#checksMessages = checksMessages;
  }

  /** Returns a service of this process, which may not be there yet. */
  peer(name: string): Peer {
    const place = this.#at(name);
    return {
      client: <Definition extends ServiceDefinition>(definition: Definition) =>
        clientOver(definition, new LocalTransport(place)),
    };
  }

  /** @throws Error when there is a service of the name */
  serve(name: string, runner: CallRunner, methods: ServedMethods): { close(drainMs: number): Promise<void> } {
    const server = new LocalServer(runner, methods, {
      deadlines: this.#deadlines,
      checksMessages: this.#checksMessages,
    });
    const place = this.#at(name);
    if (place.server) throw new Error(`this process serves ${name} already`);
    place.begin(server);
    return {
      close: (drainMs) => {
        place.end();
        return server.close(drainMs);
      },
    };
  }

  #at(name: string): Place {
    const known = this.#places.get(name);
    if (known) return known;
    const place = new Place(this.#deadlines);
    this.#places.set(name, place);
    return place;
  }
}

type Wait = { readonly limitMs: number; readonly late: () => Error; readonly signal?: AbortSignal | undefined };

/** Knows where a service is, once it listens. */
class Place {
  readonly #deadlines: Deadlines;
  readonly #waiting = new Set<() => void>();
  #wasServed = false;
  server: LocalServer | undefined;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
  }

  /** Calls wait so long for the service. */
  get waitMs(): number {
    return this.#wasServed ? RECONNECT_WAIT_MS : CONNECT_WAIT_MS;
  }

  begin(server: LocalServer): void {
    this.server = server;
    this.#wasServed = true;
    for (const notify of this.#waiting) notify();
  }

  end(): void {
    this.server = undefined;
  }

  async wait({ limitMs, late, signal }: Wait): Promise<void> {
    if (this.#waiting.size >= MAX_CALLS) throw tooManyCalls();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const limit = { deadlineMs: limitMs, expire: () => reject(late()) };
    const leave = () => reject(callerLeft());
    this.#waiting.add(resolve);
    const forget = this.#deadlines.add(limit);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      this.#waiting.delete(resolve);
      forget();
      signal?.removeEventListener('abort', leave);
    }
  }
}

class LocalTransport implements Transport {
  readonly #place: Place;
  #open = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  connected({ deadlineMs, signal, waitForReady }: OutgoingCall): Promise<void> | undefined {
    if (this.#place.server) return undefined;
    if (waitForReady) return this.#place.wait({ limitMs: deadlineMs, late: deadlineExceeded, signal });
    const limitMs = Math.min(Date.now() + this.#place.waitMs, deadlineMs);
    return this.#place.wait({ limitMs, late: peerUnavailable, signal });
  }

  async send(method: Method, call: OutgoingCall): Promise<unknown> {
    const server = this.#enter();
    try {
      return await server.answer(method, call);
    } finally {
      this.#open -= 1;
    }
  }

  async *read(method: Method, call: OutgoingCall): AsyncGenerator<unknown> {
    const server = this.#enter();
    try {
      yield* server.read(method, call);
    } finally {
      this.#open -= 1;
    }
  }

  close(): void {
    // Calls under way may end.
  }

  async waitForReady(timeoutMs: number): Promise<void> {
    if (!this.#place.server) await this.#place.wait({ limitMs: Date.now() + timeoutMs, late: peerUnavailable });
  }

  #enter(): LocalServer {
    const { server } = this.#place;
    if (!server) throw peerUnavailable();
    if (this.#open >= MAX_CALLS) throw tooManyCalls();
    this.#open += 1;
    return server;
  }
}
