/** OpenAPI documents of forms have this part of JSON Schema 2020-12. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
};
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** A secret that is set reads so: it is never read back. */
export const HIDDEN = '********';
/** Texts of this many characters are written on several lines. */
const LONG = 300;
const COLOUR = '^#[0-9a-fA-F]{6}$';
/** A field lies in schemas of these names: one that names itself would never end. */
type Chain = readonly string[];

type Shape =
  | { readonly kind: 'text'; readonly isLong: boolean; readonly choices: readonly string[] }
  | { readonly kind: 'number'; readonly isWhole: boolean; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly choices: readonly (string | number)[] }
  /** Such as #1f77b4, or a word that stands for one. */
  | { readonly kind: 'colour'; readonly choices: readonly string[] }
  | { readonly kind: 'time' }
  | { readonly kind: 'secret' }
  /** A number or a text, whichever it reads as. */
  | { readonly kind: 'scalar' }
  /** `word` stands for no list at all: AUTOMATIC in the place of colours. */
  | { readonly kind: 'list'; readonly item: Field; readonly most: number; readonly word?: string }
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | {
      readonly kind: 'oneOf';
      readonly options: readonly { readonly name: string; readonly fields: readonly Field[] }[];
    }
  /** The value is too free for fields, and written as JSON. */
  | { readonly kind: 'json' };

export type Field = {
  readonly name: string;
  readonly shape: Shape;
  readonly hint: string;
  readonly isRequired: boolean;
  /** Null resets to the default. */
  readonly isNullable: boolean;
  readonly usual: unknown;
  readonly example: unknown;
  readonly maxLength: number | undefined;
};

const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Returns the schema that another one refers to, or else that one itself. */
export const referred = (schema: JsonSchema | undefined, all: Schemas): JsonSchema | undefined =>
  schema?.$ref ? all[refName(schema.$ref)] : schema;

/** Returns the schema itself, with what it refers to and what all of its parts say put together. */
function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const { $ref, allOf, ...rest } = schema;
  let all: JsonSchema = rest;
  if ($ref !== undefined) all = { ...resolved(schemas[refName($ref)] ?? {}, schemas), ...rest };
  for (const part of allOf ?? []) {
    const other = resolved(part, schemas);
    all = {
      ...other,
      ...all,
      ...((other.properties || all.properties) && { properties: { ...other.properties, ...all.properties } }),
    };
  }
  return all;
}

const typesOf = ({ type }: JsonSchema): readonly string[] => (type === undefined ? [] : [type].flat());
const isNull = (schema: JsonSchema): boolean => schema.type === 'null';

const namesOf = ({ $ref, allOf = [] }: JsonSchema): Chain => [
  ...($ref === undefined ? [] : [refName($ref)]),
  ...allOf.flatMap(namesOf),
];

/** The field of an attribute. */
export function fieldOf(
  name: string,
  given: JsonSchema,
  schemas: Schemas,
  isRequired = false,
  chain: Chain = [],
): Field {
  const names = namesOf(given);
  const isLoop = names.some((name) => chain.includes(name));
  let schema = resolved(given, schemas);
  let isNullable = typesOf(schema).includes('null');
  const alternatives = alternativesOf(schema, schemas);
  if (alternatives.some(isNull)) isNullable = true;
  const left = alternatives.filter((alternative) => !isNull(alternative));
  if (left.length === 1) {
    const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
    schema = { ...left[0], ...rest };
    isNullable ||= typesOf(left[0]!).includes('null');
  }
  return {
    name,
    shape: isLoop ? { kind: 'json' } : shapeOf(schema, left, schemas, [...chain, ...names]),
    hint: schema.description ?? '',
    isRequired,
    isNullable,
    usual: schema.default,
    example: schema.examples?.[0],
    maxLength: schema.maxLength,
  };
}

