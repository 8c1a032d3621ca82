import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ApiCaller } from '@catchment/access';
import type { ParserSettings } from '@catchment/delimited-text';
import type { FileSource } from '../../sources/domain/source-file.ts';
import { previewParser } from './preview-parser.ts';

type Preview = {
  proposal: { parser: ParserSettings; layout: string; why: string } | null;
  columns: { index: number; name: string; units: string; type: string; series: string }[];
  labels: string[];
  rows: { line: number; time: string | null; values: Record<string, unknown>; failures: object[] }[];
  report: Record<string, unknown>;
};

const caller = (over: Partial<ApiCaller> = {}): ApiCaller => ({
  kind: 'api',
  ownerId: 'a'.repeat(24),
  userId: 'b'.repeat(24),
  username: 'jo@example.org',
  permission: 'MODIFY',
  accessLevel: 'ACCOUNT',
  ...over,
});
const source: FileSource = { _id: 'c'.repeat(24), ownerId: 'a'.repeat(24), workspaceId: 'd'.repeat(24) };

async function preview(body: object, over: Partial<FileSource> = {}, own = caller(), name = 'source.data.TextParser') {
  const nodes = {
    fileSource: async (_ref: string, _call: object, parser?: unknown) => ({
      class: name,
      source: { ...source, ...over, ...(parser !== undefined && { parser: parser as ParserSettings }) },
    }),
  };
  const call = { caller: own, token: 't', deadlineMs: 0, signal: new AbortController().signal };
  const request = { nodeRef: source._id, body: Buffer.from(JSON.stringify(body)) };
  return (await previewParser({ nodes, now: () => Date.parse('2026-11-21T12:00:00Z') }, request, call)) as Preview;
}

const CSV = 'time,Level,Note\n2024-07-01 00:00,1.5,ok\n2024-07-01 00:10,x,ok\nlater,2,\n2024-07-01 00:30,,\n';

test('a parser is proposed, and what it reads is shown line by line with what fails', async () => {
  const { proposal, columns, rows, report } = await preview({ sample: CSV });
  expect(proposal).toMatchObject({ layout: 'CSV', parser: { delimiter: ',', labelsRow: 1 } });
  expect(columns).toEqual([
    { index: 1, name: 'Level', units: '', type: 'TEXT', series: 'Level' },
    { index: 2, name: 'Note', units: '', type: 'TEXT', series: 'Note' },
  ]);
  expect(rows).toEqual([
    { line: 2, time: '2024-07-01T00:00:00.000Z', values: { 1: '1.5', 2: 'ok' }, failures: [] },
    { line: 3, time: '2024-07-01T00:10:00.000Z', values: { 1: 'x', 2: 'ok' }, failures: [] },
    {
      line: 4,
      time: null,
      values: {},
      failures: [{ column: 0, reason: "'later' is no time such as 2026-05-31 23:59:59" }],
    },
    { line: 5, time: '2024-07-01T00:30:00.000Z', values: {}, failures: [] },
  ]);
  expect(report).toEqual({
    lines: 4,
    parsed: 3,
    failed: 1,
    unreadableFields: 0,
    brokenOff: null,
    repeated: 0,
    repeatedHeaders: 0,
    undecodableLines: 0,
    aheadLines: 0,
    notes: [
      "Parsed 75% of the sample [1 lines failed, first at line 4: 'later' is no time such as 2026-05-31 23:59:59]",
    ],
  });
});

const PARSER: ParserSettings = {
  labelsRow: 1,
  columns: [
    { index: 0, type: 'RECORD_TIME' },
    { index: 1, type: 'NUMBER', series: 'level' },
    { index: 2, type: 'NUMBER', series: 'note' },
  ],
};

test('with a parser every field that it cannot read is named', async () => {
  const { proposal, rows, report } = await preview({ sample: CSV, parser: PARSER });
  expect(proposal).toBeNull();
  expect(rows.slice(0, 2)).toEqual([
    {
      line: 2,
      time: '2024-07-01T00:00:00.000Z',
      values: { 1: 1.5 },
      failures: [{ column: 2, reason: "'ok' is no number" }],
    },
    { line: 3, time: null, values: {}, failures: [{ column: 1, reason: "'x' is no number" }] },
  ]);
  expect(report).toMatchObject({ lines: 4, parsed: 2, failed: 2, unreadableFields: 1, brokenOff: null });
});

