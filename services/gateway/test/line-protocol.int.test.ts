// Clients of InfluxDB send to the gateway, and read its answers: endpoints, keys, parts of bodies, and words of
// failures.
import { gzipSync } from 'node:zlib';
import type { ApiCaller } from '@catchment/access';
import { notFound, unavailable } from '@catchment/errors';
import { type Ask, KEYS, openGateway } from './fixture.ts';

let gateway: Awaited<ReturnType<typeof openGateway>>;
let answer: () => object | Error = () => ({});

beforeAll(async () => {
  gateway = await openGateway({
    env: { RATE_LIMIT_REQUESTS: '100000' },
    behaviour: {
      unary: async () => {
        const given = answer();
        if (given instanceof Error) throw given;
        return JSON.stringify(given);
      },
    },
  });
});
afterAll(() => gateway?.[Symbol.asyncDispose]());
beforeEach(() => {
  gateway.calls.length = 0;
  answer = () => ({});
});

const LINE = 'm v=1 1';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const post = (path: string, asked: Ask = {}) =>
  gateway.ask(path, { method: 'POST', key: undefined, body: LINE, ...asked });
const signed = (authorization: string) => ({ headers: { Authorization: authorization } });
const TOKEN = signed(`Token ${KEYS.modify}`);
const sent = () => gateway.calls.filter(({ rpc }) => rpc === 'writeLines');

test.each([
  ['version 1, u and p', `/write?db=mill&u=jo&p=${KEYS.modify}`, {}],
  ['version 1, Basic', '/write?db=mill&rp=autogen&consistency=one', signed(`Basic ${base64(`jo:${KEYS.modify}`)}`)],
  ['version 1, Token with a user', '/write?db=mill', signed(`Token jo:${KEYS.modify}`)],
  ['version 2, Token', '/api/v2/write?org=o&bucket=mill', TOKEN],
  ['version 2, Bearer', '/api/v2/write?bucket=mill&precision=ns', signed(`Bearer ${KEYS.modify}`)],
  ['a key of the API', '/write?db=mill', { headers: { 'X-Api-Key': KEYS.modify } }],
])('%s: 204 without a body, and the lines go to the source', async (_what, path, asked) => {
  const { status, bytes, headers } = await post(path, asked);
  expect([status, bytes.length]).toEqual([204, 0]);
  expect(headers['x-influxdb-version']).toMatch(/^1\.8/);
  const [call] = sent();
  expect(call?.request).toMatchObject({ nodeRef: '@mill', precision: 'ns', continues: false });
  expect(Buffer.from(call?.request.lines as Uint8Array).toString()).toBe(LINE);
  expect((call?.context.caller as ApiCaller | undefined)?.ownerId).toBe('6'.repeat(24));
});

test.each([
  ['no key', '/write?db=x', {}, 401, { error: 'authorization failed' }],
  ['a wrong key', '/write?db=x', signed(`Token ${KEYS.unknown}`), 401, { error: 'authorization failed' }],
  ['a key that is none', '/write?db=x&u=a&p=b', {}, 401, { error: 'authorization failed' }],
  ['no key', '/api/v2/write?bucket=x', {}, 401, { code: 'unauthorized', message: 'unauthorized access' }],
  ['a key that only reads', '/write?db=x', signed(`Token ${KEYS.readOnly}`), 403, { error: expect.any(String) }],
  [
    'a disabled account',
    '/api/v2/write?bucket=x',
    signed(`Token ${KEYS.disabled}`),
    403,
    { code: 'forbidden', message: expect.any(String) },
  ],
  ['no database', '/write', TOKEN, 400, { error: 'database is required' }],
  ['no bucket', '/api/v2/write', TOKEN, 400, { code: 'invalid', message: 'bucket is required' }],
  [
    'a wrong precision',
    '/write?db=x&precision=d',
    TOKEN,
    400,
    { error: 'invalid precision "d" (use n, u, ms, s, m or h)' },
  ],
  [
    'a wrong precision',
    '/api/v2/write?bucket=x&precision=m',
    TOKEN,
    400,
    { code: 'invalid', message: expect.stringContaining('valid precision units') },
  ],
] as const)('%s to %s', async (_what, path, asked, status, body) => {
  const reply = await post(path, asked);
  expect([reply.status, reply.json()]).toEqual([status, body]);
  expect(sent()).toEqual([]);
});

