import { createHash, type Hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import {
  completeFiles,
  type DeliverDeps,
  deliverFile,
  dropFiles,
  HELD_MAX,
  type StagedFile,
  stageFile,
} from '../../files/index.ts';
import { counted, type Nodes } from '../../sources/index.ts';
import { ClientView } from '../domain/client-view.ts';
import { isTemporary } from '../domain/upload-name.ts';
import type { Stored } from './ports.ts';

export type TakeDeps = DeliverDeps & { readonly nodes: Pick<Nodes, 'fileSettings'> };

/** A file that comes while others of its account wait has its client wait this long. */
const ROOM_WAIT_MS = 20_000;
const ROOM_POLL_MS = 250;
/** A file whose client says nothing more is read after this time under the name that it has. */
const NAMED_SECONDS = 10;
/** A file with a temporary name is read after this time. */
const TEMPORARY_SECONDS = 600;

type Source = Pick<NodeConfig, 'nodeId' | 'ownerId'>;
type Named = {
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Somebody has decoded it already. */
  readonly isText?: boolean;
};

/** Returns how files of the source are read. */
export const settingsOf = ({ nodes }: TakeDeps, { nodeId: sourceId, ownerId }: Source) =>
  nodes.fileSettings({ sourceId, ownerId });

/** Waits until the account may hand over one more file. @throws DomainError resource_exhausted */
export async function waitForRoom({ store, now }: TakeDeps, ownerId: string, signal: AbortSignal): Promise<void> {
  const endMs = now() + ROOM_WAIT_MS;
  while ((await store.countHeld(ownerId)) >= HELD_MAX) {
    if (now() >= endMs)
      throw new DomainError(
        'resource_exhausted',
        'TOO_MANY_FILES',
        `At most ${HELD_MAX} files of an account may wait at once; try again later`,
      );
    await sleep(ROOM_POLL_MS, undefined, { signal });
  }
}

/** They were kept before. */
class KeptBefore extends Error {}

/**
 * Takes several files that come together, as in a mail: they are all kept, or none is. Those of a message that comes again
 * are kept once.
 * @param messageId of what brought them, once its first file comes; undefined: nothing is known of it
 * @returns how many came; files without bytes leave nothing
 * @throws DomainError, or what `files` throws
 */
export async function takeTogether(
  deps: TakeDeps,
  of: Source,
  files: AsyncIterable<Named>,
  messageId: () => string | undefined,
): Promise<number> {
  const source = await settingsOf(deps, of);
  const staged: StagedFile[] = [];
  // Devices may give all their messages one id: what they bring counts too.
  const content = createHash('sha256');
  let count = 0;
  try {
    for await (const { fileName, bytes, isText = false } of files) {
      count += 1;
      content.update(`\n${JSON.stringify(fileName)}\n`);
      const file = await stageFile(deps, {
        fileName,
        bytes: hashed(bytes, content),
        source: isText ? { ...source, cameAsText: true } : source,
      });
      if (file) staged.push(file);
    }
    if (staged.length === 0) return count;
    const id = messageId();
    const digest = id === undefined ? undefined : content.update(`\n${id}`).digest();
    const completed = digest && noteOnce(of.nodeId, digest);
    await completeFiles(deps, staged, completed && { completed });
  } catch (error) {
    await dropFiles(deps.store, staged);
    if (!(error instanceof KeptBefore)) throw error;
  }
  return count;
}

/** The first of several files of a message notes it; a transaction that is run again notes it again. */
function noteOnce(sourceId: string, digest: Uint8Array): (tx: Stored) => Promise<void> {
  const noted = new WeakSet<Stored>();
  return async (tx) => {
    if (noted.has(tx)) return;
    if (!(await tx.noteMail(sourceId, digest))) throw new KeptBefore();
    noted.add(tx);
  };
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, content: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    content.update(chunk);
    yield chunk;
  }
}

type Held = { readonly fileId: string; readonly isTemporary: boolean };

/**
 * A client uploads files for its source by FTP or SFTP. They are durable when `take` resolves. They are read after the
 * client's next command, so that it may give them their names; a file with a name that looks temporary is waited for
 * until the client leaves.
 */
export class UploadSession {
  readonly #deps: TakeDeps;
  readonly #source: Source;
  readonly #transport: 'FtpUpload' | 'SftpUpload';
  /** The key is the path. */
  readonly #held = new Map<string, Held>();
  /** The client checks in this view that a file has arrived. */
  readonly view = new ClientView();

  constructor(deps: TakeDeps, source: Source, transport: 'FtpUpload' | 'SftpUpload') {
    this.#deps = deps;
    this.#transport = transport;
    this.#source = source;
  }

  /** @throws DomainError resource_exhausted, too_large, not_found (the source is gone), unavailable; what `bytes` throws */
  take(path: string, file: Named, signal: AbortSignal): Promise<void> {
    return counted(this.#transport, () => this.#take(path, file, signal));
  }

  async #take(path: string, { fileName, bytes }: Named, signal: AbortSignal): Promise<void> {
    await this.#settle(path);
    await waitForRoom(this.#deps, this.#source.ownerId, signal);
    const source = await settingsOf(this.#deps, this.#source);
    const temporary = isTemporary(fileName);
    const holdSeconds = temporary ? TEMPORARY_SECONDS : NAMED_SECONDS;
    const taken = await deliverFile(this.#deps, { source, fileName, bytes, holdSeconds });
    if (taken) this.#held.set(path, { fileId: taken.fileId, isTemporary: temporary });
    this.view.put(path, { sizeBytes: taken?.sizeBytes ?? 0, timeMs: this.#deps.now() });
  }

  /** @returns false: no file of this client that still waits has the path */
  async rename(path: string, to: { readonly path: string; readonly fileName: string }): Promise<boolean> {
    const held = this.#held.get(path);
    const file = this.view.file(path);
    if (!file) return false;
    if (held && !(await this.#release(held.fileId, to.fileName))) return false;
    this.#held.delete(path);
    this.view.move(path, to.path);
    return held !== undefined || file.sizeBytes === 0;
  }

  /**
   * A client tries whether it may write, and takes its file back. A file that is being read stays. @returns false:
   * there is no such file
   */
  async remove(path: string): Promise<boolean> {
    if (!this.view.file(path)) return false;
    const held = this.#held.get(path);
    if (held) await this.#deps.store.dropHeld(this.#source.ownerId, held.fileId);
    this.#held.delete(path);
    this.view.remove(path);
    return true;
  }

  /** The client goes on with another file: those that have their names are read, and the one that it replaces. */
  async #settle(path: string): Promise<void> {
    for (const [heldPath, held] of this.#held) {
      if (held.isTemporary && heldPath !== path) continue;
      this.#held.delete(heldPath);
      await this.#release(held.fileId);
    }
  }

  /** The client has left: all files are read. Never throws. */
  async end(): Promise<void> {
    const held = [...this.#held.values()];
    this.#held.clear();
    // A file that cannot be released now is read when its time is over.
    for (const { fileId } of held) await this.#release(fileId).catch(() => {});
  }

  async #release(fileId: string, fileName?: string): Promise<boolean> {
    const { ownerId } = this.#source;
    const { store, wake } = this.#deps;
    const isReleased = await store.releaseHeld({ ownerId, fileId, ...(fileName !== undefined && { fileName }) });
    wake();
    return isReleased;
  }
}
