import type { KeptRecord } from '../history.ts';

/** The store has these records of a series; it may be ahead of the log's reader. */
export type StoredRecords = {
  /** The newest records with values, unordered. */
  readonly newest: readonly KeptRecord[];
  /** These newest records were last written before `beforeMs`. */
  readonly earlier: readonly KeptRecord[];
  readonly beforeMs: number;
  /** The records include nothing that came to the log behind this sequence. */
  readonly logSequence: number;
};

/** A series needs its history from before a message came to the log, Unix ms. */
export type HistoryNeed = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sourceId: string;
  readonly beforeMs: number;
};

/** The newest records of a series are needed from a store that has a message of the log. */
export type SettledNeed = HistoryNeed & { readonly sequence: number };
export const settledKey = ({ nodeId, sequence }: Pick<SettledNeed, 'nodeId' | 'sequence'>): string =>
  `${nodeId} ${sequence}`;

/** The store has answered this so far. */
export type StoredAnswers = {
  /** The store answers this, where it was asked; null = it does not answer now. */
  readonly stored: ReadonlyMap<string, StoredRecords | null>;
  /** A store answers the same that has a message of the log, by `settledKey`; null = it does not have it yet. */
  readonly settled: ReadonlyMap<string, StoredRecords | null>;
};
