import { ISO_PATTERN, patternOf, readClock } from '../times/auto-time.ts';
import { MONTH_NAMES } from '../times/month-names.ts';
import type { TimeParts, TimePattern } from '../times/time-pattern.ts';
import { type DayOrder, likelyOrders, yearFirst } from './date-orders.ts';

/** A way to read the texts of a column. */
export interface Form {
  /** Tokens in docs/reference/time.md#format-tokens; empty = ISO forms. */
  readonly format: string;
  /** It has a time of day. */
  readonly hasClock: boolean;
  /** The same number of texts would fit with day, month and year in another order: these are those forms. */
  readonly others?: readonly string[];
  /** It would fit too, though hardly anybody writes it so. */
  readonly unlikely?: string;
}
/** This share of a column's texts must fit: a line here and there may be bad. */
const MOST = 0.51;
/** Texts that forms are taken from; whichever form most of all texts have counts. */
const SHAPES = 24;

const clockOf = (signs: string) =>
  String.raw`(?<clock>\d{1,2}(?<colon>[${signs}])\d{2}(?:(?:\k<colon>|(?<=h\d\d)m)(?<second>\d{2})s?)?(?<fraction>[.,]\d{1,9}|(?<=:\d\d):\d{3})?(?<half>\s*[ap](?:\.?m\.?)?)?)`;
const CLOCK = clockOf(':.hH');
/** This form is a time only behind a date: alone it is a range. */
const CLOCK_OF_DATE = clockOf(':.hH-');
const PACKED_CLOCK = String.raw`(?<packed>\d{4}|\d{6})`;
const DATE = String.raw`(?<date>\d{1,4}(?<sign>[-/.])\d{1,2}\k<sign>\d{1,4}|(?:19|20)\d{2}\s\d{1,2}\s\d{1,2}|(?:19|20)\d{2}-[0-3]\d{2}|\d{2}${MONTH_NAMES}\d{4}|\d{1,2}(?:\.\s|[-/. ])${MONTH_NAMES}(?:[-/., ]+)(?:\d{4}|\d{2})|${MONTH_NAMES}\s+\d{1,2},?\s+\d{4}|(?:19|20)\d{6})`;
/** A time behind a `T` may have an offset. */
const OFFSET = String.raw`(?<offset>(?<=T[\d:.,]+)(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d))`;
const SHAPE = new RegExp(
  `^${DATE}(?:(?<between>T|,?\\s+|\\s+-\\s+|[_;/-])(?:${CLOCK_OF_DATE}|${PACKED_CLOCK})${OFFSET}?)?$`,
  'i',
);
const CLOCK_FIRST = new RegExp(`^${CLOCK}(?<between>,?\\s+)${DATE}$`, 'i');
const ONLY_CLOCK = new RegExp(`^${CLOCK}$`, 'i');
const NAMED_DATE = new RegExp(
  `^(?:\\d{1,2}(?<after>\\.\\s|[-/. ])${MONTH_NAMES}(?<before>[-/., ]+)(?<year>\\d+)|(?<month>${MONTH_NAMES})(?<middle>\\s+)\\d{1,2}(?<comma>,?\\s+)\\d{4})$`,
  'i',
);
/** `Tue Jun 16 14:35:00 2021` */
const CTIME = /^[a-z]{3},? [a-z]{3} +\d{1,2} \d{1,2}:\d{2}:\d{2} \d{4}$/i;
const PACKED = { 8: 'YYYYMMDD', 10: 'YYYYMMDDHH', 12: 'YYYYMMDDHHmm', 14: 'YYYYMMDDHHmmss' } as const;
/** These years have two digits: Unix time hardly ever has such months, days and hours in all rows. */
const SHORT_PACKED = { 10: 'YYMMDDHHmm', 12: 'YYMMDDHHmmss' } as const;
/** A reader passes over a day of the week before a date, and a word behind the time of day. */
const AROUND =
  /^(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|mo|di|mi|do|fr|sa|so)[.,]{0,2}\s+(?=\d|\p{L})|\s+uhr$/giu;
/** Returns the text that has the time and nothing else. */
export const bareTime = (text: string): string =>
  text.length <= TIME_CHARACTERS && /^\p{L}|r$/iu.test(text) && !CTIME.test(text) ? text.replace(AROUND, '') : text;
const TIME_CHARACTERS = 100;

const literal = (text: string): string => (/[a-z]/i.test(text) ? `[${text}]` : text);

