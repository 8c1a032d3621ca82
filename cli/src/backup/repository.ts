import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Decrypter } from 'age-encryption';
import { errorText } from '../error-text.ts';
import { decodeFrom, encodeTo, encrypterFor, measure } from './blob-codec.ts';
import { FolderLock } from './folder-lock.ts';
import { type BlobRef, blobsOf, type Manifest, ManifestDamaged, manifestText, readManifest } from './manifest.ts';

const MANIFESTS = 'backups';
const BLOBS = 'blobs';

/**
 * A folder of backups. Content is kept once, under its digest, however many backups have it: a backup after another one writes
 * what is new. Files for other recipients have other names.
 */
export class Repository {
  readonly folder: string;
  readonly #known = new Map<string, BlobRef>();
  readonly #encrypter: ReturnType<typeof encrypterFor>;
  readonly #suffix: string;
  #lock: FolderLock | undefined;
  /** This backup has written this many bytes of files. */
  writtenBytes = 0;

  constructor(place: string, recipients: readonly string[] = []) {
    this.folder = folderOf(place);
    this.#encrypter = encrypterFor(recipients);
    this.#suffix = suffixOf(recipients);
  }

  /**
   * Makes the folder ready for a new backup, alone until it is disposed of.
   * @returns the newest backup for the same recipients
   * @throws Error where another one is written to the folder, or a backup there cannot be read: its files would be taken for unknown
   */
  async begin(): Promise<Manifest | undefined> {
    for (const name of [MANIFESTS, BLOBS]) await mkdir(path.join(this.folder, name), { recursive: true, mode: 0o700 });
    this.#lock = await FolderLock.take(this.folder);
    let earlier: Manifest | undefined;
    for (const name of await this.names()) {
      const manifest = await this.manifest(name).catch((error: Error) => {
        // `verify` reports a damaged manifest; no backup builds upon it.
        if (error.cause instanceof ManifestDamaged) return undefined;
        throw error;
      });
      if (!manifest || suffixOf(manifest.recipients) !== this.#suffix) continue;
      for (const blob of blobsOf(manifest)) this.#known.set(blob.digest, blob);
      earlier = manifest;
    }
    return earlier;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lock?.release();
  }

  /**
   * Keeps content. Where an earlier backup has it already, nothing is written.
   * @throws Error where the folder was lost to another one
   */
  async write(content: AsyncIterable<Uint8Array>): Promise<BlobRef> {
    const draft = path.join(this.folder, BLOBS, `${randomUUID()}.tmp`);
    try {
      const blob = await encodeTo(draft, content, this.#encrypter);
      const known = this.#known.get(blob.digest);
      if (known && (await this.#isThere(known, this.#suffix))) {
        await rm(draft);
        return known;
      }
      const file = this.#file(blob, this.#suffix);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      // Another backup may have written the file by now. It would not be what its manifest names: encryption gives
      // other bytes each time.
      await this.#lock?.confirm();
      await rename(draft, file);
      this.#known.set(blob.digest, blob);
      this.writtenBytes += blob.storedBytes;
      return blob;
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  /** Returns true where content is here, for the same recipients. */
  async has(blob: BlobRef): Promise<boolean> {
    return this.#known.has(blob.digest) && this.#isThere(blob, this.#suffix);
  }

  /** Reads the content of a file of a backup. @throws Error when it is not what was written */
  async *read(manifest: Manifest, blob: BlobRef, decrypter: Decrypter | undefined): AsyncGenerator<Uint8Array> {
    yield* decodeFrom(this.#file(blob, suffixOf(manifest.recipients)), blob, decrypter);
  }

  /** @returns what is wrong with a file; undefined = nothing. With a key also whether its content is what was written. */
  async check(
    manifest: Manifest,
    blob: BlobRef,
    key: { decrypter: Decrypter | undefined } | undefined,
  ): Promise<string | undefined> {
    const file = this.#file(blob, suffixOf(manifest.recipients));
    try {
      const found = await measure(file);
      if (found.bytes !== blob.storedBytes || found.digest !== blob.stored) return `${file} is not what was written`;
      if (key) for await (const _ of decodeFrom(file, blob, key.decrypter));
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return `${file} is missing`;
      return `${file}: ${errorText(error)}`;
    }
  }

  /** The backup is there from now on. @throws Error where the folder was lost to another one */
  async finish(manifest: Manifest): Promise<void> {
    await this.#lock?.confirm();
    const file = path.join(this.folder, MANIFESTS, `${manifest.name}.json`);
    await writeFile(`${file}.tmp`, manifestText(manifest), { mode: 0o600, flush: true });
    await rename(`${file}.tmp`, file);
  }

  /** Lists the names of the backups, the oldest first. */
  async names(): Promise<string[]> {
    const files = await readdir(path.join(this.folder, MANIFESTS)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') throw new Error(`${this.folder} is no folder of backups`);
      throw error;
    });
    return files.flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : [])).sort();
  }

  /** @param name `latest` = the newest one @throws Error that says which backups there are */
  async manifest(name: string): Promise<Manifest> {
    const names = await this.names();
    const chosen = name === 'latest' ? names.at(-1) : names.find((known) => known === name);
    if (chosen === undefined)
      throw new Error(`${this.folder} has no backup ${name}: ${names.join(', ') || 'it has none'}`);
    const text = await readFile(path.join(this.folder, MANIFESTS, `${chosen}.json`), 'utf8');
    try {
      return readManifest(text);
    } catch (error) {
      throw new Error(`Backup ${chosen} cannot be used: ${(error as Error).message}`, { cause: error });
    }
  }

  /**
   * Removes the oldest backups, and the files that no other one has, those of backups that were broken off too. This comes behind `begin`:
   * a backup that another process makes has files that no manifest names yet.
   * @returns names of the removed
   * @throws Error, with nothing removed, where one that is kept is damaged
   */
  async keepNewest(count: number): Promise<string[]> {
    await this.#lock?.confirm();
    const names = await this.names();
    const removed = names.slice(0, Math.max(0, names.length - count));
    const kept = new Set<string>();
    // Read before anything is removed: with one that is damaged, nobody knows what it needs.
    for (const name of names.slice(removed.length)) {
      const manifest = await this.manifest(name);
      for (const blob of blobsOf(manifest)) kept.add(path.basename(this.#file(blob, suffixOf(manifest.recipients))));
    }
    for (const name of removed) await rm(path.join(this.folder, MANIFESTS, `${name}.json`));
    const blobs = path.join(this.folder, BLOBS);
    for (const file of await readdir(blobs, { recursive: true, withFileTypes: true }))
      if (file.isFile() && !kept.has(file.name)) {
        await this.#lock?.confirm();
        await rm(path.join(file.parentPath, file.name), { force: true });
      }
    return removed;
  }

  #file({ digest }: BlobRef, suffix: string): string {
    return path.join(this.folder, BLOBS, digest.slice(0, 2), `${digest}${suffix}`);
  }

  async #isThere(blob: BlobRef, suffix: string): Promise<boolean> {
    const found = await stat(this.#file(blob, suffix)).catch((error: NodeJS.ErrnoException) => {
      // A file that cannot be examined is not written over.
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });
    return found?.size === blob.storedBytes;
  }
}

function folderOf(place: string): string {
  if (place.startsWith('file:')) return fileURLToPath(place);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(place))
    throw new Error(`${place}: backups are kept in a folder; mount other storage as one`);
  return path.resolve(place);
}

const suffixOf = (recipients: readonly string[]): string =>
  recipients.length === 0
    ? '.zst'
    : `.${createHash('sha256')
        .update([...recipients].sort().join('\n'))
        .digest('hex')
        .slice(0, 8)}.zst.age`;
