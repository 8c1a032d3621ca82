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
import type { ValueFamily } from './node-class.ts';

type ChartField = { readonly rule: Rule; readonly default: unknown };
export type ChartFields = Readonly<Record<string, ChartField>>;

/** Stored sparsely: the series type and what differs from its defaults. */
export type ChartConfig = {
  readonly type?: 'LineChart' | 'ColumnChart';
  readonly aggregation?: JsonObject;
} & JsonObject;

/** The properties that decide defaults and allowed aggregates. */
export type ChartSubject = { readonly family: ValueFamily; readonly displayType: string };

const YEAR_SECONDS = 31_536_000;

const choice = (...of: readonly string[]): Rule => ({ kind: 'choice', of });
const whole = (min: number, max: number): Rule => ({ kind: 'integer', min, max });
export const COLOUR: Rule = {
  kind: 'anyOf',
  rules: [choice('AUTOMATIC'), { kind: 'text', max: 7, pattern: /^#[0-9a-fA-F]{6}$/ }],
  rule: 'must be AUTOMATIC or a colour such as #1f77b4',
};

/** Attributes and defaults: docs/reference/parameters.md#chart-settings. */
export const COMMON: ChartFields = {
  stateThresholds: { rule: choice('NONE', 'ALL', 'ALARM', 'NONALARM', 'USER_NOTIFICATION'), default: 'ALL' },
  markerType: {
    rule: choice('AUTOMATIC', 'CIRCLE', 'SQUARE', 'DIAMOND', 'TRIANGLE', 'TRIANGLE-DOWN'),
    default: 'AUTOMATIC',
  },
  markerSize: { rule: whole(0, 6), default: 0 },
  qualityStyle: {
    rule: choice('NONE', 'MARKER', 'MARKER_HOVER', 'MARKER_LINE', 'MARKER_FILL'),
    default: 'MARKER_HOVER',
  },
  shadow: { rule: { kind: 'boolean' }, default: false },
  primaryColor: { rule: COLOUR, default: 'AUTOMATIC' },
  secondaryColor: { rule: COLOUR, default: 'AUTOMATIC' },
  fillStyle: {
    rule: choice(
      'NONE',
      'SOLID',
      'LINEAR_TOP',
      'LINEAR_BOTTOM',
      'LINEAR_LEFT',
      'LINEAR_RIGHT',
      'PIPE_VERTICAL',
      'PIPE_HORIZONTAL',
      'RADIAL_INSIDE',
      'RADIAL_OUTSIDE',
    ),
    default: 'NONE',
  },
  fillOpacity: { rule: whole(0, 100), default: 75 },
  lineWidth: { rule: whole(0, 6), default: 2 },
  expectedIntervalSeconds: { rule: { kind: 'number', min: 1, max: YEAR_SECONDS }, default: null },
};
export const LINE: ChartFields = {
  lineType: { rule: choice('NORMAL', 'STEP_LEFT', 'STEP_CENTER', 'STEP_RIGHT', 'SPLINE'), default: 'NORMAL' },
  lineStyle: {
    rule: choice(
      'SOLID',
      'SHORTDASH',
      'SHORTDOT',
      'SHORTDASHDOT',
      'SHORTDASHDOTDOT',
      'DOT',
      'DASH',
      'LONGDASH',
      'DASHDOT',
      'LONGDASHDOT',
      'LONGDASHDOTDOT',
    ),
    default: 'SOLID',
  },
};
export const COLUMN: ChartFields = {
  pointPlacementType: { rule: choice('ON', 'BETWEEN'), default: 'ON' },
  groupType: { rule: choice('NORMAL', 'GROUP', 'STACKED'), default: 'NORMAL' },
};

export const VALUE_TYPES = ['CHANGE', ...INTERVAL_AGGREGATES] as const;
const STATE_TYPES = AGGREGATES_OF_ANYTHING;
export const PERCENTILE: Rule = { kind: 'number', ...PERCENTILE_RANGE };

export const AGGREGATION: ChartFields = {
  mode: { rule: choice('AUTOMATIC', 'RAW', 'CUSTOM'), default: 'AUTOMATIC' },
  period: { rule: { kind: 'choice', of: ['AUTOMATIC', 'FIXED'], synonyms: { CUSTOM: 'FIXED' } }, default: 'AUTOMATIC' },
  percentile: { rule: PERCENTILE, default: null },
  interval: { rule: { kind: 'opcPeriod' }, default: null },
  intervalInclude: { rule: choice('PARTIAL', 'COMPLETE'), default: 'PARTIAL' },
  baseTime: { rule: { kind: 'opcTime' }, default: null },
  baselineType: { rule: choice('ABSOLUTE', 'RELATIVE'), default: 'ABSOLUTE' },
};

/** `aggregation` of any chart. */
export const ANY_AGGREGATION: Rule = {
  kind: 'object',
  fields: { ...AGGREGATION, type: { rule: choice(...VALUE_TYPES) } },
};

const showsValues = ({ family, displayType }: ChartSubject) => family === 'NUMBER' && displayType === 'VALUE';
const allowedTypes = (subject: ChartSubject): readonly string[] => (showsValues(subject) ? VALUE_TYPES : STATE_TYPES);

const defaultAggregate = (subject: ChartSubject): string => (showsValues(subject) ? 'INTERPOLATED' : 'START');

const fieldsOf = (type: string): ChartFields => ({ ...COMMON, ...(type === 'ColumnChart' ? COLUMN : LINE) });

function defaultOf(type: string, name: string, field: ChartField, { displayType }: ChartSubject): unknown {
  if (name === 'fillStyle' && type === 'ColumnChart') return 'SOLID';
  if (name === 'lineType' && displayType === 'STATE') return 'STEP_LEFT';
  return field.default;
}

/**
 * The chart settings after an update: only given attributes change, null resets one attribute or all; attributes of the
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
  for (const [name, field] of Object.entries(fieldsOf(type))) {
    const kept = current[name];
    const given = value[name];
    const next =
      given === undefined ? kept : given === null ? undefined : readValue(field.rule, given, `chart.${name}`, context);
    if (next !== undefined && next !== defaultOf(type, name, field, subject)) result[name] = next;
  }
  const aggregation = updateAggregation(subject, current.aggregation ?? {}, value.aggregation, context);
  if (Object.keys(aggregation).length > 0) result.aggregation = aggregation;
  return result as ChartConfig;
}

function readType(value: JsonObject, current: ChartConfig, names: ClassNames): 'LineChart' | 'ColumnChart' {
  if (value._class === undefined || value._class === null) return current.type ?? 'LineChart';
  const type = (['LineChart', 'ColumnChart'] as const).find(
    (one) => names.stored(value._class) === `point.chart.${one}`,
  );
  if (type) return type;
  const known = ['LineChart', 'ColumnChart'].map((one) => names.full(`point.chart.${one}`)).join(', ');
  throw invalidAttribute('chart._class', `must be one of ${known}`);
}

/** Settings of aggregation after an update, sparse. @param at for refusals */
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

/** Objects of charts with defaults only, as most are: made once for each namespace of classes. */
const defaultViews = new WeakMap<ClassNames, Map<string, JsonObject>>();

/** The whole public object, defaults filled in; not to be changed. */
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
  const type = stored.type ?? 'LineChart';
  const fields = Object.entries(fieldsOf(type)).map(([name, field]) => [
    name,
    stored[name] ?? defaultOf(type, name, field, subject),
  ]);
  const aggregation = aggregationView(subject, stored.aggregation ?? {});
  return { _class: names.full(`point.chart.${type}`), ...Object.fromEntries(fields), aggregation };
}

/** JSON Schema of what `chartView` shows of a class of charts. */
export function chartSchema(type: 'LineChart' | 'ColumnChart', names: ClassNames): JsonObject {
  // A setting without a default is shown as null.
  const settings = Object.entries(fieldsOf(type)).map(([name, { rule, default: fallback }]) => [
    name,
    fallback === null ? optionalSchema(shownSchema(rule), undefined) : shownSchema(rule),
  ]);
  const _class = { type: 'string', enum: [names.full(`point.chart.${type}`)] };
  const properties = { _class, ...Object.fromEntries(settings), aggregation: shownSchema(ANY_AGGREGATION) };
  return { $id: type, type: 'object', properties };
}

/** Settings of aggregation with their defaults. */
export function aggregationView(subject: ChartSubject, own: JsonObject): JsonObject {
  const settings = Object.entries(AGGREGATION).map(([name, field]) => [name, own[name] ?? field.default]);
  // A type that no longer fits, because displayType was changed since, gives way to the default.
  const fits = typeof own.type === 'string' && allowedTypes(subject).includes(own.type);
  const aggregate = fits ? own.type : defaultAggregate(subject);
  return { ...Object.fromEntries(settings.filter(([, value]) => value !== null)), type: aggregate };
}
