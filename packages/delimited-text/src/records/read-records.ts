import type { Pace, Steps } from '@catchment/fair-queue';
import { countOf } from '@catchment/number-format';
import { DAY_MS, type EffectiveZone } from '@catchment/time';
import { UNDECODABLE } from '../rows/decode.ts';
import type { LinePlace } from '../rows/line-place.ts';
import { type Row, readRows, rowText } from '../rows/rows.ts';
import { FileTimes, type Settled } from '../times/file-times.ts';
import { KnownPass } from '../times/known-pass.ts';
import type { TimedRow } from '../times/repeated-hour.ts';
import type { ResolvedTime } from '../times/time-resolve.ts';
import { HeaderWatch } from './header-watch.ts';
import type { Layout } from './layout.ts';
import type { LineReader, SeriesReader } from './line-reader.ts';
import { type Cell, EXCLUDED, type ReadContext, UNKNOWN_ZONE, UNREADABLE } from './series-reader.ts';
import { type Failure, shownField, type TextReport } from './text-report.ts';

export interface TextRecord {
  /** The record ends on this line, from 1. */
  readonly line: number;
  readonly timeMs: number;
  /** The cells are in the order of `series`; undefined: nothing for this series. */
  readonly cells: readonly (Cell | undefined)[];
}

/** Times of records end here: 64-bit nanoseconds reach no further. */
const RECORDS_END_MS = Date.UTC(2262, 3, 11);

type Line = TimedRow & { readonly line: number; readonly cells?: readonly (Cell | undefined)[] };
/** The lines of a file are read with this. */
export type Reading = {
  readonly context: ReadContext;
  readonly read: LineReader;
  readonly report: TextReport;
  readonly place: LinePlace;
  readonly pace: Pace;
  readonly failed?: (failure: Failure, line: () => string) => void;
  /** Some bytes of the text so far were no characters. */
  readonly isDamaged: () => boolean;
  /** A line whose text qualifier is never closed costs its field, and not the rest of the text. */
  readonly recovers: boolean;
  /** Failures call the encoding so. */
  readonly encoding: () => string;
  /** Unix ms; a much later time is reported. */
  readonly nowMs: number;
};

/** Yields the records of a text in the order of its lines. */
export async function* readRecords(
  text: AsyncGenerator<string>,
  reading: Reading,
  { afterMs, untilMs }: { readonly afterMs: number; readonly untilMs: number | undefined },
): AsyncGenerator<TextRecord> {
  const { layout, zone } = reading.context;
  const { pace } = reading;
  const times = new FileTimes<Line>(zone);
  let known = KnownPass.of(untilMs, zone);
  const header = new HeaderWatch(layout);
  for await (const row of withCutEnd(text, layout, reading.recovers)) {
    const isBefore = reading.place.isBefore(row.line);
    if (known && !isBefore) {
      for (const row of known.rows(reading.read.count)) yield* recordsOf(times.take({ ...row, line: 0 }), afterMs);
      known = undefined;
    }
    if (pace.isOver) await pace.next();
    if (reading.isDamaged()) noteUndecodable(row, reading);
    if (row.line <= layout.headerLines) {
      header.remember(row.fields);
      continue;
    }
    const steps = lineOf(row, reading, header);
    let step = steps.next();
    for (; !step.done; step = steps.next()) if (pace.isOver) await pace.next();
    const line = step.value;
    if (!line) continue;
    if (isBefore) known?.add(line);
    for (const { row, timeMs } of times.take(line))
      if (row.cells && timeMs > afterMs) yield { line: row.line, timeMs, cells: row.cells };
  }
  yield* recordsOf(times.end(), afterMs);
}

function* recordsOf(settled: readonly Settled<Line>[], afterMs: number): Generator<TextRecord> {
  for (const { row, timeMs } of settled) {
    if (row.cells && timeMs > afterMs) yield { line: row.line, timeMs, cells: row.cells };
  }
}

/**
 * Reads a line, and counts it, with a step after each field that an expression is looked for in. One that is not read, or was read before, still says where in a repeated hour its series are.
 * @returns without `cells`: it is no record
 */
