import type { Steps } from '@catchment/fair-queue';
import type { ColumnSettings, Join } from '../records/layout.ts';
import { readBoolean } from '../values/field-values.ts';
import { type DecimalSeparator, isWholeNumber, readNumber } from '../values/numbers.ts';
import { dateForm } from './time-forms.ts';

/** The texts of a column are trimmed, and none is blank. */
export type Texts = readonly string[];

const PLAIN = { '.': /^[+-]?\d+\.\d+(?:[eE][+-]?\d+)?$/, ',': /^[+-]?\d+,\d+(?:[eE][+-]?\d+)?$/ };
const UNITS_BEHIND = /(?<=\d)\s?[\p{L}\p{Sc}%°℃℉][^\d]{0,12}$/u;
/** Codes have such parts: `+0183,1`, `00016,5`. */
const CODE = /^[+-]?0\d+,/;
/** It may part groups as well. */
const MAY_BE_GROUPS = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Finds the decimal separator of all columns of a sample.
 * @returns `isOpen`: each number that says something may as well have groups of three digits
 */
export function* likelyDecimal(
  columns: readonly Texts[],
  delimiter = ';',
): Steps<{
  readonly separator: DecimalSeparator;
  readonly isOpen: boolean;
}> {
  const sure = { '.': 0, ',': 0 };
  const open = { '.': 0, ',': 0 };
  for (const texts of columns) {
    yield;
    for (const written of texts) {
      if (CODE.test(written)) continue;
      const text = /\d$/.test(written) ? written : written.replace(UNITS_BEHIND, '');
      const sign = PLAIN['.'].test(text) ? '.' : PLAIN[','].test(text) ? ',' : undefined;
      if (sign) (MAY_BE_GROUPS.test(text) ? open : sure)[sign] += 1;
      else if (/^[+-]?\d{1,3}(?:[.\s\u00a0'’]\d{3})+,\d+$/.test(text)) sure[','] += 1;
      else if (/^[+-]?\d{1,3}(?:[,\s\u00a0'’]\d{3})+\.\d+$/.test(text)) sure['.'] += 1;
    }
  }
  // A file that parts fields by commas has numbers with commas in qualifiers: groups, unless nothing has a point.
  if (delimiter === ',' && sure['.'] + open['.'] > 0)
    return { separator: '.', isOpen: sure['.'] === 0 && open['.'] > 0 };
  if (sure['.'] + sure[','] > 0) return { separator: sure[','] > sure['.'] ? ',' : '.', isOpen: false };
  if (delimiter === ',' && open[','] > 0) return { separator: '.', isOpen: false };
  return { separator: open[','] > open['.'] ? ',' : '.', isOpen: open['.'] + open[','] > 0 };
}

/** These words mean a missing value, besides those in docs/reference/acquisition.md#text-parser. */
const NO_VALUE = /^(?:na|n\/a|nan|[+-]?inf|-+|null|none)?$/i;
/** Loggers, stations and spreadsheets write these in the place of a value. */
const MISSING_WORDS =
  /^(?:na|n\.?a\.?|n\/a|#n\/a|#n\/d|#nv|#div\/0!|#value!|#wert!|#valeur!|#ref!|#name\?|#num!|#null!|none|null|nil|-{1,2}|-{4,}|\*+|\/{2,}|\?+|\.{1,5}|x{2,}|ice|eqp|bkw|dis|mnt|rat|ssn|fld|pmp|dry|zfl|m|mm|t|err(?:or)?|fault|fail(?:ed|ure)?|bad|invalid|inv|over|under|ol|ofl|-ol|overflow|overload|open|short|no ?data|nodata|no ?value|missing|void|off-?line|out|nan|inf|e|dash|unavail(?:able)?|un(?:known|def(?:ined)?))$/i;
/** Numbers that stand for none: further away from all others than these are from each other. */
const MISSING_CODES = [
  -9999, -99999, -999, -777, -888, -9999.9, -999.9, -999.99, -9999.99, -99.99, -99.9, -6999, -7999, -9900, -32768, 6999,
  7999, 9999, 99999, 9900, 32767, -999999, 999999, 999.9, 9999.9,
];
/** They mean no value in a column of texts too. */
const MARKS = /^(?:-{2,}|\*+|\/{2,}|#N\/A)$/i;
/** Other words are taken for no value where so many texts are numbers, and so few words there are. */
const NUMBERS_SHARE = 0.75;
const WORDS_MAX = 5;

export interface LikelyColumn {
  readonly column: ColumnSettings;
  /** These words and codes of it mean no value. */
  readonly missing: readonly string[];
  /** This text keeps the column from being one of numbers. */
  readonly odd?: string;
  /** Units that stand behind each number. */
  readonly units?: string;
}

/** A column whose texts are all numbers, truths or times has that type; any other is TEXT. Words that mean no value do not count. */
export function likelyColumn(
  index: number,
  all: Texts,
  separator: DecimalSeparator,
  isMissing: (text: string) => boolean,
): LikelyColumn {
  const texts = all.filter((text) => !NO_VALUE.test(text) && !isMissing(text));
  const words = texts.filter((text) => !isWholeNumber(text, separator));
  // A column of numbers must name its blanks, where a reader does not know them.
  const blanks = [
    ...new Set(all.filter((text) => NO_VALUE.test(text) && readNumber(text, 'SMART', separator) !== null)),
  ];
  const codes = () => [...blanks, ...codesOf(texts, separator)];
  if (words.length === 0) return { column: { index, type: 'NUMBER' }, missing: codes() };
  if (words.length * 2 >= texts.length && texts.every((text) => readBoolean(text, 'STRICT') !== undefined))
    return { column: { index, type: 'BOOLEAN' }, missing: [] };
  const numbers = texts.length - words.length;
  const different = [...new Set(words)];
  const unknown = different.filter((text) => !MISSING_WORDS.test(text));
  const areFew =
    unknown.length <= WORDS_MAX && numbers >= texts.length * NUMBERS_SHARE && unknown.every((text) => !/\d/.test(text));
  if (numbers > 0 && (unknown.length === 0 || areFew)) {
    return { column: { index, type: 'NUMBER' }, missing: [...different, ...codes()] };
  }
  if (numbers >= texts.length * NUMBERS_SHARE)
    return { column: { index, type: 'NUMBER' }, missing: codes(), odd: unknown[0] ?? '' };
  const units = commonUnits(texts, separator);
  if (units !== undefined) return { column: { index, type: 'NUMBER' }, missing: blanks, units };
  const form = dateForm(texts, 1);
  if (!form || form.others !== undefined)
    return {
      column: { index, type: 'TEXT' },
      missing: [...new Set(all.filter((text) => MARKS.test(text)))],
      ...(numbers * 2 > texts.length && { odd: unknown[0] ?? '' }),
    };
  const join: Join = { field: 'TIME', ...(form.format && { format: form.format }) };
  return { column: { index, type: 'TIME', joins: [join] }, missing: [] };
}

const amountOf = (text: string, separator: DecimalSeparator): number =>
  Number(separator === ',' ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', ''));

/** Codes among the texts that are far from all other numbers. */
function codesOf(texts: Texts, separator: DecimalSeparator): string[] {
  const found = new Map<number, string>();
  const others: number[] = [];
  for (const text of texts) {
    const value = amountOf(text, separator);
    if (MISSING_CODES.includes(value)) found.set(value, found.get(value) ?? text);
    else if (Number.isFinite(value)) others.push(value);
  }
  if (found.size === 0 || others.length === 0) return [];
  const [least, most] = others.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Infinity,
    -Infinity,
  ] as [number, number]);
  const isFar = (code: number) => (code < 0 ? least > code / 2 : most < code / 2);
  return [...found].flatMap(([code, text]) => (isFar(code) ? [text] : []));
}

/** Finds the unit that all texts share, as in `23.4 °C`. */
function commonUnits(texts: Texts, separator: DecimalSeparator): string | undefined {
  const first = /(?:\d\s+([\p{L}\p{Sc}][^\d]{0,12})|\d\s?([%°℃℉\p{Sc}][^\d\s]{0,3}))$/u.exec(texts[0] ?? '');
  const units = first?.[1] ?? first?.[2];
  if (units === undefined) return undefined;
  const areAll = texts.every(
    (text) => text.endsWith(units) && isWholeNumber(text.slice(0, -units.length).trim(), separator),
  );
  return areAll ? units : undefined;
}

const GROUPED = /^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/;
const COORDINATES = /^-?[\d.e-]+\/-?[\d.e-]+$/;

/** Recognises a column of numbers in groups, or of coordinates, as our CSV has them. */
export function writtenColumn(index: number, texts: Texts): ColumnSettings | undefined {
  if (texts.length === 0) return undefined;
  if (texts.every((text) => GROUPED.test(text))) return { index, type: 'NUMBER' };
  if (!texts.every((text) => COORDINATES.test(text))) return undefined;
  const joins: Join[] = [{ field: 'LATITUDE' }, { field: 'SEPARATOR', format: '/' }, { field: 'LONGITUDE' }];
  return { index, type: 'COORDINATES', joins };
}

/** @param quality the column that has its qualities */
export function withQuality(column: ColumnSettings, quality: number | undefined): ColumnSettings {
  const { type } = column;
  if (quality === undefined) return column;
  const joins: readonly Join[] =
    column.joins ?? (type === 'NUMBER' || type === 'BOOLEAN' || type === 'TEXT' ? [{ field: type }] : []);
  return { ...column, joins: [...joins, { column: quality, field: 'QUALITY' }] };
}
