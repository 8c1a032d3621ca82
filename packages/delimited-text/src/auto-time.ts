import { MINUTE_MS } from '@catchment/time';
import { type TimeParts, type TimePattern, timePattern } from './time-pattern.ts';

const ISO =
  /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(?:\[?(?:UTC)?(Z|[+-]\d{2}(?::?\d{2})?)\]?)?\s*$/i;

function offsetMsOf(text: string): number {
  if (/^z$/i.test(text)) return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.length > 3 ? text.slice(-2) : 0);
  return (text[0] === '-' ? -minutes : minutes) * MINUTE_MS;
}

/** Times that begin with year, month and day, as most loggers write them; accepted where no format is given. */
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

/** @param format tokens in docs/reference/time.md#format-tokens; absent or empty = ISO forms. @throws DomainError invalid_argument */
export const patternOf = (format: string | undefined): TimePattern => (format ? timePattern(format) : ISO_PATTERN);

const DATES = [
  'YYYY/M/D',
  'YYYY.M.D',
  'D/M/YYYY',
  'M/D/YYYY',
  'D.M.YYYY',
  'D-M-YYYY',
  'M-D-YYYY',
  'D MMM YYYY',
  'D/M/YY',
  'M/D/YY',
];
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

/** `isAmbiguous`: as many texts would fit with day and month the other way round. */
export type Detected = { readonly format: string; readonly isAmbiguous: boolean } | undefined;

/** The format that most texts fit, if more than `share` of them do, and that makes dates of them; of two, days first. */
function detect(texts: readonly string[], among: readonly Candidate[], share: number): Detected {
  const counted = among.map(({ format, pattern }) => {
    const fits = (text: string) => {
      const parts = pattern.read(text, 'STRICT');
      return parts !== undefined && isPossible(parts);
    };
    // Most columns have no times: one field shows it.
    const count = share === 1 ? (texts.every(fits) ? texts.length : 0) : texts.filter(fits).length;
    return { format, count };
  });
  const most = Math.max(...counted.map(({ count }) => count));
  if (most === 0 || most < texts.length * share) return undefined;
  const [first, ...others] = counted.filter(({ count }) => count === most).map(({ format }) => format);
  if (first === undefined) return undefined;
  const isTurned = others.some((format) => /^[DM]/.test(format) && format[0] !== first[0]);
  return { format: first, isAmbiguous: /^[DM]/.test(first) && isTurned };
}

const isPossible = ({ month = 1, day = 1, hour = 0, hour12 = 0, minute = 0, second = 0 }: TimeParts): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 24 && hour12 <= 12 && minute <= 59 && second <= 59;

/** Of a column that may have a bad line here and there. */
const MOST = 0.51;

export const detectInstant = (texts: readonly string[], share = MOST): Detected =>
  detect(texts, INSTANT_CANDIDATES, share);
export const detectDate = (texts: readonly string[]): Detected => detect(texts, DATE_CANDIDATES, MOST);
export const detectTimeOfDay = (texts: readonly string[]): Detected => detect(texts, TIME_CANDIDATES, MOST);
