import ssh2 from 'ssh2';
import { listLine, type ShownEntry } from '../domain/client-view.ts';
import { absolutePath } from '../domain/upload-name.ts';
import type { ClientUploads } from './client-uploads.ts';
import { type Flow, IncomingFile } from './incoming-file.ts';
import { Refusal } from './refusal.ts';

type SftpChannelDeps = {
  readonly uploads: ClientUploads;
  readonly flow: Flow;
  readonly pauseMs: number;
  readonly now: () => number;
  /** The client has sent something. */
  readonly active: () => void;
};

type Sftp = ssh2.SFTPWrapper;
type Coming = {
  readonly file: IncomingFile;
  readonly taken: Promise<void>;
  readonly timer: NodeJS.Timeout;
  /** The client has set this time. */
  timeMs?: number;
};

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;
const FOLDER_MODE = 0o040755;
const FILE_MODE = 0o100644;
/** A client reads this many folders at a time. */
const LISTINGS_MAX = 16;
const NO_SUCH_FILE = 'No such file';

/** Answers the requests of one SFTP client, which may upload files and nothing else (docs/reference/acquisition.md#uploads). */
export class SftpChannel {
  readonly #sftp: Sftp;
  readonly #deps: SftpChannelDeps;
  #handles = 0;
  #coming: Coming | undefined;
  /** Remembers why the last file was not taken: its client may look only at the answer to CLOSE. */
  #failed: { readonly handle: string; readonly error: unknown } | undefined;
  readonly #listings = new Map<string, readonly ShownEntry[]>();

