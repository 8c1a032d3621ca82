import type { FileReport } from '@catchment/contracts/devices';
import { failureText, type TextReport } from '@catchment/delimited-text';
import { invalid } from '@catchment/errors';
import { COLUMNS_MAX } from '@catchment/ids';
import { countOf } from '@catchment/number-format';
import { effectiveZone, formatIsoMs } from '@catchment/time';
import { type FileWrites, type ImportSettings, shownName } from '../../sources/index.ts';
import type { Processed } from '../domain/file-outcome.ts';
import { countedReport, type FileRead, fileNotes, fileReport } from '../domain/file-report.ts';
import { RefusedLineList } from '../domain/refused-lines.ts';
import { RepeatedRows, repeatedRows } from '../domain/repeated-rows.ts';
import { OVERWRITE, REPLACE } from '../domain/write-modes.ts';
import type { Member } from './archive/member.ts';
import { membersOf } from './archive/members.ts';
import { openContent } from './import-formats.ts';
import type { Content } from './opened-content.ts';
import { type FileToProcess, isRefusal } from './process-file.ts';

type FileToImport = FileToProcess & {
  /** It is called with the number of records, once that is known. */
  readonly surveyed: (records: number) => Promise<void>;
};

type Survey = {
  readonly brokenOff?: string;
  readonly records: number;
  /** This many records have the time of an earlier record of the same column, and take its place. */
  readonly repeated: number;
  readonly columns: Readonly<Record<string, unknown>>;
  readonly report: TextReport | undefined;
  readonly ranges: ReadonlyMap<string, { readonly firstMs: number; readonly lastMs: number }>;
};

/** Limits of one write. */
const PART = { records: 2_000, bytes: 1024 * 1024 };
/**
 * One write that must not be split has these limits (docs/reference/limits.md, and below the limit of a message between services).
 */
const WHOLE = { records: 50_000, bytes: 6 * 1024 * 1024 };
/** A column of these modes fails as a whole: its records come in one write. */
const FAILING_MODES: readonly string[] = ['MERGE_FAIL_ON_EXISTING', 'INSERT_FAIL_ON_EXISTING'];
const DELETE_RANGE = 'DELETE_RANGE';

/**
 * Imports a file (docs/reference/writing.md#imports): read twice, first whole, so that one that cannot be read changes no record, then
 * written in parts. Begun again, it goes on where it was. No alarm is raised or cleared.
 * @throws DomainError what is none of the file's matters: unavailable, cancelled …
 */
