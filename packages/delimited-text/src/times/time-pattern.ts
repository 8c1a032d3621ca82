import { invalid } from '@catchment/errors';
import { civilFromDays, DAY_MS } from '@catchment/time';
import type { FieldMatch } from '../values/field-match.ts';
import { MONTH_NAMES, monthOf } from './month-names.ts';

/**
 * A time has these parts from one or several fields; parts of several joins are put together with a spread
 * (docs/reference/acquisition.md#text-parser).
 */
export interface TimeParts {
  readonly year?: number;
  /** 1-12. */
  readonly month?: number;
  readonly day?: number;
  readonly dayOfYear?: number;
  readonly weekYear?: number;
  readonly week?: number;
  /** ISO counts from Monday 1 to Sunday 7. */
  readonly weekday?: number;
  readonly hour?: number;
  readonly hour12?: number;
  readonly isPm?: boolean;
  readonly minute?: number;
  readonly second?: number;
  readonly millisecond?: number;
  /** The text has this offset: local time minus UTC. */
  readonly offsetMs?: number;
  /** Unix time; nothing else is set then. */
  readonly unixMs?: number;
}

export interface TimePattern {
  /**
   * SMART: the first place that fits. STRICT: the whole trimmed text must fit. LENIENT: the same, where SMART's leniency about seconds
   * and fractions holds. Undefined: it does not fit.
   */
  read(text: string, match: FieldMatch | 'LENIENT'): TimeParts | undefined;
}

interface Token {
  readonly regex: string;
  /** Digits when nothing separates the token from other digits; 0: it is no run of digits. */
  readonly digits: number;
  readonly read: (text: string) => TimeParts;
  /** The token reads this part of a time of day. */
  readonly of?: 'hour' | 'hour12' | 'minute' | 'second' | 'millisecond';
}

const WEEKDAYS = 'mon tue wed thu fri sat sun'.split(' ');
const LONG_WEEKDAYS = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday';
const MINUTE_MS = 60_000;

/** 69 and below are 20xx, 70 and above 19xx (docs/reference/time.md#format-tokens). */
const fullYear = (text: string): number => Number(text) + (Number(text) <= 69 ? 2000 : 1900);

function digits(count: number, least: number, read: (value: number) => TimeParts): Token {
  return { regex: `\\d{${least},${count}}`, digits: count, read: (text) => read(Number(text)) };
}
const clockPart = (of: NonNullable<Token['of']>): Token => ({
  ...digits(2, 1, (value) => ({ [of]: value })),
  of,
});
const words = (regex: string, read: Token['read']): Token => ({ regex, digits: 0, read });

const month = (value: number): TimeParts => ({ month: value });
const monthName = words(MONTH_NAMES, (text) => month(monthOf(text)));
const weekdayName = (text: string): TimeParts => ({ weekday: WEEKDAYS.indexOf(text.slice(0, 3).toLowerCase()) + 1 });
const halfDay = words('[ap](?:\\.?m\\.?)?', (text) => ({ isPm: /^p/i.test(text) }));
const offset = words('(?:[+-]\\d{2}:?\\d{2}|Z)', (text) => {
  if (/^z$/i.test(text)) return { offsetMs: 0 };
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return { offsetMs: (text[0] === '-' ? -minutes : minutes) * MINUTE_MS };
});
const twoDigits = (read: (value: number) => TimeParts): Token => digits(2, 1, read);

