/** Units of Grafana. */
type Unit = 's' | 'bytes' | 'short' | 'ops' | 'percentunit' | 'reqps' | 'cps';

export type Query = { readonly expr: string; readonly legend: string };
type Common = {
  /** No two of a dashboard are alike. */
  readonly title: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** The text says what it is, and normal values. */
  readonly about: string;
};
/** One unit's curves over time. */
type Curves = Common & {
  /** Largest value that is possible. */
  readonly max?: number;
};
/** A tile shows one number with a colour: is it fine? */
export type Tile = Common & {
  /** The panel is orange and red from these values on; up to them where more is better. */
  readonly orange?: number;
  readonly red?: number;
  readonly isBetterHigh?: boolean;
  /** From this number on, the text in the colour stands in place of the number. */
  readonly text?: { readonly from: number; readonly shown: string; readonly color: 'red' | 'green' };
  /** The page of the runbook for this alert says what to do. */
  readonly runbook: string;
};
export type Panel = Curves | Tile;
export type Row = { readonly title: string; readonly panels: readonly Panel[] };
export type DashboardPlan = { readonly name: string; readonly title: string; readonly rows: readonly Row[] };

export const isTile = (panel: Panel): panel is Tile => 'runbook' in panel;

/** Labels of this installation; further ones may follow a comma. */
export const HERE = 'job=~"$job", instance=~"$instance", namespace=~"$namespace"';
/** This selects what rules record, and alerts: they have no instance. */
export const RECORDED = 'namespace=~"$namespace"';

/** Shows 0 instead of «No data» where there is no series. */
export const orZero = (expr: string): string => `(${expr}) or on() vector(0)`;

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
const GRID_WIDTH = 24;
const CURVES = { width: 8, height: 7 };
const TILES = { width: 4, height: 4 };
/** The chart puts the address in whose end this path is. */
const RUNBOOK = 'RUNBOOK_BASE/docs/operations/runbook';

/** All variables have these. */
const VARIABLE = { skipUrlSync: false, multi: false, allowCustomValue: true };
const NO_AUTO = { auto: false, auto_min: '10s', auto_count: 30 };
const queried = (name: string, label: string, query: string, more: object = {}) => ({
  type: 'query',
  name,
  ...VARIABLE,
  includeAll: true,
  ...NO_AUTO,
  label,
  datasource: DATASOURCE,
  query,
  // The variable is read anew at every change of the range of time.
  refresh: 2,
  allValue: '.+',
  current: { text: 'All', value: '$__all' },
  ...more,
});

const VARIABLES = [
  {
    type: 'datasource',
    name: 'datasource',
    ...VARIABLE,
    includeAll: false,
    ...NO_AUTO,
    label: 'Data source',
    query: 'prometheus',
  },
  queried('namespace', 'Namespace', 'label_values(catchment_ready, namespace)', { allValue: '.*' }),
  queried('job', 'Job', 'label_values(catchment_ready, job)', { multi: true }),
  queried('instance', 'Instance', 'label_values(catchment_ready{job=~"$job", namespace=~"$namespace"}, instance)', {
    multi: true,
  }),
];

/** Links to the other dashboards. */
const LINK = {
  title: 'Catchment',
  type: 'dashboards',
  icon: '',
  tooltip: '',
  tags: ['catchment'],
  asDropdown: true,
  placement: 'inControlsMenu',
  targetBlank: false,
  includeVars: true,
  keepTime: true,
};

/** Writes the dashboard in Grafana's JSON (schema 42). */
export function dashboard({ name, title, rows }: DashboardPlan) {
  return {
    timezone: 'browser',
    // Code makes it: what somebody changes is lost with the next release. A copy of it can be changed.
    editable: false,
    // A crosshair in every panel.
    graphTooltip: 1,
    fiscalYearStartMonth: 0,
    schemaVersion: 42,
    templating: { list: VARIABLES },
    annotations: {},
    title: `Catchment: ${title}`,
    uid: `catchment-${name}`,
    tags: ['catchment'],
    time: { from: 'now-3h', to: 'now' },
    refresh: '30s',
    links: [LINK],
    panels: panelsOf(rows),
  };
}

/** Each row has a head, and below it its panels, line by line. A row has tiles, or curves. */
function panelsOf(rows: readonly Row[]): object[] {
  let top = 0;
  let id = 0;
  return rows.flatMap(({ title, panels }) => {
    const y = top;
    const { width, height } = panels.every(isTile) ? TILES : CURVES;
    const aLine = GRID_WIDTH / width;
    top += 1 + Math.ceil(panels.length / aLine) * height;
    id += 1;
    return [
      { type: 'row', collapsed: false, id, panels: [], title, gridPos: { x: 0, y, h: 1, w: GRID_WIDTH } },
      ...panels.map((panel, index) => {
        id += 1;
        const gridPos = {
          h: height,
          w: width,
          x: (index % aLine) * width,
          y: y + 1 + Math.floor(index / aLine) * height,
        };
        return { id, ...(isTile(panel) ? tileOf(panel) : curvesOf(panel)), gridPos };
      }),
    ];
  });
}

