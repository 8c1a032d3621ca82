import { paletteColor, type SeriesView } from '@catchment/dashboard-view';
import type { Window } from '../../charts/chart-window.ts';
import type { Threshold } from '../../charts/overlays.ts';
import { type Shift, shiftText } from '../../charts/ranges.ts';
import type { Node } from '../../data/nodes/nodes.ts';
import type { Drawn, LineSource } from '../../data/records/records.ts';
import { decimalsOf, type StateOf } from '../../data/records/values.ts';
import { words } from '../../words/index.ts';
import { intervalFor } from './intervals.ts';

/** A series of a chart has a node's records, as they are or of an earlier time. */
export type ChartSeries = {
  readonly key: string;
  readonly node: Node;
  readonly shift: Shift | undefined;
  readonly view: SeriesView;
  readonly source: LineSource;
  readonly drawn: (window: Window, width: number) => Drawn | undefined;
};

type Aggregation = {
  readonly mode?: string;
  readonly type?: string;
  readonly period?: string;
  readonly interval?: string;
  readonly baseTime?: string;
  readonly percentile?: number;
  readonly intervalInclude?: string;
};
type ChartSettings = {
  readonly _class?: string;
  readonly primaryColor?: string;
  readonly lineType?: string;
  readonly fillStyle?: string;
  readonly expectedIntervalSeconds?: number | null;
  readonly stateThresholds?: string;
  readonly aggregation?: Aggregation;
};

const settingsOf = (node: Node): ChartSettings => (node.chart as ChartSettings | undefined) ?? {};

/** Returns a parameter as a chart node shows it: what the link has chosen goes before what the parameter has. */
export function linkedNode(node: Node, { name, chart }: ChartLink): Node {
  const settings = settingsOf(node);
  return {
    ...node,
    ...(name && { name }),
    chart: { ...settings, ...chart, aggregation: chart?.aggregation ?? settings.aggregation },
  };
}

/** A chart node's link (docs/reference/charts.md#historic-chart-node). */
export type ChartLink = {
  readonly nodeId: string;
  readonly name?: string;
  readonly yAxisIndex?: number;
  readonly chart?: ChartSettings;
};

/** Returns whether a node has records that are numbers. */
export const isDrawable = (node: Pick<Node, '_class'>): boolean => /\.point\.Number\w*Point$/.test(node._class);
/** Returns whether a node has records at all. */
export const hasRecords = (node: Pick<Node, '_class'>): boolean =>
  node._class.includes('.point.') || node._class.endsWith('.Location');

const msOf = (time: unknown): number | null => {
  const ms = Date.parse(String(time ?? ''));
  return Number.isFinite(ms) ? ms : null;
};

/** @param place in the order of the chart, which decides a colour that nobody has chosen */
export function seriesOf(node: Node, place: number, shift?: Shift): ChartSeries {
  const settings = settingsOf(node);
  const { primaryColor, fillStyle = 'NONE' } = settings;
  const isColumn = settings._class?.endsWith('ColumnChart') ?? false;
  const isStep = node.displayType === 'STATE' || (settings.lineType ?? '').startsWith('STEP');
  const color = primaryColor && primaryColor !== 'AUTOMATIC' ? primaryColor : paletteColor(place);
  return {
    key: `${node._id}${shift ? `-${shiftText(shift)}` : ''}`,
    node,
    shift,
    view: {
      name: shift ? words.value.node.shifted(node.name, shiftWords(shift)) : node.name,
      units: typeof node.units === 'string' ? node.units : '',
      color,
      type: isColumn ? 'COLUMN' : isStep ? 'STEP' : 'LINE',
      fill: !isColumn && fillStyle !== 'NONE' && shift === undefined,
      decimals: decimalsOf(node.format),
    },
    source: {
      nodeId: node._id,
      expectedIntervalSeconds: settings.expectedIntervalSeconds ?? null,
      oldestMs: msOf(node.oldestTime),
      newestMs: msOf(node.currentTime),
    },
    drawn: (window, width) => aggregated(settings, window, width),
  };
}

export const shiftWords = ({ count, unit }: Shift): string => words.value.node.shiftUnits[unit](count);

/** A chart draws at most this many intervals: with more, those that somebody has chosen would be a wall. */
const MOST_INTERVALS = 4_000;

/** Finds how somebody wants the records put together; undefined where they are drawn as they are. */
function aggregated({ aggregation }: ChartSettings, window: Window, width: number): Drawn | undefined {
  const { mode, type, period, interval, baseTime, percentile, intervalInclude } = aggregation ?? {};
  if (mode !== 'CUSTOM' || !type) return undefined;
  const chosen = period === 'FIXED' && interval && baseTime ? { interval, baseTime } : undefined;
  const usable = chosen && countOf(chosen.interval, window) <= MOST_INTERVALS ? chosen : undefined;
  return {
    aggregate: type,
    ...(usable ?? intervalFor(window.end - window.start, Math.min(width, 1_200))),
    ...(intervalInclude && { intervalInclude }),
    ...(type === 'PERCENTILE' && percentile !== undefined && { percentile: String(percentile) }),
  };
}

const SECONDS: Readonly<Record<string, number>> = {
  S: 1,
  M: 60,
  H: 3_600,
  D: 86_400,
  W: 604_800,
  MO: 2_629_800,
  Y: 31_557_600,
};

/** Returns about how many intervals such as `1H30M` a window has. */
function countOf(interval: string, { start, end }: Window): number {
  let seconds = 0;
  for (const [, count, unit] of interval.toUpperCase().matchAll(/(\d+)(MO|[SMHDWY])/g))
    seconds += Number(count) * (SECONDS[unit!] ?? 0);
  return seconds === 0 ? Number.POSITIVE_INFINITY : (end - start) / 1_000 / seconds;
}

/** Finds where the states of a node begin, those that its settings show. */
export function thresholdsOf(node: Node): readonly Threshold[] {
  const { stateThresholds = 'ALL' } = settingsOf(node);
  if (node.statesType !== 'RANGE' || stateThresholds === 'NONE' || !Array.isArray(node.states)) return [];
  return (node.states as readonly StateOf[]).flatMap(({ name, threshold, isAlarm = false }) => {
    if (typeof threshold !== 'number') return [];
    if (stateThresholds === 'ALARM' ? !isAlarm : stateThresholds === 'NONALARM' && isAlarm) return [];
    return [{ unit: typeof node.units === 'string' ? node.units : '', value: threshold, name, isAlarm }];
  });
}
