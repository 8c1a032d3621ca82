import type { File, ReadSegmentRequest } from '@catchment/contracts/files';
import { notFound, notPermitted } from '@catchment/errors';
import { isObjectId } from '@catchment/ids';
import type { StoredFile } from '../../domain/classes/stored-file.ts';
import { fileOfNode } from '../store/files-query.ts';
import { type FileDeps, objectName, previewName } from './file-store.ts';

type ReadDeps = Pick<FileDeps, 'database' | 'objects'>;

/** Returns the file of a verified link. @throws DomainError not_found, permission_denied when the account is disabled */
export async function getFile({ database }: ReadDeps, nodeId: string): Promise<File> {
  const found = await fileOfNode(database, nodeId);
  if (!found) throw notFound();
  if (found.status !== 'ACTIVE') throw notPermitted();
  const { id, size, mimeType, name, previewSize } = found.file as StoredFile;
  return { fileId: id, size, mimeType, fileName: name, segmentBytes: found.segmentBytes, previewSize };
}

/** @throws DomainError not_found when there are no such bytes */
export async function readSegment(
  { objects }: ReadDeps,
  { fileId, index, preview }: ReadSegmentRequest,
): Promise<Buffer> {
  const bytes = isObjectId(fileId)
    ? await objects.get(preview ? previewName(fileId) : objectName(fileId, index))
    : undefined;
  if (!bytes) throw notFound();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
