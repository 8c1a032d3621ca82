import { invalid } from '@catchment/errors';
import type { FieldMatch } from './field-values.ts';

/**
 * The parts of a time from one or several fields; parts of several joins are put together with a spread
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
  /** ISO: Monday 1 … Sunday 7. */
  readonly weekday?: number;
  readonly hour?: number;
  readonly hour12?: number;
  readonly isPm?: boolean;
  readonly minute?: number;
  readonly second?: number;
  readonly millisecond?: number;
  /** An own offset of the text: local time minus UTC. */
  readonly offsetMs?: number;
  /** Unix time; nothing else is set then. */
  readonly unixMs?: number;
}

export interface TimePattern {
  /** SMART: the first place that fits. STRICT: the whole trimmed text must fit. Undefined: it does not fit. */
  read(text: string, match: FieldMatch): TimeParts | undefined;
}

interface Token {
  readonly regex: string;
  /** Digits when nothing separates the token from other digits; 0: it is no run of digits. */
  readonly digits: number;
  readonly read: (text: string) => TimeParts;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const LONG_MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December';
const WEEKDAYS = 'mon tue wed thu fri sat sun'.split(' ');
const LONG_WEEKDAYS = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday';
const MINUTE_MS = 60_000;

/** 69 and below are 20xx, 70 and above 19xx (docs/reference/time.md#format-tokens). */
const fullYear = (text: string): number => Number(text) + (Number(text) <= 69 ? 2000 : 1900);

function digits(count: number, least: number, read: (value: number) => TimeParts): Token {
  return { regex: `\\d{${least},${count}}`, digits: count, read: (text) => read(Number(text)) };
}
const words = (regex: string, read: Token['read']): Token => ({ regex, digits: 0, read });

const month = (value: number): TimeParts => ({ month: value });
const monthName = (text: string): TimeParts => month(MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1);
const weekdayName = (text: string): TimeParts => ({ weekday: WEEKDAYS.indexOf(text.slice(0, 3).toLowerCase()) + 1 });
const halfDay = words('[ap]\\.?m\\.?', (text) => ({ isPm: /^p/i.test(text) }));
const offset = words('(?:[+-]\\d{2}:?\\d{2}|Z)', (text) => {
  if (/^z$/i.test(text)) return { offsetMs: 0 };
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(-2));
  return { offsetMs: (text[0] === '-' ? -minutes : minutes) * MINUTE_MS };
});
const twoDigits = (read: (value: number) => TimeParts): Token => digits(2, 1, read);

const TOKENS: Readonly<Record<string, Token>> = {
  M: twoDigits(month),
  MM: twoDigits(month),
  MMM: words(MONTHS.join('|'), monthName),
  MMMM: words(LONG_MONTHS, monthName),
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
  H: twoDigits((hour) => ({ hour })),
  HH: twoDigits((hour) => ({ hour })),
  h: twoDigits((hour12) => ({ hour12 })),
  hh: twoDigits((hour12) => ({ hour12 })),
  m: twoDigits((minute) => ({ minute })),
  mm: twoDigits((minute) => ({ minute })),
  s: twoDigits((second) => ({ second })),
  ss: twoDigits((second) => ({ second })),
  Z: offset,
  ZZ: offset,
};
/** Tokens that only print (docs/reference/time.md#format-tokens). */
const PRINT_ONLY = new Set(['Mo', 'Do', 'DDDo', 'd', 'do', 'dd', 'e', 'wo', 'Wo']);
const WHOLE: Readonly<Record<string, Token>> = {
  X: words('-?\\d{1,12}(?:\\.\\d{1,9})?', (text) => ({ unixMs: Math.floor(Number(text) * 1000) })),
  x: words('-?\\d{1,15}', (text) => ({ unixMs: Number(text) })),
};
const FORMAT_MAX = 100;
/** As of numbers. A run of blanks is looked through from each of its places. */
const FIELD_MAX = 1000;

/** The text between tokens; runs of blanks match any run of blanks. */
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\s+/g, '\\s+');

function fraction(count: number): Token {
  const read = (text: string): TimeParts => ({ millisecond: Number(text.slice(0, 3).padEnd(3, '0')) });
  return { regex: '\\d{1,9}', digits: count, read };
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
    // Nothing between two tokens does not separate them: their digits could be shared out in more ways than a service has time for.
    if (quoted !== null) parts.push(...(quoted[1] === '' ? [] : [quoted[1]!]));
    else if (ticks !== undefined) parts.push(fraction(ticks.length));
    else if (name === undefined) parts.push(rest[0]!);
    else if (PRINT_ONLY.has(name)) throw invalid('INVALID_TIME_FORMAT', `format: ${name} cannot be used for parsing`);
    else parts.push(TOKENS[name]!);
    at += quoted?.[0].length ?? ticks?.length ?? name?.length ?? 1;
  }
  return parts;
}

const isDigits = (part: Token | string | undefined): boolean =>
  typeof part === 'string' ? /^\d/.test(part) : part !== undefined && part.digits > 0;

/**
 * Reads times by the parsing tokens in docs/reference/time.md#format-tokens: lenient about repeated blanks and missing
 * leading zeros, except where digits follow digits (`YYYYMMDD`), names in any letter case.
 * @throws DomainError invalid_argument: longer than 100 characters, without any token, or with one that only prints
 */
export function timePattern(format: string): TimePattern {
  if (format.length > FORMAT_MAX) {
    throw invalid('INVALID_TIME_FORMAT', `format: must not be longer than ${FORMAT_MAX} characters`);
  }
  const parts = split(format);
  const tokens = parts.filter((part) => typeof part !== 'string');
  if (tokens.length === 0) throw invalid('INVALID_TIME_FORMAT', 'format: must have at least one time token');
  let source = '';
  let between = '';
  parts.forEach((part, at) => {
    if (typeof part === 'string') {
      between += part;
      return;
    }
    const isPacked = part.digits > 0 && (isDigits(parts[at - 1]) || isDigits(parts[at + 1]));
    source += `${literal(between)}(${isPacked ? `\\d{${part.digits}}` : part.regex})`;
    between = '';
  });
  source += literal(between);
  const strict = new RegExp(`^${source}$`, 'i');
  // A number is not read from its middle.
  const smart = new RegExp(`(?<!\\d)${source}(?!\\d)`, 'i');
  return {
    read(text, match) {
      if (text.length > FIELD_MAX) return undefined;
      const found = match === 'STRICT' ? strict.exec(text.trim()) : smart.exec(text);
      if (found === null) return undefined;
      return Object.assign({}, ...tokens.map((token, at) => token.read(found[at + 1]!))) as TimeParts;
    },
  };
}
