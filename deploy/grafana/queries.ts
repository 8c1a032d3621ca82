/** The dashboards ask these by Infinity: requests of the public API, and columns of their answers. */
export const DATASOURCE = { type: 'yesoreyeram-infinity-datasource', uid: 'catchment' };

type ColumnType = 'string' | 'number' | 'timestamp' | 'boolean';
export type Column = { readonly selector: string; readonly text: string; readonly type: ColumnType };

/** Each column has a type: without one Infinity guesses it by the first row, and fails at a row of another. */
export const text = (selector: string, shown = selector): Column => ({ selector, text: shown, type: 'string' });
export const number = (selector: string, shown = selector): Column => ({ selector, text: shown, type: 'number' });
export const time = (selector: string, shown = selector): Column => ({ selector, text: shown, type: 'timestamp' });
export const yesNo = (selector: string, shown = selector): Column => ({ selector, text: shown, type: 'boolean' });

export type Query = ReturnType<typeof queryOf>;

type Asked = {
  readonly type?: 'json' | 'csv';
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  /** The rows are here in the answer; empty: it is an array. */
  readonly root?: string;
  readonly format?: 'table' | 'timeseries' | 'dataframe';
  /** Keeps these rows only. */
  readonly only?: string;
};

/** A query of Infinity. Its backend makes the request, so the browser never sees the key. */
export function queryOf({ type = 'json', path, params, columns, root = '', format = 'table', only = '' }: Asked) {
  return {
    datasource: DATASOURCE,
    type,
    parser: 'backend',
    source: 'url',
    format,
    url: `/api/v1${path}`,
    url_options: {
      method: 'GET',
      data: '',
      params: Object.entries(params).map(([key, value]) => ({ key, value })),
    },
    root_selector: root,
    columns,
    computed_columns: [],
    filters: [],
    filterExpression: only,
  };
}

/** Names a variable of the dashboard or of Infinity, in one of Grafana's formats. */
export const chosen = (name: string, format = ''): string => `\${${name}${format && `:${format}`}}`;

/** Infinity's backend puts in the range of the dashboard: alerts and shared dashboards have it too. */
export const RANGE = { startTime: chosen('__timeFrom', 'date:iso'), endTime: chosen('__timeTo', 'date:iso') };

/**
 * Makes a macro of Infinity: each chosen value between two texts. With «All», whose value is `*`, there is nothing.
 * @param joined between the values
 */
const eachOf = (variable: string, before: string, after: string, joined = ''): string => {
  const escaped = [before, after, joined].map((part) =>
    part.replaceAll('(', '__open').replaceAll(')', '__close').replaceAll(',', '__comma'),
  );
  return `$__combineValues(${escaped.join(',')},${chosen(variable, 'csv')})`;
};

/** Selects what lies in the chosen Workspace, or all: the beginning of a filter. */
export const IN_WORKSPACE = eachOf('workspace', 'workspaceId($eq:', '),');
/** The chosen Workspace is an argument, which may be empty. */
export const WORKSPACE = eachOf('workspace', '', '');

/** Selects the chosen parameters, each with a further criterion. */
export const ofParameters = (criterion: string): string => eachOf('parameter', `${criterion},nodeId($eq:`, ')', '|');

/** Finds number parameters below the chosen site, by the names on the way to them: directly in its Workspace, or in groups. */
export const OF_SITE = ['', '*/']
  .map(
    (groups) =>
      `_class($match:.point.Number),path($like:/${chosen('workspace', 'text')}/${groups}${chosen('site', 'text')}/*)`,
  )
  .join('|');

export const records = (params: Readonly<Record<string, string>>, columns: readonly Column[], more: Partial<Asked>) =>
  queryOf({
    type: 'csv',
    path: '/historic',
    columns,
    ...more,
    params: { ...RANGE, format: 'CSV', layout: 'LONG', renderType: 'VALUE', ...params },
  });

export const raised = (params: Readonly<Record<string, string>>, columns: readonly Column[]) =>
  queryOf({ path: '/alarms', params: { limit: '1000', ...params }, root: 'alarms', columns });

/** Reads names of nodes, for tables of what has only their ids. */
export const namesOf = (filter: string) =>
  queryOf({
    path: '/nodes',
    params: { filter, attr: '_id,name' },
    columns: [text('_id', 'nodeId'), text('name', 'Node')],
  });
