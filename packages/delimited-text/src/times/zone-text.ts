import { type EffectiveZone, effectiveZone, fixedZone, HOUR_MS, MINUTE_MS, UTC_ZONE } from '@catchment/time';

/** The USGS has these time zone codes (`tz_cd`), in hours ahead of UTC: what abbreviations mean where the source has no zone of its own. */
const USGS_HOURS: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  WET: 0,
  BST: 1,
  CET: 1,
  DNT: 1,
  DST: 1,
  FST: 1,
  MET: 1,
  MEWT: 1,
  MEZ: 1,
  NOR: 1,
  SET: 1,
  SWT: 1,
  WETDST: 1,
  CETDST: 2,
  EET: 2,
  FWT: 2,
  IST: 2,
  MEST: 2,
  METDST: 2,
  SST: 2,
  BT: 3,
  EETDST: 3,
  IT: 3.5,
  AFT: 4.5,
  WAST: 7,
  JT: 7.5,
  AWST: 8,
  CCT: 8,
  WADT: 8,
  WST: 8,
  MT: 8.5,
  AWSST: 9,
  JST: 9,
  KST: 9,
  WDT: 9,
  ACST: 9.5,
  CAST: 9.5,
  SAT: 9.5,
  AEST: 10,
  EAST: 10,
  GST: 10,
  LIGT: 10,
  ACSST: 10.5,
  CADT: 10.5,
  SADT: 10.5,
  AESST: 11,
  EASST: 11,
  IDLE: 12,
  NZST: 12,
  NZT: 12,
  NZDT: 13,
  WAT: -1,
  NDT: -2.5,
  ADT: -3,
  NFT: -3.5,
  NST: -3.5,
  AST: -4,
  EDT: -4,
  CDT: -5,
  EST: -5,
  CST: -6,
  MDT: -6,
  MST: -7,
  PDT: -7,
  AKDT: -8,
  PST: -8,
  AKST: -9,
  HDT: -9,
  HST: -10,
  IDLW: -12,
};
/** Zones whose abbreviations no locale below has: of standard time, and of daylight saving time. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  'America/Adak': ['HST', 'HDT'],
  'America/Argentina/Buenos_Aires': ['ART'],
  'America/Sao_Paulo': ['BRT', 'BRST'],
  'Asia/Dubai': ['GST'],
  'Asia/Hong_Kong': ['HKT'],
  'Asia/Jerusalem': ['IST', 'IDT'],
  'Asia/Karachi': ['PKT'],
  'Asia/Manila': ['PST', 'PHT'],
  'Asia/Seoul': ['KST'],
  'Asia/Shanghai': ['CST'],
  'Asia/Singapore': ['SGT'],
  'Asia/Tokyo': ['JST'],
  'Europe/Moscow': ['MSK'],
  'Pacific/Guam': ['ChST', 'GST'],
  'Pacific/Pago_Pago': ['SST'],
};
const LOCALES = ['de-DE', 'en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA', 'en-IE'];

/** Returns the zone that a text of a file names; undefined: none that is known. */
export type ZoneReader = (text: string) => EffectiveZone | undefined;
/** Texts that are remembered: few differ in a file. */
const REMEMBERED = 1_000;
/** No name of a zone is longer; fields may be. */
const CHARACTERS_MAX = 64;

/**
 * Reads zones of lines (docs/reference/acquisition.md#text-parser): `UTC`, `Z`, an offset, an IANA name, an abbreviation of the
 * source's zone; without one of its own an abbreviation of the USGS.
 */
export function zoneReader(source: EffectiveZone, nowMs: number): ZoneReader {
  const abbreviations = abbreviationsOf(source.region, nowMs);
  const known = new Map<string, EffectiveZone | undefined>();
  return (text) => {
    if (text.length > CHARACTERS_MAX) return undefined;
    const found = known.get(text);
    if (found || known.has(text)) return found;
    const read = zoneOf(text.trim().replace(/^[[(](.*)[\])]$/, '$1'), abbreviations, nowMs);
    if (known.size < REMEMBERED) known.set(text, read);
    return read;
  };
}

function zoneOf(text: string, abbreviations: ReadonlyMap<string, number>, nowMs: number): EffectiveZone | undefined {
  if (/^(?:z|ut|utc|gmt)$/i.test(text)) return UTC_ZONE;
  const offsetMs = offsetOf(text) ?? abbreviations.get(text.toUpperCase());
  if (offsetMs !== undefined) return offsetMs === 0 ? UTC_ZONE : fixedZone(offsetMs);
  // Abbreviations that are names of zones too, such as MST, mean what they mean to the source.
  if (!/[/\d]/.test(text)) return undefined;
  try {
    return effectiveZone(text, true, nowMs);
  } catch {
    return undefined;
  }
}

/** `+01:00`, `-0700`, `+2`, `UTC+1`, `GMT-07:00`. @returns ms ahead of UTC */
function offsetOf(text: string): number | undefined {
  const found = /^(?:UTC|GMT)?\s*([+±\u2212-])(?:(\d{1,2})(?::([0-5]\d))?|(\d{2})([0-5]\d))$/i.exec(text);
  if (!found) return undefined;
  const [, sign, hours, minutes, packedHours, packedMinutes] = found;
  const ms = Number(hours ?? packedHours) * HOUR_MS + Number(minutes ?? packedMinutes ?? 0) * MINUTE_MS;
  if (ms > 14 * HOUR_MS) return undefined;
  return sign === '-' || sign === '\u2212' ? -ms : ms;
}

