import { connect } from 'node:net';
import { DomainError } from '@catchment/errors';
import { until } from '@catchment/testkit';
import { Validator } from '@seriousme/openapi-schema-validator';
import { vi } from 'vitest';
import { KEYS, openGateway } from './fixture.ts';

const NODE = `/api/v1/nodes/${'1'.repeat(24)}`;

/** Returns the server's answer to bytes that no HTTP client would send. */
async function raw(port: number, text: string): Promise<string> {
  // The server may end with a reset what it has not read to its end.
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  // The connection stays open on our side: only the server ends it.
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  expect(answer.match(/^x-content-type-options: nosniff\r$/gim)?.length).toBe(
    answer.match(/HTTP\/1\.1 [2-5]/g)?.length,
  );
  return answer;
}

test.each([
  ['no HTTP', 'HELLO\r\n\r\n', 400],
  ['headers over the limit', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 413],
  ['a line over the limit', `GET /api/v1/nodes?x=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 413],
])('%s is answered like any failure', async (_what, text, status) => {
  await using gateway = await openGateway();
  const answer = await raw(gateway.port, text);
  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(answer).toContain('X-Request-Id: ');
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { code: status } });
});

const LINE = 'GET /healthz HTTP/1.1\r\n';
const PUT = `PUT ${NODE} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${KEYS.modify}\r\nContent-Type: application/json\r\n`;
const HTTP_RULE = 'request: must be well-formed HTTP';

test.each([
  ['an expectation that nobody meets', `${LINE}Host: x\r\nExpect: x\r\n`, 'Expect: must be 100-continue'],
  ['no Host', LINE, 'Host: must be given'],
  ['two Hosts', `${LINE}Host: x\r\nhost: x\r\n`, 'Host: must be given once'],
  ['a Host with a path', `${LINE}Host: x/y\r\n`, 'Host: must be a host name'],
  ['a Host with credentials', `${LINE}Host: a@b\r\n`, 'Host: must be a host name'],
  ['two lengths', `${PUT}Content-Length: 2\r\nContent-Length: 3\r\n`, HTTP_RULE],
  ['a length and chunks', `${PUT}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`, HTTP_RULE],
  ['a length that is no number', `${PUT}Content-Length: x\r\n`, HTTP_RULE],
  ['a coding that is not chunked', `${PUT}Transfer-Encoding: gzip\r\n`, HTTP_RULE],
  ['a broken chunk', `${PUT}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, HTTP_RULE],
  ['a control character in a header', `${LINE}Host: x\r\nA: \u0001\r\n`, HTTP_RULE],
  ['a header without a colon', `${LINE}Host: x\r\nA\r\n`, HTTP_RULE],
  ['a blank before the colon', `${LINE}Host: x\r\nA : b\r\n`, HTTP_RULE],
  ['an unknown version', 'GET / HTTP/3.0\r\nHost: x\r\n', HTTP_RULE],
  ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n', HTTP_RULE],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n', HTTP_RULE],
])('%s is 400 with an error body', async (_what, text, message) => {
  await using gateway = await openGateway();
  const answer = await raw(gateway.port, `${text}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head.toLowerCase()).toContain('content-type: application/json; charset=utf-8');
  expect(JSON.parse(body)).toMatchObject({ error: { code: 400, message: expect.stringContaining(message) } });
});

test.each([
  ['CONNECT', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n', 405],
  ['TRACE', `TRACE ${NODE} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${KEYS.modify}\r\n\r\n`, 405],
  ['an upgrade', 'GET /api/v1/nodes HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n', 401],
  ['HTTP/1.0 without Host', 'GET /api/v1/nodes HTTP/1.0\r\n\r\n', 401],
  ['a target with a host', 'GET http://x/api/v1/nodes?a=b HTTP/1.1\r\nHost: x\r\n\r\n', 401],
  ['a target with a host alone', 'GET http://x/nowhere HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ['a target that is no path', 'GET nodes HTTP/1.1\r\nHost: x\r\n\r\n', 400],
])('%s is answered with an error body: %s %d', async (_what, text, status) => {
  await using gateway = await openGateway();
  const answer = await raw(gateway.port, text.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: { code: status } });
});

test('100-continue is met, and pipelined requests are answered one after the other', async () => {
  await using gateway = await openGateway();
  const put = `${PUT}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`;
  const answer = await raw(gateway.port, `${put}${LINE}Host: x\r\n\r\n${LINE}Host: x\r\nConnection: close\r\n\r\n`);
  expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200']);
});

test('X-Request-Id: a sane one is kept and handed on, others are replaced; the log has it and no key or body', async () => {
  await using gateway = await openGateway();
  const body = '{"name":"very-private-name"}';
  const kept = await gateway.ask(NODE, { method: 'PUT', body, headers: { 'x-request-id': 'client-7' } });
  expect(kept.headers['x-request-id']).toBe('client-7');
  for (const id of ['a b', 'x'.repeat(200), 'a"b']) {
    const reply = await gateway.ask(NODE, { headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).toMatch(/^[\w-]{36}$/);
  }
  for (const path of ['/api/v1/nowhere', '/nowhere', '/api/v1/nodes?limit=x', '/docs/', '/', '/api/v1/nodes/%zz']) {
    expect((await gateway.ask(path, { key: KEYS.unknown })).headers['x-request-id']).toBeTruthy();
  }
  await until(async () => gateway.lines.filter((line) => line.includes('"msg":"request"')).length >= 10);
  const line = JSON.parse(gateway.lines.find((line) => line.includes('client-7')) ?? '{}');
  expect(line).toMatchObject({
    level: 'debug',
    requestId: 'client-7',
    method: 'PUT',
    route: '/api/v1/nodes/:id',
    status: 200,
    ownerId: '6'.repeat(24),
  });
  expect(line.durationMs).toBeGreaterThan(0);
  expect(line.bytes).toBeGreaterThan(100);
  const all = gateway.lines.join('');
  for (const secret of [KEYS.modify, KEYS.unknown, 'very-private-name']) expect(all).not.toContain(secret);
});

test('one lookup serves the requests of two seconds; a revoked key stops working', async () => {
  await using gateway = await openGateway();
  // Lookups are as old as the test says.
  let nowMs = Math.ceil(performance.now());
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  try {
    const lookups = () => gateway.calls.filter(({ rpc }) => rpc === 'authenticate').length;
    const replies = await Promise.all([gateway.ask(NODE), gateway.ask(NODE), gateway.ask(NODE)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    gateway.behaviour.authenticate = async () => {
      throw new DomainError('unauthenticated', 'KEY_UNKNOWN', 'no');
    };
    nowMs += 1_999;
    expect([(await gateway.ask(NODE)).status, lookups()]).toEqual([200, 1]);
    expect(gateway.calls[0]?.context.caller).toEqual({ kind: 'service', service: 'gateway' });
    nowMs += 2;
    expect([(await gateway.ask(NODE)).status, lookups()]).toEqual([401, 2]);
  } finally {
    clock.mockRestore();
  }
});

test('requireHttps refuses plain HTTP unless a trusted proxy says otherwise', async () => {
  const headers = { 'x-forwarded-proto': 'https' };
  await using strict = await openGateway({ env: { REQUIRE_HTTPS: 'true' } });
  expect((await strict.ask(NODE, { headers })).status).toBe(403);
  expect((await strict.ask('/healthz')).status).toBe(200);
  await using proxied = await openGateway({ env: { REQUIRE_HTTPS: 'true', TRUSTED_PROXIES: '127.0.0.0/8' } });
  expect((await proxied.ask(NODE, { headers })).status).toBe(200);
  expect((await proxied.ask(NODE)).status).toBe(403);
});

test('failed authentications are counted by the last untrusted hop', async () => {
  await using gateway = await openGateway({ env: { TRUSTED_PROXIES: '127.0.0.1', GATEWAY_REPLICAS: '50' } });
  const ask = (from: string) => gateway.ask(NODE, { key: KEYS.unknown, headers: { 'x-forwarded-for': from } });
  // Each replica has a share of two. An address that a client writes before its own hop counts for nothing.
  const statuses: number[] = [];
  for (const from of ['9.9.9.9, 10.0.0.1', '8.8.8.8, 10.0.0.1', '7.7.7.7, 10.0.0.1', '10.0.0.2'])
    statuses.push((await ask(from)).status);
  expect(statuses).toEqual([401, 401, 429, 401]);
});

test('CORS is off unless origins are configured', async () => {
  const headers = { origin: 'https://app.example.org', 'access-control-request-method': 'PUT' };
  await using off = await openGateway();
  expect((await off.ask(NODE, { headers })).headers['access-control-allow-origin']).toBeUndefined();
  await using on = await openGateway({ env: { CORS_ORIGINS: 'https://app.example.org' } });
  const preflight = await on.ask(NODE, { method: 'OPTIONS', key: undefined, headers });
  expect(preflight.status).toBe(200);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example.org',
    'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
    vary: 'Accept-Encoding, Origin',
  });
  expect(preflight.headers['access-control-allow-headers']).toContain('X-Api-Key');
  const failed = await on.ask(NODE, { key: undefined, headers });
  expect([failed.status, failed.headers['access-control-allow-origin']]).toEqual([401, 'https://app.example.org']);
  expect(
    (await on.ask(NODE, { headers: { origin: 'https://evil.example' } })).headers['access-control-allow-origin'],
  ).toBeUndefined();
});

test('the description is valid OpenAPI 3.1 and describes every operation, argument and failure', async () => {
  await using gateway = await openGateway();
  const reply = await gateway.ask('/api/v1/openapi.json', { key: undefined });
  expect(reply.status).toBe(200);
  const description = JSON.parse(reply.text);
  expect(await new Validator().validate(JSON.parse(reply.text))).toEqual({ valid: true });
  expect(description.openapi).toBe('3.1.0');
  expect(description.components.securitySchemes).toEqual({
    apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    session: expect.objectContaining({ type: 'apiKey', in: 'cookie', name: 'catchment_session' }),
    upload: expect.objectContaining({ type: 'http', scheme: 'basic' }),
  });
  expect(Object.keys(description.components.schemas)).toEqual(
    expect.arrayContaining(['Error', 'Status', 'Node', 'Jts', 'Device', 'Event']),
  );
  const operations = Object.entries<Record<string, never>>(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation as Operation] as const),
  );
  expect(operations.map(([name]) => name).sort()).toMatchSnapshot();
  for (const [, operation] of operations) {
    expect(operation.summary && operation.operationId).toBeTruthy();
    expect(Object.keys(operation.responses)).toEqual(
      expect.arrayContaining(['400', '401', '403', '404', '405', '413', '429', '500', '503']),
    );
    for (const parameter of operation.parameters ?? [])
      expect([parameter.name, parameter.description]).toEqual([parameter.name, expect.any(String)]);
  }
  expect(description.paths['/api/v1/devices'].post['x-extension']).toBe(true);
});

test('the description has the classes of another namespace', async () => {
  await using gateway = await openGateway({ env: { CLASS_NAMESPACE: 'org.example' } });
  const { text } = await gateway.ask('/api/v1/openapi.json', { key: undefined });
  expect(text).toContain('org.example.models.node.Workspace');
  expect(text).not.toContain('io.svc');
  expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
});

test('the description reports every status that an operation may have', async () => {
  await using gateway = await openGateway();
  const { paths } = JSON.parse((await gateway.ask('/api/v1/openapi.json', { key: undefined })).text);
  const statuses = (path: string, method: string) => Object.keys(paths[path][method].responses);
  expect(statuses('/files/{id}', 'get')).toEqual(expect.arrayContaining(['200', '206', '304', '403', '404', '416']));
  expect(statuses('/auth/logout', 'post')).toEqual(expect.arrayContaining(['200', '303']));
  const unchanged = paths['/api/v1/nodes'].get.responses['304'];
  expect(unchanged).toEqual({ description: expect.any(String), headers: { ETag: expect.any(Object) } });
  expect(paths['/auth/logout'].post.responses['303'].headers.Location.schema).toEqual({ type: 'string' });
});

type Operation = {
  summary: string;
  operationId: string;
  responses: Record<string, unknown>;
  parameters?: { name: string; description?: string }[];
};

test.each([
  ['/', 'text/html', '/api/v1/openapi.json'],
  ['/docs/', 'text/html', 'Catchment API'],
  ['/docs/runbook', 'text/html', 'Each alert of Catchment has a page'],
  ['/docs/runbook/CatchmentServiceDown', 'text/html', 'kubectl -n catchment get pods'],
  ['/docs/static/swagger-ui-bundle.js', 'javascript', 'swagger'],
])('%s is served without a key', async (path, type, part) => {
  await using gateway = await openGateway();
  const reply = await gateway.ask(path, { key: undefined });
  expect([reply.status, reply.headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
  expect(reply.text).toContain(part);
  // Works over plain HTTP, and takes nothing from other hosts.
  expect(String(reply.headers['content-security-policy'] ?? '')).not.toMatch(/upgrade-insecure|https:/);
});
