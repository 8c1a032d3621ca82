import { inSlice } from '@catchment/fair-queue';
import { timeFormatter } from '@catchment/time';
import { AnswerBudget } from '../domain/answer-budget.ts';
import type { ColumnTable } from '../domain/column-table.ts';
import { csvText, emptyRowBytes } from '../domain/csv-text.ts';
import { jtsText, type ShownHead } from '../domain/jts-text.ts';
import type { QueryOptions } from '../domain/read-options.ts';
import { collectModifiedTable } from './collect-modified-table.ts';
import { collectTable } from './collect-table.ts';
import { type Bounds, evaluateBounds } from './read-bounds.ts';
import type { Column } from './read-column.ts';
import type { ReadCall, ReadDeps } from './read-deps.ts';
import { withShownQuality } from './shown-quality.ts';
import { withinTime } from './within-time.ts';
import { enterReading, keptPlace } from './work-queues.ts';

export type Question = {
  readonly query: QueryOptions;
  readonly columns: readonly Column[];
  /** Absent where they depend on the records. */
  readonly settled: Bounds | undefined;
  readonly nowMs: number;
};
export type TextPiece = { readonly contentType: string; readonly text: string };

const PIECE_CHARACTERS = 64 * 1024;
/** Of a time, or a value, in what a record counts in an answer: `2024-01-01T00:00:00.000+10:00`. */
const COUNTED_BYTES = 29;
const CONTENT_TYPE = { JSON: 'application/json; charset=utf-8', CSV: 'text/csv; charset=utf-8' } as const;

/** An answer's type, and its text in pieces once everything is known to be well. */
export async function* answerText(deps: ReadDeps, question: Question, call: ReadCall): AsyncGenerator<TextPiece> {
  const { query } = question;
  // A part of the place is held until the text is sent: what an answer holds in memory is bounded with it.
  const nodes = question.columns.map(({ node }) => node);
  // Before a place is taken: it may wait for the store for a moment.
  const isPaged = query.timeQuery === 'MODIFIED' && query.limit !== undefined;
  const settledMs = isPaged ? await deps.settledUntil(nodes, call.signal) : undefined;
  const asked = { nodes, kind: 'document', limit: query.limit, ...question.settled } as const;
  const leave = await enterReading(deps.queueOf, asked, call.signal);
  try {
    const { table, head } = await withinTime(deps.maxMs, call.signal, (signal) =>
      collect(deps, { ...question, settledMs }, signal),
    );
    leave(keptPlace(recordsOf(table), deps.limits.maxRecords));
    const contentType = CONTENT_TYPE[query.format];
    // Only the lines tell whether one of them needs what is not wanted, and the first piece must not be sent before that is known.
    if (query.format === 'CSV' && query.csv.textQualifier === '') await finish(linesOf(table, head, query));
    const lines = linesOf(table, head, query);
    for (;;) {
      const { text, isLast } = await inSlice(() => nextPiece(lines));
      yield { contentType, text };
      if (isLast) return;
    }
  } finally {
    leave();
  }
}

const recordsOf = ({ times, columns }: ColumnTable): number =>
  columns.reduce((sum, { records }) => sum + records.count, times.length);

/** How long lines are written in one go: of texts, some are states that take long to find. */
const PIECE_MS = 10;

/** The next lines, of about as much text as is sent at a time, or as many as are written in some milliseconds. */
export function nextPiece(
  lines: Iterator<string>,
  pieceMs = PIECE_MS,
): { readonly text: string; readonly isLast: boolean } {
  const endMs = performance.now() + pieceMs;
  let text = '';
  for (let line = lines.next(); !line.done; line = lines.next()) {
    text += line.value;
    if (text.length >= PIECE_CHARACTERS || performance.now() >= endMs) return { text, isLast: false };
  }
  return { text, isLast: true };
}

async function finish(lines: Iterator<string>): Promise<void> {
  while (!(await inSlice(() => nextPiece(lines))).isLast);
}

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
    ...{ reader, summaries: deps.summaries, outlines: deps.outlines },
    ...{ excluded: query.excluded ?? quality.excluded, quality, budget },
  };
  const { table, next } =
    query.timeQuery === 'MODIFIED'
      ? await collectModifiedTable(shared, columns, query, { bounds, settledMs }, signal)
      : { table: await collectTable(shared, columns, { bounds, limit, nowMs, zone }, signal), next: undefined };
  if (format === 'CSV' && columns.length > 1) budget.takeBytes(table.times.length * emptyRowBytes(columns.length, csv));
  const [firstMs] = table.times;
  if (firstMs !== undefined) budget.takeBytes(table.times.length * over(stampOf(query)(firstMs)));
  if (format === 'CSV')
    for (const { records, view } of table.columns)
      budget.takeBytes(Math.min(records.count, table.times.length) * over(view.format));
  return {
    table,
    head: {
      startMs: bounds.startMs ?? table.times[0] ?? null,
      endMs: bounds.endMs ?? table.times.at(-1) ?? null,
      ...(next !== undefined && { next }),
    },
  };
}

/** Bytes by which a text is longer than what a record counts for it. */
const over = (text: string): number => Math.max(0, Buffer.byteLength(text) - COUNTED_BYTES);

const stampOf = ({ timeFormat, zone }: QueryOptions): ((ms: number) => string) =>
  timeFormat === undefined ? zone.formatIso : timeFormatter(timeFormat, zone);

function linesOf(table: ColumnTable, head: ShownHead, query: QueryOptions): Generator<string> {
  const { zone, csv, format } = query;
  const print = stampOf(query);
  if (format === 'CSV') return csvText(table, csv, print, query.timeFormat === undefined);
  // Only the caller's own format can have what JSON must escape.
  const quoted =
    query.timeFormat === undefined ? (text: string) => `"${text}"` : (text: string) => JSON.stringify(text);
  return jtsText(table, head, { zone, csv, timestamp: (ms) => quoted(print(ms)) });
}
