import { decimalText, roundHalfEven, toDecimalPlaces } from './round-decimal.ts';

/** A number format pattern (docs/reference/parameters.md#number-patterns). */
export type NumberPattern = {
  readonly minInteger: number;
  readonly minFraction: number;
  readonly maxFraction: number;
  /** The digits per group; 0 means no grouping. */
  readonly groupSize: number;
  /** The digits of the exponent; 0 means not scientific. */
  readonly exponentDigits: number;
  readonly isPercent: boolean;
  readonly prefix: string;
  readonly suffix: string;
  readonly negativePrefix: string;
  readonly negativeSuffix: string;
};

const DIGITS = /^([#0,]*)(?:\.(0*)(#*))?(?:E(0+))?/;
const INTEGER = /^(?:[#,]*[0,]+|[#,]+)$/;

/** Exact digits are expensive: a pattern of thousands of them would stop the process for others. */
const MAX_PATTERN = 100;
/** A percent sign moves the point by this many places. */
const PERCENT_PLACES = 2;

/** @returns undefined for an invalid pattern */
export function parseNumberPattern(pattern: string): NumberPattern | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const positive = readPart(pattern, 0);
  if (!positive) return undefined;
  const rest = pattern.slice(positive.end);
  if (rest === '') return { ...positive.pattern, ...plainNegative(positive.pattern) };
  if (!rest.startsWith(';')) return undefined;
  const negative = readPart(rest, 1);
  if (!negative || negative.end !== rest.length) return undefined;
  return { ...positive.pattern, negativePrefix: negative.pattern.prefix, negativeSuffix: negative.pattern.suffix };
}

/** Returns the text of a number; an integer digit is printed even by `#` unless the pattern has a fraction that is not empty. */
export function formatNumber(value: number, pattern: NumberPattern): string {
  if (!Number.isFinite(value)) return '';
  const digits = pattern.exponentDigits > 0 ? scientific(Math.abs(value), pattern) : fixed(Math.abs(value), pattern);
  const isNegative = value < 0 && /[1-9]/.test(digits);
  return isNegative
    ? pattern.negativePrefix + digits + pattern.negativeSuffix
    : pattern.prefix + digits + pattern.suffix;
}

/**
 * Counts decimals of the number itself that its text shows: a percent sign moves two more before the point. Undefined: as many as the
 * number has.
 */
export const decimalsOf = ({ exponentDigits, maxFraction, isPercent }: NumberPattern): number | undefined =>
  exponentDigits > 0 ? undefined : maxFraction + (isPercent ? PERCENT_PLACES : 0);

/** The number rounded to the pattern's decimals: what JSON shows (docs/reference/reading.md#order-of-steps). */
export function roundToPattern(value: number, pattern: NumberPattern): number {
  const decimals = decimalsOf(pattern);
  return decimals === undefined ? value : roundHalfEven(value, decimals);
}

type Part = { pattern: Omit<NumberPattern, 'negativePrefix' | 'negativeSuffix'>; end: number };

const plainNegative = ({ prefix, suffix }: Part['pattern']) => ({
  negativePrefix: `-${prefix}`,
  negativeSuffix: suffix,
});

function readPart(text: string, from: number): Part | undefined {
  const prefix = readAffix(text, from);
  const match = prefix && DIGITS.exec(text.slice(prefix.end));
  if (!prefix || !match) return undefined;
  const [whole, integer = '', zeros = '', hashes = '', exponent = ''] = match;
  if (!isInteger(integer) && !(integer === '' && whole.startsWith('.') && zeros + hashes !== '')) return undefined;
  const suffix = readAffix(text, prefix.end + whole.length);
  if (!suffix) return undefined;
  const lastComma = integer.lastIndexOf(',');
  const groupSize = lastComma < 0 ? 0 : integer.length - lastComma - 1;
  if (lastComma >= 0 && groupSize === 0) return undefined;
  return {
    end: suffix.end,
    pattern: {
      minInteger: integer.replaceAll(/[#,]/g, '').length,
      minFraction: zeros.length,
      maxFraction: zeros.length + hashes.length,
      groupSize,
      exponentDigits: exponent.length,
      isPercent: prefix.isPercent || suffix.isPercent,
      prefix: prefix.text,
      suffix: suffix.text,
    },
  };
}

/** `#` never follows `0`. */
const isInteger = (text: string): boolean => INTEGER.test(text) && !/0[^#]*#/.test(text);

/** Literals before or after the digits: up to a digit character, `;` or the end; `'…'` quotes, `''` is an apostrophe. */
function readAffix(text: string, from: number): { text: string; end: number; isPercent: boolean } | undefined {
  let result = '';
  let isPercent = false;
  let at = from;
  while (at < text.length) {
    const character = text[at] ?? '';
    if ('#0,.;'.includes(character)) break;
    if (character !== "'") {
      if (character === '%') isPercent = true;
      result += character;
      at += 1;
      continue;
    }
    const close = text.indexOf("'", at + 1);
    if (close < 0) return undefined;
    result += close === at + 1 ? "'" : text.slice(at + 1, close);
    at = close + 1;
  }
  return { text: result, end: at, isPercent };
}

function fixed(magnitude: number, pattern: NumberPattern): string {
  const { minInteger, minFraction, maxFraction, groupSize, isPercent } = pattern;
  // Percent moves the decimal point, so that no digit is lost to a multiplication.
  const shift = isPercent ? PERCENT_PLACES : 0;
  const [integer = '', fraction = ''] = decimalText(toDecimalPlaces(magnitude, maxFraction + shift), maxFraction).split(
    '.',
  );
  return joinDigits(integer, fraction, { minInteger, minFraction, groupSize });
}

function joinDigits(
  integer: string,
  fraction: string,
  { minInteger, minFraction, groupSize }: { minInteger: number; minFraction: number; groupSize: number },
): string {
  const shownFraction = trimZeros(fraction, minFraction);
  const significant = integer.replace(/^0+/, '').padStart(minInteger, '0');
  // `#.00` prints .50, but `#` and `#.#` print at least one digit before nothing.
  const shownInteger = significant === '' && (minFraction === 0 || shownFraction === '') ? '0' : significant;
  const grouped = groupSize > 0 ? group(shownInteger, groupSize) : shownInteger;
  return shownFraction === '' ? grouped : `${grouped}.${shownFraction}`;
}

function trimZeros(fraction: string, min: number): string {
  let length = fraction.length;
  while (length > min && fraction[length - 1] === '0') length -= 1;
  return fraction.slice(0, length);
}

function group(integer: string, size: number): string {
  let grouped = integer.slice(-size);
  for (let at = integer.length - size; at > 0; at -= size)
    grouped = `${integer.slice(Math.max(0, at - size), at)},${grouped}`;
  return grouped;
}

function scientific(magnitude: number, pattern: NumberPattern): string {
  const { maxFraction, minFraction, exponentDigits, isPercent } = pattern;
  const integerDigits = Math.max(1, pattern.minInteger);
  const shift = isPercent ? PERCENT_PLACES : 0;
  if (magnitude === 0) {
    const zero = joinDigits('0', '', { minInteger: integerDigits, minFraction: 0, groupSize: 0 });
    return `${zero}${minFraction > 0 ? `.${'0'.repeat(minFraction)}` : ''}E${'0'.repeat(exponentDigits)}`;
  }
  let exponent = Math.floor(Math.log10(magnitude)) + shift - integerDigits + 1;
  let digits = mantissa(magnitude, exponent, pattern, shift);
  // Logarithms and rounding may miss by one digit.
  if (digits.length !== integerDigits + maxFraction) {
    exponent += digits.length > integerDigits + maxFraction ? 1 : -1;
    digits = mantissa(magnitude, exponent, pattern, shift);
  }
  const integer = digits.slice(0, digits.length - maxFraction);
  const fraction = digits.slice(digits.length - maxFraction);
  const shown = joinDigits(integer, fraction, { minInteger: integerDigits, minFraction, groupSize: 0 });
  return `${shown}E${exponent < 0 ? '-' : ''}${String(Math.abs(exponent)).padStart(exponentDigits, '0')}`;
}

const mantissa = (magnitude: number, exponent: number, { maxFraction }: NumberPattern, shift: number): string =>
  toDecimalPlaces(magnitude, maxFraction - exponent + shift).toString();
