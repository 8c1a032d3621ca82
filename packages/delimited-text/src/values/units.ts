import { UNDECODABLE } from '../rows/decode.ts';

/** See docs/reference/limits.md. */
const UNITS_CHARACTERS_MAX = 30;

const PREFIX = '(?:da|[YZEPTGMkhdcmµμunp])?';
const BASE = ['mol|eq|m|g|s|V|Wh?|VAr?|A|Pa|bar|b|S|Hz|[lL]|J|N|Ω|[Oo]hms?|Bq|B|C|F|K|M|cd|Sv|Gy'].join('|');
const WORDS = [
  '℃|℉|%(?:\\s?(?:RH|sat\\.?|vol|VWC|local|FS))?|‰|º\\s?[CFK]?|°\\s?[CFKNEWdHf]*|deg(?:rees?)?\\.?(?:\\s?(?:[CFKNTM]|Celsius|Fahrenheit))?|Celsius|Fahrenheit|Kelvin',
  'psi[agd]?|PSI[AGD]?|in(?:ch(?:es)?)?(?:\\.?\\s?H[gG2]O?)?|"|ft|feet|yd|mi|miles?|mph|kph|kn|kts?|knots?|[mc]*mH2O|cmH2O|mmHg|inHg|inH2O|atm|torr|m?bars?|mbar',
  'ppm|ppb|ppt|PSU|psu|PPT|[NF]TU|FNU|FBU|RFU|FAU|JTU|pH|pH units?|units?|counts?|cts|cps|dB|dBm|dBA?',
  'm?in(?:utes?)?|mins?|h|hrs?|hours?|days?|d|sec(?:onds?)?|msec|yr|years?|weeks?',
  'cfs|cms|gpm|gpd|mgd|MGD|l/s|gal(?:lons?)?|ac-?ft|acre-?feet|[Ll]ux|lx|klux|lm|lbs?|oz|tons?|t|ha|ac|rpm|RPM|Volts?|Amps?|Watts?|meters?|metres?|millimeters?|mH|cal|ly|Ly|Nm3|uE|µE|µmol|umol',
].join('|');
const POWER = '(?:\\^-?\\d|-[1-4]|[²³⁻¹⁴]+)?';
/** `CO(GT)` is no gigatesla. */
const TESLA = '[mnuµμ]?T';
const ATOM = `(?:${WORDS}|${TESLA}|(?:[kcdm]?m|ft|in)[23]|${PREFIX}(?:${BASE}))${POWER}`;
const UNIT = new RegExp(`^(?:1\\s?/\\s?)?${ATOM}(?:\\s?(?:[/·*⋅.]|\\s|per)\\s?(?:s2|${ATOM}))*$`, 'u');
/** Parentheses with this hold no unit. */
const IS_NO_UNIT =
  /^(?:avg|ave|average|mean|min|max|std|smp|sample|tot(?:al)?|sum|raw|inst|y{2,4}.*|d{1,2}[-/.]m.*|m{1,2}[-/.][dm].*|h{1,2}:?m.*|local|utc.*|gmt.*|[\d\s.]+|s\/?n\b.*|lgr\b.*|none|na|n\/a)$/i;

/** True for a text that is a unit: `m³/s`, `Deg C`, `µS/cm`, `%`. */
export const isUnit = (text: string): boolean => text.length <= UNITS_CHARACTERS_MAX && UNIT.test(text.trim());

/** Finds the units that a label names: `Temp (°C)`, `Level [m]`, `Temp, °C (LGR S/N: 1)`, `m³/m³ Water Content`. @returns '' for none */
export function unitsIn(label: string): string {
  if (label.length > 200) return '';
  for (const [, inside = ''] of label.matchAll(/[([{<]([^()[\]{}<>]{1,30})[)\]}>]/g)) {
    const text = inside.trim();
    if (!IS_NO_UNIT.test(text) && (isUnit(text) || isUnit(text.split(/[,;]/)[0] ?? ''))) return text;
  }
  // `Pressure (S/N: 1), mbar, Gate`: the first part behind a comma that is one.
  for (const [, behind = ''] of label.matchAll(/(?:[,;:]|\s-)\s*([^,;:()[\]]{1,20}?)\s*(?=[,;(]|$)/g))
    if (isUnit(behind)) return behind;
  const before = /^(\S{1,12})\s+\p{L}/u.exec(label)?.[1];
  if (before !== undefined && IS_SURE.test(before) && isUnit(before)) return before;
  const last = /\p{L}\s+(\S{1,12})$/u.exec(label)?.[1];
  return last !== undefined && IS_SURE.test(last) && isUnit(last) ? last : '';
}

/** No word has these. */
const IS_SURE = /[%°℃℉²³/µμ]/;

/** Units that are too long are shortened; those that could not be decoded are left out. */
export const keptUnits = (units: string): string =>
  units.includes(UNDECODABLE)
    ? ''
    : units.length <= UNITS_CHARACTERS_MAX
      ? units
      : `${units.slice(0, UNITS_CHARACTERS_MAX - 1).trimEnd()}…`;
