import { DATASOURCE, type Query } from './queries.ts';

type Grid = { readonly w: number; readonly h: number };
export type Panel = {
  /** No two of a dashboard are alike. */
  readonly title: string;
  /** The text says what it shows, and what it leaves out. */
  readonly about: string;
  readonly type: 'stat' | 'table' | 'timeseries' | 'bargauge' | 'barchart';
  readonly unit: string;
  readonly queries: readonly Query[];
  readonly grid: Grid;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
};
export type Annotation = { readonly name: string; readonly color: string; readonly query: Query };
export type Plan = {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly variables: readonly object[];
  readonly annotations: readonly Annotation[];
  readonly panels: readonly Panel[];
};

const GRID_WIDTH = 24;
const LETTERS = 'ABCD';
const stepsFrom = (color: string) => ({
  mode: 'absolute',
  steps: [
    { color: 'green', value: null },
    { color, value: 1 },
  ],
});

/** Counts rows: zero is fine, one row is not. */
export const counter = (title: string, about: string, query: Query, color?: string): Panel => ({
  title,
  about,
  type: 'stat',
  unit: 'short',
  queries: [query],
  grid: { w: 4, h: 4 },
  options: {
    colorMode: color ? 'background' : 'value',
    graphMode: 'none',
    textMode: 'value',
    reduceOptions: { calcs: ['count'], fields: '/.*/', values: false },
  },
  defaults: { noValue: '0', ...(color && { thresholds: stepsFrom(color) }) },
});

/** @param hidden fields that only join what belongs together */
export const table = (
  title: string,
  about: string,
  queries: readonly Query[],
  grid: Grid,
  more: { readonly joinedBy?: string; readonly sortedBy?: string; readonly unit?: string } = {},
): Panel => ({
  title,
  about,
  type: 'table',
  unit: more.unit ?? 'none',
  queries,
  grid,
  ...(more.joinedBy && {
    more: {
      transformations: [
        { id: 'joinByField', options: { byField: more.joinedBy, mode: 'inner' } },
        { id: 'organize', options: { excludeByName: { [more.joinedBy]: true } } },
      ],
    },
  }),
  options: {
    showHeader: true,
    cellHeight: 'sm',
    ...(more.sortedBy && { sortBy: [{ displayName: more.sortedBy, desc: true }] }),
  },
});

/** Writes the dashboard in Grafana's JSON (schema 42). */
export function dashboardOf({ name, title, about, variables, annotations, panels }: Plan) {
  return {
    uid: `catchment-kit-${name}`,
    title,
    description: about,
    tags: ['catchment-kit'],
    schemaVersion: 42,
    // The file is read again: a copy can be changed.
    editable: false,
    graphTooltip: 1,
    timezone: 'browser',
    fiscalYearStartMonth: 0,
    time: { from: 'now-7d', to: 'now' },
    refresh: '5m',
    links: [
      {
        title: 'Catchment',
        type: 'dashboards',
        icon: '',
        tooltip: '',
        tags: ['catchment-kit'],
        asDropdown: true,
        targetBlank: false,
        includeVars: true,
        keepTime: true,
      },
    ],
    templating: { list: variables },
    annotations: {
      list: annotations.map(({ name: shown, color, query }) => ({
        name: shown,
        enable: true,
        hide: false,
        iconColor: color,
        datasource: DATASOURCE,
        target: { refId: 'Anno', ...query },
      })),
    },
    panels: placed(panels),
  };
}

/** Places panels side by side, line by line. */
function placed(panels: readonly Panel[]): object[] {
  let [x, y, height] = [0, 0, 0];
  return panels.map(({ title, about, type, unit, queries, grid, more, options, defaults }, index) => {
    if (x + grid.w > GRID_WIDTH) [x, y, height] = [0, y + height, 0];
    const gridPos = { x, y, ...grid };
    x += grid.w;
    height = Math.max(height, grid.h);
    return {
      id: index + 1,
      type,
      title,
      description: about,
      datasource: DATASOURCE,
      gridPos,
      ...more,
      ...(options && { options }),
      fieldConfig: { defaults: { unit, ...defaults }, overrides: [] },
      targets: queries.map((query, n) => ({ refId: LETTERS[n], ...query })),
    };
  });
}
