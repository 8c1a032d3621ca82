// Files for sources (docs/reference/accounts-and-usage.md#administration; docs/reference/requests-and-errors.md#headers,
// docs/reference/acquisition.md#files-of-a-source).
import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { AuthenticateResponse } from '@catchment/contracts/nodes';
import { DomainError, invalid } from '@catchment/errors';
import { until } from '@catchment/testkit';
import { FilesFake, MAX_BYTES } from './files-fake.ts';
import { ACCOUNT, KEYS, openGateway } from './fixture.ts';

const NODE = 'a'.repeat(24);
const PATH = `/api/v1/nodes/${NODE}/files`;

const files = new FilesFake();
let gateway: Awaited<ReturnType<typeof openGateway>>;
beforeAll(async () => {
  gateway = await openGateway({ files });
});
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(() => {
  files.reset();
  gateway.calls.length = 0;
});

const send = (
  body: string | Buffer,
  {
    path = PATH,
    headers = {},
    key = KEYS.modify,
  }: { path?: string; headers?: Record<string, string>; key?: string } = {},
) => gateway.ask(path, { method: 'POST', body, headers: { 'content-type': 'text/csv', ...headers }, key });
const stored = () => [...files.stored.values()].map((segments) => Buffer.concat(segments));
const status = { code: 202, message: 'Operation accepted but not yet complete' };

test.each([1, 999, 1000, 1001, 35_000, MAX_BYTES])('a file of %i bytes arrives in segments, whole', async (size) => {
  const bytes = randomBytes(size);
  expect((await send(bytes)).status).toBe(202);
  expect(stored()).toEqual([bytes]);
  expect(gateway.calls.findLast(({ rpc }) => rpc === 'finishFile')?.request).toMatchObject({ size });
  expect(files.abandoned).toEqual([]);
});

test('the counts of what was read are in the answer; what takes longer has none yet', async () => {
  const counts = {
    files: 1,
    lines: 3,
    parsed: 2,
    records: 2,
    series: 1,
    repeated: 0,
    unreadableFields: 0,
    repeatedHeaders: 0,
    undecodableLines: 0,
    aheadLines: 0,
    notes: [],
  };
  files.onFinish = async () => ({ ...counts, firstFailure: 'line 2: odd' });
  const headers = { 'content-type': 'x/y; charset=latin1' };
  const reply = await send('{"a":', { path: `${PATH}?name=a.csv`, headers });
  expect(reply.json()).toEqual({ status, file: { state: 'PROCESSED', ...counts, firstFailure: 'line 2: odd' } });
  expect(gateway.calls.find(({ rpc }) => rpc === 'beginFile')?.request).toEqual({ nodeRef: NODE, fileName: 'a.csv' });
  files.onFinish = async () => ({ ...counts, firstFailure: '' });
  expect((await send('x')).json()).toMatchObject({ file: { firstFailure: null } });
  files.onFinish = async () => undefined;
  expect((await send('x')).json()).toEqual({ status, file: { state: 'PROCESSING' } });
});

test('what the body is packed in by Content-Encoding is taken off on the way; what the file is packed in stays', async () => {
  const text = Buffer.from('t,a\n'.repeat(10_000));
  await send(gzipSync(text), { headers: { 'content-encoding': 'gzip' } });
  await send(gzipSync(text));
  expect(stored()).toEqual([text, gzipSync(text)]);
});

test.each<[string, string | Buffer, Record<string, string>, number, string]>([
  ['nothing', '', {}, 400, 'body: must be sent'],
  ['gzip of nothing', gzipSync(''), { 'content-encoding': 'gzip' }, 400, 'body: must be sent'],
  ['an unknown encoding', 'x', { 'content-encoding': 'br' }, 400, 'Content-Encoding: must be gzip or identity'],
  ['no gzip', 'x'.repeat(3000), { 'content-encoding': 'gzip' }, 400, 'body: must be valid gzip data'],
  ['half of gzip', gzipSync(randomBytes(9000)).subarray(0, 5000), { 'content-encoding': 'gzip' }, 400, 'valid gzip'],
  ['a byte too much', randomBytes(MAX_BYTES + 1), {}, 413, 'a file may have at most'],
  ['a bomb', gzipSync(Buffer.alloc(20 * MAX_BYTES)), { 'content-encoding': 'gzip' }, 413, 'a file may have at most'],
  ['far too much', 'x', { 'content-length': '104857601' }, 413, 'too large'],
])('a body of %s is refused and leaves nothing', async (_what, body, headers, code, message) => {
  const reply = await send(body, { headers });
  expect(reply.status).toBe(code);
  expect(reply.text).toContain(message);
  expect(stored()).toEqual([]);
});

