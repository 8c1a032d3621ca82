export const CHART_TYPES = ['LineChart', 'ColumnChart'] as const;
export type ChartType = (typeof CHART_TYPES)[number];

/** A setting that only charts of one type have is `only` there. */
type Common = { readonly only?: ChartType };
export type ChartSetting = Common &
  (
    | { readonly kind: 'choice'; readonly of: readonly string[]; readonly default: string }
    | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly default: number }
    | { readonly kind: 'boolean'; readonly default: boolean }
    /** `#rrggbb`, or AUTOMATIC: the palette. */
    | { readonly kind: 'colour'; readonly default: 'AUTOMATIC' }
    /** null: learnt from the records. */
    | { readonly kind: 'seconds'; readonly min: number; readonly max: number; readonly default: null }
  );

export const HEX_COLOUR = /^#[0-9a-fA-F]{6}$/;
const YEAR_SECONDS = 31_536_000;

const choice = <const T extends readonly string[]>(of: T, fallback: T[number]) =>
  ({ kind: 'choice', of, default: fallback }) as const;
const integer = (min: number, max: number, fallback: number) =>
  ({ kind: 'integer', min, max, default: fallback }) as const;
const COLOUR = { kind: 'colour', default: 'AUTOMATIC' } as const;

/**
 * Every setting of a parameter's chart, by its name in the API, in the order in which charts are shown
 * (docs/reference/parameters.md#chart-settings). The nodes service checks by this table, render draws by it.
 */
export const CHART_SETTINGS = {
  stateThresholds: choice(['NONE', 'ALL', 'ALARM', 'NONALARM', 'USER_NOTIFICATION'], 'ALL'),
  markerType: choice(['AUTOMATIC', 'CIRCLE', 'SQUARE', 'DIAMOND', 'TRIANGLE', 'TRIANGLE-DOWN'], 'AUTOMATIC'),
  /** Radius in pixels, 0 = hidden. */
  markerSize: integer(0, 6, 0),
  qualityStyle: choice(['NONE', 'MARKER', 'MARKER_HOVER', 'MARKER_LINE', 'MARKER_FILL'], 'MARKER_HOVER'),
  shadow: { kind: 'boolean', default: false },
  primaryColor: COLOUR,
  secondaryColor: COLOUR,
  fillStyle: choice(
    [
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
    ],
    'NONE',
  ),
  /** Percent. */
  fillOpacity: integer(0, 100, 75),
  /** Pixels, 0 = hidden. */
  lineWidth: integer(0, 6, 2),
  /** Records come so often. */
  expectedIntervalSeconds: { kind: 'seconds', min: 1, max: YEAR_SECONDS, default: null },
  lineType: { ...choice(['NORMAL', 'STEP_LEFT', 'STEP_CENTER', 'STEP_RIGHT', 'SPLINE'], 'NORMAL'), only: 'LineChart' },
  lineStyle: {
    ...choice(
      [
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
      ],
      'SOLID',
    ),
    only: 'LineChart',
  },
  pointPlacementType: { ...choice(['ON', 'BETWEEN'], 'ON'), only: 'ColumnChart' },
  groupType: { ...choice(['NORMAL', 'GROUP', 'STACKED'], 'NORMAL'), only: 'ColumnChart' },
} as const satisfies Readonly<Record<string, ChartSetting>>;

export const AGGREGATION_MODES = ['AUTOMATIC', 'RAW', 'CUSTOM'] as const;
export const INTERVAL_INCLUDES = ['PARTIAL', 'COMPLETE'] as const;
export const BASELINE_TYPES = ['ABSOLUTE', 'RELATIVE'] as const;

export type ChartSettingName = keyof typeof CHART_SETTINGS;

type ValueOf<S> = S extends { readonly kind: 'choice'; readonly of: readonly (infer T)[] }
  ? T
  : S extends { readonly kind: 'integer' }
    ? number
    : S extends { readonly kind: 'boolean' }
      ? boolean
      : S extends { readonly kind: 'seconds' }
        ? number | null
        : string;

/** A value for each setting. */
export type ChartValues = { readonly [K in ChartSettingName]: ValueOf<(typeof CHART_SETTINGS)[K]> };

const SETTINGS = Object.entries(CHART_SETTINGS) as [ChartSettingName, ChartSetting][];
const of = (type: ChartType) => SETTINGS.filter(([, { only }]) => only === undefined || only === type);
const BY_TYPE = { LineChart: of('LineChart'), ColumnChart: of('ColumnChart') } satisfies Record<ChartType, unknown>;

/** Returns the settings that charts of a type have. */
export const settingsOf = (type: ChartType) => BY_TYPE[type];

/** Returns the type that a chart has by its stored `type`: a line, unless it says otherwise. */
export const chartTypeOf = (type: unknown): ChartType => (type === 'ColumnChart' ? 'ColumnChart' : 'LineChart');

/** Returns the value where nobody chose: columns are filled, and the line of a parameter that shows states is stepped. */
export function defaultOf(name: ChartSettingName, type: ChartType, displayType: string): unknown {
  if (name === 'fillStyle' && type === 'ColumnChart') return 'SOLID';
  if (name === 'lineType' && displayType === 'STATE') return 'STEP_LEFT';
  return CHART_SETTINGS[name].default;
}
