import { DAY_MS, type EffectiveZone } from '@catchment/time';
import type { ResolvedTime } from './time-resolve.ts';

export interface SourceClock {
  /** UTC milliseconds of the next record of the file; call it once a record, in the order of the file. */
  instantMsOf(time: ResolvedTime): number;
}

/** The second instant with this local time, when it occurs twice. */
function laterInstantMs(zone: EffectiveZone, localMs: number, earlierMs: number): number | undefined {
  const laterMs = localMs - zone.offsetMsAt(earlierMs + DAY_MS);
  return laterMs > earlierMs && zone.localMsAt(laterMs) === localMs ? laterMs : undefined;
}

/**
 * The clock of one file (docs/reference/acquisition.md#time-zone-of-data): a skipped local time moves forward by the gap; a
 * repeated one is the earlier instant, unless that is not later than the record before it in the file.
 */
export function sourceClock(zone: EffectiveZone): SourceClock {
  let previousMs = Number.NEGATIVE_INFINITY;
  const read = (time: ResolvedTime): number => {
    if ('instantMs' in time) return time.instantMs;
    const earlierMs = zone.instantMsOf(time.localMs);
    if (earlierMs > previousMs) return earlierMs;
    return laterInstantMs(zone, time.localMs, earlierMs) ?? earlierMs;
  };
  return {
    instantMsOf(time) {
      previousMs = read(time);
      return previousMs;
    },
  };
}
