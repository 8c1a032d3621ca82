import { gzipSync } from 'node:zlib';
import { invalid, unavailable } from '@catchment/errors';
import { zipOf } from '../../../test/zip-of.ts';
import type { FileSource } from '../../sources/domain/source-file.ts';
import type { FileWrite } from '../../sources/usecases/ports.ts';
import type { FileBytes } from './archive/file-bytes.ts';
import { processFile } from './process-file.ts';

type Entry = { ts: string; f: Record<string, { v: unknown } | null> };

/** Returns bytes in small pieces, as they come from a store. */
const bytesOf = (bytes: Buffer): FileBytes => ({
  size: bytes.length,
  async *range(start, end) {
    for (let at = start; at < end; at += 1_000) yield bytes.subarray(at, Math.min(at + 1_000, end));
  },
});

function receiver(over: Partial<FileSource> = {}) {
  const writes: FileWrite[] = [];
  const bodies: string[] = [];
  const faults: string[] = [];
  /** Faults and writes as the log has them: whether a write may clear the alarm. */
  const order: (string | boolean)[] = [];
  const gate = { failure: undefined as Error | undefined, failAt: 0 };
  const progress: number[] = [];
  const source: FileSource = {
    _id: 'c'.repeat(24),
    ownerId: 'a'.repeat(24),
    workspaceId: 'd'.repeat(24),
    ...over,
  };
  const historic = {
    writeFile: async (write: FileWrite) => {
      if (gate.failure && writes.length >= gate.failAt) throw gate.failure;
      writes.push(write);
      // It is overwritten by the next one.
      bodies.push(Buffer.from(write.body).toString());
      order.push(write.continues);
      return JSON.parse(bodies.at(-1) ?? '').data.length as number;
    },
    reportFault: async ({ fault }: { fault: string }) => {
      faults.push(fault);
      order.push(fault);
    },
  };
  const process = (body: string | Buffer, fileName = 'a.csv', recordsDone = 0) =>
    processFile(historic, {
      source,
      fileName,
      bytes: bytesOf(Buffer.from(body)),
      arrivedMs: Date.parse('2026-11-21T12:00:00Z'),
      recordsDone,
      progress: async (done) => void progress.push(done),
      signal: new AbortController().signal,
    });
  const send = async (body: string | Buffer, fileName = 'a.csv', recordsDone = 0) => {
    const { outcome } = await process(body, fileName, recordsDone);
    return outcome.report ?? `${outcome.refusal?.kind}: ${outcome.refusal?.message}`;
  };
  const dataOf = (n: number) => (JSON.parse(bodies[n] ?? '{"data":[]}') as { data: Entry[] }).data;
  return { writes, faults, order, gate, progress, process, send, dataOf };
}

const start = Date.parse('2024-01-01T00:00:00Z');
const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `${new Date(start + (from + n) * 1000).toISOString()},${from + n}\n`).join(
    '',
  );

test('records go to the log in the order of the file, in parts of bounded size; later parts continue the first', async () => {
  const { writes, faults, progress, send, dataOf } = receiver();
  expect(await send(`t,Level\n${lines(5_000)}`)).toEqual({
    files: 1,
    lines: 5_000,
    parsed: 5_000,
    records: 5_000,
    repeated: 0,
    series: 1,
    unreadableFields: 0,
    firstFailure: '',
    repeatedHeaders: 0,
    undecodableLines: 0,
    aheadLines: 0,
    notes: [],
  });
  expect(writes.map(({ writeMode, origin, continues }) => [writeMode, origin, continues])).toEqual(
    [false, true, true].map((continues) => ['MERGE_OVERWRITE_EXISTING', 'a.csv', continues]),
  );
  // The last write stands for all of them.
  expect(writes.map(({ ofFile }) => ofFile)).toEqual([
    'unfinished',
    'unfinished',
    { earlierRows: 4_000, parameters: 1 },
  ]);
  expect([0, 1, 2].flatMap((n) => dataOf(n).map(({ f }) => f[0]?.v))).toEqual(
    Array.from({ length: 5_000 }, (_, n) => n),
  );
  expect(progress).toEqual([2_000, 4_000, 5_000]);
  expect(faults).toEqual([]);
});

