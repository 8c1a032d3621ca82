import { createHash } from 'node:crypto';
import { ValueType } from '@catchment/contracts/nodes';
import { transformOf } from '@catchment/equation';
import { DomainError } from '@catchment/errors';
import { FLAG } from '@catchment/ingest-log';
import type { QualityTable } from '@catchment/quality';
import type { SeriesNode } from '../../series/index.ts';
import type { BuiltColumn } from './built-column.ts';
import type { StoredRecord } from './record-set.ts';

/** A writer has read these records at the times that it writes; it has found nothing at all others. */
export type Expected = {
  readonly was: BuiltColumn;
  /** An answer shows values and qualities by these. */
  readonly shown: { readonly node: SeriesNode; readonly quality: QualityTable };
};

/**
 * Compares what is stored with what a writer has read.
 * @param stored by time
 * @throws DomainError changed
 */
export function checkExpected(
  timestamps: Float64Array,
  stored: ReadonlyMap<number, StoredRecord>,
  { was, shown }: Expected,
): void {
  const isAsRead = comparer(was, shown);
  const places = new Map(Array.from(was.timestamps, (time, index) => [time, index]));
  const changed = timestamps.filter((time) => !isAsRead(stored.get(time), places.get(time)));
  const [first] = changed;
  if (first === undefined) return;
  const what = changed.length === 1 ? '1 record is' : `${changed.length} records are`;
  throw new DomainError(
    'changed',
    'RECORDS_CHANGED',
    `was: ${what} not as given, the first at ${new Date(first).toISOString()}`,
  );
}

function comparer(was: BuiltColumn, { node: { series }, quality }: Expected['shown']) {
  const isNumber = series.valueType === ValueType.VALUE_TYPE_NUMBER;
  const isPair = series.valueType === ValueType.VALUE_TYPE_COORDINATES;
  const { apply } = transformOf(series);
  const readable = (number: number | undefined): number | undefined =>
    number === undefined || !Number.isFinite(number) ? undefined : number;
  const given = (index: number | undefined) => {
    if (index === undefined) return NOTHING;
    const flags = (was.flags.length === 1 ? was.flags[0] : was.flags[index]) ?? 0;
    const perRecord = isPair ? 2 : 1;
    return {
      number: flags & FLAG.value ? readable(was.numbers[index * perRecord]) : undefined,
      longitude: flags & FLAG.value && isPair ? was.numbers[index * perRecord + 1] : undefined,
      text: flags & FLAG.value ? was.texts[index] : undefined,
      quality: flags & FLAG.quality ? was.qualities[index] : undefined,
      annotation: was.annotations.get(index),
    };
  };
  return (record: StoredRecord | undefined, index: number | undefined): boolean => {
    const expected = given(index);
    const number = record?.number;
    return (
      readable(number === undefined || !isNumber ? number : apply(number)) === expected.number &&
      record?.longitude === expected.longitude &&
      record?.text === expected.text &&
      quality.shown(record?.quality) === expected.quality &&
      record?.annotation === expected.annotation
    );
  };
}

const NOTHING = {
  number: undefined,
  longitude: undefined,
  text: undefined,
  quality: undefined,
  annotation: undefined,
} as const;

/** Sums up in 32 bytes what is stored at these times. The sum differs where any part of a record differs, whenever it was written. */
export function sumOf(timestamps: Float64Array, stored: ReadonlyMap<number, StoredRecord>): Uint8Array {
  const hash = createHash('sha256');
  for (const time of timestamps) {
    const { number, longitude, text, quality, annotation } = stored.get(time) ?? NOTHING;
    hash.update(`${JSON.stringify([time, number, longitude, text, quality, annotation])}\n`);
  }
  return hash.digest();
}
