import { inSegments } from '@catchment/contracts/segments';
import { DomainError, tooLarge } from '@catchment/errors';
import { newObjectId } from '@catchment/ids';
import { pushed } from '../../schedules/index.ts';
import { type FileSource, shownName } from '../../sources/index.ts';
import { eventSource, FILE_MAX_BYTES, HELD_MAX, NAME_CHARACTERS, SEGMENT_BYTES } from './hand-over-file.ts';
import type { Store, Stored } from './ports.ts';

export type DeliverDeps = {
  readonly store: Store;
  /** A file waits for its turn. */
  readonly wake: () => void;
  readonly now: () => number;
};

type ComingFile = {
  readonly source: FileSource;
  readonly fileName: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** At least 1; default FILE_MAX_BYTES. */
  readonly maxBytes?: number;
};

/** All bytes of it are stored; it is swept away unless it is completed soon. */
export type StagedFile = {
  readonly fileId: string;
  readonly fileName: string;
  readonly source: FileSource;
  readonly sizeBytes: number;
  readonly segments: number;
};

export type Completion = {
  /** false: the event `Acquired …` is the caller's matter. */
  readonly isReported?: boolean;
  /** Does what belongs to the files in the transaction that completes them: pointers, status. */
  readonly completed?: (tx: Stored, sizeBytes: number) => Promise<void>;
  /** They are not read before, unless `releaseHeld` says so: they may get another name. */
  readonly holdSeconds?: number;
};

export type DeliveredFile = ComingFile & Completion;

/**
 * Stores a file that a transport received or fetched, a segment at a time; from its end on it is read and its records are written,
 * whatever becomes of the processes. The source's rights are the transport's matter.
 * @returns undefined when it had no bytes: nothing is left of it
 * @throws DomainError resource_exhausted (too many files of the account wait), too_large; what `bytes` throws. Nothing is left of it then.
 */
export async function deliverFile(
  deps: DeliverDeps,
  { isReported, completed, holdSeconds, ...coming }: DeliveredFile,
): Promise<{ readonly fileId: string; readonly sizeBytes: number } | undefined> {
  const staged = await stageFile(deps, coming);
  const completion = {
    ...(isReported !== undefined && { isReported }),
    ...(completed && { completed }),
    ...(holdSeconds !== undefined && { holdSeconds }),
  };
  if (staged) await completeFiles(deps, [staged], completion);
  return staged;
}

/** The first half of `deliverFile` stores the bytes. */
export async function stageFile(
  { store, now }: Pick<DeliverDeps, 'store' | 'now'>,
  { source, bytes, maxBytes = FILE_MAX_BYTES, ...given }: ComingFile,
): Promise<StagedFile | undefined> {
  const { ownerId } = source;
  if ((await store.countHeld(ownerId)) >= HELD_MAX)
    throw new DomainError(
      'resource_exhausted',
      'TOO_MANY_FILES',
      `At most ${HELD_MAX} files of an account may wait at once; try again later`,
    );
  const fileId = newObjectId(now());
  const fileName = given.fileName.slice(0, NAME_CHARACTERS);
  await store.insertFile({ fileId, fileName, source, segmentBytes: SEGMENT_BYTES });
  let sizeBytes = 0;
  let segments = 0;
  try {
    for await (const segment of inSegments(bytes, SEGMENT_BYTES)) {
      sizeBytes += segment.length;
      if (sizeBytes > maxBytes) throw tooLarge();
      if (!(await store.saveSegment({ fileId, ownerId, segment: segments, bytes: segment }))) throw swept();
      segments += 1;
    }
  } catch (error) {
    await store.dropComing(ownerId, fileId).catch(() => {});
    throw error;
  }
  if (sizeBytes > 0) return { fileId, fileName, source, sizeBytes, segments };
  await store.dropComing(ownerId, fileId);
  return undefined;
}

/** The second half completes several files together: they are all kept, or none is. */
export async function completeFiles(
  { store, wake, now }: DeliverDeps,
  files: readonly StagedFile[],
  { isReported = true, completed, holdSeconds = 0 }: Completion = {},
): Promise<void> {
  try {
    await store.transaction(async (tx) => {
      for (const { fileId, fileName, source, sizeBytes, segments } of files) {
        if (!(await tx.completeFile({ fileId, sizeBytes, segments, holdSeconds }))) throw swept();
        const message = `Acquired '${shownName(fileName)}' [${sizeBytes} bytes]`;
        if (isReported)
          await tx.recordEvents([{ source: eventSource(source), level: 'DEBUG', message, timeMs: now() }]);
        await completed?.(tx, sizeBytes);
        await pushed(tx, source._id, now());
      }
    });
  } catch (error) {
    await dropFiles(store, files);
    throw error;
  }
  wake();
}

/** Removes everything of files that were not completed. Never throws: what cannot be removed now is swept. */
export async function dropFiles(store: Pick<Store, 'dropComing'>, files: readonly StagedFile[]): Promise<void> {
  for (const { fileId, source } of files) await store.dropComing(source.ownerId, fileId).catch(() => {});
}

const swept = (): DomainError =>
  new DomainError('cancelled', 'FILE_TAKEN', 'The file came too slowly, and was swept away');
