import { type DomainError, invalid } from '@catchment/errors';
import { countOf } from '@catchment/number-format';
import {
  type EffectiveZone,
  type OpcExpression,
  type OpcPeriod,
  parseOpcArgument,
  parsePeriodArgument,
  readTimeArgument,
  type TimeArgument,
  UTC_ZONE,
} from '@catchment/time';
import { parseBoolean } from './operand.ts';

/**
 * A query argument has the schema that OpenAPI shows, and reads its text, from the same facts. Every reader
 * follows docs/reference/query-arguments.md#decoding and throws DomainError invalid_argument with the name and the rule.
 */
export type Argument<T> = {
  readonly schema: JsonSchema;
  /** @param text decoded; undefined = not given @param zone of times that name none */
  readonly read: (text: string | undefined, name: string, zone: EffectiveZone) => T;
};
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An operation's arguments by name. */
export type ArgumentTable = Readonly<Record<string, Argument<unknown>>>;
export type ArgumentsOf<T extends ArgumentTable> = {
  readonly [Name in keyof T]: T[Name] extends Argument<infer Value> ? Value : never;
};

/** Description of an argument. */
type About = { readonly about: string; readonly example?: string };

const invalidArgument = (name: string, rule: string): DomainError => invalid('INVALID_ARGUMENT', `${name}: ${rule}`);

/** Reads arguments one by one: those that an operation does not need are not checked. */
export const argumentReader =
  <T extends ArgumentTable>(table: T, given: Readonly<Record<string, string>>, zone: EffectiveZone = UTC_ZONE) =>
  <Name extends keyof T & string>(name: Name): ArgumentsOf<T>[Name] =>
    table[name]?.read(Object.hasOwn(given, name) ? given[name] : undefined, name, zone) as ArgumentsOf<T>[Name];

/** Reads all arguments of a table. */
export function readArguments<T extends ArgumentTable>(
  table: T,
  given: Readonly<Record<string, string>>,
): ArgumentsOf<T> {
  const read = argumentReader(table, given);
  return Object.fromEntries(Object.keys(table).map((name) => [name, read(name)])) as ArgumentsOf<T>;
}

const schemaOf = ({ about, example }: About, rules: JsonSchema, note = ''): JsonSchema => ({
  ...rules,
  description: about + note,
  ...(example !== undefined && { examples: [example] }),
});

/** Makes an argument whose empty text counts as absent. */
const argument = <T, const F>(
  schema: JsonSchema,
  absent: F,
  read: (text: string, name: string, zone: EffectiveZone) => T,
): Argument<T | F> => ({ schema, read: (text, name, zone) => (text ? read(text, name, zone) : absent) });

/** A text; absent is ''. Its meaning has its own grammar. */
export const text = (about: About, { max }: { readonly max?: number } = {}): Argument<string> =>
  argument(schemaOf(about, { type: 'string', ...(max !== undefined && { maxLength: max }) }), '', (given, name) =>
    withLength(name, given, { min: 0, max: max ?? Number.POSITIVE_INFINITY }),
  );

/** Takes a text that may mean something while it is empty; lengths in characters. */
export const literal = <const F extends string | undefined>(
  about: About,
  { absent, min = 0, max }: { readonly absent: F; readonly min?: number; readonly max: number },
): Argument<string | F> => ({
  schema: schemaOf(about, {
    type: 'string',
    ...(min > 0 && { minLength: min }),
    maxLength: max,
    ...(absent !== undefined && { default: absent }),
  }),
  read: (given, name) => (given === undefined ? absent : withLength(name, given, { min, max })),
});

function withLength(name: string, given: string, { min, max }: { readonly min: number; readonly max: number }): string {
  const length = [...given].length;
  if (length >= min && length <= max) return given;
  const most = countOf(max, 'character');
  throw invalidArgument(name, min === 0 ? `must be at most ${most}` : `must be ${min} to ${most}`);
}

type Range = { readonly min: number; readonly max: number };

/**
 * Reads a whole number with an optional sign.
 * @param options.default what the operation takes in the place of an absent one, where the reader leaves that to it
 */
