import { FLAG } from '@catchment/ingest-log';
import type { BuiltColumn } from './built-column.ts';

const PRESENT = FLAG.value | FLAG.quality | FLAG.annotation;

/** A column has these records; a single byte of flags stands for all. */
type Records = Pick<BuiltColumn, 'flags' | 'timestamps'>;

export const flagsOf = ({ flags }: Records, index: number): number =>
  (flags.length === 1 ? flags[0] : flags[index]) ?? 0;

/** Returns whether the record puts something into the store; delete markers and cleared parts do not. */
const hasContent = (column: Records, index: number): boolean => (flagsOf(column, index) & PRESENT) !== 0;

/** Returns whether every record of the column puts something into the store. */
export const isAllContent = ({ flags, timestamps }: Records): boolean =>
  timestamps.length === 0 || flags.every((bits) => (bits & PRESENT) !== 0);

/** Returns the records of these ascending indexes; the column itself when they are all. */
export function pickRecords<C extends BuiltColumn>(column: C, indexes: readonly number[]): C {
  const { timestamps, numbers, texts, qualities, annotations, flags } = column;
  const { length } = indexes;
  if (length === timestamps.length) return column;
  const perRecord = numbers.length / timestamps.length;
  const at = (n: number): number => indexes[n] ?? 0;
  const some = new Map<number, string>();
  if (annotations.size > 0)
    for (const [n, index] of indexes.entries()) {
      const annotation = annotations.get(index);
      if (annotation !== undefined) some.set(n, annotation);
    }
  return {
    ...column,
    timestamps: Float64Array.from({ length }, (_, n) => timestamps[at(n)] ?? 0),
    flags: flags.length === 1 ? flags : Uint8Array.from({ length }, (_, n) => flags[at(n)] ?? 0),
    numbers: Float64Array.from(
      { length: length * perRecord },
      (_, n) => numbers[at(Math.floor(n / perRecord)) * perRecord + (n % perRecord)] ?? Number.NaN,
    ),
    texts: texts.length === 0 ? [] : indexes.map((index) => texts[index] ?? ''),
    qualities: qualities.length === 0 ? qualities : Uint16Array.from({ length }, (_, n) => qualities[at(n)] ?? 0),
    annotations: some,
  };
}

/** Returns columns without the content at times that are refused; columns that shared their times still do. */
export function withoutContentAt(
  columns: readonly BuiltColumn[],
  isRefused: (timeMs: number) => boolean,
): readonly BuiltColumn[] {
  const shared = new Map<Float64Array, Float64Array[]>();
  return columns.map((column) => {
    const indexes: number[] = [];
    for (let index = 0; index < column.timestamps.length; index += 1)
      if (!hasContent(column, index) || !isRefused(column.timestamps[index] ?? 0)) indexes.push(index);
    const picked = pickRecords(column, indexes);
    if (picked === column) return column;
    const known = shared.get(column.timestamps) ?? [];
    const same = known.find((times) => isSame(times, picked.timestamps));
    if (same) return { ...picked, timestamps: same };
    shared.set(column.timestamps, [...known, picked.timestamps]);
    return picked;
  });
}

/** Returns ascending times at which a column has content. */
export function contentTimes(columns: readonly BuiltColumn[]): Float64Array {
  const [first] = columns;
  const full = columns.find(
    (column) => column.timestamps === first?.timestamps && column.timestamps.every((_, n) => hasContent(column, n)),
  );
  if (full && columns.every(({ timestamps }) => timestamps === full.timestamps || timestamps.length === 0))
    return full.timestamps;
  return distinct(columns, hasContent);
}

/** Times at which any of the columns has a record, delete markers included. */
export const rowCount = (columns: readonly BuiltColumn[]): number => distinct(columns, () => true).length;

function distinct(columns: readonly BuiltColumn[], counts: (column: BuiltColumn, index: number) => boolean) {
  const times = new Set<number>();
  for (const column of columns)
    for (let n = 0; n < column.timestamps.length; n += 1) if (counts(column, n)) times.add(column.timestamps[n] ?? 0);
  return Float64Array.from(times).sort();
}

const isSame = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((value, n) => value === b[n]);