test.each([
  ['a key for reading', { key: KEYS.readOnly }, 403],
  ['an unknown key', { key: KEYS.unknown }, 401],
  ['an unknown node', { path: '/api/v1/nodes/unknown/files' }, 404],
])('%s is refused with its answer, however long the file', async (_what, more, code) => {
  expect((await send(randomBytes(MAX_BYTES), more)).status).toBe(code);
  expect(stored()).toEqual([]);
});

test('what the file itself is refused for is the answer', async () => {
  files.onFinish = async () => {
    throw invalid('NOTHING_PARSED', 'file: has no lines with data');
  };
  const reply = await send('x');
  expect([reply.status, (reply.json() as { error: { message: string } }).error.message]).toEqual([
    400,
    'file: has no lines with data',
  ]);
});

test('a client that leaves half-way leaves nothing', async () => {
  const { port } = gateway;
  const request = httpRequest({
    port,
    method: 'POST',
    path: PATH,
    headers: { 'x-api-key': KEYS.modify, 'content-length': 50_000 },
  });
  request.on('error', () => undefined);
  request.write(randomBytes(5_000));
  await until(() => stored()[0]?.length ?? 0);
  request.destroy();
  await until(() => files.abandoned.length === 1);
  expect(stored()).toEqual([]);
});

// Access that ends at once is not remembered by the gateway.
const OWNER: AuthenticateResponse = { ...ACCOUNT, rights: { grants: [], untilMs: 0 } };

test.each([
  ['is revoked', 401, () => undefined],
  ['may only read by then', 403, (answer: AuthenticateResponse) => ({ ...answer, permission: 'READ_ONLY' })],
])('a key that %s while a body comes brings it no further', async (_what, status, later) => {
  let isLater = false;
  const ownFiles = new FilesFake();
  const authenticate = async () => {
    const answer = isLater ? later(OWNER) : OWNER;
    if (!answer) throw new DomainError('unauthenticated', 'KEY_UNKNOWN', 'Unauthorized: authentication failed');
    return answer;
  };
  const own = await openGateway({ files: ownFiles, behaviour: { authenticate } });
  const begun = (path: string, method: string, begin: string | Buffer, whole: number) => {
    const headers = { 'x-api-key': KEYS.modify, 'content-length': whole, 'content-type': 'application/json' };
    const request = httpRequest({ port: own.port, method, path, headers });
    const answered = new Promise<number | undefined>((resolve) =>
      request.on('response', (response) => resolve(response.resume().statusCode)),
    );
    request.write(begin);
    return { request, answered };
  };
  const asked = () => own.calls.filter(({ rpc }) => rpc === 'authenticate').length;
  const node = begun(`/api/v1/nodes/${NODE}`, 'PUT', '{"name":', 12);
  await until(() => asked() > 0);
  const file = begun(PATH, 'POST', randomBytes(5_000), 10_000);
  await until(() => [...ownFiles.stored.values()][0]?.length);
  isLater = true;
  file.request.end(randomBytes(5_000));
  expect(await file.answered).toBe(status);
  // The body of the node ends last: a lookup that was under way for the file when the key changed would answer for it too.
  node.request.end('"x"}');
  expect(await node.answered).toBe(status);
  await until(() => ownFiles.abandoned.length === 1);
  expect(own.calls.filter(({ rpc }) => rpc === 'updateNode' || rpc === 'finishFile')).toEqual([]);
  await own[Symbol.asyncDispose]();
});
