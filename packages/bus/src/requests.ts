import { createInbox, errors, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';

type Waiting = {
  readonly subject: string;
  /** Its answer comes to a subject that ends in it. */
  readonly token: string;
  readonly resolve: (answer: Msg) => void;
  readonly reject: (error: unknown) => void;
  readonly limit: NodeJS.Timeout;
};

const NO_RESPONDERS = 503;

/**
 * Requests of which there are many a second, each with one answer. The library makes an error for each, and keeps it in a Map that lives long: all that
 * waited for its answer, such as requests of HTTP with their bodies, stayed until all memory was collected (`Bag` of @catchment/fair-queue says why).
 */
export class Requests {
  readonly #connection: NatsConnection;
  readonly #inbox: string;
  /** Each request has a place, which the next one takes over. */
  readonly #places: (Waiting | undefined)[] = [];
  readonly #free: number[] = [];
  #begun = 0;
  #isListening = false;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
    this.#inbox = `${createInbox()}.`;
    void connection.closed().then(() => this.#rejectAll(new errors.ClosedConnectionError()));
    void this.#watchRefusals();
  }

  /** @throws TimeoutError, NoRespondersError, PermissionViolationError, ClosedConnectionError */
  async send(
    subject: string,
    data: Uint8Array,
    { timeoutMs, headers }: { readonly timeoutMs: number; readonly headers?: MsgHdrs },
  ): Promise<Msg> {
    this.#listen();
    const { promise, resolve, reject } = Promise.withResolvers<Msg>();
    const place = this.#free.pop() ?? this.#places.length;
    this.#begun += 1;
    const token = `${place}-${this.#begun}`;
    const limit = setTimeout(() => this.#take(place, token)?.reject(new errors.TimeoutError()), timeoutMs);
    this.#places[place] = { subject, token, resolve, reject, limit };
    try {
      this.#connection.publish(subject, data, { reply: `${this.#inbox}${token}`, ...(headers && { headers }) });
    } catch (error) {
      this.#take(place, token)?.reject(error);
    }
    return promise;
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const callback = (error: Error | null, message: Msg) => {
      if (!error) return this.#answered(message);
      // A login that may not listen may do so later.
      this.#isListening = false;
      this.#rejectAll(error);
    };
    this.#connection.subscribe(`${this.#inbox}*`, { callback });
  }

  #answered(message: Msg): void {
    const token = message.subject.slice(this.#inbox.length);
    const waiting = this.#take(Number.parseInt(token, 10), token);
    if (message.data.length === 0 && message.headers?.code === NO_RESPONDERS)
      waiting?.reject(new errors.NoRespondersError(waiting.subject));
    else waiting?.resolve(message);
  }

  /** @returns undefined for one that is not waited for any more, whose place may be taken */
  #take(place: number, token: string): Waiting | undefined {
    const waiting = this.#places[place];
    if (waiting?.token !== token) return undefined;
    this.#places[place] = undefined;
    this.#free.push(place);
    clearTimeout(waiting.limit);
    return waiting;
  }

  #rejectAll(error: unknown, isMeant: (waiting: Waiting) => boolean = () => true): void {
    for (const [place, waiting] of this.#places.entries())
      if (waiting && isMeant(waiting)) this.#take(place, waiting.token)?.reject(error);
  }

  async #watchRefusals(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof errors.PermissionViolationError)) continue;
      const { operation, subject } = status.error;
      if (operation === 'publish') this.#rejectAll(status.error, (waiting) => waiting.subject === subject);
    }
  }
}
