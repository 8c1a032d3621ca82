import { DAY_MS } from './civil.ts';

const TWO = Array.from({ length: 60 }, (_, i) => i.toString().padStart(2, '0'));
const THREE = Array.from({ length: 1000 }, (_, i) => i.toString().padStart(3, '0'));

let cachedDay = Number.NaN;
let cachedDate = '';

/**
 * `YYYY-MM-DDTHH:mm:ss.SSSZ` (semantics 3.2) of UTC milliseconds, several times faster than `Date`: the date is kept
 * from one call to the next.
 * @throws RangeError when `instantMs` is not a time that `Date` can hold
 */
export function formatIsoMs(instantMs: number): string {
  const day = Math.floor(instantMs / DAY_MS);
  if (day !== cachedDay) {
    cachedDate = new Date(day * DAY_MS).toISOString().slice(0, -13);
    cachedDay = day;
  }
  const ofDay = Math.floor(instantMs) - day * DAY_MS;
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${cachedDate}${TWO[Math.floor(minutes / 60)]}:${TWO[minutes % 60]}:${TWO[seconds % 60]}.${THREE[ofDay % 1000]}Z`;
}
