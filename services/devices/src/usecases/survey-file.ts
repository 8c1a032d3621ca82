import {
  failureText,
  type OpenedText,
  openText,
  type ParserSettings,
  type TextOptions,
} from '@catchment/delimited-text';
import { DomainError, invalid } from '@catchment/errors';
import type { Member } from './archive/member.ts';
import { isOfArchive } from './archive/members.ts';

/** First and last time of each series that has records. */
export type Ranges = ReadonlyMap<number, { readonly firstMs: number; readonly lastMs: number }>;

/** The readable content of a member. */
export type Readable = {
  readonly name: string;
  readonly open: () => Promise<OpenedText>;
  readonly series: OpenedText['series'];
  readonly report: OpenedText['report'];
  readonly ranges: Ranges;
  /** Lines with at least one value. */
  readonly records: number;
  /** Percent of data lines. */
  readonly successRequired: number;
};
export type Unreadable = { readonly name: string; readonly failure: DomainError };

/** Of one write (docs/reference/writing.md#checks-before-the-answer). */
const SERIES_MAX = 100;

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
    const open = () => openText(bytes(), { ...options, settings });
    const text = await open();
    const { series, report } = text;
    if (series.length > SERIES_MAX) {
      throw invalid('TOO_MANY_SERIES', `parser.columns: at most ${SERIES_MAX} may be series, not ${series.length}`);
    }
    const { ranges, records } = await contentOf(text);
    if (report.parsed === 0) {
      const why = report.firstFailure ? failureText(report.firstFailure) : 'file: has no lines with data';
      throw invalid('NOTHING_PARSED', why);
    }
    return { name, open, series, report, ranges, records, successRequired: settings.successRequired ?? 0 };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid_argument' || isOfArchive(error)) throw error;
    return { name, failure: error };
  }
}

async function contentOf(text: OpenedText): Promise<{ ranges: Ranges; records: number }> {
  const ranges = new Map<number, { firstMs: number; lastMs: number }>();
  let records = 0;
  for await (const { timeMs, cells } of text.records()) {
    let isEmpty = true;
    for (let series = 0; series < cells.length; series += 1) {
      if (cells[series] === undefined) continue;
      isEmpty = false;
      const known = ranges.get(series);
      if (!known) ranges.set(series, { firstMs: timeMs, lastMs: timeMs });
      else if (timeMs < known.firstMs) known.firstMs = timeMs;
      else if (timeMs > known.lastMs) known.lastMs = timeMs;
    }
    if (!isEmpty) records += 1;
  }
  return { ranges, records };
}

/**
 * The fault of a member as a whole, for the dataAlarm of its source (docs/reference/alarms.md#conditions,
 * docs/reference/acquisition.md#text-parser); undefined: nothing.
 */
export function faultOf(survey: Readable | Unreadable): string | undefined {
  if ('failure' in survey) return `${survey.name}: ${survey.failure.message}`;
  const { parsed, lines } = survey.report;
  const percent = (100 * parsed) / lines;
  if (percent >= survey.successRequired) return undefined;
  return `parsed ${Math.floor(percent)}% of ${survey.name}, ${survey.successRequired}% required`;
}

/** Text of the event about lines that were not read (docs/reference/acquisition.md#events-of-an-acquisition); undefined: all were. */
export function problemsOf({ name, report }: Readable): string | undefined {
  if (report.failed === 0) return undefined;
  const percent = Math.floor((100 * report.parsed) / report.lines);
  const { line = 0, reason = '' } = report.firstFailure ?? {};
  return `Parsed ${percent}% of ${name} [${report.failed} lines failed, first at line ${line}: ${reason}]`;
}
