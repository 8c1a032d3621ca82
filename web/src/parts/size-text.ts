import { localNumber } from '../format/numbers.ts';

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Writes "1.5 MB": by thousands, with no more digits than matter. */
export function sizeText(bytes: number): string {
  // A size that would be rounded to a thousand is one of the next unit.
  const at = UNITS.findIndex((_, i) => bytes < 999.5 * 1000 ** i);
  const power = at < 0 ? UNITS.length - 1 : at;
  const value = bytes / 1000 ** power;
  const digits = power === 0 || value >= 99.95 ? 0 : 1;
  return `${localNumber(value.toFixed(digits))}\u00a0${UNITS[power]}`;
}