export async function processImport(historic: FileWrites, file: FileToImport): Promise<Processed> {
  const { source, fileName, arrivedMs } = file;
  const settings = source.importing;
  if (!settings) throw new Error('the file is not imported');
  const name = shownName(fileName);
  const event = (level: 'INFO' | 'WARNING' | 'ERROR', message: string) =>
    ({ level, message, username: settings.username, eventType: 'CONFIGURATION' }) as const;
  const refused = new RefusedLineList();
  const withRefused = () => (refused.found ? { refused: refused.found } : {});
  try {
    const zone = effectiveZone(source.timezone || 'Etc/UTC', source.timezoneAdjustForDst ?? false, arrivedMs);
    const member = await onlyMember(file);
    const open = () => openContent(member, { file, settings, zone });
    const survey = await surveyOf(await openContent(member, { file, settings, zone, refused }), open);
    await file.surveyed(survey.records);
    await writeAll(historic, file, { survey, open, settings });
    const read = { ...survey, name, report: survey.report ?? countedReport(survey.records) };
    const report = reportOf(read, survey);
    const notes = fileNotes([read]).map(({ level, message }) => event(level, message));
    return {
      outcome: { report, ...withRefused() },
      events: [event('INFO', `Imported ${countOf(report.records, 'record')} from ${name}`), ...notes],
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { kind, reason, message } = error;
    return {
      outcome: { refusal: { kind, reason, message }, ...withRefused() },
      events: [event('ERROR', `Import of ${name} failed: ${message}`)],
    };
  }
}

async function onlyMember({ bytes, fileName }: FileToImport): Promise<Member> {
  const { members } = await membersOf(bytes, fileName, () => true);
  const [member] = members;
  if (!member || members.length > 1) throw invalid('BAD_ARCHIVE', 'body: the archive must have one file');
  return member;
}

/** @param open opens the same content once more */
async function surveyOf(content: Content, open: () => Promise<Content>): Promise<Survey> {
  const counted = new RepeatedRows();
  const numbers = new Map<string, number>();
  const numberOf = (key: string) => {
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  };
  const ranges = new Map<string, { firstMs: number; lastMs: number }>();
  let records = 0;
  for await (const { timeMs, f } of content.entries()) {
    records += 1;
    counted.add(timeMs, Object.keys(f).map(numberOf));
    for (const key of Object.keys(f)) {
      const known = ranges.get(key);
      if (!known) {
        if (ranges.size === COLUMNS_MAX)
          throw invalid('TOO_MANY_SERIES', `data: at most ${COLUMNS_MAX} columns may be used`);
        ranges.set(key, { firstMs: timeMs, lastMs: timeMs });
      } else if (timeMs < known.firstMs) known.firstMs = timeMs;
      else if (timeMs > known.lastMs) known.lastMs = timeMs;
    }
  }
  const { report } = content;
  if (report && report.parsed === 0) {
    const why = report.firstFailure ? failureText(report.firstFailure) : 'file: has no lines with data';
    throw invalid('NOTHING_PARSED', why);
  }
  if (records === 0) throw invalid('NOTHING_PARSED', 'file: has no records');
  const repeated = await repeatedRows(counted, async function* () {
    const again = await open();
    for await (const { timeMs, f } of again.entries()) yield { timeMs, series: Object.keys(f).map(numberOf) };
  });
  const brokenOff = content.brokenOff?.();
  const columns = content.columns();
  return { records, repeated, columns, report, ranges, ...(brokenOff !== undefined && { brokenOff }) };
}

type Writing = { readonly survey: Survey; readonly open: () => Promise<Content>; readonly settings: ImportSettings };

async function writeAll(historic: FileWrites, file: FileToImport, { survey, open, settings }: Writing): Promise<void> {
  const { source, fileName, recordsDone, progress, signal } = file;
  const { writeMode = OVERWRITE } = source;
  const { notifyOn, columnIndex } = settings;
  const send = (body: Uint8Array, mode: string) =>
    historic.writeFile(
      {
        source,
        body,
        writeMode: mode,
        origin: shownName(fileName),
        continues: true,
        imported: { notifyOn, columnIndex },
      },
      signal,
    );
  if (writeMode === DELETE_RANGE) {
    await send(bodyOf(survey.columns, boundsOf(survey.ranges)), DELETE_RANGE);
    return progress(survey.records);
  }
  const mustBeWhole = FAILING_MODES.includes(writeMode);
  let done = recordsDone;
  for await (const part of partsOf(await open(), survey, { skip: done, limits: mustBeWhole ? WHOLE : PART })) {
    const isWhole = part.records === survey.records;
    if (mustBeWhole && !isWhole && recordsDone === 0) throw tooLong(writeMode);
    // Parts that replace their ranges would delete each other's records.
    if (writeMode === REPLACE && !isWhole && done === 0)
      await send(bodyOf(survey.columns, boundsOf(survey.ranges)), DELETE_RANGE);
    await send(part.body, writeMode === REPLACE && !isWhole ? OVERWRITE : writeMode);
    done += part.records;
    await progress(done);
  }
}

const tooLong = (mode: string) =>
  invalid(
    'INVALID_ARGUMENT',
    `writeMode: ${mode} takes a file of at most ${WHOLE.records} records and ${WHOLE.bytes} bytes, since its records come all or not at all`,
  );

const startOf = (columns: Survey['columns']): string =>
  `{"docType":"jts","version":"1.0","header":${JSON.stringify({ columns })},"data":[`;

const bodyOf = (columns: Survey['columns'], entries: readonly object[]): Uint8Array =>
  Buffer.from(`${startOf(columns)}${entries.map((entry) => JSON.stringify(entry)).join()}]}`);

/** Returns entries that name the ends of each column's range. */
const boundsOf = (ranges: Survey['ranges']) =>
  [...ranges].flatMap(([key, { firstMs, lastMs }]) =>
    [firstMs, lastMs].map((ms) => ({ ts: formatIsoMs(ms), f: { [key]: null } })),
  );

async function* partsOf(
  content: Content,
  { columns }: Survey,
  { skip, limits }: { readonly skip: number; readonly limits: typeof PART },
): AsyncGenerator<{ readonly records: number; readonly body: Uint8Array }> {
  const start = startOf(columns);
  let texts: string[] = [];
  let bytes = 0;
  let left = skip;
  const end = () => {
    const part = { records: texts.length, body: Buffer.from(`${start}${texts.join()}]}`) };
    texts = [];
    bytes = 0;
    return part;
  };
  for await (const { ts, f } of content.entries()) {
    if (left > 0) {
      left -= 1;
      continue;
    }
    const text = JSON.stringify({ ts, f });
    if (texts.length > 0 && (texts.length === limits.records || bytes + text.length > limits.bytes)) yield end();
    texts.push(text);
    bytes += Buffer.byteLength(text) + 1;
  }
  if (texts.length > 0) yield end();
}

function reportOf(read: FileRead, { ranges }: Survey): FileReport {
  const first = read.report.firstFailure ?? read.report.firstUnreadable;
  const firstFailure = read.brokenOff ?? (first ? failureText(first) : '');
  return fileReport([read], { series: ranges.size, firstFailure });
}
