/** One message of the ingest log; the digest distinguishes it from another one of the same sequence in a recreated stream. */
export type MessageKey = { readonly partition: number; readonly sequence: number; readonly digest: Uint8Array };

/**
 * Keeps what was stored before messages of a partition, by the index of each entry (docs/reference/writing.md#write-modes;
 * migrations/0002).
 */
export type WriteObservations = {
  /** @returns what is kept of each of these messages, in their order */
  of(partition: number, messages: readonly MessageKey[]): Promise<Map<number, Uint8Array>[]>;
  /**
   * Keeps the findings, unless another replica was earlier, and drops those of messages of the partition that no longer come again.
   * @param unfinishedFrom the first sequence that may come again
   * @returns the findings that are kept of each of these messages, in their order
   */
  keep(
    partition: number,
    findings: readonly MessageFindings[],
    unfinishedFrom: number,
  ): Promise<Map<number, Uint8Array>[]>;
};
type MessageFindings = { readonly key: MessageKey; readonly seen: ReadonlyMap<number, Uint8Array> };

/** The state of the writer beyond one message. */
export type WriterState = {
  /** Returns those of the series that are deleted for good. */
  deletedAmong(nodeIds: readonly string[]): Promise<Set<string>>;
  rememberDeleted(nodeIds: readonly string[]): Promise<void>;
  stagePart(part: { columnKey: string; part: number; partition: number; data: Uint8Array }): Promise<void>;
  /** Returns the staged parts of a column, in order. */
  partsOf(columnKey: string): Promise<Buffer[]>;
  markCompleted(columnKey: string, sequence: number): Promise<void>;
  /** Drops parts that a message before `sequence` completed, and those whose last part never came. */
  dropFinished(partition: number, sequence: number): Promise<void>;
};
