import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { received } from '@catchment/errors';
import { FAILURES } from '../src/transport/response/failures.ts';
import { chunk, KEYS, noMessages, openGateway } from './fixture.ts';

const ID = '1'.repeat(24);
const NODE = `/api/v1/nodes/${ID}`;
const HISTORIC = `${NODE}/historic`;
const LIMIT = 5 * 1024 * 1024;

let shared: Awaited<ReturnType<typeof openGateway>>;
beforeAll(async () => {
  shared = await openGateway();
});
afterAll(() => shared[Symbol.asyncDispose]());
const last = (rpc: string) => shared.calls.findLast((call) => call.rpc === rpc);

test.each([
  ['GET', '/api/v1/nodes', 200, 'listNodes'],
  ['GET', '/api/v1/nodes/', 200, 'listNodes'],
  ['POST', '/api/v1/nodes', 201, 'createNode'],
  ['GET', NODE, 200, 'getNode'],
  ['GET', `${NODE}/`, 200, 'getNode'],
  ['GET', '/api/v1/nodes/@station_7', 200, 'getNode'],
  ['GET', '/api/v1/nodes/%40station_7', 200, 'getNode'],
  ['PUT', NODE, 200, 'updateNode'],
  ['DELETE', NODE, 200, 'deleteNode'],
  ['PUT', `${NODE}/parent`, 200, 'moveNode'],
  ['POST', `${NODE}/unlink`, 200, 'unlinkNode'],
  ['POST', `${NODE}/clone`, 201, 'cloneNode'],
  ['GET', '/api/v1/alarms', 200, 'listAlarms'],
  ['GET', '/api/v1/nodes/search?q=a', 200, 'searchNodes'],
  ['GET', '/api/v1/nodes/children', 200, 'listChildren'],
  ['POST', `${NODE}/alarms/acknowledge`, 202, 'acknowledge'],
  ['POST', `${NODE}/alarms/clear`, 202, 'clear'],
  ['POST', `${NODE}/process/test`, 200, 'testProgram'],
  ['GET', `${NODE}/computation`, 200, 'getComputation'],
  ['POST', `${NODE}/operate/acquire`, 202, 'acquire'],
  ['POST', `${NODE}/parser/preview`, 200, 'previewParser'],
  ['GET', '/api/v1/exports', 200, 'listExports'],
  ['GET', `/api/v1/exports/${ID}`, 200, 'getExport'],
  ['DELETE', `/api/v1/exports/${ID}`, 200, 'deleteExport'],
  ['GET', '/api/v1/imports', 200, 'listImports'],
  ['GET', `/api/v1/imports/${ID}`, 200, 'getImport'],
  ['DELETE', `/api/v1/imports/${ID}`, 200, 'cancelImport'],
  ['GET', HISTORIC, 200, 'read'],
  ['PUT', HISTORIC, 202, 'write'],
  ['POST', HISTORIC, 202, 'write'],
  ['POST', `${HISTORIC}/`, 202, 'write'],
  ['DELETE', HISTORIC, 202, 'deleteAll'],
  ['PUT', `${HISTORIC}/now`, 202, 'writeNow'],
  ['POST', `${HISTORIC}/now`, 202, 'writeNow'],
  ['GET', `${HISTORIC}/chart`, 200, 'renderChart'],
  ['GET', '/api/v1/historic/chart', 200, 'renderChart'],
  ['GET', `${NODE}/report`, 200, 'renderReport'],
  ['GET', `${NODE}/events`, 200, 'listEvents'],
  ['POST', `${NODE}/events`, 202, 'createEvents'],
  ['DELETE', `${NODE}/events`, 202, 'clearEvents'],
  ['GET', '/api/v1/events', 200, 'listEvents'],
  ['GET', '/api/v1/devices', 200, 'listDevices'],
  ['POST', '/api/v1/devices', 201, 'createDevice'],
  ['GET', `/api/v1/devices/${ID}`, 200, 'getDevice'],
  ['PUT', `/api/v1/devices/${ID}`, 200, 'updateDevice'],
  ['DELETE', `/api/v1/devices/${ID}`, 200, 'deleteDevice'],
  ['POST', `${NODE}/operate/remote`, 200, 'startRemote'],
  ['GET', `${NODE}/operate/remote`, 200, 'readRemote'],
  ['GET', `${NODE}/diagnosis`, 200, 'getDiagnosis'],
  ['DELETE', `${NODE}/operate/remote`, 200, 'stopRemote'],
])('%s %s is %d by %s', async (method, path, status, rpc) => {
  const reply = await shared.ask(path, method === 'PUT' || method === 'POST' ? { method, body: '{}' } : { method });
  expect(reply.status).toBe(status);
  expect(last(rpc)?.context.caller).toMatchObject({ kind: 'api', username: 'jo@example.org', permission: 'MODIFY' });
  expect(reply.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-type': 'application/json; charset=utf-8' });
  expect(reply.headers['x-request-id']).toBeTruthy();
  if (status === 202) {
    const status = { code: 202, message: 'Operation accepted but not yet complete' };
    expect(reply.json()).toEqual({ status, ...(/^write|^deleteAll$/.test(rpc) && { write: expect.any(String) }) });
  }
  // A cancelled import shows how far it came.
  if (method === 'DELETE' && status === 200 && rpc !== 'cancelImport')
    expect(reply.json()).toEqual({ status: { code: 200, message: 'Success' } });
});

test.each([
  ['POST as PUT', 'POST', { 'x-http-method-override': 'put' }, 200, 'updateNode'],
  ['POST as DELETE', 'POST', { 'X-HTTP-Method-Override': 'DELETE' }, 200, 'deleteNode'],
  ['POST as PATCH is refused', 'POST', { 'x-http-method-override': 'PATCH' }, 405, undefined],
  ['on a GET it is refused', 'GET', { 'x-http-method-override': 'PUT' }, 400, undefined],
])('method override: %s', async (_what, method, headers, status, rpc) => {
  const before = shared.calls.length;
  const reply = await shared.ask(NODE, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  expect(reply.status).toBe(status);
  expect(
    shared.calls
      .slice(before)
      .map((call) => call.rpc)
      .filter((name) => name !== 'authenticate' && name !== 'findSecrets'),
  ).toEqual(rpc ? [rpc] : []);
});

test('a wrong override on a path that has POST is 400, and a READ_ONLY key cannot use a right one', async () => {
  const headers = { 'x-http-method-override': 'PATCH' };
  expect((await shared.ask('/api/v1/nodes', { method: 'POST', body: '{}', headers })).status).toBe(400);
  const asked = { method: 'POST', key: KEYS.readOnly, headers: { 'x-http-method-override': 'DELETE' } };
  expect((await shared.ask(NODE, asked)).status).toBe(403);
});

test.each([
  ['PATCH', NODE, 'GET, PUT, DELETE, HEAD, OPTIONS'],
  ['DELETE', '/api/v1/nodes', 'GET, POST, HEAD, OPTIONS'],
  ['PROPFIND', '/api/v1/events', 'GET, HEAD, OPTIONS'],
  ['TRACE', '/api/v1/devices', 'GET, POST, HEAD, OPTIONS'],
  ['GET', `${HISTORIC}/now`, 'PUT, POST, OPTIONS'],
  ['POST', '/api/v1/openapi.json', 'GET, HEAD, OPTIONS'],
  ['PUT', '/healthz', 'GET, HEAD, OPTIONS'],
])('%s %s is 405 and names %s', async (method, path, allow) => {
  const reply = await shared.ask(path, { method });
  expect(reply.status).toBe(405);
  expect(reply.headers.allow).toBe(allow);
});

test.each([NODE, '/api/v1/nodes', HISTORIC, '/api/v1/openapi.json', '/api/v1/asyncapi.json', '/'])(
  'OPTIONS %s is 200 without a key',
  async (path) => {
    const reply = await shared.ask(path, { method: 'OPTIONS', key: undefined });
    expect([reply.status, reply.headers.allow, reply.text]).toEqual([200, expect.stringContaining('GET'), '']);
  },
);

test.each([
  '/api/v1',
  '/api/v1/',
  '/api/v1/nodes//events',
  '/api/v1/nodes/%zz',
  '/api/v1/Nodes',
  `${NODE}//`,
  '/api/v2/nodes',
  '/nowhere',
])('%s is 404', async (path) => {
  const reply = await shared.ask(path);
  expect([reply.status, reply.json()]).toEqual([
    404,
    { error: { code: 404, message: 'Requested resource not found', reason: 'NOT_FOUND' } },
  ]);
});

test.each([NODE, '/api/v1/nodes', HISTORIC, '/', '/api/v1/openapi.json', '/api/v1/asyncapi.json'])(
  'HEAD %s has the headers of GET and no body',
  async (path) => {
    const [head, get] = [await shared.ask(path, { method: 'HEAD' }), await shared.ask(path)];
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', get.headers['content-type']]);
    expect(head.headers.etag).toBe(get.headers.etag);
  },
);

test('HEAD of a failure has no body either', async () => {
  const reply = await shared.ask(NODE, { method: 'HEAD', key: undefined });
  expect([reply.status, reply.text]).toEqual([401, '']);
});

test('arguments are decoded once: raw $ ( ) : , and UTF-8, + as a space, the last of a name', async () => {
  await shared.ask(
    `/api/v1/nodes?filter=name($eq:a,b)%7Cx($match:%2541)&sort=b&sort=createdTime(DESC)&attr=a+b&limit=0`,
  );
  expect(last('listNodes')?.request).toMatchObject({
    filter: 'name($eq:a,b)|x($match:%41)',
    sort: 'createdTime(DESC)',
    attr: 'a b',
    limit: 0,
  });
  await shared.ask(`${HISTORIC}?delimiter=&limit=5&startTime=2015-01-01T00:00:00+02:00`);
  expect(last('read')?.request.arguments).toEqual({
    delimiter: '',
    limit: '5',
    startTime: '2015-01-01T00:00:00 02:00',
  });
});

test.each([
  ['/api/v1/nodes?limit=50001', 'limit: must be a whole number from 0 to 50000'],
  ['/api/v1/nodes?limit=1e3', 'limit: must be a whole number from 0 to 50000'],
  ['/api/v1/nodes?skip=-1', 'skip: must be a whole number from 0 to 4294967295'],
  ['/api/v1/nodes?type=GRAPH', 'type: must be one of LIST, TREE'],
  ['/api/v1/nodes?type=tree&sort=', 'sort: must not be given with type=TREE'],
  [`${NODE}?expiry=525601`, 'expiry: must be a whole number from 0 to 525600'],
  ['/api/v1/devices?limit=x', 'limit: must be a whole number from 0 to 50000'],
  ['/api/v1/nodes?attr=%ff', 'query string: must be UTF-8 and percent-encoded correctly'],
])('GET %s is 400: %s', async (path, message) => {
  const reply = await shared.ask(path);
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { code: 400, message } }]);
});

