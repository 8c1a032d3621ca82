import { KEYS, openGateway } from './fixture.ts';

const NODE = `/api/v1/nodes/${'1'.repeat(24)}`;

let gateway: Awaited<ReturnType<typeof openGateway>>;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Paths lie below the node. */
const OPERATIONS: [method: 'GET' | 'POST', path: string, status: number, rpc: string][] = [
  ['GET', '/security', 200, 'getSecurity'],
  ['POST', '/security/subscribe', 200, 'grantAccess'],
  ['POST', '/security/unsubscribe', 200, 'revokeAccess'],
  ['GET', '/notifications', 200, 'getNotifications'],
  ['POST', '/notifications', 200, 'setPreferences'],
  ['POST', '/messages', 202, 'sendMessage'],
  ['POST', '/messages/preview', 200, 'previewMessage'],
  ['POST', '/notifications/subscribe', 202, 'subscribe'],
  ['POST', '/notifications/unsubscribe', 202, 'unsubscribe'],
];
const asked = (method: string, key: string, body = '{}') =>
  method === 'POST' ? { method, key, body } : { method, key };

test.each(OPERATIONS)(
  '%s %s is %d by %s, for the node and the body of the request',
  async (method, path, status, rpc) => {
    const reply = await gateway.ask(`${NODE}${path}`, asked(method, KEYS.workspaces, '{"users":[]}'));
    const call = gateway.calls.at(-1);
    expect([reply.status, call?.rpc]).toEqual([status, rpc]);
    expect(call?.request).toMatchObject({ nodeRef: '1'.repeat(24) });
    if (method === 'POST') expect(call?.request).toMatchObject({ body: Buffer.from('{"users":[]}') });
    expect([reply.headers.etag, reply.headers['cache-control']]).toEqual([undefined, 'no-store']);
    if (status === 202) expect(reply.json()).toMatchObject({ status: { code: 202 } });
  },
);

test.each(OPERATIONS)('%s %s: READ_ONLY keys only read', async (method, path) => {
  const reply = await gateway.ask(`${NODE}${path}`, asked(method, KEYS.readOnly, '{'));
  expect(reply.status).toBe(method === 'GET' ? 200 : 403);
});

test.each(OPERATIONS.filter(([method]) => method === 'POST'))('%s %s needs JSON', async (method, path) => {
  expect((await gateway.ask(`${NODE}${path}`, { method })).status).toBe(400);
  expect((await gateway.ask(`${NODE}${path}`, asked(method, KEYS.modify, '{'))).status).toBe(400);
});

test.each([
  ['', false],
  ['?notify=TRUE', true],
  ['?notify=true', true],
  ['?notify=FALSE', false],
  ['?notify=', false],
])('notify: %s is %p', async (query, notify) => {
  for (const path of ['/security/subscribe', '/security/unsubscribe']) {
    await gateway.ask(`${NODE}${path}${query}`, asked('POST', KEYS.modify));
    expect(gateway.calls.at(-1)?.request).toMatchObject({ notify });
  }
});

test.each(['1', 'yes', 'TRUE '])('notify=%s is 400', async (notify) => {
  const path = `${NODE}/security/subscribe?notify=${encodeURIComponent(notify)}`;
  const reply = await gateway.ask(path, asked('POST', KEYS.modify));
  expect([reply.status, JSON.stringify(reply.json())]).toEqual([400, expect.stringContaining('notify: must be')]);
});

test.each([
  ['', 'NODE'],
  ['?subscribeType=branch', 'BRANCH'],
  ['?subscribeType=ALL', 'ALL'],
])('subscribeType: %s is %s', async (query, subscribeType) => {
  await gateway.ask(`${NODE}/notifications${query}`);
  expect(gateway.calls.at(-1)?.request).toMatchObject({ subscribeType });
});

test('an unknown subscribeType is 400', async () => {
  expect((await gateway.ask(`${NODE}/notifications?subscribeType=TREE`)).status).toBe(400);
});

test.each([
  ['/security', 'PUT', 'GET, HEAD, OPTIONS'],
  ['/security/subscribe', 'GET', 'POST, OPTIONS'],
  ['/notifications', 'DELETE', 'GET, POST, HEAD, OPTIONS'],
])('%s by %s is 405', async (path, method, allow) => {
  const reply = await gateway.ask(`${NODE}${path}`, { method });
  expect([reply.status, reply.headers.allow]).toEqual([405, allow]);
});
