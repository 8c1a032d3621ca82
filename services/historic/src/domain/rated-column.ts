import { type NotifyOn, WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG } from '@catchment/ingest-log';
import type { Rated } from './rating.ts';

/** The series that a rating writes. */
export type RatedSeries = {
  readonly nodeId: string;
  readonly ownerId: string;
  readonly workspaceId: string;
  readonly sourceId: string;
};
type RatedFacts = { readonly notifyOn: NotifyOn; readonly modifiedMs: number };

const USERNAME = 'System';

/** Results at these times: records, and where there is no output, delete markers. */
export function ratedColumn(
  series: RatedSeries,
  timestamps: Float64Array,
  outputs: readonly (Rated | undefined)[],
  facts: RatedFacts,
): Column {
  const flags = new Uint8Array(timestamps.length);
  const numbers = new Float64Array(timestamps.length).fill(Number.NaN);
  let qualities = new Uint16Array(0);
  for (const [index, output] of outputs.entries()) {
    if (!output) flags[index] = FLAG.deleteMarker;
    else {
      const { value, quality } = output;
      flags[index] = (value === undefined ? 0 : FLAG.value) | (quality === undefined ? 0 : FLAG.quality);
      if (value !== undefined) numbers[index] = value;
      if (quality !== undefined) {
        if (qualities.length === 0) qualities = new Uint16Array(timestamps.length);
        qualities[index] = quality;
      }
    }
  }
  return { ...base(series, facts), timestamps, flags, numbers, qualities };
}

/** Empties a range; Unix ms, both inclusive. */
export const rangeRemoval = (series: RatedSeries, fromMs: number, toMs: number, facts: RatedFacts): Column => ({
  ...base(series, facts),
  writeMode: WriteMode.WRITE_MODE_DELETE_RANGE,
  timestamps: fromMs === toMs ? Float64Array.of(fromMs) : Float64Array.of(fromMs, toMs),
  flags: Uint8Array.of(FLAG.deleteMarker),
  numbers: new Float64Array(fromMs === toMs ? 1 : 2).fill(Number.NaN),
  qualities: new Uint16Array(0),
});

const base = ({ nodeId, ownerId, workspaceId, sourceId }: RatedSeries, facts: RatedFacts) => ({
  nodeId,
  ownerId,
  workspaceId,
  sourceId,
  valueType: ValueType.VALUE_TYPE_NUMBER,
  writeMode: WriteMode.WRITE_MODE_MERGE_OVERWRITE_EXISTING,
  ...facts,
  username: USERNAME,
  texts: [],
  annotations: new Map<number, string>(),
  traceparent: '',
});
