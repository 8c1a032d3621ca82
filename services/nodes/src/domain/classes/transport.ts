import type { TransportName } from '@catchment/contracts/transports';
import type { ClassNames } from '../body/class-names.ts';
import {
  type Fields,
  invalidAttribute,
  isJsonObject,
  type JsonObject,
  type Rule,
  type RuleContext,
  readObject,
} from '../body/rule.ts';
import { shownFields } from '../body/rule-schema.ts';
import type { NodeClass } from './node-class.ts';
import { keepSecrets, maskSecrets } from './secrets.ts';
import { TRANSPORTS } from './transport-fields.ts';

/**
 * Data comes to a source by this transport (docs/reference/acquisition.md#transports), as it is stored: the class
 * without prefix and its fields.
 */
export type Transport = {
  readonly class: TransportName;
  /** Device that connects, for transports that have one; absent on a clone until it is given one. */
  readonly deviceId?: string;
  /** The key of a push transport is made here, unique in the installation. */
  readonly key?: string;
} & JsonObject;

export const NO_TRANSPORT: Transport = { class: 'None' };

const fieldsOf = (name: TransportName): Fields => TRANSPORTS[name].fields;

/** Dependencies of reading a transport. */
export type TransportDeps = {
  readonly names: ClassNames;
  readonly context: RuleContext;
  readonly newPushKey: () => string;
};

/**
 * Reads the `transport` of a body; null resets to None. It replaces the stored one, of which only secrets given back as they were
 * shown, the push key, and a station that is left out stay; `key: null` makes a new key, and `siteId: null` a new station.
 * @throws DomainError invalid_argument
 */
export function readTransport(cls: NodeClass, current: Transport, value: unknown, deps: TransportDeps): Transport {
  if (value === null) return NO_TRANSPORT;
  if (!isJsonObject(value)) throw invalidAttribute('transport', 'must be an object');
  const { names } = deps;
  const stored = names.stored(value._class);
  const known = cls.transports.find((transport) => stored === `transport.${transport}`);
  if (!known) {
    const choices = cls.transports.map((transport) => names.full(`transport.${transport}`)).join(', ');
    throw invalidAttribute('transport._class', `must be one of ${choices}`);
  }
  const row = TRANSPORTS[known];
  const rule: Rule = { kind: 'object', fields: fieldsOf(known) };
  const given = keepSecrets(rule, value, known === current.class ? current : undefined) as JsonObject;
  const read = readObject(fieldsGiven(known, given, deps.context), given, 'transport', deps.context);
  const fields = row.complete?.(read) ?? read;
  row.check?.(fields, cls.kind);
  if (!row.hasKey)
    return { class: known, ...fields, ...drawnField(row, { given: value, fields, current, known }, deps) };
  const key = value.key === null ? undefined : current.key;
  return { class: known, key: key ?? deps.newPushKey(), ...fields };
}

/** Draws a station that nobody has chosen, outside of templates. */
function drawnField(
  { drawn }: (typeof TRANSPORTS)[TransportName],
  {
    given,
    fields,
    current,
    known,
  }: { given: JsonObject; fields: JsonObject; current: Transport; known: TransportName },
  { context, newPushKey }: TransportDeps,
): JsonObject {
  if (drawn === undefined || context.template || fields[drawn] !== undefined) return {};
  const kept = known === current.class && given[drawn] !== null ? current[drawn] : undefined;
  return { [drawn]: kept ?? newPushKey() };
}

/** A device is of one source alone, so a template has none (docs/reference/templates.md#instances). @throws DomainError invalid_argument */
function fieldsGiven(name: TransportName, value: JsonObject, { template }: RuleContext): Fields {
  if (!template) return fieldsOf(name);
  const ofDevice = TRANSPORTS[name].deviceFields ?? [];
  for (const field of ofDevice)
    if ((value[field] ?? null) !== null)
      throw invalidAttribute(`transport.${field}`, 'must not be given in a template: each instance has its own');
  return Object.fromEntries(Object.entries(fieldsOf(name)).filter(([field]) => !ofDevice.includes(field)));
}

/** The public object. */
export function transportView(transport: Transport, names: ClassNames): JsonObject {
  const { class: name, ...fields } = transport;
  const shown = maskSecrets({ kind: 'object', fields: fieldsOf(name) }, fields) as JsonObject;
  return { _class: names.full(`transport.${name}`), ...shown };
}

/** Returns the JSON Schema of what `transportView` shows of a class of transports. */
export function transportSchema(name: TransportName, names: ClassNames): JsonObject {
  const { fields, hasKey } = TRANSPORTS[name];
  const key: Fields = { key: { rule: { kind: 'text', max: 255 } } };
  const { properties } = shownFields({ ...(hasKey && key), ...fields });
  const _class = { type: 'string', enum: [names.full(`transport.${name}`)] };
  return { $id: `${name}Transport`, type: 'object', properties: { _class, ...(properties as JsonObject) } };
}

/** True for a transport that stands for a device and names none. */
export const lacksDevice = (transport: Transport): boolean =>
  TRANSPORTS[transport.class].deviceFields?.some((name) => transport[name] === undefined) ?? false;

/** Returns a template's transport in an instance, which keeps its device (docs/reference/templates.md#instances). */
export function instanceTransport(ofTemplate: Transport, ofInstance: Transport): Transport {
  if (ofInstance.class !== ofTemplate.class) return ofTemplate;
  const device = (TRANSPORTS[ofInstance.class].deviceFields ?? []).filter((name) => ofInstance[name] !== undefined);
  return { ...ofTemplate, ...Object.fromEntries(device.map((name) => [name, ofInstance[name]])) };
}

/**
 * Returns the transport of a clone: it has a new key, a new station where stations are drawn, and no other device
 * (docs/reference/node-tree.md#clone).
 * @param newStation absent: for a template, which has none
 */
export function cloneTransport(
  transport: Transport,
  newPushKey: () => string,
  newStation: (() => string) | undefined,
): { readonly transport: Transport; readonly needsDevice: boolean } {
  const { deviceFields = [], drawn } = TRANSPORTS[transport.class];
  const result: Record<string, unknown> = { ...transport };
  for (const name of deviceFields) delete result[name];
  if (transport.key !== undefined) result.key = newPushKey();
  if (drawn !== undefined && newStation) result[drawn] = newStation();
  const needsDevice = deviceFields.some((name) => name !== drawn && result[name] === undefined);
  return { transport: result as Transport, needsDevice };
}
