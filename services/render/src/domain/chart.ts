import type { ChartSettings } from './chart-settings.ts';

/** The drawing needs a state like this, in the order of the node's list (docs/reference/states.md#state-attributes). */
export type ChartState = {
  readonly name: string;
  /** Absent on NORMAL and on text states. */
  readonly threshold?: number;
  readonly isAlarm: boolean;
  /** Sends notifications in some direction. */
  readonly notifies: boolean;
};

/**
 * A parameter to draw. `timestamps` are Unix ms, ascending; the other columns have the same length. Records outside
 * the chart's range are bounding records (docs/reference/reading.md#bounding-records): at most one before and one after.
 */
export type ChartSeries = {
  readonly name: string;
  /** Full path (docs/reference/node-tree.md#common-attributes). */
  readonly path: string;
  readonly units: string;
  readonly settings: ChartSettings;
  readonly states: readonly ChartState[];
  readonly timestamps: Float64Array;
  readonly data: SeriesValues;
  /** A line is drawn over steps of at most this (docs/reference/charts.md#gaps); absent = any. */
  readonly gapMs?: number;
  /** The quality code per record, -1 for none; absent where no record has any. */
  readonly qualities?: Int32Array;
  /** '#rrggbb' by quality code; absent = qualities are not shown. */
  readonly qualityColors?: QualityColors;
  /** Index into the chart's `axes`; absent = 0. */
  readonly axis?: number;
  /** The parameter is gone, or not for the caller: the legend says so, there are no records. */
  readonly isMissing?: boolean;
};

export type QualityColors = Readonly<Record<number, string>>;

export type SeriesValues =
  /** Numbers in the parameter's units; NaN = no value, breaks the line. */
  | { readonly kind: 'VALUES'; readonly values: Float64Array }
  /** Index into `states` per record, -1 = no state. STEPS: a stepped line over the state names; FLAGS: text parameters. */
  | { readonly kind: 'STEPS' | 'FLAGS'; readonly stateIndexes: Int32Array };

/** An axis of values (docs/reference/charts.md#historic-chart-node). */
export type AxisSettings = {
  /** Empty = names and units of what it shows. */
  readonly name: string;
  /** True if the name stands at the axis. */
  readonly showLabel: boolean;
  readonly position: 'LEFT' | 'RIGHT' | 'TOP' | 'BOTTOM';
  readonly range: 'LINEAR_AUTOMATIC' | 'LINEAR_FIXED' | 'LOGARITHMIC';
  /** Ends of LINEAR_FIXED. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Ticks are this far apart; absent or 0 = as fits. */
  readonly tickInterval?: number;
  readonly inverted: boolean;
};

/** A chart that says nothing of axes has this one. */
export const PLAIN_AXIS: AxisSettings = {
  name: '',
  showLabel: true,
  position: 'LEFT',
  range: 'LINEAR_AUTOMATIC',
  inverted: false,
};

/** Every picture has these. */
export type Frame = {
  /** Below the plot: the zone of times, and what is shown in the place of records. */
  readonly footer: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly title?: string;
  readonly subtitle?: string;
};

/** Everything that decides a picture. Only plain data, so that it can be sent to a worker. */
export type Picture = Chart | Rose | Profiles;

/** Series over time. */
export type Chart = Frame & {
  readonly kind: 'TIME';
  readonly series: readonly ChartSeries[];
  /** A chart has at least one axis. */
  readonly axes: readonly AxisSettings[];
  readonly timeAxis: 'BOTTOM' | 'TOP';
  /** Unix ms, start <= end. */
  readonly startMs: number;
  readonly endMs: number;
  /** Effective zone (docs/reference/time.md#output-timestamps-and-zones, rule 4): IANA name or fixed offset `+10:00`. */
  readonly zone: string;
};

/** Shows where the wind comes from, and how strong it is (docs/reference/charts.md#wind-rose-node). */
export type Rose = Frame & {
  readonly kind: 'ROSE';
  readonly legendTitle: string;
  /** Ranges of speed, calmest first. */
  readonly ranges: readonly { readonly name: string; readonly color: string }[];
  /** Each sector (N, NNE, NE …) has a percentage of all rows, by range. */
  readonly sectors: readonly (readonly number[])[];
  /** This percentage of all rows has no direction. */
  readonly calms: number;
  readonly rows: number;
  /** Names the missing parameters, in words. */
  readonly missing: readonly string[];
};

/** Profiles at instants: a measurement at each position (docs/reference/charts.md#displacement-node). */
export type Profiles = Frame & {
  readonly kind: 'PROFILES';
  /** x and y of each point, NaN breaks the line. */
  readonly series: readonly {
    readonly name: string;
    readonly color: string;
    readonly xs: Float64Array;
    readonly ys: Float64Array;
  }[];
  /** Says which of the two grows along a line: the way of a smooth one. */
  readonly along: 'x' | 'y';
  readonly xAxis: AxisSettings;
  readonly yAxis: AxisSettings;
  readonly thresholds: readonly ProfileThreshold[];
  readonly style: ProfileStyle;
  /** Names of the parameters that are missing. */
  readonly missing: readonly string[];
};

export type ProfileThreshold = {
  readonly name: string;
  readonly showLabel: boolean;
  /** HORIZONTAL lies at values of the y axis, VERTICAL at those of the x axis. */
  readonly orientation: 'HORIZONTAL' | 'VERTICAL';
  /** A band is a line where both are the same. */
  readonly from: number;
  readonly to: number;
  readonly lineStyle: ChartSettings['lineStyle'];
  /** AUTOMATIC = grey. */
  readonly color: string;
};

export type ProfileStyle = Pick<
  ChartSettings,
  'lineType' | 'lineWidth' | 'lineStyle' | 'markerType' | 'markerSize' | 'shadow'
>;

/** Values become pixels evenly, or, with type log, by their logarithms. */
export type Scale = {
  readonly type?: 'log';
  readonly domain: readonly [number, number];
  readonly range: readonly [number, number];
};

/** The data lie here in the picture: written into the SVG for programs, and used by tests. Pixels from the top left. */
export type ChartScales = {
  readonly plot: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Domain in Unix ms. */
  readonly x: Scale;
  /** The first axis has its domain in the parameter's units, or in positions of `states`. */
  readonly y: Scale & { readonly states?: readonly string[] };
  /** The first axis is among them. */
  readonly axes: readonly (Scale & { readonly states?: readonly string[] })[];
  readonly series: readonly SeriesFacts[];
};

/** Gives a wind rose what `ChartScales` gives a chart. */
export type RoseScales = {
  readonly center: { readonly x: number; readonly y: number };
  readonly pixelsPerPercent: number;
  /** Sectors have 360 / 16 degrees, the first around north; clockwise. */
  readonly sectors: Rose['sectors'];
  readonly calms: number;
  readonly ranges: Rose['ranges'];
  readonly rows: number;
};

/** Profiles' scales, as `ChartScales`. */
export type ProfileScales = {
  readonly plot: ChartScales['plot'];
  readonly x: Scale;
  readonly y: Scale;
  readonly series: readonly { readonly name: string; readonly color: string; readonly mark: string }[];
};

type SeriesFacts = {
  readonly name: string;
  readonly path: string;
  readonly units: string;
  readonly color: string;
  readonly axis: number;
  /** Class of the SVG group that holds the series. */
  readonly mark: string;
  /** Records inside the range. */
  readonly records: number;
};
