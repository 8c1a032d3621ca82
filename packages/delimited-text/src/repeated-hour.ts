import { DAY_MS, type EffectiveZone } from '@catchment/time';
import type { ResolvedTime } from './time-resolve.ts';

/** A row of a file, as far as it says which pass of a repeated hour it is in. */
export interface TimedRow {
  readonly time: ResolvedTime;
  /** Series that have something in the row, by any number; none: the row says nothing about any. */
  readonly series: readonly number[];
  /** The logger or station that the row names; absent where the file names none. */
  readonly logger?: string;
  /** Zone of this row, where it names one. */
  readonly zone?: EffectiveZone;
}

type Place = { readonly earlierMs: number; readonly laterMs: number | undefined };

/** The instants of a local time; the second one where the zone has it twice. */
function placeOf(zone: EffectiveZone, localMs: number): Place {
  const earlierMs = zone.instantMsOf(localMs);
  if (zone.isFixed) return { earlierMs, laterMs: undefined };
  const laterMs = localMs - zone.offsetMsAt(earlierMs + DAY_MS);
  return { earlierMs, laterMs: laterMs > earlierMs && zone.localMsAt(laterMs) === localMs ? laterMs : undefined };
}

/** Whether an instant is in the second pass of a repeated hour. */
export function isInLaterPass(zone: EffectiveZone, instantMs: number): boolean {
  return placeOf(zone, zone.localMsAt(instantMs)).laterMs === instantMs;
}

/** The latest time of a series. */
type State = { localMs: number; isRepeated: boolean; isLater: boolean };
/** Loggers beyond these share their states. */
const LOGGERS_MAX = 10_000;

/**
 * Reads rows in the order of time (docs/reference/acquisition.md#time-zone-of-data). The first time of a series within a repeated hour is in
 * the earlier pass; a time that goes back begins the later one. Series that share a row are one record of one logger: the row is in the later pass if one of
 * them is.
 */
class ForwardClock {
  readonly #zone: EffectiveZone;
  /** A record of a numbered table is no copy of the one before: an equal time is the later pass. */
  readonly #isNumbered: boolean;
  readonly #startsLater: boolean;
  readonly #loggers = new Map<string, State[]>();
  /** How often a later pass began. */
  turns = 0;

  constructor(zone: EffectiveZone, { isNumbered = false, startsLater = false } = {}) {
    this.#zone = zone;
    this.#isNumbered = isNumbered;
    this.#startsLater = startsLater;
  }

