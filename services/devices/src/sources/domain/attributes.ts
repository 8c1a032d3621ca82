import { type DomainError, invalid } from '@catchment/errors';
import { textProblem } from '@catchment/ids';
import { isJsonObject, type JsonObject } from '@catchment/json-body';

export const invalidAttribute = (name: string, rule: string): DomainError =>
  invalid('INVALID_ATTRIBUTE', `${name}: ${rule}`);

/** This text stands for a secret that is set. */
export const MASK = '********';

/** A value of an attribute must obey this. Absent and null stand for the default. */
export type Attribute<T> = {
  readonly default: T;
  /** The description of the API shows this JSON Schema. */
  readonly schema: JsonObject;
  /** @param at its full dotted name @throws DomainError invalid_argument naming it and the rule */
  readonly read: (value: unknown, at: string) => T;
};
/** Attributes by their public names. */
export type Attributes = Readonly<Record<string, Attribute<unknown>>>;
type Values<A extends Attributes> = { [Name in keyof A]: A[Name] extends Attribute<infer T> ? T : never };

/** Reads the attributes of an object; others are never looked at (docs/reference/node-tree.md#updates). */
export const readAttributes = <A extends Attributes>(attributes: A, given: JsonObject, path = ''): Values<A> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      return [name, readAttribute(attribute, value, path ? `${path}.${name}` : name)];
    }),
  ) as Values<A>;

/** A default given back is one, also where no client could choose it. */
const readAttribute = <T>(attribute: Attribute<T>, value: unknown, at: string): T =>
  value === undefined || value === null || value === attribute.default ? attribute.default : attribute.read(value, at);

export const text = (fallback: string, { pattern, says }: { pattern: RegExp; says: string }): Attribute<string> => ({
  default: fallback,
  // A pattern with flags has no form that every reader of JSON Schema knows.
  schema: { type: 'string', ...(pattern.flags === '' ? { pattern: pattern.source } : { description: says }) },
  read: (value, at) => {
    if (typeof value === 'string' && pattern.test(value) && !textProblem(value)) return value;
    throw invalidAttribute(at, says);
  },
});

export const whole = (fallback: number, minimum: number, maximum: number): Attribute<number> => ({
  default: fallback,
  schema: { type: 'integer', minimum, maximum },
  read: (value, at) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    throw invalidAttribute(at, `must be a whole number from ${minimum} to ${maximum}`);
  },
});

export const flag = (fallback: boolean): Attribute<boolean> => ({
  default: fallback,
  schema: { type: 'boolean' },
  read: (value, at) => {
    if (typeof value === 'boolean') return value;
    throw invalidAttribute(at, 'must be true or false');
  },
});

/** Takes one of the choices; texts in any letter case. */
export const choice = <const T extends string | number>(fallback: NoInfer<T>, of: readonly T[]): Attribute<T> => ({
  default: fallback,
  schema: { type: typeof fallback === 'string' ? 'string' : 'integer', enum: of },
  read: (value, at) => {
    const wanted = typeof value === 'string' ? value.toLowerCase() : value;
    const found = of.find((choice) => (typeof choice === 'string' ? choice.toLowerCase() : choice) === wanted);
    if (found !== undefined) return found;
    throw invalidAttribute(at, `must be one of ${of.join(', ')}`);
  },
});

/** Takes an object with attributes. */
export const object = <A extends Attributes>(attributes: A): Attribute<Values<A>> => ({
  default: readAttributes(attributes, {}),
  schema: schemaOf(attributes),
  read: (value, at) => {
    if (isJsonObject(value)) return readAttributes(attributes, value, at);
    throw invalidAttribute(at, 'must be an object');
  },
});

/** Shows the value as a mask, which may be given back. */
export const masked = (attribute: Attribute<string>): Attribute<string> => ({
  ...attribute,
  schema: { anyOf: [{ const: MASK, description: 'Set, and not shown.' }, attribute.schema] },
});

/** Null, which stands for the default, is in every schema. */
export const schemaOf = (attributes: Attributes): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(attributes).map(([name, { schema, default: fallback }]) => [
      name,
      { ...orNull(schema), ...(!isJsonObject(fallback) && fallback !== '' && { default: fallback }) },
    ]),
  ),
});

export const orNull = (schema: JsonObject): JsonObject =>
  typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'], ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }) }
    : { anyOf: [schema, { type: 'null' }] };
