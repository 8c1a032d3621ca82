/** Units of Grafana. */
export type Unit = 's' | 'bytes' | 'short' | 'ops' | 'percentunit' | 'reqps' | 'cps';

export type Query = { readonly expr: string; readonly legend: string };
/** Curves of one unit over time. */
export type Curves = {
  readonly title: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Normal values, where they are not plain. */
  readonly about?: string;
  /** Largest value that is possible. */
  readonly max?: number;
};
export type Row = { readonly title: string; readonly panels: readonly Curves[] };
export type DashboardPlan = { readonly name: string; readonly title: string; readonly rows: readonly Row[] };

/** Labels of this installation; further ones may follow a comma. */
export const HERE = 'job="catchment", namespace=~"$namespace"';

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };
const GRID_WIDTH = 24;
const WIDTH = 8;
const HEIGHT = 7;
const A_LINE = GRID_WIDTH / WIDTH;

/** What both variables are. */
const VARIABLE = { skipUrlSync: false, multi: false, allowCustomValue: true };
const NO_AUTO = { auto: false, auto_min: '10s', auto_count: 30 };

const VARIABLES = [
  {
    ...{ type: 'datasource', name: 'datasource', ...VARIABLE, includeAll: false, ...NO_AUTO },
    ...{ label: 'Prometheus', query: 'prometheus' },
  },
  {
    ...{ type: 'query', name: 'namespace', ...VARIABLE, includeAll: true, ...NO_AUTO },
    ...{ label: 'Namespace', datasource: DATASOURCE, query: 'label_values(up{job="catchment"}, namespace)' },
    // At every change of the range of time.
    refresh: 2,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  },
];

/** To the other dashboards. */
const LINK = {
  ...{ title: 'Catchment', type: 'dashboards', icon: '', tooltip: '', tags: ['catchment'], asDropdown: true },
  ...{ placement: 'inControlsMenu', targetBlank: false, includeVars: true, keepTime: true },
};

/** The dashboard in Grafana's JSON (schema 42). */
export function dashboard({ name, title, rows }: DashboardPlan) {
  return {
    timezone: 'browser',
    editable: true,
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

/** Each row a head, and below it its panels, line by line. */
function panelsOf(rows: readonly Row[]): object[] {
  let top = 0;
  return rows.flatMap(({ title, panels }) => {
    const y = top;
    top += 1 + Math.ceil(panels.length / A_LINE) * HEIGHT;
    return [
      { type: 'row', collapsed: false, id: 0, panels: [], title, gridPos: { x: 0, y, h: 1, w: GRID_WIDTH } },
      ...panels.map((panel, index) =>
        panelOf(panel, { x: (index % A_LINE) * WIDTH, y: y + 1 + Math.floor(index / A_LINE) * HEIGHT }),
      ),
    ];
  });
}

function panelOf({ title, unit, queries, about, max }: Curves, place: { x: number; y: number }): object {
  return {
    type: 'timeseries',
    transparent: false,
    repeatDirection: 'h',
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: false, calcs: [] },
      tooltip: { mode: 'single', sort: 'asc' },
    },
    fieldConfig: {
      defaults: { custom: { fillOpacity: 8 }, unit, min: 0, ...(max !== undefined && { max }) },
      overrides: [],
    },
    title,
    gridPos: { h: HEIGHT, w: WIDTH, ...place },
    datasource: DATASOURCE,
    targets: queries.map(({ expr, legend }, index) => ({
      expr,
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      legendFormat: legend,
      exemplar: expr.includes('_bucket'),
    })),
    ...(about !== undefined && { description: about }),
  };
}

const over = (labels: string) => `sum by (${labels})`;
/** Labels with commas, as Grafana shows their values. */
const legendOf = (by: string): string => by.replaceAll(/(\w+),?/g, '{{$1}}');

/** How often a counter rises in a second, by some of its labels. */
export const rate = (metric: string, by: string, where = ''): Query => ({
  expr: `${over(by)} (rate(${metric}{${HERE}${where}}[$__rate_interval]))`,
  legend: legendOf(by),
});

const percentile = (share: number, metric: string, by: string, where: string): string =>
  `histogram_quantile(${share}, ${over(by ? `le, ${by}` : 'le')} (rate(${metric}_bucket{${HERE}${where}}[$__rate_interval])))`;

/** The median and the 99th percentile of a histogram, by some of its labels. */
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

/** What every replica tells alike, or what counts of the worst one. */
export const highest = (metric: string, by: string, where = ''): Query => ({
  expr: `max by (${by}) (${metric}{${HERE}${where}})`,
  legend: legendOf(by),
});

export const total = (metric: string, by: string, where = ''): Query => ({
  expr: `sum by (${by}) (${metric}{${HERE}${where}})`,
  legend: legendOf(by),
});
