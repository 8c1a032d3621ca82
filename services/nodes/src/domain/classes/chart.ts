import {
  AGGREGATION_MODES,
  BASELINE_TYPES,
  CHART_SETTINGS,
  CHART_TYPES,
  type ChartSetting,
  type ChartSettingName,
  type ChartType,
  chartTypeOf,
  defaultOf,
  HEX_COLOUR,
  INTERVAL_INCLUDES,
  settingsOf,
} from '@catchment/chart-settings';
import { AGGREGATES_OF_ANYTHING, INTERVAL_AGGREGATES, PERCENTILE_RANGE } from '@catchment/query';
import type { ClassNames } from '../body/class-names.ts';
import {
  invalidAttribute,
  isJsonObject,
  type JsonObject,
  type Rule,
  type RuleContext,
  readValue,
} from '../body/rule.ts';
import { optionalSchema, shownSchema } from '../body/rule-schema.ts';
import { choice, FLAG, whole } from '../body/rules.ts';
import type { ValueFamily } from './node-class.ts';

type ChartField = { readonly rule: Rule; readonly default: unknown };
type ChartFields = Readonly<Record<string, ChartField>>;

/** Stored sparsely: the series type and what differs from its defaults. */
export type ChartConfig = {
  readonly type?: ChartType;
  readonly aggregation?: JsonObject;
} & JsonObject;

/** These properties decide defaults and allowed aggregates. */
export type ChartSubject = { readonly family: ValueFamily; readonly displayType: string };

export const COLOUR: Rule = {
  kind: 'anyOf',
  rules: [choice('AUTOMATIC'), { kind: 'text', max: 7, pattern: HEX_COLOUR }],
  rule: 'must be AUTOMATIC or a colour such as #1f77b4',
};

function ruleOf(setting: ChartSetting): Rule {
  switch (setting.kind) {
    case 'choice':
      return choice(...setting.of);
    case 'integer':
      return whole(setting.min, setting.max);
    case 'boolean':
      return FLAG;
    case 'colour':
      return COLOUR;
    case 'seconds':
      return { kind: 'number', min: setting.min, max: setting.max };
  }
}

/** Settings of all chart types. */
export const CHART_FIELDS = Object.fromEntries(
  Object.entries(CHART_SETTINGS).map(([name, setting]) => [name, { rule: ruleOf(setting), default: setting.default }]),
) as Readonly<Record<ChartSettingName, ChartField>>;

const VALUE_TYPES = ['CHANGE', ...INTERVAL_AGGREGATES] as const;
const STATE_TYPES = AGGREGATES_OF_ANYTHING;
export const PERCENTILE: Rule = { kind: 'number', ...PERCENTILE_RANGE };

const AGGREGATION: ChartFields = {
  mode: { rule: choice(...AGGREGATION_MODES), default: 'AUTOMATIC' },
  period: { rule: { kind: 'choice', of: ['AUTOMATIC', 'FIXED'], synonyms: { CUSTOM: 'FIXED' } }, default: 'AUTOMATIC' },
  percentile: { rule: PERCENTILE, default: null },
  interval: { rule: { kind: 'opcPeriod' }, default: null },
  intervalInclude: { rule: choice(...INTERVAL_INCLUDES), default: 'PARTIAL' },
  baseTime: { rule: { kind: 'opcTime' }, default: null },
  baselineType: { rule: choice(...BASELINE_TYPES), default: 'ABSOLUTE' },
};

/** `aggregation` of any chart. */
export const ANY_AGGREGATION: Rule = {
  kind: 'object',
  fields: { ...AGGREGATION, type: { rule: choice(...VALUE_TYPES) } },
};

const showsValues = ({ family, displayType }: ChartSubject) => family === 'NUMBER' && displayType === 'VALUE';
const allowedTypes = (subject: ChartSubject): readonly string[] => (showsValues(subject) ? VALUE_TYPES : STATE_TYPES);

const defaultAggregate = (subject: ChartSubject): string => (showsValues(subject) ? 'INTERPOLATED' : 'START');

/**
 * Returns the chart settings after an update: only given attributes change, null resets one attribute or all; attributes of the
 * other series type are ignored (docs/reference/parameters.md#chart-settings).
 * @throws DomainError invalid_argument naming the attribute, for example `chart.lineWidth`
 */
export function updateChart(
  subject: ChartSubject,
  current: ChartConfig,
  value: unknown,
  names: ClassNames,
  context: RuleContext,
): ChartConfig {
  if (value === null) return {};
  if (!isJsonObject(value)) throw invalidAttribute('chart', 'must be an object');
  const type = readType(value, current, names);
  const result: Record<string, unknown> = type === 'ColumnChart' ? { type } : {};
  for (const [name] of settingsOf(type)) {
    const kept = current[name];
    const given = value[name];
    const next =
      given === undefined
        ? kept
        : given === null
          ? undefined
          : readValue(CHART_FIELDS[name].rule, given, `chart.${name}`, context);
    if (next !== undefined && next !== defaultOf(name, type, subject.displayType)) result[name] = next;
  }
  const aggregation = updateAggregation(subject, current.aggregation ?? {}, value.aggregation, context);
  if (Object.keys(aggregation).length > 0) result.aggregation = aggregation;
  return result as ChartConfig;
}

