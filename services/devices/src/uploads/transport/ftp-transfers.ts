import type { Socket } from 'node:net';
import { DomainError, toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import type { Admission } from '../../listening/index.ts';
import type { UploadSession } from '../usecases/take-upload.ts';
import type { FtpControl, SessionLimits } from './ftp-control.ts';
import type { FtpData } from './ftp-data.ts';
import { transferOf } from './transfer.ts';

export type FtpTransfersDeps = {
  /** Files that come at a time, by account. */
  readonly transfers: Admission;
  readonly log: Logger;
  readonly limits: SessionLimits;
};

/** Files that a client sends, one at a time, over its data connections. */
export class FtpTransfers {
  readonly #deps: FtpTransfersDeps;
  readonly #control: FtpControl;
  readonly #data: FtpData;
  readonly #gone: AbortSignal;
  /** Aborts the file that is arriving. */
  #transfer: AbortController | undefined;

  /** @param gone aborted when the client has left */
  constructor(deps: FtpTransfersDeps, control: FtpControl, data: FtpData, gone: AbortSignal) {
    this.#deps = deps;
    this.#control = control;
    this.#data = data;
    this.#gone = gone;
  }

  get isRunning(): boolean {
    return this.#transfer !== undefined;
  }

  abort(reason: string): void {
    this.#transfer?.abort(new Error(reason));
  }

  /** Returns the data connection; undefined: the client got the reason why there is none. */
  async connection(goOn: string): Promise<Socket | undefined> {
    if (!this.#data.isAwaited) {
      this.#control.reply(425, 'Use PASV or EPSV first');
      return undefined;
    }
    this.#control.reply(150, goOn);
    try {
      return await this.#data.open(this.#deps.limits.loginMs);
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'data connection of FTP failed');
      this.#control.reply(425, 'The data connection failed');
      return undefined;
    }
  }

  /** Takes a file, and reports its outcome to the client. @param ended no file comes any more */
  async store(
    { ownerId, uploads }: { readonly ownerId: string; readonly uploads: UploadSession },
    { path, fileName, goOn }: { readonly path: string; readonly fileName: string; readonly goOn: string },
    ended: () => void,
  ): Promise<void> {
    const { transfers, limits } = this.#deps;
    if (!transfers.enter(ownerId)) return this.#control.reply(450, 'Too many files come at once: try again later');
    this.#control.expectNothing();
    this.#transfer = new AbortController();
    try {
      await this.#receive(uploads, { path, fileName, goOn }, this.#transfer.signal);
    } finally {
      this.#transfer = undefined;
      ended();
      transfers.leave(ownerId);
      if (!this.#control.isOver) this.#control.expect(limits.idleMs);
    }
  }

  async #receive(
    uploads: UploadSession,
    { path, fileName, goOn }: { readonly path: string; readonly fileName: string; readonly goOn: string },
    signal: AbortSignal,
  ): Promise<void> {
    const socket = await this.connection(goOn);
    if (!socket) return;
    try {
      const bytes = transferOf(socket, { pauseMs: this.#deps.limits.pauseMs, signal });
      await uploads.take(path, { fileName, bytes }, AbortSignal.any([signal, this.#gone]));
      this.#control.reply(226, 'Kept');
    } catch (error) {
      this.#refuse(error);
    } finally {
      socket.destroy();
    }
  }

  #refuse(error: unknown): void {
    const { kind, message } = toDomainError(error);
    const { log } = this.#deps;
    if (kind === 'too_large') this.#control.reply(552, 'Too large: at most 100 MB a file');
    else if (kind === 'resource_exhausted') this.#control.reply(452, message);
    else if (kind === 'not_found') this.#control.end(421, 'The source is gone');
    else if (error instanceof DomainError && kind !== 'cancelled') {
      log.warn({ err: error }, 'file by FTP could not be kept');
      this.#control.reply(451, 'Not available: try again later');
    } else {
      log.debug({ err: error }, 'file by FTP did not arrive');
      this.#control.reply(426, 'The data connection broke: the file is not kept');
    }
  }
}
