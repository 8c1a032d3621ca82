import { FileTimes, jtsSeries, jtsTime, type Settled, type TimedRow } from '@catchment/delimited-text';
import { DomainError, invalid } from '@catchment/errors';
import { type EffectiveZone, effectiveZone, formatIsoMs } from '@catchment/time';
import { type FileWrite, type FileWrites, ignored, parserFor, shownName } from '../../sources/index.ts';
import { type FileEvent, IGNORED } from '../domain/file-outcome.ts';
import { countedReport, fileNotes, fileReport } from '../domain/file-report.ts';
import { RepeatedRows } from '../domain/repeated-rows.ts';
import { OVERWRITE, REPLACE } from '../domain/write-modes.ts';
import type { Member } from './archive/member.ts';
import { membersOf, withoutGz } from './archive/members.ts';
import { type FileKind, type FileToProcess, IGNORED_REPORTED, ignoredFile, isRefusal } from './process-file.ts';
import { ofFile } from './survey-file.ts';

/** A converter makes JTS documents of a file. @throws DomainError failed_precondition (what it says), not_found, unavailable */
export type Convert = (
  file: {
    readonly ownerId: string;
    readonly converterId: string;
    readonly fileName: string;
    readonly file: Buffer;
    readonly sourceName: string;
    readonly timezone: string;
    readonly timeMs: number;
  },
  signal: AbortSignal,
) => AsyncIterable<string>;

/** An unpacked file has at most this: converters hold the whole file in memory. */
const MAX_BYTES = 6 * 1024 * 1024;

type Entry = { ts: string; f: Record<string, unknown> };
type Row = TimedRow & Pick<Entry, 'f'>;
type Document = { readonly header: { readonly columns: Record<string, { readonly series: string }> }; data: Entry[] };

/**
 * Reads files of a source whose converter makes JTS documents of them (docs/converters.md). A converter says the same of a file each time,
 * so what was begun goes on where it was.
 */
export const convertFiles =
  (convert: Convert): FileKind =>
  async (historic, file) => {
    const { source, signal } = file;
    const events: FileEvent[] = [];
    const work = new Conversion(historic, file, convert);
    const failures: DomainError[] = [];
    try {
      if (!source.converterId) throw invalid('INVALID_ATTRIBUTE', 'converterId: is not set');
      for (const member of await wantedMembers(file, events))
        await work.take(member).catch((error: unknown) => {
          failures.push(refusalOf(error));
        });
      await work.finish();
      const [failure] = failures;
      if (failure && work.files === 0) throw failure;
      if (failure) await historic.reportFault({ source, fault: failure.message }, signal);
      const { files, records: lines, series, latestMs } = work;
      const read = { name: shownName(file.fileName), report: countedReport(lines) };
      const reads = [{ ...read, records: lines, repeated: work.repeated.count }];
      events.push(...fileNotes(reads));
      const counts = fileReport(reads, { series: series.size, firstFailure: failure?.message ?? '' });
      const report = { ...counts, files };
      return { outcome: { report }, events, ...(latestMs !== undefined && { latestMs }) };
    } catch (error) {
      const { kind, reason, message } = refusalOf(error);
      if (reason !== IGNORED)
        await historic.reportFault({ source, fault: ofFile(shownName(file.fileName), message) }, signal);
      return { outcome: { refusal: { kind, reason, message } }, events };
    }
  };

/** @throws what is none of the file's matters */
function refusalOf(error: unknown): DomainError {
  if (isRefusal(error)) return error;
  throw error;
}

async function wantedMembers(
  { source, bytes, fileName }: FileToProcess,
  events: FileEvent[],
): Promise<readonly Member[]> {
  const { members } = await membersOf(bytes, fileName, (name) => {
    if (parserFor(source, withoutGz(name), name)) return true;
    if (events.length < IGNORED_REPORTED) events.push({ level: 'DEBUG', message: ignored(name) });
    return false;
  });
  const wanted = members.filter(({ name }) => parserFor(source, withoutGz(name), name));
  if (wanted.length === 0) throw ignoredFile();
  return wanted;
}

/** The document is not written yet. @property records of the file, with its own */
type Held = Pick<FileWrite, 'writeMode' | 'origin' | 'continues'> & {
  readonly document: Document;
  readonly records: number;
};

class Conversion {
  readonly #historic: FileWrites;
  readonly #file: FileToProcess;
  readonly #convert: Convert;
  readonly #zone: EffectiveZone;
  #held: Held | undefined;
  /** This many rows are stored. */
  #rows: number;
  files = 0;
  records = 0;
  readonly series = new Set<string>();
  readonly repeated = new RepeatedRows({ remembers: true });
  /** The latest record has this time; Unix ms. */
  latestMs: number | undefined;

  constructor(historic: FileWrites, file: FileToProcess, convert: Convert) {
    this.#historic = historic;
    this.#file = file;
    this.#convert = convert;
    this.#rows = file.recordsDone;
    const { timezone, timezoneAdjustForDst = false } = file.source;
    this.#zone = effectiveZone(timezone || 'Etc/UTC', timezoneAdjustForDst, file.arrivedMs);
  }

