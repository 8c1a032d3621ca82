import { ValueType } from '@catchment/contracts/nodes';
import { isStorableText, QUALITY_MAX, STORABLE_TEXT, TEXT_MAX } from '@catchment/ids';
import { isInstantMs, isRecordMs, RECORD_RANGE_RULE } from '@catchment/time';
import type { PlanOutput } from './plan.ts';
import type { Value } from './program.ts';
import type { Records } from './series.ts';

/** A run has made this record for one of the outputs. */
export type Emitted = {
  readonly output: number;
  readonly timeMs: number;
  readonly value?: Value | undefined;
  readonly quality?: number | undefined;
};

/**
 * Tells why a record cannot be stored; undefined where it can. The kernel refuses such results with the line that made them; but what a
 * runner says is not believed, since the store would refuse all that is written together with such a record.
 */
export function storageProblem({ timeMs, value, quality }: Emitted, valueType: ValueType): string | undefined {
  if (!isRecordMs(timeMs)) return `the time of the result ${RECORD_RANGE_RULE}, and is ${shownTime(timeMs)}`;
  if (quality !== undefined && !(Number.isInteger(quality) && quality >= 0 && quality <= QUALITY_MAX))
    return `the quality of the result must be a whole number from 0 to ${QUALITY_MAX}`;
  if (value === undefined) return undefined;
  if (valueType === ValueType.VALUE_TYPE_TEXT) {
    if (typeof value !== 'string') return 'the value must be a text';
    if (value.length > TEXT_MAX) return `the value has more than ${TEXT_MAX} characters`;
    return isStorableText(value) ? undefined : `the value must be ${STORABLE_TEXT}`;
  }
  if (typeof value === 'boolean') return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'the value must be a finite number';
  if (valueType === ValueType.VALUE_TYPE_TIME && !isInstantMs(value))
    return `the value must be a time of the years 1800 to 9998, and is ${shownTime(value)}`;
  return undefined;
}

const shownTime = (ms: number): string => {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'none' : date.toISOString();
};

/** Groups records by output, ascending, with the later of two at the same time. Outputs without records are left out. */
export function recordsByOutput(
  emitted: readonly Emitted[],
  outputs: readonly PlanOutput[],
): (Records & { readonly output: PlanOutput })[] {
  return [...Map.groupBy(emitted, ({ output }) => output)].flatMap(([index, records]) => {
    const output = outputs[index];
    if (!output) return [];
    const byTime = new Map(records.map((record) => [record.timeMs, record]));
    const sorted = [...byTime.values()].sort((a, b) => a.timeMs - b.timeMs);
    return [
      {
        output,
        times: sorted.map(({ timeMs }) => timeMs),
        values: sorted.map(({ value }) => value),
        qualities: sorted.map(({ quality }) => quality),
      },
    ];
  });
}