describe('rows of one time', () => {
  const zone = { timezone: 'America/New_York', timezoneAdjustForDst: true };
  const passes = ['01:00', '01:30', '01:00', '01:30'];

  test('several series have a row each in the repeated hour of autumn: nothing is lost', async () => {
    const { process, dataOf } = receiver({
      ...zone,
      parser: {
        format: 'ROW',
        columns: [
          { index: 0, type: 'RECORD_TIME' },
          { index: 1, type: 'SERIES_ID' },
          { index: 2, type: 'VALUE' },
        ],
        rowSeries: ['a', 'b'].map((seriesId) => ({ seriesId, type: 'NUMBER' as const })),
      },
    });
    const rows = passes.flatMap((time, n) => ['a', 'b'].map((id) => `2024-11-03 ${time},${id},${n}\n`));
    const { outcome, events } = await process(rows.join(''));
    expect(outcome.report).toMatchObject({ lines: 8, records: 8, repeated: 0 });
    expect(events).toEqual([]);
    const instants = ['05:00', '05:30', '06:00', '06:30'];
    expect(dataOf(0).map(({ ts, f }) => [ts.slice(11, 16), Object.keys(f)[0], Object.values(f)[0]?.v])).toEqual(
      instants.flatMap((time, n) => ['0', '1'].map((series) => [time, series, n])),
    );
  });

  test('a doubled line is stored once, which the report and an event say', async () => {
    const { process, dataOf } = receiver(zone);
    const rows = passes.map((time, n) => `2024-11-03 ${time},${n}\n`.repeat(n === 1 ? 2 : 1)).join('');
    const { outcome, events } = await process(`t,a\n${rows}`);
    expect(outcome.report).toMatchObject({ lines: 5, parsed: 5, records: 4, repeated: 1 });
    expect(new Set(dataOf(0).map(({ ts }) => ts)).size).toBe(4);
    const message =
      '1 row of a.csv has the time of another row of the same series: only the last row of a time is stored';
    expect(events).toEqual([{ level: 'WARNING', message }]);
  });

  test('a row that repeats one of an earlier part is not counted again', async () => {
    const { writes, send } = receiver();
    expect(await send(`t,a\n${lines(2_500)}${lines(100)}`)).toMatchObject({ records: 2_500, repeated: 100 });
    expect(writes.at(-1)?.ofFile).toEqual({ earlierRows: 1_900, parameters: 1 });
  });
});

test('long texts make smaller parts', async () => {
  const { dataOf, writes, send } = receiver();
  const text = 'x'.repeat(9000);
  await send(`t,Note\n${Array.from({ length: 130 }, (_, n) => `2024-01-01T00:00:00.${n},${text}\n`).join('')}`);
  expect(writes.length).toBe(2);
  expect(Math.max(...writes.map((_, n) => dataOf(n).length))).toBeLessThan(125);
});

const REPLACE = { writeMode: 'INSERT_DELETE_EXISTING' };

test('what replaces a range deletes that of the whole file once, however the file is sorted', async () => {
  const { writes, send, dataOf } = receiver(REPLACE);
  await send(`t,Level\n${lines(2500, 2500)}${lines(2500)}`);
  expect(writes.map(({ writeMode }) => writeMode)).toEqual([
    'DELETE_RANGE',
    ...[1, 2, 3].map(() => 'MERGE_OVERWRITE_EXISTING'),
  ]);
  expect(dataOf(0)).toEqual([
    { ts: '2024-01-01T00:00:00.000Z', f: { 0: null } },
    { ts: '2024-01-01T01:23:19.000Z', f: { 0: null } },
  ]);
});

test('what replaces a range and fits into one write is one', async () => {
  const { writes, send } = receiver(REPLACE);
  await send(`t,Level\n${lines(10)}`);
  expect(writes.map(({ writeMode }) => writeMode)).toEqual(['INSERT_DELETE_EXISTING']);
});

