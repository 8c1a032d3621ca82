import { WriteMode } from '@catchment/contracts/ingest';
import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG, flagsAt } from '@catchment/ingest-log';
import type { History, ValueEdits, ValueRecord } from './history.ts';

const NOTHING: ValueEdits = { set: [], removes: () => false };

/**
 * What a column does to the records having a value, by its write mode (docs/reference/writing.md#write-modes). Whether a
 * record exists already is answered from the kept history, which is exact for everything that could still be evaluated.
 */
export function columnEdits(column: Column, history: History): ValueEdits {
  const { timestamps, writeMode } = column;
  const first = timestamps[0];
  const last = timestamps.at(-1);
  if (first === undefined || last === undefined) return NOTHING;
  const inRange = (timeMs: number) => timeMs >= first && timeMs <= last;
  const exists = (timeMs: number) => history.records.some((record) => record.timeMs === timeMs);
  const { set, without } = sentValues(column);
  const isWithout = (timeMs: number) => without.has(timeMs);
  switch (writeMode) {
    case WriteMode.WRITE_MODE_DISCARD:
      return NOTHING;
    case WriteMode.WRITE_MODE_DELETE: {
      const deleted = new Set(timestamps);
      return { set: [], removes: (timeMs) => deleted.has(timeMs) };
    }
    case WriteMode.WRITE_MODE_DELETE_RANGE:
      return { set: [], removes: inRange };
    case WriteMode.WRITE_MODE_INSERT_DELETE_EXISTING:
      return { set, removes: inRange };
    case WriteMode.WRITE_MODE_MERGE_PRESERVE_EXISTING:
      return { set: set.filter((record) => !exists(record.timeMs)), removes: () => false };
    case WriteMode.WRITE_MODE_MERGE_FAIL_ON_EXISTING:
      return timestamps.some(exists) ? NOTHING : { set, removes: () => false };
    case WriteMode.WRITE_MODE_INSERT_FAIL_ON_EXISTING:
      return history.records.some((record) => inRange(record.timeMs)) ? NOTHING : { set, removes: () => false };
    default:
      return { set, removes: isWithout };
  }
}

/** The records sent with a value, and the times of those whose record has none afterwards. */
function sentValues(column: Column): { set: ValueRecord[]; without: ReadonlySet<number> } {
  const set: ValueRecord[] = [];
  const without = new Set<number>();
  const isUpdate = column.writeMode === WriteMode.WRITE_MODE_MERGE_UPDATE_EXISTING;
  const isText = column.valueType === ValueType.VALUE_TYPE_TEXT;
  for (let index = 0; index < column.timestamps.length; index += 1) {
    const timeMs = column.timestamps[index] as number;
    const flags = flagsAt(column, index);
    const value = isText ? column.texts[index] : column.numbers[index];
    const hasValue = (flags & FLAG.value) !== 0 && value !== undefined && !Number.isNaN(value);
    if ((flags & FLAG.deleteMarker) === 0 && hasValue) set.push({ timeMs, value });
    else if (!isUpdate || (flags & (FLAG.deleteMarker | FLAG.valueNull)) !== 0) without.add(timeMs);
  }
  return { set, without };
}
