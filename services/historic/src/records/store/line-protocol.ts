import { ValueType } from '@catchment/contracts/nodes';
import { type Column, FLAG, flagsAt, type TimeRange } from '@catchment/ingest-log';
import {
  MARK_NEGATIVE,
  MARK_OTHER,
  MEASUREMENT,
  PRESENCE_BITS,
  PRESENCE_FACTOR,
  quoted,
  RUNS,
} from '../../influx/index.ts';
import type { StoredColumn } from '../domain/plan-write.ts';

const MAX_LINES = 10_000;
const MAX_CHARACTERS = 4_000_000;
/** This many lines are put together at a time: texts of thousands of parts outlive many small collections. */
const LINES_AT_ONCE = 256;

/**
 * Yields the records of columns as pieces of line protocol (timestamps in ms), each small enough for one request.
 * @param appended columns of numbers alone, behind all that their series have
 */
export function* linesOf(
  columns: Iterable<StoredColumn>,
  appended: ReadonlySet<StoredColumn> = new Set(),
): Generator<string> {
  let piece = '';
  let lines = 0;
  let characters = 0;
  const some: string[] = [];
  const join = () => {
    piece += some.join('');
    some.length = 0;
  };
  const end = () => {
    join();
    const whole = piece.slice(0, -1);
    piece = '';
    lines = 0;
    characters = 0;
    return whole;
  };
  for (const column of columns) {
    const isAppended = appended.has(column);
    const line = lineWriter(column, isAppended);
    // The run goes in one request with the first records, so that both are stored or none is.
    if (isAppended) some.push(`${runOf(column)}\n`);
    for (let i = 0; i < column.timestamps.length; i += 1) {
      const text = line(i);
      some.push(text);
      lines += 1;
      characters += text.length;
      if (lines >= MAX_LINES || characters >= MAX_CHARACTERS) yield end();
      else if (some.length >= LINES_AT_ONCE) join();
    }
  }
  if (lines > 0) yield end();
}

/** The records without presence fields in this part of a series were all written at one time. */
export type Run = TimeRange & { readonly modifiedMs: number };

export const runLine = (nodeId: string, { fromMs, toMs, modifiedMs }: Run): string =>
  `${RUNS},s=${nodeId} e=${toMs}i,m=${modifiedMs}i ${fromMs}`;

const runOf = ({ nodeId, timestamps, modifiedMs }: StoredColumn): string =>
  runLine(nodeId, { fromMs: timestamps[0] ?? 0, toMs: timestamps.at(-1) ?? 0, modifiedMs });

function lineWriter(column: StoredColumn, isAppended: boolean): (index: number) => string {
  const start = `${MEASUREMENT},s=${column.nodeId} `;
  const modified = column.modifiedMs * PRESENCE_FACTOR;
  const { numbers, timestamps, kept } = column;
  const isNumber = column.valueType === ValueType.VALUE_TYPE_NUMBER;
  const isPlain = !kept && column.flags.length === 1 && column.flags[0] === FLAG.value;
  if (isNumber && isPlain) {
    // Nearly every write has numbers and nothing else.
    const before = `${start}v=`;
    const between = isAppended ? ' ' : `,p=${modified + FLAG.value}i `;
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
    // Fields that are kept may be of any content.
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
