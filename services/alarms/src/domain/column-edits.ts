import { ValueType } from '@catchment/contracts/nodes';
import { bitsOf, type Column, effectOf, FLAG, flagsAt, leavesNoValue } from '@catchment/ingest-log';
import { coordinatesText, type ValueEdits, type ValueRecord, type WrittenCode } from './history.ts';

/**
 * What a column did to the records having a value.
 * @param written bits of the records that historic says it wrote; only where the column needs a verdict
 */
export function columnEdits(given: Column, written: Uint8Array): ValueEdits {
  const effect = effectOf(given, written);
  const { clears, column, updates } = effect;
  const set: ValueRecord[] = [];
  const codes: WrittenCode[] = [];
  const without = new Set<number>();
  for (const [index, timeMs] of column.timestamps.entries()) {
    if (!effect.isWritten(index)) continue;
    const value = valueAt(column, index);
    if (value !== undefined) set.push({ timeMs, value });
    else if (leavesNoValue(effect, index)) without.add(timeMs);
    const flags = flagsAt(column, index);
    if ((flags & FLAG.quality) !== 0) codes.push({ timeMs, code: column.qualities[index] });
    else if (value !== undefined) {
      const isAsItWas = updates && (flags & FLAG.qualityNull) === 0;
      codes.push({ timeMs, code: undefined, ...(isAsItWas && { isAsItWas }) });
    } else if (updates && (flags & FLAG.qualityNull) !== 0) codes.push({ timeMs, code: undefined, isTakenAway: true });
  }
  const isCleared = (timeMs: number) => clears !== undefined && timeMs >= clears.fromMs && timeMs <= clears.toMs;
  return { set, codes, removes: (timeMs) => without.has(timeMs) || isCleared(timeMs) };
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
  if (column.valueType === ValueType.VALUE_TYPE_COORDINATES) {
    return coordinatesText(column.numbers[2 * index] ?? 0, column.numbers[2 * index + 1] ?? 0);
  }
  const value = column.texts[index] ?? column.numbers[index];
  return Number.isNaN(value) ? undefined : value;
}
