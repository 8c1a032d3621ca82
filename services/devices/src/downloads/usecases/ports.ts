import type { FetchedFile, FilesStore } from '../../files/index.ts';

/** Stores what sources have fetched, and the keys of hosts. */
export interface DownloadStored {
  /** Returns what is known of files of a source, by their keys; unknown keys are left out. */
  fetchedFiles(sourceId: string, keys: readonly string[]): Promise<FetchedFile[]>;
  /** Files that no entry takes. @returns keys that were not ignored before */
  ignoreFiles(sourceId: string, keys: readonly string[]): Promise<Set<string>>;
  /** Files that are gone from their origin. @param but keys of those that are there */
  forgetFetchedFiles(
    sourceId: string,
    files: { readonly keys: readonly string[] } | { readonly but: readonly string[] },
  ): Promise<void>;
  /** Returns the key that a host showed to a source. */
  hostKey(sourceId: string, target: string): Promise<string | undefined>;
  saveHostKey(sourceId: string, target: string, fingerprint: string): Promise<void>;
  /** Sources are gone. */
  forgetDownloads(sourceIds: readonly string[]): Promise<void>;
}

export type { FilesStored as Stored } from '../../files/index.ts';
export type Store = DownloadStored & FilesStore;

/** Sources have seen these keys of hosts. */
export interface HostKeys {
  /** Returns the fingerprint that a host showed to the source first. */
  find(sourceId: string, target: string): Promise<string | undefined>;
  remember(sourceId: string, target: string, fingerprint: string): Promise<void>;
}

/** URLs of downloads with their expressions evaluated (docs/reference/expressions.md#download-urls). */
export type RenderUrl = (
  request: { ownerId: string; sourceId: string; template: string; nowMs: number },
  signal: AbortSignal,
) => Promise<string>;
