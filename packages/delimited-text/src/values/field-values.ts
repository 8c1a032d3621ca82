import { type FieldMatch, isDamaged } from './field-match.ts';

const NO_VALUE = /^(?:nan|[+-]?inf|---|null)?$/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ true: true, false: false, 1: true, 0: false, on: true, off: false, yes: true, no: false }),
);
const BOOLEAN_WORD = /(?<![\p{L}\d])(?:true|false|1|0|on|off|yes|no)(?![\p{L}\d])/iu;
const FIELD_MAX = 1000;

/** TRUE/FALSE, 1/0, ON/OFF, YES/NO in any letter case; null and undefined as in `readNumber`. */
export function readBoolean(field: string, match: FieldMatch): boolean | null | undefined {
  if (field.length > FIELD_MAX || isDamaged(field)) return undefined;
  const text = field.trim();
  if (NO_VALUE.test(text)) return null;
  const word = match === 'STRICT' ? text : BOOLEAN_WORD.exec(text)?.[0];
  return word === undefined ? undefined : BOOLEANS.get(word.toLowerCase());
}
