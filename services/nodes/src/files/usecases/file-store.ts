import type { TemplateDeps } from '../../templates/index.ts';
import type { ViewDeps } from '../../views/index.ts';
import type { FileList, FileRow } from './ports.ts';

/** Stores bytes, in pieces that are held in memory. */
interface FileStore {
  /** @throws DomainError unavailable unless it is stored */
  put(name: string, bytes: Uint8Array): Promise<void>;
  get(name: string): Promise<Uint8Array | undefined>;
  delete(name: string): Promise<void>;
}

export type FileDeps = TemplateDeps & ViewDeps & { readonly objects: FileStore };

/** A file that comes without a new segment for this long is abandoned. */
export const IDLE_MS = 15 * 60_000;

export const objectName = (fileId: string, index: number): string => `${fileId}/${index}`;
export const previewName = (fileId: string): string => `${fileId}/preview`;

/** Removes the bytes of a file that is being deleted, then its row; a repetition continues where it stopped. */
export async function removeFile(
  { forgetFile }: Pick<FileList, 'forgetFile'>,
  deps: Pick<FileDeps, 'database' | 'objects'>,
  file: FileRow,
): Promise<void> {
  for (let index = 0; index < file.segments; index += 1) await deps.objects.delete(objectName(file.fileId, index));
  await deps.objects.delete(previewName(file.fileId));
  await forgetFile(deps.database, file.fileId);
}