function* lineOf(
  { line: ownLine, fields, isCut, isOpen = false }: CutRow,
  reading: Reading,
  header: HeaderWatch,
): Steps<Line | undefined> {
  const { context, read, report, place, failed } = reading;
  const { layout, zone } = context;
  const { time, timeColumn, timeRefusal, seriesOf, count, loggerColumns } = read;
  const isBefore = place.isBefore(ownLine);
  const line = place.inFile(ownLine);
  const fail = (failure: Omit<Failure, 'line'>): undefined => {
    report.failed += 1;
    report.firstFailure ??= { line, ...failure };
    failed?.({ line, ...failure }, () => rowText(fields, layout));
  };
  const resolved = time(fields);
  if (resolved === EXCLUDED) return undefined;
  const isUntimed = resolved === undefined || resolved === UNREADABLE;
  const named = isUntimed ? header.lineOf(fields, line) : undefined;
  if (named === 'again' || named === 'end') {
    if (named === 'again' && !isBefore) report.repeatedHeaders += 1;
    return undefined;
  }
  if (!isBefore) report.lines += 1;
  if (header.otherSince !== undefined) {
    return isBefore ? undefined : fail({ reason: otherTable(line, header.otherSince) });
  }
  if (isCut) return isBefore ? undefined : fail({ reason: 'the file ends within this line' });
  if (layout.width !== undefined && fields.length !== layout.width) {
    return isBefore
      ? undefined
      : fail({ reason: `has ${countOf(fields.length, 'field')} where the header has ${layout.width}` });
  }
  if (isUntimed) {
    const text = fields[timeColumn];
    const reason = text?.trim()
      ? `${shownField(text)} ${undecodableIn(text, reading) ?? timeRefusal}`
      : 'there is no time';
    return isBefore ? undefined : fail({ column: timeColumn + 1, reason });
  }
  if (resolved === UNKNOWN_ZONE) {
    const column = read.zoneColumn ?? timeColumn;
    const reason = `${shownField(fields[column])} names no time zone that is known here`;
    return isBefore ? undefined : fail({ column: column + 1, reason });
  }
  const { first, readers } = seriesOf(fields);
  const cells = new Array<Cell | undefined>(count).fill(undefined);
  const unreadable = yield* readCells(fields, readers, { first, cells, opener: isOpen ? layout.textQualifier : '' });
  if (unreadable === EXCLUDED) {
    if (!isBefore) report.lines -= 1;
    return undefined;
  }
  const namedZone = 'zone' in resolved ? resolved.zone : undefined;
  const series = (namedZone ?? zone).isFixed ? NO_SERIES : seriesIn(cells, readers, first);
  const logger = loggerColumns.length === 0 ? '' : loggerColumns.map((column) => fields[column]?.trim()).join('\n');
  const isBlank = series.length > 1 && !cells.some((cell) => cell !== undefined);
  const timed = { line, time: resolved, series, logger, isBlank, ...(namedZone && { zone: namedZone }) };
  if (isBefore) return timed;
  if (instantOf(resolved, zone) >= RECORDS_END_MS) {
    return fail({ column: timeColumn + 1, reason: `${shownField(fields[timeColumn])} is not before 2262-04-11` });
  }
  if (unreadable.length > 0) {
    const failure = unreadableField(unreadable[0]!, fields, reading);
    if (unreadable.length === readers.length) {
      fail(failure);
      return timed;
    }
    report.unreadableFields += unreadable.length;
    report.firstUnreadable ??= { line, ...failure };
    if (failed)
      for (const reader of unreadable)
        failed({ line, ...unreadableField(reader, fields, reading) }, () => rowText(fields, layout));
  }
  report.parsed += 1;
  if (instantOf(resolved, zone) > reading.nowMs + DAY_MS) {
    report.aheadLines += 1;
    const reason = `${shownField(fields[timeColumn])} is more than a day ahead of the clock`;
    report.firstAhead ??= { line, column: timeColumn + 1, reason };
  }
  return { ...timed, cells };
}

const NO_SERIES: readonly number[] = [];
const instantOf = (time: ResolvedTime, zone: EffectiveZone): number =>
  'instantMs' in time ? time.instantMs : (time.zone ?? zone).instantMsOf(time.localMs);

