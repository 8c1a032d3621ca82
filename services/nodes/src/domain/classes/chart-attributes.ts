import { type Fields, invalidAttribute, type JsonObject, type Rule } from '../body/rule.ts';
import { choice, FLAG, lines, MOMENT, NUMBER, text, whole } from '../body/rules.ts';
import type { Attribute, Attributes } from './attributes.ts';
import { aggregationView, COLOUR } from './chart.ts';
import {
  AGGREGATION,
  chartLink,
  LINK_CHART,
  links,
  linksView,
  linkTo,
  NUMBER_PARAMETER,
  PARAMETER,
} from './page-links.ts';

const MAX_LINKS = 50;
/** A profile has as many points as it has measurements. */
const MAX_POINTS = 100;

const DESCRIPTION: Attributes = { description: { default: '', rule: lines(500) } };
const AGGREGATED: Attribute = {
  default: {},
  rule: AGGREGATION,
  view: (stored: JsonObject) => aggregationView({ family: 'NUMBER', displayType: 'VALUE' }, stored),
};
const RANGE: Attributes = {
  startRange: { default: 'NOW-7D', rule: MOMENT },
  endRange: { default: 'NOW', rule: MOMENT },
};

const AXIS_FIELDS: Fields = {
  name: { rule: text(120), default: '' },
  showLabel: { rule: FLAG, default: true },
  range: { rule: choice('LINEAR_AUTOMATIC', 'LINEAR_FIXED', 'LOGARITHMIC'), default: 'LINEAR_AUTOMATIC' },
  minimum: { rule: NUMBER },
  maximum: { rule: NUMBER },
  inverted: { rule: FLAG, default: false },
};

type Axis = { readonly range: string; readonly minimum?: number; readonly maximum?: number };

/** A fixed range needs both ends. */
const axis = (more: Fields): Rule => ({
  kind: 'checked',
  rule: { kind: 'object', fields: { ...AXIS_FIELDS, ...more } },
  check: (value: Axis, at) => {
    if (value.range !== 'LINEAR_FIXED') return value;
    if (value.minimum === undefined) throw invalidAttribute(`${at}.minimum`, 'is required when range is LINEAR_FIXED');
    if (value.maximum === undefined) throw invalidAttribute(`${at}.maximum`, 'is required when range is LINEAR_FIXED');
    if (value.minimum >= value.maximum) throw invalidAttribute(`${at}.maximum`, 'must be above minimum');
    return value;
  },
});

const Y_AXIS = { name: '', showLabel: true, position: 'LEFT', range: 'LINEAR_AUTOMATIC', inverted: false };

/** See docs/reference/charts.md#historic-chart-node. */
export const HISTORIC_CHART: Attributes = {
  ...DESCRIPTION,
  ...RANGE,
  xAxis: {
    default: { position: 'BOTTOM' },
    rule: { kind: 'object', fields: { position: { rule: choice('BOTTOM', 'TOP'), default: 'BOTTOM' } } },
  },
  yAxes: {
    default: [Y_AXIS],
    rule: {
      kind: 'list',
      min: 1,
      max: 10,
      item: axis({ position: { rule: choice('LEFT', 'RIGHT'), default: 'LEFT' } }),
    },
  },
  links: {
    default: [],
    view: linksView,
    rule: links({
      target: PARAMETER,
      max: MAX_LINKS,
      fields: { yAxisIndex: { rule: whole(0, 9), default: 0 }, chart: { rule: LINK_CHART } },
      check: chartLink,
    }),
  },
};

/** A link names one of the axes there are. @throws DomainError invalid_argument */
export function checkHistoricChart(config: JsonObject): void {
  const axes = (config.yAxes as readonly unknown[] | undefined) ?? [Y_AXIS];
  const all = (config.links as readonly { yAxisIndex: number }[] | undefined) ?? [];
  for (const [i, link] of all.entries())
    if (link.yAxisIndex >= axes.length)
      throw invalidAttribute(`links[${i}].yAxisIndex`, `must be below ${axes.length}, the number of yAxes`);
}

