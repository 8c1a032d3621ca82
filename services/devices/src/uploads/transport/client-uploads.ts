import { DomainError, toDomainError } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import type { Admission } from '../../listening/index.ts';
import type { ClientView } from '../domain/client-view.ts';
import { baseName } from '../domain/upload-name.ts';
import type { AdmittedUpload } from '../usecases/admit-upload.ts';
import { type TakeDeps, UploadSession } from '../usecases/take-upload.ts';
import { Refusal } from './refusal.ts';

const PATH_CHARACTERS = 1_000;

/** A client that has logged in by SSH may do this with files, whichever protocol it speaks. */
export class ClientUploads {
  readonly #session: UploadSession;
  readonly #ownerId: string;
  readonly #transfers: Admission;
  readonly #log: Logger;
  readonly #signal: AbortSignal;

  constructor(
    { source }: AdmittedUpload<'SftpUpload'>,
    deps: { readonly take: TakeDeps; readonly transfers: Admission; readonly log: Logger },
    signal: AbortSignal,
  ) {
    this.#session = new UploadSession(deps.take, source, 'SftpUpload');
    this.#ownerId = source.ownerId;
    this.#transfers = deps.transfers;
    this.#log = deps.log;
    this.#signal = signal;
  }

  get view(): ClientView {
    return this.#session.view;
  }

  /**
   * Takes a place for a file, then its bytes.
   * @returns resolves when the file is kept @throws Refusal; Error: it is not kept
   */
  take(path: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const fileName = nameIn(path);
    if (!this.#transfers.enter(this.#ownerId)) throw new Refusal('Too many files come at once: try again later');
    return this.#session
      .take(path, { fileName, bytes }, this.#signal)
      .catch((error: unknown) => {
        this.#log[isOurs(error) ? 'warn' : 'debug']({ err: error }, 'file by SFTP or scp could not be kept');
        throw error;
      })
      .finally(() => this.#transfers.leave(this.#ownerId));
  }

  /** @throws Refusal */
  async rename(from: string, path: string): Promise<void> {
    if (!(await this.#session.rename(from, { path, fileName: nameIn(path) })))
      throw new Refusal('There is no such file, or it is being read already');
  }

  /** @returns false: there is no such file */
  remove(path: string): Promise<boolean> {
    return this.#session.remove(path);
  }

  end(): Promise<void> {
    return this.#session.end();
  }

  /** A text for the client. */
  reasonOf(error: unknown): string {
    if (error instanceof Refusal) return error.message;
    const { kind, message } = toDomainError(error);
    if (kind === 'too_large') return 'Too large: at most 100 MB a file';
    if (kind === 'resource_exhausted') return message;
    if (kind === 'not_found') return 'The source is gone';
    return isOurs(error) ? 'Not available: try again later' : 'The file did not arrive';
  }
}

const isOurs = (error: unknown): boolean =>
  error instanceof DomainError && !['cancelled', 'too_large', 'resource_exhausted', 'not_found'].includes(error.kind);

function nameIn(path: string): string {
  const fileName = baseName(path);
  if (fileName === undefined || path.length > PATH_CHARACTERS) throw new Refusal('This is no name of a file');
  return fileName;
}
