import type { EffectiveZone } from '@catchment/time';
import { ForwardClock, placeOf, type TimedRow } from './repeated-hour.ts';
import { type RowGroup, RowGroups } from './row-groups.ts';

export type Settled<T extends TimedRow> = { readonly row: T; readonly timeMs: number };
/** A row in the order of the file; `timed` is what it says of times. */
type Waiting<T extends TimedRow> = {
  readonly at: number;
  readonly row: T;
  readonly timed: TimedRow;
  readonly size: number;
  timeMs: number | undefined;
};
type Group<T extends TimedRow> = RowGroup<Waiting<T>>;
/** This many rows, with their series, wait for the order of a file to be known. */
const HELD_MAX = 100_000;

/**
 * Gives the rows of a file their instants. The pass of a repeated hour is decided for the file, and each series and
 * logger in it: where most of its times go back, the newest row comes first, and its rows within the hour are held
 * until it ends, to be read from the other side. A series with too few rows to decide goes as the file does. Rows leave
 * in the order in which they came.
 */
export class FileTimes<T extends TimedRow> {
  readonly #zone: EffectiveZone;
  readonly #clock: ForwardClock;
  readonly #groups: RowGroups<Waiting<T>>;
  /** The queue begins with the first row that has no instant yet. */
  #queue: Waiting<T>[] = [];
  #queueSize = 0;
  #count = 0;

  constructor(zone: EffectiveZone) {
    this.#zone = zone;
    this.#clock = new ForwardClock(zone);
    this.#groups = new RowGroups(zone);
  }

  /** @returns the rows that are settled now */
  take(row: T): readonly Settled<T>[] {
    const { time, zone = this.#zone } = row;
    if (zone.isFixed) return this.#pass(row, row);
    const localMs = 'instantMs' in time ? zone.localMsAt(time.instantMs) : time.localMs;
    const { earlierMs, laterMs } = placeOf(zone, localMs);
    const series = this.#groups.seriesOf(row);
    if (!series && laterMs === undefined) return this.#pass(row, row);
    const timed = !series || series === row.series ? row : { ...row, series };
    const group = this.#groups.observe(timed, { localMs, isRepeated: laterMs !== undefined });
    if (!group) return this.#pass(row, timed);
    if (!group.hour) {
      if (laterMs === undefined || group.direction.isForward) return this.#pass(row, timed);
      group.hour = { localMs, overlapMs: laterMs - earlierMs };
      group.hasTurned = false;
    }
    const waiting = this.#wait(row, timed, undefined);
    group.held.push(waiting);
    group.heldSize += waiting.size;
    if (Math.abs(localMs - group.hour.localMs) > 2 * group.hour.overlapMs) this.#settle(group, false);
    return this.#settled();
  }

  /** @returns the rows that are not settled yet */
  end(): readonly Settled<T>[] {
    for (const { timeMs, timed } of this.#queue) if (timeMs === undefined) this.#settle(this.#groups.of(timed), false);
    return this.#settled();
  }

  #pass(row: T, timed: TimedRow): readonly Settled<T>[] {
    const timeMs = this.#clock.read(timed);
    if (this.#queue.length === 0) return [{ row, timeMs }];
    this.#wait(row, timed, timeMs);
    return this.#settled();
  }

  #wait(row: T, timed: TimedRow, timeMs: number | undefined): Waiting<T> {
    const waiting = { at: this.#count, row, timed, size: 1 + row.series.length, timeMs };
    this.#count += 1;
    this.#queue.push(waiting);
    this.#queueSize += waiting.size;
    return waiting;
  }

  /** Returns the rows before the first one that has no instant. */
  #settled(): readonly Settled<T>[] {
    const settled: Settled<T>[] = [];
    let [first] = this.#queue;
    while (first) {
      if (first.timeMs === undefined) {
        if (this.#queueSize < HELD_MAX) break;
        // One that has few of the rows that wait came to its end long ago.
        const group = this.#groups.of(first.timed);
        this.#settle(group, group.heldSize * 2 >= this.#queueSize);
      }
      let count = 0;
      for (const { row, timeMs, size } of this.#queue) {
        if (timeMs === undefined) break;
        settled.push({ row, timeMs });
        this.#queueSize -= size;
        count += 1;
      }
      this.#queue.splice(0, count);
      [first] = this.#queue;
    }
    return settled;
  }

  /** @param isPart more rows of the hour come */
  #settle(group: Group<T>, isPart: boolean): void {
    const rows = group.held;
    group.held = [];
    group.heldSize = 0;
    if (!isPart) group.hour = undefined;
    const direction = group.direction.isKnown ? group.direction : this.#groups.ofFile;
    if (!direction.isBackward) {
      for (const row of rows) row.timeMs = this.#clock.read(row.timed);
      return;
    }
    const backward = rows.toReversed();
    const read = (startsLater: boolean): number => {
      const clock = new ForwardClock(this.#zone, { startsLater });
      for (const row of backward) row.timeMs = clock.read(row.timed);
      return clock.turns;
    };
    const turns = read(false);
    // These rows before the times go on are one whole pass, and another one follows.
    if (isPart && !group.hasTurned && turns === 0) read(true);
    else group.hasTurned = true;
    const [last] = rows;
    if (last) this.#clock.forget({ ...last.timed, series: group.series });
  }
}

/** Returns the instants of rows that are all there, in their order. */
export function instantsOf(rows: readonly TimedRow[], zone: EffectiveZone): number[] {
  const times = new FileTimes(zone);
  return [...rows.flatMap((row) => times.take(row)), ...times.end()].map(({ timeMs }) => timeMs);
}
