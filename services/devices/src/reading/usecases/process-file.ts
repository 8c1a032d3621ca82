import type { FileReport } from '@catchment/contracts/devices';
import { failureText, type ParserSettings } from '@catchment/delimited-text';
import { DomainError, type ErrorKind, invalid, received } from '@catchment/errors';
import { effectiveZone } from '@catchment/time';
import { type FileSource, type FileWrites, ignored, parserFor, shownName } from '../../sources/index.ts';
import { type FileEvent, IGNORED, type Processed } from '../domain/file-outcome.ts';
import { fileNotes, fileReport } from '../domain/file-report.ts';
import type { FileBytes } from './archive/file-bytes.ts';
import type { Member } from './archive/member.ts';
import { membersOf, withoutGz } from './archive/members.ts';
import { faultOf, latestOf, ofFile, type Readable, surveyOf, type Unreadable } from './survey-file.ts';
import { surveyJts } from './survey-jts.ts';
import { writeMembers } from './write-file.ts';

export type FileToProcess = {
  readonly source: FileSource;
  readonly fileName: string;
  readonly bytes: FileBytes;
  /** Unix ms. */
  readonly arrivedMs: number;
  /** The log has this many records already, from a try before this one. */
  readonly recordsDone: number;
  /** Is called whenever the log has more of the records. */
  readonly progress: (recordsDone: number) => Promise<void>;
  readonly signal: AbortSignal;
};

/** Reads a file that has come, and writes what is in it. May be begun again: it goes on where it was. */
export type FileKind = (historic: FileWrites, file: FileToProcess) => Promise<Processed>;

/** At most this many members that no entry matches get an event. */
export const IGNORED_REPORTED = 20;
/** The file, or its converter, is at fault, and will be the next time. */
const REFUSALS: ReadonlySet<ErrorKind> = new Set([
  'invalid_argument',
  'out_of_range',
  'too_large',
  'failed_precondition',
]);

export const isRefusal = (error: unknown): error is DomainError =>
  error instanceof DomainError && REFUSALS.has(error.kind);

/** Reads a member whole. */
type Survey = (member: Member, file: Pick<FileToProcess, 'source' | 'arrivedMs'>) => Promise<Readable | Unreadable>;

/**
 * Takes a file for a source as a push transport would (docs/reference/acquisition.md): all that can be read is stored; what
 * cannot raises the source's dataAlarm. It is read twice: first whole, so that one of which nothing can be read changes no record,
 * then written in parts. Begun again, it goes on where it was.
 * @throws DomainError what is none of the file's matters: unavailable, cancelled …
 */
async function processWith(survey: Survey, historic: FileWrites, file: FileToProcess): Promise<Processed> {
  const { source, recordsDone, progress, signal } = file;
  const events: FileEvent[] = [];
  const report = (fault: string) => historic.reportFault({ source, fault }, signal);
  try {
    const { isArchive, surveys } = await surveyAll(survey, file, events);
    const readable = surveys.filter((survey) => 'report' in survey);
    if (readable.length === 0) throw nothingIn(surveys, isArchive);
    const fault = surveys.map(faultOf).find((fault) => fault !== undefined);
    if (fault !== undefined && recordsDone === 0) await report(fault);
    const write = (file: Parameters<FileWrites['writeFile']>[0]) => historic.writeFile(file, signal);
    const fileName = shownName(file.fileName);
    await writeMembers(readable, { source, fileName, write, progress, recordsDone, isAtFault: fault !== undefined });
    events.push(...fileNotes(readable));
    const latestMs = latestOf(readable.map(({ ranges }) => ranges));
    return { outcome: { report: reportOf(surveys, isArchive) }, events, ...(latestMs !== undefined && { latestMs }) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { kind, reason, message } = error;
    if (reason !== IGNORED) await report(ofFile(shownName(file.fileName), message));
    return { outcome: { refusal: { kind, reason, message } }, events };
  }
}

const zoneOf = ({ source, arrivedMs }: Pick<FileToProcess, 'source' | 'arrivedMs'>) =>
  effectiveZone(source.timezone ?? 'Etc/UTC', source.timezoneAdjustForDst ?? false, arrivedMs);

/** Delimited text. */
export const processFile: FileKind = (historic, file) =>
  processWith(
    (member, { source, arrivedMs }) => {
      const { part, afterMs } = source.fetched ?? {};
      const given = settingsOf(source, member.name) ?? {};
      const settings = source.cameAsText ? { ...given, encoding: 'UTF-8' as const } : given;
      return surveyOf({ ...member, name: shownName(member.name) }, settings, {
        zone: zoneOf(file),
        nowMs: arrivedMs,
        ...(part && { part }),
        ...(afterMs !== undefined && { afterMs }),
      });
    },
    historic,
    file,
  );

/** JTS documents. */
export const processJts: FileKind = (historic, file) =>
  processWith(
    (member, { source }) => {
      const { afterMs } = source.fetched ?? {};
      const options = { zone: zoneOf(file), ...(afterMs !== undefined && { afterMs }) };
      return surveyJts({ ...member, name: shownName(member.name) }, options);
    },
    historic,
    file,
  );

const settingsOf = (source: FileSource, name: string): ParserSettings | undefined =>
  parserFor(source, withoutGz(name), name);

/** A file whose name matches nothing of its source. */
export const ignoredFile = (): DomainError => invalid(IGNORED, 'name: must match one of the files of the source');

type Surveys = { readonly isArchive: boolean; readonly surveys: readonly (Readable | Unreadable)[] };

async function surveyAll(survey: Survey, file: FileToProcess, events: FileEvent[]): Promise<Surveys> {
  const { source } = file;
  const { isArchive, members } = await membersOf(file.bytes, file.fileName, (name) => {
    if (settingsOf(source, name)) return true;
    if (events.length < IGNORED_REPORTED) events.push({ level: 'DEBUG', message: ignored(name) });
    return false;
  });
  const surveys: (Readable | Unreadable)[] = [];
  for (const member of members) {
    if (!settingsOf(source, member.name)) throw ignoredFile();
    surveys.push(await survey(member, file));
  }
  if (surveys.length === 0) throw ignoredFile();
  return { isArchive, surveys };
}

const named = (survey: { readonly name: string }, isArchive: boolean, text: string): string =>
  isArchive ? ofFile(survey.name, text) : text;

function nothingIn(surveys: Surveys['surveys'], isArchive: boolean): DomainError {
  const [first] = surveys.filter((survey) => 'failure' in survey);
  if (!first) return invalid('NOTHING_PARSED', 'file: is empty');
  const { kind, reason, message } = first.failure;
  return received({ kind, reason, message: named(first, isArchive, message) });
}

function reportOf(surveys: Surveys['surveys'], isArchive: boolean): FileReport {
  const readable = surveys.filter((survey) => 'report' in survey);
  const failures = surveys.flatMap((survey) => {
    if ('failure' in survey) return [named(survey, isArchive, survey.failure.message)];
    const first = survey.report.firstFailure ?? survey.report.firstUnreadable;
    const text = survey.brokenOff ?? (first && failureText(first));
    return text === undefined ? [] : [named(survey, isArchive, text)];
  });
  const series = new Set(readable.flatMap(({ series }) => series.map(({ key }) => key))).size;
  return fileReport(readable, { series, firstFailure: failures[0] ?? '' });
}
