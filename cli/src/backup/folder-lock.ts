import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const LOCK = 'backup.lock';
const RENEW_MS = 30_000;
/** The lock of a process that died, or that has not come to its folder for this long, is free. */
const LEFT_AFTER_MS = 600_000;

/** One process at a time has the right to write to a folder of backups, on whatever machine. */
export class FolderLock {
  readonly #folder: string;
  readonly #id: string;
  readonly #timer: NodeJS.Timeout;

  private constructor(folder: string, id: string) {
    this.#folder = folder;
    this.#id = id;
    // A failure counts only once another process has taken the folder: `confirm` finds that.
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), RENEW_MS);
  }

  /** @throws Error where another process has it */
  static async take(folder: string): Promise<FolderLock> {
    const id = randomUUID();
    const file = path.join(folder, LOCK);
    const take = async () => {
      try {
        await writeFile(file, id, { flag: 'wx', mode: 0o600 });
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
        throw error;
      }
    };
    if (await take()) return new FolderLock(folder, id);
    if ((await standingOf(file)) !== 'held' && (await removeLeft(file)) && (await take()))
      return new FolderLock(folder, id);
    throw new Error(
      `Another backup is written to ${folder}. One that was broken off blocks the folder for ${LEFT_AFTER_MS / 60_000} minutes; ` +
        `where none is running, remove ${file}.`,
    );
  }

  /** @throws Error where another process has taken the folder, since this one was silent for too long */
  async confirm(): Promise<void> {
    if (await this.#isOurs()) return;
    throw new Error(
      `The lock of ${this.#folder} is not of this backup any more: another one has taken the folder, since this one was silent for long. ` +
        'Make the backup again.',
    );
  }

  /** Releases the lock; while the folder is away, the lock ends by itself. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    const isOurs = await this.#isOurs().catch(() => false);
    if (isOurs) await rm(path.join(this.#folder, LOCK), { force: true }).catch(() => undefined);
  }

  async #isOurs(): Promise<boolean> {
    const owner = await readFile(path.join(this.#folder, LOCK), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    return owner === this.#id;
  }

  async #renew(): Promise<void> {
    if (!(await this.#isOurs())) return;
    // Writing lets the file server set the time, by its own clock.
    const handle = await open(path.join(this.#folder, LOCK), 'r+');
    try {
      await handle.write(this.#id, 0);
    } finally {
      await handle.close();
    }
  }
}

/**
 * Removes a lock that nobody holds. Several may find it so at the same time, and the lock that a faster one has taken since must stay: one at
 * a time looks once more, and removes it.
 * @returns whether it is gone
 */
async function removeLeft(file: string): Promise<boolean> {
  const turn = `${file}.turn`;
  try {
    await writeFile(turn, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // A process may have died while it held the turn: its file is removed, and the next try gets the turn.
    if ((await standingOf(turn)) === 'left') await rm(turn, { force: true });
    return false;
  }
  try {
    const standing = await standingOf(file);
    if (standing === 'left') await rm(file, { force: true });
    return standing !== 'held';
  } finally {
    await rm(turn, { force: true });
  }
}

/** A process holds a lock while it renews it. One that is gone may be taken by another process in this moment, so nobody removes it. */
type Standing = 'held' | 'left' | 'gone';

/** Returns what a lock is in, by the clock of the file server. */
async function standingOf(file: string): Promise<Standing> {
  const probe = `${file}.${randomUUID()}`;
  try {
    await writeFile(probe, '', { mode: 0o600 });
    const [now, then] = await Promise.all([stat(probe), stat(file)]);
    return now.mtimeMs - then.mtimeMs > LEFT_AFTER_MS ? 'left' : 'held';
  } catch (error) {
    // The other one has ended at this moment.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone';
    throw error;
  } finally {
    await rm(probe, { force: true });
  }
}
