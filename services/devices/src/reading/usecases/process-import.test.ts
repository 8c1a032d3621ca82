import { gzipSync } from 'node:zlib';
import { zipOf } from '../../../test/zip-of.ts';
import type { FileSource, ImportSettings } from '../../sources/domain/source-file.ts';
import type { FileWrite } from '../../sources/usecases/ports.ts';
import type { FileBytes } from './archive/file-bytes.ts';
import { processImport } from './process-import.ts';

const bytesOf = (bytes: Buffer): FileBytes => ({
  size: bytes.length,
  async *range(start, end) {
    for (let at = start; at < end; at += 1_000) yield bytes.subarray(at, Math.min(at + 1_000, end));
  },
});

type Document = { header: { columns: Record<string, object> }; data: { ts: string; f: Record<string, unknown> }[] };
type Given = { source?: Partial<FileSource>; settings?: Partial<ImportSettings>; done?: number; name?: string };

async function imported(body: string | Buffer, { source = {}, settings = {}, done = 0, name = 'a.csv' }: Given = {}) {
  const writes: (Pick<FileWrite, 'writeMode' | 'imported' | 'continues'> & { document: Document })[] = [];
  const progress: number[] = [];
  let total: number | undefined;
  const { outcome, events } = await processImport(
    {
      writeFile: async ({ body: bytes, writeMode, imported: of, continues }) => {
        writes.push({
          writeMode,
          continues,
          ...(of && { imported: of }),
          document: JSON.parse(Buffer.from(bytes).toString()),
        });
        return 0;
      },
      reportFault: async () => {
        throw new Error('an import raises no alarm');
      },
    },
    {
      source: {
        _id: 'c'.repeat(24),
        sourceClass: 'source.data.Jts',
        ownerId: 'a'.repeat(24),
        workspaceId: 'd'.repeat(24),
        importing: { username: 'jo@example.org', format: 'AUTO', notifyOn: 'ALL_NEWER', ...settings },
        ...source,
      },
      fileName: name,
      bytes: bytesOf(Buffer.from(body)),
      arrivedMs: Date.parse('2026-11-21T12:00:00Z'),
      recordsDone: done,
      progress: async (records) => void progress.push(records),
      surveyed: async (records) => {
        total = records;
      },
      signal: new AbortController().signal,
    },
  );
  const reported = events.map(({ level, message, username, eventType }) => [level, message, username, eventType]);
  return { writes, progress, total, reported, outcome, failure: outcome.refusal?.message };
}

const start = Date.parse('2024-01-01T00:00:00Z');
const csv = (count: number) =>
  `t,Level,Note\n${Array.from({ length: count }, (_, n) => `${new Date(start + n * 1000).toISOString()},${n},x\n`).join('')}`;
const jts = (count: number, columns: object = { 0: { name: 'Level' } }) =>
  JSON.stringify({
    docType: 'jts',
    version: '1.0',
    header: { columns },
    data: Array.from({ length: count }, (_, n) => ({
      ts: new Date(start + n * 1000).toISOString(),
      f: { 0: { v: n } },
    })),
  });

test('a text is written in parts, and reported by an event in the name of its user', async () => {
  const { writes, progress, total, reported, outcome } = await imported(csv(4_500));
  expect(writes.map(({ document, ...write }) => [document.data.length, write])).toEqual(
    [2_000, 2_000, 500].map((records) => [
      records,
      { writeMode: 'MERGE_OVERWRITE_EXISTING', continues: true, imported: { notifyOn: 'ALL_NEWER' } },
    ]),
  );
  expect(Object.values(writes[0]?.document.header.columns ?? {})).toMatchObject([
    { series: 'Level' },
    { series: 'Note' },
  ]);
  expect([progress, total]).toEqual([[2_000, 4_000, 4_500], 4_500]);
  expect(outcome.report).toMatchObject({ lines: 4_500, parsed: 4_500, records: 4_500, series: 2 });
  expect(reported).toEqual([['INFO', 'Imported 4500 records from a.csv', 'jo@example.org', 'CONFIGURATION']]);
});

test('an import that was broken off goes on where it was', async () => {
  const { writes } = await imported(csv(4_500), { done: 4_000 });
  expect(writes.map(({ document }) => document.data[0]?.f)).toEqual([{ 0: { v: 4_000 }, 1: { v: 'x' } }]);
});

