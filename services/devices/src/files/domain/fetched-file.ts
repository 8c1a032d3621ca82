/** The store keeps this of a file that was fetched, so that the next session takes only what is new. */
export type FetchedFile = {
  readonly key: string;
  /** No entry of the source takes it. */
  readonly isIgnored?: boolean;
  readonly sizeBytes?: number;
  /** The other side reported it; Unix ms. */
  readonly modifiedMs?: number;
  /** Only some servers know versions. */
  readonly version?: string;
  /** Hash of the first HEAD_BYTES. */
  readonly head?: string;
  /** The last whole line ends here; absent: a longer file is read anew. */
  readonly readTo?: number;
  /** Lines up to there. */
  readonly lines?: number;
  /** The entry had this `acquireTime` at the time; Unix ms. */
  readonly acquireTimeMs?: number;
  /** The latest record of the file in the log has this time; Unix ms. */
  readonly recordsUntilMs?: number;
};
