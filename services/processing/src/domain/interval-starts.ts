import { effectiveZone, lastingIntervals, parseOpc, parsePeriod } from '@catchment/time';
import type { Zone } from './plan.ts';
import type { InputAggregate } from './program.ts';

/**
 * Starts of the intervals from the one that contains `fromMs` until `toMs`, `limit` of them; undefined for intervals that only the series
 * knows, those of FIRST and LAST.
 * @param nowMs decides what a zone without daylight saving time is
 */
export function intervalStarts(
  { baseTime, interval }: InputAggregate,
  zone: Zone,
  { fromMs, toMs, limit }: { readonly fromMs: number; readonly toMs: number; readonly limit: number },
  nowMs: number,
): number[] | undefined {
  const [base, period] = [parseOpc(baseTime), parsePeriod(interval)];
  if (!base || !period || base.base === 'FIRST' || base.base === 'LAST') return undefined;
  const intervals = lastingIntervals({ base, period, zone: effectiveZone(zone.name, zone.adjustsForDst, nowMs) });
  const starts: number[] = [];
  for (let atMs = fromMs; atMs <= toMs && starts.length < limit; ) {
    const { startMs, endMs } = intervals.at(atMs);
    starts.push(startMs);
    atMs = endMs;
  }
  return starts;
}