test.each([
  ['another type', { 'content-type': 'text/csv' }, '{}', 'Content-Type: must be application/json'],
  ['no type', { 'content-type': '' }, '{}', 'Content-Type: must be application/json'],
  ['a broken type', { 'content-type': ';;' }, '{}', undefined],
  ['another encoding', { 'content-encoding': 'br' }, '{}', 'Content-Encoding: must be gzip or identity'],
  ['no gzip at all', { 'content-encoding': 'gzip' }, '{}', 'body: must be valid gzip data, as Content-Encoding says'],
  [
    'cut gzip',
    { 'content-encoding': 'gzip' },
    gzipSync('{"a":1}').subarray(0, 20),
    'body: must be valid gzip data, as Content-Encoding says',
  ],
  ['no JSON', {}, '{"a":', 'body: must be JSON'],
  ['no UTF-8', {}, Buffer.from([0x22, 0xff, 0x22]), 'body: must be UTF-8'],
  ['deep nesting', {}, '['.repeat(200_000), 'body: must nest objects and arrays at most 64 deep'],
  ['nothing', {}, '', 'body: must be sent'],
])('a body with %s is 400', async (_what, headers, body, message) => {
  const reply = await shared.ask(NODE, { method: 'PUT', body, headers });
  expect(reply.status).toBe(400);
  if (message) expect(reply.json()).toMatchObject({ error: { message } });
});

