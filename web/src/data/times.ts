import { computed } from '@preact/signals';
import { relativeTime } from '../format/times.ts';
import { type Zone, zoneOf } from '../format/zone.ts';
import { language } from '../words/index.ts';
import { start } from './session.ts';

export type Times = {
  readonly zone: Zone;
  /** "5 minutes ago". */
  readonly ago: (ms: number, nowMs: number) => string;
  /** "5 min. ago", for columns. */
  readonly agoShort: (ms: number, nowMs: number) => string;
  /** "07:02" of today, with the date otherwise. */
  readonly short: (ms: number, nowMs: number) => string;
  /** In the form that the person has chosen in the profile. */
  readonly whole: (ms: number) => string;
};

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const MINUTE = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Times as the person reads them: in the zone and the form of the profile, and in the page's language. */
const current = computed<Times>(() => timesOf(language.value));
export const times = (): Times => current.value;

/** The browser's first language where it is the page's, with its own kind of dates; the plain language otherwise. */
export function localeOf(wanted: string): string {
  const known = locales.get(wanted);
  if (known !== undefined) return known;
  const found = navigator.languages.find((one) => one === wanted || one.startsWith(`${wanted}-`));
  const locale = found ?? (wanted === 'en' ? 'en-GB' : wanted);
  locales.set(wanted, locale);
  return locale;
}
/** Browsers take their time to answer, and each row of a list asks. */
const locales = new Map<string, string>();

function timesOf(wanted: string): Times {
  const { timezone, adjustForDst, timeFormat } = start().person;
  const device = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const locale = localeOf(wanted);
  const zone = zoneOf(timezone === '' ? (device ?? 'UTC') : timezone, adjustForDst, new Date().getFullYear(), locale);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const brief = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const day = new Intl.DateTimeFormat(locale, { ...DAY, timeZone: 'UTC' });
  const minute = new Intl.DateTimeFormat(locale, { ...MINUTE, timeZone: 'UTC' });
  const dayMinute = new Intl.DateTimeFormat(locale, { ...DAY, ...MINUTE, timeZone: 'UTC' });
  const clock = (ms: number) => ms + zone.offsetMs(ms);
  return {
    zone,
    ago: (ms, now) => relativeTime(ms, now, relative),
    agoShort: (ms, now) => relativeTime(ms, now, brief),
    short: (ms, now) =>
      (day.format(clock(ms)) === day.format(clock(now)) ? minute : dayMinute).format(clock(ms)),
    whole: (ms) => byTokens(timeFormat === '' ? 'YYYY-MM-DD HH:mm:ss' : timeFormat, clock(ms), locale),
  };
}

const two = (n: number): string => String(n).padStart(2, '0');

/** docs/reference/time.md: tokens of time formats; `[texts]` in brackets are themselves. */
function byTokens(format: string, clockMs: number, locale: string): string {
  const d = new Date(clockMs);
  const name = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(d);
  const hours = d.getUTCHours();
  const tokens: Readonly<Record<string, () => string>> = {
    YYYY: () => String(d.getUTCFullYear()).padStart(4, '0'),
    YY: () => two(d.getUTCFullYear() % 100),
    MMMM: () => name({ month: 'long' }),
    MMM: () => name({ month: 'short' }),
    MM: () => two(d.getUTCMonth() + 1),
    M: () => String(d.getUTCMonth() + 1),
    DD: () => two(d.getUTCDate()),
    D: () => String(d.getUTCDate()),
    dddd: () => name({ weekday: 'long' }),
    ddd: () => name({ weekday: 'short' }),
    HH: () => two(hours),
    H: () => String(hours),
    hh: () => two(hours % 12 || 12),
    h: () => String(hours % 12 || 12),
    mm: () => two(d.getUTCMinutes()),
    m: () => String(d.getUTCMinutes()),
    ss: () => two(d.getUTCSeconds()),
    s: () => String(d.getUTCSeconds()),
    SSS: () => String(d.getUTCMilliseconds()).padStart(3, '0'),
    A: () => (hours < 12 ? 'AM' : 'PM'),
    a: () => (hours < 12 ? 'am' : 'pm'),
  };
  return format.replace(
    /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|SSS|A|a/g,
    (token, text) => text ?? tokens[token]?.() ?? token,
  );
}
