// Files come by push keys, and SMS (docs/reference/acquisition.md#uploads, docs/reference/acquisition.md#sms).
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { DomainError, notFound, unavailable } from '@catchment/errors';
import { twilioSignature } from '../src/domain/incoming-sms.ts';
import { FilesFake, MAX_BYTES } from './files-fake.ts';
import { openGateway } from './fixture.ts';

const exec = promisify(execFile);
const files = new FilesFake();
const TOKEN = 'token-of-twilio';
const env = {
  UPLOAD_URL: 'https://push.test/in',
  SMS_INCOMING_TWILIO_TOKEN: TOKEN,
  SMS_INCOMING_TOKEN: 'token-of-json',
};
let gateway: Awaited<ReturnType<typeof openGateway>>;
let folder: string;
beforeAll(async () => {
  gateway = await openGateway({ files, env });
  folder = await mkdtemp(join(tmpdir(), 'push-'));
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  files.reset();
  gateway.calls.length = 0;
});

const PATH = '/in/source/soap-laugh-corn';
const send = (
  body: string | Buffer,
  { path = PATH, headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) => gateway.ask(path, { method: 'POST', body, headers: { 'content-type': 'text/csv', ...headers }, key: undefined });
const stored = () => [...files.stored.values()].map((segments) => Buffer.concat(segments));
const begun = () => gateway.calls.find(({ rpc }) => rpc === 'beginPush')?.request;
const abandoned = () => gateway.calls.filter(({ rpc }) => rpc === 'abandonFile').map(({ request }) => request);
const refusal = (kind: 'unauthenticated' | 'permission_denied' | 'resource_exhausted') =>
  ({
    unauthenticated: new DomainError('unauthenticated', 'PASSWORD_WRONG', 'the password is missing or wrong'),
    permission_denied: new DomainError('permission_denied', 'ADDRESS_NOT_ALLOWED', 'the address is not in ipWhitelist'),
    resource_exhausted: new DomainError('resource_exhausted', 'TOO_MANY_FILES', 'At most 20 files may wait at once'),
  })[kind];

test('curl pushes a file with its password and its name', async () => {
  const bytes = randomBytes(30_000);
  await writeFile(join(folder, 'a.csv'), bytes);
  const url = `http://127.0.0.1:${gateway.port}${PATH}`;
  const more = [
    '-u',
    'logger:hush:hush',
    '-H',
    'Content-Disposition: attachment; filename="station 7.csv"',
    '-w',
    '%{http_code}',
  ];
  const { stdout } = await exec('curl', ['-sS', '--data-binary', '@a.csv', ...more, `${url}?name=other.csv`], {
    cwd: folder,
  });
  expect(stdout).toContain('"code":202');
  expect(begun()).toMatchObject({
    transport: 'HttpUpload',
    key: 'soap-laugh-corn',
    fileName: 'station 7.csv',
    address: '127.0.0.1',
    password: 'hush:hush',
  });
  expect(stored()).toEqual([bytes]);
  const steps = gateway.calls.filter(({ rpc }) => rpc === 'writeFileSegment' || rpc === 'finishFile');
  expect(steps.every(({ request }) => (request as { ownerId?: string }).ownerId === 'owner')).toBe(true);
  expect(gateway.calls.at(-1)).toMatchObject({ rpc: 'finishFile', request: { size: bytes.length } });
});

test.each<[string, Record<string, string>, string, string]>([
  ['of the query', {}, '?name=a%20b.csv', 'a b.csv'],
  ['none', {}, '', ''],
  [
    'of the header, encoded',
    { 'content-disposition': "attachment; filename=x.csv; filename*=UTF-8''H%C3%B6he.csv" },
    '',
    'Höhe.csv',
  ],
  [
    'of the header, raw',
    { 'content-disposition': Buffer.from('inline;filename=Höhe.csv').toString('latin1') },
    '?name=x',
    'Höhe.csv',
  ],
])('the name is %s', async (_which, headers, query, fileName) => {
  expect((await send('x', { path: PATH + query, headers })).status).toBe(202);
  expect(begun()).toMatchObject({ fileName });
});

test('what the body is packed in by Content-Encoding is taken off', async () => {
  await send(gzipSync('t,a\n'), { headers: { 'content-encoding': 'gzip' } });
  expect(stored()).toEqual([Buffer.from('t,a\n')]);
});

test.each<[string, DomainError, number, string]>([
  ['a wrong password', refusal('unauthenticated'), 401, 'Unauthorized'],
  ['another address', refusal('permission_denied'), 403, 'the address is not in ipWhitelist'],
  ['an unknown key', notFound(), 404, 'not found'],
  ['too many files', refusal('resource_exhausted'), 429, 'At most 20 files'],
])('%s is refused with its status', async (_what, error, status, message) => {
  files.onPush = () => Promise.reject(error);
  const reply = await send(randomBytes(MAX_BYTES));
  expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
  expect(reply.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="upload", charset="UTF-8"' : undefined);
  expect(stored()).toEqual([]);
});

test.each<[string, string | Buffer, Record<string, string>, number, string]>([
  ['nothing', '', {}, 400, 'body: must be sent'],
  ['a form', 'x', { 'content-type': 'multipart/form-data; boundary=x' }, 400, 'must be the file itself'],
  ['a byte too much', randomBytes(MAX_BYTES + 1), {}, 413, 'a file may have at most'],
  ['a bomb', gzipSync(Buffer.alloc(20 * MAX_BYTES)), { 'content-encoding': 'gzip' }, 413, 'a file may have at most'],
  ['half of gzip', gzipSync(randomBytes(9_000)).subarray(0, 5_000), { 'content-encoding': 'gzip' }, 400, 'gzip'],
  ['far too much', 'x', { 'content-length': '104857601' }, 413, 'too large'],
])('a body of %s is refused and leaves nothing', async (_what, body, headers, status, message) => {
  const reply = await send(body, { headers });
  expect([reply.status, reply.text]).toEqual([status, expect.stringContaining(message)]);
  expect(stored()).toEqual([]);
  // An upload that was begun is counted as refused.
  if (begun()) expect(abandoned()).toEqual([expect.objectContaining({ isRefused: true })]);
});

test('a file that cannot be kept for a reason of ours is not counted as refused', async () => {
  files.onFinish = () => Promise.reject(unavailable('DATABASE_UNAVAILABLE'));
  expect((await send(randomBytes(MAX_BYTES))).status).toBe(503);
  expect(abandoned()).toEqual([expect.objectContaining({ isRefused: false })]);
});

test('other methods hear which one it is', async () => {
  const reply = await gateway.ask(PATH, { method: 'GET', key: undefined });
  expect([reply.status, reply.headers.allow]).toEqual([405, 'POST, OPTIONS']);
});

const sms = (Body: string, { url = 'https://push.test/in/sms/twilio', token = TOKEN } = {}) => {
  const fields = Object.entries({ From: '+61865550100', To: '+61865550101', Body, MessageSid: 'SM1' });
  const body = new URLSearchParams(fields).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': twilioSignature(url, fields, token),
  };
  return gateway.ask('/in/sms/twilio', { method: 'POST', body, headers, key: undefined });
};

test('the second line of an SMS by Twilio is a file of the source that the first one names', async () => {
  const reply = await sms('Soap-laugh-corn\n21.5;Höhe');
  expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([200, '<Response/>', 'text/xml']);
  expect(begun()).toMatchObject({
    transport: 'Sms',
    key: 'soap-laugh-corn',
    fileName: 'sms.txt',
    address: 'sms:+61865550100',
  });
  expect(stored()).toEqual([Buffer.from('21.5;Höhe\n')]);
});

test.each<[string, () => ReturnType<typeof sms>, number]>([
  ['signed by another account', () => sms('a-b-c\n1', { token: 'other' }), 401],
  ['signed for another address', () => sms('a-b-c\n1', { url: 'https://push.test/in/sms/other' }), 401],
  ['of one line', () => sms('a-b-c'), 400],
  ['of three lines', () => sms('a-b-c\n1\n2'), 400],
])('an SMS %s is refused', async (_what, asked, status) => {
  expect((await asked()).status).toBe(status);
  expect(stored()).toEqual([]);
});

test('the signature is that of the documentation of Twilio', () => {
  const fields = {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  };
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2';
  expect(twilioSignature(url, Object.entries(fields).reverse(), '12345')).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=');
});

test('a gateway of its own hands SMS over as JSON, with its token', async () => {
  const ask = (body: string, token: string) =>
    gateway.ask('/in/sms/json', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${token}` },
      key: undefined,
    });
  const body = JSON.stringify({ from: '+1', text: 'soap-laugh-corn\r\n7' });
  expect((await ask(body, 'wrong')).status).toBe(401);
  expect((await ask('{"from":1}', 'token-of-json')).status).toBe(400);
  expect(stored()).toEqual([]);
  expect((await ask(body, 'token-of-json')).status).toBe(202);
  expect(stored()).toEqual([Buffer.from('7\n')]);
});

test('without settings files come below /upload, and no SMS', async () => {
  const own = await openGateway({ files });
  const ask = (path: string) => own.ask(path, { method: 'POST', body: 'x', key: undefined });
  expect((await ask('/upload/source/a-b-c')).status).toBe(202);
  for (const provider of ['twilio', 'json']) expect((await ask(`/upload/sms/${provider}`)).status).toBe(404);
  await own[Symbol.asyncDispose]();
});
