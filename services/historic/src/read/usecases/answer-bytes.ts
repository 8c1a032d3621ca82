import { inSlice } from '@catchment/fair-queue';
import { timeFormatter } from '@catchment/time';
import {
  AnswerBudget,
  type Bounds,
  type Column,
  evaluateBounds,
  type QueryOptions,
  type SeriesView,
} from '../../columns/index.ts';
import {
  type Answer,
  type ColumnTable,
  checkColumns,
  csvText,
  emptyRowBytes,
  FORMS,
  jtsText,
  longCsvPieces,
  longRecordBytes,
  type Pieces,
  type ShownHead,
} from '../../formats/index.ts';
import { withinTime } from '../../records/index.ts';
import { collectModifiedTable } from './collect-modified-table.ts';
import { collectTable } from './collect-table.ts';
import type { ReadCall, ReadDeps } from './read-deps.ts';
import { enterReading, keptShare } from './reading-queues.ts';
import { withShownQuality } from './shown-quality.ts';
import { sitesOf } from './sites-of.ts';

export type Question = {
  readonly query: QueryOptions;
  readonly columns: readonly Column[];
  /** Absent where the bounds depend on the records. */
  readonly settled: Bounds | undefined;
  readonly nowMs: number;
};
export type AnswerPiece = { readonly contentType: string; readonly bytes: Buffer };

const PIECE_CHARACTERS = 64 * 1024;
/** The size of a record includes this many bytes of a time or a value already: `2024-01-01T00:00:00.000+10:00`. */
const COUNTED_BYTES = 29;
const JSON_TYPE = 'application/json; charset=utf-8';
const CSV_TYPE = 'text/csv; charset=utf-8';
/** A piece has this many bytes where a format is written in longer blocks. */
const PART_BYTES = 256 * 1024;

/** Yields an answer's type, and its bytes in pieces once everything is known to be well. */
export async function* answerBytes(deps: ReadDeps, question: Question, call: ReadCall): AsyncGenerator<AnswerPiece> {
  const { query } = question;
  const views = question.columns.map(({ view }) => view);
  const form = formOf(query);
  checkColumns(form, views);
  // A part of the slot is held until the answer is sent: what the answer holds in memory is bounded with it.
  const nodes = question.columns.map(({ node }) => node);
  // This comes before a slot is taken: it may wait for the store for a moment.
  const isPaged = query.timeQuery === 'MODIFIED' && query.limit !== undefined;
  const settledMs = isPaged ? await deps.settledUntil(nodes, call.signal) : undefined;
  const asked = { nodes, kind: 'document', limit: query.limit, ...question.settled } as const;
  const leave = await enterReading(deps.queueOf, asked, call.signal);
  try {
    const { table, head } = await withinTime(deps.maxMs, call.signal, (signal) =>
      collect(deps, { ...question, settledMs }, signal),
    );
    leave(keptShare(recordsOf(table), deps.limits.maxRecords));
    const sites = form?.namesSites
      ? await withinTime(deps.maxMs, call.signal, (signal) => sitesOf(deps, nodes, { ...call, signal }))
      : [];
    const answer: Answer = { table, head, query, sites, nowMs: question.nowMs };
    const open = await piecesOf(answer);
    // The pieces alone show whether one of them needs what is missing, and the first must not be sent before that is known.
    if (mayFail(query, views)) await finish(await open());
    const pieces = await open();
    const contentType = form?.contentType ?? (query.format === 'CSV' ? CSV_TYPE : JSON_TYPE);
    for (;;) {
      const { bytes, isLast } = await inSlice(() => nextPiece(pieces));
      yield* inParts(bytes, contentType);
      if (isLast) return;
    }
  } finally {
    leave();
  }
}

const recordsOf = ({ times, columns }: ColumnTable): number =>
  columns.reduce((sum, { records }) => sum + records.count, times.length);

/** Pieces are written for this long in one go: some texts are states that take long to find. */
const PIECE_MS = 10;

/** Returns the next pieces, of about as much text as is sent at a time, or as many as are written in some milliseconds; or one of bytes. */
export function nextPiece(
  pieces: Iterator<string | Uint8Array>,
  pieceMs = PIECE_MS,
): { readonly bytes: Buffer; readonly isLast: boolean } {
  const endMs = performance.now() + pieceMs;
  let text = '';
  for (let piece = pieces.next(); !piece.done; piece = pieces.next()) {
    if (typeof piece.value !== 'string') {
      const { buffer, byteOffset, byteLength } = piece.value;
      const bytes = Buffer.from(buffer, byteOffset, byteLength);
      return { bytes: text === '' ? bytes : Buffer.concat([Buffer.from(text), bytes]), isLast: false };
    }
    text += piece.value;
    if (text.length >= PIECE_CHARACTERS || performance.now() >= endMs)
      return { bytes: Buffer.from(text), isLast: false };
  }
  return { bytes: Buffer.from(text), isLast: true };
}