/** Returns the series whose logger has written the line: those with a value, or all that it may be of where it has none. */
function seriesIn(
  cells: readonly (Cell | undefined)[],
  readers: readonly SeriesReader[],
  first: number,
): readonly number[] {
  const present: number[] = [];
  for (let n = 0; n < cells.length; n += 1) if (cells[n]) present.push(n);
  if (present.length > 0) return present;
  return readers.flatMap(({ isFiltered }, n) => (isFiltered ? [] : [first + n]));
}

const NOTHING: readonly SeriesReader[] = [];

/** Fills in cells. @returns the readers whose fields cannot be read */
function* readCells(
  fields: readonly string[],
  readers: readonly SeriesReader[],
  { first, cells, opener }: { first: number; cells: (Cell | undefined)[]; opener: string },
): Steps<readonly SeriesReader[] | typeof EXCLUDED> {
  let unreadable: SeriesReader[] | undefined;
  for (let n = 0; n < readers.length; n += 1) {
    const reader = readers[n]!;
    const isNeverClosed = opener !== '' && fields[reader.column]?.startsWith(opener) === true;
    const cell = isNeverClosed ? UNREADABLE : reader.read(fields);
    if (reader.isFiltered) yield;
    if (cell === EXCLUDED) return EXCLUDED;
    if (cell === UNREADABLE) {
      unreadable ??= [];
      unreadable.push(isNeverClosed ? { ...reader, refusal: 'opens a text qualifier that is never closed' } : reader);
    } else cells[first + n] = cell;
  }
  return unreadable ?? NOTHING;
}

const unreadableField = (
  { column, refusal }: SeriesReader,
  fields: readonly string[],
  reading: Reading,
): Omit<Failure, 'line'> => ({
  column: column + 1,
  reason: `${shownField(fields[column])} ${undecodableIn(fields[column], reading) ?? refusal}`,
});

const undecodableIn = (field: string | undefined, { encoding }: Reading): string | undefined =>
  field?.includes(UNDECODABLE)
    ? `has bytes that are no ${encoding()}; set parser.encoding to that of the file`
    : undefined;

/** Notes a line with bytes that are no characters, of the header too; a unit behind a number may have them and is no failure. */
function noteUndecodable({ line: ownLine, fields }: Row, reading: Reading): void {
  const { report, place } = reading;
  if (place.isBefore(ownLine)) return;
  const index = fields.findIndex((field) => field.includes(UNDECODABLE));
  if (index < 0) return;
  report.undecodableLines += 1;
  const reason = `${shownField(fields[index])} ${undecodableIn(fields[index], reading)}`;
  report.firstUndecodable ??= { line: place.inFile(ownLine), column: index + 1, reason };
}

const otherTable = (line: number, since: number): string =>
  line === since
    ? 'begins another table: its names are those of other columns; send each table in a file of its own'
    : `is of another table, which begins in line ${since}`;

/** `isOpen`: a text qualifier is opened in it, and never closed. */
type CutRow = Row & { readonly isCut?: boolean; readonly isOpen?: boolean };
/** This many rows must have the same number of fields before a row with fewer is known to be truncated. */
const EQUAL_MIN = 3;

/** Yields the rows; the last one is marked where the text ends within its line, before all of its fields. */
async function* withCutEnd(text: AsyncGenerator<string>, layout: Layout, recovers: boolean): AsyncGenerator<CutRow> {
  let isOpen = false;
  async function* noting() {
    try {
      for await (const piece of text) {
        if (piece !== '') isOpen = !/[\r\n]$/.test(piece);
        yield piece;
      }
    } finally {
      await text.return(undefined);
    }
  }
  let last: CutRow | undefined;
  let [width, equal] = [0, 0];
  const open = new Set<number>();
  try {
    for await (const read of readRows(noting(), layout, recovers ? (line) => void open.add(line) : undefined)) {
      const row = open.delete(read.line) ? { ...read, isOpen: true } : read;
      if (last) {
        yield last;
        equal = last.line > layout.headerLines && last.fields.length === width ? equal + 1 : 1;
        width = last.fields.length;
      }
      last = row;
    }
  } catch (error) {
    // A line without an end takes none of those before it.
    if (last) yield last;
    throw error;
  }
  if (last) yield isOpen && equal >= EQUAL_MIN && last.fields.length < width ? { ...last, isCut: true } : last;
}
