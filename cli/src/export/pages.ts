import { COLUMNS_MAX } from '@catchment/ids';
import { formatIsoMs, tryParseInstantMs } from '@catchment/time';
import { parse } from 'csv-parse/sync';
import type { ApiClient } from '../api/api-client.ts';

export type ExportQuery = {
  readonly nodeIds: readonly string[];
  readonly format: 'csv' | 'jts';
  /** The range is inclusive, in Unix ms; an absent end means the first or the last record. */
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly zone: string;
  readonly dst: boolean;
  /** True where CSV has a cell for the quality behind each value. */
  readonly quality: boolean;
  readonly pageRows: number;
};

export type Page = {
  /** The text is a part of the whole document: the first page has its head; a line a record. */
  readonly text: string;
  readonly rows: number;
  /** The last row's Unix ms. */
  readonly lastMs: number;
};

/** No record is older. */
const FIRST_MS = Date.UTC(1800, 0, 1);

/**
 * Yields the records of the nodes, joined on equal times, in requests of a bounded number of rows: each begins behind the last row of the
 * one before. Together the texts are one document.
 * @param fetched calls the API, with retries
 */
export async function* pages(fetched: (path: string) => Promise<string>, query: ExportQuery): AsyncGenerator<Page> {
  let fromMs = query.fromMs ?? FIRST_MS;
  let isFirst = true;
  for (;;) {
    const text = await fetched(pathOf(query, fromMs, isFirst));
    const page = query.format === 'csv' ? csvPage(text, isFirst) : jtsPage(text, isFirst);
    yield page;
    if (page.rows < query.pageRows) break;
    fromMs = page.lastMs + 1;
    if (query.toMs !== undefined && fromMs > query.toMs) break;
    isFirst = false;
  }
  if (query.format === 'jts') yield { text: '\n]}\n', rows: 0, lastMs: fromMs };
}

function pathOf(
  { nodeIds, format, toMs, zone, dst, quality, pageRows }: ExportQuery,
  fromMs: number,
  isFirst: boolean,
): string {
  const query = new URLSearchParams({
    params: nodeIds.join(','),
    startTime: formatIsoMs(fromMs),
    ...(toMs !== undefined && { endTime: formatIsoMs(toMs) }),
    limit: String(pageRows),
    timezone: zone,
    timezoneAdjustForDst: String(dst).toUpperCase(),
    // Numbers come as they are stored, not as they are shown.
    renderFormat: '',
    renderType: 'VALUE',
    ...(format === 'csv' && {
      format: 'CSV',
      header: String(isFirst).toUpperCase(),
      quality: quality ? 'SEPARATE_VALUE' : 'NONE',
    }),
  });
  return `/historic?${query}`;
}

const HEADER_ROWS = 3;

function csvPage(text: string, isFirst: boolean): Page {
  const records = parse(text, { relax_column_count: true }) as string[][];
  const rows = records.length - (isFirst ? HEADER_ROWS : 0);
  const time = rows > 0 ? (records.at(-1)?.[0] ?? '') : undefined;
  return { text, rows, lastMs: time === undefined ? 0 : msOf(time) };
}

type Jts = { readonly header: { readonly columns: object }; readonly data: readonly { readonly ts: string }[] };

function jtsPage(text: string, isFirst: boolean): Page {
  const { header, data } = JSON.parse(text) as Jts;
  const lines = data.map((record) => JSON.stringify(record)).join(',\n');
  const head = `{"docType":"jts","version":"1.0","header":{"columns":${JSON.stringify(header.columns)}},"data":[\n`;
  const before = isFirst ? head : lines && ',\n';
  const last = data.at(-1);
  return { text: before + lines, rows: data.length, lastMs: last ? msOf(last.ts) : 0 };
}

function msOf(time: string): number {
  const ms = tryParseInstantMs(time);
  if (ms === undefined) throw new Error(`The API has answered a time that cannot be read: ${time.slice(0, 40)}`);
  return ms;
}

export type ExportNode = {
  readonly _id: string;
  readonly _class: string;
  readonly name: string;
  readonly oldestTime?: string;
  readonly currentTime?: string;
};

const ATTRIBUTES = 'attr=_id,_class,name,oldestTime,currentTime';

/** Lists nodes that have records: a data source stands for its parameters, by name. @throws Error when there are none, or too many */
export async function exportNodes(api: ApiClient, paths: readonly string[]): Promise<ExportNode[]> {
  const nodes: ExportNode[] = [];
  for (const path of paths) {
    const node = (await api.send('GET', `/nodes/${path}?${ATTRIBUTES}`)) as ExportNode;
    if (!node._class.includes('.source.data.')) {
      nodes.push(node);
      continue;
    }
    const children = (await api.send(
      'GET',
      `/nodes?filter=parentId($eq:${node._id})&sort=name&${ATTRIBUTES}`,
    )) as ExportNode[];
    nodes.push(...children.filter(({ _class }) => _class.includes('.point.')));
  }
  if (nodes.length === 0) throw new Error('There is no parameter to export.');
  if (nodes.length > COLUMNS_MAX) {
    throw new Error(`${nodes.length} series: at most ${COLUMNS_MAX} go into one file. Name fewer of them with --node.`);
  }
  return nodes;
}