const SPEEDS: Rule = {
  kind: 'checked',
  rule: { kind: 'list', min: 1, max: 20, item: { kind: 'number', min: 0 } },
  check: (value: readonly number[], at) => {
    if (new Set(value).size < value.length) throw invalidAttribute(at, 'must not have a threshold twice');
    return value.toSorted((a, b) => a - b);
  },
};

/** See docs/reference/charts.md#wind-rose-node. `colors` are those of a FIXED choice, calmest first. */
export const WIND_ROSE: Attributes = {
  ...DESCRIPTION,
  ...RANGE,
  legendTitle: { default: 'Wind speed', rule: text(120) },
  speedUnits: { default: '', rule: text(30) },
  rangeColors: { default: 'AUTOMATIC', rule: choice('AUTOMATIC', 'FIXED') },
  colors: { default: [], rule: { kind: 'list', max: 21, item: COLOUR } },
  speedRanges: { default: [0.5, 2, 4, 6, 8, 10], rule: SPEEDS },
  calmThreshold: { default: 0, rule: { kind: 'number', min: 0 } },
  speedNodeId: { default: null, rule: linkTo(NUMBER_PARAMETER) },
  directionNodeId: { default: null, rule: linkTo(NUMBER_PARAMETER) },
  aggregation: AGGREGATED,
};

/** @throws DomainError invalid_argument */
export function checkWindRose({ speedNodeId, directionNodeId, rangeColors, colors }: JsonObject): void {
  if (speedNodeId !== undefined && speedNodeId === directionNodeId)
    throw invalidAttribute('directionNodeId', 'must be another parameter than speedNodeId');
  if (rangeColors === 'FIXED' && !Array.isArray(colors))
    throw invalidAttribute('colors', 'is required when rangeColors is FIXED');
}

const END: Rule = {
  kind: 'anyOf',
  rules: [choice('NONE'), MOMENT],
  rule: 'must be NONE, a relative time such as NOW-7D or an ISO 8601 timestamp',
};

/** `inverted` has no default: depths grow downwards, everything else upwards. */
const DISPLACEMENT_AXIS = axis({
  inverted: { rule: FLAG },
  position: { rule: choice('LEFT', 'RIGHT', 'BOTTOM', 'TOP') },
  tickInterval: { rule: { kind: 'number', min: 0 } },
});
const axisDefault = (position: string) => ({
  name: '',
  showLabel: true,
  position,
  range: 'LINEAR_AUTOMATIC',
});

type Threshold = {
  readonly type: string;
  readonly value?: number;
  readonly start?: number;
  readonly end?: number;
};
const THRESHOLD: Rule = {
  kind: 'checked',
  rule: {
    kind: 'object',
    fields: {
      name: { required: true, rule: text(120, 1) },
      showLabel: { rule: FLAG, default: true },
      type: { rule: choice('LINE', 'BAND'), default: 'LINE' },
      value: { rule: NUMBER },
      start: { rule: NUMBER },
      end: { rule: NUMBER },
      orientation: { rule: choice('HORIZONTAL', 'VERTICAL'), default: 'VERTICAL' },
      lineStyle: { rule: choice('SOLID', 'DASH', 'DOT', 'DASHDOT', 'LONGDASH'), default: 'SOLID' },
      color: { rule: COLOUR, default: 'AUTOMATIC' },
    },
  },
  check: (threshold: Threshold, at) => {
    const needed = threshold.type === 'LINE' ? (['value'] as const) : (['start', 'end'] as const);
    for (const name of needed)
      if (threshold[name] === undefined)
        throw invalidAttribute(`${at}.${name}`, `is required when type is ${threshold.type}`);
    if (threshold.type === 'BAND' && threshold.start! >= threshold.end!)
      throw invalidAttribute(`${at}.end`, 'must be above start');
    return threshold;
  },
};

