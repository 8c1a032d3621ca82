import { NotifyOn, type SeriesTouch } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { bytesOf } from '@catchment/contracts/packed-numbers';
import { type Column, FLAG } from '@catchment/ingest-log';
import type { WritePlan } from '../../records/index.ts';

/** At these times of a series the store may have other records than before. */
type Touch = {
  /** Its effects are silent, as the change itself (notifyOn NONE). */
  readonly silent: boolean;
  /** Unix ms, both inclusive. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Records may have gone anywhere in between. */
  readonly clears: boolean;
  /** The only times, ascending; undefined = anywhere in between. */
  readonly timestamps: Float64Array | undefined;
  /** The distance of the only times, where it is the same for all; 0 = see `timestamps`. */
  readonly stepMs: number;
};

/** A larger column is described by its range. */
const MAX_TIMESTAMPS = 2_000;
const NO_TIMES = Buffer.alloc(0);

/** Gathers what a message of the log does to series of numbers, for what is computed from each of their times. */
export class TouchedSeries {
  readonly #bySeries = new Map<string, Touch[]>();

  column({ nodeId, valueType, notifyOn }: Column, plan: WritePlan): void {
    if (plan.kind === 'failed' || valueType !== ValueType.VALUE_TYPE_NUMBER) return;
    const silent = notifyOn === NotifyOn.NOTIFY_ON_NONE;
    if (plan.clears) this.#add(nodeId, { silent, ...plan.clears, clears: true, timestamps: undefined, stepMs: 0 });
    for (const { timestamps, flags } of plan.columns) {
      if (timestamps.length === 0) continue;
      const isWhole = timestamps.length > MAX_TIMESTAMPS;
      const empties = flags.some((bits) => (bits & (FLAG.value | FLAG.quality)) === 0);
      const stepMs = isWhole || empties ? 0 : stepOf(timestamps);
      this.#add(nodeId, {
        silent,
        fromMs: timestamps[0] ?? 0,
        toMs: timestamps.at(-1) ?? 0,
        clears: isWhole && empties,
        timestamps: isWhole || stepMs > 0 ? undefined : timestamps,
        stepMs,
      });
    }
  }

  messagesOf(nodeId: string): SeriesTouch[] {
    return (this.#bySeries.get(nodeId) ?? []).map(({ silent, fromMs, toMs, clears, timestamps, stepMs }) => ({
      fromMs,
      toMs: toMs === fromMs ? undefined : toMs,
      silent,
      clears,
      timestamps: timestamps && timestamps.length > 1 ? bytesOf(timestamps) : NO_TIMES,
      stepMs,
    }));
  }

  #add(nodeId: string, touch: Touch): void {
    const known = this.#bySeries.get(nodeId);
    if (known) known.push(touch);
    else this.#bySeries.set(nodeId, [touch]);
  }
}

/** Most loggers write at one interval: so their times take as little room as two. @returns 0 for times at several distances */
function stepOf(times: Float64Array): number {
  const [first = 0, second = first] = times;
  const stepMs = second - first;
  return times.every((time, n) => time === first + n * stepMs) ? stepMs : 0;
}

/** Returns the same without single times: ranges whose records may all be others. */
export const rangesOf = (touches: readonly SeriesTouch[]): SeriesTouch[] =>
  touches.map((touch) => ({
    ...touch,
    clears: touch.clears || touch.timestamps.byteLength > 0,
    timestamps: NO_TIMES,
  }));
