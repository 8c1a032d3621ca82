import { MINUTE_MS } from '@catchment/time';
import { type TimeParts, type TimePattern, timePattern } from './time-pattern.ts';

const ISO =
  /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(?:\[?(?:UTC)?(Z|[+-]\d{2}(?::?\d{2})?)\]?)?\s*$/i;

function offsetMsOf(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.length > 3 ? text.slice(-2) : 0);
  return (text[0] === '-' ? -minutes : minutes) * MINUTE_MS;
}

/** Times that begin with year, month and day, as loggers write most of them; what is read where no format is given. */
export const ISO_PATTERN: TimePattern = {
  read(text) {
    const found = ISO.exec(text);
    if (found === null) return undefined;
    const [, year, month, day, hour, minute, second, fraction, offset] = found;
    return {
      year: Number(year),
      month: Number(month),
      day: Number(day),
      ...(hour !== undefined && { hour: Number(hour), minute: Number(minute) }),
      ...(second !== undefined && { second: Number(second) }),
      ...(fraction !== undefined && { millisecond: Number(fraction.slice(0, 3).padEnd(3, '0')) }),
      ...(offset !== undefined && { offsetMs: offsetMsOf(offset) }),
    } satisfies TimeParts;
  },
};

/** @param format tokens of semantics 3.4; absent or empty = ISO forms. @throws DomainError invalid_argument */
export const patternOf = (format: string | undefined): TimePattern => (format ? timePattern(format) : ISO_PATTERN);

const DATES = ['YYYY/M/D', 'YYYY.M.D', 'D/M/YYYY', 'M/D/YYYY', 'D.M.YYYY', 'D-M-YYYY', 'M-D-YYYY', 'D MMM YYYY'];
const TIMES = ['H:mm:ss', 'H:mm', 'h:mm:ss A', 'h:mm A', 'H.mm.ss'];
const FRACTIONS = ['H:mm:ss.SSS'];

type Candidate = { readonly format: string; readonly pattern: TimePattern };
const candidates = (formats: readonly string[]): readonly Candidate[] =>
  formats.map((format) => ({ format, pattern: patternOf(format) }));

const DATE_CANDIDATES = candidates(['', ...DATES]);
const TIME_CANDIDATES = candidates([...TIMES, ...FRACTIONS]);
const INSTANT_CANDIDATES = candidates([
  '',
  ...DATES.flatMap((date) => [...TIMES, ...FRACTIONS].map((time) => `${date} ${time}`)),
  ...DATES,
]);

export type Detected = { readonly format: string } | 'ambiguous' | undefined;

/** The one format that every text fits and that makes dates of all of them; ambiguous: day or month could come first. */
function detect(texts: readonly string[], among: readonly Candidate[]): Detected {
  const fitting = among.filter(({ pattern }) =>
    texts.every((text) => {
      const parts = pattern.read(text, 'STRICT');
      return parts !== undefined && isPossible(parts);
    }),
  );
  const [first, ...others] = fitting;
  if (texts.length === 0 || first === undefined) return undefined;
  const isTurned = others.some(({ format }) => /^[DM]/.test(format) && format[0] !== first.format[0]);
  return /^[DM]/.test(first.format) && isTurned ? 'ambiguous' : { format: first.format };
}

const isPossible = ({ month = 1, day = 1, hour = 0, hour12 = 0, minute = 0, second = 0 }: TimeParts): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && hour12 <= 12 && minute <= 59 && second <= 59;

export const detectInstant = (texts: readonly string[]): Detected => detect(texts, INSTANT_CANDIDATES);
export const detectDate = (texts: readonly string[]): Detected => detect(texts, DATE_CANDIDATES);
export const detectTimeOfDay = (texts: readonly string[]): Detected => detect(texts, TIME_CANDIDATES);
