import { argumentError } from './errors.ts';

/** A Date, milliseconds since 1970, or ISO text such as `2024` or `2024-01-05T10:00`; a text has the zone of the request, or its own. */
export type TimeLike = Date | number | string;

const ISO = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;
const DAY_MS = 86_400_000;

/** Returns whether a text is a time without a zone. */
export const isLocal = (text: string): boolean => ISO.exec(text.trim())?.[8] === undefined && ISO.test(text.trim());

/** Returns milliseconds of a bound; undefined = a relative time such as `NOW-7D`, which the server reads. */
export function instantOf(argument: string, value: TimeLike, zone: string | undefined): number | undefined {
  if (typeof value === 'number' || value instanceof Date) {
    const ms = Number(value);
    if (!Number.isFinite(ms)) throw argumentError(argument, 'is no time');
    return Math.floor(ms);
  }
  const found = ISO.exec(value.trim());
  if (!found) {
    if (/^[A-Za-z][A-Za-z0-9+\-[\]: ]*$/.test(value)) return undefined;
    throw argumentError(argument, `'${value}' is no time such as 2024-01, 2024-01-05T10:00Z or NOW-7D`);
  }
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = '', offset] = found;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${`${fraction}000`.slice(0, 3)}`;
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc) || new Date(asUtc).getUTCDate() !== Number(day))
    throw argumentError(argument, `'${value}' is no time of the calendar`);
  if (!offset) return zone === undefined ? asUtc : inZone(asUtc, zone);
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? ['', '+', '0', '0'];
  return asUtc - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** Reads a time of the clock in a zone: what is skipped moves forward, of what comes twice it is the earlier. */
function inZone(asUtc: number, zone: string): number {
  const [before, after] = [offsetAt(asUtc - DAY_MS, zone), offsetAt(asUtc + DAY_MS, zone)];
  const candidates = [asUtc - before, asUtc - after].filter((ms) => ms + offsetAt(ms, zone) === asUtc);
  return candidates.length > 0 ? Math.min(...candidates) : asUtc - before;
}

/** Returns how far the clocks of a zone are ahead of UTC, in milliseconds. */
function offsetAt(ms: number, zone: string): number {
  let parts: Intl.DateTimeFormatPart[];
  try {
    parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(ms);
  } catch {
    throw argumentError('tz', `'${zone}' is no time zone such as Australia/Sydney`);
  }
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours, minutes = '0', seconds = '0'] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}
