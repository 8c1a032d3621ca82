import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG, flagsAt } from '@catchment/ingest-log';
import type { StoredColumn } from '../domain/plan-write.ts';

/**
 * The storage layout (docs/adr/0002-storage-layout.md): measurement `h`, tag `s` = node id, value fields by type, `q`, `a`
 * and the presence field `p` = modified ms * 8 + which of value (1), quality (2), annotation (4) are live. The mark `x` tells
 * statements that aggregate `v` what not to take for granted: where there is none, the point is a live number of 0 or more
 * and has neither quality nor annotation. A mark that an overwritten record has left behind only costs time.
 */
export const MEASUREMENT = 'h';
export const PRESENCE_BITS = FLAG.value | FLAG.quality | FLAG.annotation;
export const PRESENCE_FACTOR = 8;
/** A live number below 0, and nothing besides. */
export const MARK_NEGATIVE = 1;
/** Everything but a live value alone. Sums of marks tell both kinds apart, as far as there are fewer negatives than this. */
export const MARK_OTHER = 2 ** 20;

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
  const isNumber = column.valueType === ValueType.VALUE_TYPE_NUMBER;
  const isPlain = !kept && column.flags.length === 1 && column.flags[0] === FLAG.value;
  if (isNumber && isPlain) {
    // Nearly every write: numbers and nothing else.
    const before = `${start}v=`;
    const between = `,p=${modified + FLAG.value}i `;
    const marked = `,x=${MARK_NEGATIVE}i${between}`;
    return (index) => {
      const number = numbers[index] ?? 0;
      return `${before}${number}${number < 0 ? marked : between}${timestamps[index]}\n`;
    };
  }
  const value = valueWriter(column);
  return (index) => {
    const flags = flagsAt(column, index);
    // A part that is kept has its field in the store already: InfluxDB merges the fields of a point.
    const bits = (flags & PRESENCE_BITS) | (kept?.[index] ?? 0);
    let fields = `p=${modified + bits}i`;
    // What is kept may be anything.
    if (bits !== FLAG.value || kept?.[index]) fields += `,x=${MARK_OTHER}i`;
    else if (isNumber && (numbers[index] ?? 0) < 0) fields += `,x=${MARK_NEGATIVE}i`;
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
