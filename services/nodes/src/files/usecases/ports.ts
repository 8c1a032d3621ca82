import type { Queryable } from '@catchment/pg';
import type { CountersChange } from '../../values/index.ts';

/** A file in the store, complete or still coming. */
export type FileRow = {
  readonly fileId: string;
  readonly ownerId: string;
  readonly segmentBytes: number;
  readonly segments: number;
};

/** The list of all files says which there are, how far they have come, and when they go. */
export type FileList = {
  /** Adds a file that begins to come. @param dueMs when it is swept away unless more has come */
  insertFile(
    on: Queryable,
    file: { fileId: string; ownerId: string; workspaceId: string; segmentBytes: number; dueMs: number },
  ): Promise<void>;
  /** A segment is about to be stored. @returns whether the file is still coming */
  expectSegment(
    on: Queryable,
    file: { ownerId: string; fileId: string },
    index: number,
    dueMs: number,
  ): Promise<boolean>;
  /**
   * A node names the file from now on, or it is kept without one until a time.
   * @param untilMs null = as long as a node names it
   * @returns whether it was still coming
   */
  keepFile(
    tx: Queryable,
    ownerId: string,
    fileId: string,
    sizeBytes: number,
    untilMs?: number | null,
  ): Promise<boolean>;
  /** Ends abandoned uploads: their bytes are removed next. */
  dropComing(on: Queryable, ownerId: string, fileId: string): Promise<FileRow | undefined>;
  /** Takes a due file for removal; one that a node still names is left alone. */
  claimFile(tx: Queryable, file: { fileId: string; ownerId: string }, nowMs: number): Promise<FileRow | undefined>;
  /** Removes everything of a file from the store. */
  forgetFile(on: Queryable, fileId: string): Promise<void>;
};

/** Counts files of a source in a day, in the transaction that takes or refuses them. */
export type DayCounter = {
  /** @returns how many came on the day, with this one */
  countFile(tx: Queryable, sourceId: string, nowMs: number): Promise<number>;
  /** Counts acquisitions of sources. */
  saveCounters(tx: Queryable, changes: readonly CountersChange[]): Promise<void>;
  /** @returns how many the limit of the day has refused; 0 where the source is gone */
  countRefusedFile(tx: Queryable, sourceId: string): Promise<number>;
};
