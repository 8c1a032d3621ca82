import type { EffectiveZone } from '@catchment/time';
import { LOGGERS_MAX, loggerKey, type TimedRow } from './repeated-hour.ts';

type LocalTime = { readonly localMs: number; readonly isRepeated: boolean };

/** Counts by how much more times went on than back. A step within a repeated hour says half as much, since it may part its passes. */
class Direction {
  #forward = 0;

  step(before: LocalTime, at: LocalTime): void {
    this.#forward += Math.sign(at.localMs - before.localMs) * (before.isRepeated && at.isRepeated ? 1 : 2);
  }

  add(other: Direction): void {
    this.#forward += other.#forward;
  }

  get isForward(): boolean {
    return this.#forward > 0;
  }

  /** The direction is known after one step outside of the hour, or two in it. */
  get isKnown(): boolean {
    return Math.abs(this.#forward) > 1;
  }

  get isBackward(): boolean {
    return this.#forward < -1;
  }
}

/** Series of one logger share rows: what is said of one of them is said of all. */
export interface RowGroup<H> {
  readonly direction: Direction;
  readonly series: number[];
  /** Rows that wait for the direction to be known. */
  held: H[];
  heldSize: number;
  /** The hour has a local time, and a length, while rows are held. */
  hour: { readonly localMs: number; readonly overlapMs: number } | undefined;
  /** Rows before those that are held have the later pass already. */
  hasTurned: boolean;
}

type OfLogger<H> = { readonly groups: RowGroup<H>[]; readonly latest: LocalTime[]; last?: RowGroup<H> };

/** Finds the group of each row, and the direction of the times of each group and of the file. */
export class RowGroups<H extends { readonly at: number }> {
  readonly #zone: EffectiveZone;
  readonly #loggers = new Map<string, OfLogger<H>>();
  /** Direction of the whole file. */
  readonly ofFile = new Direction();

  constructor(zone: EffectiveZone) {
    this.#zone = zone;
  }

  /** Returns the series that a row is of. @returns undefined: it has a value of none, and no row before it says which it may be of */
  seriesOf(row: TimedRow): readonly number[] | undefined {
    return row.isBlank ? this.#loggerOf(row).last?.series : row.series;
  }

  /** Counts the step that a row makes. @returns undefined: it is of no series */
  observe(row: TimedRow, at: LocalTime): RowGroup<H> | undefined {
    const [first] = row.series;
    if (first === undefined) return undefined;
    const logger = this.#loggerOf(row);
    const group = groupOf(logger.groups, row.series);
    const before = logger.latest[first];
    if (before) for (const direction of [group.direction, this.ofFile]) direction.step(before, at);
    logger.latest[first] = at;
    if (!row.isBlank) logger.last = group;
    return group;
  }

  /** Returns the group of a row that was observed. */
  of(row: TimedRow): RowGroup<H> {
    return groupOf(this.#loggerOf(row).groups, row.series);
  }

  #loggerOf({ logger = '', zone = this.#zone }: TimedRow): OfLogger<H> {
    const key = loggerKey(this.#zone, zone, logger);
    const keptUnder = this.#loggers.size < LOGGERS_MAX || this.#loggers.has(key) ? key : '';
    const known = this.#loggers.get(keptUnder);
    if (known) return known;
    const made: OfLogger<H> = { groups: [], latest: [] };
    this.#loggers.set(keptUnder, made);
    return made;
  }
}

function groupOf<H extends { readonly at: number }>(groups: RowGroup<H>[], series: readonly number[]): RowGroup<H> {
  let group: RowGroup<H> | undefined;
  for (const id of series) {
    const other = groups[id];
    if (other && group && other !== group) group = joined(groups, group, other);
    else group ??= other;
  }
  group ??= {
    direction: new Direction(),
    series: [],
    held: [],
    heldSize: 0,
    hour: undefined,
    hasTurned: false,
  };
  for (const id of series) {
    if (groups[id]) continue;
    groups[id] = group;
    group.series.push(id);
  }
  return group;
}

/** The larger one takes over what the smaller one has. */
function joined<H extends { readonly at: number }>(
  groups: RowGroup<H>[],
  left: RowGroup<H>,
  right: RowGroup<H>,
): RowGroup<H> {
  const [group, other] = left.series.length < right.series.length ? [right, left] : [left, right];
  for (const series of other.series) {
    groups[series] = group;
    group.series.push(series);
  }
  group.direction.add(other.direction);
  if (other.held.length > 0) group.held = [...group.held, ...other.held].sort((a, b) => a.at - b.at);
  group.heldSize += other.heldSize;
  group.hour ??= other.hour;
  group.hasTurned ||= other.hasTurned;
  return group;
}
