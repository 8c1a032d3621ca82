import type { FileSource } from '../../sources/domain/source-file.ts';
import type { FileWrite } from '../../sources/usecases/ports.ts';
import { processJts } from './process-file.ts';

/** Returns bytes in small pieces, as they come from a store. */
const bytesOf = (bytes: Buffer) => ({
  size: bytes.length,
  async *range(start: number, end: number) {
    for (let at = start; at < end; at += 997) yield bytes.subarray(at, Math.min(at + 997, end));
  },
});

function receiver(over: Partial<FileSource> = {}) {
  const bodies: { header: { columns: object }; data: { ts: string; f: Record<string, { v: unknown }> }[] }[] = [];
  const modes: string[] = [];
  const faults: string[] = [];
  const source: FileSource = { _id: 'c'.repeat(24), ownerId: 'a'.repeat(24), workspaceId: 'd'.repeat(24), ...over };
  const historic = {
    writeFile: async ({ body, writeMode }: FileWrite) => {
      bodies.push(JSON.parse(Buffer.from(body).toString()));
      modes.push(writeMode);
      return bodies.at(-1)?.data.length ?? 0;
    },
    reportFault: async ({ fault }: { fault: string }) => void faults.push(fault),
  };
  const send = async (document: unknown, recordsDone = 0) => {
    const body = typeof document === 'string' ? document : JSON.stringify(document);
    const { outcome, events, latestMs } = await processJts(historic, {
      source,
      fileName: 'a.json',
      arrivedMs: 0,
      recordsDone,
      progress: async () => undefined,
      bytes: bytesOf(Buffer.from(body)),
      signal: new AbortController().signal,
    });
    return { report: outcome.report, refusal: outcome.refusal?.message, events, latestMs };
  };
  const records = () => bodies.flatMap(({ data }) => data.map(({ ts, f }) => [ts, f]));
  return { bodies, modes, faults, send, records };
}

const COLUMNS = {
  0: { name: 'Stage', dataType: 'NUMBER', units: 'm' },
  1: { name: 'Note', dataType: 'TEXT', series: 'note' },
  2: { name: 'Sampled', dataType: 'TIME' },
};
const jts = (...data: unknown[]) => ({ docType: 'jts', version: '1.0', header: { columns: COLUMNS }, data });
const at = (ts: unknown, v: unknown) => ({ ts, f: { 0: { v } } });

test('records go to the log as the file has them, with its columns', async () => {
  const { send, bodies, records, faults } = receiver();
  const entry = { ts: '2024-01-01T00:00:00Z', f: { 0: { v: 1, q: 192, a: 'x' }, 1: { v: 'wet' }, 2: null } };
  const { report, latestMs } = await send(jts(entry, at('2024-01-01T01:00:00+02:00', 2)));
  expect(report).toMatchObject({ lines: 2, parsed: 2, records: 2, series: 3, unreadableFields: 0, firstFailure: '' });
  expect(bodies[0]?.header.columns).toEqual(COLUMNS);
  expect(records()).toEqual([
    ['2024-01-01T00:00:00.000Z', entry.f],
    ['2023-12-31T23:00:00.000Z', { 0: { v: 2 } }],
  ]);
  expect(latestMs).toBe(Date.parse('2024-01-01'));
  expect(faults).toEqual([]);
});

test('times without a zone are those of the source, twice the same in autumn by their order', async () => {
  const { send, records } = receiver({ timezone: 'America/New_York', timezoneAdjustForDst: true });
  const times = [
    '2024-11-03T00:30:00',
    '2024-11-03T01:30',
    '2024-11-03T01:30:00',
    '2024-11-03T01:15',
    '2024-11-03T01:45:00Z',
    '2024-11-04',
  ];
  await send(jts(...times.map((ts) => at(ts, 1)), at({ $time: '2024-07-01T00:00:00' }, 2), at({ $millis: 5 }, 3)));
  expect(records().map(([ts]) => ts)).toEqual([
    '2024-11-03T04:30:00.000Z',
    '2024-11-03T05:30:00.000Z',
    '2024-11-03T05:30:00.000Z',
    '2024-11-03T06:15:00.000Z',
    '2024-11-03T01:45:00.000Z',
    '2024-11-04T05:00:00.000Z',
    '2024-07-01T04:00:00.000Z',
    '1970-01-01T00:00:00.005Z',
  ]);
});

test('a series whose newest record comes first, after one whose oldest does, has both passes of the repeated hour', async () => {
  const { send, records } = receiver({ timezone: 'America/New_York', timezoneAdjustForDst: true });
  const hour = ['01:00', '01:20', '01:40'];
  const times = ['00:20', '00:40', ...hour, ...hour, '02:00', '02:20'].map((clock) => `2024-11-03T${clock}:00`);
  const wet = { 0: { v: null }, 1: { v: 'wet' } };
  await send(
    jts(...times.map((ts) => at(ts, 1)), { ts: times[3], f: {} }, ...times.toReversed().map((ts) => ({ ts, f: wet }))),
  );
  const timesOf = (value: unknown) => records().flatMap(([ts, f]) => ((f as typeof wet)[1]?.v === value ? [ts] : []));
  expect(timesOf(undefined)).toHaveLength(10);
  expect(timesOf('wet').toReversed()).toEqual(timesOf(undefined));
  expect(new Set(timesOf('wet')).size).toBe(10);
});