test('a sample that came as a text is UTF-8, whatever the encoding of the parser', async () => {
  const parser = { ...PARSER, encoding: 'UTF-16LE' as const };
  const shown = await preview({ sample: 'time,Höhe,n\n2024-07-01 00:00,1.5,2\n', parser });
  expect([shown.columns[0]?.name, shown.report.parsed]).toEqual(['Höhe', 1]);
});

test('rows that name their series are proposed as rows, which the words say', async () => {
  const rows = ['00:00,HG,1.5', '00:00,VB,12', '00:15,HG,1.6', '00:15,VB,13'];
  const { proposal, report } = await preview({ sample: rows.map((row) => `2024-07-01 ${row},G\n`).join('') });
  expect(proposal?.parser).toMatchObject({
    format: 'ROW',
    columns: [{ type: 'RECORD_TIME' }, { type: 'SERIES_ID' }, { type: 'VALUE' }, { type: 'DISABLED' }],
    rowSeries: [
      { seriesId: 'HG', type: 'NUMBER' },
      { seriesId: 'VB', type: 'NUMBER' },
    ],
  });
  expect(proposal?.why).toContain("Each row is a value of the series that column 'Column 2' names: HG, VB.");
  expect(report).toMatchObject({ parsed: 4, repeated: 0 });
});

test('rows of one time that no column parts stay rows of columns', async () => {
  const { proposal, report } = await preview({ sample: 'time,a,n\n2024-07-01,1,x\n2024-07-01,2,x\n2024-07-02,3,y\n' });
  expect(proposal?.parser.format).toBeUndefined();
  expect(report).toMatchObject({ repeated: 1 });
});

test('rows that fall on one time are counted, and said', async () => {
  const days = await preview({ sample: 'Date,Level\n2024-07-01,1\n2024-07-01,2\n2024-07-02,3\n' });
  expect(days.report).toMatchObject({ lines: 3, parsed: 3, repeated: 1 });
  expect(days.report.notes).toEqual([
    '1 row of the sample has the time of another row of the same series: only the last row of a time is stored',
  ]);
});

test('times are those of the zone of the source', async () => {
  const { rows } = await preview({ sample: CSV }, { timezone: 'America/New_York', timezoneAdjustForDst: true });
  expect(rows[0]?.time).toBe('2024-07-01T04:00:00.000Z');
});

test.each(['Workspace', 'Group', 'location.Location'])(
  'a %s in which a source is to be made says no zone: the request does',
  async (place) => {
    const body = { sample: CSV, timezone: 'America/New_York', timezoneAdjustForDst: true };
    const { labels, rows } = await preview(body, {}, caller(), place);
    expect([labels, rows[0]?.time]).toEqual([['time', 'Level', 'Note'], '2024-07-01T04:00:00.000Z']);
  },
);

test('columns are proposed anew for what is settled of a parser, which stays', async () => {
  const sample = 'a;time,Level\n2024-07-01 00:00,-99\n2024-07-01 00:10,1.6\n';
  const settled = { delimiter: ',', missing: ['-99'], successRequired: 50, columns: [{ index: 5, type: 'NUMBER' }] };
  const { proposal, rows } = await preview({ sample, parser: settled, propose: true });
  expect(proposal?.parser).toMatchObject({ delimiter: ',', missing: ['-99'], successRequired: 50, labelsRow: 1 });
  expect(proposal?.parser.columns).toMatchObject([{ type: 'RECORD_TIME' }, { type: 'NUMBER', series: 'Level' }]);
  expect(rows.map(({ values }) => values)).toEqual([{}, { 1: 1.6 }]);
});

test('bytes may be packed, and end anywhere', async () => {
  const long = `time,Level\n${Array.from({ length: 9000 }, (_, n) => `2024-01-01T00:00:00.${n},${n}\n`).join('')}`;
  const packed = gzipSync(long);
  const { rows, report } = await preview({ sampleBase64: packed.subarray(0, packed.length / 2).toString('base64') });
  expect(rows).toHaveLength(50);
  expect(Number(report.lines)).toBeGreaterThan(1_000);
});

