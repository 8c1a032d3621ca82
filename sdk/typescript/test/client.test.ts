import { inspect } from 'node:util';
import { CatchmentError, Client } from '../src/index.ts';
import { failed, fake, json, KEY, NOW, page, URL_OF_FAKE } from './fake.ts';

const NODE = json({ _id: '1', _class: 'io.svc.models.node.Workspace' });
const reset = () => new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } });
const thrown = async (work: () => Promise<unknown>): Promise<CatchmentError> => {
  const error = await work().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(CatchmentError);
  return error as CatchmentError;
};

test.each([
  ['429 with seconds', failed(429, '', { 'Retry-After': '7' }), 7.95],
  [
    "429 with a date of the server's clock",
    failed(429, '', { 'Retry-After': 'Tue, 14 Nov 2023 23:00:09 GMT', Date: 'Tue, 14 Nov 2023 23:00:00 GMT' }),
    10.15,
  ],
  ['429 without Retry-After', failed(429), 1],
  ['429 with a Retry-After that cannot be read', failed(429, '', { 'Retry-After': 'soon' }), 1],
  ['503', failed(503, '', { 'Retry-After': '30' }), 32],
  ['502 of a proxy', page(502), 1],
  ['a connection that breaks', reset(), 1],
])('a read is tried again after %s', async (_what, answer, wait) => {
  const { client, slept } = fake(answer, NODE);
  expect(await client().nodes.get('@a')).toMatchObject({ _id: '1' });
  expect(slept).toEqual([wait]);
});

test.each([
  [failed(429), 'rate_limited', 5],
  [failed(503), 'unavailable', 5],
  [reset(), 'transport', 5],
  [failed(429, '', { 'Retry-After': '3600' }), 'rate_limited', 1],
  [failed(400, 'name: must be a text'), 'argument', 1],
  [failed(401, 'Unauthorized'), 'authentication', 1],
  [failed(403, 'Not permitted'), 'permission', 1],
  [failed(404, 'Requested resource not found'), 'not_found', 1],
  [failed(412, 'If-Match: the node has changed'), 'changed', 1],
  [failed(413, 'Request or response too large'), 'too_large', 1],
  [failed(500, 'Internal server error'), 'server', 1],
  [page(502), 'unexpected', 5],
  [page(404), 'unexpected', 1],
  [page(200), 'unexpected', 1],
  [new Response('OK', { headers: { 'Content-Type': 'text/plain' } }), 'unexpected', 1],
  [new Response('{"_id":', { headers: { 'Content-Type': 'application/json' } }), 'transport', 1],
] as const)('a failure is reported by its kind after so many tries (%#: %s, %s)', async (answer, kind, tries) => {
  const { client, requests } = fake(answer);
  expect((await thrown(() => client().nodes.get('@a'))).kind).toBe(kind);
  expect(requests).toHaveLength(tries);
});

test('an answer that is cut off is asked for again, and nothing of it is kept', async () => {
  const cut = () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"_id": "'));
        setImmediate(() => controller.error(new TypeError('terminated')));
      },
    });
    return new Response(body, { headers: { 'Content-Type': 'application/json' } });
  };
  const { client, requests } = fake(cut, NODE);
  expect(await client().nodes.get('@a')).toMatchObject({ _id: '1' });
  expect(requests).toHaveLength(2);
});

test('a refusal says what, which request and what to do', async () => {
  const { client } = fake(failed(400, 'startTime: must be a time'));
  expect(await thrown(() => client().nodes.get('@a'))).toMatchObject({
    message: 'startTime: must be a time (400, A_REASON, request r-1)',
    status: 400,
    reason: 'A_REASON',
    argument: 'startTime',
    requestId: 'r-1',
  });
  const limited = fake(failed(429, 'Too many requests', { 'Retry-After': '3600' })).client();
  expect(await thrown(() => limited.nodes.get('@a'))).toMatchObject({ retryAfter: 3600 });
});

