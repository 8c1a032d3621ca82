import { type FieldMatch, isDamaged } from './field-match.ts';

export type DecimalSeparator = '.' | ',';

/**
 * Keyboards and instruments write a minus in these ways: ASCII, U+2212, en dash, full-width, small, hyphens, figure
 * dash.
 */
const MINUS = '\\-\\u2212\\u2013\\uff0d\\ufe63\\u2010\\u2011\\u2012';
const SIGN = `[+\\uff0b${MINUS}]`;
const ANY_SIGN = new RegExp(SIGN);
const ANY_MINUS = new RegExp(`[${MINUS}]`, 'g');
/** These stand between groups of three digits: apostrophes and blanks, beside whichever of `.` and `,` the decimal separator is not. */
const GROUPS = `'\\u2019\\u0020\\u00a0\\u2007\\u2009\\u202f`;
const FIELD_MAX = 1000;

const NO_VALUE = /^(?:nan|[+-]?inf|---|null)?$/i;
/** Most fields look like this: they are read without looking for anything else. */
const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** Bytes that are no character may be the sign or a part of a number if they stand before it; behind it they belong to its unit. */
const UNDECODABLE_SIGN = /\ufffd\s*[\d.,(]/;
/** Such cells of a spreadsheet are no values: `=1+1`, `#DIV/0!`. */
const FORMULA = /^(?:=|#\p{L})/u;

function patternsOf(separator: DecimalSeparator) {
  const [decimal, group] = separator === '.' ? ['\\.', ','] : [',', '\\.'];
  const exponent = `(?:[eE]${SIGN}?\\d{1,4}(?!\\d))?`;
  const digits = `(?:\\d{1,3}([${group}${GROUPS}])\\d{3}(?!\\d)(?:\\1\\d{3}(?!\\d))*|\\d+)`;
  const body = `(?:${digits}(?:${decimal}\\d*)?|${decimal}\\d+)${exponent}`;
  const plain = `(?:\\d+(?:${decimal}\\d*)?|${decimal}\\d+)${exponent}`;
  return {
    body: new RegExp(body, 'y'),
    strict: new RegExp(`^${SIGN}?${plain}$`),
    whole: new RegExp(`^(?:(?:${SIGN}\\s*)?${body}[${MINUS}]?|\\(\\s*${body.replaceAll('\\1', '\\2')}\\s*\\))$`),
    decimal: separator,
    notGroup: new RegExp(`[${group}${GROUPS}]`, 'g'),
  };
}
type Patterns = ReturnType<typeof patternsOf>;
const PATTERNS: Readonly<Record<DecimalSeparator, Patterns>> = { '.': patternsOf('.'), ',': patternsOf(',') };

/** Digits with what may stand between the digits of one number; blanks part groups too, and are looked at later. */
const CLUSTER = /[.,]?\d+(?:[.,'\u2019]\d+)*/g;
const ENDS_WITH_WORD = /[\p{L}\p{M}\d_]$/u;
const ENDS_WITH_SIGN = new RegExp(`(^|.)(${SIGN})$`, 'su');
/** A sign with a blank behind it: in the middle of a text it is a dash. */
const ENDS_WITH_SIGN_AND_BLANK = new RegExp(`(?:^|[=:<>~\\u2248])\\s*(${SIGN})\\s+$`);
/** A text that goes on like this is a date, a time of day, a range or a fraction. */
const GOES_ON = new RegExp(`^(?:[.,'\\u2019:/]|[${MINUS}])\\d`);
const TRAILING_MINUS = new RegExp(`^[${MINUS}](?:$|\\s+(?!\\d))`);
const IN_PARENTHESES = /^\(([^()]*)\)[^\d()]*$/;

/**
 * Reads a number of a field; SMART takes the first complete one, with any sign that people write, and leaves out units and group separators
 * (docs/reference/acquisition.md#text-parser).
 * @returns null: no value (empty, NAN, INF, `---`, null); undefined: the field cannot be read
 */
export function readNumber(field: string, match: FieldMatch, separator: DecimalSeparator): number | null | undefined {
  if (separator === '.' && PLAIN_NUMBER.test(field)) return Number(field);
  if (field.length > FIELD_MAX || isDamaged(field) || UNDECODABLE_SIGN.test(field)) return undefined;
  const text = field.trim();
  if (NO_VALUE.test(text)) return null;
  const patterns = PATTERNS[separator];
  if (match === 'STRICT') return patterns.strict.test(text) ? amountOf(text, patterns) : undefined;
  if (FORMULA.test(text)) return undefined;
  const [, inside] = IN_PARENTHESES.exec(text) ?? [];
  if (inside === undefined) return firstNumber(text, patterns);
  const amount = firstNumber(inside, patterns);
  return amount === undefined || amount < 0 ? undefined : -amount;
}

/** Returns whether a field is a number and nothing else, in groups or with a sign of another keyboard. */
export const isWholeNumber = (text: string, separator: DecimalSeparator): boolean =>
  text.length <= FIELD_MAX && PATTERNS[separator].whole.test(text);

function firstNumber(text: string, patterns: Patterns): number | undefined {
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const before = text.slice(0, index);
    const [, beforeSign = '', sign] = ENDS_WITH_SIGN.exec(before) ?? [];
    // A digit that follows a letter belongs to a word: CO2, PM2.5, CH4-N.
    if (ENDS_WITH_WORD.test(sign === undefined ? before : beforeSign)) continue;
    if (sign !== undefined && ANY_SIGN.test(beforeSign)) return undefined;
    patterns.body.lastIndex = index;
    const body = patterns.body.exec(text)?.[0] ?? '';
    const after = text.slice(index + body.length);
    if (body.length < cluster.length || GOES_ON.test(after)) return undefined;
    const lead = sign ?? ENDS_WITH_SIGN_AND_BLANK.exec(before)?.[1];
    return amountOf(`${lead ?? (TRAILING_MINUS.test(after) ? '-' : '')}${body}`, patterns);
  }
  return undefined;
}

/** @param text a sign and a number */
function amountOf(text: string, { decimal, notGroup }: Patterns): number | undefined {
  const digits = text.replace(notGroup, '').replace(/^\uff0b/, '');
  const pointed = decimal === ',' ? digits.replace(',', '.') : digits;
  const value = Number(pointed.replace(ANY_MINUS, '-').replace(/\uff0b/g, '+'));
  return Number.isFinite(value) ? value : undefined;
}