/** Maps abbreviations in capitals to ms ahead of UTC. */
function abbreviationsOf(region: string | undefined, nowMs: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (region !== undefined) {
    const year = new Date(nowMs).getUTCFullYear();
    const dates = [0, 6].map((month) => Date.UTC(year, month, 15));
    const zone = effectiveZone(region, true, nowMs);
    for (const dateMs of dates) {
      for (const locale of LOCALES) {
        const name = shortName(region, locale, dateMs);
        if (!/^(?:GMT|UTC)[+-]|\d/.test(name)) found.set(name.toUpperCase(), zone.offsetMsAt(dateMs));
      }
    }
    const offsets = dates.map((dateMs) => zone.offsetMsAt(dateMs)).sort((a, b) => a - b);
    const [standard = '', ...others] = FURTHER[region] ?? [];
    if (standard) found.set(standard.toUpperCase(), offsets[0] ?? 0);
    for (const name of others) found.set(name.toUpperCase(), offsets[1] ?? 0);
  }
  if (found.size > 0) return found;
  for (let hours = -14; hours <= 14; hours += 1) found.set(`ZP${hours}`, hours * HOUR_MS);
  for (const [name, hours] of Object.entries(USGS_HOURS)) found.set(name, hours * HOUR_MS);
  return found;
}

function shortName(timeZone: string, locale: string, dateMs: number): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(dateMs);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '0';
}

/** Matches what may be a zone at the end of a text, with the blanks before it. */
const LAST_WORD =
  /(?:\s+|(?=[[(]))[[(]?((?:(?:UTC|GMT)\s?)?[+\u2212-]\d{1,2}(?::?\d{2})?|[A-Za-z][\w/+:-]*)[\])]?\s*$/i;

/** Parts a text such as `2023-07-05 00:45 EDT`. */
export function lastZone(
  text: string,
  read: ZoneReader,
): { readonly rest: string; readonly zone: EffectiveZone } | undefined {
  const tailAt = Math.max(text.length - CHARACTERS_MAX, 0);
  const found = LAST_WORD.exec(text.slice(tailAt));
  const zone = found?.[1] === undefined ? undefined : read(found[1]);
  return found === null || zone === undefined ? undefined : { rest: text.slice(0, tailAt + found.index), zone };
}

const GENERIC = zoneReader(UTC_ZONE, 0);
/** Names of columns with zones. */
export const ZONE_LABEL =
  /^(?:tz|zone|time[ _-]?zone|utc[ _-]?offset|gmt[ _-]?offset|tz[ _-]?offset)(?:[ _-]?(?:cd|code|name|id))?$/i;
/** Returns whether a text is a zone, or may be an abbreviation that only some sources have. */
export const mayBeZone = (text: string): boolean => GENERIC(text) !== undefined || /^[A-Z]{3,6}$/i.test(text.trim());
export const isZone = (text: string): boolean => GENERIC(text) !== undefined;
/** Returns the text before a zone at its end; undefined: it ends with none. */
export const beforeZone = (text: string): string | undefined => lastZone(text, GENERIC)?.rest;

/** Zones of a steady offset that is none of full hours. */
const PART_HOURS: Readonly<Record<string, string>> = {
  '-3.5': 'America/St_Johns',
  '3.5': 'Asia/Tehran',
  '4.5': 'Asia/Kabul',
  '5.5': 'Asia/Kolkata',
  '5.75': 'Asia/Kathmandu',
  '6.5': 'Asia/Yangon',
  '8.75': 'Australia/Eucla',
  '9.5': 'Australia/Darwin',
  '10.5': 'Australia/Lord_Howe',
};

/**
 * Returns the zone that the label of a time names, such as `Date Time, GMT-07:00`, as a source has it: with its standard offset.
 * @returns undefined: none, or an offset that no zone has
 */
export function zoneOfLabel(label: string): string | undefined {
  const word =
    /(?:^|[\s,;:([_])((?:UTC|GMT)\s?[+\u2212-]\s?\d{1,2}(?::?\d{2})?|[+\u2212-]\d{2}:\d{2}|[A-Z]{3,6})[\])]?\s*$/i.exec(
      label,
    )?.[1];
  const named = word?.replace(/\s/g, '');
  const hours = named === undefined ? undefined : zoneOfText(named);
  return hours === undefined ? undefined : standardZone(hours);
}

/** @returns hours ahead of UTC of an offset or an abbreviation */
export function zoneOfText(text: string): number | undefined {
  const zone = /^(?:DST|EAST|SET|NOR)$/i.test(text) ? undefined : GENERIC(text);
  return zone && zone.offsetMsAt(0) / HOUR_MS;
}

/** The zone with this offset; undefined: there is none. */
export function standardZone(hours: number): string | undefined {
  if (hours === 0) return 'Etc/UTC';
  if (!Number.isInteger(hours)) return PART_HOURS[`${hours}`];
  return Math.abs(hours) <= 12 || hours <= 14 ? `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}` : undefined;
}