test('a type with charset, identity and gzip are taken; the bytes arrive as they were', async () => {
  const text = '{ "docType" : "jts", broken';
  await shared.ask(HISTORIC, {
    method: 'PUT',
    body: text,
    headers: { 'content-type': 'Application/JSON; charset=utf-8', 'content-encoding': 'identity' },
  });
  expect(String(last('write')?.request.body)).toBe(text);
  const reply = await shared.ask(HISTORIC, {
    method: 'POST',
    body: gzipSync(text + '2'),
    headers: { 'content-encoding': 'GZIP' },
  });
  expect([reply.status, String(last('write')?.request.body)]).toEqual([202, text + '2']);
});

test.each([
  ['exactly 5 MiB', Buffer.alloc(LIMIT, 32), false, 202],
  ['5 MiB and a byte', Buffer.alloc(LIMIT + 1, 32), false, 413],
  ['6 MiB', Buffer.alloc(6 * 1024 * 1024, 32), false, 413],
  ['exactly 5 MiB gzipped', Buffer.alloc(LIMIT, 32), true, 202],
  ['exactly 5 MiB of noise gzipped', randomBytes(LIMIT), true, 202],
  ['5 MiB and a byte gzipped', Buffer.alloc(LIMIT + 1, 32), true, 413],
])('%s is answered as it should', async (_what, plain, isGzip, status) => {
  const body = isGzip ? gzipSync(plain, { level: 1 }) : plain;
  const reply = await shared.ask(HISTORIC, {
    method: 'PUT',
    body,
    headers: isGzip ? { 'content-encoding': 'gzip' } : {},
  });
  expect(reply.status).toBe(status);
  if (status === 413) expect(reply.json()).toMatchObject({ error: { message: 'Request or response too large' } });
});