test('what cannot be read is left out, and reported', async () => {
  const { send, records, faults } = receiver();
  const mixed = { ts: '2024-01-01T00:00:00Z', f: { 0: { v: 'one' }, 1: { v: 'wet' }, 7: { v: 1 } } };
  const { report, events } = await send(
    jts(at('noon', 1), 5, at('2024-01-01T00:00:00Z', 'x'), mixed, at('2024-01-02T00:00:00Z', 3)),
  );
  expect(report).toMatchObject({ lines: 5, parsed: 2, records: 2, unreadableFields: 2 });
  expect(events).toEqual([
    {
      level: 'WARNING',
      message:
        'Parsed 40% of a.json [3 lines failed, first at line 1: ts: must be an ISO 8601 timestamp such as 2014-10-09T22:38:10.000Z]',
    },
    {
      level: 'WARNING',
      message: '2 fields of a.json could not be read and were left out, first at line 4: f.0: v must be a number',
    },
  ]);
  expect(records()).toEqual([
    ['2024-01-01T00:00:00.000Z', { 1: { v: 'wet' } }],
    ['2024-01-02T00:00:00.000Z', { 0: { v: 3 } }],
  ]);
  expect(faults).toEqual([]);
});

const HEADER = '{"docType":"jts","header":{"columns":{"0":{"name":"a","dataType":"NUMBER"}}},"data":[';
test.each([
  ['no JSON', 'time,a\n1,2\n', 'file: is no JSON, at byte 0 or soon after it'],
  ['an array', '[]', 'docType: must be jts'],
  ['nothing', '', 'file: ends before its last bracket'],
  ['another document', { docType: 'csv' }, 'docType: must be jts'],
  ['no header', { docType: 'jts', data: [] }, 'header.columns: must name the columns of the file'],
  [
    'a column without a type',
    { docType: 'jts', header: { columns: { 0: { name: 'a' } } } },
    'header.columns.0.dataType: must be one of',
  ],
  [
    'a column without a name',
    { docType: 'jts', header: { columns: { 0: { dataType: 'TEXT' } } } },
    'header.columns.0.name: must be a text',
  ],
  ['no record that can be read', jts(at('x', 1)), 'data[0]: ts: must be'],
  [
    'a record without an end',
    `${HEADER}{"ts":"${'x'.repeat(2 ** 21)}`,
    'file: has more than 1 MiB beside or in a record',
  ],
  ['brackets without an end', `${HEADER}${'['.repeat(2 ** 21)}`, 'file: must nest objects and arrays at most 64 deep'],
])('%s is refused, and reported to the source', async (_what, document, message) => {
  const { send, bodies, faults } = receiver();
  expect((await send(document)).refusal).toContain(message);
  expect(faults).toEqual([expect.stringContaining(`a.json: ${message.replace('file: ', '')}`)]);
  expect(bodies).toEqual([]);
});

test('of a file that breaks off the records before are stored, and the source hears of it', async () => {
  const { send, records, faults } = receiver();
  const whole = JSON.stringify(jts(...Array.from({ length: 100 }, (_, n) => at(n, n))));
  const { report } = await send(whole.slice(0, whole.length - 50));
  expect(report?.records).toBeGreaterThan(90);
  expect(records()).toHaveLength(report?.records ?? 0);
  expect(faults).toEqual(['a.json: ends before its last bracket']);
});

test('the header may come last; a byte order mark is none of the document', async () => {
  const { send } = receiver();
  const { header, ...rest } = jts(at(1, 1), at(2, 2));
  expect((await send(`\ufeff${JSON.stringify({ ...rest, header })}`)).report).toMatchObject({ records: 2 });
});

test('many records go in parts; one that was broken off goes on', async () => {
  const document = jts(...Array.from({ length: 5_000 }, (_, n) => at(n, n)));
  const { send, bodies, modes } = receiver({ writeMode: 'INSERT_DELETE_EXISTING' });
  await send(document);
  expect(modes).toEqual(['DELETE_RANGE', ...Array(3).fill('MERGE_OVERWRITE_EXISTING')]);
  expect(bodies[0]?.data.map(({ ts }) => Date.parse(ts))).toEqual([0, 4_999]);
  bodies.splice(0);
  await send(document, 4_000);
  expect(bodies.map(({ data }) => data.length)).toEqual([1_000]);
});

test('records that are not later than what was acquired are left out', async () => {
  const { send, records } = receiver({ fetched: { key: 'k', afterMs: 1 } });
  const { report, latestMs } = await send(jts(at(0, 0), at(1, 1), at(2, 2)));
  expect([report?.parsed, records().length, latestMs]).toEqual([3, 1, 2]);
});

test('a field that nothing can keep fails, the others of its line are stored', async () => {
  const { send, records } = receiver();
  const { report, refusal } = await send(
    jts(
      { ts: '2024-01-01T00:00:00Z', f: { 0: { v: 1 }, 1: { v: 'a\0b' } } },
      { ts: '2024-01-01T01:00:00Z', f: { 0: { v: 2, a: 'x\0' } } },
      { ts: '2024-01-01T02:00:00Z', f: { 0: { v: 3 }, 1: { v: 'x'.repeat(10_001) } } },
      { ts: '2024-01-01T03:00:00Z', f: { 0: { v: 4 }, 1: { v: '😀'.repeat(10_000) } } },
    ),
  );
  expect(refusal).toBeUndefined();
  expect(report).toMatchObject({ lines: 4, parsed: 3, unreadableFields: 2 });
  expect(report?.firstFailure).toMatch(/f\.0: a must be a text .*U\+0000/);
  expect(records().map(([, f]) => Object.keys(f as object))).toEqual([['0'], ['0'], ['0', '1']]);
});
