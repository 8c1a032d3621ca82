import { PassThrough, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type Allowance, LimitReached } from '@catchment/egress';
import { Client, type FileInfo } from 'basic-ftp';
import { downloadTo } from 'basic-ftp/dist/transfer.js';

/** Neither control nor data connection has brought a byte for this long. */
const IDLE_MS = 30_000;
/** A line of a listing has at most this many characters; a name has 1 024 at the most. */
const LINE_MAX = 8_192;
const LINE = { what: 'line of the listing', advice: 'the path may name another folder' };

/** The client takes of its server what an allowance has room for, and holds of a listing a few lines at a time. */
export class BoundedFtpClient extends Client {
  #allowance: Allowance | undefined;
  /** Takes entries of the listing that is under way; resolves when there is room for more. */
  #take: (entries: FileInfo[]) => Promise<void> = async () => undefined;

  constructor() {
    super(IDLE_MS, { allowSeparateTransferHost: false });
    // All that comes over the control connection passes here; at the end of the allowance its signal closes the
    // connection.
    this.ftp.log = (message) => {
      if (message.startsWith('< ')) this.#allowance?.spend(message.length);
    };
  }

  /** The library has no signals: closing ends what is under way. */
  async within<T>(allowance: Allowance, work: () => Promise<T>): Promise<T> {
    const close = () => this.close();
    const { signal } = allowance;
    signal.addEventListener('abort', close, { once: true });
    this.#allowance = allowance;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      signal.removeEventListener('abort', close);
    }
  }

  /** Yields entries of a folder as they come. Whoever leaves before their end closes the connection. */
  async *entries(path: string, allowance: Allowance): AsyncGenerator<FileInfo> {
    const coming = new PassThrough({ objectMode: true, highWaterMark: 1 });
    this.#take = (entries) => new Promise((taken) => void coming.write(entries, () => taken()));
    const listing = this.within(allowance, () => this.list(path));
    listing.then(
      () => coming.end(),
      (error: Error) => coming.destroy(error),
    );
    let isWhole = false;
    try {
      for await (const entries of coming as AsyncIterable<FileInfo[]>) yield* entries;
      await listing;
      isWhole = true;
    } finally {
      coming.destroy();
      if (!isWhole) this.close();
    }
  }

  protected override async _requestListWithCommand(command: string): Promise<FileInfo[]> {
    const lines = new Lines(this.ftp.encoding, async (text) => {
      const entries = this.parseList(text);
      if (entries.length > 0) await this.#take(entries);
    });
    lines.onBytes = (bytes) => this.#allowance?.spend(bytes);
    await downloadTo(lines, {
      ftp: this.ftp,
      tracker: this._progressTracker,
      command,
      remotePath: '',
      type: 'list',
    });
    return [];
  }
}

/** Takes bytes, and gives on whole lines. */
class Lines extends Writable {
  onBytes: (bytes: number) => void = () => undefined;
  readonly #decoder: StringDecoder;
  readonly #take: (text: string) => Promise<void>;
  #rest = '';

  constructor(encoding: BufferEncoding | undefined, take: (text: string) => Promise<void>) {
    super();
    this.#decoder = new StringDecoder(encoding);
    this.#take = take;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.onBytes(chunk.length);
    const text = this.#rest + this.#decoder.write(chunk);
    const end = text.lastIndexOf('\n') + 1;
    this.#rest = text.slice(end);
    if (this.#rest.length > LINE_MAX) done(new LimitReached(LINE, `has more than ${LINE_MAX / 1024} KiB`));
    else this.#take(text.slice(0, end)).then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#take(this.#rest + this.#decoder.end()).then(() => done(), done);
  }
}
