// Requests with an Idempotency-Key at the edge: when they are carried out, what is kept, and what a client sees.
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import type { ApiCaller } from '@catchment/access';
import type { BeginRequestResponse, KeptAnswer } from '@catchment/contracts/requests';
import { unavailable } from '@catchment/errors';
import { until } from '@catchment/testkit';
import { chunk, KEYS, openGateway } from './fixture.ts';

type Gateway = Awaited<ReturnType<typeof openGateway>>;
let gateway: Gateway;
const states: BeginRequestResponse['state'][] = [];
const failing = new Set<string>();
let chunks: string[] = [];
let release: (() => void) | undefined;
const run = { $case: 'run', value: { number: 1, arrivalMs: 1_000 } } as const;

beforeAll(async () => {
  gateway = await openGateway({
    behaviour: {
      unary: async (rpc) => {
        if (failing.has(rpc)) throw unavailable('DATABASE_BUSY');
        if (rpc === 'unlinkNode') await new Promise<void>((resolve) => (release = resolve));
        return JSON.stringify({ _id: '1'.repeat(24), rpc });
      },
      async *stream() {
        for (const text of chunks) yield chunk(text);
      },
      beginRequest: async () => ({ requestId: 'r1', state: states.shift() ?? run }),
    },
  });
});
afterAll(() => gateway?.[Symbol.asyncDispose]());
beforeEach(() => {
  gateway.calls.length = 0;
  states.length = 0;
  failing.clear();
  chunks = ['[]'];
});

const NODE = '{"_class":"io.svc.models.node.Workspace","name":"W"}';
const post = (path: string, key: string | undefined, body = NODE, headers: Record<string, string> = {}) =>
  gateway.ask(`/api/v1${path}`, {
    method: 'POST',
    key: KEYS.modify,
    body,
    headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }), ...headers },
  });
const called = (rpc: string) => gateway.calls.filter((call) => call.rpc === rpc);
const kept = () => called('endRequest').map(({ request }) => request.answer as KeptAnswer | undefined);

test('a request without the header asks nobody', async () => {
  expect((await post('/nodes', undefined)).status).toBe(201);
  expect(called('beginRequest')).toEqual([]);
});

test('a read with the header is a read', async () => {
  const { status } = await gateway.ask('/api/v1/nodes', { key: KEYS.modify, headers: { 'Idempotency-Key': '\u00e4' } });
  expect([status, called('beginRequest')]).toEqual([200, []]);
});

test('a first request is carried out under its name, and its answer is kept before it is sent', async () => {
  const { status, text, headers } = await post('/nodes', 'k1');
  expect([status, headers['idempotency-replayed']]).toEqual([201, undefined]);
  const [call] = called('createNode');
  expect((call?.context.caller as ApiCaller | undefined)?.keyed).toEqual({ id: 'r1', tryNumber: 1, isOnce: true });
  expect(kept()).toEqual([expect.objectContaining({ status: 201, body: Buffer.from(text) })]);
});

test('what a request is, its If-Match says too', async () => {
  const headOf = async (ifMatch?: string) => {
    await post('/nodes', 'k1', NODE, ifMatch === undefined ? {} : { 'If-Match': ifMatch });
    return Buffer.from(called('beginRequest').at(-1)?.request.headSha256 as Uint8Array).toString('hex');
  };
  const heads = [await headOf(), await headOf('"1"'), await headOf('"2"')];
  expect(new Set(heads).size).toBe(3);
  expect(await headOf('"2"')).toBe(heads[2]);
});

test('a request that was carried out has its answer again, and says so', async () => {
  states.push({
    $case: 'answer',
    value: { status: 404, contentType: '', body: Buffer.from('{"x":1}'), bodySha256: Buffer.alloc(0) },
  });
  const { status, text, headers } = await post('/nodes', 'k1');
  expect([status, text, headers['idempotency-replayed']]).toEqual([404, '{"x":1}', 'true']);
  expect(called('createNode')).toEqual([]);
});

test.each([
  ['small, is kept', 1, true],
  ['too large to be kept, comes whole', 2, false],
])('an answer in parts that is %s', async (_what, parts, isKept) => {
  chunks = Array.from({ length: parts }, () => 'x'.repeat(200 * 1024));
  const { status, text } = await post('/nodes/@x/clone', 'k1', '{}');
  expect([status, text]).toEqual([201, chunks.join('')]);
  expect(kept().map((answer) => answer?.body?.length)).toEqual([isKept ? text.length : undefined]);
});