function readType(value: JsonObject, current: ChartConfig, names: ClassNames): ChartType {
  if (value._class === undefined || value._class === null) return chartTypeOf(current.type);
  return chartTypeNamed(value._class, 'chart', names);
}

/** Returns the type that a public class names. @throws DomainError invalid_argument naming the attribute `_class` at `at` */
export function chartTypeNamed(value: unknown, at: string, names: ClassNames | undefined): ChartType {
  const type = CHART_TYPES.find((type) => names?.stored(value) === `point.chart.${type}`);
  if (type) return type;
  const known = CHART_TYPES.map((type) => names?.full(`point.chart.${type}`)).join(', ');
  throw invalidAttribute(`${at}._class`, `must be one of ${known}`);
}

/** Makes the settings of aggregation after an update, sparse. @param at for refusals */
export function updateAggregation(
  subject: ChartSubject,
  current: JsonObject,
  value: unknown,
  context: RuleContext,
  at = 'chart.aggregation',
): JsonObject {
  if (value === undefined) return current;
  if (value === null) return {};
  if (!isJsonObject(value)) throw invalidAttribute(at, 'must be an object');
  const result: Record<string, unknown> = { ...current };
  for (const [name, field] of Object.entries(AGGREGATION)) {
    if (value[name] === undefined) continue;
    const next = value[name] === null ? field.default : readValue(field.rule, value[name], `${at}.${name}`, context);
    if (next === field.default) delete result[name];
    else result[name] = next;
  }
  if (value.type !== undefined) readAggregate(subject, value.type, result, at);
  // The default given back as it was shown is no choice of the user's.
  if (result.mode !== 'CUSTOM' && current.type === undefined && result.type === defaultAggregate(subject))
    delete result.type;
  if (result.mode === 'CUSTOM' && result.type === undefined)
    throw invalidAttribute(`${at}.type`, 'is required when mode is CUSTOM');
  if (result.type === 'PERCENTILE' && result.percentile === undefined)
    throw invalidAttribute(`${at}.percentile`, 'is required when type is PERCENTILE');
  if (result.period === 'FIXED')
    for (const needed of ['interval', 'baseTime'])
      if (result[needed] === undefined) throw invalidAttribute(`${at}.${needed}`, 'is required when period is FIXED');
  return result;
}

/** NONE and RAW mean the mode RAW (docs/reference/parameters.md#chart-settings). */
function readAggregate(subject: ChartSubject, value: unknown, result: Record<string, unknown>, at: string): void {
  const upper = typeof value === 'string' ? value.toUpperCase() : value;
  delete result.type;
  if (upper === null) return;
  if (upper === 'NONE' || upper === 'RAW') {
    result.mode = 'RAW';
    return;
  }
  const allowed = allowedTypes(subject);
  if (!allowed.includes(String(upper))) throw invalidAttribute(`${at}.type`, `must be one of ${allowed.join(', ')}`);
  result.type = upper;
}

/** Objects of charts with defaults only, as most are, are made once for each namespace of classes. */
const defaultViews = new WeakMap<ClassNames, Map<string, JsonObject>>();

/** Returns the whole public object, defaults filled in; not to be changed. */
export function chartView(subject: ChartSubject, stored: ChartConfig, names: ClassNames): JsonObject {
  if (Object.keys(stored).length > 0) return filledChart(subject, stored, names);
  const views = defaultViews.get(names) ?? new Map<string, JsonObject>();
  defaultViews.set(names, views);
  const key = `${subject.family} ${subject.displayType}`;
  const view = views.get(key) ?? filledChart(subject, stored, names);
  views.set(key, view);
  return view;
}

function filledChart(subject: ChartSubject, stored: ChartConfig, names: ClassNames): JsonObject {
  const type = chartTypeOf(stored.type);
  const fields = settingsOf(type).map(([name]) => [name, stored[name] ?? defaultOf(name, type, subject.displayType)]);
  const aggregation = aggregationView(subject, stored.aggregation ?? {});
  return { _class: names.full(`point.chart.${type}`), ...Object.fromEntries(fields), aggregation };
}

/** Returns the JSON Schema of what `chartView` shows of a class of charts. */
export function chartSchema(type: ChartType, names: ClassNames): JsonObject {
  // A setting without a default is shown as null.
  const settings = settingsOf(type).map(([name, { default: fallback }]) => {
    const schema = shownSchema(CHART_FIELDS[name].rule);
    return [name, fallback === null ? optionalSchema(schema, undefined) : schema];
  });
  const _class = { type: 'string', enum: [names.full(`point.chart.${type}`)] };
  const properties = { _class, ...Object.fromEntries(settings), aggregation: shownSchema(ANY_AGGREGATION) };
  return { $id: type, type: 'object', properties };
}

/** Shows settings of aggregation with their defaults. */
export function aggregationView(subject: ChartSubject, aggregation: JsonObject): JsonObject {
  const settings = Object.entries(AGGREGATION).map(([name, field]) => [name, aggregation[name] ?? field.default]);
  // A type that no longer fits, because displayType was changed since, gives way to the default.
  const fits = typeof aggregation.type === 'string' && allowedTypes(subject).includes(aggregation.type);
  const aggregate = fits ? aggregation.type : defaultAggregate(subject);
  return { ...Object.fromEntries(settings.filter(([, value]) => value !== null)), type: aggregate };
}
