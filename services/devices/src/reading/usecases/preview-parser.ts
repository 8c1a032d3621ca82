import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { apiCaller, checkModify, checkPermission } from '@catchment/access';
import {
  type Cell,
  type Failure,
  labelOf,
  type OpenedText,
  openText,
  type ParserSettings,
  type Proposal,
  proposeParser,
} from '@catchment/delimited-text';
import { DomainError, invalid } from '@catchment/errors';
import type { CallContext } from '@catchment/grpc';
import { isJsonObject, type JsonObject, parseJsonBody } from '@catchment/json-body';
import { effectiveZone, formatIsoMs, normaliseZoneName, UTC_ZONE } from '@catchment/time';
import { type FileSource, invalidAttribute, type Nodes } from '../../sources/index.ts';
import { type FileRead, fileReport } from '../domain/file-report.ts';
import { RepeatedRows } from '../domain/repeated-rows.ts';
import { withRowSeries } from './propose-rows.ts';

export type PreviewDeps = { readonly nodes: Pick<Nodes, 'fileSource'>; readonly now: () => number };
type Call = Pick<CallContext, 'caller' | 'token' | 'deadlineMs' | 'signal'>;

/** Lines that are shown. */
const ROWS = 50;
/** This many failures of a line are shown. */
const FAILURES = 20;
/** A sample has at most this many bytes after unpacking. */
const SAMPLE_MAX_BYTES = 1024 * 1024;
const SOURCE_CLASS = 'source.data.TextParser';
/** A source that is still to be made may lie below these. */
const PLACES: readonly string[] = ['Workspace', 'Group', 'location.Location'];
/** The answer has as many names of columns as a parser may have. */
const LABELS = 1000;

