import { ValueType } from '@catchment/contracts/nodes';
import { TEXT_MAX } from '@catchment/ids';
import type { BuiltColumn } from '../../../records/index.ts';
import type { QualityOfValue } from '../../../series/index.ts';
import { ColumnBuilder, isLongerThan } from '../column-builder.ts';
import { LineError, type LineValue } from './line-value.ts';
import { type LineField, type LineHead, type LinesOptions, type ParsedLine, parseLines } from './parse-lines.ts';
import type { SeriesRule } from './series-rule.ts';

type Kind = 'number' | 'text';

/** The fields of one series keep the order of their lines. */
export type LineColumn = {
  readonly key: string;
  /** Messages, and the parameter that is made, name measurement, name and type of the first field. */
  readonly first: { readonly measurement: string; readonly field: string; readonly type: LineValue['type'] };
  readonly kind: Kind;
  readonly times: number[];
  /** Each time has this part below a millisecond. */
  readonly below: number[];
  /** The line of each field. */
  readonly lines: number[];
  readonly numbers: number[];
  readonly texts: string[];
};

/** This many lines are read at a time before other work goes on. */
const STEP_LINES = 256;
/** This many problems are reported; the others are counted. */
const MAX_PROBLEMS = 10;

const kindOf = (value: LineValue): Kind => (value.type === 'string' ? 'text' : 'number');

/** Returns the kind of field that the parameter of a series takes; undefined where it takes neither numbers nor texts. */
export const kindOfType = (type: ValueType): Kind | undefined =>
  type === ValueType.VALUE_TYPE_NUMBER ? 'number' : type === ValueType.VALUE_TYPE_TEXT ? 'text' : undefined;

/** Collects the fields of lines by their series, and what is wrong with lines. A line that is left out is left out whole. */
export class CollectedLines {
  readonly columns = new Map<string, LineColumn>();
  lines = 0;
  readonly #dropped = new Set<number>();
  readonly #collided = new Set<number>();
  readonly #problems = new Set<string>();
  /** Columns are found by the text that lines begin with, and their fields: most lines share few of them. */
  readonly #known = new Map<LineHead, Map<string, LineColumn>>();

  get dropped(): number {
    return this.#dropped.union(this.#collided).size;
  }

  get problems(): string[] {
    return [...this.#problems];
  }

  /** @param kindOfSeries what the parameter of a series takes, where there is one */
  add(line: ParsedLine, rule: SeriesRule, kindOfSeries: (key: string) => Kind | undefined | 'unknown'): void {
    this.lines += 1;
    if (line.problem !== undefined) {
      this.drop([line.number], line.problem);
      return;
    }
    const placed: [LineColumn, LineField][] = [];
    try {
      for (const field of line.fields) placed.push([this.#columnOf(field, rule, kindOfSeries), field]);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      this.drop([line.number], error.message);
      return;
    }
    for (const [column, { head, key, value, at }] of placed) {
      if (column.times.length === 0) this.columns.set(column.key, column);
      this.#remember(head, key, column);
      column.times.push(at.ms);
      column.below.push(at.below);
      column.lines.push(line.number);
      if (value.type === 'string') column.texts.push(value.value);
      else column.numbers.push(value.value);
    }
  }

  #remember(head: LineHead, field: string, column: LineColumn): void {
    const fields = this.#known.get(head);
    if (!fields) this.#known.set(head, new Map([[field, column]]));
    else if (!fields.has(field)) fields.set(field, column);
  }

  #columnOf(
    { head, key: field, value }: LineField,
    rule: SeriesRule,
    kindOfSeries: (key: string) => Kind | undefined | 'unknown',
  ): LineColumn {
    if (value.type === 'string' && isLongerThan(value.value, TEXT_MAX))
      throw new LineError(`string of field "${field}" is longer than ${TEXT_MAX} characters`);
    const seen = this.#known.get(head)?.get(field);
    if (seen?.kind === kindOf(value)) return seen;
    const key = rule(head, field);
    const first = { measurement: head.measurement, field, type: value.type };
    const known = this.columns.get(key);
    const kind = known?.kind ?? kindOfSeries(key);
    if (kind !== 'unknown' && kind !== kindOf(value)) throw new LineError(conflict(first, known?.first.type ?? kind));
    return known ?? { key, first, kind: kindOf(value), times: [], below: [], lines: [], numbers: [], texts: [] };
  }

  /** Leaves lines out. */
  drop(lines: readonly number[], problem: string): void {
    for (const line of lines) this.#dropped.add(line);
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.add(problem);
  }

  /** Returns whether any line of a series is left. */
  isKept({ lines }: LineColumn): boolean {
    return lines.some((line) => !this.#dropped.has(line));
  }

  /** Leaves out the lines of a series whose parameter takes something else. */
  refuse(column: LineColumn, type: ValueType): void {
    this.drop(column.lines, conflict(column.first, kindOfType(type)));
  }

  /**
   * Returns the records of a series: ascending, the later of two lines with one time. The last of several within a millisecond
   * is kept.
   */
  build(column: LineColumn, type: ValueType, qualityOf: QualityOfValue | undefined): BuiltColumn {
    const { times, below, lines, numbers, texts, kind } = column;
    const order = orderOf(times, below).filter((at) => !this.#dropped.has(lines[at] ?? 0));
    const rowTimes = new Float64Array(order.length);
    const builder = new ColumnBuilder(type, order.length, qualityOf);
    let row = -1;
    for (const [n, at] of order.entries()) {
      const time = times[at] ?? 0;
      if (row < 0 || time !== rowTimes[row]) rowTimes[++row] = time;
      else this.#noteCollision(column, order[n - 1] ?? 0, at);
      if (kind === 'text') builder.add(row, { v: texts[at] }, at, column.key);
      else builder.addNumber(row, numbers[at] ?? 0, at, 0);
    }
    return builder.build(rowTimes.subarray(0, row + 1));
  }

  #noteCollision({ below, lines }: LineColumn, before: number, after: number): void {
    if (below[before] === below[after]) return;
    this.#collided.add(lines[before] ?? 0);
    if (this.#problems.size < MAX_PROBLEMS)
      this.#problems.add('points are less than 1 ms apart: only the last of each millisecond is kept');
  }
}

const conflict = (
  { measurement, field, type }: LineColumn['first'],
  existing: LineValue['type'] | Kind | undefined,
): string =>
  `field type conflict: input field "${field}" on measurement "${measurement}" is type ${type}, already exists as type ${existing === 'text' ? 'string' : existing === 'number' ? 'float' : (existing ?? 'another')}`;

/** Orders times, equal ones as they came. */
function orderOf(times: readonly number[], below: readonly number[]): number[] {
  const order = times.map((_, n) => n);
  const isSorted = order.every((n) => n === 0 || (times[n - 1]! - times[n]! || below[n - 1]! - below[n]!) <= 0);
  return isSorted ? order : order.sort((a, b) => times[a]! - times[b]! || below[a]! - below[b]! || a - b);
}

/** Reads all lines of a text, in steps. */
export function* collectLines(
  text: string,
  options: LinesOptions,
  rule: SeriesRule,
  kindOfSeries: (key: string) => Kind | undefined | 'unknown',
): Generator<void, CollectedLines> {
  const collected = new CollectedLines();
  for (const line of parseLines(text, options)) {
    collected.add(line, rule, kindOfSeries);
    if (collected.lines % STEP_LINES === 0) yield;
  }
  return collected;
}
