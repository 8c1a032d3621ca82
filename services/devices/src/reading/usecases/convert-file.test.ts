import { DomainError } from '@catchment/errors';
import { zipOf } from '../../../test/zip-of.ts';
import type { FileSource } from '../../sources/domain/source-file.ts';
import type { FileWrite } from '../../sources/usecases/ports.ts';
import { type Convert, convertFiles } from './convert-file.ts';

const NOW = Date.UTC(2024, 4, 15);
type Written = {
  readonly mode: string;
  readonly continues: boolean;
  readonly rows: unknown[];
  readonly origin: string;
};

/** Converts lines `time value`; every two make a document. */
const lines: Convert = async function* ({ file, fileName }) {
  const rows = file.toString().trim().split('\n');
  if (rows[0] === 'bad')
    throw new DomainError('failed_precondition', 'CONVERTER_FAILED', `C cannot read the file: ${fileName}`);
  for (let from = 0; from < rows.length; from += 2) {
    const data = rows.slice(from, from + 2).map((row) => {
      const [ts, v] = row.split(' ');
      return { ts, f: { 0: { v: Number(v) } } };
    });
    yield JSON.stringify({ docType: 'jts', header: { columns: { 0: { series: 'a', name: 'a' } } }, data });
  }
};

const failing = (error: Error): Convert =>
  async function* (): AsyncGenerator<string> {
    yield await Promise.reject(error);
  };

async function processed(
  content: Buffer | string,
  source: Partial<FileSource> = {},
  {
    convert = lines,
    recordsDone = 0,
    fileName = 'a.bin',
  }: { convert?: Convert; recordsDone?: number; fileName?: string } = {},
) {
  const bytes = Buffer.from(content as string);
  const writes: Written[] = [];
  const faults: string[] = [];
  const reported: FileWrite['ofFile'][] = [];
  const done: number[] = [];
  const historic = {
    writeFile: async ({ body, writeMode, continues, origin, ofFile }: FileWrite) => {
      reported.push(ofFile);
      const { data } = JSON.parse(Buffer.from(body).toString()) as {
        data: { ts: string; f: Record<string, { v: number } | null> }[];
      };
      const rows = data.map(({ ts, f }) => [ts.slice(0, 19), f[0]?.v ?? null]);
      writes.push({ mode: writeMode, continues, rows, origin });
      return rows.length;
    },
    reportFault: async ({ fault }: { fault: string }) => void faults.push(fault),
  };
  const file = {
    source: { _id: 's', ownerId: 'o', workspaceId: 'w', converterId: 'c', ...source },
    bytes: {
      size: bytes.length,
      async *range(start: number, end: number) {
        yield bytes.subarray(start, end);
      },
    },
    fileName,
    arrivedMs: NOW,
    recordsDone,
    signal: new AbortController().signal,
    progress: async (count: number) => void done.push(count),
  };
  const { outcome, events } = await convertFiles(convert)(historic, file);
  return { ...outcome, events, writes, faults, done, reported };
}
const FOUR = '2024-01-01T00:00:00Z 1\n2024-01-01T01:00:00Z 2\n2024-01-01T02:00:00Z 3';

test('documents are written one after another, and counted', async () => {
  const { report, writes, done, faults } = await processed(FOUR);
  expect(writes).toEqual([
    {
      mode: 'MERGE_OVERWRITE_EXISTING',
      continues: false,
      origin: 'a.bin',
      rows: [
        ['2024-01-01T00:00:00', 1],
        ['2024-01-01T01:00:00', 2],
      ],
    },
    { mode: 'MERGE_OVERWRITE_EXISTING', continues: true, origin: 'a.bin', rows: [['2024-01-01T02:00:00', 3]] },
  ]);
  expect(done).toEqual([2, 3]);
  expect(report).toMatchObject({ files: 1, records: 3, series: 1, firstFailure: '' });
  expect(faults).toEqual([]);
});

test('the last document stands for the whole file, whatever comes after it without records', async () => {
  const empty: Convert = async function* (file, signal) {
    yield* lines(file, signal);
    yield JSON.stringify({ header: { columns: { 0: { series: 'b', name: 'b' } } }, data: [] });
  };
  const all = { earlierRows: 2, parameters: 1 };
  expect((await processed(FOUR)).reported).toEqual(['unfinished', all]);
  expect((await processed(FOUR, {}, { recordsDone: 2 })).reported).toEqual([all]);
  const { reported, done } = await processed(FOUR, {}, { convert: empty });
  expect(reported).toEqual(['unfinished', 'unfinished', { ...all, parameters: 2 }]);
  expect(done).toEqual([2, 3]);
});

