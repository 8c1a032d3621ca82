/** Messages that a sender may be ahead of its reader. */
export const AHEAD_MESSAGES = 8;
/** It is not ahead by more than this and one message, whatever their number. */
const AHEAD_BYTES = 1024 * 1024;

/** Sent without a turn of the event loop: a sender that waits for nothing, and its reader, would hold up everybody else in the process. */
const BUSY_MS = 5;

type Writer = { readonly isDue: () => boolean; readonly woken: PromiseWithResolvers<void> };

/** Hands the messages of a stream over within a process: its sender waits for its reader. */
export class HandOff {
  #messages: { readonly message: unknown; readonly sizeBytes: number }[] = [];
  #bytes = 0;
  #turnMs = performance.now();
  #isOver = false;
  #error: unknown;
  #reader: PromiseWithResolvers<void> | undefined;
  #writer: Writer | undefined;

  /** @returns undefined while there is room; else resolves when there is, and rejects once the stream is broken off */
  write(message: unknown, sizeBytes: number): Promise<void> | undefined {
    this.#messages.push({ message, sizeBytes });
    this.#bytes += sizeBytes;
    this.#wakeReader();
    if (this.#isFull()) return this.#until(() => !this.#isFull());
    return performance.now() - this.#turnMs >= BUSY_MS ? this.#turn() : undefined;
  }

  /** The last message is written. @returns undefined when all are taken; else resolves when they are */
  finish(): Promise<void> | undefined {
    const isTaken = () => this.#messages.length === 0;
    return isTaken() ? undefined : this.#until(isTaken);
  }

  /** @param error comes to the reader after the messages before it */
  end(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#error = error;
    this.#wakeReader();
  }

  /** Messages that nobody has taken are lost. */
  breakOff(error: unknown): void {
    if (this.#isOver && this.#messages.length === 0) return;
    this.#isOver = true;
    this.#error = error;
    this.#messages = [];
    this.#bytes = 0;
    this.#wakeReader();
    this.#writer?.woken.reject(error);
    this.#writer = undefined;
  }

  /** Yields the parts to one reader. @throws what the stream ended with */
  async *read(): AsyncGenerator<unknown> {
    for (;;) {
      for (let next = this.#messages.shift(); next; next = this.#messages.shift()) {
        this.#bytes -= next.sizeBytes;
        this.#wakeWriter();
        yield next.message;
      }
      if (this.#isOver) break;
      this.#reader = Promise.withResolvers();
      await this.#reader.promise;
    }
    if (this.#error !== undefined) throw this.#error;
  }

  #isFull(): boolean {
    return this.#messages.length >= AHEAD_MESSAGES || this.#bytes >= AHEAD_BYTES;
  }

  async #turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#turnMs = performance.now();
  }

  #until(isDue: () => boolean): Promise<void> {
    this.#writer = { isDue, woken: Promise.withResolvers() };
    return this.#writer.woken.promise;
  }

  #wakeWriter(): void {
    if (!this.#writer?.isDue()) return;
    this.#writer.woken.resolve();
    this.#writer = undefined;
  }

  #wakeReader(): void {
    this.#reader?.resolve();
    this.#reader = undefined;
  }
}