test('what is no UTF-8 is proposed as windows-1252', async () => {
  const bytes = Buffer.from('time,T [\xb0C]\n2024-01-01,1\n2024-01-02,2\n', 'latin1');
  const { proposal, columns } = await preview({ sampleBase64: bytes.toString('base64') });
  expect(proposal?.parser.encoding).toBe('windows-1252');
  expect(columns[0]?.name).toBe('T [°C]');
});

test('a sample that ends within a line counts it only where it can be read', async () => {
  const counts = async (sample: string) => (await preview({ sample, parser: PARSER })).report;
  const { lines } = await counts(CSV);
  expect(await counts(`${CSV}2024-07-`)).toMatchObject({ lines, failed: (await counts(CSV)).failed });
  expect(await counts(`${CSV}2024-07-01 00:40,1,up`)).toMatchObject({ lines: Number(lines) + 1 });
});

test('a sample that ends within a text is shown as far as it goes', async () => {
  const { rows, report } = await preview({ sample: `${CSV}2024-07-01 00:40,1,"broken`, parser: PARSER });
  expect([rows.length, report.lines, report.brokenOff]).toEqual([4, 4, null]);
  const broken = await preview({ sample: `time,Level\n2024-01-01 00:00,"1\n2024-01-01 00:10,2\n`, parser: PARSER });
  expect(broken.report.brokenOff).toContain('Quote Not Closed');
});

test.each([
  [{ sample: 'a', timezone: 'Mars/Base' }, 'timezone: must be an IANA time zone name'],
  [{ sample: 'a', timezone: 'Etc/UTC', timezoneAdjustForDst: 1 }, 'timezoneAdjustForDst: must be true or false'],
  [{ sample: 'a', propose: 'yes' }, 'propose: must be true or false'],
  [{}, 'must have either sample or sampleBase64'],
  [{ sample: 'a', sampleBase64: 'YQ==' }, 'must have either sample or sampleBase64'],
  [{ sample: 5 }, 'sample: must be a text'],
  [{ sample: '' }, 'sample: is empty'],
  [{ sampleBase64: '%' }, 'sampleBase64: must be bytes in base64'],
  [{ sample: 'x'.repeat(1024 * 1024 + 1) }, 'sample: must have at most 1048576 bytes'],
  [{ sampleBase64: Buffer.from([0x1f, 0x8b, 1]).toString('base64') }, 'sampleBase64: is damaged gzip data'],
  [{ sample: 'a,b\n1,2\n' }, 'file: has no column with a timestamp'],
])('refuses %.60j', async (body, message) => {
  await expect(preview(body)).rejects.toThrow(message);
});

test('refuses readers, other nodes, and people without CONFIGURE', async () => {
  await expect(preview({ sample: CSV }, {}, caller({ permission: 'READ_ONLY' }))).rejects.toThrow('Not permitted');
  await expect(preview({ sample: CSV }, {}, caller(), 'point.NumberPoint')).rejects.toThrow(
    'id: must be a source of delimited text',
  );
  const rights = { grants: [{ permissions: ['VIEW', 'EDIT_DATA'], workspaceIds: [source.workspaceId] }] };
  await expect(preview({ sample: CSV }, {}, caller({ rights }))).rejects.toThrow('Not permitted');
});

test('random bytes are refused with a reason, or read', async () => {
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed;
  };
  for (let n = 0; n < 100; n += 1) {
    const bytes = Buffer.from(
      Array.from({ length: next() % 400 }, () => [44, 10, 34, 50, 58, 45, next() % 256][next() % 7]!),
    );
    await preview({ sampleBase64: bytes.toString('base64') }).catch((error: { kind?: string }) => {
      expect(error.kind).toBe('invalid_argument');
    });
  }
});

// Committed files only: the ones that the end-to-end tests use.
const FILES = join(import.meta.dirname, '../../../../../e2e/data');
test.each(readdirSync(FILES).filter((name) => /\.(csv|dat|rdb|tsv|txt)$/.test(name)))(
  '%s: a proposal reads it',
  async (name) => {
    const sample = readFileSync(join(FILES, name)).subarray(0, 512 * 1024);
    const { report } = await preview({ sampleBase64: sample.toString('base64') });
    expect(report.parsed).toBe(report.lines);
  },
);
