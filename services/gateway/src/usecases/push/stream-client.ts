import { type EndReason, endText } from '../../domain/server-sent-events.ts';

/** A client that has not taken a part for this long is disconnected. */
const SLOW_MS = 30_000;
const HEARTBEAT_MS = 15_000;

/** The connection of a client. */
export type PushSink = {
  write(text: Buffer): void;
  /** The client has still to take what it was sent. */
  readonly isBusy: boolean;
  /** Ends the connection after a last message. */
  end(text: Buffer): void;
};

/** A client of a stream: it is sent no more than it takes, hears something every 15 s, and is given up when it takes nothing for 30 s. */
export class StreamClient {
  readonly #sink: PushSink;
  readonly #now: () => number;
  #busySinceMs: number | undefined;
  #writtenMs: number;

  /** @param now ms of a clock that is never set back */
  constructor(sink: PushSink, now: () => number) {
    this.#sink = sink;
    this.#now = now;
    this.#writtenMs = now();
  }

  get isBusy(): boolean {
    return this.#sink.isBusy;
  }

  write(bytes: Buffer): void {
    this.#sink.write(bytes);
    this.#writtenMs = this.#now();
  }

  /** The client has taken what it was sent. */
  drained(): void {
    this.#busySinceMs = undefined;
  }

  end(why: EndReason): void {
    this.#sink.end(Buffer.from(endText(why, Math.random())));
  }

  /** Looks at the client, every second: one that is `slow` is to be disconnected, one that is `silent` to be sent a heartbeat. */
  look(): 'slow' | 'silent' | 'well' {
    const nowMs = this.#now();
    if (this.isBusy) {
      this.#busySinceMs ??= nowMs;
      return nowMs - this.#busySinceMs >= SLOW_MS ? 'slow' : 'well';
    }
    this.#busySinceMs = undefined;
    return nowMs - this.#writtenMs >= HEARTBEAT_MS ? 'silent' : 'well';
  }
}
