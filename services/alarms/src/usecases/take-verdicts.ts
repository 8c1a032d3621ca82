import type { ColumnSettled } from '@catchment/contracts/ingest';
import type { RoundDeps } from './evaluate-in-rounds.ts';
import { isEvaluated, makeKnown } from './log-work.ts';
import type { AlarmStore, Verdict } from './ports.ts';
import { resumeSeries } from './resume-series.ts';

type Deps = RoundDeps & { readonly store: AlarmStore };

/** What historic tells of one message of the log, as far as alarms need it. */
export type ToldMessage = {
  readonly sequence: number;
  /** False: it was told by a release that does not say what became of columns. */
  readonly settles: boolean;
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
  messages: readonly ToldMessage[],
  signal: AbortSignal,
): Promise<void> {
  const { store, known } = deps;
  const columns = messages.flatMap((message) => message.columns.map((column) => ({ ...column, ...message })));
  await makeKnown(columns, known, signal);
  const wanted = columns.filter(({ nodeId }) => isEvaluated(nodeId, known));
  const isOld = messages.some(({ settles }) => !settles);
  if (wanted.length === 0 && !isOld) return;
  const verdicts = wanted.map(({ sequence, entry, written }): Verdict => ({ sequence, index: entry, written }));
  await store.inPartition(partition, async (tx) => {
    await tx.saveVerdicts(verdicts);
    if (isOld) await tx.setTold(messages.at(-1)?.sequence ?? 0);
    return true;
  });
  await resumeSeries(deps, partition, wanted, signal);
}
