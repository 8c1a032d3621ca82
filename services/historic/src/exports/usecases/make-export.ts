import { Readable } from 'node:stream';
import { inSlice } from '@catchment/fair-queue';
import { timeFormatter } from '@catchment/time';
import { ZipFile } from 'yazl';
import {
  AnswerBudget,
  type Column,
  columnOptions,
  type QueryOptions,
  queryOptions,
  viewOf,
} from '../../columns/index.ts';
import { type ColumnTable, csvHeader, csvText, JTS_END, jtsHead, jtsRows } from '../../formats/index.ts';
import {
  collectTable,
  nextPiece,
  type ReadCall,
  type ReadDeps,
  requesterOf,
  withShownQuality,
} from '../../read/index.ts';
import { withinTime } from '../../records/index.ts';
import { MIN_RECORD_MS, seriesOf } from '../../series/index.ts';
import { type ExportPlan, formatOf, memberName } from '../domain/export.ts';

export type Progress = { seriesDone: number; records: number };

/** A page, the part of an export that is in memory at a time, has this many fields over all its columns. */
const PAGE_FIELDS = 50_000;

/**
 * Yields the zip of an export in pieces, a page of its records at a time.
 * @param progress what was made so far; it is kept up to date
 * @throws DomainError not_found, permission_denied for a node that the user may not see any more
 */
export async function* exportBytes(
  deps: ReadDeps,
  plan: ExportPlan,
  call: ReadCall,
  progress: Progress,
  pageFields = PAGE_FIELDS,
): AsyncGenerator<Uint8Array> {
  const nowMs = deps.now();
  const query = queryOptions({ ...plan.arguments, format: formatOf(plan.format) }, nowMs);
  const options = columnOptions(plan.arguments, 'RECORD');
  const resolved = await deps.catalogue.resolveAll(plan.nodeIds, requesterOf(call));
  const columns = resolved.map((found): Column => {
    const node = seriesOf(found, 'an export');
    return { node, options, view: viewOf(node, { ...options, zone: query.zone }) };
  });
  const groups = plan.layout === 'INTERLEAVED' ? [columns] : columns.map((column) => [column]);
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: Error) => output.destroy(error);
  zip.on('error', fail);
  for (const group of groups) {
    const [first] = group;
    if (!first) continue;
    const name =
      plan.layout === 'INTERLEAVED'
        ? `records.${plan.format === 'CSV' ? 'csv' : 'json'}`
        : memberName(first.node, plan);
    const text = fileText(deps, { columns: group, query, plan, nowMs, pageFields }, call, progress);
    // The zip passes errors of its files on to nobody.
    const file = Readable.from(text, { objectMode: false }).on('error', fail);
    zip.addReadStream(file, name, { mtime: new Date(nowMs) });
  }
  zip.end();
  yield* output as AsyncIterable<Buffer>;
}

type FileQuestion = {
  readonly columns: readonly Column[];
  readonly query: QueryOptions;
  readonly plan: ExportPlan;
  readonly nowMs: number;
  readonly pageFields: number;
};

/** Yields a file as GET …/historic would answer it, had it no limit; a JTS document without the count of its records, which comes last. */
async function* fileText(
  deps: ReadDeps,
  question: FileQuestion,
  call: ReadCall,
  progress: Progress,
): AsyncGenerator<Buffer> {
  const { columns, query, plan } = question;
  const { zone, csv, timeFormat, format } = query;
  const print = timeFormat === undefined ? zone.formatIso : timeFormatter(timeFormat, zone);
  const views = columns.map(({ view }) => view);
  const shown = (ms: number | null) => (ms === null ? null : zone.formatIso(ms));
  yield Buffer.from(
    format === 'CSV'
      ? [...csvHeader(columns, csv)].join('')
      : jtsHead(views, true, { startTime: shown(plan.startMs), endTime: shown(plan.endMs) }),
  );
  const rowsOfPage = (table: ColumnTable): Generator<string> =>
    format === 'CSV'
      ? csvText(table, { ...csv, header: false }, print, timeFormat === undefined)
      : jtsRows(table, (ms) => (timeFormat === undefined ? `"${print(ms)}"` : JSON.stringify(print(ms))));
  let isFirst = true;
  for await (const table of pagesOf(deps, question, call)) {
    const rows = format === 'CSV' ? rowsOfPage(table) : joined(rowsOfPage(table), isFirst);
    isFirst = false;
    for (;;) {
      const { bytes, isLast } = await inSlice(() => nextPiece(rows));
      if (bytes.length > 0) yield bytes;
      if (isLast) break;
    }
    progress.records += table.columns.reduce((sum, { records }) => sum + records.count, 0);
  }
  if (format !== 'CSV') yield Buffer.from(isFirst ? JTS_END : `\n${JTS_END}`);
  progress.seriesDone += columns.length;
}

function* joined(rows: Generator<string>, isFirst: boolean): Generator<string> {
  let isBegun = !isFirst;
  for (const row of rows) {
    yield isBegun ? `,\n${row}` : row;
    isBegun = true;
  }
}

/** Yields the rows of a file in pages, each of which takes a slot among the reads of the account. */
async function* pagesOf(
  deps: ReadDeps,
  { columns, query, plan, nowMs, pageFields }: FileQuestion,
  call: ReadCall,
): AsyncGenerator<ColumnTable> {
  const ownerId = columns[0]?.node.ownerId ?? '';
  const nodeIds = columns.map(({ node }) => node.nodeId);
  const quality = await deps.qualityOf(ownerId);
  const reader = withShownQuality(deps.reader, quality);
  const limit = Math.max(1, Math.floor(pageFields / columns.length));
  const endMs = plan.endMs ?? undefined;
  let startMs = plan.startMs ?? MIN_RECORD_MS;
  while (endMs === undefined || startMs <= endMs) {
    const queue = await deps.queueOf(nodeIds);
    const leave = await queue.enter({ account: ownerId, cost: 1, lane: 'export', isBulk: true, signal: call.signal });
    let table: ColumnTable;
    try {
      const bounds = { startMs, endMs };
      table = await withinTime(deps.maxMs, call.signal, (signal) =>
        collectTable(
          {
            reader,
            quality,
            summaries: deps.summaries,
            excluded: query.excluded ?? quality.excluded,
            budget: new AnswerBudget(deps.limits),
          },
          columns,
          { bounds, limit, nowMs, zone: query.zone },
          signal,
        ),
      );
    } finally {
      leave();
    }
    const lastMs = table.times.at(-1);
    if (lastMs === undefined) return;
    yield table;
    if (table.times.length < limit) return;
    startMs = lastMs + 1;
  }
}
