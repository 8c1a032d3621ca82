import type { FileOutcome } from '../../reading/index.ts';
import type { AcquisitionStored } from '../../schedules/index.ts';
import type { EventStored, FileSource, Transactions } from '../../sources/index.ts';
import type { Contact, LastFile } from '../domain/contact.ts';
import type { FetchedFile } from '../domain/fetched-file.ts';
import type { Import, ImportEnd, ImportedFile } from '../domain/import.ts';

/** The turn of the file has come. */
export type FileInWork = {
  readonly fileId: string;
  readonly fileName: string;
  readonly source: FileSource;
  readonly sizeBytes: number;
  readonly segmentBytes: number;
  /** The log has this many records already. */
  readonly recordsDone: number;
  /** Counts how often it was begun, this time included, other than when something it needs was away. */
  readonly tries: number;
  /** Unix ms. */
  readonly arrivedMs: number;
};

/** Stores files that come and wait, and imports: each call names the account, or an object that was found in it before. */
export interface FileStored {
  /** Counts the files of an account that are coming or waiting. */
  countHeld(ownerId: string): Promise<number>;
  insertFile(file: { fileId: string; fileName: string; source: FileSource; segmentBytes: number }): Promise<void>;
  /** @returns whether the file is still coming */
  saveSegment(of: { fileId: string; ownerId: string; segment: number; bytes: Uint8Array }): Promise<boolean>;
  /** Finds a file that is coming or has come. */
  findFile(
    ownerId: string,
    fileId: string,
  ): Promise<{ source: FileSource; fileName: string; isComplete: boolean } | undefined>;
  /** All of it is there: it waits for its turn, `holdSeconds` at the least. @returns false when segments are missing, or it comes no more */
  completeFile(file: { fileId: string; sizeBytes: number; segments: number; holdSeconds?: number }): Promise<boolean>;
  /** A file that was completed with `holdSeconds` waits no longer for another name. @returns false when it is being read, or was */
  releaseHeld(file: { ownerId: string; fileId: string; fileName?: string }): Promise<boolean>;
  /** Removes everything of a file that is still coming. */
  dropComing(ownerId: string, fileId: string): Promise<void>;
  /** Drops a file that has come, unless it is being read, or was. */
  dropHeld(ownerId: string, fileId: string): Promise<void>;
  /** @returns false: the source has got these files by this mail before */
  noteMail(sourceId: string, digest: Uint8Array): Promise<boolean>;
  /** Removes abandoned uploads and outcomes that were delivered. Any replica may do it at any time. */
  sweepFiles(): Promise<void>;
  deleteFilesOf(sourceIds: readonly string[]): Promise<void>;
  /** Bytes of a segment. */
  readPiece(fileId: string, piece: { segment: number; from: number; length: number }): Promise<Uint8Array | undefined>;
  /**
   * Takes the next file: the oldest one of its source, in an account that does not have too many in work.
   * @param leaseId identifies whoever takes it, never used twice
   */
  claimFile(leaseId: string): Promise<FileInWork | undefined>;
  /** @throws DomainError cancelled when the file is another's, or gone */
  renewLease(fileId: string, leaseId: string, recordsDone?: number): Promise<void>;
  /** Gives a file back. @param of.counts whether this was a try: nothing that it needed was away */
  releaseFile(of: { fileId: string; leaseId: string; counts: boolean; waitSeconds: number }): Promise<void>;
  /** Its bytes are needed no longer; the outcome is kept for who waits for it. @throws DomainError cancelled */
  settleFile(fileId: string, leaseId: string, outcome: FileOutcome): Promise<void>;
  /** A file was fetched. The progress of its records stays, unless its collection begins anew at another time. */
  saveFetchedFile(sourceId: string, file: FetchedFile): Promise<void>;
  /** Records of a file are in the log up to a time. */
  saveRecordsUntil(sourceId: string, key: string, untilMs: number): Promise<void>;
  /** undefined: not done, or gone. */
  readOutcome(fileId: string): Promise<FileOutcome | undefined>;
  /** Replaces what was known of the last file of the source; one that no entry takes replaces none that was read. */
  saveLastFile(file: LastFile): Promise<void>;
  /** Returns what is known of the contacts of a source of the account. */
  contactOf(ownerId: string, sourceId: string): Promise<Contact>;

  /** Counts the imports of an account that are coming or waiting. */
  countImports(ownerId: string): Promise<number>;
  /** The import begins: all bytes of its file are there, and settings are known. */
  insertImport(of: { ownedBy: { ownerId: string; userId: string }; file: ImportedFile }): Promise<void>;
  /** Finds an import of this user only. */
  findImport(of: { ownerId: string; userId: string; importId: string }): Promise<Import | undefined>;
  listImports(of: { ownerId: string; userId: string; limit: number }): Promise<readonly Import[]>;
  /** Saves the number of records, once it is known. */
  saveImportTotal(importId: string, records: number): Promise<void>;
  /** @returns false when it has ended before */
  endImport(importId: string, end: ImportEnd): Promise<boolean>;
  /** Removes everything of a file, also while it is read. */
  dropFile(fileId: string): Promise<void>;
}

/** A file changes all of this in one transaction. */
export type Stored = FileStored & AcquisitionStored & EventStored;
export type Store = Stored & Transactions<Stored>;
