import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { looksLikeJson } from '@catchment/delimited-text';
import { UTC_ZONE } from '@catchment/time';
import { ApiClient } from '../api/api-client.ts';
import { openProgress } from '../api/progress.ts';
import type { ImportSource } from './import-source.ts';
import { ImportState } from './import-state.ts';
import { jtsSource } from './jts-source.ts';
import { sendRecords } from './send-records.ts';
import { textSource } from './text-source.ts';

type Document = { header?: { columns: object }; data: { ts: string; f: Record<string, { v: unknown }> }[] };

let server: Server;
let folder: string;
let received: Document[];
/** The server answers each request with these in turn, then with 202. */
let answers: { status: number; message?: string }[];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { status, message } = answers.shift() ?? { status: 202 };
      if (status === 202) received.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(status).end(message ? JSON.stringify({ error: { code: status, message } }) : '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-import-'));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  received = [];
  answers = [];
});

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
const textOf = (text: string, isStrict = false): Promise<ImportSource> =>
  textSource(bytesOf(text), { zone: UTC_ZONE, nowMs: Date.now() }, isStrict);
const rows = (from: number, to: number) =>
  Array.from(
    { length: to - from },
    (_, n) => `2024-01-01T00:00:${String(from + n).padStart(2, '0')},${from + n}\n`,
  ).join('');

const newState = () => new ImportState(path.join(folder, `${randomUUID()}.json`), ['file']);

async function run(source: ImportSource, options: { state?: ImportState; batch?: number; signal?: AbortSignal } = {}) {
  const state = options.state ?? newState();
  const api = new ApiClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'k'.repeat(40));
  return sendRecords({
    put: (body) => api.textPatiently('PUT', '/nodes/@x/historic', { body }),
    source,
    state,
    from: (await state.read()) ?? { records: 0, values: 0 },
    batch: options.batch ?? 2,
    progress: openProgress(0, true),
    readBytes: () => 0,
    signal: options.signal ?? new AbortController().signal,
  });
}
const values = () => received.flatMap(({ data }) => data.map(({ f }) => f[0]?.v));

test('records go in batches, in the order of the file, with the columns of the file', async () => {
  const sent = await run(await textOf(`t,Level\n${rows(1, 6)}`));
  expect(received.map(({ data }) => data.length)).toEqual([2, 2, 1]);
  expect(received[0]?.header).toEqual({ columns: { 0: { series: 'Level', name: 'Level', dataType: 'NUMBER' } } });
  expect(values()).toEqual([1, 2, 3, 4, 5]);
  expect(sent).toEqual({
    records: 5,
    values: 5,
    firstTs: '2024-01-01T00:00:01.000Z',
    lastTs: '2024-01-01T00:00:05.000Z',
  });
});

test('an import that has failed goes on behind what the API has taken', async () => {
  const state = newState();
  answers = [{ status: 202 }, { status: 202 }, { status: 403, message: 'no' }];
  const file = `t,Level\n${rows(1, 10)}`;
  await expect(run(await textOf(file), { state })).rejects.toThrow(
    'line 6 to line 7: PUT /nodes/@x/historic answered 403: no',
  );
  expect(await state.read()).toEqual({ records: 4, values: 4 });
  const sent = await run(await textOf(file), { state });
  expect(values()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect([sent.records, sent.firstTs]).toEqual([9, '2024-01-01T00:00:01.000Z']);
});

test('a position belongs to the file and the settings it was made with', async () => {
  const file = path.join(folder, 'own.json');
  await new ImportState(file, ['a', 'b']).save({ records: 4, values: 4 });
  expect(await new ImportState(file, ['ab', '']).read()).toBeUndefined();
  expect(await new ImportState(file, ['a', 'b']).read()).toEqual({ records: 4, values: 4 });
  await writeFile(file, '{"records":');
  expect(await new ImportState(file, ['a', 'b']).read()).toBeUndefined();
});

test('what passes is tried again', async () => {
  answers = [{ status: 503, message: 'busy' }];
  await run(await textOf(`t,Level\n${rows(1, 3)}`));
  expect(values()).toEqual([1, 2]);
});

test('a refusal names its place in the file', async () => {
  answers = [{ status: 400, message: 'data[1].f.0.v: must be a number' }];
  const source = await textOf(`t,Level\n${rows(1, 2)}later,5\n${rows(3, 9)}`);
  await expect(run(source)).rejects.toThrow(
    'line 4: PUT /nodes/@x/historic answered 400: data[1].f.0.v: must be a number',
  );
});

test('more columns than a write may have go in several', async () => {
  const labels = Array.from({ length: 130 }, (_, n) => `c${n}`);
  await run(await textOf(`t,${labels.join(',')}\n2024-01-01,${labels.map((_, n) => n).join(',')}\n`));
  expect(received.map(({ data }) => Object.keys(data[0]?.f ?? {}).length)).toEqual([100, 30]);
  expect(received.map(({ header }) => Object.keys(header?.columns ?? {}).length)).toEqual([100, 30]);
});

test.each([
  ['2024-01-02,no', "line 302, column 2: 'no' is no number"],
  ['later,2', "line 302, column 1: 'later' is no time"],
])('a strict import ends at %j', async (line, message) => {
  const source = await textOf(`t,a\n${'2024-01-01,1\n'.repeat(300)}${line}\n`, true);
  await expect(run(source, { batch: 1000 })).rejects.toThrow(message);
  expect(received).toEqual([]);
});

test('a file of which no line can be read is refused before anything is sent', async () => {
  const toa5 = 'TOA5,S\nTIMESTAMP,a\nTS,\n,Avg\n2024-01-01,1,2\n';
  await expect(run(await textOf(toa5))).rejects.toThrow('No line of the file could be read: line 5: has 3 fields');
  expect(received).toEqual([]);
});

describe('JTS', () => {
  const document = (extra: string) =>
    `{${extra}"data":[{"ts":"2024-01-01T01:00:00","f":{"0":{"v":1,"q":7}}},{"ts":"2024-01-01T00:00:00Z","f":{"0":null}}]`;
  const open = (text: string) => jtsSource(() => bytesOf(text), UTC_ZONE);

  test('records as they are, the header wherever it stands', async () => {
    const text = `${document('"docType":"jts",')},"header":{"columns":{"0":{"name":"Level"}}}}`;
    expect(looksLikeJson(Buffer.from(text))).toBe(true);
    await run(await open(text));
    expect(received[0]).toMatchObject({
      header: { columns: { 0: { name: 'Level' } } },
      data: [
        { ts: '2024-01-01T01:00:00.000Z', f: { 0: { v: 1, q: 7 } } },
        { ts: '2024-01-01T00:00:00.000Z', f: { 0: null } },
      ],
    });
  });

  test.each([
    [`${document('')}}`, 'docType: must be jts'],
    [document('"docType":"jts","header":{},'), 'ends before its last bracket'],
    ['{"docType":"jts","header":{},"data":[{"ts":"x","f":{}}]}', 'data[0].ts: must be an ISO 8601 timestamp'],
    ['{"docType":"jts","header":{},"data":[{"ts":1,"f":[]}]}', 'data[0].f: must be an object'],
    ['{"docType":"jts","header":{},"data":[1]}', 'data[0]: must be an object'],
    ['{"docType":"jts",,}', 'no valid JSON'],
  ])('%s is refused', async (text, message) => {
    await expect(open(text).then(run)).rejects.toThrow(message);
  });
});
