import { normaliseObjectId } from '@catchment/ids';
import { type EffectiveZone, tryParseInstantMs } from '@catchment/time';
import { type Criterion, invalidFilter, type OperandType } from './filter.ts';

/** Parses a number as written by JSON or a person: no hexadecimal, no blanks, finite. */
function parseNumber(text: string): number | undefined {
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export const parseBoolean = (text: string): boolean | undefined =>
  /^true$/i.test(text) ? true : /^false$/i.test(text) ? false : undefined;

/** PostgreSQL compares values of these types; `time` in UTC milliseconds. */
export type ValueType = 'number' | 'string' | 'boolean' | 'time' | 'objectId';

const TYPE_OF: Record<OperandType, ValueType> = {
  Number: 'number',
  Boolean: 'boolean',
  String: 'string',
  Text: 'string',
  Time: 'time',
  ObjectId: 'objectId',
};
const RULE: Record<ValueType, string> = {
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  time: 'an ISO 8601 timestamp',
  objectId: 'an ObjectId of 24 hexadecimal characters',
};

export const isNull = ({ operand }: Criterion): boolean => operand.type === undefined && operand.text === 'null';

/** Returns the type that the operand is written with, if any. */
export const writtenType = ({ operand }: Criterion): ValueType | undefined =>
  operand.type === undefined ? undefined : TYPE_OF[operand.type];

/** Returns the operand as a value of the type, or undefined when it cannot be one. */
export function tryConvert(
  text: string,
  type: ValueType,
  zone: EffectiveZone | undefined,
): number | string | boolean | undefined {
  switch (type) {
    case 'number':
      return parseNumber(text);
    case 'string':
      return text;
    case 'boolean':
      return parseBoolean(text);
    case 'time':
      return tryParseInstantMs(text, zone === undefined ? { spaceAsPlus: true } : { zone, spaceAsPlus: true });
    case 'objectId':
      return normaliseObjectId(text);
  }
}

/** @throws DomainError invalid_argument when the operand is no value of the attribute's type */
export function convert(criterion: Criterion, type: ValueType, zone: EffectiveZone | undefined) {
  const written = writtenType(criterion);
  const value = written === undefined || written === type ? tryConvert(criterion.operand.text, type, zone) : undefined;
  if (value === undefined) throw invalidFilter(`must compare ${criterion.path} with ${RULE[type]}`);
  return value;
}

/** Writes the operand of `$like` as a LIKE pattern: literally, but `*` matches any run of characters. */
export const wholePattern = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&').replaceAll(/\*+/g, '%');

/** Writes the operand of `$match` as a LIKE pattern: what contains it. */
export const likePattern = (text: string): string => `%${wholePattern(text)}%`;

/** Returns the end of a pattern of `$like`, which the last name of a path must fit; '' = none. */
export const endOfPattern = (pattern: string): string => /[^*/]*$/.exec(pattern)?.[0] ?? '';

/** The same by code: whether a text contains the operand of `$match`, or is that of `$like`, letter case aside. */
export function matcher(operand: string, isWhole: boolean): (text: string) => boolean {
  const pieces = operand.split(/\*+/).map(RegExp.escape).join('.*');
  const pattern = new RegExp(isWhole ? `^${pieces}$` : pieces, 'isu');
  return (text) => pattern.test(text);
}
