const KIB = 1024;
const MIB = 1024 * KIB;
const MINUTE = 60_000;

/**
 * An answer of another side may take so much, whatever it sends: bytes, parts, and time from its beginning to its end.
 */
export type Limits = {
  /** Messages name the connection so. */
  readonly what: string;
  readonly maxBytes: number;
  /** Entries, pages or lines, as `partName` calls them. */
  readonly maxParts?: number;
  readonly partName?: string;
  /** Pages and folders, however little is in them. */
  readonly maxPages?: number;
  readonly maxMs: number;
  /** People can do this about it. */
  readonly advice: string;
};

const SERVER = 'the operator of the server should look at it';

/**
 * Every other side that is connected to has these limits, except for loggers, whose protocols limit each response themselves.
 */
export const REMOTE_LIMITS = {
  /** These bound the connection, greeting and login of a file server. */
  login: { what: 'login', maxBytes: MIB, maxMs: MINUTE, advice: SERVER },
  /** Bounds the answer to a command, and every refusal. */
  reply: { what: 'answer', maxBytes: 64 * KIB, maxMs: 30_000, advice: SERVER },
  /** A part of a listing is held whole before it is read. */
  page: { what: 'page of the listing', maxBytes: 2 * MIB, maxMs: MINUTE, advice: SERVER },
  listing: {
    what: 'listing',
    maxBytes: 128 * MIB,
    maxParts: 200_000,
    partName: 'entries',
    maxPages: 2_000,
    maxMs: 10 * MINUTE,
    advice: 'the transport may name a smaller folder',
  },
  /** Files end at their own limit of bytes (docs/reference/limits.md); the rest is what a protocol adds. */
  file: { what: 'file', maxBytes: 128 * MIB, maxMs: 30 * MINUTE, advice: 'smaller files come through' },
  /** A file over HTTP is one answer. */
  download: { what: 'answer', maxBytes: 128 * MIB, maxMs: MINUTE, advice: 'smaller files come through' },
  /** A picture of a report. */
  picture: { what: 'picture', maxBytes: 10 * MIB, maxMs: 5_000, advice: 'a smaller one comes through' },
  /** The status of an answer is all that counts: webhooks, SMS. A setting of each says how long it may take. */
  status: { what: 'answer', maxBytes: 64 * KIB, maxMs: 10_000, advice: SERVER },
  /** A server of the installation reports this about itself: metrics, statistics, lists of pods. */
  statistics: { what: 'answer', maxBytes: 16 * MIB, maxMs: MINUTE, advice: SERVER },
  /** Answers of the API to the command line, which asks for records a page at a time. */
  api: { what: 'answer', maxBytes: 64 * MIB, maxMs: 10 * MINUTE, advice: 'ask for less at once' },
  /** A mail is handed over, with the time in which it waits for a connection; `maxBytes` of each reply. */
  mail: { what: 'mail server', maxBytes: 64 * KIB, maxMs: 4 * MINUTE, advice: SERVER },
} as const satisfies Record<string, Limits>;

export type RemoteLimits = { readonly [Name in keyof typeof REMOTE_LIMITS]: Limits };

/** Bounds the head of an answer over HTTP, and trailers. */
export const HEADERS_MAX_BYTES = 16 * KIB;
export const REDIRECTS_MAX = 5;

/** Another side sends more than may be taken. Its words are for people, and have nothing of what was sent. */
export class LimitReached extends Error {
  readonly code = 'LIMIT_REACHED';
  /** Libraries may write to the message. */
  readonly words: string;

  constructor({ what, advice }: Pick<Limits, 'what' | 'advice'>, how: string) {
    super(`${what} ${how}: ${advice}`);
    this.name = 'LimitReached';
    this.words = this.message;
  }
}

/** Counts what is left of the limits while an answer comes. */
export class Allowance implements Disposable {
  /** Aborts when a limit is reached, with `LimitReached`, or when the caller's signal does: what waits for the answer must end then. */
  readonly signal: AbortSignal;
  readonly #limits: Limits;
  readonly #reached = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #parts = 0;
  #pages = 0;

  constructor(limits: Limits, signal?: AbortSignal) {
    this.#limits = limits;
    this.signal = signal ? AbortSignal.any([signal, this.#reached.signal]) : this.#reached.signal;
    this.#timer = setTimeout(() => this.#abort(`was not over after ${shownTime(limits.maxMs)}`), limits.maxMs);
  }

  /** Spends bytes without throwing, for listeners of sockets. @returns whether there was room */
  spend(bytes: number): boolean {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.maxBytes) this.#abort(`has more than ${shownBytes(this.#limits.maxBytes)}`);
    return !this.signal.aborted;
  }

  /** @throws LimitReached, the reason of the caller's signal */
  takeBytes(bytes: number): void {
    if (!this.spend(bytes)) throw this.signal.reason;
  }

  /** @throws LimitReached, the reason of the caller's signal */
  takeParts(count: number): void {
    const { maxParts = Number.POSITIVE_INFINITY, partName = 'parts' } = this.#limits;
    this.#parts += count;
    if (this.#parts > maxParts) this.#abort(`has more than ${maxParts} ${partName}`);
    this.signal.throwIfAborted();
  }

  /** @throws LimitReached, the reason of the caller's signal */
  takePage(): void {
    const { maxPages = Number.POSITIVE_INFINITY } = this.#limits;
    this.#pages += 1;
    if (this.#pages > maxPages) this.#abort(`has more than ${maxPages} pages`);
    this.signal.throwIfAborted();
  }

  /** Yields the pieces, as long as there is room for them. @throws LimitReached, the reason of the caller's signal */
  async *passing<T extends Uint8Array>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    for await (const piece of pieces) {
      this.takeBytes(piece.length);
      yield piece;
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #abort(how: string): void {
    if (!this.#reached.signal.aborted) this.#reached.abort(new LimitReached(this.#limits, how));
  }
}

const shownBytes = (bytes: number): string =>
  bytes >= MIB ? `${bytes / MIB} MiB` : bytes >= KIB ? `${bytes / KIB} KiB` : `${bytes} bytes`;
const shownTime = (ms: number): string => (ms >= 2 * MINUTE ? `${ms / MINUTE} minutes` : `${ms / 1000} s`);
