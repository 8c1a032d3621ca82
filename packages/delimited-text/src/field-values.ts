/**
 * SMART: the first place of the field that fits the type. STRICT: the whole trimmed field must fit
 * (docs/reference/acquisition.md#text-parser).
 */
export type FieldMatch = 'SMART' | 'STRICT';

const NO_VALUE = /^(?:nan|[+-]?inf|---|null)?$/i;
/** What most fields are: read without looking for anything else. */
const PLAIN_NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
const STRICT_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;
const SMART_NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ true: true, false: false, 1: true, 0: false, on: true, off: false, yes: true, no: false }),
);
const BOOLEAN_WORD = /(?<![\p{L}\d])(?:true|false|1|0|on|off|yes|no)(?![\p{L}\d])/iu;
const FIELD_MAX = 1000;
/** No logger writes U+0000: whatever stands beside it is a part of something. */
export const isDamaged = (field: string): boolean => field.includes('\0');

/** Group separators between digits: whichever of `.` and `,` the decimal separator is not, apostrophes, blanks. */
const GROUPS = {
  '.': /(?<=\d)[,'\s\u00a0\u202f](?=\d{3}(?!\d))/g,
  ',': /(?<=\d)[.'\s\u00a0\u202f](?=\d{3}(?!\d))/g,
} as const;

/**
 * A number of a field; SMART leaves out units and group separators.
 * @returns null: no value (empty, NAN, INF, `---`, null); undefined: the field cannot be read
 */
export function readNumber(field: string, match: FieldMatch, decimalSeparator: '.' | ','): number | null | undefined {
  if (decimalSeparator === '.' && PLAIN_NUMBER.test(field)) return Number(field);
  if (field.length > FIELD_MAX || isDamaged(field)) return undefined;
  const text = field.trim();
  if (NO_VALUE.test(text)) return null;
  const grouped = match === 'SMART' ? text.replace(GROUPS[decimalSeparator], '') : text;
  if (decimalSeparator === ',' && match === 'STRICT' && grouped.includes('.')) return undefined;
  const pointed = decimalSeparator === ',' ? grouped.replace(',', '.') : grouped;
  const found = (match === 'STRICT' ? STRICT_NUMBER : SMART_NUMBER).exec(pointed)?.[0];
  const value = found === undefined ? undefined : Number(found);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** TRUE/FALSE, 1/0, ON/OFF, YES/NO in any letter case; null and undefined as in `readNumber`. */
export function readBoolean(field: string, match: FieldMatch): boolean | null | undefined {
  if (field.length > FIELD_MAX || isDamaged(field)) return undefined;
  const text = field.trim();
  if (NO_VALUE.test(text)) return null;
  const word = match === 'STRICT' ? text : BOOLEAN_WORD.exec(text)?.[0];
  return word === undefined ? undefined : BOOLEANS.get(word.toLowerCase());
}