const targetsOf = (queries: readonly Query[], isInstant = false) =>
  queries.map(({ expr, legend }, index) => ({
    expr,
    refId: String.fromCharCode('A'.charCodeAt(0) + index),
    datasource: DATASOURCE,
    legendFormat: legend,
    ...(isInstant ? { instant: true, range: false } : { exemplar: expr.includes('_bucket') }),
  }));

const curvesOf = ({ title, unit, queries, about, max }: Curves): object => ({
  type: 'timeseries',
  transparent: false,
  repeatDirection: 'h',
  options: {
    legend: { displayMode: 'list', placement: 'bottom', showLegend: false, calcs: [] },
    tooltip: { mode: 'single', sort: 'asc' },
  },
  fieldConfig: {
    defaults: { custom: { fillOpacity: 8 }, unit, min: 0, noValue: '0', ...(max !== undefined && { max }) },
    overrides: [],
  },
  title,
  description: about,
  datasource: DATASOURCE,
  targets: targetsOf(queries),
});

function tileOf({ title, unit, queries, about, orange, red, isBetterHigh, text, runbook }: Tile): object {
  const steps = isBetterHigh
    ? [{ color: 'red', value: null }, ...stepOf('orange', red), ...stepOf('green', orange)]
    : [{ color: 'green', value: null }, ...stepOf('orange', orange), ...stepOf('red', red)];
  const mappings = text
    ? [
        {
          type: 'range',
          options: { from: text.from, to: null, result: { text: text.shown, color: text.color, index: 0 } },
        },
      ]
    : [];
  return {
    type: 'stat',
    transparent: false,
    options: {
      colorMode: 'background',
      graphMode: 'none',
      justifyMode: 'center',
      textMode: 'value',
      wideLayout: true,
      reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    },
    fieldConfig: {
      defaults: { unit, mappings, noValue: '0', thresholds: { mode: 'absolute', steps } },
      overrides: [],
    },
    title,
    description: about,
    links: [{ title: `Runbook: ${runbook}`, url: `${RUNBOOK}/${runbook}.md`, targetBlank: true }],
    datasource: DATASOURCE,
    targets: targetsOf(queries, true),
  };
}

const stepOf = (color: string, value: number | undefined) => (value === undefined ? [] : [{ color, value }]);

/** Returns the colour that a tile has with a value. */
export function colorOf({ orange, red, isBetterHigh, text }: Tile, value: number): 'green' | 'orange' | 'red' {
  if (text && value >= text.from) return text.color;
  if (isBetterHigh)
    return red !== undefined && value < red ? 'red' : orange !== undefined && value < orange ? 'orange' : 'green';
  return red !== undefined && value >= red ? 'red' : orange !== undefined && value >= orange ? 'orange' : 'green';
}

const over = (labels: string) => `sum by (${labels})`;
/** Labels with commas, as Grafana shows their values. */
const legendOf = (by: string): string => by.replaceAll(/(\w+),?/g, '{{$1}}');

/** Returns how often a counter rises in a second, by some of its labels. */
export const rate = (metric: string, by: string, where = ''): Query => ({
  expr: orZero(`${over(by)} (rate(${metric}{${HERE}${where}}[$__rate_interval]))`),
  legend: legendOf(by),
});

const percentile = (share: number, metric: string, by: string, where: string): string =>
  orZero(
    `histogram_quantile(${share}, ${over(by ? `le, ${by}` : 'le')} (rate(${metric}_bucket{${HERE}${where}}[$__rate_interval])))`,
  );

/** Returns the median and the 99th percentile of a histogram, by some of its labels. */
export const percentiles = (metric: string, by = '', where = ''): Query[] =>
  [0.5, 0.99].map((share) => ({
    expr: percentile(share, metric, by, where),
    legend: `${share * 100} % ${legendOf(by)}`.trim(),
  }));

/** The 99th percentile alone. */
export const slowest = (metric: string, by: string, where = ''): Query => ({
  expr: percentile(0.99, metric, by, where),
  legend: legendOf(by),
});

/** Returns what every replica reports alike, or what counts of the worst replica. */
export const highest = (metric: string, by: string, where = ''): Query => ({
  expr: orZero(`max by (${by}) (${metric}{${HERE}${where}})`),
  legend: legendOf(by),
});

export const total = (metric: string, by: string, where = ''): Query => ({
  expr: orZero(`sum by (${by}) (${metric}{${HERE}${where}})`),
  legend: legendOf(by),
});