/** Yields a piece at least: an answer of no bytes has a type too. */
function* inParts(bytes: Buffer, contentType: string): Generator<AnswerPiece> {
  let from = 0;
  do {
    yield { contentType, bytes: bytes.subarray(from, from + PART_BYTES) };
    from += PART_BYTES;
  } while (from < bytes.length);
}

async function finish(pieces: Pieces): Promise<void> {
  while (!(await inSlice(() => nextPiece(pieces))).isLast);
}

/** Returns whether a piece may turn out to have no way to be written. */
function mayFail({ format, csv, timeFormat }: QueryOptions, views: readonly SeriesView[]): boolean {
  if (format === 'CSV') return csv.textQualifier === '';
  return format === 'RDB' && (timeFormat !== undefined || views.some(({ kind }) => kind === 'TEXT'));
}

const formOf = ({ format }: QueryOptions) => (format === 'JSON' || format === 'CSV' ? undefined : FORMS[format]);

async function collect(
  deps: ReadDeps,
  { query, columns, settled, nowMs, settledMs }: Question & { readonly settledMs: number | undefined },
  signal: AbortSignal,
): Promise<{ table: ColumnTable; head: ShownHead }> {
  const nodes = columns.map(({ node }) => node);
  const quality = await deps.qualityOf(nodes[0]?.ownerId ?? '');
  const reader = withShownQuality(deps.reader, quality);
  const bounds = settled ?? (await evaluateBounds(reader, nodes, query, nowMs, signal));
  const budget = new AnswerBudget(deps.limits);
  const { limit, zone, csv, format } = query;
  const shared = {
    reader,
    summaries: deps.summaries,
    outlines: deps.outlines,
    excluded: query.excluded ?? quality.excluded,
    quality,
    budget,
  };
  const { table, next } =
    query.timeQuery === 'MODIFIED'
      ? await collectModifiedTable(shared, columns, query, { bounds, settledMs }, signal)
      : { table: await collectTable(shared, columns, { bounds, limit, nowMs, zone }, signal), next: undefined };
  const { isLong } = query;
  if (format === 'CSV' && !isLong && columns.length > 1)
    budget.takeBytes(table.times.length * emptyRowBytes(columns.length, csv));
  const [firstMs] = table.times;
  if (firstMs !== undefined) budget.takeBytes(table.times.length * over(stampOf(query)(firstMs)));
  for (const { records, view } of table.columns) {
    const count = Math.min(records.count, table.times.length);
    if (format === 'CSV') budget.takeBytes(count * (over(view.format) + (isLong ? longRecordBytes(view) : 0)));
    const more = formOf(query)?.moreBytes(view);
    if (more) budget.takeBytes(count * more.record + (table.times.length - count) * more.cell);
  }
  return {
    table,
    head: {
      startMs: bounds.startMs ?? table.times[0] ?? null,
      endMs: bounds.endMs ?? table.times.at(-1) ?? null,
      ...(next !== undefined && { next }),
    },
  };
}

/** Returns the bytes by which a text is longer than what a record counts for it. */
const over = (text: string): number => Math.max(0, Buffer.byteLength(text) - COUNTED_BYTES);

const stampOf = ({ timeFormat, zone }: QueryOptions): ((ms: number) => string) =>
  timeFormat === undefined ? zone.formatIso : timeFormatter(timeFormat, zone);

/** Opens the pieces of an answer, as often as they are wanted. */
async function piecesOf(answer: Answer): Promise<() => Pieces | Promise<Pieces>> {
  const { table, head, query } = answer;
  const form = formOf(query);
  if (form) {
    const open = await form.open();
    return () => open(answer);
  }
  const { zone, csv, format } = query;
  const print = stampOf(query);
  if (query.isLong) return () => longCsvPieces(answer, print);
  if (format === 'CSV') return () => csvText(table, csv, print, query.timeFormat === undefined);
  // A format that the caller gave is the only one with characters that JSON must escape.
  const quoted =
    query.timeFormat === undefined ? (text: string) => `"${text}"` : (text: string) => JSON.stringify(text);
  return () => jtsText(table, head, { zone, csv, timestamp: (ms) => quoted(print(ms)) });
}
