import { type AlarmType, isOnByDefault } from '@catchment/query';
import type { ClassNames } from '../body/class-names.ts';
import {
  invalidAttribute,
  isJsonObject,
  type JsonObject,
  type Rule,
  type RuleContext,
  readValue,
} from '../body/rule.ts';
import type { NodeClass } from './node-class.ts';

type AlarmField = { readonly rule: Rule; readonly default: unknown };

const NOTIFY: AlarmField = {
  rule: { kind: 'choice', of: ['NEVER', 'ALWAYS', 'AWAY_FROM_NORMAL', 'TOWARDS_NORMAL'] },
  default: 'NEVER',
};
const CATEGORY: AlarmField = { rule: { kind: 'categoryId' }, default: null };
const enabled = (type: AlarmType): AlarmField => ({ rule: { kind: 'boolean' }, default: isOnByDefault(type) });
const MESSAGE: AlarmField = { rule: { kind: 'text', max: 255 }, default: '' };
const EXCLUDE: AlarmField = { rule: { kind: 'integer', min: 120, max: 315_360_000 }, default: null };

/** docs/reference/alarms.md#alarm-object names the config of each type, in the order in which it is shown; stateAlarm has none. */
export const ALARM_CONFIGS: Readonly<Record<AlarmType, Readonly<Record<string, AlarmField>> | undefined>> = {
  communicationsAlarm: { isEnabled: enabled('communicationsAlarm'), notify: NOTIFY, categoryId: CATEGORY },
  configurationAlarm: { isEnabled: enabled('configurationAlarm'), notify: NOTIFY, categoryId: CATEGORY },
  controlAlarm: { isEnabled: enabled('controlAlarm'), notify: NOTIFY, categoryId: CATEGORY },
  dataAlarm: {
    isEnabled: enabled('dataAlarm'),
    notify: NOTIFY,
    categoryId: CATEGORY,
    excludeBeforeSeconds: EXCLUDE,
    excludeAfterSeconds: EXCLUDE,
  },
  outdatedAlarm: {
    isEnabled: enabled('outdatedAlarm'),
    notify: NOTIFY,
    categoryId: CATEGORY,
    messageAway: MESSAGE,
    messageTowards: MESSAGE,
    latestData: { rule: { kind: 'choice', of: ['NEWEST', 'OLDEST'] }, default: 'NEWEST' },
  },
  overloadAlarm: { isEnabled: enabled('overloadAlarm'), notify: NOTIFY, categoryId: CATEGORY },
  processAlarm: { isEnabled: enabled('processAlarm'), notify: NOTIFY, categoryId: CATEGORY },
  qualityAlarm: {
    isEnabled: enabled('qualityAlarm'),
    notify: NOTIFY,
    categoryId: CATEGORY,
    qualityTypes: {
      rule: { kind: 'list', max: 3, item: { kind: 'choice', of: ['GOOD', 'BAD', 'UNCERTAIN'] } },
      default: ['BAD'],
    },
  },
  stateAlarm: undefined,
};

/** Settings that differ from the defaults, by alarm type. */
export type AlarmsConfig = Readonly<Record<string, JsonObject>>;

/**
 * Returns the alarm configuration after an update: only given attributes change; null resets one alarm, one config or all.
 * Status and `_class` are read-only and ignored.
 * @throws DomainError invalid_argument naming the attribute, for example `alarms.outdatedAlarm.config.notify`
 */
export function updateAlarms(
  cls: NodeClass,
  current: AlarmsConfig,
  value: unknown,
  context: RuleContext,
): AlarmsConfig {
  if (value === null) return {};
  if (!isJsonObject(value)) throw invalidAttribute('alarms', 'must be an object');
  const result: Record<string, JsonObject> = { ...current };
  for (const [name, given] of Object.entries(value)) {
    const at = `alarms.${name}`;
    const type = cls.alarms.find((alarm) => alarm === name);
    if (!type) throw invalidAttribute(at, `must be one of ${cls.alarms.join(', ')}`);
    if (given === null) {
      delete result[type];
      continue;
    }
    if (!isJsonObject(given)) throw invalidAttribute(at, 'must be an object');
    if (!Object.hasOwn(given, 'config') || given.config === undefined) continue;
    const config = updateConfig(type, current[type] ?? {}, given.config, `${at}.config`, context);
    if (Object.keys(config).length > 0) result[type] = config;
    else delete result[type];
  }
  return result;
}

function updateConfig(
  type: AlarmType,
  current: JsonObject,
  value: unknown,
  at: string,
  context: RuleContext,
): JsonObject {
  const fields = ALARM_CONFIGS[type];
  if (!fields) throw invalidAttribute(at, 'is not configurable; change the states instead');
  if (value === null) return {};
  if (!isJsonObject(value)) throw invalidAttribute(at, 'must be an object');
  const result: Record<string, unknown> = { ...current };
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(value, name) || value[name] === undefined) continue;
    const given = value[name] === null ? field.default : readValue(field.rule, value[name], `${at}.${name}`, context);
    if (JSON.stringify(given) === JSON.stringify(field.default)) delete result[name];
    else result[name] = given;
  }
  if (type === 'overloadAlarm' && result.isEnabled === false)
    throw invalidAttribute(`${at}.isEnabled`, 'must be true: this alarm cannot be disabled');
  if ((result.notify ?? 'NEVER') !== 'NEVER' && (result.categoryId ?? null) === null)
    throw invalidAttribute(`${at}.categoryId`, 'is required when notify is not NEVER');
  return result;
}

/** Returns the whole config of an alarm, defaults filled in; undefined for stateAlarm. */
export function alarmConfig(type: AlarmType, stored: AlarmsConfig): JsonObject | undefined {
  const fields = ALARM_CONFIGS[type];
  if (!fields) return undefined;
  const alarm = stored[type] ?? {};
  const config: Record<string, unknown> = {};
  for (const name in fields) config[name] = alarm[name] ?? fields[name]?.default;
  return config;
}

/** `outdatedAlarm` → `…alarm.OutdatedAlarm`. */
export const alarmClass = (type: string, names: ClassNames): string =>
  names.full(`alarm.${type.charAt(0).toUpperCase()}${type.slice(1)}`);