test('begun again it goes on where it was', async () => {
  const { writes, report } = await processed(FOUR, {}, { recordsDone: 2 });
  expect(writes.map(({ rows }) => rows)).toEqual([[['2024-01-01T02:00:00', 3]]]);
  expect(report?.records).toBe(3);
});

test('a range is replaced once', async () => {
  const { writes } = await processed(FOUR, { writeMode: 'INSERT_DELETE_EXISTING' });
  expect(writes.map(({ mode, rows }) => [mode, rows.length])).toEqual([
    ['DELETE_RANGE', 2],
    ['MERGE_OVERWRITE_EXISTING', 2],
    ['MERGE_OVERWRITE_EXISTING', 1],
  ]);
  expect(writes[0]?.rows).toEqual([
    ['2024-01-01T00:00:00', null],
    ['2024-01-01T02:00:00', null],
  ]);
  const conversion = await processed('2024-01-01T00:00:00Z 1', { writeMode: 'INSERT_DELETE_EXISTING' });
  expect(conversion.writes.map(({ mode }) => mode)).toEqual(['INSERT_DELETE_EXISTING']);
});

test('times without a zone are those of the source', async () => {
  const { writes } = await processed('2024-07-01T00:00:00 1', {
    timezone: 'Europe/Vienna',
    timezoneAdjustForDst: true,
  });
  expect(writes[0]?.rows).toEqual([['2024-06-30T22:00:00', 1]]);
  const autumn = ['02:00', '02:30', '02:30', '02:15'].map((time, n) => `2024-10-27T${time}:00 ${n}`);
  const repeated = await processed(autumn.join('\n'), { timezone: 'Europe/Vienna', timezoneAdjustForDst: true });
  expect(repeated.writes.flatMap(({ rows }) => (rows as unknown[][]).map(([ts]) => String(ts).slice(11, 16)))).toEqual([
    '00:00',
    '00:30',
    '00:30',
    '01:15',
  ]);
  expect(repeated.report).toMatchObject({ records: 3, repeated: 1 });
});

test('of an archive what can be read is stored, and the rest raises the dataAlarm', async () => {
  const zip = zipOf({ 'x.bin': '2024-01-01T00:00:00Z 1', 'y.bin': 'bad', 'z.txt': '' });
  const { writes, report, faults, events } = await processed(
    zip,
    { files: [{ match: '.bin' }] },
    { fileName: 'a.zip' },
  );
  expect(writes).toHaveLength(1);
  expect(report).toMatchObject({ files: 1, firstFailure: 'C cannot read the file: y.bin' });
  expect(faults).toEqual(['C cannot read the file: y.bin']);
  expect(events).toEqual([{ level: 'DEBUG', message: "Ignored 'z.txt'" }]);
});

test.each<[what: string, content: string | Buffer, source: Partial<FileSource>, convert: Convert, message: RegExp]>([
  ['that its converter cannot read', 'bad', {}, lines, /^C cannot read the file: a\.bin$/],
  ['of a source without a converter', 'x', { converterId: '' }, lines, /converterId: is not set/],
  [
    'whose converter is not installed',
    'x',
    {},
    failing(new DomainError('not_found', 'NOT_FOUND', 'x')),
    /the converter c is not installed/,
  ],
  ['that is too large', Buffer.alloc(6 * 1024 * 1024 + 1), {}, lines, /6 MiB/],
])('a file %s is refused and raises the dataAlarm', async (_what, content, source, convert, message) => {
  const { refusal, faults, writes } = await processed(content, source, { convert });
  expect(refusal?.message).toMatch(message);
  expect(faults).toEqual([`a.bin: ${refusal?.message}`]);
  expect(writes).toEqual([]);
});

test('runners that are away keep the file waiting', async () => {
  const away = new DomainError('unavailable', 'RUNNER_AWAY', 'Service temporarily unavailable');
  const convert = failing(away);
  await expect(processed('x', {}, { convert })).rejects.toBe(away);
});
