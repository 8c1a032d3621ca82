import { defaultStates, type StatesFamily, type StoredStates, updateStates } from '@catchment/states';
import type { ClassNames } from '../body/class-names.ts';
import { readCustomId, readName } from '../body/names.ts';
import { invalidAttribute, type JsonObject, type RuleContext, readValue } from '../body/rule.ts';
import { updateAlarms } from './alarm-config.ts';
import { updateChart } from './chart.ts';
import { isUpdatable, UPDATABLE_NAMES } from './class-table.ts';
import { attributeOf, type Config, displayTypeOf, type Settings, statesOf, transportOf } from './node.ts';
import { isSource, type NodeClass } from './node-class.ts';
import { keepSecrets } from './secrets.ts';
import { readTransport } from './transport.ts';

type ChangeDeps = {
  readonly names: ClassNames;
  readonly context: RuleContext;
  readonly newPublicId: () => string;
  readonly newPushKey: () => string;
  readonly nowMs: number;
};

export type Change = {
  readonly settings: Settings;
  /** Attributes with these public names have another value now, in the order of the class table. */
  readonly changed: readonly string[];
};

/** Makes a new node before its body is read. */
export const blankSettings = (cls: NodeClass, newId: () => string, isBoolean = false): Settings => ({
  name: '',
  customId: null,
  seriesKey: null,
  publicId: null,
  config: {
    ...(isBoolean && { isBoolean: true as const, displayType: 'STATE' }),
    ...storedStates(defaultStates(statesFamily(cls, isBoolean), newId)),
  },
});

/**
 * Returns the settings of a node after a body (POST: over the blank ones; PUT: over the stored ones). Read-only and unknown
 * attributes are ignored; an attribute that the class does not have, a wrong type or a broken rule refuses all of it;
 * null resets to the default (docs/reference/node-tree.md#updates).
 * @throws DomainError invalid_argument naming the attribute
 */
export function changeSettings(cls: NodeClass, current: Settings, body: JsonObject, deps: ChangeDeps): Change {
  for (const [name, value] of Object.entries(body))
    if (UPDATABLE_NAMES.has(name) && !isUpdatable(cls, name) && value !== null)
      throw invalidAttribute(name, `is not an attribute of ${deps.names.full(cls.name)}`);

  const given = (name: string): unknown => (Object.hasOwn(body, name) ? body[name] : undefined);
  const name = given('name') === undefined ? current.name : readName(body.name);
  const customId = given('customId') === undefined ? current.customId : readCustomId(body.customId);
  const seriesKey = changeSeriesKey(cls, current, given('series'), deps);
  const config = changeConfig(cls, current.config, given, deps);
  const publicId = changePublicId(cls, current, config, given('publicId'), deps);
  const settings = { name, customId, seriesKey, publicId, config };
  checkTogether(cls, config);
  return { settings, changed: changedNames(cls, current, settings) };
}

function changeSeriesKey(cls: NodeClass, current: Settings, value: unknown, deps: ChangeDeps): string | null {
  const attribute = cls.attributes.series;
  if (!attribute || value === undefined) return current.seriesKey;
  return value === null ? null : (readValue(attribute.rule, value, 'series', deps.context) as string);
}

/**
 * Made when isPublic first becomes true, kept afterwards; `publicId: null` makes a new one
 * (docs/reference/node-tree.md#common-attributes).
 */
function changePublicId(
  cls: NodeClass,
  current: Settings,
  config: Config,
  value: unknown,
  deps: ChangeDeps,
): string | null {
  if (!cls.specials.includes('isPublic')) return null;
  if (current.publicId === null) return config.isPublic ? deps.newPublicId() : null;
  return value === null ? deps.newPublicId() : current.publicId;
}

function changeConfig(cls: NodeClass, current: Config, given: (name: string) => unknown, deps: ChangeDeps): Config {
  const context = { ...deps.context, names: deps.names };
  const result: Record<string, unknown> = { ...current };
  for (const [name, attribute] of Object.entries(cls.attributes)) {
    const value = given(name);
    if (value === undefined || name === 'series') continue;
    // A Boolean series shows its state by default (docs/reference/parameters.md#attributes).
    const fallback = name === 'displayType' && current.isBoolean ? 'STATE' : attribute.default;
    const next =
      value === null
        ? fallback
        : readValue(attribute.rule, keepSecrets(attribute.rule, value, current[name]), name, context);
    if (same(next, attribute.default)) delete result[name];
    else result[name] = next;
  }
  for (const special of cls.specials) changeSpecial(cls, special, result, given, deps);
  // Time parameters and Locations refuse states of their own (docs/reference/states.md#updates-of-states).
  if (cls.family && !cls.specials.includes('states'))
    updateStates('NONE', statesOf(current), statesGiven(given), statesDeps(deps));
  if (isSource(cls) && current.isEnabled === false && result.isEnabled !== false) result.enabledMs = deps.nowMs;
  return result as Config;
}

