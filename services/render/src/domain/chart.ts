import type { ChartSettings } from './chart-settings.ts';

/** A state as the drawing needs it, in the order of the node's list (docs/reference/states.md#state-attributes). */
export type ChartState = {
  readonly name: string;
  /** Absent on NORMAL and on text states. */
  readonly threshold?: number;
  readonly isAlarm: boolean;
  /** Sends notifications in some direction. */
  readonly notifies: boolean;
};

/**
 * One parameter to draw. `timestamps` are Unix ms, ascending; the other columns have the same length. Records outside
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
  /** Quality code per record, -1 = none; absent = none at all. */
  readonly qualities?: Int32Array;
  /** '#rrggbb' by quality code; absent = qualities are not shown. */
  readonly qualityColors?: QualityColors;
};

export type QualityColors = Readonly<Record<number, string>>;

export type SeriesValues =
  /** Numbers in the parameter's units; NaN = no value, breaks the line. */
  | { readonly kind: 'VALUES'; readonly values: Float64Array }
  /** Index into `states` per record, -1 = no state. STEPS: a stepped line over the state names; FLAGS: text parameters. */
  | { readonly kind: 'STEPS' | 'FLAGS'; readonly stateIndexes: Int32Array };

/** Everything that decides a picture. Only plain data, so that it can be sent to a worker. */
export type Chart = {
  readonly series: readonly ChartSeries[];
  /** Unix ms, start <= end. */
  readonly startMs: number;
  readonly endMs: number;
  /** Effective zone (docs/reference/time.md#output-timestamps-and-zones, rule 4): IANA name or fixed offset `+10:00`. */
  readonly zone: string;
  /** Below the axis: its zone, and what is shown in the place of records. */
  readonly footer: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly title?: string;
  readonly subtitle?: string;
};

/** Where the data lie in the picture: written into the SVG for programs, and used by tests. Pixels from the top left. */
export type ChartScales = {
  readonly plot: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Domain in Unix ms. */
  readonly x: { readonly domain: readonly [number, number]; readonly range: readonly [number, number] };
  /** Domain in the parameter's units, or in positions of `states`. */
  readonly y: {
    readonly domain: readonly [number, number];
    readonly range: readonly [number, number];
    readonly states?: readonly string[];
  };
  readonly series: readonly SeriesFacts[];
};

export type SeriesFacts = {
  readonly name: string;
  readonly path: string;
  readonly units: string;
  readonly color: string;
  /** Class of the SVG group that holds the series. */
  readonly mark: string;
  /** Records inside the range. */
  readonly records: number;
};
