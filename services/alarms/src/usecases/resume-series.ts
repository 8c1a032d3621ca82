import { effectOf, NOTHING_WRITTEN } from '@catchment/ingest-log';
import type { PlacedEntry } from '../domain/evaluation/placed-entry.ts';
import type { Judgement } from '../domain/judgement.ts';
import { evaluateWork, inRounds, type NodeKey, type Outcome, type RoundDeps } from './evaluate-in-rounds.ts';
import type { AlarmStore, WaitingEntry } from './ports.ts';

type Deps = RoundDeps & { readonly store: AlarmStore };

/** Series that are locked together. */
const SERIES_AT_ONCE = 50;
/**
 * This much is evaluated together of the series that still have something. It is more than the reader of the log can add in between
 * (BYTES_TOGETHER), or series would wait for ever.
 */
const TOGETHER = { entries: 10_000, bytes: 2 * 1024 * 1024 };
/** Series that one look resumes. */
const SERIES_PER_LOOK = 500;

/** Evaluates entries that series of a partition wait with, as far as what they need is there by now. */
export async function resumeSeries(
  deps: Deps,
  partition: number,
  series: readonly NodeKey[],
  signal: AbortSignal,
): Promise<void> {
  const nodes = new Map(series.map((resumed) => [resumed.nodeId, resumed]));
  const nodeIds = [...nodes.keys()].sort();
  for (let from = 0; from < nodeIds.length; from += SERIES_AT_ONCE) {
    let some: readonly string[] = nodeIds.slice(from, from + SERIES_AT_ONCE);
    while (some.length > 0) {
      some = await resume(deps, partition, some, nodes, signal);
      signal.throwIfAborted();
    }
  }
}

/** @returns the series of which all that was looked at was evaluated, and more waits */
async function resume(
  deps: Deps,
  partition: number,
  nodeIds: readonly string[],
  nodes: ReadonlyMap<string, NodeKey>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let goOn: readonly string[] = [];
  await inRounds(
    deps,
    nodes,
    async (round) => {
      let outcome: Outcome | undefined;
      await deps.store.inPartition(partition, async (tx) => {
        const waiting = await tx.waiting(nodeIds, TOGETHER);
        const checks = waiting.entries.flatMap((entry) => (isPassedOver(entry) ? checksOf(entry) : []));
        const entries = waiting.entries.map((entry) =>
          isPassedOver(entry) ? { ...entry, written: NOTHING_WRITTEN } : entry,
        );
        outcome = undefined;
        if (entries.length === 0) return false;
        const seriesIds = [...new Set(entries.map(({ nodeId }) => nodeId))].sort();
        const work = { entries, acquisitions: [], nodeIds: seriesIds, isBehindWaiting: false };
        outcome = await evaluateWork(tx, work, round, deps);
        if (outcome.kind !== 'done') return false;
        const waits = new Set(outcome.waits);
        const settled = entries.filter((entry) => !waits.has(entry));
        await tx.remove(settled);
        await tx.judgeLater(checks);
        const held = new Set(outcome.waits.map(({ nodeId }) => nodeId));
        goOn = seriesIds.filter((nodeId) => waiting.hasMore.has(nodeId) && !held.has(nodeId));
        return true;
      });
      return outcome;
    },
    signal,
  );
  return goOn;
}

const isPassedOver = ({ entry, written, isSettled }: WaitingEntry): boolean =>
  isSettled && entry.kind === 'column' && effectOf(entry.column, written) === undefined;

/**
 * Historic has reported later messages and said nothing of this column: its message was put aside, and counts as not written. A check finds
 * what of it was stored before it was put aside.
 */
const checksOf = ({ sequence, nodeId, entry }: PlacedEntry): Judgement[] =>
  entry.kind === 'column'
    ? [
        {
          nodeId,
          afterSequence: sequence,
          needsStore: true,
          isCheck: true,
          timeMs: entry.column.modifiedMs,
          username: 'System',
        },
      ]
    : [];

/** Series may also wait for a store that was away, or with a column that historic has passed over. */
export async function resumeReady(deps: Deps, signal: AbortSignal): Promise<void> {
  const ready = await deps.store.readyToGoOn(SERIES_PER_LOOK);
  for (const [partition, series] of Map.groupBy(ready, (change) => change.partition))
    await resumeSeries(deps, partition, series, signal);
}
