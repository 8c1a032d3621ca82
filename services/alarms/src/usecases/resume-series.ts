import { effectOf, NOTHING_WRITTEN } from '@catchment/ingest-log';
import { evaluateWork, inRounds, type NodeKey, type Outcome, type RoundDeps } from './evaluate-in-rounds.ts';
import type { AlarmStore, Judgement, PlacedEntry, SettledSequences } from './ports.ts';

type Deps = RoundDeps & { readonly store: AlarmStore; readonly settledSequences: SettledSequences };

/** Series that are locked together. */
const SERIES_AT_ONCE = 50;
/** Entries of a series that are evaluated together. */
const ENTRIES_AT_ONCE = 50;
/** Series that one look resumes. */
const SERIES_PER_LOOK = 500;

/** Evaluates entries that series of a partition wait with, as far as what they need is there by now. */
export async function resumeSeries(
  deps: Deps,
  partition: number,
  series: readonly NodeKey[],
  signal: AbortSignal,
): Promise<void> {
  const nodes = new Map(series.map((one) => [one.nodeId, one]));
  const nodeIds = [...nodes.keys()].sort();
  for (let from = 0; from < nodeIds.length; from += SERIES_AT_ONCE) {
    const some = nodeIds.slice(from, from + SERIES_AT_ONCE);
    while ((await resume(deps, partition, some, nodes, signal)) >= ENTRIES_AT_ONCE) signal.throwIfAborted();
  }
}

/** @returns how many entries were evaluated */
async function resume(
  deps: Deps,
  partition: number,
  nodeIds: readonly string[],
  nodes: ReadonlyMap<string, NodeKey>,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  await inRounds(
    deps,
    nodes,
    async (round) => {
      let outcome: Outcome | undefined;
      await deps.store.inPartition(partition, async (tx) => {
        const settledSequence = deps.settledSequences.get(partition) ?? 0;
        const isPassedOver = (one: PlacedEntry) => one.sequence <= settledSequence && isUndecided(one);
        const waiting = await tx.waiting(nodeIds, ENTRIES_AT_ONCE);
        const checks = waiting.flatMap((one) => (isPassedOver(one) ? checksOf(one) : []));
        const entries = waiting.map((one) => (isPassedOver(one) ? { ...one, written: NOTHING_WRITTEN } : one));
        outcome = undefined;
        if (entries.length === 0) return false;
        const own = [...new Set(entries.map(({ nodeId }) => nodeId))].sort();
        const work = { entries, acquisitions: [], nodeIds: own, isBehindWaiting: false };
        outcome = await evaluateWork(tx, work, round, deps);
        if (outcome.kind !== 'done') return false;
        const waits = new Set(outcome.waits);
        const settled = entries.filter((entry) => !waits.has(entry));
        await tx.remove(settled);
        await tx.judgeLater(checks);
        count = settled.length;
        return true;
      });
      return outcome;
    },
    signal,
  );
  return count;
}

const isUndecided = ({ entry, written }: PlacedEntry): boolean =>
  entry.kind === 'column' && effectOf(entry.column, written) === undefined;

/**
 * Historic has reported later messages and said nothing of this column: its message was put aside, and counts as not written. What of it was
 * stored before it was put aside is found by a check.
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
  const ready = await deps.store.readyToGoOn(deps.settledSequences, SERIES_PER_LOOK);
  for (const [partition, series] of Map.groupBy(ready, (one) => one.partition))
    await resumeSeries(deps, partition, series, signal);
}
