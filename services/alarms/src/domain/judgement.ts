/** The settings that hold are to judge the alarms of this series. */
export type Judgement = {
  readonly nodeId: string;
  /** The readers of the log must have come so far; 0: they need not. */
  readonly afterSequence: number;
  /** The kept records may lack some: the store is asked as soon as it has the log up to there. */
  readonly needsStore: boolean;
  /** The store is only asked for what is kept; nothing is judged. */
  readonly isCheck?: boolean;
  /** Unix ms, and who has brought it about; null: nobody knows. */
  readonly timeMs: number | null;
  readonly username: string;
};
