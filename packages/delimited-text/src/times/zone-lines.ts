import { standardZone, zoneOfText } from './zone-text.ts';

/** A file names this zone. */
export interface NamedZone {
  /** The words that name it. */
  readonly label: string;
  readonly timezone: string;
  /** A region such as America/Denver means its clock; an offset stays what it is. */
  readonly timezoneAdjustForDst: boolean;
}

/** This many lines above the data are looked at, and this many characters of each. */
const LINES = 100;
const CHARACTERS = 300;
const KEY =
  '(?:time[ _-]?zone|zeitzone|fuseau(?:[ _-]?horaire)?|zona[ _-]?horaria|tijdzone|tidszon|(?:utc|gmt|time|tz|timezone)[ _-]?offset|tz)(?:\\s*\\([^)]{1,12}\\))?';
/** Matches `Time Zone: Eastern Standard Time`, `"Time Offset","-07:00:00"`, `# UTC Offset: (UTC-07:00)`. */
const KEYED = new RegExp(`(?:^|[^\\p{L}\\d])${KEY}["']?\\s*[:=,;\\t ]\\s*["'(]*([^"',;|()\\t]{1,60})`, 'iu');
/** `#TZUTC+1|*|SANR4711|*|`, of hydrological archives. */
const TAGGED = /(?:^#|\|)TZ([A-Z]{3,4}(?:[+-]?\d{1,2})?)\|/;
/** The first line of TMY3 and EPW files has the hours ahead of UTC beside the place. */
const PLACES = [
  /^"?\d{5,6}"?,"?[^,"]*"?,"?[A-Z]{2,3}"?,\s*([+-]?\d{1,2}(?:\.\d{1,2})?),\s*[+-]?\d{1,2}\.\d+,\s*[+-]?\d{1,3}\.\d+,/i,
  /^LOCATION,(?:[^,]*,){7}\s*([+-]?\d{1,2}(?:\.\d{1,2})?),/i,
];

/** @param lines above the data; undefined: they name no zone, or several */
export function zoneOfLines(lines: readonly string[]): NamedZone | undefined {
  const found = lines.slice(0, LINES).flatMap((line, n) => {
    const label = line.trim().slice(0, CHARACTERS);
    const place =
      n === 0 ? PLACES.map((pattern) => pattern.exec(label)?.[1]).find((hours) => hours !== undefined) : undefined;
    const text = place ?? TAGGED.exec(label)?.[1] ?? KEYED.exec(label)?.[1]?.trim();
    // `Time Offset: 5` may be seconds of a clock.
    const isBare = place === undefined && /^\d/.test(text ?? '') && !/utc|gmt|zone|fuseau|zona/i.test(label);
    const zone = text === undefined || isBare ? undefined : zoneNamed(text);
    return zone ? [{ ...zone, label: label.slice(0, 80) }] : [];
  });
  const [first] = found;
  return found.every(({ timezone }) => timezone === first?.timezone) ? first : undefined;
}

/** Reads `Europe/Amsterdam (+02:00)`, which may also be the label of a time. */
export function zoneNamed(text: string): Omit<NamedZone, 'label'> | undefined {
  const region = /^[A-Z][A-Za-z]+\/[A-Za-z_]+(?:\/[A-Za-z_]+)?/.exec(text)?.[0];
  if (region && !region.startsWith('Etc/')) {
    const timezone = canonical(region);
    return timezone === undefined ? undefined : { timezone, timezoneAdjustForDst: true };
  }
  const hours = /^[+-]?\d{1,2}(?:\.\d{1,2})?$/.test(text) ? Number(text) : hoursOf(text);
  const timezone = hours === undefined ? undefined : standardZone(hours);
  return timezone === undefined ? undefined : { timezone, timezoneAdjustForDst: false };
}

function canonical(region: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: region }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Windows names zones like this: the offset at the time of the export. */
const NAMES: Readonly<Record<string, number>> = {
  atlantic: -4,
  eastern: -5,
  central: -6,
  mountain: -7,
  pacific: -8,
  alaskan: -9,
  alaska: -9,
  hawaiian: -10,
  hawaii: -10,
  newfoundland: -3.5,
  'central european': 1,
  'central europe': 1,
  'w. europe': 1,
  romance: 1,
  'eastern european': 2,
  'greenwich mean': 0,
  gmt: 0,
  'coordinated universal': 0,
  'universal coordinated': 0,
};

function hoursOf(text: string): number | undefined {
  const [, name, season = ''] = /^([a-z. ]+?)(?: (standard|daylight|summer))? time\b/i.exec(text) ?? [];
  const standard = name === undefined ? undefined : NAMES[name.toLowerCase()];
  if (standard !== undefined) return standard + (/daylight|summer/i.test(season) ? 1 : 0);
  return zoneOfText(text.replace(/^([+-]\d{2}:\d{2}):\d{2}$/, '$1').replace(/^(UTC|GMT)0$/, '$1'));
}