  read({ time, series, logger = '', zone = this.#zone }: TimedRow): number {
    const localMs = 'instantMs' in time ? zone.localMsAt(time.instantMs) : time.localMs;
    const { earlierMs, laterMs } = placeOf(zone, localMs);
    const states = this.#statesOf(zone === this.#zone ? logger : `${zone.name}\n${logger}`);
    const isRepeated = laterMs !== undefined;
    const isLater =
      isRepeated &&
      ('instantMs' in time
        ? time.instantMs >= laterMs
        : series.some((one) => this.#isLater(states[one], localMs, laterMs - earlierMs)));
    if (isLater && !series.some((one) => states[one]?.isLater)) this.turns += 1;
    for (const one of series) {
      const state = states[one];
      if (state) Object.assign(state, { localMs, isRepeated, isLater });
      else states[one] = { localMs, isRepeated, isLater };
    }
    if ('instantMs' in time) return time.instantMs;
    return isLater ? (laterMs ?? earlierMs) : earlierMs;
  }

  /** @param overlapMs how long the hour is */
  #isLater(before: State | undefined, localMs: number, overlapMs: number): boolean {
    if (!before || Math.abs(before.localMs - localMs) > DAY_MS) return this.#startsLater;
    const backMs = before.localMs - localMs;
    if (before.isRepeated) return before.isLater || backMs > 0 || (backMs === 0 && this.#isNumbered);
    // The clock was set back after the hour; a longer way back is another day's data, or another logger's.
    return backMs > 0 && backMs <= overlapMs;
  }

  #statesOf(key: string): State[] {
    const own = this.#loggers.size < LOGGERS_MAX || this.#loggers.has(key) ? key : '';
    const known = this.#loggers.get(own);
    if (known) return known;
    const made: State[] = [];
    this.#loggers.set(own, made);
    return made;
  }
}

/** Reads the records of a numbered table one by one, in the order of time. */
export interface TableClock {
  instantMsOf(time: ResolvedTime): number;
}

export function tableClock(zone: EffectiveZone): TableClock {
  const clock = new ForwardClock(zone, { isNumbered: true });
  return { instantMsOf: (time) => clock.read({ time, series: [0] }) };
}

export type Settled<T extends TimedRow> = { readonly row: T; readonly timeMs: number };
/** Rows, with their series, that wait for the order of a file to be known. */
const HELD_MAX = 100_000;

/**
 * Gives the rows of a file their instants. The pass of a repeated hour is decided for the file: where most times go back, the newest
 * row comes first, and the rows within the hour are held until it ends, to be read from the other side. Rows leave in the order in which they came.
 */
export class FileTimes<T extends TimedRow> {
  readonly #zone: EffectiveZone;
  #clock: ForwardClock;
  #held: T[] = [];
  #heldSize = 0;
  /** A local time of the hour, and how long it is, while rows are held. */
  #hour: { readonly localMs: number; readonly overlapMs: number } | undefined;
  /** Rows before those that are held have the later pass already. */
  #hasTurned = false;
  readonly #latest = new Map<string, { readonly localMs: number; readonly isRepeated: boolean }>();
  /** By how much more times went on than back; a step within a repeated hour says half as much, since it may part its passes. */
  #forward = 0;

  constructor(zone: EffectiveZone) {
    this.#zone = zone;
    this.#clock = new ForwardClock(zone);
  }

  /** @returns the rows that are settled now */
  take(row: T): readonly Settled<T>[] {
    const { time, series, zone = this.#zone } = row;
    if (zone.isFixed && !this.#hour) return [{ row, timeMs: this.#clock.read(row) }];
    const localMs = 'instantMs' in time ? zone.localMsAt(time.instantMs) : time.localMs;
    const { earlierMs, laterMs } = placeOf(zone, localMs);
    this.#observe(row, { localMs, isRepeated: laterMs !== undefined });
    if (!this.#hour) {
      if (laterMs === undefined || this.#forward > 0) return [{ row, timeMs: this.#clock.read(row) }];
      this.#hour = { localMs, overlapMs: laterMs - earlierMs };
      this.#hasTurned = false;
    }
    this.#held.push(row);
    this.#heldSize += 1 + series.length;
    const { overlapMs } = this.#hour;
    if (Math.abs(localMs - this.#hour.localMs) > 2 * overlapMs) return this.end();
    return this.#heldSize >= HELD_MAX ? this.#settle(true) : [];
  }

  /** @returns the rows that are not settled yet */
  end(): readonly Settled<T>[] {
    const settled = this.#settle(false);
    this.#hour = undefined;
    return settled;
  }

  #observe({ series, logger = '' }: T, at: { readonly localMs: number; readonly isRepeated: boolean }): void {
    const [first] = series;
    if (first === undefined) return;
    const key = `${first} ${logger}`;
    const before = this.#latest.get(key);
    if (before) this.#forward += Math.sign(at.localMs - before.localMs) * (before.isRepeated && at.isRepeated ? 1 : 2);
    if (before || this.#latest.size < LOGGERS_MAX) this.#latest.set(key, at);
  }

  /** @param isPart more rows of the hour come */
  #settle(isPart: boolean): readonly Settled<T>[] {
    const rows = this.#held;
    this.#held = [];
    this.#heldSize = 0;
    if (this.#forward > -2) return rows.map((row) => ({ row, timeMs: this.#clock.read(row) }));
    const read = (startsLater: boolean) => {
      const clock = new ForwardClock(this.#zone, { startsLater });
      const settled = rows.toReversed().map((row) => ({ row, timeMs: clock.read(row) }));
      return { turns: clock.turns, settled: settled.reverse() };
    };
    const found = read(false);
    // So many rows before the times go on are one whole pass, and another one follows.
    const isLater = isPart && !this.#hasTurned && found.turns === 0;
    if (!isLater) this.#hasTurned = true;
    this.#clock = new ForwardClock(this.#zone);
    return isLater ? read(true).settled : found.settled;
  }
}

/** The instants of rows that are all there, in their order. */
export function instantsOf(rows: readonly TimedRow[], zone: EffectiveZone): number[] {
  const times = new FileTimes(zone);
  return [...rows.flatMap((row) => times.take(row)), ...times.end()].map(({ timeMs }) => timeMs);
}
