import { computed } from '@preact/signals';
import { relativeTime } from '../format/times.ts';
import { type Zone, zoneOf } from '../format/zone.ts';
import { language } from '../words/index.ts';
import { me } from './session/session.ts';

export type Times = {
  readonly zone: Zone;
  /** "5 minutes ago". */
  readonly ago: (ms: number, nowMs: number) => string;
  /** "5 min. ago", for columns. */
  readonly agoShort: (ms: number, nowMs: number) => string;
  /** Writes "07:02" of today, with the date otherwise. */
  readonly short: (ms: number, nowMs: number) => string;
  /** Writes the form that the person has chosen in the profile. */
  readonly whole: (ms: number) => string;
};

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const MINUTE = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Times are as the person reads them: in the zone and the form of the profile, and in the page's language. */
const current = computed<Times>(() => timesOf(language.value));
export const times = (): Times => current.value;

/** Returns the browser's first language where it is the page's, with its own kind of dates; the plain language otherwise. */
export function localeOf(wanted: string): string {
  const known = locales.get(wanted);
  if (known !== undefined) return known;
  const found = navigator.languages.find((language) => language === wanted || language.startsWith(`${wanted}-`));
  const locale = found ?? (wanted === 'en' ? 'en-GB' : wanted);
  locales.set(wanted, locale);
  return locale;
}
/** Browsers take their time to answer, and each row of a list asks. */
const locales = new Map<string, string>();

function timesOf(wanted: string): Times {
  const { timezone, adjustForDst, timeFormat } = me();
  const device = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const locale = localeOf(wanted);
  const zone = zoneOf(timezone === '' ? (device ?? 'UTC') : timezone, adjustForDst, new Date().getFullYear(), locale);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const brief = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const day = new Intl.DateTimeFormat(locale, { ...DAY, timeZone: 'UTC' });
  const minute = new Intl.DateTimeFormat(locale, { ...MINUTE, timeZone: 'UTC' });
  const dayMinute = new Intl.DateTimeFormat(locale, { ...DAY, ...MINUTE, timeZone: 'UTC' });
  const whole = byTokens(timeFormat === '' ? 'YYYY-MM-DD HH:mm:ss' : timeFormat, locale);
  const clock = (ms: number) => ms + zone.offsetMs(ms);
  return {
    zone,
    ago: (ms, now) => relativeTime(ms, now, relative),
    agoShort: (ms, now) => relativeTime(ms, now, brief),
    short: (ms, now) => (day.format(clock(ms)) === day.format(clock(now)) ? minute : dayMinute).format(clock(ms)),
    whole: (ms) => whole(clock(ms)),
  };
}

const two = (n: number): string => String(n).padStart(2, '0');

type Write = (d: Date) => string;

/** Reads a format with tokens; `[texts]` in brackets are themselves (docs/reference/time.md). A list reads it once for all its rows. */
export function byTokens(format: string, locale: string): (clockMs: number) => string {
  const name = (options: Intl.DateTimeFormatOptions): Write => {
    const { format: write } = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (d) => write(d);
  };
  const hour = (d: Date) => d.getUTCHours();
  const tokens: Readonly<Record<string, () => Write>> = {
    YYYY: () => (d) => String(d.getUTCFullYear()).padStart(4, '0'),
    YY: () => (d) => two(d.getUTCFullYear() % 100),
    MMMM: () => name({ month: 'long' }),
    MMM: () => name({ month: 'short' }),
    MM: () => (d) => two(d.getUTCMonth() + 1),
    M: () => (d) => String(d.getUTCMonth() + 1),
    DD: () => (d) => two(d.getUTCDate()),
    D: () => (d) => String(d.getUTCDate()),
    dddd: () => name({ weekday: 'long' }),
    ddd: () => name({ weekday: 'short' }),
    HH: () => (d) => two(hour(d)),
    H: () => (d) => String(hour(d)),
    hh: () => (d) => two(hour(d) % 12 || 12),
    h: () => (d) => String(hour(d) % 12 || 12),
    mm: () => (d) => two(d.getUTCMinutes()),
    m: () => (d) => String(d.getUTCMinutes()),
    ss: () => (d) => two(d.getUTCSeconds()),
    s: () => (d) => String(d.getUTCSeconds()),
    SSS: () => (d) => String(d.getUTCMilliseconds()).padStart(3, '0'),
    A: () => (d) => (hour(d) < 12 ? 'AM' : 'PM'),
    a: () => (d) => (hour(d) < 12 ? 'am' : 'pm'),
  };
  const parts = format.split(TOKENS).map((part): Write => {
    const text = /^\[([^\]]*)\]$/.exec(part)?.[1] ?? part;
    return Object.hasOwn(tokens, part) ? tokens[part]!() : () => text;
  });
  return (clockMs) => {
    const d = new Date(clockMs);
    return parts.map((write) => write(d)).join('');
  };
}

const TOKENS = /(\[[^\]]*\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|SSS|A|a)/;