test.each([
  [
    'an unknown source',
    '/write?db=x',
    () => notFound(),
    404,
    { error: expect.stringContaining('database not found: "x"') },
  ],
  [
    'an unknown source',
    '/api/v2/write?bucket=x',
    () => notFound(),
    404,
    { code: 'not found', message: expect.stringContaining('bucket "x" not found') },
  ],
  ['a store that is away', '/write?db=x', () => unavailable('INGEST_BUSY'), 503, { error: expect.any(String) }],
  [
    'lines that were left out',
    '/write?db=x',
    () => ({ lines: 2, dropped: 1, problems: ["unable to parse 'm': missing fields"] }),
    400,
    { error: "partial write: unable to parse 'm': missing fields dropped=1" },
  ],
  [
    'lines that were left out',
    '/api/v2/write?bucket=x',
    () => ({ lines: 1, dropped: 1, problems: ["unable to parse 'm': missing fields"] }),
    400,
    { code: 'invalid', message: "unable to parse 'm': missing fields" },
  ],
] as const)('%s, reported to %s', async (_what, path, given, status, body) => {
  answer = given;
  const reply = await post(path, TOKEN);
  expect([reply.status, reply.json()]).toEqual([status, body]);
  if (status === 503) expect(reply.headers['retry-after']).toBeDefined();
});

test('a large body goes on in parts of whole lines, and what was left out of each is summed up', async () => {
  const line = (n: number) => `m,sensor=${n} v=${n} ${n}\n`;
  const body = Array.from({ length: 60_000 }, (_, n) => line(n)).join('');
  answer = () => ({ lines: 10, dropped: 2, problems: ["unable to parse 'm': missing fields"] });
  for (const packed of [false, true]) {
    gateway.calls.length = 0;
    const headers = { ...TOKEN.headers, ...(packed && { 'Content-Encoding': 'gzip' }) };
    const reply = await post('/write?db=x', { headers, body: packed ? gzipSync(body) : body });
    const parts = sent().map(({ request }) => Buffer.from(request.lines as Uint8Array).toString());
    expect(parts.join('')).toBe(body);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect([part.endsWith('\n'), part.length < 700_000]).toEqual([true, true]);
    expect(sent().map(({ request }) => request.continues)).toEqual(parts.map((_, n) => n > 0));
    expect(reply.json()).toEqual({ error: expect.stringMatching(new RegExp(`dropped=${2 * parts.length}$`)) });
  }
});

test('bodies that are too large, bombs and damaged ones are refused', async () => {
  const bomb = gzipSync(Buffer.alloc(40_000_000, 'm v=1 1\n'));
  const gzip = { ...TOKEN.headers, 'Content-Encoding': 'gzip' };
  expect((await post('/write?db=x', { headers: gzip, body: bomb })).status).toBe(413);
  expect((await post('/write?db=x', { ...TOKEN, body: Buffer.alloc(25_000_001, 'm v=1 1\n') })).json()).toEqual({
    error: expect.any(String),
  });
  expect((await post('/write?db=x', { headers: gzip, body: 'no gzip' })).status).toBe(400);
  expect((await post('/write?db=x', { headers: { ...TOKEN.headers, 'Content-Encoding': 'br' } })).status).toBe(400);
  const long = await post('/write?db=x', { ...TOKEN, body: 'x'.repeat(700_000) });
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('longer than 65536 bytes')]);
});

test.each(['', '\n', '# nothing\n#\n'])('a body of %j is no write, and the source is looked for', async (body) => {
  expect((await post('/write?db=x', { ...TOKEN, body })).status).toBe(204);
  const reply = await post('/api/v2/write?bucket=x', { ...TOKEN, body });
  expect([reply.status, reply.json()]).toEqual([400, { code: 'invalid', message: 'writing requires points' }]);
  expect(sent()).toHaveLength(2);
});

test('what clients ask before they write', async () => {
  for (const method of ['GET', 'HEAD'])
    expect((await gateway.ask('/ping', { method, key: undefined })).status).toBe(204);
  expect((await gateway.ask('/ping?verbose=true', { key: undefined })).json()).toEqual({ version: expect.any(String) });
  expect((await gateway.ask('/health', { key: undefined })).json()).toMatchObject({ status: 'pass' });
  const made = { results: [{ statement_id: 0 }] };
  const q = encodeURIComponent('CREATE DATABASE "mill"');
  expect((await gateway.ask(`/query?q=${q}`, { key: undefined, ...TOKEN })).json()).toEqual(made);
  expect((await post(`/query?q=${q}`, { ...TOKEN, body: '' })).json()).toEqual(made);
  expect((await post('/query', { ...TOKEN, body: `q=${q}` })).json()).toEqual(made);
  expect((await post(`/query?q=${q}`, { body: '' })).status).toBe(401);
  const other = await post(`/query?q=${encodeURIComponent('DROP DATABASE mill')}`, { ...TOKEN, body: '' });
  expect([other.status, other.json()]).toEqual([400, { error: expect.stringContaining('only CREATE DATABASE') }]);
  expect((await gateway.ask('/write?db=x', { key: undefined })).status).toBe(405);
});

