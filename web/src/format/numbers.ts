import { LOCALE } from './zone.ts';

const formats = new Map<number, Intl.NumberFormat>();

/** With exactly so many decimals, as the server shows values of the parameter. */
export function decimalText(value: number, decimals: number): string {
  const digits = Math.min(Math.max(Math.trunc(decimals), 0), 20);
  let format = formats.get(digits);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
    });
    formats.set(digits, format);
  }
  return format.format(value);
}

/** A value and its units; percent and degrees stand close to the number. */
export const withUnits = (value: string, units: string): string =>
  units === '' ? value : `${value}${/^[%°′″]/.test(units) && !/^°[CF]/.test(units) ? '' : '\u00a0'}${units}`;

/** "+2.4 %", "−0.1 %": a sign always, and no more digits than matter. */
export function changeText(percent: number): string {
  const size = Math.abs(percent);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${new Intl.NumberFormat(LOCALE, { maximumFractionDigits: digits }).format(size)}\u00a0%`;
}

export const countText = (count: number): string => new Intl.NumberFormat(LOCALE).format(count);