const TOKENS: Readonly<Record<string, Token>> = {
  M: twoDigits(month),
  MM: twoDigits(month),
  MMM: monthName,
  MMMM: monthName,
  D: twoDigits((day) => ({ day })),
  DD: twoDigits((day) => ({ day })),
  DDD: digits(3, 1, (dayOfYear) => ({ dayOfYear })),
  DDDD: digits(3, 1, (dayOfYear) => ({ dayOfYear })),
  ddd: words(WEEKDAYS.join('|'), weekdayName),
  dddd: words(LONG_WEEKDAYS, weekdayName),
  E: digits(1, 1, (weekday) => ({ weekday })),
  w: twoDigits((week) => ({ week })),
  ww: twoDigits((week) => ({ week })),
  W: twoDigits((week) => ({ week })),
  WW: twoDigits((week) => ({ week })),
  YY: { regex: '\\d{2}', digits: 2, read: (text) => ({ year: fullYear(text) }) },
  YYYY: digits(4, 4, (year) => ({ year })),
  gg: { regex: '\\d{2}', digits: 2, read: (text) => ({ weekYear: fullYear(text) }) },
  GG: { regex: '\\d{2}', digits: 2, read: (text) => ({ weekYear: fullYear(text) }) },
  gggg: digits(4, 4, (weekYear) => ({ weekYear })),
  GGGG: digits(4, 4, (weekYear) => ({ weekYear })),
  A: halfDay,
  a: halfDay,
  H: clockPart('hour'),
  HH: clockPart('hour'),
  h: clockPart('hour12'),
  hh: clockPart('hour12'),
  m: clockPart('minute'),
  mm: clockPart('minute'),
  s: clockPart('second'),
  ss: clockPart('second'),
  Z: offset,
  ZZ: offset,
};
/** Tokens that only print (docs/reference/time.md#format-tokens). */
const PRINT_ONLY = new Set(['Mo', 'Do', 'DDDo', 'd', 'do', 'dd', 'e', 'wo', 'Wo']);
const WHOLE: Readonly<Record<string, Token>> = {
  X: words('-?\\d{1,12}(?:\\.\\d{1,9})?', (text) => ({ unixMs: Math.floor(Number(text) * 1000) })),
  // 16 and 19 digits are microseconds and nanoseconds: as milliseconds they would be beyond all times.
  x: words('(?:\\d{19}|\\d{16}|-?\\d{1,15})', (text) => ({
    unixMs: Number(text.length > 15 ? text.slice(0, 13) : text),
  })),
  excel: words('\\d{1,5}(?:[.,]\\d{1,15})?', serial),
};
/** Days since the end of 1899, as spreadsheets count them; fewer decimals than milliseconds need mean whole seconds. */
function serial(text: string): TimeParts {
  const [, decimals = ''] = text.split(/[.,]/);
  const unitMs = decimals.length > 7 ? 1 : 1000;
  const totalMs = Math.round((Number(text.replace(',', '.')) * DAY_MS) / unitMs) * unitMs;
  const days = Math.floor(totalMs / DAY_MS);
  const ms = totalMs - days * DAY_MS;
  return {
    ...civilFromDays(days - SERIAL_EPOCH_DAYS),
    hour: Math.floor(ms / 3_600_000),
    minute: Math.floor(ms / MINUTE_MS) % 60,
    second: Math.floor(ms / 1000) % 60,
    millisecond: ms % 1000,
  };
}
/** These days lie between 1899-12-30 and 1970-01-01: spreadsheets have a 1900-02-29. */
const SERIAL_EPOCH_DAYS = 25_569;
const FORMAT_MAX = 100;
/** The limit is that of numbers. A run of blanks is looked through from each of its places. */
const FIELD_MAX = 1000;

/** Matches the text between tokens; runs of blanks match any run of blanks. */
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\s+/g, '\\s+');

function fraction(count: number): Token {
  const read = (text: string): TimeParts => ({ millisecond: Number(text.slice(0, 3).padEnd(3, '0')) });
  return { regex: '\\d{1,9}', digits: count, read, of: 'millisecond' };
}

/** @returns tokens and literal texts in the order of the format */
function split(format: string): (Token | string)[] {
  if (Object.hasOwn(WHOLE, format)) return [WHOLE[format]!];
  const parts: (Token | string)[] = [];
  for (let at = 0; at < format.length; ) {
    const rest = format.slice(at);
    const quoted = /^\[([^\]]*)\]/.exec(rest);
    const ticks = /^S{1,9}/.exec(rest)?.[0];
    const name = [4, 3, 2, 1].map((n) => rest.slice(0, n)).find((t) => Object.hasOwn(TOKENS, t) || PRINT_ONLY.has(t));
    // An empty text between two tokens does not separate them: their digits could be shared out in more ways than a service has time for.
    if (quoted !== null) parts.push(...(quoted[1] === '' ? [] : [quoted[1]!]));
    else if (ticks !== undefined) parts.push(fraction(ticks.length));
    else if (name === undefined) parts.push(rest[0]!);
    else if (PRINT_ONLY.has(name)) throw invalid('INVALID_TIME_FORMAT', `format: ${name} cannot be used for parsing`);
    else parts.push(TOKENS[name]!);
    at += quoted?.[0].length ?? ticks?.length ?? name?.length ?? 1;
  }
  return parts;
}

const isDigits = (part: Token | string | undefined, place: RegExp): boolean =>
  typeof part === 'string' ? place.test(part) : part !== undefined && part.digits > 0;

/** Each part of an expression has its tokens in the order of its groups. */
type Source = { readonly source: string; readonly tokens: readonly Token[] };

/** Returns the source that matches a format to the letter. */
function exactSource(parts: readonly (Token | string)[]): Source {
  let source = '';
  parts.forEach((part, at) => {
    source += typeof part === 'string' ? literal(part) : `(${regexAt(parts, at)})`;
  });
  return { source, tokens: parts.filter((part) => typeof part !== 'string') };
}

