import { ValueType } from '@catchment/contracts/nodes';
import { type Column, type ColumnEffect, FLAG, flagsAt, leavesNoValue } from '@catchment/ingest-log';
import { coordinatesText, type ValueEdits, type ValueRecord, type WrittenCode } from './history.ts';

/** Lists what a column did to the records having a value. */
export function columnEdits(effect: ColumnEffect): ValueEdits {
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

function valueAt(column: Column, index: number): number | string | undefined {
  if ((flagsAt(column, index) & FLAG.value) === 0) return undefined;
  if (column.valueType === ValueType.VALUE_TYPE_COORDINATES) {
    return coordinatesText(column.numbers[2 * index] ?? 0, column.numbers[2 * index + 1] ?? 0);
  }
  const value = column.texts[index] ?? column.numbers[index];
  return Number.isNaN(value) ? undefined : value;
}
