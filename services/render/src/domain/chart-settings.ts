import { percentileText } from '@catchment/query';

/** Chart settings of one parameter, complete: what the owner set over the defaults in docs/reference/parameters.md#chart-settings. */
export type ChartSettings = {
  readonly kind: 'LINE' | 'COLUMN';
  readonly stateThresholds: (typeof STATE_THRESHOLDS)[number];
  readonly markerType: (typeof MARKER_TYPES)[number];
  /** Radius in pixels, 0 = hidden. */
  readonly markerSize: number;
  readonly qualityStyle: (typeof QUALITY_STYLES)[number];
  readonly shadow: boolean;
  /** `#rrggbb` or `#rgb`; AUTOMATIC = the palette. */
  readonly primaryColor: string;
  readonly secondaryColor: string;
  readonly fillStyle: (typeof FILL_STYLES)[number];
  /** Percent. */
  readonly fillOpacity: number;
  /** Pixels, 0 = hidden. */
  readonly lineWidth: number;
  readonly lineType: (typeof LINE_TYPES)[number];
  readonly lineStyle: (typeof LINE_STYLES)[number];
  readonly pointPlacementType: (typeof POINT_PLACEMENTS)[number];
  readonly groupType: (typeof GROUP_TYPES)[number];
  /** Records come so often, in seconds; null = learnt from them. */
  readonly expectedIntervalSeconds: number | null;
  /** From `aggregation`. */
  readonly baselineType: 'ABSOLUTE' | 'RELATIVE';
};

/**
 * Records become fewer by these settings (docs/reference/parameters.md#chart-settings,
 * docs/reference/charts.md#automatic-aggregation); `type` and what FIXED needs are as the nodes service has checked
 * them.
 */
export type ChartAggregation = {
  readonly mode: (typeof AGGREGATION_MODES)[number];
  /** Absent: the default of what is shown. */
  readonly type: string | undefined;
  /** The percentile as an argument; only for PERCENTILE. */
  readonly percentile: string | undefined;
  readonly period: 'AUTOMATIC' | 'FIXED';
  readonly interval: string | undefined;
  readonly baseTime: string | undefined;
  readonly intervalInclude: 'PARTIAL' | 'COMPLETE';
};

const AGGREGATION_MODES = ['AUTOMATIC', 'RAW', 'CUSTOM'] as const;
export const STATE_THRESHOLDS = ['ALL', 'NONE', 'ALARM', 'NONALARM', 'USER_NOTIFICATION'] as const;
export const MARKER_TYPES = ['AUTOMATIC', 'CIRCLE', 'SQUARE', 'DIAMOND', 'TRIANGLE', 'TRIANGLE-DOWN'] as const;
export const QUALITY_STYLES = ['MARKER_HOVER', 'NONE', 'MARKER', 'MARKER_LINE', 'MARKER_FILL'] as const;
export const FILL_STYLES = [
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
] as const;
export const LINE_TYPES = ['NORMAL', 'STEP_LEFT', 'STEP_CENTER', 'STEP_RIGHT', 'SPLINE'] as const;
export const LINE_STYLES = [
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
] as const;
export const POINT_PLACEMENTS = ['ON', 'BETWEEN'] as const;
export const GROUP_TYPES = ['NORMAL', 'GROUP', 'STACKED'] as const;

const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** The chart settings of a parameter, from the nodes service. */
export type GivenChart = Readonly<Record<string, unknown>>;

/**
 * Settings of a parameter's chart. The nodes service has checked them; settings that are absent or unknown take
 * its default, so that a chart can always be drawn.
 * @param displayType VALUE or STATE: the default line of STATE is stepped
 */
export function readChartSettings(given: GivenChart, displayType: 'VALUE' | 'STATE'): ChartSettings {
  const kind = given.type === 'ColumnChart' ? 'COLUMN' : 'LINE';
  const choice = <const T extends string>(name: string, choices: readonly T[], fallback: T): T =>
    choices.find((one) => one === given[name]) ?? fallback;
  const int = (name: string, max: number, fallback: number): number => {
    const value = given[name];
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max ? value : fallback;
  };
  const color = (name: string): string => {
    const value = given[name];
    return typeof value === 'string' && HEX_COLOR.test(value) ? value : 'AUTOMATIC';
  };
  return {
    kind,
    stateThresholds: choice('stateThresholds', STATE_THRESHOLDS, 'ALL'),
    markerType: choice('markerType', MARKER_TYPES, 'AUTOMATIC'),
    markerSize: int('markerSize', 6, 0),
    qualityStyle: choice('qualityStyle', QUALITY_STYLES, 'MARKER_HOVER'),
    shadow: given.shadow === true,
    primaryColor: color('primaryColor'),
    secondaryColor: color('secondaryColor'),
    fillStyle: choice('fillStyle', FILL_STYLES, kind === 'COLUMN' ? 'SOLID' : 'NONE'),
    fillOpacity: int('fillOpacity', 100, 75),
    lineWidth: int('lineWidth', 6, 2),
    lineType: choice('lineType', LINE_TYPES, displayType === 'STATE' ? 'STEP_LEFT' : 'NORMAL'),
    lineStyle: choice('lineStyle', LINE_STYLES, 'SOLID'),
    pointPlacementType: choice('pointPlacementType', POINT_PLACEMENTS, 'ON'),
    groupType: choice('groupType', GROUP_TYPES, 'NORMAL'),
    expectedIntervalSeconds: typeof given.expectedIntervalSeconds === 'number' ? given.expectedIntervalSeconds : null,
    baselineType: asObject(given.aggregation).baselineType === 'RELATIVE' ? 'RELATIVE' : 'ABSOLUTE',
  };
}

/** As `readChartSettings`. */
export function readChartAggregation(chart: GivenChart): ChartAggregation {
  const given = asObject(chart.aggregation);
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    mode: AGGREGATION_MODES.find((one) => one === given.mode) ?? 'AUTOMATIC',
    type: text('type'),
    percentile: typeof given.percentile === 'number' ? percentileText(given.percentile) : undefined,
    period: given.period === 'FIXED' ? 'FIXED' : 'AUTOMATIC',
    interval: text('interval'),
    baseTime: text('baseTime'),
    intervalInclude: given.intervalInclude === 'COMPLETE' ? 'COMPLETE' : 'PARTIAL',
  };
}

/**
 * The settings of a parameter with those of a link over them. As where the kind of a chart is changed, a fill that was the default of
 * the old kind becomes that of the new one.
 */
export function linkedChart(own: GivenChart, link: GivenChart): GivenChart {
  const kindOf = ({ type }: GivenChart) => (type === 'ColumnChart' ? 'ColumnChart' : 'LineChart');
  const isSame = link.type === undefined || kindOf(link) === kindOf(own);
  const isDefaultFill = own.fillStyle === (kindOf(own) === 'ColumnChart' ? 'SOLID' : 'NONE');
  const { fillStyle, ...rest } = own;
  return { ...(isSame || !isDefaultFill ? own : rest), ...link };
}

const asObject = (value: unknown): GivenChart =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** A picture has nothing to hover over. */
export const showsQuality = ({ qualityStyle }: ChartSettings): boolean =>
  qualityStyle !== 'NONE' && qualityStyle !== 'MARKER_HOVER';
