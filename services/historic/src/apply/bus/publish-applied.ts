import type { Bus } from '@catchment/bus';
import { encoded } from '@catchment/contracts/encoded';
import { AppliedGroup, type BatchApplied, SeriesApplied } from '@catchment/contracts/ingest';
import { AppliedSummary, NO_RECORDS } from '../domain/applied-summary.ts';
import { rangesOf } from '../domain/touched-series.ts';
import type { AppliedMessage } from '../usecases/apply-batch.ts';

/** Room for the broker's headers. */
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
    const batches = applied.map(({ summary, sequence }) => ({
      ...summary.toMessage(partition, sequence),
      shardNumber,
      settledSequence,
    }));
    for (const group of groupsOf(batches, bus.maxPayloadBytes - HEADER_BYTES)) {
      // Groups follow each other: a group published after its successor would count as known.
      const msgId = `applied${writer}-${partition}-${group[0]?.logSequence}-${group.at(-1)?.logSequence}`;
      await bus.publish(`applied.${partition}`, messageOf(group), { msgId });
    }
  };
}

/** Publishes up to which sequence all writers have published everything, in a message that says nothing else. */
export function settledPublisher(bus: Bus, shardNumber: number) {
  return async (partition: number, sequence: number, settledSequence: number): Promise<void> => {
    const batch = { ...new AppliedSummary().toMessage(partition, sequence), shardNumber, settledSequence };
    // The id is the same whichever writer says it.
    await bus.publish(`applied.${partition}`, bytesOf(batch), { msgId: `settled-${partition}-${settledSequence}` });
  };
}

const bytesOf = (batch: BatchApplied): Uint8Array => encoded(AppliedGroup, { batches: [batch] });

type Packed = { readonly logSequence: number; readonly bytes: Uint8Array };

/** Messages of the same kind one after another are one message with all that they list. */
export const messageOf = (group: readonly Packed[]): Uint8Array => Buffer.concat(group.map(({ bytes }) => bytes));

/** Returns the bytes of a batch without the records of as few series as possible, so that it fits. */
function fitting(batch: BatchApplied, maxBytes: number): Uint8Array {
  const whole = bytesOf(batch);
  let over = whole.byteLength - maxBytes;
  if (over <= 0) return whole;
  const sizeOf = (series: SeriesApplied) => encoded(SeriesApplied, series).byteLength;
  const sizes = new Map(batch.series.map((series) => [series, sizeOf(series)]));
  const leftOut = new Set<SeriesApplied>();
  for (const [series, bytes] of [...sizes].sort(([, a], [, b]) => b - a)) {
    if (over <= 0) break;
    leftOut.add(series);
    over -= bytes - sizeOf(shortened(series));
  }
  return bytesOf({
    ...batch,
    series: batch.series.map((series) => (leftOut.has(series) ? shortened(series) : series)),
  });
}

const shortened = (series: SeriesApplied): SeriesApplied => ({
  ...series,
  ...NO_RECORDS,
  touches: rangesOf(series.touches),
});

/** Groups batches in their order, each group below `maxBytes`. */
export function groupsOf(batches: readonly BatchApplied[], maxBytes: number): Packed[][] {
  const groups: Packed[][] = [];
  let leftBytes = 0;
  for (const batch of batches) {
    const packed = { logSequence: batch.logSequence, bytes: fitting(batch, maxBytes) };
    const { byteLength } = packed.bytes;
    const group = byteLength <= leftBytes ? groups.at(-1) : undefined;
    if (group) group.push(packed);
    else groups.push([packed]);
    leftBytes = (group ? leftBytes : maxBytes) - byteLength;
  }
  return groups;
}
