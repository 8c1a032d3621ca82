import type { LogEntry } from '@catchment/ingest-log';

/**
 * Appends to the ingest log; resolves when it is acknowledged.
 * @param writeId entries that come again with it soon are not appended again
 * @returns the sequence up to which the log has them
 */
export type Append = (
  partition: number,
  entries: readonly LogEntry[],
  deadlineMs: number,
  writeId?: string,
) => Promise<number>;
