import { emptyReport, FileTimes, type Settled, type TextReport } from '@catchment/delimited-text';
import { DomainError, invalid } from '@catchment/errors';
import { NestingCheck } from '@catchment/json-body';
import { type EffectiveZone, formatIsoMs } from '@catchment/time';
import { JSONParser } from '@streamparser/json';
import { JtsEntries, type JtsHeader, type JtsRow, jtsHeader } from '../domain/jts-file.ts';
import { RepeatedRows, repeatedRows } from '../domain/repeated-rows.ts';
import type { Member } from './archive/member.ts';
import { isOfArchive } from './archive/members.ts';
import type { OpenedFile } from './file-batches.ts';
import type { Readable, Unreadable } from './survey-file.ts';

/** Limits the bytes of one entry of `data`, and of everything beside the entries. */
const VALUE_BYTES_MAX = 1024 * 1024;
const PARTS = ['docType', 'subType', 'version', 'header'];
const BOM = [0xef, 0xbb, 0xbf];

type Options = { readonly zone: EffectiveZone; readonly afterMs?: number };
type Bytes = () => AsyncIterable<Uint8Array>;
type Entry = { readonly timeMs: number; readonly f: JtsRow['f'] };

/**
 * Reads a JTS file whole (docs/reference/acquisition.md#jts-files), and keeps only what is known of it then.
 * @throws DomainError for what is at fault around it: packing, size, store
 */
export async function surveyJts({ name, bytes }: Member, options: Options): Promise<Readable | Unreadable> {
  try {
    const header = jtsHeader(await partsOf(bytes));
    const report = emptyReport();
    const ranges = new Map<number, { firstMs: number; lastMs: number }>();
    const counted = new RepeatedRows();
    let records = 0;
    let brokenOff: string | undefined;
    const problem = (what: string) => {
      brokenOff = what;
    };
    const found = { problem, report };
    for await (const { timeMs, f } of entriesOf(bytes, header, options, found)) {
      if (!f) continue;
      records += 1;
      const present = indexesOf(f);
      counted.add(timeMs, present);
      for (const index of present) {
        const known = ranges.get(index);
        ranges.set(index, {
          firstMs: Math.min(timeMs, known?.firstMs ?? timeMs),
          lastMs: Math.max(timeMs, known?.lastMs ?? timeMs),
        });
      }
    }
    if (report.parsed === 0 && (report.failed > 0 || brokenOff !== undefined)) {
      const { line = 1, reason = '' } = report.firstFailure ?? {};
      throw invalid('NOTHING_PARSED', brokenOff ?? `data[${line - 1}]: ${reason}`);
    }
    const repeated = await repeatedRows(counted, async function* () {
      for await (const { timeMs, f } of entriesOf(bytes, header, options))
        if (f) yield { timeMs, series: indexesOf(f) };
    });
    const open = async (): Promise<OpenedFile> => ({
      columns: header.columns,
      records: () => entriesOf(bytes, header, options),
      entryOf: ({ timeMs, f }: Entry) => f && { ts: formatIsoMs(timeMs), f },
    });
    const series = [...header.series.values()];
    return {
      name,
      open,
      series,
      report,
      ranges,
      records,
      repeated,
      successRequired: 0,
      ...(brokenOff !== undefined && { brokenOff }),
    };
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid_argument' || isOfArchive(error)) throw error;
    return { name, failure: error };
  }
}

const indexesOf = (f: object): number[] => Object.keys(f).map(Number);

/** Returns everything beside the records, wherever it stands. @throws DomainError invalid_argument for what is no JSON */
async function partsOf(bytes: Bytes): Promise<Readonly<Record<string, unknown>>> {
  const parts: Record<string, unknown> = {};
  for await (const { key, value } of valuesOf(bytes)) {
    if (typeof key === 'string') parts[key] = value;
    // Records come last in what is written to be read in one go.
    else if ('docType' in parts && 'header' in parts) break;
  }
  return parts;
}

type Found = { readonly report: TextReport; readonly problem: (problem: string) => void };

/**
 * Yields entries that can be read, and are later than what is asked for. `found` counts the others; without it, they
 * were counted before.
 */
async function* entriesOf(
  bytes: Bytes,
  header: JtsHeader,
  { zone, afterMs = Number.NEGATIVE_INFINITY }: Options,
  found?: Found,
): AsyncGenerator<Entry> {
  const entries = new JtsEntries(header);
  const times = new FileTimes<JtsRow>(zone);
  const later = (settled: readonly Settled<JtsRow>[]) =>
    settled.flatMap(({ row, timeMs }) => (timeMs > afterMs ? [{ timeMs, f: row.f }] : []));
  const report = found?.report ?? emptyReport();
  try {
    for await (const { key, value } of valuesOf(bytes)) {
      if (typeof key === 'string') continue;
      report.lines += 1;
      const entry = entries.read(value);
      if (typeof entry === 'string') {
        report.failed += 1;
        report.firstFailure ??= { line: report.lines, reason: entry };
        continue;
      }
      report.parsed += 1;
      report.unreadableFields += entry.unreadable;
      if (entry.firstProblem !== undefined)
        report.firstUnreadable ??= { line: report.lines, reason: entry.firstProblem };
      yield* later(times.take(entry));
    }
  } catch (error) {
    // The part before a broken place is read all the same.
    if (!(error instanceof DomainError) || error.reason !== 'INVALID_BODY') throw error;
    found?.problem(error.message);
  }
  yield* later(times.end());
}

type Value = { readonly key: string | number | undefined; readonly value: unknown };

/** Yields the parts of a document by their names, and its records by their indexes. */
async function* valuesOf(bytes: Bytes): AsyncGenerator<Value> {
  const paths = [...PARTS.map((part) => `$.${part}`), '$.data.*'];
  const parser = new JSONParser({ paths, keepStack: false });
  let values: Value[] = [];
  parser.onValue = ({ key, value }) => void values.push({ key, value });
  const nesting = new NestingCheck('file');
  let sinceValue = 0;
  let at = 0;
  for await (const piece of withoutBom(bytes())) {
    nesting.push(piece);
    const problem = write(parser, piece);
    if (values.length > 0) {
      sinceValue = 0;
      nesting.forget();
    }
    yield* values;
    values = [];
    if (problem !== undefined) throw noJson(`${problem}, at byte ${at} or soon after it`);
    sinceValue += piece.length;
    at += piece.length;
    if (sinceValue > VALUE_BYTES_MAX) throw noJson('has more than 1 MiB beside or in a record');
  }
  if (!parser.isEnded) throw noJson('ends before its last bracket');
}

const noJson = (what: string): DomainError => invalid('INVALID_BODY', `file: ${what}`);

function write(parser: JSONParser, piece: Uint8Array): string | undefined {
  try {
    parser.write(piece);
    return undefined;
  } catch {
    return 'is no JSON';
  }
}

async function* withoutBom(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of bytes) {
    yield isFirst && BOM.every((byte, n) => piece[n] === byte) ? piece.subarray(BOM.length) : piece;
    isFirst = false;
  }
}