test('a request waits for the one that is under way', async () => {
  const answer = { status: 201, contentType: '', body: Buffer.from('{}'), bodySha256: Buffer.alloc(0) };
  states.push({ $case: 'underWay', value: {} }, { $case: 'underWay', value: {} }, { $case: 'answer', value: answer });
  const { status, headers } = await post('/nodes', 'k1');
  expect([status, headers['idempotency-replayed'], called('beginRequest').length]).toEqual([201, 'true', 3]);
});

test('an answer that was too large to be kept is not made again', async () => {
  states.push({
    $case: 'answer',
    value: { status: 201, contentType: '', body: undefined, bodySha256: Buffer.alloc(0) },
  });
  const { status, text } = await post('/nodes', 'k1');
  expect([status, text]).toEqual([400, expect.stringContaining('ANSWER_LOST')]);
  expect(called('createNode')).toEqual([]);
});

test('a refusal is an answer, a failure of ours is none', async () => {
  expect((await post('/nodes/@x/historic?writeMode=WRONG', 'k1')).status).toBe(400);
  failing.add('createNode');
  expect((await post('/nodes', 'k2')).status).toBe(503);
  expect(kept()).toEqual([expect.objectContaining({ status: 400 }), undefined]);
});

test('what was done is answered though its answer cannot be kept', async () => {
  failing.add('endRequest');
  expect((await post('/nodes', 'k1')).status).toBe(201);
});

test('a record of now has the time of the first try', async () => {
  expect((await post('/nodes/@x/historic/now', 'k1', '{"value":1}')).status).toBe(202);
  const [call] = called('writeNow');
  expect(call?.request.arrivalMs).toBe(1_000);
  expect((call?.context.caller as ApiCaller | undefined)?.keyed).toMatchObject({ isOnce: false });
});

test('a client that leaves does not end what it has begun', async () => {
  const headers = { 'X-Api-Key': KEYS.modify, 'Idempotency-Key': 'k1', 'Content-Type': 'application/json' };
  const sent = httpRequest(`http://127.0.0.1:${gateway.port}/api/v1/nodes/@x/unlink`, { method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.end('{"a":1}');
  await until(() => release !== undefined);
  sent.destroy();
  await until(() => gateway.lines.some((line) => line.includes('answer broken off')));
  release?.();
  await until(() => kept().length === 1);
  const bodySha256 = createHash('sha256').update('{"a":1}').digest();
  expect(kept()).toEqual([expect.objectContaining({ status: 200, bodySha256 })]);
});

test('keys in quotes are those without, and each caller has keys of its own', async () => {
  for (const key of ['k1', '"k1"', 'k2', '"k\\"1"']) await post('/nodes', key);
  await gateway.ask('/api/v1/nodes', {
    method: 'POST',
    key: KEYS.workspaces,
    body: NODE,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' },
  });
  const prints = called('beginRequest').map(({ request }) => Buffer.from(request.keySha256 as Buffer).toString('hex'));
  expect(prints[0]).toBe(prints[1]);
  expect(new Set(prints).size).toBe(3);
});

test.each([
  ['nothing', ''],
  ['nothing in quotes', '""'],
  ['256 characters', 'x'.repeat(256)],
  ['a space', 'a b'],
  ['two keys', 'a, b'],
  ['what is no ASCII', '\u00e4'],
])('a key of %s is refused by its name', async (_what, key) => {
  const { status, text } = await post('/nodes', key);
  expect([status, text]).toEqual([400, expect.stringMatching(/Idempotency-Key: must be/)]);
  expect([...called('beginRequest'), ...called('createNode')]).toEqual([]);
});

test('no key is in the log', async () => {
  const key = 'secret-looking-key-0123456789';
  await post('/nodes', key);
  failing.add('createNode');
  await post('/nodes', key);
  expect(gateway.lines.filter((line) => line.includes(key))).toEqual([]);
});

test('one upload in another form is the same, another file is another', async () => {
  const form = (boundary: string, content: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n--${boundary}--\r\n`;
  const upload = (boundary: string, content: string) =>
    post('/nodes/@x/attachments', 'k1', form(boundary, content), {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    });
  expect((await upload('one', 'hello')).status).toBe(201);
  const [first] = kept();
  const value = { ...(first as KeptAnswer), bodySha256: Buffer.from((first as KeptAnswer).bodySha256) };
  states.push({ $case: 'answer', value }, { $case: 'answer', value });
  const again = await upload('two', 'hello');
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true']);
  const other = await upload('three', 'world');
  expect([other.status, other.text]).toEqual([400, expect.stringContaining('IDEMPOTENCY_KEY_REUSED')]);
  expect(called('finishUpload')).toHaveLength(1);
});