test('a JTS document keeps its columns and its fields; times without a zone are those of the import', async () => {
  const document = {
    docType: 'jts',
    header: { columns: { 2: { series: 'flow', dataType: 'NUMBER', units: 'm3/s' } } },
    data: [
      { ts: '2024-07-01T00:00:00', f: { 2: { v: 1, q: 100, a: 'by hand' } } },
      { ts: '2024-07-01T00:10:00Z', f: { 2: null } },
    ],
  };
  const { writes } = await imported(JSON.stringify(document), {
    source: { timezone: 'America/New_York', timezoneAdjustForDst: true, writeMode: 'MERGE_UPDATE_EXISTING' },
  });
  expect(writes).toHaveLength(1);
  expect(writes[0]).toMatchObject({ writeMode: 'MERGE_UPDATE_EXISTING', document: { header: document.header } });
  expect(writes[0]?.document.data).toEqual([
    { ts: '2024-07-01T04:00:00.000Z', f: { 2: { v: 1, q: 100, a: 'by hand' } } },
    { ts: '2024-07-01T00:10:00.000Z', f: { 2: null } },
  ]);
});

test('a text that breaks off is imported up to there, and reported', async () => {
  const { writes, reported, outcome } = await imported(`${csv(3)}later,1,x\n2024-01-02,${'1'.repeat(2 * 1024 * 1024)}`);
  expect(writes.flatMap(({ document }) => document.data)).toHaveLength(3);
  expect(outcome.report).toMatchObject({ records: 3, firstFailure: 'line 6: longer than 1048576 characters' });
  expect(reported.map(([level, message]) => [level, message])).toEqual([
    ['INFO', 'Imported 3 records from a.csv'],
    ['WARNING', outcome.report?.notes[0]],
    ['WARNING', expect.stringContaining(`[1 lines failed, first at line 5: 'later' is no time`)],
  ]);
});

test('the first hundred lines and fields that are refused are kept with where, why and their text; more are counted', async () => {
  const some = 't;Level;Flow\n2024-07-01;1;2\nsoon;3;4\n2024-07-02;high;5\n';
  const columns = (['RECORD_TIME', 'NUMBER', 'NUMBER'] as const).map((type, index) => ({ index, type }));
  const parser = { delimiter: 'SEMICOLON', labelsRow: 1, columns };
  const { outcome } = await imported(some, { source: { parser } });
  expect(outcome.refused).toEqual({
    count: 2,
    lines: [
      { line: 3, column: 1, reason: expect.stringContaining("'soon' is no time"), text: 'soon;3;4' },
      { line: 4, column: 2, reason: "'high' is no number", text: '2024-07-02;high;5' },
    ],
  });
  const many = await imported(`t,Level,Note\n2024-07-01,1,2\n${`later\t,${'x'.repeat(1_000)},y\n`.repeat(150)}`, {
    source: { parser: { ...parser, delimiter: ',' } },
  });
  expect([many.outcome.refused?.count, many.outcome.refused?.lines.length]).toEqual([150, 100]);
  expect(many.outcome.refused?.lines[0]?.text).toMatch(/^later→,x{192}…$/);
  expect((await imported(csv(2))).outcome.refused).toBeUndefined();
});

test('of an import that fails because nothing can be read, the lines say why', async () => {
  const parser = {
    labelsRow: 1,
    columns: [
      { index: 0, type: 'RECORD_TIME' },
      { index: 1, type: 'NUMBER' },
    ],
  } as const;
  const { outcome, failure } = await imported('t,Level\nsoon,1\nlater,2\n', {
    source: { parser } as Partial<FileSource>,
  });
  expect(failure).toMatch(/soon/);
  expect(outcome.refused?.lines.map(({ text }) => text)).toEqual(['soon,1', 'later,2']);
});

test('the repeated hour of autumn in a JTS document whose newest record comes first; what repeats a time is reported', async () => {
  const times = ['02:00', '01:30', '01:00', '01:30', '01:30', '01:00'];
  const data = times.map((time, n) => ({ ts: `2024-11-03T${time}:00`, f: { 2: { v: n } } }));
  const header = { columns: { 2: { series: 'flow', dataType: 'NUMBER' } } };
  const { writes, outcome, reported } = await imported(JSON.stringify({ docType: 'jts', header, data }), {
    source: { timezone: 'America/New_York', timezoneAdjustForDst: true },
  });
  expect(writes[0]?.document.data.map(({ ts }: { ts: string }) => ts.slice(11, 16))).toEqual([
    '07:00',
    '06:30',
    '06:00',
    '05:30',
    '05:30',
    '05:00',
  ]);
  expect(outcome.report).toMatchObject({ lines: 6, records: 5, repeated: 1 });
  expect(reported.flat()).toContainEqual(expect.stringMatching(/^1 row of/));
});