function changeSpecial(
  cls: NodeClass,
  special: NodeClass['specials'][number],
  result: Record<string, unknown>,
  given: (name: string) => unknown,
  deps: ChangeDeps,
): void {
  const config = result as Config;
  const value = given(special);
  switch (special) {
    case 'states':
      Object.assign(
        result,
        storedStates(
          updateStates(statesFamily(cls, config.isBoolean), statesOf(config), statesGiven(given), statesDeps(deps)),
        ),
      );
      return;
    case 'transport':
      if (value !== undefined)
        put(
          result,
          special,
          readTransport(cls, transportOf(config), value, deps),
          (transport) => transport.class === 'None',
        );
      return;
    case 'alarms':
      if (value !== undefined)
        put(result, special, updateAlarms(cls, config.alarms ?? {}, value, deps.context), isEmpty);
      return;
    case 'chart': {
      const subject = { family: cls.family ?? 'NUMBER', displayType: displayTypeOf(config) };
      const next =
        value === undefined ? undefined : updateChart(subject, config.chart ?? {}, value, deps.names, deps.context);
      if (next !== undefined) put(result, special, next, isEmpty);
      return;
    }
    case 'isPublic': {
      if (value === undefined) return;
      const isPublic = value !== null && readValue({ kind: 'boolean' }, value, special, deps.context);
      put(result, special, isPublic, (stored) => stored === false);
    }
  }
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

function put<T>(result: Record<string, unknown>, name: string, value: T, isDefault: (value: T) => boolean): void {
  if (isDefault(value)) delete result[name];
  else result[name] = value;
}

const statesGiven = (given: (name: string) => unknown) => ({
  states: given('states'),
  statesType: given('statesType'),
  hysteresis: given('hysteresis'),
});
const statesDeps = ({ context: { newId, hasCategory } }: ChangeDeps) => ({ newId, hasCategory });

function statesFamily(cls: NodeClass, isBoolean: boolean | undefined): StatesFamily {
  if (!cls.specials.includes('states')) return 'NONE';
  if (cls.family === 'TEXT') return 'TEXT';
  return isBoolean ? 'BOOLEAN' : 'NUMBER';
}

const storedStates = ({ statesType, states, hysteresis }: StoredStates): Config =>
  statesType === '' ? {} : { statesType, states, hysteresis };

/**
 * Checks rules between attributes of a node, of a source above all (docs/reference/sources.md#attributes,
 * docs/reference/acquisition.md#transports).
 * @throws DomainError invalid_argument
 */
export function checkTogether(cls: NodeClass, config: Config): void {
  cls.checkTogether?.(config);
  if (!isSource(cls)) return;
  const interval = attributeOf(cls, config, 'intervalSeconds') as number;
  const offset = attributeOf(cls, config, 'intervalOffsetSeconds') as number;
  if (offset >= interval) throw invalidAttribute('intervalOffsetSeconds', 'must be below intervalSeconds');
  if (config.scheduleType === 'REMOTE' && transportOf(config).class !== 'Scout')
    throw invalidAttribute('scheduleType', 'REMOTE needs a Scout transport');
  // The defaults of both do not fit the shorter intervals; only a choice of the user is held to the rule.
  if (config.retryAttempts === undefined && config.retryDelaySeconds === undefined) return;
  const attempts = attributeOf(cls, config, 'retryAttempts') as number;
  const delay = attributeOf(cls, config, 'retryDelaySeconds') as number;
  if (attempts * delay >= interval)
    throw invalidAttribute('retryDelaySeconds', 'times retryAttempts must stay below intervalSeconds');
}

/** Returns public names of the attributes that differ, in the order of the class table. */
export function changedNames(cls: NodeClass, before: Settings, after: Settings): string[] {
  const changed: string[] = [];
  if (before.name !== after.name) changed.push('name');
  if (before.customId !== after.customId) changed.push('customId');
  if (before.seriesKey !== after.seriesKey) changed.push('series');
  const names = [...Object.keys(cls.attributes), ...cls.specials, 'statesType', 'hysteresis'];
  for (const name of names) if (!same(before.config[name], after.config[name])) changed.push(name);
  if (before.publicId !== null && before.publicId !== after.publicId) changed.push('publicId');
  return changed;
}

/** Compares as JSON whatever the order of keys: what PostgreSQL's jsonb gives back has another order. */
function same(a: unknown, b: unknown): boolean {
  return a === b || canonical(a) === canonical(b);
}

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? '';
