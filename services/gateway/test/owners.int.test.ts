import { KEYS, openGateway } from './fixture.ts';

const ID = '1'.repeat(24);
const ACCOUNT = '/api/v1/owners/account';

let gateway: Awaited<ReturnType<typeof openGateway>>;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** Path, method, status, RPC, and whether a key of level ACCOUNT is needed. */
const OPERATIONS: [method: string, path: string, status: number, rpc: string, needsAccount: boolean][] = [
  ['GET', ACCOUNT, 200, 'getOwner', false],
  ['PUT', ACCOUNT, 200, 'updateOwner', true],
  ['POST', `${ACCOUNT}/groups`, 201, 'createGroups', true],
  ['PUT', `${ACCOUNT}/groups/${ID}`, 200, 'updateGroup', true],
  ['DELETE', `${ACCOUNT}/groups/${ID}`, 200, 'deleteGroup', true],
  ['GET', `${ACCOUNT}/access`, 200, 'listAccess', false],
  ['GET', `${ACCOUNT}/usage`, 200, 'getUsage', true],
  ['GET', `${ACCOUNT}/usage/nodes`, 200, 'getUsageOfNodes', true],
  ['GET', `${ACCOUNT}/categories/${ID}/uses`, 200, 'getCategoryUses', true],
  ['GET', `${ACCOUNT}/quality`, 200, 'getQuality', false],
  ['PUT', `${ACCOUNT}/quality`, 200, 'updateQuality', true],
  ['GET', '/api/v1/users/me', 200, 'getProfile', false],
  ...['categories', 'roles', 'apikeys'].flatMap((name): [string, string, number, string, boolean][] => [
    ['GET', `${ACCOUNT}/${name}`, 200, 'listEntries', name === 'apikeys'],
    ['POST', `${ACCOUNT}/${name}`, 201, 'createEntry', true],
    ['GET', `${ACCOUNT}/${name}/${ID}`, 200, 'getEntry', name === 'apikeys'],
    ['PUT', `${ACCOUNT}/${name}/${ID}`, 200, 'updateEntry', true],
    ['DELETE', `${ACCOUNT}/${name}/${ID}`, 200, 'deleteEntry', true],
  ]),
  ['GET', `${ACCOUNT}/webhooks`, 200, 'listWebhooks', true],
  ['POST', `${ACCOUNT}/webhooks`, 201, 'createWebhook', true],
  ['GET', `${ACCOUNT}/webhooks/${ID}`, 200, 'getWebhook', true],
  ['PUT', `${ACCOUNT}/webhooks/${ID}`, 200, 'updateWebhook', true],
  ['DELETE', `${ACCOUNT}/webhooks/${ID}`, 200, 'deleteWebhook', true],
  ['POST', `${ACCOUNT}/webhooks/${ID}/secret`, 201, 'rotateSecret', true],
  ['POST', `${ACCOUNT}/webhooks/${ID}/test`, 201, 'testWebhook', true],
  ['GET', `${ACCOUNT}/webhooks/${ID}/deliveries`, 200, 'listDeliveries', true],
  ['POST', `${ACCOUNT}/webhooks/${ID}/deliveries/${ID}/redeliver`, 200, 'redeliver', true],
];
const asked = (method: string, key: string, body = '{}') =>
  method === 'PUT' || method === 'POST' ? { method, key, body } : { method, key };

test.each(OPERATIONS)('%s %s is %d by %s', async (method, path, status, rpc) => {
  const reply = await gateway.ask(path, asked(method, KEYS.modify));
  expect([reply.status, gateway.calls.at(-1)?.rpc]).toEqual([status, rpc]);
  if (method === 'DELETE') expect(reply.json()).toEqual({ status: { code: 200, message: 'Success' } });
});

test.each(OPERATIONS)('%s %s asks for the right key', async (method, path, status, _rpc, needsAccount) => {
  for (const key of [KEYS.workspaces, KEYS.limited]) {
    const reply = await gateway.ask(path, asked(method, key, needsAccount ? '{' : '{}'));
    expect(reply.status).toBe(needsAccount ? 403 : status);
  }
  const readOnly = await gateway.ask(path, asked(method, KEYS.readOnly));
  expect(readOnly.status).toBe(method === 'GET' ? status : 403);
  expect((await gateway.ask(path, asked(method, KEYS.disabled))).status).toBe(403);
  expect((await gateway.ask(path, asked(method, KEYS.unknown))).status).toBe(401);
});

test('limits are what three services know of them, for keys of the account', async () => {
  const before = gateway.calls.length;
  const reply = await gateway.ask(`${ACCOUNT}/limits`, { key: KEYS.readOnly });
  expect(reply.status).toBe(200);
  expect(reply.json()).toMatchObject({ rowsPerSourcePerDay: 100_000, kept: { recordDays: null, eventDays: null } });
  const asked = gateway.calls.slice(before).map(({ rpc }) => rpc);
  expect(asked).toEqual(expect.arrayContaining(['getOwnLimits', 'getRecordLimits', 'getEventDays']));
  for (const key of [KEYS.workspaces, KEYS.limited, KEYS.disabled])
    expect((await gateway.ask(`${ACCOUNT}/limits`, { key })).status).toBe(403);
});

test('attr travels on; the account carries a validator, usage and keys are not kept', async () => {
  const reply = await gateway.ask(`${ACCOUNT}?attr=slug`);
  expect(gateway.calls.at(-1)?.request).toMatchObject({ attr: 'slug' });
  expect(reply.headers.etag).toMatch(/^W\//);
  const again = await gateway.ask(`${ACCOUNT}?attr=slug`, { headers: { 'if-none-match': String(reply.headers.etag) } });
  expect(again.status).toBe(304);
  for (const path of [`${ACCOUNT}/usage`, `${ACCOUNT}/apikeys`]) {
    const { headers } = await gateway.ask(path);
    expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'no-store']);
  }
});

test('a change without a body is 400', async () => {
  expect((await gateway.ask(ACCOUNT, { method: 'PUT' })).status).toBe(400);
  expect((await gateway.ask(`${ACCOUNT}/groups`, { method: 'POST' })).status).toBe(400);
});
