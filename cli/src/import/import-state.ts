import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Progress of an import: a killed one continues from it. */
export type Position = {
  /** The API has taken this many records of the file, from its beginning. */
  readonly records: number;
  readonly values: number;
};

type Stored = Position & { readonly fingerprint: string };

/**
 * Keeps the position of one import in a small file. It is written after the API has answered for a batch: a batch that was under way when
 * the import was killed comes again, and its records land on themselves.
 */
export class ImportState {
  readonly #file: string;
  readonly #fingerprint: string;

  /** @param file where; @param parts what makes the import another one when it changes */
  constructor(file: string, parts: readonly (string | Buffer)[]) {
    this.#file = file;
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part).update('\0');
    this.#fingerprint = hash.digest('hex');
  }

  /** Returns undefined where nothing has been begun, or with another file or other settings. */
  async read(): Promise<Position | undefined> {
    try {
      const { fingerprint, records, values } = JSON.parse(await readFile(this.#file, 'utf8')) as Stored;
      return fingerprint === this.#fingerprint ? { records, values } : undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  async save(position: Position): Promise<void> {
    await mkdir(path.dirname(this.#file), { recursive: true });
    const draft = `${this.#file}.${process.pid}.tmp`;
    await writeFile(draft, `${JSON.stringify({ ...position, fingerprint: this.#fingerprint } satisfies Stored)}\n`);
    await rename(draft, this.#file);
  }

  remove(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}

/** Names a file in the user's folder, by file and target. */
export function defaultStateFile(file: string, url: string, node: string): string {
  const folder = process.env.XDG_STATE_HOME || path.join(os.homedir(), '.local/state');
  const name = createHash('sha256')
    .update(`${path.resolve(file)}\0${url}\0${node}`)
    .digest('hex')
    .slice(0, 24);
  return path.join(folder, 'catchment/imports', `${name}.json`);
}