const CREATE = `q=${encodeURIComponent('CREATE DATABASE x')}`;
/** Each route answers this to a key that only reads. */
const ROUTES = [
  ['POST', '/write?db=x', 403],
  ['POST', '/api/v2/write?bucket=x', 403],
  ['GET', `/query?${CREATE}`, 200],
  ['POST', `/query?${CREATE}`, 200],
] as const;
const OPEN_ROUTES = [
  ['GET', '/ping'],
  ['GET', '/health'],
] as const;

// The document of the API does not list them, so that its walks pass them by.
describe.each(ROUTES)('%s %s, as every operation of the API:', (method, path, readOnly) => {
  test.each([
    ['without a key', {}, '', 401],
    ['with an unknown key', signed(`Token ${KEYS.unknown}`), '', 401],
    ['with the key of a disabled account', signed(`Token ${KEYS.disabled}`), '', 403],
    ['with a READ_ONLY key', signed(`Token ${KEYS.readOnly}`), '', readOnly],
    ['with a READ_ONLY key of a disabled account', signed(`Token ${KEYS.disabledReadOnly}`), '', 403],
    ['with a query of more than 4096 bytes', TOKEN, `&x=${'x'.repeat(4096)}`, 413],
    ['with an unknown method', { ...TOKEN, method: 'PATCH' }, '', 405],
  ] as const)('%s', async (_what, asked, more, status) => {
    const { status: answered } = await gateway.ask(path + more, {
      method,
      key: undefined,
      ...(method === 'POST' && { body: LINE }),
      ...asked,
    });
    expect(answered).toBe(status);
    expect(sent()).toEqual([]);
  });

  test('with an unknown path below its own', async () => {
    const [own = ''] = path.split('?');
    expect((await gateway.ask(`${own}/nothing`, { method, key: undefined, ...TOKEN })).status).toBe(404);
  });
});

test.each(OPEN_ROUTES)('%s %s needs no key, asks no service, and takes no other method', async (method, path) => {
  expect([200, 204]).toContain((await gateway.ask(path, { method, key: undefined })).status);
  expect((await gateway.ask(path, { method: 'POST', key: undefined })).status).toBe(405);
  expect((await gateway.ask(`${path}?x=${'x'.repeat(4096)}`, { method, key: undefined })).status).toBe(413);
  expect(gateway.calls).toEqual([]);
});

test('statements count as requests of the key, too', async () => {
  await using limited = await openGateway({ env: { RATE_LIMIT_REQUESTS: '1' } });
  const asked = { key: undefined, ...TOKEN };
  expect((await limited.ask(`/query?${CREATE}`, asked)).status).toBe(200);
  expect((await limited.ask(`/query?${CREATE}`, asked)).status).toBe(429);
});

test('a session of a browser writes nothing here', async () => {
  const reply = await post('/write?db=x', { headers: { Cookie: 'catchment_session=x; __Host-catchment_session=x' } });
  expect(reply.status).toBe(401);
});

test('who has used up its requests hears when to come again', async () => {
  await using limited = await openGateway({ env: { RATE_LIMIT_REQUESTS: '1' } });
  const asked = { method: 'POST', key: undefined, body: LINE, ...TOKEN };
  expect((await limited.ask('/write?db=x', asked)).status).toBe(204);
  const reply = await limited.ask('/api/v2/write?bucket=x', asked);
  expect([reply.status, reply.json()]).toEqual([429, { code: 'too many requests', message: expect.any(String) }]);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
});

test('neither keys nor passwords are in the log, wherever they were', async () => {
  const secret = 'sesame'.repeat(6);
  for (const path of [
    `/write?db=x&u=${secret}&p=${secret}`,
    `/query?q=x&u=${secret}&p=${secret}`,
    `/api/v2/write?bucket=x&p=${secret}`,
  ])
    for (const asked of [{}, signed(`Token ${secret}`), signed(`Basic ${base64(`${secret}:${secret}`)}`)])
      await post(path, asked);
  answer = () => new Error('broken');
  await post(`/write?db=x&u=${secret}&p=${KEYS.modify}`);
  expect(gateway.lines.length).toBeGreaterThan(0);
  for (const hidden of [secret, base64(`${secret}:${secret}`), KEYS.modify])
    expect(gateway.lines.filter((line) => line.includes(hidden))).toEqual([]);
});