test('a chunked body without length is cut off too, and the client gets its answer', async () => {
  const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' };
  const { 'content-length': _none, ...rest } = headers as Record<string, string>;
  const response = await fetch(`http://127.0.0.1:${shared.port}${HISTORIC}`, {
    method: 'PUT',
    headers: { 'x-api-key': KEYS.modify, 'content-type': rest['content-type'] ?? '' },
    body: new ReadableStream({
      start(controller) {
        for (let n = 0; n < 6; n += 1) controller.enqueue(Buffer.alloc(1024 * 1024, 32));
        controller.close();
      },
    }),
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(413);
});

test('a gzip bomb of 1 GiB is refused in bounded memory', async () => {
  const member = gzipSync(Buffer.alloc(16 * 1024 * 1024));
  const bomb = Buffer.concat(Array.from({ length: 64 }, () => member));
  const before = process.memoryUsage.rss();
  const asked = { method: 'PUT', body: bomb, headers: { 'content-encoding': 'gzip' } };
  const replies = await Promise.all(Array.from({ length: 4 }, () => shared.ask(HISTORIC, asked)));
  expect(replies.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
  expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
});

test('bodies that do not fit the memory for all of them are asked to come again, and the memory is given back', async () => {
  await using gateway = await openGateway({ env: { BODY_MEMORY_BYTES: String(16 * 1024 * 1024) } });
  const held = Promise.withResolvers<string>();
  gateway.behaviour.unary = () => held.promise;
  const body = Buffer.alloc(LIMIT, 32);
  const asks = Array.from({ length: 5 }, () => gateway.ask(HISTORIC, { method: 'PUT', body }));
  const refused = await Promise.race(asks);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
  held.resolve('{}');
  const statuses = (await Promise.all(asks)).map(({ status }) => status);
  expect(statuses).toContain(202);
  expect((await gateway.ask(HISTORIC, { method: 'PUT', body })).status).toBe(202);
});

describe('compression', () => {
  const GZIP = { headers: { 'accept-encoding': 'deflate, gzip;q=0.5' } };

  test.each([
    [1024, 'getNode', false],
    [1025, 'getNode', true],
    [1024, 'listNodes', false],
    [1025, 'listNodes', true],
  ])('%d bytes of %s: compressed %s', async (sizeBytes, rpc, isCompressed) => {
    const text = `"${'a'.repeat(sizeBytes - 2)}"`;
    await using gateway = await openGateway({
      behaviour: {
        unary: async () => text,
        async *stream() {
          yield chunk(text.slice(0, 10));
          yield chunk(text.slice(10));
        },
      },
    });
    const path = rpc === 'getNode' ? NODE : '/api/v1/nodes';
    const reply = await gateway.ask(path, GZIP);
    expect(reply.headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect((isCompressed ? gunzipSync(reply.bytes) : reply.bytes).toString()).toBe(text);
    const plain = await gateway.ask(path, { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, text]);
  });

  test.each([
    ['image/png', false],
    ['application/vnd.apache.parquet', false],
    ['application/vnd.apache.arrow.stream', true],
    ['image/jpeg', false],
    ['application/pdf', false],
    ['image/svg+xml', true],
    ['text/csv; charset=utf-8', true],
  ])('%s: compressed %s', async (contentType, isCompressed) => {
    await using gateway = await openGateway({
      behaviour: {
        async *stream() {
          yield chunk('x'.repeat(5000), contentType);
        },
      },
    });
    const reply = await gateway.ask(`${HISTORIC}/chart`, GZIP);
    expect([reply.headers['content-type'], reply.headers['content-encoding'], reply.headers['cache-control']]).toEqual([
      contentType,
      isCompressed ? 'gzip' : undefined,
      'no-store',
    ]);
    // A picture that is opened by itself runs nothing.
    const policy = reply.headers['content-security-policy'];
    expect(policy).toEqual(
      contentType === 'image/svg+xml' ? expect.stringMatching(/default-src 'none'.*; sandbox$/) : undefined,
    );
  });
});

describe('conditional requests', () => {
  test.each([NODE, '/api/v1/nodes?limit=3', '/api/v1/devices', `/api/v1/devices/${ID}`])('%s', async (path) => {
    const first = await shared.ask(path);
    const etag = first.headers.etag ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    const fresh = await shared.ask(path, { headers: { 'if-none-match': `"other", ${etag}` } });
    expect([fresh.status, fresh.text, fresh.headers.etag, fresh.headers.vary]).toEqual([
      304,
      '',
      etag,
      'Accept-Encoding',
    ]);
    expect((await shared.ask(path, { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
  });

  test('a list has another validator for another question, caller or revision', async () => {
    let revision = 'r1';
    await using gateway = await openGateway({
      behaviour: {
        async *stream() {
          yield chunk('[]', '', revision);
        },
      },
    });
    const tag = async (path: string, key: string = KEYS.modify) => (await gateway.ask(path, { key })).headers.etag;
    const tags = [
      await tag('/api/v1/nodes'),
      await tag('/api/v1/nodes?limit=1'),
      await tag('/api/v1/nodes', KEYS.readOnly),
    ];
    revision = 'r2';
    tags.push(await tag('/api/v1/nodes'));
    expect(new Set(tags).size).toBe(4);
    revision = '';
    expect(await tag('/api/v1/nodes')).toBeUndefined();
  });

  test.each([HISTORIC, `${HISTORIC}/chart`, '/api/v1/events', `${NODE}/events`])('%s is never stored', async (path) => {
    const { headers } = await shared.ask(path);
    expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
  });
});

describe('a change that is meant for a revision', () => {
  const MOVED = '{"parentId": "@a"}';
  test.each([
    ['PUT', NODE, 'updateNode', '{}'],
    ['PUT', `${NODE}/parent`, 'moveNode', MOVED],
    ['POST', `${NODE}/unlink`, 'unlinkNode', undefined],
    ['DELETE', NODE, 'deleteNode', undefined],
  ])('%s %s carries it to its service', async (method, url, rpc, body) => {
    const ask = (sent?: string) =>
      shared.ask(url, { method, ...(body && { body }), headers: sent === undefined ? {} : { 'if-match': sent } });
    for (const [sent, expected] of [
      [undefined, undefined],
      ['*', undefined],
      ['"17", "18"', { revisions: [17, 18] }],
      ['W/"17"', { revisions: [] }],
    ] as const) {
      expect((await ask(sent)).status).toBe(200);
      expect(last(rpc)?.request.ifMatch).toEqual(expected);
    }
    const refused = await ask('17');
    expect(refused.json()).toMatchObject({ error: { code: 400, reason: 'INVALID_HEADER' } });
  });

  test('gets the present one when it is another', async () => {
    const fail = () =>
      received({ kind: 'changed', reason: 'REVISION_CHANGED', message: 'If-Match: no' }, { revision: 42 });
    await using gateway = await openGateway({ behaviour: { unary: async () => Promise.reject(fail()) } });
    const reply = await gateway.ask(NODE, { method: 'PUT', body: '{}', headers: { 'if-match': '"17"' } });
    const error = { code: 412, message: 'If-Match: no', reason: 'REVISION_CHANGED', revision: 42 };
    expect([reply.status, reply.json()]).toEqual([412, { error }]);
  });
});

describe('failures of a peer', () => {
  test.each([
    ['invalid_argument', 400, 'name: must be set'],
    ['out_of_range', 400, 'name: must be set'],
    ['failed_precondition', 400, 'name: must be set'],
    ['already_exists', 400, 'name: must be set'],
    ['conflict', 400, 'name: must be set'],
    ['unimplemented', 400, 'name: must be set'],
    ['permission_denied', 403, 'name: must be set'],
    ['changed', 412, 'name: must be set'],
    ['not_found', 404, 'name: must be set'],
    ['too_large', 413, 'name: must be set'],
    ['resource_exhausted', 429, 'name: must be set'],
    ['unauthenticated', 500, FAILURES[500].message],
    ['internal', 500, FAILURES[500].message],
    ['unavailable', 503, FAILURES[503].message],
    ['cancelled', 503, FAILURES[503].message],
    ['deadline_exceeded', 503, FAILURES[503].message],
  ] as const)('%s is %d', async (kind, status, message) => {
    const fail = () => received({ kind, reason: 'SOME_REASON', message: 'name: must be set' });
    await using gateway = await openGateway({
      behaviour: {
        unary: async () => Promise.reject(fail()),
        stream: () => noMessages(() => Promise.reject(fail())),
      },
    });
    for (const path of [NODE, '/api/v1/nodes', '/api/v1/events']) {
      const reply = await gateway.ask(path, { headers: { 'accept-encoding': 'gzip' } });
      expect([reply.status, reply.headers['content-type'], reply.headers['content-encoding']]).toEqual([
        status,
        'application/json; charset=utf-8',
        undefined,
      ]);
      expect(reply.json()).toMatchObject({ error: { code: status, message } });
      if (status === 503) expect(reply.headers['retry-after']).toBe('30');
    }
    // The time of the request is not over: something that the peer asked is silent, which is no matter of how much was asked for.
    if (kind === 'deadline_exceeded') expect((await gateway.ask(HISTORIC)).status).toBe(503);
  });

  test('an unexpected error shows the fixed text and is logged', async () => {
    await using gateway = await openGateway({
      behaviour: { unary: async () => Promise.reject(new Error('postgres://user:pw@host')) },
    });
    const reply = await gateway.ask(NODE);
    expect(reply.json()).toEqual({ error: { code: 500, message: 'Internal server error', reason: 'INTERNAL' } });
    expect(gateway.lines.some((line) => line.includes('request failed'))).toBe(true);
  });

  test('reads that do not begin in time are 413, others go on', async () => {
    await using gateway = await openGateway({
      env: { REQUEST_MAX_SECONDS: '1' },
      behaviour: {
        async *stream(_rpc, _request, { signal }) {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          yield chunk('late');
        },
      },
    });
    const replies = await Promise.all([gateway.ask(HISTORIC), gateway.ask(`${HISTORIC}/chart`)]);
    expect(replies.map(({ status }) => status)).toEqual([413, 413]);
  });

  test('without peers everything is 503, and readiness says so', async () => {
    await using gateway = await openGateway();
    expect((await gateway.ask('/readyz', { key: undefined })).status).toBe(200);
    await gateway.stopPeers();
    const reply = await gateway.ask(NODE);
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '30']);
    const ready = await gateway.ask('/readyz', { key: undefined });
    expect([ready.status, ready.json()]).toMatchObject([
      503,
      { ready: false, peers: { nodes: 'failed', render: 'failed' } },
    ]);
    expect((await gateway.ask('/healthz', { key: undefined })).status).toBe(200);
  });
});