/** Lists all that an attribute may be; alternatives of alternatives are alternatives. */
function alternativesOf(schema: JsonSchema, schemas: Schemas): readonly JsonSchema[] {
  return [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((alternative) => {
    const whole = resolved(alternative, schemas);
    const inner = alternativesOf(whole, schemas);
    return inner.length > 0 ? inner : [whole];
  });
}

/** The class of an object is chosen like its other attributes where there are several; of one class there is nothing to choose. */
const isChosenClass = ({ enum: classes }: JsonSchema): boolean => classes === undefined || classes.length > 1;

/** Lists the fields of an object; what is read-only is none. */
export const fieldsOf = (schema: JsonSchema, schemas: Schemas, chain: Chain = []): readonly Field[] => {
  const { properties = {}, required = [] } = resolved(schema, schemas);
  return Object.entries(properties)
    .filter(
      ([name, property]) => (name !== '_class' || isChosenClass(property)) && !resolved(property, schemas).readOnly,
    )
    .map(([name, property]) =>
      fieldOf(name, property, schemas, required.includes(name), [...chain, ...namesOf(schema)]),
    );
};

function shapeOf(schema: JsonSchema, alternatives: readonly JsonSchema[], schemas: Schemas, chain: Chain): Shape {
  if (alternatives.length > 1) return shapeOfMany(alternatives, schemas, chain);
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (schema.enum?.includes(HIDDEN) || schema.writeOnly || schema.format === 'password') return { kind: 'secret' };
  if (schema.enum) return choiceOf(schema.enum);
  if (types.length > 1)
    return types.every((type) => type !== 'array') && types.includes('string') ? { kind: 'scalar' } : { kind: 'json' };
  switch (types[0]) {
    case 'string':
      if (schema.format === 'date-time') return { kind: 'time' };
      if (schema.pattern === COLOUR) return { kind: 'colour', choices: [] };
      return { kind: 'text', isLong: (schema.maxLength ?? 0) > LONG, choices: [] };
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isWhole: types[0] === 'integer',
        ...(schema.minimum !== undefined && { minimum: schema.minimum }),
        ...(schema.maximum !== undefined && { maximum: schema.maximum }),
      };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      if (!schema.items) return { kind: 'json' };
      return {
        kind: 'list',
        item: fieldOf('', schema.items, schemas, false, chain),
        most: schema.maxItems ?? 1_000,
      };
    case 'object':
      return schema.properties ? { kind: 'object', fields: fieldsOf(schema, schemas, chain) } : { kind: 'json' };
    default:
      return { kind: 'json' };
  }
}

function choiceOf(values: readonly unknown[]): Shape {
  const choices = values.filter((value) => typeof value === 'string' || typeof value === 'number');
  return { kind: 'choice', choices };
}

function shapeOfMany(alternatives: readonly JsonSchema[], schemas: Schemas, chain: Chain): Shape {
  if (alternatives.some((alternative) => alternative.enum?.includes(HIDDEN))) return { kind: 'secret' };
  const names = alternatives.map((alternative) => alternative.properties?._class?.enum?.[0]);
  if (names.every((name) => typeof name === 'string'))
    return {
      kind: 'oneOf',
      options: alternatives.map((alternative, i) => ({
        name: names[i] as string,
        fields: fieldsOf(alternative, schemas, chain),
      })),
    };
  // Lists of the values that a class allows of an attribute that several classes have.
  if (alternatives.every((alternative) => alternative.enum))
    return choiceOf([...new Set(alternatives.flatMap((alternative) => alternative.enum!))]);
  const types = new Set(alternatives.flatMap((alternative) => typesOf(alternative)).filter((type) => type !== 'null'));
  if (types.size === 1 && types.has('string')) {
    const choices = alternatives
      .flatMap((alternative) => alternative.enum ?? [])
      .filter((value) => typeof value === 'string');
    return alternatives.some(({ pattern }) => pattern === COLOUR)
      ? { kind: 'colour', choices }
      : { kind: 'text', isLong: false, choices };
  }
  const [word] = alternatives.flatMap((alternative) => alternative.enum ?? []);
  const [lists, others] = [
    alternatives.filter((alternative) => alternative.items),
    alternatives.filter((alternative) => !alternative.items),
  ];
  if (typeof word === 'string' && lists.length === 1 && others.every((other) => other.enum?.length === 1)) {
    const list = shapeOf(lists[0]!, [], schemas, chain);
    return list.kind === 'list' ? { ...list, word } : list;
  }
  if (types.size === 1 && types.has('object'))
    return { kind: 'object', fields: mergedFields(alternatives, schemas, chain) };
  const isSimple = [...types].every((type) => ['string', 'number', 'integer'].includes(type));
  return isSimple && types.size > 0 ? { kind: 'scalar' } : { kind: 'json' };
}

function mergedFields(alternatives: readonly JsonSchema[], schemas: Schemas, chain: Chain): readonly Field[] {
  const all = new Map<string, Field>();
  for (const alternative of alternatives)
    for (const field of fieldsOf(alternative, schemas, chain)) all.set(field.name, field);
  return [...all.values()];
}
