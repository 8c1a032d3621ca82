// Does what Grafana and its plugin Infinity 3.11 (backend parser) do with a query: variables, macros, the request, and
// fields of the answer. It follows the plugin's sources (pkg/infinity/request.go and headers.go, pkg/models/macros.go)
// and those of grafana/infinity-libs (jsonframer, csvframer, gframer, macros), as far as the kit uses them; what it
// does not know is an error.
import { parse } from 'csv-parse/sync';

export type Choice = { readonly text: string; readonly value: string };
/** Says what is chosen of each variable. */
export type Scope = Readonly<Record<string, readonly Choice[]>>;
export type Range = { readonly from: string; readonly to: string };
type Column = { readonly selector: string; readonly text: string; readonly type: string };
export type InfinityQuery = {
  readonly type: 'json' | 'csv';
  readonly parser: string;
  readonly source: string;
  readonly format: string;
  readonly url: string;
  readonly url_options: {
    readonly method: string;
    readonly params: readonly { readonly key: string; readonly value: string }[];
  };
  readonly root_selector: string;
  readonly columns: readonly Column[];
  readonly filterExpression: string;
};
/** The data source is as in the provisioning file, with its variables of the environment filled in. */
export type DataSource = {
  readonly url: string;
  readonly jsonData: {
    readonly auth_method: string;
    readonly apiKeyType: string;
    readonly apiKeyKey: string;
    readonly allowedHosts: readonly string[];
    readonly customHealthCheckUrl: string;
  };
  readonly secureJsonData: { readonly apiKeyValue: string };
};
/** Each field has values; times are Unix ms. */
export type Frame = Readonly<Record<string, readonly unknown[]>>;
export type Request = { readonly url: string; readonly headers: Record<string, string> };

/** Puts in variables of the dashboard, as the browser does. A name that is none stays as it is. */
export function withVariables(text: string, scope: Scope): string {
  return text.replaceAll(/\$\{(\w+)(?::(\w+))?\}|\$(\w+)/g, (whole, braced, format, plain) => {
    const chosen = scope[braced ?? plain];
    if (!chosen) return whole;
    const values = chosen.map(({ value }) => value);
    if (format === 'csv') return values.join(',');
    if (format === 'text') return chosen.map((column) => column.text).join(' + ');
    if (format !== undefined) throw new Error(`${whole}: this format is not known here`);
    return values.length === 1 ? (values[0] ?? '') : `{${values.join(',')}}`;
  });
}

const WORDS = { __comma: ',', __space: ' ', __open: '(', __close: ')' };
const unescaped = (text: string): string =>
  Object.entries(WORDS).reduce((shown, [word, sign]) => shown.replaceAll(word, sign), text);
/** Writes layout 2006-01-02T15:04:05.999Z of Go: zeros at the end of a fraction are left out. */
const isoOf = (time: string): string => new Date(time).toISOString().replace(/\.?0*Z$/, 'Z');

