import type { EffectiveZone } from '@catchment/time';
import { isInLaterPass, type TimedRow } from './repeated-hour.ts';

/**
 * Remembers what a file that continues within a repeated hour has read of its later pass. The rows that are given again
 * may not reach back to where the hour began: the latest record says that it is in the later pass, and they say whose
 * that is.
 */
export class KnownPass {
  readonly #untilMs: number;
  readonly #zone: EffectiveZone;
  /** The last rows that are given again have these local times, by their loggers and series. */
  readonly #latest = new Map<string, Map<number, number>>();

  private constructor(untilMs: number, zone: EffectiveZone) {
    this.#untilMs = untilMs;
    this.#zone = zone;
  }

  /** @returns undefined: the latest record is in no later pass */
  static of(untilMs: number | undefined, zone: EffectiveZone): KnownPass | undefined {
    return untilMs !== undefined && isInLaterPass(zone, untilMs) ? new KnownPass(untilMs, zone) : undefined;
  }

  /** Adds a row that is given again. */
  add({ time, series, logger = '', isBlank, zone = this.#zone }: TimedRow): void {
    if (isBlank) return;
    const ofLogger = this.#latest.get(logger) ?? new Map<number, number>();
    this.#latest.set(logger, ofLogger);
    const localMs = 'instantMs' in time ? zone.localMsAt(time.instantMs) : time.localMs;
    for (const id of series) ofLogger.set(id, localMs);
  }

  /** Returns rows, of one series each, that are in the later pass; of all `count` series where nothing is given again. */
  rows(count: number): readonly TimedRow[] {
    const time = { instantMs: this.#untilMs };
    const untilLocalMs = this.#zone.localMsAt(this.#untilMs);
    if (this.#latest.size === 0) return Array.from({ length: count }, (_, n) => ({ time, series: [n], logger: '' }));
    // A record of the later pass is never beyond the latest record of all.
    return [...this.#latest].flatMap(([logger, series]) =>
      [...series].flatMap(([id, localMs]) => (localMs <= untilLocalMs ? [{ time, series: [id], logger }] : [])),
    );
  }
}
