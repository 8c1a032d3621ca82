import { setTimeout as sleep } from 'node:timers/promises';
import type { SeriesNode } from '../../series/index.ts';

export type SettledDeps = {
  /** Returns a time such that no message will come to the log with an earlier one, Unix ms by the broker's clock. */
  readonly logTimeMs: () => Promise<number>;
  /** Returns the sequence of the newest message of the log. */
  readonly endOfLog: () => Promise<number>;
  /** Returns whether all that the log has of these series up to a sequence can be read. */
  readonly areStored: (series: readonly SeriesPlace[], sequence: number) => Promise<boolean>;
  /** Returns the time of the oldest message that may still bring records of these series; undefined where there is none. */
  readonly oldestUnstoredMs: (series: readonly SeriesPlace[]) => Promise<number | undefined>;
};

export type SeriesPlace = Pick<SeriesNode, 'nodeId' | 'sourceId'>;

/** Writes that came just before are waited for this long: nearly always they are stored much sooner. */
const WAIT_MS = 1_000;
const LOOK_EVERY_MS = 10;

/**
 * Returns up to when the records of these series are settled, by the time at which they were last written, Unix ms inclusive: none that was
 * written then or before will still appear. Messages that were in the log when this was asked count, unless the store is behind for more
 * than a second.
 */
export const settledUntil =
  ({ logTimeMs, endOfLog, areStored, oldestUnstoredMs }: SettledDeps) =>
  async (nodes: readonly SeriesPlace[], signal: AbortSignal): Promise<number> => {
    // The order matters: whatever came before the time is in the log up to its end.
    const timeMs = await logTimeMs();
    const end = await endOfLog();
    const giveUpMs = performance.now() + WAIT_MS;
    while (!(await areStored(nodes, end))) {
      signal.throwIfAborted();
      if (performance.now() > giveUpMs) return Math.min(timeMs, (await oldestUnstoredMs(nodes)) ?? 0) - 1;
      await sleep(LOOK_EVERY_MS, undefined, { signal });
    }
    return timeMs - 1;
  };