export const whole = <const F extends number | undefined = undefined>(
  about: About,
  { min, max, absent, default: fallback = absent }: Range & { readonly absent?: F; readonly default?: number },
): Argument<number | F> =>
  argument(
    schemaOf(about, {
      type: 'integer',
      minimum: min,
      maximum: max,
      ...(fallback !== undefined && { default: fallback }),
    }),
    absent as F,
    (given, name) => {
      const value = /^[+-]?\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
      if (!(value >= min && value <= max)) throw invalidArgument(name, `must be a whole number from ${min} to ${max}`);
      // "-0" is 0.
      return value === 0 ? 0 : value;
    },
  );

/** Takes a number that may have a fraction. */
export const decimal = <const F extends number | undefined = undefined>(
  about: About,
  { min, max, absent }: Range & { readonly absent?: F },
): Argument<number | F> =>
  argument(
    schemaOf(about, {
      type: 'number',
      minimum: min,
      maximum: max,
      ...(absent !== undefined && { default: absent }),
    }),
    absent as F,
    (given, name) => {
      const value = /^\+?\d{1,15}(\.\d{0,15})?$/.test(given) ? Number(given) : Number.NaN;
      if (!(value >= min && value <= max)) throw invalidArgument(name, `must be a number from ${min} to ${max}`);
      return value;
    },
  );

/**
 * One of the words (upper-case), given in any letter case.
 * @param options.synonyms further words with their meanings
 */
export const choice = <const T extends string, const F extends T | undefined = undefined>(
  about: About,
  words: readonly T[],
  { absent, synonyms = {} }: { readonly absent?: F; readonly synonyms?: Readonly<Record<string, T>> } = {},
): Argument<T | F> =>
  argument(
    schemaOf(
      about,
      { type: 'string', enum: words, ...(absent !== undefined && { default: absent }) },
      ' Any letter case.',
    ),
    absent as F,
    (given, name) => wordOf(given, name, words, synonyms),
  );

/** Takes a comma-separated set of the words. */
export const choices = <const T extends string>(
  about: About,
  words: readonly T[],
): Argument<readonly T[] | undefined> =>
  argument(
    schemaOf(about, { type: 'string' }, ` Comma-separated from ${words.join(', ')}.`),
    undefined,
    (given, name) => given.split(',').map((item) => wordOf(item.trim(), name, words, {}, 'one or more')),
  );

function wordOf<T extends string>(
  given: string,
  name: string,
  words: readonly T[],
  synonyms: Readonly<Record<string, T>>,
  many = 'one',
): T {
  const upper = given.toUpperCase();
  const found = words.find((word) => word.toUpperCase() === upper);
  if (found !== undefined) return found;
  if (Object.hasOwn(synonyms, upper)) return synonyms[upper] as T;
  throw invalidArgument(name, `must be ${words.length > 1 ? `${many} of ` : ''}${words.join(', ')}`);
}

/** TRUE or FALSE; unlike the others, an empty one is refused. */
export const flag = (about: About, absent: boolean): Argument<boolean> => ({
  schema: schemaOf(
    about,
    { type: 'string', enum: ['TRUE', 'FALSE'], default: absent ? 'TRUE' : 'FALSE' },
    ' Any letter case.',
  ),
  read: (given, name) => {
    const value = given === undefined ? absent : parseBoolean(given);
    if (value === undefined) throw invalidArgument(name, 'must be TRUE or FALSE');
    return value;
  },
});

/** Takes TRUE or FALSE, where neither of them is what absence means. */
export const optionalFlag = (about: About): Argument<boolean | undefined> =>
  argument(
    schemaOf(about, { type: 'string', enum: ['TRUE', 'FALSE'] }, ' Any letter case.'),
    undefined,
    (given, name) => flag(about, false).read(given, name, UTC_ZONE),
  );

/** ISO 8601 or relative. */
export const time = (about: About): Argument<TimeArgument | undefined> =>
  argument(schemaOf(about, { type: 'string' }), undefined, (given, name, zone) => readTimeArgument(name, given, zone));

export const relativeTime = (about: About): Argument<OpcExpression | undefined> =>
  argument(schemaOf(about, { type: 'string' }), undefined, (given, name) => parseOpcArgument(name, given));

export const period = (about: About): Argument<OpcPeriod | undefined> =>
  argument(schemaOf(about, { type: 'string' }), undefined, (given, name) => parsePeriodArgument(name, given));