test('a post is tried again with one key', async () => {
  const { client, requests } = fake(reset(), failed(503), NODE);
  await client().nodes.create({ _class: 'io.svc.models.node.Workspace', name: 'New' });
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

test('the key is in no error and in nothing that shows a client', async () => {
  for (const answer of [failed(401), reset(), page(502)]) {
    const { client, requests } = fake(answer);
    const tested = client();
    const error = await thrown(() => tested.nodes.get('@a'));
    expect(requests[0]?.headers.get('x-api-key')).toBe(KEY);
    const shown = [error, tested].map(
      (shows) => inspect(shows, { depth: 20, showHidden: true }) + JSON.stringify(shows),
    );
    expect(shown.join('') + error.stack).not.toContain(KEY);
  }
});

test('a redirect is not followed: it would carry the key along', async () => {
  const { client, requests } = fake(
    new Response(null, { status: 302, headers: { Location: 'https://elsewhere.test' } }),
  );
  expect((await thrown(() => client().nodes.get('@a'))).kind).toBe('unexpected');
  expect(requests[0]?.redirect).toBe('manual');
});

test.each([
  ['https://catchment.test/', true],
  ['https://catchment.test/api/v1/', true],
  ['catchment.test', false],
  ['ftp://catchment.test', false],
  ['https://', false],
])('the address %s', async (url, isGood) => {
  const { client, requests } = fake(NODE);
  if (!isGood) return expect(() => client({ url })).toThrow(/^url: must be an address/);
  await client({ url }).nodes.get('../owners?x=1');
  expect(requests[0]?.url).toBe(`${URL_OF_FAKE}/api/v1/nodes/..%2Fowners%3Fx%3D1`);
});

test('a key with a line break is refused before it is sent, and not shown', () => {
  expect(() => new Client({ url: URL_OF_FAKE, key: 'abc\n' })).toThrow(
    /^key: must be the key alone, without blanks and line breaks$/,
  );
});

test('lists go on by pages, as they are asked for', async () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({ _id: String(n) }));
  const { client, query } = fake(json(many), json([{ _id: 'last' }]));
  const found = await Array.fromAsync(client().nodes.list({ attr: '_id' }));
  expect(found).toHaveLength(5_001);
  expect([query(0).get('skip'), query(1).get('skip')]).toEqual(['0', '5000']);
  const limited = fake(json([{ _id: '1' }]));
  await Array.fromAsync(limited.client().events.list({ limit: 1, filter: 'level($eq:ERROR)' }));
  expect(limited.requests).toHaveLength(1);
  expect(limited.query().get('limit')).toBe('1');
});

test("a session's requests carry what headers says, in place of a key", async () => {
  const requests: Request[] = [];
  const send = async (request: Request) => {
    requests.push(request);
    return NODE.clone();
  };
  const tested = new Client({ url: URL_OF_FAKE, headers: () => ({ 'X-CSRF-Token': 't' }), fetch: send });
  await tested.nodes.get('@a');
  expect(requests[0]?.headers.get('x-csrf-token')).toBe('t');
  expect(requests[0]?.headers.has('x-api-key')).toBe(false);
});

test('a record of a time without a zone is refused', async () => {
  const { client, requests } = fake(json({}, 202));
  const error = await thrown(() => client().historic.writeNow('@a', { value: 1.5, time: '2024-01-01T10:00' }));
  expect([error.kind, error.argument, requests.length]).toEqual(['argument', 'time', 0]);
  expect(await client().historic.writeNow('@a', { value: 1.5, time: '2024-01-01T10:00+10' })).toBe(
    Date.parse('2024-01-01'),
  );
});

test('the time of a record of now is that of the server', async () => {
  const { client, requests } = fake(
    new Response(null, { headers: { Date: new Date(NOW + 3_600_000).toUTCString() } }),
    json({}, 202),
  );
  expect(await client().historic.writeNow('@a', { value: 1.5, quality: 100 })).toBe(NOW + 3_600_000);
  expect(requests.map(({ method }) => method)).toEqual(['OPTIONS', 'PUT']);
  expect(await requests[1]?.json()).toEqual({ value: 1.5, quality: 100, timestamp: '2023-11-14T23:13:20.000Z' });
});
