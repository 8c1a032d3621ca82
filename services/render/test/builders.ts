import { type Chart, type ChartSeries, PLAIN_AXIS } from '../src/domain/chart.ts';
import { readChartSettings } from '../src/domain/chart-settings.ts';

export const START = Date.parse('2024-05-15T00:00:00Z');
export const HOUR = 3_600_000;

/** Makes a series of one record per hour from the chart's start on. */
export function series(
  values: readonly number[],
  more: Partial<ChartSeries> & { chart?: Record<string, unknown> } = {},
): ChartSeries {
  const { chart = {}, ...rest } = more;
  return {
    name: 'Air temperature',
    path: 'demo/Greenland/Air temperature',
    units: '°C',
    settings: readChartSettings(chart, 'VALUE'),
    states: [],
    timestamps: Float64Array.from(values, (_, index) => START + index * HOUR),
    data: { kind: 'VALUES', values: Float64Array.from(values) },
    ...rest,
  };
}

/** A chart of one day. */
export const chart = (all: readonly ChartSeries[], more: Partial<Chart> = {}): Chart => ({
  kind: 'TIME',
  series: all,
  axes: [PLAIN_AXIS],
  timeAxis: 'BOTTOM',
  startMs: START,
  endMs: START + 24 * HOUR,
  zone: 'UTC',
  footer: 'Etc/UTC',
  width: 1200,
  height: 800,
  ...more,
});

/** A test makes no reports with this. */
export const noReports = (): never => {
  throw new Error('no reports here');
};