describe('for a parameter', () => {
  const source = { sourceClass: 'point.NumberPoint' };
  test('the series of a text is named, unless there is but one', async () => {
    expect((await imported(csv(2), { source })).failure).toBe('series: must be one of the file: Level, Note');
    const { writes } = await imported(csv(2), { source, settings: { series: 'Note' } });
    expect(writes[0]?.document.data[1]?.f).toEqual({ 0: { v: 'x' } });
    expect((await imported('t,a\n2024-01-01,1\n', { source })).outcome.report).toMatchObject({ records: 1, series: 1 });
  });

  test('the column of a JTS document is chosen by the write', async () => {
    const { writes } = await imported(jts(2), { source, settings: { columnIndex: 0, notifyOn: 'NONE' } });
    expect(writes[0]?.imported).toEqual({ notifyOn: 'NONE', columnIndex: 0 });
  });
});

describe('write modes of a file in several parts', () => {
  test.each([
    ['INSERT_DELETE_EXISTING', ['DELETE_RANGE', 'MERGE_OVERWRITE_EXISTING', 'MERGE_OVERWRITE_EXISTING']],
    ['DELETE_RANGE', ['DELETE_RANGE']],
    ['DELETE', ['DELETE', 'DELETE']],
    ['MERGE_FAIL_ON_EXISTING', ['MERGE_FAIL_ON_EXISTING']],
  ])('%s', async (writeMode, modes) => {
    const { writes } = await imported(jts(3_000), { source: { writeMode } });
    expect(writes.map((write) => write.writeMode)).toEqual(modes);
  });

  test('the range that is replaced is that of the whole file', async () => {
    const { writes } = await imported(jts(3_000), { source: { writeMode: 'INSERT_DELETE_EXISTING' } });
    expect(writes[0]?.document.data).toEqual([
      { ts: '2024-01-01T00:00:00.000Z', f: { 0: null } },
      { ts: '2024-01-01T00:49:59.000Z', f: { 0: null } },
    ]);
  });

  test('one that comes all or not at all takes what one write does', async () => {
    const data = Array.from({ length: 7 }, (_, n) => ({
      ts: `2024-01-0${n + 1}`,
      f: { 0: { v: 'x'.repeat(1024 * 1024) } },
    }));
    const body = JSON.stringify({ docType: 'jts', data });
    const { writes, failure } = await imported(body, { source: { writeMode: 'INSERT_FAIL_ON_EXISTING' } });
    expect([writes, failure]).toEqual([[], expect.stringContaining('at most 50000 records')]);
  });
});

test.each([
  ['', 'file: is empty'],
  ['a,b\n1,2\n', 'file: has no column with a timestamp'],
  ['{"docType":"jts","data":[', 'file: the JTS document ends before its last bracket'],
  ['{"docType":"xml","data":[]}', 'docType: must be jts'],
  ['{"docType":"jts","data":[{"ts":"soon","f":{}}]}', 'data[0].ts: must be an ISO 8601 timestamp'],
  ['{"docType":"jts","data":[1]}', 'data[0]: must be an object'],
  ['{"docType":"jts","data":[],"header":{}}', 'file: has no records'],
  ['{"docType":"jts","data":[{"ts":"2024-01-01","f":{}}],"header":{}}', 'header: must come before data'],
  ['{"docType":"jts",]', 'file: is no valid JSON'],
  [gzipSync('t,a\n2024-01-01,1\n').subarray(0, 20), 'body: is damaged gzip data'],
  [zipOf({ 'a.csv': 'x', 'b.csv': 'y' }), 'body: the archive must have one file'],
])('%#: nothing is written of what cannot be read', async (body, message) => {
  const { writes, failure, reported } = await imported(body as string);
  expect([writes, failure]).toEqual([[], expect.stringContaining(message)]);
  expect(reported).toEqual([
    ['ERROR', expect.stringContaining('Import of a.csv failed: '), 'jo@example.org', 'CONFIGURATION'],
  ]);
});

test('a record that does not end is refused before it is held whole', async () => {
  const { failure } = await imported(`{"docType":"jts","data":[{"ts":"${'x'.repeat(10 * 1024 * 1024)}`);
  expect(failure).toBe('data[0]: is too large');
});

test('packed files are unpacked', async () => {
  expect((await imported(gzipSync(csv(3)), { name: 'a.csv.gz' })).outcome.report?.records).toBe(3);
});
