import { formatOffset, timeFormatter } from '@catchment/time';
import type { SeriesView } from '../../columns/index.ts';
import { bad } from '../../series/index.ts';
import type { Answer, Pieces, Site } from './answer.ts';
import { rowsOf, type TableColumn } from './column-table.ts';
import { uniqueNames } from './fields.ts';

const MINUTE_MS = 60_000;
const RULE = `# ${'-'.repeat(86)}\n`;
const FORMAT: Readonly<Record<SeriesView['kind'], string>> = {
  NUMBER: '14n',
  TIME: '20d',
  TEXT: '20s',
  COORDINATES: '20s',
};

/**
 * Yields a table as the USGS writes it (docs/reference/formats.md#rdb).
 * @throws DomainError invalid_argument at a text that the form has no way to write
 */
export function* rdbPieces(answer: Answer): Pieces {
  const { table, sites } = answer;
  const names = uniqueNames(table.columns, '_');
  yield* comments(answer, names);
  const columns = table.columns.map((column, n) => ({ column, n, name: names[n] ?? '' }));
  const line = (cells: readonly string[]) => `${cells.join('\t')}\n`;
  yield line(['agency_cd', 'site_no', 'datetime', 'tz_cd', ...columns.flatMap(({ name }) => [name, `${name}_cd`])]);
  yield line(['5s', '15s', '20d', '6s', ...columns.flatMap(({ column }) => [FORMAT[column.view.kind], '10s'])]);
  const time = timePrinter(answer);
  const cell = cellPrinter(answer);
  for (const site of distinct(sites)) {
    const ofSite = columns.filter(({ n }) => sites[n]?.nodeId === site.nodeId);
    const begin = `${agencyOf(answer)}\t${siteNumber(site)}\t`;
    for (const { timeMs, indexes } of rowsOf({ columns: ofSite.map(({ column }) => column), times: table.times })) {
      if (indexes.every((index) => index < 0)) continue;
      const cells = columns.map(() => '\t');
      for (const [at, { column, n }] of ofSite.entries()) cells[n] = cell(column, indexes[at] ?? -1);
      yield `${begin}${time(timeMs)}\t${cells.join('\t')}\n`;
    }
  }
}

function* comments(answer: Answer, names: readonly string[]): Pieces {
  const { table, sites, nowMs } = answer;
  yield RULE;
  yield `# Data by Catchment, not by the USGS. Qualities are in the columns *_cd.\n#\n`;
  yield `# retrieved: ${timeFormatter('YYYY-MM-DD HH:mm:ss')(nowMs)} UTC\n#\n`;
  yield '# Data for the following sites:\n';
  for (const site of distinct(sites)) yield `#    ${agencyOf(answer)} ${siteNumber(site)} ${oneLine(site.name)}\n`;
  yield '#\n# Columns:\n';
  for (const [n, { view }] of table.columns.entries()) {
    const { node, aggregate, intervals } = view;
    const units = node.series.units === '' ? '' : `, ${oneLine(node.series.units)}`;
    const computed = aggregate === 'NONE' ? '' : ` (${[aggregate, intervals?.interval].filter(Boolean).join(' ')})`;
    yield `#    ${names[n]}  ${oneLine(node.name)}${units}${computed}\n`;
  }
  yield RULE;
}

const distinct = (sites: readonly Site[]): Site[] => [...new Map(sites.map((site) => [site.nodeId, site])).values()];

const siteNumber = ({ customId, nodeId }: Site): string => oneLine(customId || nodeId);

/** Returns the account, by which its nodes' paths begin. */
const agencyOf = ({ table }: Answer): string => oneLine(table.columns[0]?.view.node.path.split('/')[0] ?? '');

/** Signs that at least some readers take for the end of a line. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();

/** Local time and zone. */
function timePrinter({ table, query: { zone, timeFormat } }: Answer): (ms: number) => string {
  const print = timeFormatter(timeFormat ?? shortestFormat(table.times), zone);
  return (ms) => `${plain(print(ms), 'timeFormat')}\t${zone.isUtc ? 'UTC' : formatOffset(zone.offsetMsAt(ms))}`;
}

function shortestFormat(times: Float64Array): string {
  if (times.every((ms) => ms % MINUTE_MS === 0)) return 'YYYY-MM-DD HH:mm';
  return times.every((ms) => ms % 1_000 === 0) ? 'YYYY-MM-DD HH:mm:ss' : 'YYYY-MM-DD HH:mm:ss.SSS';
}

/** The value and its quality. */
function cellPrinter({ query: { zone } }: Answer): (column: TableColumn, index: number) => string {
  const time = timeFormatter('YYYY-MM-DD HH:mm:ss', zone);
  const shown = ({ records, view }: TableColumn, index: number): string => {
    if (view.kind === 'TEXT') return plain(view.text(records, index) ?? '', 'format');
    if (view.kind === 'COORDINATES') return view.csv(records, index).text;
    const number = view.number(records, index);
    if (Number.isNaN(number)) return '';
    return view.kind === 'TIME' ? time(number) : String(number);
  };
  return (column, index) => {
    if (index < 0) return '\t';
    const quality = column.records.qualities[index] ?? -1;
    return `${shown(column, index)}\t${quality < 0 ? '' : quality}`;
  };
}

function plain(text: string, argument: string): string {
  if (/[\t\n\r]/.test(text))
    throw bad(argument, 'RDB cannot hold a text with a tab or a line break; ask for format=CSV');
  return text;
}
