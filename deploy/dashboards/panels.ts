import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

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
const WIDTH = 8;
const HEIGHT = 7;

/** The dashboard in Grafana's JSON. */
export function dashboard({ name, title, rows }: DashboardPlan) {
  const builder = new DashboardBuilder(`Catchment: ${title}`)
    .uid(`catchment-${name}`)
    .tags(['catchment'])
    .timezone('browser')
    .time({ from: 'now-3h', to: 'now' })
    .refresh('30s')
    .tooltip(DashboardCursorSync.Crosshair)
    .link(
      new DashboardLinkBuilder('Catchment')
        .type(DashboardLinkType.Dashboards)
        .tags(['catchment'])
        .asDropdown(true)
        .includeVars(true)
        .keepTime(true),
    )
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(
      new QueryVariableBuilder('namespace')
        .label('Namespace')
        .datasource(DATASOURCE)
        .query('label_values(up{job="catchment"}, namespace)')
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .includeAll(true)
        .allValue('.*')
        .current({ text: 'All', value: '$__all' }),
    );
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title));
    for (const panel of row.panels) builder.withPanel(panelOf(panel));
  }
  return builder.build();
}

function panelOf({ title, unit, queries, about, max }: Curves): PanelBuilder {
  const panel = new PanelBuilder()
    .title(title)
    .unit(unit)
    .min(0)
    .span(WIDTH)
    .height(HEIGHT)
    .fillOpacity(8)
    .datasource(DATASOURCE)
    .targets(
      queries.map(({ expr, legend }, index) =>
        new DataqueryBuilder()
          .refId(String.fromCharCode('A'.charCodeAt(0) + index))
          .datasource(DATASOURCE)
          .expr(expr)
          .legendFormat(legend)
          .exemplar(expr.includes('_bucket')),
      ),
    );
  if (about !== undefined) panel.description(about);
  if (max !== undefined) panel.max(max);
  return panel;
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