/** Puts in macros, as the backend does. */
export function withMacros(text: string, { from, to }: Range): string {
  const combined = text.replaceAll(/\$__combineValues\b(?:\((.*?)\))?/g, (whole, given: string | undefined) => {
    const args = (given ?? '').split(',');
    if (args.length <= 3) throw new Error(`${whole}: insufficient arguments to combineValues macro`);
    if (args.length === 4 && args[3] === '*') return '';
    const [before, after, joined] = args.slice(0, 3).map(unescaped);
    return args
      .slice(3)
      .map((value) => `${before}${value}${after}`)
      .join(joined);
  });
  const filled = combined.replaceAll(/\$\{__time(From|To):date:iso\}/g, (_whole, end) =>
    isoOf(end === 'From' ? from : to),
  );
  if (/\$__|\$\{/.test(filled)) throw new Error(`${filled}: this macro or variable is not known here`);
  return filled.trim();
}

/** Encodes like url.Values.Encode of Go: ordered by name. */
const encoded = (params: readonly (readonly [name: string, value: string])[]): string =>
  params
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map((pair) => pair.map(escapedByGo).join('='))
    .join('&');
const escapedByGo = (text: string): string =>
  encodeURIComponent(text)
    .replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

const ACCEPTS = { json: 'application/json;q=0.9,text/plain', csv: 'text/csv; charset=utf-8' };

export function requestOf(query: InfinityQuery, source: DataSource, scope: Scope, range: Range): Request {
  const { jsonData, secureJsonData } = source;
  const params = query.url_options.params.map(
    ({ key, value }) => [key, withMacros(withVariables(value, scope), range)] as const,
  );
  const url = `${source.url}${withMacros(withVariables(query.url, scope), range)}?${encoded(params)}`;
  if (query.url_options.method !== 'GET') throw new Error(`${query.url_options.method} is not known here`);
  if (!jsonData.allowedHosts.some((host) => url.startsWith(host))) throw new Error(`${url}: host is not allowed`);
  if (jsonData.auth_method !== 'apiKey' || jsonData.apiKeyType !== 'header' || secureJsonData.apiKeyValue === '')
    throw new Error('invalid or empty API key');
  return {
    url,
    headers: {
      Accept: ACCEPTS[query.type],
      'Accept-Encoding': 'gzip',
      'User-Agent': 'Go-http-client/1.1',
      [jsonData.apiKeyKey]: secureJsonData.apiKeyValue,
    },
  };
}

/** Reads the fields that a panel, variable or annotation gets. @throws Error as Grafana shows one */
export async function framesOf(query: InfinityQuery, source: DataSource, scope: Scope, range: Range): Promise<Frame> {
  if (query.parser !== 'backend' || query.source !== 'url') throw new Error('this kind of query is not known here');
  const { url, headers } = requestOf(query, source, scope, range);
  const response = await fetch(url, { headers });
  const body = await response.text();
  if (response.status >= 400) throw new Error(`unsuccessful HTTP response: ${response.status} of ${url}: ${body}`);
  if (body === '') throw new Error(`empty response body received for the URL ${url}`);
  const frame = frameOf(query.columns, query.type === 'json' ? rowsOfJson(query, body) : rowsOfCsv(query, body));
  return only(query.filterExpression, query.format === 'timeseries' ? checkedSeries(frame) : frame);
}

type Row = Readonly<Record<string, unknown>>;

function rowsOfJson({ root_selector, columns }: InfinityQuery, body: string): Row[] {
  const whole = JSON.parse(body) as unknown;
  const rows = root_selector === '' ? whole : at(whole, root_selector);
  if (rows === undefined) throw new Error('invalid root selector');
  const list = Array.isArray(rows) ? rows : [rows];
  return list.map((row) => Object.fromEntries(columns.map(({ selector, text }) => [text, at(row, selector)])));
}

/** Reads names that are parted by dots, as GJSON does. */
function at(value: unknown, selector: string): unknown {
  if (!/^\w+(\.\w+)*$/.test(selector)) throw new Error(`${selector}: this selector is not known here`);
  return selector
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value);
}

function rowsOfCsv({ columns }: InfinityQuery, body: string): Row[] {
  const rows = parse<Record<string, string>>(body, { columns: true, relax_quotes: true });
  return rows.map((row) => Object.fromEntries(columns.map(({ selector, text }) => [text, row[selector]])));
}

/** Makes a frame. It has no field at all where there is no row. */
const frameOf = (columns: readonly Column[], rows: readonly Row[]): Frame =>
  rows.length === 0
    ? {}
    : Object.fromEntries(columns.map(({ text, type }) => [text, rows.map((row) => typed(row[text], type))]));

function typed(value: unknown, type: string): unknown {
  if (type === 'string') return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
  if (type === 'number')
    return typeof value === 'number' ? value : typeof value === 'string' && /\d/.test(value) ? Number(value) : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (type !== 'timestamp') throw new Error(`${type}: this type of a column is not known here`);
  if (typeof value !== 'string' || value === '') return null;
  // Go tries RFC 3339 first.
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value)) throw new Error(`${value} is no time`);
  return Date.parse(value);
}

/** Checks what LongToWide of Grafana's SDK needs, to make a curve for each set of texts. */
function checkedSeries(frame: Frame): Frame {
  const times = frame.time as readonly number[] | undefined;
  if (times?.some((time, n) => time === null || time < (times[n - 1] ?? time)))
    throw new Error('long series must be sorted ascending by time');
  return frame;
}

function only(expression: string, frame: Frame): Frame {
  if (expression === '') return frame;
  const [, name] = /^(\w+) != ''$/.exec(expression) ?? [];
  if (name === undefined) throw new Error(`${expression}: this filter is not known here`);
  const isKept = (frame[name] ?? []).map((value) => value !== '');
  return Object.fromEntries(
    Object.entries(frame).map(([field, values]) => [field, values.filter((_, n) => isKept[n])]),
  );
}

export const rowCount = (frame: Frame): number => Object.values(frame)[0]?.length ?? 0;