function clockFormat({ colon = ':', second, fraction, half }: Record<string, string | undefined>): string {
  const hour = half === undefined ? 'H' : 'h';
  const seconds = second === undefined ? '' : /h/i.test(colon) ? '[m]ss' : `${colon}ss`;
  const base = `${hour}${/h/i.test(colon) ? '[h]' : colon}mm${seconds}`;
  const parts = fraction === undefined || second === undefined ? base : `${base}${fraction[0]}SSS`;
  return half === undefined ? parts : `${parts}${half.startsWith(' ') ? ' ' : ''}A`;
}

/** Lists the formats of a date by its shape, the likelier one first. */
function dateFormats(date: string, sign: string | undefined): string[] {
  if (sign === undefined) {
    if (/^\d{4}\s/.test(date)) return ['YYYY M D'];
    if (/^\d{4}-/.test(date)) return ['YYYY-DDD'];
    if (/^\d{2}\p{L}/u.test(date)) return ['DDMMMYYYY'];
    return /^\d{8}$/.test(date) ? ['YYYYMMDD'] : namedFormats(date);
  }
  const [first = '', , last = ''] = date.split(sign);
  const join = (...tokens: string[]) => tokens.join(sign);
  if (first.length === 4) return [join('YYYY', 'M', 'D')];
  if (first.length > 2 || last.length === 1 || last.length === 3) return [];
  const year = last.length === 4 ? 'YYYY' : 'YY';
  const both = [join('D', 'M', year), join('M', 'D', year)];
  return year === 'YY' && first.length === 2 ? [...both, join('YY', 'M', 'D')] : both;
}

function namedFormats(date: string): string[] {
  const { after, before = '', year = '', month, middle = '', comma = '' } = NAMED_DATE.exec(date)?.groups ?? {};
  if (month !== undefined) return [`MMM${middle}D${comma}YYYY`];
  return after === undefined ? [] : [`D${after}MMM${before}${year.length === 4 ? 'YYYY' : 'YY'}`];
}

function formatsOf(text: string): string[] {
  if (ISO_PATTERN.read(text, 'STRICT') !== undefined) return [''];
  if (CTIME.test(text)) return [text.includes(',') ? 'ddd, MMM D H:mm:ss YYYY' : 'ddd MMM D H:mm:ss YYYY'];
  const groups = SHAPE.exec(text)?.groups;
  if (!groups) return clockFirst(text);
  const { date = '', sign, between, clock, packed, offset } = groups;
  const dates = dateFormats(date, sign);
  // Eight digits alone may be any number.
  if (between === undefined) return sign === undefined && /^\d+$/.test(date) ? [] : dates;
  const time = clock === undefined ? (packed?.length === 6 ? 'HHmmss' : 'HHmm') : clockFormat(groups);
  return dates.map((format) => `${format}${literal(between)}${time}${offset === undefined ? '' : 'Z'}`);
}

function clockFirst(text: string): string[] {
  const groups = CLOCK_FIRST.exec(text)?.groups;
  if (!groups) return [];
  const { date = '', sign, between = ' ' } = groups;
  return dateFormats(date, sign).map((format) => `${clockFormat(groups)}${between}${format}`);
}

const patterns = new Map<string, TimePattern>();
/** Shapes are few. */
function known(format: string): TimePattern {
  const found = patterns.get(format);
  if (found) return found;
  const made = patternOf(format);
  if (patterns.size < 500) patterns.set(format, made);
  return made;
}

const isPossible = ({ month = 1, day = 1, hour = 0, hour12 = 0, minute = 0, second = 0 }: TimeParts): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 24 && hour12 <= 12 && minute <= 59 && second <= 59;

function fits(format: string, text: string): boolean {
  const parts = known(format).read(text, 'LENIENT');
  return parts !== undefined && isPossible(parts);
}

/** @returns texts that fit; with a share of 1 none where one of them does not */
function countOf(format: string, texts: readonly string[], share: number): number {
  if (share === 1) return texts.every((text) => fits(format, text)) ? texts.length : 0;
  let count = 0;
  for (const text of texts) if (fits(format, text)) count += 1;
  return count;
}

/** Some texts from everywhere. */
function someOf(texts: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(texts.length / SHAPES));
  return texts.filter((_, n) => n % step === 0);
}

const hasClock = (format: string, texts: readonly string[]): boolean =>
  format === '' ? texts.some((text) => text.includes(':')) : /[HhXx]/.test(format.replace(/\[[^\]]*\]/g, ''));

/**
 * Returns the form that most of the texts fit, if more than `share` of them do. All texts decide what a date begins with: one that is above
 * 12 decides for all; if none is, `order` does, and dots mean the day.
 */