  constructor(sftp: Sftp, deps: SftpChannelDeps) {
    this.#sftp = sftp;
    this.#deps = deps;
    sftp.on('OPEN', (id, path, flags) => this.#answer(id, () => this.#open(id, pathOf(path), flags)));
    sftp.on('WRITE', (id, handle, offset, data) =>
      // The library goes on using its memory.
      this.#answer(id, () => this.#write(handle.toString(), offset, Buffer.from(data))),
    );
    sftp.on('CLOSE', (id, handle) => this.#answer(id, () => this.#close(handle.toString())));
    sftp.on('STAT', (id, path) => this.#answer(id, () => this.#stat(id, pathOf(path))));
    sftp.on('LSTAT', (id, path) => this.#answer(id, () => this.#stat(id, pathOf(path))));
    sftp.on('FSTAT', (id, handle) =>
      this.#answer(id, () => this.#stat(id, this.#comingOf(handle.toString()).file.path)),
    );
    sftp.on('SETSTAT', (id, path, sent) => this.#answer(id, () => this.#setTime(pathOf(path), sent)));
    sftp.on('FSETSTAT', (id, handle, sent) =>
      this.#answer(id, () => this.#setTime(this.#comingOf(handle.toString()).file.path, sent)),
    );
    sftp.on('REALPATH', (id, path) =>
      this.#answer(id, () => {
        const filename = pathOf(path);
        sftp.name(id, [{ filename, longname: filename, attrs: attributes(FOLDER_MODE, 0, 0) }]);
        return 'ANSWERED';
      }),
    );
    sftp.on('OPENDIR', (id, path) => this.#answer(id, () => this.#openFolder(id, pathOf(path))));
    sftp.on('READDIR', (id, handle) => this.#answer(id, () => this.#readFolder(id, handle.toString())));
    sftp.on('MKDIR', (id, path) => this.#answer(id, () => deps.uploads.view.makeFolder(pathOf(path))));
    sftp.on('RMDIR', (id, path) => this.#answer(id, () => deps.uploads.view.removeFolder(pathOf(path))));
    sftp.on('RENAME', (id, from, to) => this.#answer(id, () => deps.uploads.rename(pathOf(from), pathOf(to))));
    sftp.on('REMOVE', (id, path) =>
      this.#answer(id, async () => {
        if (!(await deps.uploads.remove(pathOf(path)))) throw new Absent(NO_SUCH_FILE);
      }),
    );
    sftp.on('READ', (id) => sftp.status(id, STATUS_CODE.PERMISSION_DENIED, 'Files cannot be fetched'));
    sftp.on('EXTENDED', (id: number, name: string, data: Buffer | undefined) =>
      this.#answer(id, () => this.#extended(id, name, data)),
    );
  }

  get isReceiving(): boolean {
    return this.#coming !== undefined;
  }

  /** Resolves when nothing more comes of the file that is under way. Never rejects. */
  async over(reason: Error): Promise<void> {
    const coming = this.#coming;
    if (!coming) return;
    if (!coming.file.isFinished) coming.file.bytes.destroy(reason);
    await coming.taken.catch(() => {});
  }

  /** Every request has one answer: OK unless the work has given another one. */
  #answer(id: number, work: () => unknown): void {
    this.#deps.active();
    void (async () => {
      try {
        if ((await work()) !== 'ANSWERED') this.#sftp.status(id, STATUS_CODE.OK);
      } catch (error) {
        const code = error instanceof Absent ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE;
        this.#sftp.status(id, code, this.#deps.uploads.reasonOf(error));
      }
    })();
  }

  #comingOf(handle: string): Coming {
    if (this.#coming?.file.handle === handle) return this.#coming;
    if (this.#failed?.handle === handle) throw this.#failed.error;
    throw new Refusal('No such file is open');
  }

  #open(id: number, path: string, flags: number): 'ANSWERED' {
    const { uploads, flow, pauseMs } = this.#deps;
    if ((flags & OPEN_MODE.WRITE) === 0) {
      if (!uploads.view.file(path)) throw new Absent(NO_SUCH_FILE);
      throw new Refusal('Files cannot be fetched');
    }
    if (this.#coming) throw new Refusal('One file at a time');
    const file = new IncomingFile(this.#nextHandle('file'), path, flow);
    const taken = uploads.take(path, file.bytes as AsyncIterable<Buffer>).then(
      () => this.#over(file),
      (error: unknown) => {
        this.#failed = { handle: file.handle, error };
        this.#over(file);
        throw error;
      },
    );
    taken.catch(() => {});
    const timer = setTimeout(() => file.bytes.destroy(new Error('nothing came for too long')), pauseMs);
    this.#coming = { file, taken, timer };
    this.#sftp.handle(id, Buffer.from(file.handle));
    return 'ANSWERED';
  }

  #over(file: IncomingFile): void {
    const { timer, timeMs } = this.#coming ?? {};
    clearTimeout(timer);
    this.#coming = undefined;
    file.over();
    if (timeMs !== undefined) this.#deps.uploads.view.setTime(file.path, timeMs);
  }

  async #write(handle: string, offset: number, data: Buffer): Promise<void> {
    const { file, taken, timer } = this.#comingOf(handle);
    timer.refresh();
    try {
      await file.write(offset, data);
    } catch (error) {
      // The refusal of the whole file says more.
      if (!(error instanceof Refusal)) await taken;
      throw error;
    }
  }

  async #close(handle: string): Promise<void> {
    if (this.#listings.delete(handle)) return;
    const { file, taken } = this.#comingOf(handle);
    file.finish();
    await taken;
  }

  #stat(id: number, path: string): 'ANSWERED' {
    const { view } = this.#deps.uploads;
    const coming = this.#coming?.file.path === path ? this.#coming.file : undefined;
    const file = coming ? { sizeBytes: coming.sizeBytes, timeMs: this.#deps.now() } : view.file(path);
    if (!file && !view.isFolder(path)) throw new Absent(NO_SUCH_FILE);
    this.#sftp.attrs(id, this.#attributes({ name: path, ...(file && { file }) }));
    return 'ANSWERED';
  }

  #attributes({ file }: ShownEntry) {
    return file ? attributes(FILE_MODE, file.sizeBytes, file.timeMs) : attributes(FOLDER_MODE, 0, this.#deps.now());
  }

  /** Rights and owners of files mean nothing here. */
  #setTime(path: string, { mtime }: Partial<ssh2.Attributes>): void {
    const { view } = this.#deps.uploads;
    if (mtime === undefined) return;
    if (this.#coming?.file.path === path) this.#coming.timeMs = mtime * 1_000;
    else view.setTime(path, mtime * 1_000);
  }

  #openFolder(id: number, path: string): 'ANSWERED' {
    const { view } = this.#deps.uploads;
    if (!view.isFolder(path)) throw new Absent(NO_SUCH_FILE);
    if (this.#listings.size >= LISTINGS_MAX) throw new Refusal('Too many folders are open');
    const handle = this.#nextHandle('folder');
    this.#listings.set(handle, view.entriesIn(path));
    this.#sftp.handle(id, Buffer.from(handle));
    return 'ANSWERED';
  }

  #readFolder(id: number, handle: string): 'ANSWERED' {
    const entries = this.#listings.get(handle);
    if (!entries) throw new Refusal('No such folder is open');
    this.#listings.set(handle, []);
    if (entries.length === 0) this.#sftp.status(id, STATUS_CODE.EOF);
    else
      this.#sftp.name(
        id,
        entries.map((entry) => ({
          filename: entry.name,
          longname: listLine(entry, this.#deps.now()),
          attrs: this.#attributes(entry),
        })),
      );
    return 'ANSWERED';
  }

  async #extended(id: number, name: string, data: Buffer | undefined): Promise<'ANSWERED' | undefined> {
    // OpenSSH has this extension, and its clients prefer it to RENAME.
    if (name === 'posix-rename@openssh.com') {
      const [from, to] = stringsOf(data ?? Buffer.alloc(0));
      if (from === undefined || to === undefined) throw new Refusal('Two names, please');
      await this.#deps.uploads.rename(pathOf(from), pathOf(to));
      return undefined;
    }
    // Kept is kept at the end of the file.
    if (name === 'fsync@openssh.com' || name === 'lsetstat@openssh.com') return undefined;
    this.#sftp.status(id, STATUS_CODE.OP_UNSUPPORTED);
    return 'ANSWERED';
  }

  #nextHandle(kind: string): string {
    this.#handles += 1;
    return `${kind}-${this.#handles}`;
  }
}

class Absent extends Refusal {}

const pathOf = (path: string): string => absolutePath('/', path).slice(0, 1_001);

const attributes = (mode: number, size: number, timeMs: number) => {
  const seconds = Math.floor(timeMs / 1_000);
  return { mode, uid: 0, gid: 0, size, atime: seconds, mtime: seconds };
};

/** Returns the strings of a request: each has its length in front of it. */
function stringsOf(data: Buffer): string[] {
  const strings: string[] = [];
  for (let at = 0; at + 4 <= data.length; ) {
    const end = at + 4 + data.readUInt32BE(at);
    if (end > data.length) break;
    strings.push(data.toString('utf8', at + 4, end));
    at = end;
  }
  return strings;
}
