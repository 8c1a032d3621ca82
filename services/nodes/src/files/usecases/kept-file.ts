import { inSegments } from '@catchment/contracts/segments';
import { tooLarge } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import type { Queryable } from '@catchment/pg';
import { SEGMENT_BYTES } from '../domain/file.ts';
import { storedFile } from '../store/files-query.ts';
import { type FileDeps, IDLE_MS, objectName, removeFile } from './file-store.ts';
import type { FileList } from './ports.ts';

type Deps = Pick<FileDeps, 'database' | 'objects' | 'now'>;

/** No node names this file: the platform keeps it for a while. */
export type KeptFile = {
  readonly fileId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sizeBytes: number;
};

/**
 * Stores bytes as they come; nothing but a segment is held in memory. Until `keepUntil` is committed the sweep removes them again after
 * a while, whatever happens in between.
 * @throws DomainError too_large, unavailable; what `bytes` throws. Nothing of the file is left then
 */
export async function storeFile(
  list: FileList,
  deps: Deps,
  { ownerId, workspaceId }: { readonly ownerId: string; readonly workspaceId: string },
  bytes: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<KeptFile> {
  const { database, objects, now } = deps;
  const fileId = newObjectId(now());
  await list.insertFile(database, {
    fileId,
    ownerId,
    workspaceId,
    segmentBytes: SEGMENT_BYTES,
    dueMs: now() + IDLE_MS,
  });
  try {
    let [sizeBytes, index] = [0, 0];
    for await (const segment of inSegments(bytes, SEGMENT_BYTES)) {
      sizeBytes += segment.length;
      if (sizeBytes > maxBytes) throw tooLarge();
      await list.expectSegment(database, { ownerId, fileId }, index, now() + IDLE_MS);
      await objects.put(objectName(fileId, index), segment);
      index += 1;
    }
    return { fileId, ownerId, workspaceId, sizeBytes };
  } catch (error) {
    await dropFile(list, deps, { ownerId, fileId }).catch(() => {});
    throw error;
  }
}

/** Removes a file that `keepUntil` has not kept. The sweep does so if this fails. */
export async function dropFile(
  list: FileList,
  deps: Deps,
  { ownerId, fileId }: Pick<KeptFile, 'ownerId' | 'fileId'>,
): Promise<void> {
  const dropped = await list.dropComing(deps.database, ownerId, fileId);
  if (dropped) await removeFile(list, deps, dropped);
}

/** Keeps a stored file until a time, at most: then the sweep removes it. @returns false: it is gone already */
export const keepUntil = (
  { keepFile }: FileList,
  tx: Queryable,
  { ownerId, fileId, sizeBytes }: KeptFile,
  untilMs: number,
): Promise<boolean> => keepFile(tx, ownerId, fileId, sizeBytes, untilMs);

/** Reads all bytes of a kept file; undefined = it is kept no longer. */
export async function readKeptFile(
  { database, objects }: Pick<FileDeps, 'database' | 'objects'>,
  fileId: string,
): Promise<Buffer | undefined> {
  const file = await storedFile(database, fileId);
  if (!file) return undefined;
  const segments: Uint8Array[] = [];
  for (let index = 0; index < file.segments; index += 1) {
    const segment = await objects.get(objectName(fileId, index));
    if (!segment) return undefined;
    segments.push(segment);
  }
  return Buffer.concat(segments);
}
