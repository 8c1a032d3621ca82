import {
  AGGREGATION_MODES,
  BASELINE_TYPES,
  CHART_SETTINGS,
  type ChartSetting,
  type ChartSettingName,
  type ChartValues,
  chartTypeOf,
  defaultOf,
  HEX_COLOUR,
  INTERVAL_INCLUDES,
} from '@catchment/chart-settings';
import { percentileText } from '@catchment/query';

/** Chart settings of one parameter, complete: what the owner set over the defaults (`CHART_SETTINGS`). */
export type ChartSettings = ChartValues & {
  readonly kind: 'LINE' | 'COLUMN';
  /** The type follows from `aggregation`. */
  readonly baselineType: (typeof BASELINE_TYPES)[number];
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
  /** Only PERCENTILE has this argument. */
  readonly percentile: string | undefined;
  readonly period: 'AUTOMATIC' | 'FIXED';
  readonly interval: string | undefined;
  readonly baseTime: string | undefined;
  readonly intervalInclude: (typeof INTERVAL_INCLUDES)[number];
};

/** The chart settings of a parameter, from the nodes service. */
export type GivenChart = Readonly<Record<string, unknown>>;

/**
 * Settings of a parameter's chart. The nodes service has checked them; settings that are absent or unknown take
 * its default, so that a chart can always be drawn.
 * @param displayType VALUE or STATE: the default line of STATE is stepped
 */
export function readChartSettings(given: GivenChart, displayType: 'VALUE' | 'STATE'): ChartSettings {
  const type = chartTypeOf(given.type);
  const values = Object.entries(CHART_SETTINGS).map(([name, setting]) => {
    const value = given[name];
    return [name, isValid(setting, value) ? value : defaultOf(name as ChartSettingName, type, displayType)];
  });
  return {
    ...(Object.fromEntries(values) as ChartValues),
    kind: type === 'ColumnChart' ? 'COLUMN' : 'LINE',
    baselineType: BASELINE_TYPES.find((type) => type === asObject(given.aggregation).baselineType) ?? 'ABSOLUTE',
  };
}

function isValid(setting: ChartSetting, value: unknown): boolean {
  switch (setting.kind) {
    case 'choice':
      return setting.of.includes(value as string);
    case 'integer':
      return Number.isInteger(value) && (value as number) >= setting.min && (value as number) <= setting.max;
    case 'boolean':
      return typeof value === 'boolean';
    case 'colour':
      return typeof value === 'string' && HEX_COLOUR.test(value);
    case 'seconds':
      return typeof value === 'number';
  }
}

/** Reads the aggregation as `readChartSettings` does. */
export function readChartAggregation(chart: GivenChart): ChartAggregation {
  const given = asObject(chart.aggregation);
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return {
    mode: AGGREGATION_MODES.find((mode) => mode === given.mode) ?? 'AUTOMATIC',
    type: text('type'),
    percentile: typeof given.percentile === 'number' ? percentileText(given.percentile) : undefined,
    period: given.period === 'FIXED' ? 'FIXED' : 'AUTOMATIC',
    interval: text('interval'),
    baseTime: text('baseTime'),
    intervalInclude: INTERVAL_INCLUDES.find((include) => include === given.intervalInclude) ?? 'PARTIAL',
  };
}

/**
 * Returns a parameter's settings with those of a link over them. As where the kind of a chart is changed, a fill that was the default of
 * the old kind becomes that of the new one.
 */
export function linkedChart(ofParameter: GivenChart, link: GivenChart): GivenChart {
  const type = chartTypeOf(ofParameter.type);
  const isSame = link.type === undefined || chartTypeOf(link.type) === type;
  const isDefaultFill = ofParameter.fillStyle === defaultOf('fillStyle', type, 'VALUE');
  const { fillStyle, ...rest } = ofParameter;
  return { ...(isSame || !isDefaultFill ? ofParameter : rest), ...link };
}

const asObject = (value: unknown): GivenChart =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** A picture has nothing to hover over. */
export const showsQuality = ({ qualityStyle }: ChartSettings): boolean =>
  qualityStyle !== 'NONE' && qualityStyle !== 'MARKER_HOVER';
