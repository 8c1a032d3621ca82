import { nowMs } from '../streams/connection.ts';

const DAY = 86_400_000;
/** This many intervals may pass without data. */
const MISSED = 3;

/** Returns whether data are older than they should be: three times what is expected, or a day where nothing is said. */
export function isLate(time: string, expectedIntervalSeconds?: number | null): boolean {
  return nowMs.value - Date.parse(time) > (expectedIntervalSeconds ? MISSED * 1_000 * expectedIntervalSeconds : DAY);
}