type Row = {
  readonly line: number;
  readonly time: string | null;
  /** The key is the index of the column. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly failures: readonly { readonly column: number | null; readonly reason: string }[];
};

/**
 * Shows what a parser reads from the beginning of a file, line by line, with the reason of each failure; a parser is
 * proposed where none is given (docs/reference/acquisition.md#parser-preview). Nothing is stored.
 * @throws DomainError permission_denied, not_found, invalid_argument
 */
export async function previewParser(
  { nodes, now }: PreviewDeps,
  { nodeRef, body }: { readonly nodeRef: string; readonly body: Uint8Array },
  call: Call,
): Promise<object> {
  const caller = apiCaller(call.caller);
  checkModify(caller);
  const { class: className, source: stored } = await nodes.fileSource(nodeRef, call);
  checkPermission(caller, stored.workspaceId, 'CONFIGURE');
  if (className !== SOURCE_CLASS && !PLACES.includes(className))
    throw invalid('NODE_KIND', `id: must be a source of delimited text (${SOURCE_CLASS}), or a place for one`);
  const given = parseJsonBody(body);
  if (!isJsonObject(given)) throw invalid('INVALID_BODY', 'body: must be a JSON object');
  const zone = zoneOf(given);
  const sample = await sampleOf(given);
  // A sample that came as a text is decoded already.
  const isText = given.sample !== undefined;
  const wanted = given.parser ?? undefined;
  const kept = keptOf(given, wanted);
  if (kept) await nodes.fileSource(nodeRef, call, kept);
  const proposal =
    wanted === undefined || kept
      ? await proposalFor(sample, { ...kept, ...(isText && kept?.encoding && { encoding: 'UTF-8' }) }, now())
      : undefined;
  // A proposal passes the checks of an update too, so that it can be stored as it is.
  const { source } = await nodes.fileSource(nodeRef, call, proposal?.parser ?? wanted);
  const { parser } = source;
  // A place for a source has no zone.
  const settled = { ...source, timezone: source.timezone || 'Etc/UTC', ...zone };
  const read = isText && parser ? { ...settled, parser: { ...parser, encoding: 'UTF-8' as const } } : settled;
  return { proposal: proposal ?? null, ...(await wholeReadingOf(sample, read, proposal, now())) };
}

/** Returns the settings of the parser that stand with `propose`, while its columns are proposed anew. */
function keptOf({ propose = false }: JsonObject, wanted: unknown): ParserSettings | undefined {
  if (typeof propose !== 'boolean') throw invalidAttribute('propose', 'must be true or false');
  if (!propose || !isJsonObject(wanted)) return undefined;
  const { columns: _, rowSeries: _rows, format: _format, ...kept } = wanted;
  return kept as ParserSettings;
}

type ZoneSettings = Pick<FileSource, 'timezone' | 'timezoneAdjustForDst'>;

/** A preview without a source has this zone instead of the one of its source. */
function zoneOf({ timezone, timezoneAdjustForDst = false }: JsonObject): ZoneSettings {
  if (typeof timezoneAdjustForDst !== 'boolean')
    throw invalidAttribute('timezoneAdjustForDst', 'must be true or false');
  if (timezone === undefined) return {};
  const zone = typeof timezone === 'string' ? normaliseZoneName(timezone) : undefined;
  if (zone === undefined)
    throw invalidAttribute('timezone', 'must be an IANA time zone name such as Etc/UTC or Australia/Perth');
  return { timezone: zone, timezoneAdjustForDst };
}

async function proposalFor(sample: Uint8Array, kept: ParserSettings, nowMs: number): Promise<Proposal> {
  const proposal = await proposeParser(once(sample), kept);
  return withRowSeries(proposal, (settings) => openText(once(sample), { settings, zone: UTC_ZONE, nowMs }));
}

/** Leaves out the last line where a sample ends within it, so that a text qualifier is open or a value cannot be read. */
async function wholeReadingOf(...[sample, source, proposal, nowMs]: Parameters<typeof readingOf>): Promise<Reading> {
  const reading = await readingOf(sample, source, proposal, nowMs);
  const lines = sample.subarray(0, sample.lastIndexOf(0x0a) + 1);
  const { brokenOff, failed } = reading.report;
  if ((brokenOff === null && failed === 0) || lines.length === 0 || lines.length === sample.length) return reading;
  const without = await readingOf(lines, source, proposal, nowMs);
  return brokenOff !== null || without.report.failed < failed ? without : reading;
}

type Reading = {
  /** All columns of the file have labels, also those that are not read. */
  readonly labels: readonly string[];
  readonly columns: readonly ShownColumn[];
  readonly rows: readonly Row[];
  readonly report: ReturnType<typeof countsOf> & { readonly brokenOff: string | null };
};

async function readingOf(
  sample: Uint8Array,
  source: FileSource,
  proposal: Proposal | undefined,
  nowMs: number,
): Promise<Reading> {
  const settings: ParserSettings = source.parser ?? proposal?.parser ?? {};
  const adjustsForDst = (proposal?.timezone ? proposal : source).timezoneAdjustForDst ?? false;
  const zone = effectiveZone(proposal?.timezone ?? source.timezone ?? 'Etc/UTC', adjustsForDst, nowMs);
  const failures = new Map<number, Failure[]>();
  let reported = 0;
  const failed = (failure: Failure) => {
    const of = failures.get(failure.line) ?? [];
    if (reported > ROWS * FAILURES || of.length >= FAILURES) return;
    reported += 1;
    failures.set(failure.line, [...of, failure]);
  };
  const text = await openText(once(sample), { settings, zone, nowMs, failed, isCut: true });
  const columns = columnsOf(text);
  const rows: Row[] = [];
  const failuresAt = (line: number) =>
    (failures.get(line) ?? []).map(({ column, reason }) => ({
      column: column === undefined ? null : column - 1,
      reason,
    }));
  let brokenOff: string | null = null;
  const repeated = new RepeatedRows({ remembers: true });
  let records = 0;
  try {
    for await (const { line, timeMs, cells } of text.records()) {
      const present = cells.flatMap((cell, n) => (cell ? [n] : []));
      if (present.length > 0) records += 1;
      repeated.add(timeMs, present);
      if (rows.length >= ROWS) continue;
      const values = Object.fromEntries(
        cells.flatMap((cell, n) => (cell ? [[columns[n]?.index ?? n, shown(cell)]] : [])),
      );
      rows.push({ line, time: formatIsoMs(timeMs), values, failures: failuresAt(line) });
    }
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid_argument') throw error;
    brokenOff = error.message;
  }
  const read = new Set(rows.map(({ line }) => line));
  for (const line of failures.keys())
    if (!read.has(line) && isShown(line, rows)) rows.push({ line, time: null, values: {}, failures: failuresAt(line) });
  rows.sort((a, b) => a.line - b.line);
  const counted = { name: 'the sample', report: text.report, records, repeated: repeated.count };
  const labels = text.layout.labels.slice(0, LABELS);
  return { labels, columns, rows: rows.slice(0, ROWS), report: { ...countsOf(counted), brokenOff } };
}

/** Counts what an upload of the file would report. */
function countsOf(read: FileRead) {
  const { lines, parsed, repeated, unreadableFields, repeatedHeaders, undecodableLines, aheadLines, notes } =
    fileReport([read], { series: 0, firstFailure: '' });
  const { failed } = read.report;
  return { lines, parsed, failed, repeated, unreadableFields, repeatedHeaders, undecodableLines, aheadLines, notes };
}

/** A line that was not read belongs to the first lines, or nothing was read that it could come after. */
const isShown = (line: number, rows: readonly Row[]): boolean => rows.length < ROWS || line < (rows.at(-1)?.line ?? 0);

type ShownColumn = {
  readonly index: number;
  readonly name: string;
  readonly units: string;
  readonly type: string;
  readonly series: string;
};

/** The columns have the order of the series. */
function columnsOf({ layout, series }: OpenedText): ShownColumn[] {
  if (layout.format === 'ROW') {
    return series.map(({ key, type, units }, index) => ({ index, name: key, units, type, series: key }));
  }
  const columns = layout.columns.filter(({ type }) => type !== 'RECORD_TIME' && type !== 'DISABLED');
  return columns.map(({ index, type }, n) => ({
    index,
    name: labelOf(layout, index),
    units: layout.units[index] ?? '',
    type,
    series: series[n]?.key ?? '',
  }));
}

function shown({ value, quality }: Cell): unknown {
  const v = typeof value === 'object' && value !== null && 'timeMs' in value ? formatIsoMs(value.timeMs) : value;
  return quality === undefined ? v : { v, q: quality };
}

async function sampleOf(given: JsonObject): Promise<Uint8Array> {
  const { sample, sampleBase64 } = given;
  if ((sample === undefined) === (sampleBase64 === undefined))
    throw invalid('INVALID_BODY', 'body: must have either sample or sampleBase64');
  if (sample !== undefined) {
    if (typeof sample !== 'string') throw invalidAttribute('sample', 'must be a text');
    return bounded(Buffer.from(sample), 'sample');
  }
  if (typeof sampleBase64 !== 'string' || !/^[\w+/-]*={0,2}$/.test(sampleBase64))
    throw invalidAttribute('sampleBase64', 'must be bytes in base64');
  const bytes = bounded(Buffer.from(sampleBase64, 'base64'), 'sampleBase64');
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(bytes) : bytes;
}

function bounded(bytes: Buffer, name: string): Buffer {
  if (bytes.length === 0) throw invalid('EMPTY_FILE', `${name}: is empty`);
  if (bytes.length > SAMPLE_MAX_BYTES) throw invalidAttribute(name, `must have at most ${SAMPLE_MAX_BYTES} bytes`);
  return bytes;
}

/** Returns the beginning of what is packed; the sample may end anywhere. */
async function unpacked(bytes: Uint8Array): Promise<Uint8Array> {
  const gunzip = createGunzip();
  pipeline([bytes], gunzip, () => undefined);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of gunzip as AsyncIterable<Buffer>) {
      pieces.push(piece);
      size += piece.length;
      if (size >= SAMPLE_MAX_BYTES) break;
    }
  } catch {
    if (size === 0) throw invalid('BAD_GZIP', 'sampleBase64: is damaged gzip data');
  } finally {
    gunzip.destroy();
  }
  return Buffer.concat(pieces).subarray(0, SAMPLE_MAX_BYTES);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
