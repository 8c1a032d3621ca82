import {
  failureText,
  jtsColumns,
  jtsEntry,
  noDataAfter,
  type OpenedText,
  openText,
  type ParserSettings,
  type TextOptions,
  type TextRecord,
} from '@catchment/delimited-text';
import { DomainError, invalid } from '@catchment/errors';
import { COLUMNS_MAX } from '@catchment/ids';
import type { FileRead } from '../domain/file-report.ts';
import { RepeatedRows, repeatedRows } from '../domain/repeated-rows.ts';
import type { Member } from './archive/member.ts';
import { isOfArchive } from './archive/members.ts';
import type { OpenedFile } from './file-batches.ts';
import { soundRecords } from './sound-records.ts';

/** Each series that has records has a first and a last time, by its column in JTS documents. */
export type Ranges = ReadonlyMap<number, { readonly firstMs: number; readonly lastMs: number }>;

/** The content of the member can be read. */
export type Readable = FileRead & {
  readonly open: () => Promise<OpenedFile>;
  readonly series: readonly { readonly key: string }[];
  readonly ranges: Ranges;
  /** Percent of data lines. */
  readonly successRequired: number;
};
export type Unreadable = { readonly name: string; readonly failure: DomainError };

/**
 * Reads a member whole, and keeps only what is known of it then.
 * @throws DomainError for what is at fault around the text: packing, size, store
 */
export async function surveyOf(
  { name, bytes }: Member,
  settings: ParserSettings,
  options: Omit<TextOptions, 'settings'>,
): Promise<Readable | Unreadable> {
  try {
    const openIt = () => openText(bytes(), { ...options, settings });
    const text = await openIt();
    const { series, report } = text;
    if (series.length > COLUMNS_MAX) {
      throw invalid('TOO_MANY_SERIES', `parser.columns: at most ${COLUMNS_MAX} may be series, not ${series.length}`);
    }
    const { ranges, records, counted, brokenOff } = await contentOf(text);
    // Blank lines at the end of a file that has been read are no fault of it.
    const isNothing = options.part !== undefined && report.lines === 0;
    if (report.parsed === 0 && !isNothing) {
      throw invalid(
        'NOTHING_PARSED',
        report.firstFailure ? failureText(report.firstFailure) : noDataAfter(text.layout.headerLines),
      );
    }
    const repeated = await repeatedRows(counted, async function* () {
      for await (const { timeMs, cells } of soundRecords(await openIt())) yield { timeMs, series: presentIn(cells) };
    });
    const open = async () => documentOf(await openIt());
    const { successRequired = 0 } = settings;
    const content = { ranges, records, repeated, ...(brokenOff !== undefined && { brokenOff }) };
    return { name, open, series, report, ...content, successRequired };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid_argument' || isOfArchive(error)) throw error;
    return { name, failure: error };
  }
}

const documentOf = (text: OpenedText): OpenedFile => ({
  columns: jtsColumns(text.series),
  records: () => soundRecords(text),
  entryOf: (record: TextRecord) => jtsEntry(record),
});

const presentIn = (cells: TextRecord['cells']): number[] => cells.flatMap((cell, n) => (cell ? [n] : []));

type Content = {
  readonly ranges: Ranges;
  readonly records: number;
  readonly counted: RepeatedRows;
  readonly brokenOff?: string;
};

async function contentOf(text: OpenedText): Promise<Content> {
  let brokenOff: string | undefined;
  const broken = (reason: string) => {
    brokenOff = reason;
  };
  const ranges = new Map<number, { firstMs: number; lastMs: number }>();
  const counted = new RepeatedRows();
  let records = 0;
  for await (const { timeMs, cells } of soundRecords(text, broken)) {
    const present = presentIn(cells);
    for (const series of present) {
      const known = ranges.get(series);
      if (!known) ranges.set(series, { firstMs: timeMs, lastMs: timeMs });
      else if (timeMs < known.firstMs) known.firstMs = timeMs;
      else if (timeMs > known.lastMs) known.lastMs = timeMs;
    }
    if (present.length === 0) continue;
    records += 1;
    counted.add(timeMs, present);
  }
  return { ranges, records, counted, ...(brokenOff !== undefined && { brokenOff }) };
}

/** The latest time of all. */
export const latestOf = (all: readonly Ranges[]): number | undefined => {
  let latest: number | undefined;
  for (const ranges of all) for (const { lastMs } of ranges.values()) latest = Math.max(latest ?? lastMs, lastMs);
  return latest;
};

/** Returns a failure with the name of its file; one of the whole file begins with `file: `, which the name replaces. */
export const ofFile = (name: string, message: string): string => `${name}: ${message.replace(/^file: /, '')}`;

/**
 * Returns the fault of a member as a whole, for the dataAlarm of its source (docs/reference/alarms.md#conditions,
 * docs/reference/acquisition.md#text-parser); undefined: nothing.
 */
export function faultOf(survey: Readable | Unreadable): string | undefined {
  if ('failure' in survey) return ofFile(survey.name, survey.failure.message);
  if (survey.brokenOff !== undefined) return ofFile(survey.name, survey.brokenOff);
  const { parsed, lines } = survey.report;
  const percent = lines === 0 ? 100 : (100 * parsed) / lines;
  if (percent >= survey.successRequired) return undefined;
  return `parsed ${Math.floor(percent)}% of ${survey.name}, ${survey.successRequired}% required`;
}
