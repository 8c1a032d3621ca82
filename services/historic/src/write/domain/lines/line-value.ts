/** The message has InfluxDB's words. */
export class LineError extends Error {}

/** The value of a field has a type by InfluxDB's names. */
export type LineValue =
  | { readonly type: 'float' | 'integer' | 'unsigned'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: number }
  | { readonly type: 'string'; readonly value: string };

const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const UNSIGNED = /^\d+$/;
const TRUE = new Set(['t', 'T', 'true', 'True', 'TRUE']);
const FALSE = new Set(['f', 'F', 'false', 'False', 'FALSE']);
/** No number that is meant is longer. */
const MAX_NUMBER = 400;

/** @throws LineError */
export function parseValue(text: string): LineValue {
  if (text === '') throw new LineError('missing field value');
  if (text.startsWith('"')) return { type: 'string', value: textOf(text) };
  if (TRUE.has(text)) return { type: 'boolean', value: 1 };
  if (FALSE.has(text)) return { type: 'boolean', value: 0 };
  const last = text.at(-1);
  if (last === 'i') return { type: 'integer', value: exactly(text.slice(0, -1), INTEGER) };
  if (last === 'u') return { type: 'unsigned', value: exactly(text.slice(0, -1), UNSIGNED) };
  if (text.length > MAX_NUMBER || !FLOAT.test(text))
    throw new LineError(/^[a-zA-Z]/.test(text) ? wordError(text) : 'invalid number');
  const value = Number(text);
  if (!Number.isFinite(value)) throw new LineError('invalid number');
  return { type: 'float', value };
}

/** The text begins no number; NaN and infinities are numbers that are not kept. */
const wordError = (text: string): string => (/^(?:nan|inf)/i.test(text) ? 'invalid number' : 'invalid boolean');

/** Series have numbers of 53 bits: no other number than was sent is stored. */
function exactly(text: string, pattern: RegExp): number {
  if (text.length > MAX_NUMBER || !pattern.test(text)) throw new LineError('invalid number');
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new LineError(`integer ${text.slice(0, 40)} is beyond 2^53, which cannot be kept exactly`);
  return value;
}

/** Reads what is between quotes, in which a backslash stands before a quote or itself. */
const textOf = (text: string): string => {
  const inner = text.slice(1, -1);
  return inner.includes('\\') ? inner.replaceAll(/\\(["\\])/g, '$1') : inner;
};
