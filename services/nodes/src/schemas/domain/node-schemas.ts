import { CHART_TYPES } from '@catchment/chart-settings';
import { MAX_STATES, STATE_SCHEMA, STATES_TYPES } from '@catchment/states';
import type { ClassNames } from '../../domain/body/class-names.ts';
import { NAME_SCHEMA } from '../../domain/body/names.ts';
import type { Fields, JsonObject } from '../../domain/body/rule.ts';
import { eitherOf, fieldsSchema, optionalSchema, schemaOf } from '../../domain/body/rule-schema.ts';
import { ALARM_CONFIGS } from '../../domain/classes/alarm-config.ts';
import { ANY_AGGREGATION, CHART_FIELDS } from '../../domain/classes/chart.ts';
import { ALL_CLASSES } from '../../domain/classes/class-table.ts';
import { isControl, isRoot, type NodeClass, type ValueFamily } from '../../domain/classes/node-class.ts';
import { TRANSPORTS } from '../../domain/classes/transport-fields.ts';
import { viewSchemas } from '../../views/index.ts';
import { type AttributeUse, SchemaParts } from './schema-parts.ts';

type Schemas = Readonly<Record<string, JsonObject>>;

const STATES: Schemas = {
  states: optionalSchema(
    { type: 'array', maxItems: MAX_STATES, items: { $id: 'StateInput', ...STATE_SCHEMA } },
    undefined,
  ),
  statesType: optionalSchema({ type: 'string', enum: STATES_TYPES }, undefined),
  hysteresis: optionalSchema({ type: 'number', minimum: 0 }, 0),
};

/** The key is the family of the class. A number or text may also be the name of a state. Null takes back what waits. */
const CONTROL_VALUES: Partial<Record<ValueFamily, JsonObject>> = {
  NUMBER: { type: ['number', 'string', 'null'] },
  TEXT: { type: ['string', 'null'] },
  TIME: { type: ['string', 'object', 'null'] },
};

/** Returns the name of the schema of a class: of `source.data.Modbus` it is ModbusSource. */
export function schemaName({ name }: Pick<NodeClass, 'name'>): string {
  const short = name.slice(name.lastIndexOf('.') + 1);
  return name.startsWith('source.data.') ? `${short}Source` : short;
}

/**
 * Returns the schemas of nodes by class, as answers show them and as bodies make them, out of the tables by which both is done; and the
 * parts that they share, by name.
 */
export function nodeSchemas(names: ClassNames) {
  const parts = new SchemaParts();
  const classes = ALL_CLASSES.map((cls) => ({ cls, name: schemaName(cls) }));
  const shown = classes.map(({ cls, name }) => ({ name, ...viewSchemas(cls, names) }));
  const made = classes.map(({ cls, name }) => ({ cls, name, attributes: bodySchemas(cls, names) }));
  const shownUses = parts.shared(
    shown.flatMap(({ name, always, maybe }) => usesOf(name, { ...always, ...maybe })),
    '',
  );
  const bodyUses = parts.shared(
    made.flatMap(({ name, attributes }) => usesOf(name, attributes)),
    'Input',
  );
  return {
    nodes: Object.fromEntries(
      shown.map(({ name, always }) => [
        name,
        { type: 'object', required: Object.keys(always), properties: propertiesOf(shownUses, name) },
      ]),
    ),
    nodeCreations: Object.fromEntries(
      made
        .filter(({ cls }) => cls.kind !== 'attachment')
        .map(({ cls, name }) => [name, creation(cls, names, propertiesOf(bodyUses, name))]),
    ),
    nodeAttributes: ofAnyClass(bodyUses),
    nodePart: ofAnyClass(shownUses),
    nodeParts: parts.all,
  };
}

const usesOf = (owner: string, schemas: Schemas): AttributeUse[] =>
  Object.entries(schemas).map(([attribute, schema]) => ({ owner, attribute, schema }));

