/** These facts decide the next step of series on their way from one shard to another. */
export type MoveFacts = {
  readonly state: 'preparing' | 'copying' | 'cutting';
  /** There is a mark in each partition of the log that was put there in this state. */
  readonly isMarked: boolean;
  /** The old shard's writer has passed it in all of them. */
  readonly isPassed: boolean;
  /** The mark, or the switchover, has this time left, ms; from 0 on it is over. */
  readonly leftMs: number;
  /** Each series has been copied once. */
  readonly isCopied: boolean;
};

/** Records that were written since the copy are in this state: `some` are left after a while of copying, or none. */
export type Changes = 'unknown' | 'some' | 'none';

export type MoveAction =
  /** Puts a message that changes nothing into each partition. */
  | 'mark'
  | 'beginCopying'
  | 'copySeries'
  | 'copyChanges'
  /** Entries of the series wait from now on until they have a boundary, and those behind it until they have an owner. */
  | 'beginSwitchover'
  | 'handOver'
  | 'takeBack'
  | 'wait';

/**
 * Decides the next step of a move. A mark is always younger than the state that it was put in: whoever takes a message behind it has seen
 * the state, or a later one (docs/adr/0042-one-sequence.md). So the mark of `preparing` ends what was begun without knowledge of the move,
 * and that of `cutting` is the boundary. The one of `copying` shows that the old shard's writer keeps up, so that a switchover is short.
 */
export function nextAction({ state, isMarked, isPassed, leftMs, isCopied }: MoveFacts, changes: Changes): MoveAction {
  switch (state) {
    case 'preparing':
      if (!isMarked) return 'mark';
      return isPassed ? 'beginCopying' : 'wait';
    case 'copying':
      if (!isCopied) return 'copySeries';
      if (changes !== 'none') return 'copyChanges';
      if (isMarked && !isPassed) return 'wait';
      return isMarked && leftMs > 0 ? 'beginSwitchover' : 'mark';
    case 'cutting':
      if (leftMs <= 0) return 'takeBack';
      if (!isMarked) return 'mark';
      if (changes !== 'none') return 'copyChanges';
      return isPassed ? 'handOver' : 'wait';
  }
}
