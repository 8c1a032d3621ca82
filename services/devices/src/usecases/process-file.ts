import type { FileReport } from '@catchment/contracts/devices';
import { failureText, type ParserSettings } from '@catchment/delimited-text';
import { DomainError, type ErrorKind, invalid, type Reason, received } from '@catchment/errors';
import { effectiveZone } from '@catchment/time';
import type { FileOutcome } from '../domain/file-outcome.ts';
import { type FileSource, ignored, parserFor, shownName } from '../domain/source-file.ts';
import type { FileBytes } from './archive/file-bytes.ts';
import { membersOf, withoutGz } from './archive/members.ts';
import type { FileWrites } from './ports.ts';
import { faultOf, problemsOf, type Readable, surveyOf, type Unreadable } from './survey-file.ts';
import { writeMembers } from './write-file.ts';

export type FileToProcess = {
  readonly source: FileSource;
  readonly fileName: string;
  readonly bytes: FileBytes;
  /** Unix ms. */
  readonly arrivedMs: number;
  /** Records that the log has already, from a try before this one. */
  readonly recordsDone: number;
  /** Told whenever the log has more of them. */
  readonly progress: (recordsDone: number) => Promise<void>;
  readonly signal: AbortSignal;
};

export type FileEvent = { readonly level: 'DEBUG' | 'WARNING' | 'ERROR'; readonly message: string };
export type Processed = { readonly outcome: FileOutcome; readonly events: readonly FileEvent[] };

/** Events about members that no entry of the source matches. */
const IGNORED_TOLD = 20;
/** The file is at fault, and will be the next time. */
const REFUSALS: ReadonlySet<ErrorKind> = new Set([
  'invalid_argument',
  'out_of_range',
  'too_large',
  'failed_precondition',
]);

/**
 * Takes a file for a text source as a push transport would (docs/reference/acquisition.md): all that can be read is stored; what
 * cannot raises the source's dataAlarm. It is read twice: first whole, so that one of which nothing can be read changes no record,
 * then written in parts. Begun again, it goes on where it was.
 * @throws DomainError what is none of the file's matters: unavailable, cancelled …
 */
export async function processFile(historic: FileWrites, file: FileToProcess): Promise<Processed> {
  const { source, recordsDone, progress, signal } = file;
  const events: FileEvent[] = [];
  const report = (fault: string) => historic.reportFault({ source, fault }, signal);
  try {
    const { isArchive, surveys } = await surveyAll(file, events);
    const readable = surveys.filter((survey) => 'report' in survey);
    if (readable.length === 0) throw nothingIn(surveys, isArchive);
    const fault = surveys.map(faultOf).find((one) => one !== undefined);
    if (fault !== undefined && recordsDone === 0) await report(fault);
    const write = (one: Parameters<FileWrites['writeFile']>[0]) => historic.writeFile(one, signal);
    await writeMembers(readable, { source, write, progress, recordsDone, isAtFault: fault !== undefined });
    for (const message of readable.map(problemsOf)) if (message) events.push({ level: 'WARNING', message });
    return { outcome: { report: reportOf(surveys, isArchive) }, events };
  } catch (error) {
    if (!(error instanceof DomainError) || !REFUSALS.has(error.kind)) throw error;
    const { kind, reason, message } = error;
    if (reason !== IGNORED) await report(`${shownName(file.fileName)}: ${message}`);
    return { outcome: { refusal: { kind, reason, message } }, events };
  }
}

const IGNORED = 'FILE_IGNORED' satisfies Reason;
/** A file whose name matches nothing of its source. */
export const ignoredFile = (): DomainError => invalid(IGNORED, 'name: must match one of the files of the source');

type Surveys = { readonly isArchive: boolean; readonly surveys: readonly (Readable | Unreadable)[] };

async function surveyAll(file: FileToProcess, events: FileEvent[]): Promise<Surveys> {
  const { source, arrivedMs } = file;
  const zone = effectiveZone(source.timezone ?? 'Etc/UTC', source.timezoneAdjustForDst ?? false, arrivedMs);
  const settingsOf = (name: string): ParserSettings | undefined => parserFor(source, withoutGz(name), name);
  const { isArchive, members } = await membersOf(file.bytes, file.fileName, (name) => {
    if (settingsOf(name)) return true;
    if (events.length < IGNORED_TOLD) events.push({ level: 'DEBUG', message: ignored(name) });
    return false;
  });
  const surveys: (Readable | Unreadable)[] = [];
  for (const member of members) {
    const settings = settingsOf(member.name);
    if (!settings) throw ignoredFile();
    surveys.push(await surveyOf({ ...member, name: shownName(member.name) }, settings, { zone, nowMs: arrivedMs }));
  }
  if (surveys.length === 0) throw ignoredFile();
  return { isArchive, surveys };
}

const named = (survey: { readonly name: string }, isArchive: boolean, text: string): string =>
  isArchive ? `${survey.name}: ${text}` : text;

function nothingIn(surveys: Surveys['surveys'], isArchive: boolean): DomainError {
  const [first] = surveys.filter((survey) => 'failure' in survey);
  if (!first) return invalid('NOTHING_PARSED', 'file: is empty');
  const { kind, reason, message } = first.failure;
  return received({ kind, reason, message: named(first, isArchive, message) });
}

function reportOf(surveys: Surveys['surveys'], isArchive: boolean): FileReport {
  const readable = surveys.filter((survey) => 'report' in survey);
  const sum = (of: (one: Readable) => number) => readable.reduce((total, one) => total + of(one), 0);
  const failures = surveys.flatMap((survey) => {
    if ('failure' in survey) return [named(survey, isArchive, survey.failure.message)];
    const first = survey.report.firstFailure ?? survey.report.firstUnreadable;
    return first ? [named(survey, isArchive, failureText(first))] : [];
  });
  return {
    files: readable.length,
    lines: sum(({ report }) => report.lines),
    parsed: sum(({ report }) => report.parsed),
    records: sum(({ records }) => records),
    series: new Set(readable.flatMap(({ series }) => series.map(({ key }) => key))).size,
    unreadableFields: sum(({ report }) => report.unreadableFields),
    firstFailure: failures[0] ?? '',
  };
}
