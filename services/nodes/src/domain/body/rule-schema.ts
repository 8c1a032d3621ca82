import { HIDDEN } from './auth-keys.ts';
import type { Fields, JsonObject, Rule } from './rule.ts';

export const OBJECT_ID: JsonObject = { type: 'string', pattern: '^[0-9a-f]{24}$' };
const HIDDEN_SCHEMA: JsonObject = { const: HIDDEN, description: 'Set, and not shown.' };
const REFERENCE = '^([0-9a-fA-F]{24}|@.{1,255})$';

/**
 * Returns the JSON Schema of the values that a rule takes and of those that it stores. Words may be given in any letter case; the schema
 * has the case in which they are shown.
 */
export function schemaOf(rule: Rule): JsonObject {
  switch (rule.kind) {
    case 'boolean':
      return { type: 'boolean' };
    case 'number':
      return { type: 'number', ...bounds(rule.min, rule.max) };
    case 'integer':
      return { type: 'integer', ...bounds(rule.min, rule.max) };
    case 'choiceOfIntegers':
      return { type: 'integer', enum: rule.of };
    case 'text':
    case 'code':
      return textSchema(rule);
    case 'secret':
      return { anyOf: [HIDDEN_SCHEMA, textSchema({ min: 1, ...rule })] };
    case 'choice':
      return { type: 'string', enum: rule.of };
    case 'zone':
      return { type: 'string', examples: ['Australia/Perth'] };
    case 'time':
      return { type: 'string', format: 'date-time' };
    case 'opcPeriod':
      return { type: 'string', examples: ['1H30M'] };
    case 'opcTime':
      return { type: 'string', examples: ['NOW-1H'] };
    case 'entryId':
    case 'categoryId':
      return OBJECT_ID;
    case 'nodeRef':
      return { type: 'string', pattern: REFERENCE, description: `Id or \`@customId\` of ${rule.what}.` };
    case 'anyOf':
      return eitherOf(rule.rules.map(schemaOf));
    case 'list':
      return { type: 'array', items: schemaOf(rule.item), ...counts(rule.min, rule.max, 'Items') };
    case 'object':
      return fieldsSchema(rule.fields);
    case 'raw':
      return schemaOf(rule.of);
    case 'checked':
      return schemaOf(rule.rule);
  }
}

/**
 * Returns the JSON Schema of a value as answers show it: never null, which is left out, and without what only bodies must keep to. No part
 * is required: an entry that was stored before an attribute came lacks it.
 */
export function shownSchema(rule: Rule): JsonObject {
  switch (rule.kind) {
    case 'number':
    case 'integer':
      return { type: rule.kind };
    case 'text':
    case 'code':
      return { type: 'string' };
    case 'secret':
      return HIDDEN_SCHEMA;
    case 'nodeRef':
      return OBJECT_ID;
    case 'anyOf':
      return eitherOf(rule.rules.map(shownSchema));
    case 'list':
      return { type: 'array', items: shownSchema(rule.item) };
    case 'object':
      return shownFields(rule.fields);
    case 'raw':
      return shownSchema(rule.of);
    case 'checked':
      return shownSchema(rule.rule);
    default:
      return schemaOf(rule);
  }
}

/** Returns an object as answers show it. */
export const shownFields = (fields: Readonly<Record<string, { readonly rule: Rule }>>): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([name, { rule }]) => [name, shownSchema(rule)])),
});

/** Allows one of several schemas, each of which is named once. */
export function eitherOf(schemas: readonly JsonObject[]): JsonObject {
  const [only = {}, ...more] = new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values();
  return more.length === 0 ? only : { anyOf: [only, ...more] };
}

/** Fields that are not required may be null, which is as if they were absent. */
export function fieldsSchema(fields: Fields): JsonObject {
  const entries = Object.entries(fields);
  const required = entries.filter(([, field]) => field.required).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, field]) => [
        name,
        field.required ? schemaOf(field.rule) : optionalSchema(schemaOf(field.rule), field.default),
      ]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/** Returns a schema to which null is added, and the default that null stands for. */
export function optionalSchema(schema: JsonObject, fallback: unknown): JsonObject {
  const { type, enum: words } = schema;
  const nullable =
    typeof type === 'string'
      ? { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) }
      : Object.keys(schema).length === 0
        ? schema
        : { anyOf: [schema, { type: 'null' }] };
  return fallback === undefined || fallback === null ? nullable : { ...nullable, default: fallback };
}

type TextRule = { readonly min?: number; readonly max: number; readonly pattern?: RegExp; readonly rule?: string };

/** Patterns with flags have no form that every JSON Schema knows: the description states their rule. */
const textSchema = ({ min, max, pattern, rule }: TextRule): JsonObject => ({
  type: 'string',
  ...counts(min || undefined, max, 'Length'),
  ...(pattern?.flags === '' && { pattern: pattern.source }),
  ...(rule !== undefined && { description: `${rule.charAt(0).toUpperCase()}${rule.slice(1)}.` }),
});

const bounds = (minimum: number | undefined, maximum: number | undefined): JsonObject => ({
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
});

const counts = (min: number | undefined, max: number, what: 'Items' | 'Length'): JsonObject => ({
  ...(min !== undefined && { [`min${what}`]: min }),
  [`max${what}`]: max,
});
