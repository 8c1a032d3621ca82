import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG, flagsAt } from '@catchment/ingest-log';
import type { StoredColumn } from '../domain/plan-write.ts';

/**
 * The storage layout (docs/adr/0002-storage-layout.md): measurement `h`, tag `s` = node id, value fields by type, `q`, `a`
 * and the presence field `p` = modified ms * 8 + which of value (1), quality (2), annotation (4) are live.
 */
export const MEASUREMENT = 'h';
export const PRESENCE_BITS = FLAG.value | FLAG.quality | FLAG.annotation;
export const PRESENCE_FACTOR = 8;

const MAX_LINES = 10_000;
const MAX_CHARACTERS = 4_000_000;

/** The records of columns as pieces of line protocol (timestamps in ms), each small enough for one request. */
export function* linesOf(columns: Iterable<StoredColumn>): Generator<string> {
  let piece = '';
  let lines = 0;
  for (const column of columns) {
    const line = lineWriter(column);
    for (let i = 0; i < column.timestamps.length; i += 1) {
      piece += line(i);
      lines += 1;
      if (lines >= MAX_LINES || piece.length >= MAX_CHARACTERS) {
        yield piece.slice(0, -1);
        piece = '';
        lines = 0;
      }
    }
  }
  if (lines > 0) yield piece.slice(0, -1);
}

function lineWriter(column: StoredColumn): (index: number) => string {
  const start = `${MEASUREMENT},s=${column.nodeId} `;
  const modified = column.modifiedMs * PRESENCE_FACTOR;
  const { numbers, timestamps, kept } = column;
  const isPlain = !kept && column.flags.length === 1 && column.flags[0] === FLAG.value;
  if (column.valueType === ValueType.VALUE_TYPE_NUMBER && isPlain) {
    // Nearly every write: numbers and nothing else.
    const before = `${start}v=`;
    const between = `,p=${modified + FLAG.value}i `;
    return (index) => `${before}${numbers[index]}${between}${timestamps[index]}\n`;
  }
  const value = valueWriter(column);
  return (index) => {
    const flags = flagsAt(column, index);
    // A part that is kept has its field in the store already: InfluxDB merges the fields of a point.
    let fields = `p=${modified + ((flags & PRESENCE_BITS) | (kept?.[index] ?? 0))}i`;
    if (flags & FLAG.value) fields += value(index);
    if (flags & FLAG.quality) fields += `,q=${column.qualities[index] ?? 0}i`;
    if (flags & FLAG.annotation) fields += `,a=${quoted(column.annotations.get(index) ?? '')}`;
    return `${start}${fields} ${timestamps[index]}\n`;
  };
}

function valueWriter({ valueType, numbers, texts }: Column): (index: number) => string {
  switch (valueType) {
    case ValueType.VALUE_TYPE_TEXT:
      return (index) => `,t=${quoted(texts[index] ?? '')}`;
    case ValueType.VALUE_TYPE_TIME:
      return (index) => `,i=${numbers[index]}i`;
    case ValueType.VALUE_TYPE_COORDINATES:
      return (index) => `,la=${numbers[index * 2]},lo=${numbers[index * 2 + 1]}`;
    default:
      return (index) => `,v=${numbers[index]}`;
  }
}

/** A string field: only `"` and `\` are escaped; line breaks may stand inside the quotes. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
