import type { Bus } from '@catchment/bus';
import { AppliedGroup, type BatchApplied, SeriesApplied } from '@catchment/contracts/ingest';
import { AppliedSummary, NO_RECORDS } from '../domain/applied-summary.ts';
import { rangesOf } from '../domain/touched-series.ts';
import type { AppliedMessage } from '../usecases/apply-batch.ts';

/** Room in a message for the broker's headers, and for what is put beside each batch. */
const HEADER_BYTES = 8 * 1024;

/**
 * Publishes what reached the store, one message for as many messages of the log as fit. Long texts that do not fit are left to
 * be taken from the store.
 */
export function appliedPublisher(bus: Bus, shardNumber = 0) {
  const writer = shardNumber === 0 ? '' : `-${shardNumber}`;
  return async (
    partition: number,
    applied: readonly AppliedMessage[],
    settledSequence: number | undefined,
  ): Promise<void> => {
    for (const some of groupsOf(partition, applied, bus.maxPayloadBytes - HEADER_BYTES)) {
      const group = some.map((batch) => ({ ...batch, shardNumber, settledSequence }));
      // Groups follow each other: a group published after its successor would count as known.
      const msgId = `applied${writer}-${partition}-${group[0]?.logSequence}-${group.at(-1)?.logSequence}`;
      await bus.publish(`applied.${partition}`, encode(group), { msgId });
    }
  };
}

/** Publishes up to which sequence all writers have published everything, in a message that says nothing else. */
export function settledPublisher(bus: Bus, shardNumber: number) {
  return async (partition: number, sequence: number, settledSequence: number): Promise<void> => {
    const batch = { ...new AppliedSummary().toMessage(partition, sequence), shardNumber, settledSequence };
    // The id is the same whichever writer says it.
    await bus.publish(`applied.${partition}`, encode([batch]), { msgId: `settled-${partition}-${settledSequence}` });
  };
}

const encode = (batches: BatchApplied[]): Uint8Array => AppliedGroup.encode({ batches }).finish();

/** The same without the records of as few series as possible, so that it fits. */
function fitting(batch: BatchApplied, maxBytes: number): BatchApplied {
  let over = encode([batch]).byteLength - maxBytes;
  if (over <= 0) return batch;
  const bytesOf = new Map(batch.series.map((series) => [series, SeriesApplied.encode(series).finish().byteLength]));
  const leftOut = new Set<SeriesApplied>();
  for (const [series, bytes] of [...bytesOf].sort(([, a], [, b]) => b - a)) {
    if (over <= 0) break;
    leftOut.add(series);
    over -= bytes - SeriesApplied.encode(shortened(series)).finish().byteLength;
  }
  return { ...batch, series: batch.series.map((series) => (leftOut.has(series) ? shortened(series) : series)) };
}

const shortened = (series: SeriesApplied): SeriesApplied => ({
  ...series,
  ...NO_RECORDS,
  touches: rangesOf(series.touches),
});

/** Groups batches in their order, each group below `maxBytes`. */
export function groupsOf(partition: number, applied: readonly AppliedMessage[], maxBytes: number): BatchApplied[][] {
  const groups: BatchApplied[][] = [];
  let leftBytes = 0;
  for (const { summary, sequence } of applied) {
    const batch = fitting(summary.toMessage(partition, sequence), maxBytes);
    const bytes = encode([batch]).byteLength;
    const group = bytes <= leftBytes ? groups.at(-1) : undefined;
    if (group) group.push(batch);
    else groups.push([batch]);
    leftBytes = (group ? leftBytes : maxBytes) - bytes;
  }
  return groups;
}