/** See docs/reference/charts.md#displacement-node. */
export const DISPLACEMENT: Attributes = {
  ...DESCRIPTION,
  startRange: { default: 'NOW-7D', rule: END },
  endRange: { default: 'NOW', rule: END },
  orientation: { default: 'VERTICAL', rule: choice('VERTICAL', 'HORIZONTAL') },
  maxSeries: { default: 10, rule: whole(1, 15) },
  seriesTimeFormat: { default: 'YYYY-MM-DD HH:mm:ss', rule: text(60, 1) },
  baseline: {
    default: 'ABSOLUTE',
    rule: choice('ABSOLUTE', 'RELATIVE_RANGE', 'RELATIVE_FIRST', 'RELATIVE_FIXED'),
  },
  baselineTime: { default: null, rule: { kind: 'time' } },
  process: { default: 'RAW', rule: choice('RAW', 'SUM_START', 'SUM_END') },
  measurementOffset: { default: 0, rule: NUMBER },
  measurementUnits: { default: '', rule: text(30) },
  profileUnits: { default: '', rule: text(30) },
  xAxis: { default: axisDefault('BOTTOM'), rule: DISPLACEMENT_AXIS },
  yAxis: { default: axisDefault('LEFT'), rule: DISPLACEMENT_AXIS },
  thresholds: { default: [], rule: { kind: 'list', max: 50, item: THRESHOLD } },
  colors: {
    default: 'AUTOMATIC',
    rule: {
      kind: 'anyOf',
      rules: [choice('AUTOMATIC'), { kind: 'list', min: 1, max: 15, item: COLOUR }],
      rule: 'must be AUTOMATIC or an array of 1 to 15 colours such as #1f77b4',
    },
  },
  lineType: { default: 'NORMAL', rule: choice('NORMAL', 'SPLINE') },
  lineWidth: { default: 2, rule: whole(0, 6) },
  lineStyle: { default: 'SOLID', rule: choice('SOLID', 'DASH', 'DOT', 'DASHDOT', 'LONGDASH') },
  markerType: {
    default: 'CIRCLE',
    rule: choice('AUTOMATIC', 'CIRCLE', 'SQUARE', 'DIAMOND', 'TRIANGLE', 'TRIANGLE-DOWN'),
  },
  markerSize: { default: 3, rule: whole(0, 6) },
  shadow: { default: false, rule: FLAG },
  aggregation: AGGREGATED,
  profileType: { default: 'FIXED_INCREMENTAL', rule: choice('PARAMETER', 'FIXED_MANUAL', 'FIXED_INCREMENTAL') },
  profileLinks: { default: [], rule: links({ target: NUMBER_PARAMETER, max: MAX_POINTS }) },
  profileOffset: { default: 0, rule: NUMBER },
  profileValues: { default: [], rule: { kind: 'list', max: MAX_POINTS, item: NUMBER } },
  start: { default: 0, rule: NUMBER },
  increment: { default: 1, rule: NUMBER },
  measurementLinks: { default: [], rule: links({ target: NUMBER_PARAMETER, max: MAX_POINTS }) },
};

/** @throws DomainError invalid_argument */
export function checkDisplacement(config: JsonObject): void {
  if (config.startRange === 'NONE' && config.endRange === 'NONE')
    throw invalidAttribute('endRange', 'must not be NONE when startRange is');
  if (config.baseline === 'RELATIVE_FIXED' && config.baselineTime === undefined)
    throw invalidAttribute('baselineTime', 'is required when baseline is RELATIVE_FIXED');
  if (config.increment === 0) throw invalidAttribute('increment', 'must not be 0');
  const count = (name: string) => ((config[name] as readonly unknown[] | undefined) ?? []).length;
  const points = { PARAMETER: 'profileLinks', FIXED_MANUAL: 'profileValues' }[String(config.profileType)];
  if (points !== undefined && count(points) !== count('measurementLinks'))
    throw invalidAttribute(points, 'must have as many entries as measurementLinks');
}