export function dateForm(all: readonly string[], share = MOST, order?: DayOrder): Form | undefined {
  const formats = [...new Set(someOf(all).flatMap((text) => formatsOf(bareTime(text))))];
  return formats.length === 0 ? undefined : formOf(formats, all.map(bareTime), share, order);
}

function formOf(
  formats: readonly string[],
  texts: readonly string[],
  share: number,
  order: DayOrder,
): Form | undefined {
  const counted = formats.map((format) => ({ format, count: countOf(format, texts, share) }));
  const most = Math.max(0, ...counted.map(({ count }) => count));
  if (most === 0 || most < texts.length * share) return undefined;
  const best = counted.filter(({ count }) => count === most).map(({ format }) => format);
  const exact = (format: string) => texts.filter((text) => known(format).read(text, 'STRICT') !== undefined).length;
  const sorted = best.length === 1 ? best : best.toSorted((a, b) => exact(b) - exact(a));
  const [format = '', ...others] = likelyOrders(sorted, texts, order);
  const unlikely = others.length === 0 && format.startsWith('D/M/YY') ? yearFirst(format, sorted, texts) : undefined;
  return {
    format,
    hasClock: hasClock(format, texts),
    ...(others.length > 0 && { others }),
    ...(unlikely !== undefined && { unlikely }),
  };
}

/**
 * Recognises a time of day with colons and the like: one form, or ISO's where there are several (`22:00` and `22:00:30`).
 * @returns '' for mixed ones
 */
export function clockForm(texts: readonly string[]): string | undefined {
  const formats = [
    ...new Set(
      someOf(texts).flatMap((text) => {
        const groups = ONLY_CLOCK.exec(text)?.groups;
        return groups ? [clockFormat(groups)] : [];
      }),
    ),
  ];
  if (formats.length === 0) return undefined;
  const counted = formats.map((format) => ({ format, count: countOf(format, texts, MOST) }));
  const best = counted.reduce((a, b) => (b.count > a.count ? b : a));
  const loose = texts.filter((text) => readClock(text) !== undefined).length;
  if (loose < texts.length * MOST && best.count < texts.length * MOST) return undefined;
  return formats.length > 1 && loose > best.count ? '' : best.format;
}

const PACKED_HOURS = /^(?:\d{1,2}|2[0-4])?\d{1,2}$/;
/** Accepts hours and minutes without a sign between them: `2200`, `930`, `0`. */
export const isPackedClock = (text: string): boolean =>
  PACKED_HOURS.test(text) && text.length <= 4 && Number(text) <= 2400 && Number(text) % 100 < 60;
export const isPackedSeconds = (text: string): boolean =>
  /^\d{5,6}$/.test(text) && fits('HHmmss', text.padStart(6, '0'));

/** Numbers that are times: packed dates, Unix time; most of them in a range that loggers are in, or archives where the label says that they are dates. */
export function packedForm(texts: readonly string[], isNamed = false): Form | undefined {
  const centuries = isNamed ? /^(?:1[89]|20)\d+$/ : /^(?:19[5-9]|20\d)\d+$/;
  const share = (format: string, range: (text: string) => boolean): boolean =>
    texts.filter((text) => range(text) && fits(format, text)).length >= texts.length * MOST;
  for (const length of [14, 12, 10, 8] as const) {
    const isOfCentury = (text: string) => text.length === length && centuries.test(text);
    if (share(PACKED[length], isOfCentury)) return { format: PACKED[length], hasClock: length > 8 };
  }
  for (const length of [12, 10] as const) {
    const isShort = (text: string) => text.length === length && /^\d+$/.test(text);
    if (
      share(SHORT_PACKED[length], isShort) &&
      texts.every((text) => !isShort(text) || fits(SHORT_PACKED[length], text))
    )
      return { format: SHORT_PACKED[length], hasClock: true };
  }
  if (share('X', (text) => /^\d{10}(?:\.\d{1,9})?$/.test(text) && Number(text) < UNIX_END))
    return { format: 'X', hasClock: true };
  const isUnixMs = (text: string) => [13, 16, 19].includes(text.length) && Number(text.slice(0, 10)) < UNIX_END;
  return share('x', (text) => /^1|^2|^3/.test(text) && isUnixMs(text)) ? { format: 'x', hasClock: true } : undefined;
}
/** The year 2100, Unix s. Ten digits begin in 2001. */
const UNIX_END = 4_102_444_800;

/** Days since the end of 1899, as spreadsheets count them: from 1955 to 2119. */
export function isSerial(text: string): boolean {
  const value = /^\d{5}(?:[.,]\d{1,15})?$/.test(text) ? Number(text.replace(',', '.')) : 0;
  return value >= 20_000 && value < 80_500;
}
