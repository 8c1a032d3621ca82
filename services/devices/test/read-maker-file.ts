// Reads a file of another maker as the preview, an upload and an import do, without servers.
import { DomainError } from '@catchment/errors';
import { type MakerFile, makerDifferences, notSaid, type ReadSeries } from '@catchment/testkit';
import type { FileOutcome } from '../src/reading/domain/file-outcome.ts';
import type { FileBytes } from '../src/reading/usecases/archive/file-bytes.ts';
import { previewParser } from '../src/reading/usecases/preview-parser.ts';
import { processFile } from '../src/reading/usecases/process-file.ts';
import { processImport } from '../src/reading/usecases/process-import.ts';
import type { FileSource } from '../src/sources/domain/source-file.ts';
import type { FileWrite, FileWrites } from '../src/sources/usecases/ports.ts';
import { caller } from './fakes.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

type Proposal = {
  parser: NonNullable<FileSource['parser']>;
  timezone?: string;
  timezoneAdjustForDst?: boolean;
  why: string;
};
type Preview = { proposal: Proposal; report: { failed: number; unreadableFields: number } };

/** Each way of reading has these problems; empty: none. `reported`: what a person reads. */
type MakerReading = { readonly problems: readonly string[]; readonly reported: readonly string[] };

export async function readMakerFile(file: MakerFile): Promise<MakerReading> {
  const { timezone, timezoneAdjustForDst, name, bytes } = file;
  const base: FileSource = {
    _id: 'c'.repeat(24),
    ownerId: 'a'.repeat(24),
    workspaceId: 'd'.repeat(24),
    name: 'Logger',
    timezone,
    timezoneAdjustForDst,
  };
  const shown = await preview(base, bytes);
  if (shown instanceof DomainError) {
    const detected = await upload(base, name, bytes);
    const reported = [shown.message, detected.outcome.refusal?.message ?? ''];
    if (file.outcome !== 'refuses') return { problems: [`refused: ${shown.message}`], reported };
    const problems = reported.flatMap((text) => notSaid(file, [text]));
    return { problems, reported: [shown.message] };
  }
  const { proposal } = shown;
  const reported = [proposal.why];
  if (file.outcome === 'refuses') return { problems: [`read, as ${JSON.stringify(proposal.parser)}`], reported };
  const { timezone: zone, timezoneAdjustForDst: isDst = false } = proposal;
  const source = { ...base, ...(zone && { timezone: zone, timezoneAdjustForDst: isDst }), parser: proposal.parser };
  const named = zone && `${zone}${isDst ? ' dst' : ''}`;
  const problems = named === file.zone ? [] : [`proposes the zone ${named}, not ${file.zone}`];
  const ways = { upload: await upload(source, name, bytes), import: await importIt(source, name, bytes) };
  for (const [way, { read, outcome, events }] of Object.entries(ways)) {
    const { report, refusal } = outcome;
    if (!report) {
      problems.push(`${way} is refused: ${refusal.message}`);
      continue;
    }
    reported.push(...events);
    problems.push(...makerDifferences(file, read).map((text) => `${way}: ${text}`));
    const { lines, parsed, repeated, unreadableFields } = report;
    const counts = { failed: lines - parsed, unreadable: unreadableFields, repeated };
    for (const [count, value] of Object.entries(counts)) {
      const expected = file[count as keyof typeof counts];
      if (value !== expected) problems.push(`${way}: ${count} is ${value}, not ${expected}`);
    }
  }
  return { problems: [...problems, ...notSaid(file, reported)], reported };
}

async function preview(source: FileSource, bytes: Buffer): Promise<Preview | DomainError> {
  const nodes = {
    fileSource: async (_ref: string, _call: object, parser?: unknown) => ({
      class: 'source.data.TextParser',
      source: { ...source, ...(parser !== undefined && { parser: parser as NonNullable<FileSource['parser']> }) },
    }),
  };
  const call = { caller: caller(), token: 't', deadlineMs: 0, signal: new AbortController().signal };
  const body = Buffer.from(JSON.stringify({ sampleBase64: bytes.toString('base64') }));
  try {
    return (await previewParser({ nodes, now: () => NOW_MS }, { nodeRef: source._id, body }, call)) as Preview;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

type Way = {
  readonly outcome: FileOutcome;
  readonly read: ReadonlyMap<string, ReadSeries>;
  readonly events: readonly string[];
};

const upload = (source: FileSource, fileName: string, bytes: Buffer): Promise<Way> =>
  readBy((historic) => processFile(historic, arrived(source, fileName, bytes)));

const importIt = (source: FileSource, fileName: string, bytes: Buffer): Promise<Way> => {
  const importing = { username: 'jo@example.org', format: 'TEXT', notifyOn: 'ALL_NEWER' } as const;
  const imported = { ...source, sourceClass: 'source.data.TextParser', importing };
  return readBy((historic) =>
    processImport(historic, { ...arrived(imported, fileName, bytes), surveyed: async () => undefined }),
  );
};

const arrived = (source: FileSource, fileName: string, bytes: Buffer) => ({
  source,
  fileName,
  bytes: fileBytes(bytes),
  arrivedMs: NOW_MS,
  recordsDone: 0,
  progress: async () => undefined,
  signal: new AbortController().signal,
});

const fileBytes = (bytes: Buffer): FileBytes => ({
  size: bytes.length,
  async *range(start, end) {
    for (let at = start; at < end; at += 1_000) yield bytes.subarray(at, Math.min(at + 1_000, end));
  },
});

type Document = {
  header: { columns: Record<string, { name: string; series?: string; dataType: string; units?: string }> };
  data: { ts: string; f: Record<string, { v: unknown } | null> }[];
};

/** Gathers what is written. */
async function readBy(
  process: (historic: FileWrites) => Promise<{ outcome: FileOutcome; events: readonly { message: string }[] }>,
): Promise<Way> {
  const read = new Map<string, ReadSeries & { records: Map<number, unknown> }>();
  const writeFile = async ({ body }: FileWrite) => {
    const { header, data } = JSON.parse(Buffer.from(body).toString()) as Document;
    const seriesAt = new Map(
      Object.entries(header.columns).map(([index, { name, series, dataType, units = '' }]) => {
        const key = series ?? name;
        const found = read.get(key) ?? { units, type: dataType, records: new Map<number, unknown>() };
        read.set(key, found);
        return [index, found];
      }),
    );
    for (const { ts, f } of data)
      for (const [index, field] of Object.entries(f))
        if (field) seriesAt.get(index)?.records.set(Date.parse(ts), field.v);
    return data.length;
  };
  const { outcome, events } = await process({ writeFile, reportFault: async () => undefined });
  return { outcome, read, events: events.map(({ message }) => message) };
}