const propertiesOf = (uses: readonly AttributeUse[], wanted: string): Schemas =>
  Object.fromEntries(uses.filter(({ owner }) => owner === wanted).map(({ attribute, schema }) => [attribute, schema]));

/** Returns attributes by name, over all classes. */
function ofAnyClass(uses: readonly AttributeUse[]): Schemas {
  const groups = Map.groupBy(uses, ({ attribute }) => attribute);
  return Object.fromEntries(
    [...groups].map(([attribute, group]) => {
      const schemas = group.map(({ schema }) => schema);
      const words = [...new Set(schemas.flatMap((schema) => (schema.enum as readonly string[] | undefined) ?? []))];
      return [attribute, attribute === '_class' ? { type: 'string', enum: words } : eitherOf(schemas)];
    }),
  );
}

const PARENT: JsonObject = { type: 'string', description: 'Id or `@customId` of the node that it lies in.' };

function creation(cls: NodeClass, names: ClassNames, attributes: Schemas): JsonObject {
  const parent = isRoot(cls) ? undefined : { parentId: PARENT };
  return {
    type: 'object',
    required: ['_class', 'name', ...Object.keys(parent ?? {})],
    properties: { _class: { type: 'string', enum: [names.full(cls.name)] }, ...parent, ...attributes },
  };
}

/** Lists what a body may set on a class; null resets to the default. */
function bodySchemas(cls: NodeClass, names: ClassNames): Schemas {
  const specials: Schemas = {
    alarms: alarms(cls),
    chart: chart(names),
    isPublic: optionalSchema({ type: 'boolean' }, false),
    transport: transport(cls, names),
  };
  return {
    name: NAME_SCHEMA,
    customId: { type: ['string', 'null'], description: 'Own reference, unique in the account.' },
    ...Object.fromEntries(
      Object.entries(cls.attributes).map(([name, { rule, default: fallback }]) => [
        name,
        optionalSchema(schemaOf(rule), fallback),
      ]),
    ),
    ...Object.fromEntries(cls.specials.flatMap((name) => (specials[name] ? [[name, specials[name]]] : []))),
    ...(isControl(cls) && cls.family && { controlValue: CONTROL_VALUES[cls.family] }),
    ...(cls.specials.includes('states') && STATES),
  };
}

const withClass = (schema: JsonObject, classes: readonly string[]): JsonObject => ({
  ...schema,
  properties: { _class: { type: 'string', enum: classes }, ...(schema.properties as JsonObject) },
});

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

function alarms(cls: NodeClass): JsonObject {
  const properties = cls.alarms.flatMap((type) => {
    const fields = ALARM_CONFIGS[type];
    const config = fields && optionalSchema(fieldsSchema(fields), undefined);
    const alarm = { $id: `${upper(type)}Input`, type: ['object', 'null'], properties: { config } };
    return fields ? [[type, alarm]] : [];
  });
  return { type: ['object', 'null'], properties: Object.fromEntries(properties) };
}

function chart(names: ClassNames): JsonObject {
  const fields: Fields = { ...CHART_FIELDS, aggregation: { rule: ANY_AGGREGATION } };
  const classes = CHART_TYPES.map((type) => names.full(`point.chart.${type}`));
  return optionalSchema(withClass(fieldsSchema(fields), classes), undefined);
}

/** A clone has no device until it is given one: nothing but the class is in every transport. */
function transport(cls: NodeClass, names: ClassNames): JsonObject {
  const kinds = cls.transports.map((name) => {
    const { fields, hasKey } = TRANSPORTS[name];
    const { required: _required, ...schema } = fieldsSchema({ ...(hasKey && { key: KEY }), ...fields });
    return {
      $id: `${name}TransportInput`,
      ...withClass(schema, [names.full(`transport.${name}`)]),
      required: ['_class'],
    };
  });
  return { anyOf: [...kinds, { type: 'null' }] };
}

/** The platform makes the key: null makes a new one, anything else is ignored. */
const KEY: Fields[string] = { rule: { kind: 'text', max: 255 } };