  /** @throws DomainError: nothing of the member was written, or what is none of its matters */
  async take({ name, bytes }: Member): Promise<void> {
    const { source, recordsDone } = this.#file;
    const content = await wholeOf(bytes());
    let mode = source.writeMode || OVERWRITE;
    // Records of another member are not deleted with its range.
    if (mode === REPLACE) await this.#flush('unfinished');
    if (mode === REPLACE && recordsDone <= this.records) mode = await this.#replaced(name, content);
    else if (mode === REPLACE) mode = OVERWRITE;
    for await (const document of this.#documents(name, content)) {
      const count = document.data.length;
      this.#count(document);
      this.records += count;
      // The log has it from a try before this one.
      if (count > 0 && this.records <= recordsDone) continue;
      const continues = this.records > count || this.files > 0;
      const part = { document, writeMode: mode, origin: name, continues };
      // A document without records makes parameters, and cannot report a file.
      if (count === 0) await this.#write({ ...part, ofFile: 'unfinished' });
      else await this.#hold({ ...part, records: this.records });
    }
    this.files += 1;
  }

  /** Counts rows that repeat a time, by the places of their series. */
  #count({ header, data }: Document): void {
    const places = [...this.series];
    for (const { ts, f } of data) {
      const series = Object.keys(f).flatMap((index) => header.columns[index]?.series ?? []);
      this.repeated.add(
        Date.parse(ts),
        series.map((index) => places.indexOf(index)),
      );
    }
  }

  /** The last document is written when it is known to be the last: it reports the whole file. */
  finish = (): Promise<void> => this.#flush({ earlierRows: this.#rows, parameters: this.series.size });

  async #hold(next: Held): Promise<void> {
    await this.#flush('unfinished');
    this.#held = next;
  }

  async #flush(ofFile: NonNullable<FileWrite['ofFile']>): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    const { records, ...rest } = held;
    this.#rows += await this.#write({ ...rest, ofFile });
    await this.#file.progress(records);
  }

  /** Several documents would delete each other's records: the range of all of them is deleted once. @returns how they are written then */
  async #replaced(name: string, content: Buffer): Promise<string> {
    const ranges = new Map<string, { column: object; firstMs: number; lastMs: number }>();
    let documents = 0;
    for await (const { header, data } of this.#documents(name, content)) {
      documents += 1;
      for (const { ts, f } of data)
        for (const index of Object.keys(f)) {
          const column = header.columns[index];
          if (!column) continue;
          const ms = Date.parse(ts);
          const range = ranges.get(column.series) ?? { column, firstMs: ms, lastMs: ms };
          ranges.set(column.series, {
            column,
            firstMs: Math.min(range.firstMs, ms),
            lastMs: Math.max(range.lastMs, ms),
          });
        }
    }
    if (documents < 2 || ranges.size === 0) return REPLACE;
    const all = [...ranges.values()];
    const columns = Object.fromEntries(all.map(({ column }, n) => [n, column])) as Document['header']['columns'];
    const data = all.flatMap(({ firstMs, lastMs }, n) =>
      [firstMs, lastMs].map((ms): Entry => ({ ts: formatIsoMs(ms), f: { [n]: null } })),
    );
    const document = { header: { columns }, data };
    const continues = this.files > 0;
    await this.#write({ document, writeMode: 'DELETE_RANGE', origin: name, continues, ofFile: 'unfinished' });
    return OVERWRITE;
  }

  #write({ document, ...rest }: Omit<Held, 'records'> & Pick<FileWrite, 'ofFile'>): Promise<number> {
    const body = Buffer.from(JSON.stringify({ docType: 'jts', version: '1.0', ...document }));
    const { source, signal } = this.#file;
    return this.#historic.writeFile({ ...rest, source, body }, signal);
  }

  /** @throws DomainError failed_precondition for what the converter says, and for times that are none */
  async *#documents(name: string, content: Buffer): AsyncGenerator<Document> {
    const { source, arrivedMs, signal } = this.#file;
    const { ownerId, converterId = '', name: sourceName = '', timezone = '' } = source;
    const given = { ownerId, converterId, fileName: name, file: content, sourceName, timezone, timeMs: arrivedMs };
    const times = new FileTimes<Row>(this.#zone);
    try {
      for await (const text of this.#convert(given, signal)) {
        const { header, data } = JSON.parse(text) as Document;
        for (const { series } of Object.values(header.columns)) this.series.add(series);
        yield {
          header,
          data: data.flatMap((entry) => this.#timed(times.take(this.#row(entry)))).concat(this.#timed(times.end())),
        };
      }
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
      const message = `converterId: the converter ${converterId} is not installed; the operator installs converters`;
      throw new DomainError('failed_precondition', 'CONVERTER_FAILED', message, { cause: error });
    }
  }

  /** A time without a zone is a local one of the source. */
  #row({ ts, f }: Entry): Row {
    const time = jtsTime(ts);
    if (time) return { time, series: jtsSeries(f), f };
    const message = `a record has the time '${ts.slice(0, 40)}', which is none`;
    throw new DomainError('failed_precondition', 'CONVERTER_FAILED', message);
  }

  #timed(settled: readonly Settled<Row>[]): Entry[] {
    return settled.map(({ row, timeMs }) => {
      this.latestMs = Math.max(timeMs, this.latestMs ?? timeMs);
      return { ts: formatIsoMs(timeMs), f: row.f };
    });
  }
}

async function wholeOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of bytes) {
    size += piece.length;
    if (size > MAX_BYTES)
      throw new DomainError('too_large', 'TOO_LARGE', `a converter takes files of ${MAX_BYTES >> 20} MiB at the most`);
    // Each is valid until the next one is asked for.
    pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces);
}
