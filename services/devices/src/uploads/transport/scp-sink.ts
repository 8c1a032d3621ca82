import type { ServerChannel } from 'ssh2';
import { FILE_MAX_BYTES } from '../../files/index.ts';
import { parseScpLine, type ScpCommand, type ScpStep } from '../domain/scp-command.ts';
import { absolutePath, baseName } from '../domain/upload-name.ts';
import type { ClientUploads } from './client-uploads.ts';
import { Refusal } from './refusal.ts';

type ScpDeps = {
  readonly uploads: ClientUploads;
  /** The client is to send something within the time; without one there is no hurry. */
  readonly expect: (limitMs: number | undefined) => void;
  readonly idleMs: number;
  readonly pauseMs: number;
};

const LINE_BYTES = 4 * 1024;
const FOLDERS_DEEP = 50;

/**
 * Speaks the protocol of `scp -O` and of older clients: lines that say what comes, each answered with a zero byte or a text.
 * @returns the exit status: 0 when everything that was sent is kept @throws Error: the connection broke
 */
export async function receiveScp(
  channel: ServerChannel,
  { direction, path, isFolder }: ScpCommand,
  deps: ScpDeps,
): Promise<number> {
  if (direction === 'FROM') {
    channel.write('\u0001scp: Files cannot be fetched\n');
    return 1;
  }
  const { view } = deps.uploads;
  const target = absolutePath('/', path);
  const sink = new ScpSink(channel, deps, isFolder || view.isFolder(target) ? { folder: target } : { file: target });
  return sink.run();
}

class ScpSink {
  readonly #channel: ServerChannel;
  readonly #deps: ScpDeps;
  readonly #chunks: AsyncIterator<Buffer>;
  #unread: Buffer = Buffer.alloc(0);
  /** The last one is where files go; without any the file has the name that the command has given. */
  readonly #folders: string[];
  readonly #file: string | undefined;
  #timeMs: number | undefined;
  /** This many bytes of the file are still to come; below 0: all have come. */
  #left = -1;
  #status = 0;

  constructor(channel: ServerChannel, deps: ScpDeps, target: { readonly folder?: string; readonly file?: string }) {
    this.#channel = channel;
    this.#deps = deps;
    // The exit status is sent after the end.
    this.#chunks = channel.iterator({ destroyOnReturn: false });
    this.#folders = target.folder === undefined ? [] : [target.folder];
    this.#file = target.file;
  }

  async run(): Promise<number> {
    this.#say();
    for (let line = await this.#line(); line !== undefined; line = await this.#line()) {
      const step = parseScpLine(line);
      if (!step || !(await this.#take(step))) {
        this.#refuse('\u0002', 'protocol error');
        break;
      }
    }
    return this.#status;
  }

  /** @returns false: what the client says is out of place */
  async #take(step: ScpStep): Promise<boolean> {
    if (step.step === 'FILE') await this.#takeFile(step.sizeBytes, step.name);
    else if (step.step === 'TIME') {
      this.#timeMs = step.timeMs;
      this.#say();
    } else if (step.step === 'FOLDER') {
      const name = baseName(step.name);
      if (name === undefined || this.#folders.length >= FOLDERS_DEEP) return false;
      this.#folders.push(absolutePath(this.#folders.at(-1) ?? this.#file ?? '/', name));
      this.#say();
    } else if (step.step === 'LEAVE') {
      if (!this.#folders.pop()) return false;
      this.#say();
    } else {
      // The client could not read one of its files.
      this.#status = 1;
      return !step.isFatal;
    }
    return true;
  }

  async #takeFile(sizeBytes: number, given: string): Promise<void> {
    const { uploads } = this.#deps;
    const folder = this.#folders.at(-1);
    const path = folder === undefined ? (this.#file ?? '/') : absolutePath(folder, baseName(given) ?? '');
    const timeMs = this.#timeMs;
    this.#timeMs = undefined;
    // The refusal is sent before the file comes: the client goes on with its next file.
    if (sizeBytes > FILE_MAX_BYTES) return this.#refuse('\u0001', `${given}: Too large: at most 100 MB a file`);
    this.#left = sizeBytes;
    let isAsked = false;
    try {
      const taken = uploads.take(path, this.#content());
      isAsked = true;
      this.#say();
      await taken;
    } catch (error) {
      // The rest of the file is read, so that the client hears the answer.
      if (isAsked) for await (const _ of this.#content());
      return this.#refuse('\u0001', `${given}: ${uploads.reasonOf(error)}`);
    }
    if (timeMs !== undefined) uploads.view.setTime(path, timeMs);
    this.#say();
  }

  /** Reads the rest of the file, and the word of the client that this was all of it. */
  async *#content(): AsyncGenerator<Buffer> {
    const { pauseMs } = this.#deps;
    while (this.#left > 0) {
      const bytes = await this.#some(this.#left, pauseMs);
      if (!bytes) throw new Error('the client has left');
      this.#left -= bytes.length;
      yield bytes;
    }
    if (this.#left < 0) return;
    this.#left = -1;
    // Clients of libssh2 end here without a word: all that they have announced has come.
    const [end = 0] = (await this.#some(1, pauseMs)) ?? [];
    if (end === 0) return;
    await this.#line();
    throw new Refusal('The client could not read all of it');
  }

  #say(): void {
    this.#channel.write('\u0000');
  }

  #refuse(severity: '\u0001' | '\u0002', text: string): void {
    this.#status = 1;
    this.#channel.write(`${severity}scp: ${text.replaceAll(/\p{Cc}/gu, ' ')}\n`);
  }

  /** @returns undefined: the client has said all */
  async #line(): Promise<string | undefined> {
    const { idleMs } = this.#deps;
    for (;;) {
      const end = this.#unread.indexOf(10);
      if (end >= 0) {
        const line = this.#unread.toString('utf8', 0, end);
        this.#unread = this.#unread.subarray(end + 1);
        return line;
      }
      if (this.#unread.length > LINE_BYTES) throw new Error('a line is too long');
      const chunk = await this.#next(idleMs);
      if (!chunk) return undefined;
      this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    }
  }

  /** @returns at least one byte, and no more than wanted; undefined: the client has said all */
  async #some(most: number, limitMs: number): Promise<Buffer | undefined> {
    if (this.#unread.length === 0) this.#unread = (await this.#next(limitMs)) ?? Buffer.alloc(0);
    if (this.#unread.length === 0) return undefined;
    const bytes = this.#unread.subarray(0, most);
    this.#unread = this.#unread.subarray(bytes.length);
    return bytes;
  }

  async #next(limitMs: number): Promise<Buffer | undefined> {
    const { expect } = this.#deps;
    expect(limitMs);
    try {
      const { value, done } = await this.#chunks.next();
      return done ? undefined : value;
    } finally {
      // The client waits for the store from here on.
      expect(undefined);
    }
  }
}