test('a file that was broken off goes on where it was, and deletes nothing again', async () => {
  const { writes, gate, progress, process, send, dataOf } = receiver(REPLACE);
  const text = `t,Level\n${lines(5_000)}`;
  gate.failure = unavailable('PEER_UNAVAILABLE');
  gate.failAt = 2;
  await expect(process(text)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(progress).toEqual([2_000]);
  gate.failure = undefined;
  expect(await send(text, 'a.csv', 2_000)).toMatchObject({ records: 5_000 });
  expect(writes.map(({ writeMode, continues }) => [writeMode, continues])).toEqual([
    ['DELETE_RANGE', false],
    ...[1, 2, 3].map(() => ['MERGE_OVERWRITE_EXISTING', true]),
  ]);
  expect(writes.at(-1)?.ofFile).toEqual({ earlierRows: 4_000, parameters: 1 });
  expect(dataOf(2)[0]?.f[0]?.v).toBe(2_000);
  expect(progress.at(-1)).toBe(5_000);
});

test('members that were written already are left out when an archive is begun again', async () => {
  const { writes, send } = receiver();
  const archive = zipOf({ 'a.csv': `t,a\n${lines(3)}`, 'b.csv': `t,b\n${lines(4)}` });
  expect(await send(archive, 'x.zip', 3)).toMatchObject({ files: 2, records: 7, series: 2 });
  expect(writes.map(({ origin, continues }) => [origin, continues])).toEqual([['x.zip', true]]);
});

describe('what is packed is unpacked', () => {
  const text = `t,Level\n${lines(3)}`;
  test.each<[string, Buffer, string, object]>([
    ['gzip by name', gzipSync(text), 'a.csv.gz', { records: 3 }],
    ['gzip by how it begins', gzipSync(text), 'a.csv', { records: 3 }],
    ['gzip in several parts', Buffer.concat([gzipSync('t,Level\n'), gzipSync(lines(3))]), 'a.gz', { records: 3 }],
    ['zip by name', zipOf({ 'a.csv': text }), 'A.ZIP', { files: 1, records: 3 }],
    ['zip by how it begins', zipOf({ 'a.csv': text }), 'a', { files: 1, records: 3 }],
    ['stored members', zipOf({ 'a.csv': { data: text, isStored: true } }), 'a.zip', { records: 3 }],
    [
      'folders, and what systems leave there',
      zipOf({ 'd/': '', 'd/a.csv': text, '__MACOSX/d/._a.csv': '\0', 'd/.DS': '\0' }),
      'a.zip',
      { files: 1, records: 3 },
    ],
  ])('%s', async (_what, body, name, report) => {
    expect(await receiver().send(body, name)).toMatchObject(report);
  });

  test('each member has the settings that its own name has, and the write mode', async () => {
    const { writes, process } = receiver({
      files: [{ match: 'hourly*.csv' }, { match: '^day', isRegex: true, parser: { delimiter: 'SEMICOLON' } }],
    });
    const archive = zipOf({
      'x/Hourly-1.csv': `t,h\n${lines(2)}`,
      'day/notes.txt': 'no',
      'day-1': 't;d\n2024-01-01;1\n',
    });
    const { outcome, events } = await process(archive, 'all.zip');
    expect(outcome.report).toMatchObject({ files: 2, records: 3, series: 2 });
    expect(writes.map(({ origin }) => origin)).toEqual(['Hourly-1.csv', 'all.zip']);
    expect(events).toEqual([{ level: 'DEBUG', message: "Ignored 'notes.txt'" }]);
  });

  test('a packed file is matched by its name with and without .gz', async () => {
    for (const match of ['\\.csv$', '\\.gz$'])
      expect(await receiver({ files: [{ match, isRegex: true }] }).send(gzipSync(text), 'a.csv.gz')).toMatchObject({
        records: 3,
      });
  });

  test('members that cannot be read keep no other from being stored, and raise the alarm', async () => {
    const { order, send } = receiver();
    const archive = zipOf({ 'bad.csv': 't,a\nnever,1\n', 'good.csv': text });
    expect(await send(archive, 'x.zip')).toMatchObject({
      files: 1,
      records: 3,
      firstFailure: expect.stringContaining('bad.csv: has no column with a timestamp'),
    });
    expect(order).toEqual([expect.stringContaining('bad.csv: has no column with a timestamp'), true]);
  });

  test.each<[string, Buffer, string, string]>([
    ['bytes that begin as gzip', Buffer.from([0x1f, 0x8b, 1, 2]), 'a', 'invalid_argument: body: is damaged gzip data'],
    [
      'half of an archive',
      zipOf({ a: text }).subarray(0, 80),
      'x.zip',
      'invalid_argument: body: the archive is damaged',
    ],
    [
      'an archive with a damaged member beside a good one',
      zipOf({ a: text, b: { data: text, crc: 1 } }),
      'a',
      "body: the archive has a damaged member, 'b'",
    ],
    ['more than 250 MB, as the archive says', zipOf({ a: { data: text, size: 300_000_000 } }), 'a', 'too_large: '],
  ])('%s: refused, nothing is written, the alarm is raised', async (_what, body, name, message) => {
    const { writes, faults, send } = receiver();
    const refusal = await send(body, name);
    expect(refusal).toContain(message);
    expect(writes).toEqual([]);
    expect(faults).toEqual([`${name}: ${String(refusal).replace(/^\w+: /, '')}`]);
  });

  test('an archive none of whose members the source knows is ignored', async () => {
    const { faults, process } = receiver({ files: [{ match: 'hourly' }] });
    expect(await process(zipOf({ 'daily.csv': text }), 'x.zip')).toEqual({
      outcome: {
        refusal: {
          kind: 'invalid_argument',
          reason: 'FILE_IGNORED',
          message: 'name: must match one of the files of the source',
        },
      },
      events: [{ level: 'DEBUG', message: "Ignored 'daily.csv'" }],
    });
    expect(faults).toEqual([]);
  });
});

test.each([
  [
    'more series than one write takes',
    `t,${Array.from({ length: 101 }, (_, n) => `c${n}`).join()}\n2024-01-01${',1'.repeat(101)}\n`,
    'at most 100',
  ],
  [
    'nothing but a header',
    'TOA5,S\nTIMESTAMP,a\nTS,\n,Avg\n',
    'no lines with data after line 4, where its header ends',
  ],
  ['no line that can be read', 'TOA5,S\nTIMESTAMP,a\nTS,\n,Avg\n2024-01-01,1,2\n', 'line 5: has 3 fields'],
])('%s: refused, nothing is written, the alarm is raised', async (_what, body, message) => {
  const { writes, faults, send } = receiver();
  expect(await send(body)).toContain(message);
  expect([writes.length, faults.length]).toEqual([0, 1]);
  expect(faults[0]).toContain(message);
});

test('a line without an end, after good lines: these are stored, the alarm is raised, and the report says where it ends', async () => {
  const { writes, faults, process } = receiver();
  const { outcome, events } = await process(`t,a\n${lines(3000)}later,1\n2024-01-02,${'1'.repeat(2 * 1024 * 1024)}`);
  const why = 'line 3003: longer than 1048576 characters';
  expect(outcome.report).toMatchObject({ records: 3000, firstFailure: why });
  expect(writes.length).toBe(2);
  expect(faults).toEqual([`a.csv: ${why}`]);
  const later = expect.stringContaining(`[1 lines failed, first at line 3002: 'later' is no time`);
  expect(outcome.report?.notes).toEqual([expect.stringContaining(why), later]);
  expect(events).toEqual(outcome.report?.notes.map((message) => ({ level: 'WARNING', message })));
});

test('a text that somebody has decoded, of a mail or an SMS, is UTF-8 whatever the encoding of the parser', async () => {
  const parser = { encoding: 'windows-1252' as const };
  const { send, dataOf } = receiver({ cameAsText: true, parser });
  await send('t,Note\n2024-01-01,größer\n');
  expect(dataOf(0)[0]?.f[0]).toEqual({ v: 'größer' });
});

test('lines that fail are counted and reported', async () => {
  const { process } = receiver();
  const { outcome, events } = await process(`t,a\n${lines(3)}later,1\n${lines(8, 4)}`);
  expect(outcome.report).toMatchObject({
    lines: 12,
    parsed: 11,
    firstFailure: "line 5, column 1: 'later' is no time such as 2026-05-31 23:59:59",
  });
  expect(events).toEqual([
    {
      level: 'WARNING',
      message: "Parsed 91% of a.csv [1 lines failed, first at line 5: 'later' is no time such as 2026-05-31 23:59:59]",
    },
  ]);
});

test.each([
  [90, 9, [false]],
  [91, 9, ['parsed 90% of a.csv, 91% required', true]],
  [100, 10, [false]],
  [0, 8, [false]],
])(
  '%i%% required, %i of 10 lines good: good lines are stored, the alarm is raised before them',
  async (successRequired, good, expected) => {
    const { order, send } = receiver({ parser: { successRequired } });
    expect(await send(`t,a\n${lines(good)}${'never,1\n'.repeat(10 - good)}`)).toMatchObject({ records: good });
    expect(order).toEqual(expected);
  },
);

test('what the log refuses is refused, what is away is not', async () => {
  const { gate, faults, send, process } = receiver();
  gate.failure = unavailable('PEER_UNAVAILABLE');
  await expect(process(`t,a\n${lines(3)}`)).rejects.toMatchObject({ kind: 'unavailable' });
  expect(faults).toEqual([]);
  gate.failure = invalid('INVALID_ARGUMENT', 'header.columns.0: values are of another type');
  expect(await send(`t,a\n${lines(3)}`)).toContain('values are of another type');
  expect(faults).toEqual(['a.csv: header.columns.0: values are of another type']);
});

test('after a power loss in a file: runs of NUL are failed lines and fields, everything around them is stored', async () => {
  const { send, dataOf, faults } = receiver();
  const at = (hour: number) => `2024-01-01T${String(hour).padStart(2, '0')}:00:00Z`;
  const file = [
    't,Level,Note',
    `${at(0)},1,dry`,
    `${at(1)},2,w\0\0et`,
    '\0'.repeat(4_096),
    `${'\0'.repeat(512)}${at(2)},3,lost`,
    `${at(3)},\0\0\0\0,rain`,
    `${at(4)},5,dry`,
  ].join('\n');
  const report = await send(`${file}\n`);
  expect(report).toMatchObject({ lines: 6, parsed: 4, records: 4, unreadableFields: 2 });
  expect(dataOf(0).map(({ ts, f }) => [ts.slice(11, 13), ...Object.values(f).map((field) => field?.v)])).toEqual([
    ['00', 1, 'dry'],
    ['01', 2],
    ['03', 'rain'],
    ['04', 5, 'dry'],
  ]);
  // The report of it is kept too.
  expect(JSON.stringify([report, faults])).toMatch(/line 4, column 1: '\ufffd{40}…'/);
  expect(JSON.stringify([report, faults])).not.toContain('u0000');
});
