import { PassThrough } from 'node:stream';
import { Refusal } from './refusal.ts';

/** This many bytes of a file wait to be stored: beyond them nothing more is read from the client. */
const WAITING_BYTES = 512 * 1024;
/** A file has at most this behind a gap: 256 requests of 32 KiB, more than any known client has under way. */
const EARLY_BYTES = 10 * 1024 * 1024;
/**
 * This much behind a gap is answered at once, since clients go on only then; what comes beyond is answered when the gap is filled. So a
 * client whose first part is late runs no further ahead than it has requests under way.
 */
const EARLY_ANSWERED_BYTES = 2 * 1024 * 1024;

/** A file with a place may hold parts that came before those in front of them. */
export class EarlyRoom {
  #places: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#places = places;
  }

  /** @returns false: `then` is called once there is a place, which is the caller's from then on */
  take(then: () => void): boolean {
    if (this.#places === 0) {
      this.#waiting.add(then);
      return false;
    }
    this.#places -= 1;
    return true;
  }

  /** Gives up a place, or the wait for it. */
  leave(then: () => void): void {
    if (this.#waiting.delete(then)) return;
    const [next] = this.#waiting;
    if (!next) {
      this.#places += 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}

/** The flow stops and starts the reading of the client. */
export type Flow = { readonly room: EarlyRoom; pause(): void; resume(): void };

type Early = { readonly data: Buffer; readonly turn: PromiseWithResolvers<void> };

/**
 * The parts of a file come with their offsets: mostly one after the other, but clients with several requests under way change their order.
 */
export class IncomingFile {
  readonly handle: string;
  readonly path: string;
  readonly bytes = new PassThrough({ highWaterMark: WAITING_BYTES });
  readonly #flow: Flow;
  readonly #early = new Map<number, Early>();
  readonly #roomCame = () => {
    this.#room = 'TAKEN';
    this.#look();
  };
  #size = 0;
  #waitingBytes = 0;
  #earlyBytes = 0;
  #room: 'NONE' | 'WAITED_FOR' | 'TAKEN' = 'NONE';
  #isFinished = false;
  #isOver = false;

  constructor(handle: string, path: string, flow: Flow) {
    this.handle = handle;
    this.path = path;
    this.#flow = flow;
    // Whoever reads it gets the error.
    this.bytes.on('error', () => {});
  }

  /** Bytes without a gap. */
  get sizeBytes(): number {
    return this.#size;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Resolves when the client may send more. @throws Refusal; Error: the file is not taken */
  async write(offset: number, data: Buffer): Promise<void> {
    if (offset === this.#size) {
      const stored = this.#store(data);
      this.#takeEarly();
      return stored;
    }
    if (offset < this.#size || this.#early.has(offset) || this.#earlyBytes + data.length > EARLY_BYTES)
      throw new Refusal('Files come in order, from the beginning');
    const turn = Promise.withResolvers<void>();
    turn.promise.catch(() => {});
    this.#early.set(offset, { data, turn });
    this.#earlyBytes += data.length;
    if (this.#room === 'NONE') this.#room = this.#flow.room.take(this.#roomCame) ? 'TAKEN' : 'WAITED_FOR';
    this.#look();
    if (this.#earlyBytes > EARLY_ANSWERED_BYTES) return turn.promise;
  }

  /** The client has sent all of it. */
  finish(): void {
    if (this.#early.size > 0) {
      this.bytes.destroy(new Error('a part of the file is missing'));
      return;
    }
    this.#isFinished = true;
    this.bytes.end();
  }

  /** It was kept, or never will be. */
  over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const { turn } of this.#early.values()) turn.reject(new Error('the file did not arrive'));
    this.#early.clear();
    this.#leaveRoom();
    this.#flow.resume();
    if (!this.bytes.destroyed) this.bytes.destroy();
  }

  #takeEarly(): void {
    for (let next = this.#early.get(this.#size); next; next = this.#early.get(this.#size)) {
      this.#early.delete(this.#size);
      this.#earlyBytes -= next.data.length;
      this.#store(next.data).then(next.turn.resolve, next.turn.reject);
    }
    if (this.#early.size === 0) this.#leaveRoom();
  }

  #leaveRoom(): void {
    this.#earlyBytes = 0;
    if (this.#room !== 'NONE') this.#flow.room.leave(this.#roomCame);
    this.#room = 'NONE';
    this.#look();
  }

  async #store(data: Buffer): Promise<void> {
    this.#size += data.length;
    this.#waitingBytes += data.length;
    this.#look();
    try {
      await new Promise<void>((resolve, reject) =>
        this.bytes.write(data, (error) => (error ? reject(error) : resolve())),
      );
    } finally {
      this.#waitingBytes -= data.length;
      this.#look();
    }
  }

  /** The client is not read while too much of its data waits. */
  #look(): void {
    if (this.#isOver) return;
    if (this.#waitingBytes > WAITING_BYTES || this.#room === 'WAITED_FOR') this.#flow.pause();
    else this.#flow.resume();
  }
}
