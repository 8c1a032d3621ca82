import { absolutePath } from './upload-name.ts';

/** A client sees this of the file that it has uploaded. */
type ShownFile = { readonly sizeBytes: number; readonly timeMs: number };
/** An entry without `file` is a folder itself. */
export type ShownEntry = { readonly name: string; readonly file?: ShownFile };

const FILES_KNOWN = 200;
const FOLDERS_KNOWN = 100;

/**
 * Shows a client that uploads what it believes to be there: the files that it has sent on this connection, and folders.
 * There are no folders in truth. Scripts go into one before they make it, so an unknown name is a folder unless it
 * looks like the name of a file. Paths are absolute.
 */
export class ClientView {
  readonly #files = new Map<string, ShownFile>();
  readonly #folders = new Set<string>();

  file(path: string): ShownFile | undefined {
    return this.#files.get(path);
  }

  isFolder(path: string): boolean {
    if (path === '/' || this.#folders.has(path)) return true;
    if (this.#files.has(path)) return false;
    return !(path.split('/').at(-1) ?? '').includes('.') || this.entriesIn(path).length > 0;
  }

  /** The oldest ones are forgotten. */
  put(path: string, file: ShownFile): void {
    this.#files.delete(path);
    this.#files.set(path, file);
    const [oldest] = this.#files.keys();
    if (this.#files.size > FILES_KNOWN && oldest !== undefined) this.#files.delete(oldest);
  }

  /** Clients set the time that a file has at their side. */
  setTime(path: string, timeMs: number): void {
    const file = this.#files.get(path);
    if (file) this.#files.set(path, { ...file, timeMs });
  }

  move(from: string, to: string): void {
    const file = this.#files.get(from);
    this.#files.delete(from);
    if (file) this.put(to, file);
  }

  remove(path: string): void {
    this.#files.delete(path);
  }

  makeFolder(path: string): void {
    if (this.#folders.size < FOLDERS_KNOWN) this.#folders.add(path);
  }

  removeFolder(path: string): void {
    this.#folders.delete(path);
  }

  /** Lists what is to be seen in a folder, folders on the way to files too. */
  entriesIn(folder: string): readonly ShownEntry[] {
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const entries = new Map<string, ShownEntry>();
    const show = (path: string, file?: ShownFile) => {
      if (!path.startsWith(prefix)) return;
      const [name, deeper] = path.slice(prefix.length).split('/');
      if (!name || entries.has(name)) return;
      entries.set(name, deeper === undefined && file ? { name, file } : { name });
    };
    for (const [path, file] of this.#files) show(path, file);
    for (const path of this.#folders) show(path);
    return [...entries.values()];
  }

  /**
   * Returns what a client sees who asks for a path: the file itself, or what is in the folder; undefined: nothing is
   * there.
   */
  list(folder: string, path: string): readonly ShownEntry[] | undefined {
    const at = absolutePath(folder, path);
    const file = this.file(at);
    if (file) return [{ name: at.split('/').at(-1) ?? '', file }];
    return this.isFolder(at) ? this.entriesIn(at) : undefined;
  }
}

/** Returns a line of `ls -l`, which clients read sizes from. */
export function listLine({ name, file }: ShownEntry, nowMs: number): string {
  const time = Temporal.Instant.fromEpochMilliseconds(file?.timeMs ?? nowMs).toZonedDateTimeISO('UTC');
  const month = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')[time.month - 1];
  const isRecent = Math.abs(nowMs - time.epochMilliseconds) < 180 * 86_400_000;
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = isRecent ? `${two(time.hour)}:${two(time.minute)}` : ` ${time.year}`;
  const mode = file ? '-rw-r--r--' : 'drwxr-xr-x';
  return `${mode} 1 source source ${String(file?.sizeBytes ?? 0).padStart(12)} ${month} ${String(time.day).padStart(2)} ${clock} ${name}`;
}

/** A line of MLSD. */
export const factLine = ({ name, file }: ShownEntry, nowMs: number): string =>
  file
    ? `type=file;size=${file.sizeBytes};modify=${ftpTime(file.timeMs)}; ${name}`
    : `type=dir;modify=${ftpTime(nowMs)}; ${name}`;

/** FTP writes times as `YYYYMMDDhhmmss` in UTC. */
export const ftpTime = (timeMs: number): string =>
  Temporal.Instant.fromEpochMilliseconds(timeMs)
    .toString({ smallestUnit: 'second' })
    .replaceAll(/[-:TZ]/g, '');

/** @returns undefined: this is no such time */
export function fromFtpTime(text: string): number | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?$/.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  try {
    return Temporal.Instant.from(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`).epochMilliseconds;
  } catch {
    return undefined;
  }
}
