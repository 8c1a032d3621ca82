import { MAX_STATES, STATE_SCHEMA, STATES_TYPES } from '@catchment/states';
import { ACCESS, ROLE } from './access/index.ts';
import { ACCOUNT, ACCOUNT_TYPES, CATEGORY, GROUP, QUALITY } from './accounts/index.ts';
import type { ClassNames } from './domain/body/class-names.ts';
import type { Fields, JsonObject, Rule } from './domain/body/rule.ts';
import { fieldsSchema, optionalSchema, schemaOf } from './domain/body/rule-schema.ts';
import { ALARM_CONFIGS } from './domain/classes/alarm-config.ts';
import { AGGREGATION, COLUMN, COMMON, LINE, VALUE_TYPES } from './domain/classes/chart.ts';
import { ALL_CLASSES } from './domain/classes/class-table.ts';
import { isControl } from './domain/classes/node-class.ts';
import { TRANSPORTS } from './domain/classes/transport-fields.ts';
import { API_KEY } from './keys/index.ts';
import { PREFERENCES } from './notifications/index.ts';
import { PROFILE } from './people/index.ts';
import { WRITTEN_MESSAGE } from './sending/index.ts';

const STATES: Readonly<Record<string, JsonObject>> = {
  states: optionalSchema({ type: 'array', maxItems: MAX_STATES, items: STATE_SCHEMA }, undefined),
  statesType: optionalSchema({ type: 'string', enum: STATES_TYPES }, undefined),
  hysteresis: optionalSchema({ type: 'number', minimum: 0 }, 0),
};

/** By the family of the class; null takes back what waits. */
const CONTROL_VALUE: JsonObject = { type: ['number', 'string', 'object', 'null'] };

type Found = { readonly classes: string[]; readonly schemas: Map<string, JsonObject> };
type Field = { readonly rule: Rule; readonly default: unknown };

/**
 * What OpenAPI shows of the bodies that this service takes, out of the tables by which they are read. `npm run generate` puts it
 * where the gateway finds it.
 */
export const apiSchemas = (names: ClassNames) => ({
  nodeClasses: ALL_CLASSES.map(({ name }) => names.full(name)),
  nodeAttributes: nodeAttributes(names),
  userProfile: fieldsSchema(PROFILE),
  quality: fieldsSchema(QUALITY),
  access: propertiesOf(ACCESS),
  preferences: schemaOf(PREFERENCES),
  writtenMessage: fieldsSchema(WRITTEN_MESSAGE),
  account: propertiesOf(ACCOUNT),
  accountTypes: ACCOUNT_TYPES,
  category: propertiesOf(CATEGORY),
  group: propertiesOf(GROUP),
  role: propertiesOf(ROLE),
  apiKey: propertiesOf(API_KEY),
});

/** Attributes of nodes by name, over all classes; null resets each to its default. */
function nodeAttributes(names: ClassNames): JsonObject {
  const specials: Readonly<Record<string, JsonObject>> = {
    alarms: alarms(),
    chart: chart(names),
    isPublic: optionalSchema({ type: 'boolean' }, false),
    transport: transport(names),
  };
  const found = new Map<string, Found>();
  const add = (name: string, cls: string, schema: JsonObject | undefined): void => {
    if (!schema) return;
    const entry: Found = found.get(name) ?? { classes: [], schemas: new Map() };
    entry.classes.push(cls);
    entry.schemas.set(JSON.stringify(schema), schema);
    found.set(name, entry);
  };
  for (const cls of ALL_CLASSES) {
    for (const [name, { rule, default: fallback }] of Object.entries(cls.attributes))
      add(name, cls.name, optionalSchema(schemaOf(rule), fallback));
    for (const special of cls.specials) add(special, cls.name, specials[special]);
    if (isControl(cls)) add('controlValue', cls.name, CONTROL_VALUE);
    if (cls.specials.includes('states'))
      for (const [name, schema] of Object.entries(STATES)) add(name, cls.name, schema);
  }
  return Object.fromEntries(
    [...found].map(([name, { classes, schemas }]) => {
      const [first = {}, ...others] = schemas.values();
      const schema = others.length === 0 ? first : { anyOf: [...schemas.values()] };
      return [name, classes.length === ALL_CLASSES.length ? schema : { ...schema, 'x-classes': classes }];
    }),
  );
}

const propertiesOf = (fields: Fields): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, { rule }]) => [name, schemaOf(rule)]));

const objectOf = (fields: Readonly<Record<string, Field>>, more: Fields = {}): JsonObject =>
  fieldsSchema({
    ...more,
    ...Object.fromEntries(
      Object.entries(fields).map(([name, { rule, default: value }]) => [name, { rule, default: value }]),
    ),
  });

const typed = (schema: JsonObject, ...classes: string[]): JsonObject => ({
  ...schema,
  properties: { _class: { type: 'string', enum: classes }, ...(schema.properties as JsonObject) },
});

function alarms(): JsonObject {
  const properties: Record<string, JsonObject> = {};
  for (const [type, fields] of Object.entries(ALARM_CONFIGS))
    if (fields)
      properties[type] = optionalSchema(
        { type: 'object', properties: { config: optionalSchema(objectOf(fields), undefined) } },
        undefined,
      );
  return optionalSchema({ type: 'object', properties }, undefined);
}

function chart(names: ClassNames): JsonObject {
  const type: Rule = { kind: 'choice', of: VALUE_TYPES };
  const { properties, ...rest } = objectOf({ ...COMMON, ...LINE, ...COLUMN });
  const aggregation = optionalSchema(objectOf(AGGREGATION, { type: { rule: type } }), undefined);
  const whole = { ...rest, properties: { ...(properties as JsonObject), aggregation } };
  return optionalSchema(
    typed(whole, ...['LineChart', 'ColumnChart'].map((one) => names.full(`point.chart.${one}`))),
    undefined,
  );
}

/** A clone has no device until it is given one: nothing but the class is in every transport. */
function transport(names: ClassNames): JsonObject {
  const kinds = [...new Set(ALL_CLASSES.flatMap(({ transports }) => transports))].map((name) => {
    const { required: _required, ...schema } = fieldsSchema(TRANSPORTS[name].fields);
    return { ...typed(schema, names.full(`transport.${name}`)), required: ['_class'] };
  });
  return { anyOf: [...kinds, { type: 'null' }] };
}
