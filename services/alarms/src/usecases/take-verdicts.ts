import type { ColumnSettled } from '@catchment/contracts/ingest';
import type { RoundDeps } from './evaluate-in-rounds.ts';
import { makeKnown } from './log-work.ts';
import type { AlarmStore, Verdict } from './ports.ts';
import { resumeSeries } from './resume-series.ts';

type Deps = RoundDeps & { readonly store: AlarmStore };

/** Alarms needs this part of historic's report on a message of the log. */
export type MessageVerdict = {
  readonly sequence: number;
  /** Historic has reported everything about messages up to this sequence. */
  readonly settled: number;
  readonly columns: readonly ColumnSettled[];
};

/**
 * Takes what historic says of columns whose write mode depends on records that were there; series that waited for it go on. Of
 * most messages it says nothing, and they cost nothing.
 * @param messages in the order of the log
 */
export async function takeVerdicts(
  deps: Deps,
  partition: number,
  messages: readonly MessageVerdict[],
  signal: AbortSignal,
): Promise<void> {
  const { store, known } = deps;
  const columns = messages.flatMap(({ sequence, columns }) => columns.map((column) => ({ ...column, sequence })));
  await makeKnown(columns, known, signal);
  const wanted = columns.filter(({ nodeId }) => known.kind(nodeId) === 'evaluated');
  if (wanted.length > 0) {
    const verdicts = wanted.map(({ entry, ...column }): Verdict => ({ ...column, index: entry }));
    await store.inPartition(partition, async (tx) => {
      await tx.saveVerdicts(verdicts);
      return true;
    });
    await resumeSeries(deps, partition, wanted, signal);
  }
  // A message that was a dead letter comes after later ones: the store keeps the highest.
  await store.settle(
    partition,
    messages.reduce((max, { settled }) => Math.max(max, settled), 0),
  );
}
