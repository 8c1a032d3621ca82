import { DAY_MS, type EffectiveZone } from '@catchment/time';
import type { ResolvedTime } from './time-resolve.ts';

/** A row of a file says by this which pass of a repeated hour it is in. */
export interface TimedRow {
  readonly time: ResolvedTime;
  /** Series that have something in the row, by any number; none: the row says nothing about any. */
  readonly series: readonly number[];
  /** The row names this logger or station; absent where the file names none. */
  readonly logger?: string;
  /** It has no value of any of them: which of them it is of, what came before says. */
  readonly isBlank?: boolean;
  /** The row names this zone, if any. */
  readonly zone?: EffectiveZone;
}

type Place = { readonly earlierMs: number; readonly laterMs: number | undefined };

/** Returns the instants of a local time; the second one where the zone has it twice. */
export function placeOf(zone: EffectiveZone, localMs: number): Place {
  const earlierMs = zone.instantMsOf(localMs);
  if (zone.isFixed) return { earlierMs, laterMs: undefined };
  const laterMs = localMs - zone.offsetMsAt(earlierMs + DAY_MS);
  return { earlierMs, laterMs: laterMs > earlierMs && zone.localMsAt(laterMs) === localMs ? laterMs : undefined };
}

/** Returns whether an instant is in the second pass of a repeated hour. */
export function isInLaterPass(zone: EffectiveZone, instantMs: number): boolean {
  return placeOf(zone, zone.localMsAt(instantMs)).laterMs === instantMs;
}

/** A logger has a state in each zone that its rows name. */
export const loggerKey = (ofFile: EffectiveZone, zone: EffectiveZone, logger: string): string =>
  zone === ofFile ? logger : `${zone.name}\n${logger}`;

/** Latest time of a series. */
type State = { localMs: number; isRepeated: boolean; isLater: boolean };
/** Loggers beyond these share their states. */
export const LOGGERS_MAX = 10_000;

/**
 * Reads rows in the order of time (docs/reference/acquisition.md#time-zone-of-data). The first time of a series within a repeated hour is in
 * the earlier pass; a time that goes back begins the later one. Series that share a row are one record of one logger: the row is in the later pass if one of
 * them is.
 */
export class ForwardClock {
  readonly #zone: EffectiveZone;
  /** A record of a numbered table is no copy of the one before: an equal time is the later pass. */
  readonly #isNumbered: boolean;
  readonly #startsLater: boolean;
  readonly #loggers = new Map<string, State[]>();
  /** Counts how often a later pass began. */
  turns = 0;

  constructor(zone: EffectiveZone, { isNumbered = false, startsLater = false } = {}) {
    this.#zone = zone;
    this.#isNumbered = isNumbered;
    this.#startsLater = startsLater;
  }

  read({ time, series, logger = '', zone = this.#zone }: TimedRow): number {
    const localMs = 'instantMs' in time ? zone.localMsAt(time.instantMs) : time.localMs;
    const { earlierMs, laterMs } = placeOf(zone, localMs);
    const states = this.#statesOf(loggerKey(this.#zone, zone, logger));
    const isRepeated = laterMs !== undefined;
    const isLater =
      isRepeated &&
      ('instantMs' in time
        ? time.instantMs >= laterMs
        : series.some((id) => this.#isLater(states[id], localMs, laterMs - earlierMs)));
    if (isLater && !series.some((id) => states[id]?.isLater)) this.turns += 1;
    for (const id of series) {
      const state = states[id];
      if (state) Object.assign(state, { localMs, isRepeated, isLater });
      else states[id] = { localMs, isRepeated, isLater };
    }
    if ('instantMs' in time) return time.instantMs;
    return isLater ? (laterMs ?? earlierMs) : earlierMs;
  }

  /** Makes the next records of these series come as if nothing had been before. */
  forget({ series, logger = '', zone = this.#zone }: TimedRow): void {
    const states = this.#statesOf(loggerKey(this.#zone, zone, logger));
    for (const id of series) delete states[id];
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
    const logger = this.#loggers.size < LOGGERS_MAX || this.#loggers.has(key) ? key : '';
    const known = this.#loggers.get(logger);
    if (known) return known;
    const made: State[] = [];
    this.#loggers.set(logger, made);
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