function regexAt(parts: readonly (Token | string)[], at: number): string {
  const part = parts[at] as Token;
  return isPacked(parts, at) ? `\\d{${part.digits}}` : part.regex;
}

const isPacked = (parts: readonly (Token | string)[], at: number): boolean => {
  const part = parts[at];
  return (
    typeof part === 'object' && part.digits > 0 && (isDigits(parts[at - 1], /\d$/) || isDigits(parts[at + 1], /^\d/))
  );
};

const FRACTION = fraction(3);
const SECOND = TOKENS.s!;
const SOME_FRACTION = `(?:[.,](${FRACTION.regex}))?`;

/** Seconds and fractions may be there or not, whichever of them the format has. */
function lenientSource(parts: readonly (Token | string)[]): Source {
  const of = (at: number) => (typeof parts[at] === 'object' ? parts[at].of : undefined);
  const last = (what: Token['of']) => parts.findLastIndex((_, at) => of(at) === what);
  const [minute, second, millisecond] = [last('minute'), last('second'), last('millisecond')];
  const sign = parts[minute - 1];
  let source = '';
  const tokens: Token[] = [];
  const take = (token: Token, regex: string) => {
    source += regex;
    tokens.push(token);
  };
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at]!;
    if (typeof part === 'string') {
      source += literal(part);
      continue;
    }
    take(part, `(${regexAt(parts, at)})`);
    if (isPacked(parts, at)) continue;
    if (at === minute && second < 0 && (sign === ':' || sign === '.')) {
      source += `(?:${literal(sign)}(${SECOND.regex})`;
      tokens.push(SECOND);
      take(FRACTION, `${SOME_FRACTION})?`);
    } else if (at === minute && second === at + 2 && parts[at + 1] === sign && !isPacked(parts, second)) {
      const hasFraction = millisecond === second + 2 && /^[.,]$/.test(`${parts[second + 1]}`);
      source += `(?:${literal(`${sign}`)}(${SECOND.regex})`;
      tokens.push(SECOND);
      take(FRACTION, `${SOME_FRACTION})?`);
      at = hasFraction ? millisecond : second;
    }
  }
  return { source, tokens };
}

/** `930` is 09:30, where nothing parts hours and minutes. */
const isOnlyPackedClock = (parts: readonly (Token | string)[]): boolean =>
  parts.length > 1 &&
  parts.every((part) => typeof part === 'object' && part.of !== undefined && part.of !== 'millisecond');

/**
 * Reads times by the parsing tokens in docs/reference/time.md#format-tokens: lenient about repeated blanks and missing
 * leading zeros, except where digits follow digits (`YYYYMMDD`), names in any letter case. SMART also takes seconds and fractions
 * that the format does not have, and does without those that it has.
 * @throws DomainError invalid_argument: longer than 100 characters, without any token, or with one that only prints
 */
export function timePattern(format: string): TimePattern {
  if (format.length > FORMAT_MAX) {
    throw invalid('INVALID_TIME_FORMAT', `format: must not be longer than ${FORMAT_MAX} characters`);
  }
  const parts = joinedTexts(split(format));
  if (parts.every((part) => typeof part === 'string')) {
    throw invalid('INVALID_TIME_FORMAT', 'format: must have at least one time token');
  }
  const [exact, lenient] = [exactSource(parts), lenientSource(parts)];
  const strict = new RegExp(`^${exact.source}$`, 'i');
  const whole = new RegExp(`^${lenient.source}$`, 'i');
  // A number is not read from its middle.
  const smart = new RegExp(`(?<!\\d)${lenient.source}(?!\\d)`, 'i');
  const packed = isOnlyPackedClock(parts) ? parts.length * 2 : 0;
  return {
    read(text, match) {
      if (text.length > FIELD_MAX) return undefined;
      const padded = packed > 0 && match !== 'STRICT' ? zeroPadded(text, packed) : text;
      const [regex, { tokens }] = match === 'STRICT' ? [strict, exact] : [match === 'SMART' ? smart : whole, lenient];
      const found = regex.exec(match === 'SMART' ? padded : padded.trim());
      if (found === null) return undefined;
      const read = tokens.map((token, at) => (found[at + 1] === undefined ? {} : token.read(found[at + 1]!)));
      return Object.assign({}, ...read) as TimeParts;
    },
  };
}

function zeroPadded(text: string, digits: number): string {
  const trimmed = text.trim();
  return /^\d+$/.test(trimmed) ? trimmed.padStart(digits, '0') : text;
}

/** Characters beside each other are one text. */
function joinedTexts(parts: readonly (Token | string)[]): (Token | string)[] {
  const joined: (Token | string)[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (typeof part === 'string' && typeof before === 'string') joined[joined.length - 1] = before + part;
    else joined.push(part);
  }
  return joined;
}
