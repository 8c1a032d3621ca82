import { ValueType } from '@catchment/contracts/nodes';
import { transformOf } from '@catchment/equation';
import type { QualityTable } from '@catchment/quality';
import { matchState } from '@catchment/states';
import type { StoredRecord } from '../../records/index.ts';
import type { SeriesNode } from '../../series/index.ts';

/** Aggregates see a record like this: excluded records are gone, the transform is done, STATE has put names for values. */
export type Sample = {
  timeMs: number;
  /**
   * The value is a number, Unix ms, a latitude, a text or the name of a state. Only records with a value become samples
   * (docs/reference/aggregates.md#definitions).
   */
  value: number | string;
  longitude: number | undefined;
  quality: number | undefined;
  annotation: string | undefined;
  isGood: boolean;
};

/** `longitude` belongs to coordinates only. */
export type Outcome = {
  readonly value: number | string | undefined;
  readonly longitude?: number | undefined;
  readonly quality: number | undefined;
};

/**
 * Turns records of a node into samples; undefined for a record that has no value, or none left: a number that is not
 * finite after the transform, a value without a state. The sample is overwritten by the next one.
 */
export function sampler(
  node: SeriesNode,
  renderType: 'VALUE' | 'STATE',
  typeOf: QualityTable['typeOf'],
): (record: StoredRecord) => Sample | undefined {
  const valueAt = valueReader(node, renderType);
  const sample: Sample = {
    timeMs: 0,
    value: 0,
    longitude: undefined,
    quality: undefined,
    annotation: undefined,
    isGood: true,
  };
  return (record) => {
    const value = valueAt(record);
    if (value === undefined) return undefined;
    sample.timeMs = record.timeMs;
    sample.value = value;
    sample.longitude = record.longitude;
    sample.quality = record.quality;
    sample.annotation = record.annotation;
    sample.isGood = typeOf(record.quality) === 'GOOD';
    return sample;
  };
}

type ValueReader = (record: StoredRecord) => number | string | undefined;

function valueReader({ series }: SeriesNode, renderType: 'VALUE' | 'STATE'): ValueReader {
  const { valueType } = series;
  const { apply } = transformOf(series);
  const transformed: ValueReader = ({ number }) => {
    if (number === undefined) return undefined;
    const value = apply(number);
    return Number.isNaN(value) ? undefined : value;
  };
  const read: ValueReader =
    valueType === ValueType.VALUE_TYPE_TEXT
      ? ({ text }) => text
      : valueType === ValueType.VALUE_TYPE_NUMBER
        ? transformed
        : ({ number }) => number;
  if (renderType === 'VALUE') return read;
  return (record) => {
    const value = read(record);
    return value === undefined ? undefined : matchState(series, value)?.name;
  };
}
