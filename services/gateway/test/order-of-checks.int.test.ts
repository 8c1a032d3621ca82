import { gzipSync } from 'node:zlib';
import { DomainError } from '@catchment/errors';
import { type Ask, isKey, KEYS, openGateway } from './fixture.ts';

const LONG = `?x=${'a'.repeat(4096)}`;
const TOO_LARGE = Buffer.alloc(5 * 1024 * 1024 + 1, 32);
const NODE = `/api/v1/nodes/${'1'.repeat(24)}`;

/** Each violates step n and the ones after it that it can; step n answers (docs/reference/requests-and-errors.md#order-of-checks). */
const CASES: [string, string, Ask, number][] = [
  ['1 before 3: long query without key', `/api/v1/nodes${LONG}`, { key: undefined }, 413],
  ['1 before 4: long query on an unknown path', `/api/v1/nowhere${LONG}`, { key: undefined }, 413],
  ['3 missing key before 4 unknown path', '/api/v1/nowhere', { key: undefined }, 401],
  ['3 malformed key before 4 wrong method', NODE, { key: 'short', method: 'PATCH' }, 401],
  ['3 unknown key before 8 body', `${NODE}/historic`, { key: KEYS.unknown, method: 'PUT', body: TOO_LARGE }, 401],
  ['3 unknown key before 9 arguments', '/api/v1/nodes?limit=x', { key: KEYS.unknown }, 401],
  ['4 unknown path before 5 READ_ONLY', '/api/v1/nowhere', { key: KEYS.readOnly, method: 'POST', body: '{' }, 404],
  ['4 wrong method before 5 READ_ONLY', NODE, { key: KEYS.readOnly, method: 'POST', body: '{' }, 405],
  ['4 wrong method before 6 DISABLED', NODE, { key: KEYS.disabled, method: 'PATCH' }, 405],
  ['5 READ_ONLY before 6, 8', NODE, { key: KEYS.disabledReadOnly, method: 'PUT', body: '{' }, 403],
  ['5 READ_ONLY before 8 size', `${NODE}/historic`, { key: KEYS.readOnly, method: 'PUT', body: TOO_LARGE }, 403],
  ['6 DISABLED before 8', NODE, { key: KEYS.disabled, method: 'PUT', body: '{' }, 403],
  ['6 DISABLED before 9', '/api/v1/nodes?limit=x', { key: KEYS.disabled }, 403],
  ['8 size before 9', `${NODE}/historic?format=CSV`, { method: 'PUT', body: TOO_LARGE }, 413],
  ['8 JSON before 9', '/api/v1/nodes?attr=%zz', { method: 'POST', body: '{' }, 400],
  ['9 before 10', `${NODE}?expiry=x`, {}, 400],
  ['10 unknown node', NODE, {}, 404],
];

test.each(CASES)('%s', async (_what, path, asked, status) => {
  await using gateway = await openGateway({
    behaviour: {
      unary: async () => {
        throw new DomainError('not_found', 'NOT_FOUND', 'Requested resource not found');
      },
    },
  });
  const reply = await gateway.ask(path, asked);
  expect(reply.status).toBe(status);
  expect(reply.json()).toMatchObject({ error: { code: status } });
  // The services that would act on a refused request see nothing of it.
  if (status !== 404)
    expect(gateway.calls.filter(({ rpc }) => rpc !== 'authenticate' && rpc !== 'findSecrets')).toEqual([]);
});

test('5 and 6 name what is wrong', async () => {
  await using gateway = await openGateway();
  expect((await gateway.ask(NODE, { key: KEYS.disabledReadOnly, method: 'PUT', body: '{}' })).json()).toMatchObject({
    error: { reason: 'MODIFY_NEEDED' },
  });
  expect((await gateway.ask(NODE, { key: KEYS.disabled })).json()).toMatchObject({
    error: { reason: 'ACCOUNT_DISABLED' },
  });
});

test('3 after a hundred failures of an address further ones are 429 until the window ends, and good keys there pass', async () => {
  let now = 1_000_000;
  await using gateway = await openGateway({ now: () => now });
  const failures = await Promise.all(
    Array.from({ length: 100 }, () => gateway.ask('/api/v1/nodes', { key: KEYS.unknown })),
  );
  expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([401]));
  const blocked = await gateway.ask('/api/v1/nodes', { key: KEYS.unknown });
  expect(blocked.status).toBe(429);
  expect(blocked.headers['retry-after']).toBe('300');
  expect(blocked.headers['x-ratelimit-limit']).toBeUndefined();
  for (const key of [undefined, 'short']) expect((await gateway.ask('/api/v1/nodes', { key })).status).toBe(429);
  expect((await gateway.ask('/api/v1/nodes')).status).toBe(200);
  expect((await gateway.ask('/api/v1/nowhere')).status).toBe(404);
  expect((await gateway.ask(`/api/v1/nodes${LONG}`)).status).toBe(413);
  now += 300_000;
  expect((await gateway.ask('/api/v1/nodes', { key: KEYS.unknown })).status).toBe(401);
});

test('3 a flood of guesses asks the nodes service a bounded number of times, and a good key in it passes', async () => {
  await using gateway = await openGateway({ behaviour: { isKnown: isKey } });
  const guess = (n: number) => `${n}`.padStart(40, 'g');
  const guesses = Array.from({ length: 400 }, (_, n) => gateway.ask('/api/v1/nodes', { key: guess(n) }));
  expect((await gateway.ask('/api/v1/nodes')).status).toBe(200);
  const statuses = (await Promise.all(guesses)).map(({ status }) => status);
  expect([401, 429].map((status) => statuses.filter((answered) => answered === status).length)).toEqual([100, 300]);
  const asked = (rpc: string) => gateway.calls.filter((call) => call.rpc === rpc).length;
  expect(asked('authenticate')).toBe(1);
  expect(asked('findSecrets')).toBeLessThan(200);
});

test('3 the limit of a key comes before 4, and refused requests are not counted', async () => {
  let now = 1_000_000;
  await using gateway = await openGateway({ env: { RATE_LIMIT_REQUESTS: '2' }, now: () => now });
  const first = await gateway.ask('/api/v1/nodes');
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '1',
    'x-ratelimit-reset': '1300',
  });
  await gateway.ask('/api/v1/nowhere');
  const refused = await gateway.ask('/api/v1/nowhere');
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ 'retry-after': '300', 'x-ratelimit-remaining': '0' });
  expect((await gateway.ask('/api/v1/nodes', { key: KEYS.readOnly })).status).toBe(200);
  now += 300_000;
  expect((await gateway.ask('/api/v1/nodes')).status).toBe(200);
});

test('a gzip bomb of a READ_ONLY key is never inflated', async () => {
  await using gateway = await openGateway();
  const body = gzipSync(Buffer.alloc(20 * 1024 * 1024));
  const asked = { key: KEYS.readOnly, method: 'PUT', body, headers: { 'content-encoding': 'gzip' } };
  expect((await gateway.ask(`${NODE}/historic`, asked)).status).toBe(403);
});
