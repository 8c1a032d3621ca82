import { LOCALE } from './zone.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** Made once for each way of writing: making one takes longer than to write a hundred numbers. */
function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, options);
    formats.set(key, format);
  }
  return format;
}

/** With exactly so many decimals, or with null in full, as the server shows values of the parameter. */
export function decimalText(value: number, decimals: number | null): string {
  if (decimals === null) return String(value);
  const digits = Math.min(Math.max(Math.trunc(decimals), 0), 20);
  return formatOf({ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }).format(value);
}

/** A value and its units; percent and degrees stand close to the number. */
export const withUnits = (value: string, units: string): string =>
  units === '' ? value : `${value}${/^[%°′″]/.test(units) && !/^°[CF]/.test(units) ? '' : '\u00a0'}${units}`;

/** "+2.4 %", "−0.1 %": a sign always, and no more digits than matter. */
export function changeText(percent: number): string {
  const size = Math.abs(percent);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${formatOf({ maximumFractionDigits: digits }).format(size)}\u00a0%`;
}

export const countText = (count: number): string => formatOf({}).format(count);

/** A value of an axis, with the decimals that its marks need; a huge one in short. */
export function markText(value: number, increment: number): string {
  if (Math.abs(value) >= 1e7) return formatOf({ notation: 'compact', maximumFractionDigits: 3 }).format(value);
  const digits = Math.min(Math.max(0, Math.ceil(-Math.log10(increment) - 1e-9)), 12);
  return formatOf({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}
