import { localNumber } from '../../format/numbers.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** "1.5 MB": by thousands, with no more digits than matter. */
export function bytesText(bytes: number): string {
  const at = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 0), UNITS.length - 1);
  const value = bytes / 1000 ** at;
  return `${localNumber(value >= 100 || at === 0 ? String(Math.round(value)) : value.toFixed(1))}\u00a0${UNITS[at]}`;
}
