import type { FileReport } from '@catchment/contracts/devices';
import { emptyReport, failureText, type TextReport } from '@catchment/delimited-text';
import { countOf } from '@catchment/number-format';

/** This was read of a file, or of a member of an archive. */
export type FileRead = {
  /** Events name the file by this. */
  readonly name: string;
  readonly report: TextReport;
  /** This many lines have at least one value. */
  readonly records: number;
  /** This many records have the time of an earlier record of the same series, and take its place. */
  readonly repeated: number;
  /** Nothing after some place could be read for this reason. */
  readonly brokenOff?: string;
};

/** People read the same sentence in the answer, the event and the import. */
type FileNote = { readonly level: 'INFO' | 'WARNING'; readonly message: string };

/** Notes about one archive. */
const NOTES_MAX = 50;

/** Lists what collapsed, failed or was guessed (docs/reference/acquisition.md#events-of-an-acquisition). */
export function fileNotes(reads: readonly FileRead[]): FileNote[] {
  const all = reads.flatMap(notesOf);
  if (all.length <= NOTES_MAX) return all;
  const more = {
    level: 'WARNING' as const,
    message: `${countOf(all.length - NOTES_MAX, 'more such thing is', 'more such things are')} not listed`,
  };
  return [...all.slice(0, NOTES_MAX), more];
}

function notesOf({ name, report, repeated, brokenOff }: FileRead): FileNote[] {
  const { lines, parsed, failed, unreadableFields, undecodableLines, aheadLines, guesses } = report;
  const { firstFailure, firstUnreadable, firstUndecodable, firstAhead } = report;
  const warnings = [
    brokenOff !== undefined &&
      `${name} could be read up to one place only, and what comes before it is stored: ${brokenOff}`,
    failed > 0 &&
      `Parsed ${Math.floor((100 * parsed) / lines)}% of ${name} [${failed} lines failed, first at line ${firstFailure?.line ?? 0}: ${firstFailure?.reason ?? ''}]`,
    unreadableFields > 0 &&
      `${countOf(unreadableFields, 'field')} of ${name} could not be read and ${verb(unreadableFields, 'was', 'were')} left out${first(firstUnreadable)}`,
    undecodableLines > 0 &&
      `${countOf(undecodableLines, 'line')} of ${name} ${verb(undecodableLines, 'has', 'have')} bytes that are no characters of its encoding${first(firstUndecodable)}`,
    repeated > 0 &&
      `${countOf(repeated, 'row')} of ${name} ${verb(repeated, 'has', 'have')} the time of another row of the same series: only the last row of a time is stored`,
    aheadLines > 0 &&
      `${countOf(aheadLines, 'row')} of ${name} ${verb(aheadLines, 'is', 'are')} more than a day ahead of the clock of the server${first(firstAhead)}`,
  ];
  const guessed = guesses.map(({ text }) => text).join(' ');
  return [
    ...warnings.flatMap((message) => (message ? [{ level: 'WARNING' as const, message }] : [])),
    ...(guessed ? [{ level: 'INFO' as const, message: `Assumed of ${name}: ${guessed}` }] : []),
  ];
}

const verb = (n: number, singular: string, many: string): string => (n === 1 ? singular : many);
const first = (failure: TextReport['firstFailure']): string => (failure ? `, first at ${failureText(failure)}` : '');

/**
 * Returns the counts of a file, which the answer of its upload and the import both report.
 * @param firstFailure empty: all lines and fields were read
 */
export function fileReport(
  reads: readonly FileRead[],
  { series, firstFailure }: { readonly series: number; readonly firstFailure: string },
): FileReport {
  const sum = (of: (read: FileRead) => number) => reads.reduce((total, read) => total + of(read), 0);
  return {
    files: reads.length,
    lines: sum(({ report }) => report.lines),
    parsed: sum(({ report }) => report.parsed),
    records: sum(({ records, repeated }) => records - repeated),
    repeated: sum(({ repeated }) => repeated),
    series,
    unreadableFields: sum(({ report }) => report.unreadableFields),
    firstFailure,
    repeatedHeaders: sum(({ report }) => report.repeatedHeaders),
    undecodableLines: sum(({ report }) => report.undecodableLines),
    aheadLines: sum(({ report }) => report.aheadLines),
    notes: fileNotes(reads).map(({ message }) => message),
  };
}

/** Returns a report of what has no lines: documents of a converter, attachments. */
export const countedReport = (records: number): TextReport => ({ ...emptyReport(), lines: records, parsed: records });
