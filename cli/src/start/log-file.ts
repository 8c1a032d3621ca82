import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

type LogFileOptions = {
  readonly file: string;
  /** Reports to people what became of the log. */
  readonly say: (line: string) => void;
  /** Larger, it becomes `<file>.old`, in the place of the one before. */
  readonly limitBytes: number;
  readonly now?: () => number;
};

/** A failure stops writing for this long: each try costs a call of the system. */
const PAUSE_MS = 1_000;
const LAST_WORDS_MS = 1_000;

/**
 * Keeps what processes say in a file. While that cannot be written, for its disk is full, what they say is dropped and counted: they go on,
 * and so does whoever started them.
 */
export class LogFile {
  readonly #options: LogFileOptions;
  readonly #now: () => number;
  readonly #sources = new Set<Readable>();
  #stream: WriteStream | undefined;
  #sizeBytes = 0;
  #pauseUntilMs = 0;
  #droppedBytes = 0;
  #isBroken = false;
  #isClosed = false;

  constructor(options: LogFileOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Writes what a process says until it ends, no faster than the disk takes it. */
  take(source: Readable): void {
    this.#sources.add(source);
    source.on('data', (chunk: Buffer) => this.#write(chunk));
    // Its end is that of the process.
    source.on('error', () => {});
    source.once('close', () => this.#sources.delete(source));
  }

  /** Resolves once everything is written, or dropped. The last output of a process comes a moment after its end. */
  async close(): Promise<void> {
    const closed = [...this.#sources].map((source) => new Promise((resolve) => source.once('close', resolve)));
    await Promise.race([Promise.all(closed), delay(LAST_WORDS_MS, undefined, { ref: false })]);
    this.#isClosed = true;
    const stream = this.#stream;
    this.#stream = undefined;
    if (!stream || stream.destroyed) return;
    await new Promise<void>((resolve) => {
      stream.once('close', resolve);
      stream.end();
    });
  }

  #write(chunk: Buffer): void {
    const stream = this.#open();
    if (!stream) {
      this.#droppedBytes += chunk.length;
      return;
    }
    this.#sizeBytes += chunk.length;
    const hasRoom = stream.write(chunk, (error) => {
      if (error) this.#droppedBytes += chunk.length;
      else if (this.#isBroken && stream === this.#stream) this.#mended();
    });
    if (hasRoom) return;
    for (const source of this.#sources) source.pause();
  }

  #open(): WriteStream | undefined {
    if (this.#stream && this.#sizeBytes <= this.#options.limitBytes) return this.#stream;
    if (this.#isClosed || this.#now() < this.#pauseUntilMs) return undefined;
    this.#stream?.end();
    this.#makeRoom();
    const stream = createWriteStream(this.#options.file, { flags: 'a' });
    stream.on('error', (error) => this.#failed(stream, error));
    stream.on('drain', () => this.#goOn());
    this.#stream = stream;
    return stream;
  }

  #makeRoom(): void {
    const { file, limitBytes } = this.#options;
    try {
      // Lines that were written a moment ago may not be in the file yet.
      this.#sizeBytes = Math.max(this.#sizeBytes, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
      if (this.#sizeBytes <= limitBytes) return;
      renameSync(file, `${file}.old`);
    } catch {
      // It grows on: better than a log that ends.
    }
    this.#sizeBytes = 0;
  }

  #failed(stream: WriteStream, error: Error): void {
    // Lines that were still to be written get their error in turn.
    if (stream === this.#stream) this.#stream = undefined;
    this.#pauseUntilMs = this.#now() + PAUSE_MS;
    if (!this.#isBroken)
      this.#options.say(`${this.#options.file} cannot be written, and is left out until it can: ${error.message}`);
    this.#isBroken = true;
    this.#goOn();
  }

  #mended(): void {
    this.#options.say(`${this.#options.file} is written again; ${this.#droppedBytes} bytes are missing`);
    this.#isBroken = false;
    this.#droppedBytes = 0;
  }

  #goOn(): void {
    for (const source of this.#sources) source.resume();
  }
}
