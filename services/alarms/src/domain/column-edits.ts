import { bitsOf, type Column, FLAG, flagsAt, hasBit, overwriteOf } from '@catchment/ingest-log';
import type { ValueEdits, ValueRecord } from './history.ts';

/** Whether only historic can say what a column did (docs/reference/writing.md#write-modes). */
export const needsVerdict = (column: Column): boolean => overwriteOf(column) === undefined;

/**
 * What a column did to the records having a value.
 * @param written bits of the records that historic says it wrote; only where the column needs a verdict
 */
export function columnEdits(column: Column, written: Uint8Array): ValueEdits {
  const overwrite = overwriteOf(column);
  if (!overwrite) return settledEdits(column, written);
  const { clears, records } = overwrite;
  const set: ValueRecord[] = [];
  const without = new Set<number>();
  for (const [index, timeMs] of (records?.timestamps ?? []).entries()) {
    const value = records && valueAt(records, index);
    if (value === undefined) without.add(timeMs);
    else set.push({ timeMs, value });
  }
  const isCleared = (timeMs: number) => clears !== undefined && timeMs >= clears.fromMs && timeMs <= clears.toMs;
  return { set, removes: (timeMs) => without.has(timeMs) || isCleared(timeMs) };
}

/** A part that was not sent is as it was. */
function settledEdits(column: Column, written: Uint8Array): ValueEdits {
  const set: ValueRecord[] = [];
  const without = new Set<number>();
  for (const [index, timeMs] of column.timestamps.entries()) {
    if (!hasBit(written, index)) continue;
    const value = valueAt(column, index);
    if (value !== undefined) set.push({ timeMs, value });
    else if (isTakenAway(column, index)) without.add(timeMs);
  }
  return { set, removes: (timeMs) => without.has(timeMs) };
}

/**
 * Stands in for a verdict that was never given: a record counts as written where the store is as if it were.
 * @param stored the newest records having a value, newest first
 * @param asked how many the store was asked for: older ones than these are taken for written
 */
export function writtenAsStored(column: Column, stored: readonly ValueRecord[], asked: number): Uint8Array {
  const values = new Map(stored.map(({ timeMs, value }) => [timeMs, value]));
  const knownFromMs = stored.length < asked ? Number.NEGATIVE_INFINITY : Math.min(...values.keys());
  const isAsStored = (index: number): boolean => {
    const timeMs = column.timestamps[index] ?? 0;
    if (timeMs < knownFromMs) return true;
    const value = valueAt(column, index);
    return value === undefined ? !values.has(timeMs) : values.get(timeMs) === value;
  };
  return bitsOf([...column.timestamps.keys()].filter(isAsStored), column.timestamps.length);
}

function valueAt(column: Column, index: number): number | string | undefined {
  if ((flagsAt(column, index) & FLAG.value) === 0) return undefined;
  const value = column.texts[index] ?? column.numbers[index];
  return Number.isNaN(value) ? undefined : value;
}

const isTakenAway = (column: Column, index: number): boolean =>
  (flagsAt(column, index) & (FLAG.deleteMarker | FLAG.valueNull)) !== 0;
