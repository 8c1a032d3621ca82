import { NUMBERS } from './locale.ts';

const formats = new Map<string, Intl.NumberFormat>();

/** Makes a format once for each way of writing: making one takes longer than to write a hundred numbers. */
function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.NumberFormat(NUMBERS, options);
    formats.set(key, format);
  }
  return format;
}

const partOf = (type: Intl.NumberFormatPartTypes): string =>
  formatOf({ useGrouping: true, minimumFractionDigits: 1 })
    .formatToParts(1_234_567.8)
    .find((part) => part.type === type)?.value ?? '';
const [POINT, GROUP] = [partOf('decimal'), partOf('group')];

/** Writes a number as the server writes it, such as `1,234.5 m`, with the separators of the reader. */
export const localNumber = (text: string): string =>
  text.replace(/\d[\d,.]*/g, (digits) => digits.replace(/[,.]/g, (mark) => (mark === '.' ? POINT : GROUP)));

/** Writes the value of a parameter: a number as the reader writes it, a text or a state as it is. */
export const shownValue = ({
  value,
  number,
  state,
}: {
  value: string;
  number: number | null;
  state: { name: string } | null;
}): string => (value === '' ? '–' : number === null || value === state?.name ? value : localNumber(value));

/** Writes exactly this many decimals, or with null all of them, as the server shows values of the parameter. */
export function decimalText(value: number, decimals: number | null): string {
  if (decimals === null) return localNumber(String(value));
  // Hundreds of digits would say less.
  if (Math.abs(value) >= LONG) return localNumber(value.toExponential().replace('e+', 'e'));
  const digits = Math.min(Math.max(Math.trunc(decimals), 0), 20);
  return formatOf({ minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }).format(value);
}

/** Writes a value and its units; percent and degrees stand close to the number. */
export const withUnits = (value: string, units: string): string =>
  units === '' ? value : `${value}${/^[%°′″]/.test(units) && !/^°[CF]/.test(units) ? '' : '\u00a0'}${units}`;

/** Writes "+2.4 %" or "−0.1 %": a sign always, and no more digits than matter. */
export function changeText(percent: number): string {
  const size = Math.abs(percent);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${formatOf({ maximumFractionDigits: digits }).format(size)}\u00a0%`;
}

/** Writes "+0.4 °C": a sign always, and the units. */
export function differenceText(change: number, units: string): string {
  const sign = change > 0 ? '+' : change < 0 ? '−' : '';
  return withUnits(`${sign}${formatOf({ maximumSignificantDigits: 4 }).format(Math.abs(change))}`, units);
}

export const countText = (count: number): string => formatOf({}).format(count);

/** Values from here on are written by powers of ten. */
const LONG = 1e15;
const SHORT = 1e-6;
/** A huge value in short has this many decimals, such as "2.5M"; where more are needed it is written in full. */
const COMPACT_DIGITS = 3;

/** Writes a value of an axis, with all decimals that its step has; a huge one in short, where that distinguishes it from its neighbours. */
export function markText(value: number, increment: number): string {
  const size = Math.abs(value);
  if (size >= LONG || (increment > 0 && increment < SHORT)) {
    const digits = value === 0 ? 0 : Math.floor(Math.log10(size)) - Math.floor(Math.log10(increment)) + 1;
    return formatOf({
      notation: 'scientific',
      maximumFractionDigits: Math.min(Math.max(digits, 0), 15),
    }).format(value);
  }
  const unit = size >= 1e12 ? 1e12 : size >= 1e9 ? 1e9 : 1e6;
  if (size >= 1e7 && decimalsOf(increment / unit) <= COMPACT_DIGITS)
    return formatOf({ notation: 'compact', maximumFractionDigits: COMPACT_DIGITS }).format(value);
  const digits = decimalsOf(increment);
  return formatOf({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
}

/** Returns decimals that a step needs: two for 0.25. */
function decimalsOf(step: number): number {
  for (let digits = 0; digits < 12; digits += 1) {
    const scaled = step * 10 ** digits;
    if (scaled > 0.5 && Math.abs(scaled - Math.round(scaled)) < 1e-6) return digits;
  }
  return 12;
}
