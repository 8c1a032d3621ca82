import type { ConsoleStart } from '@catchment/dashboard-view';
import { until } from '@catchment/testkit';
import { csrfToken, isSessionOver, lostAccount, signInAgain, standing } from '../session/session.ts';
import { send } from './send.ts';

const START = {
  person: { id: 'u1', email: 'jo@example.org' },
  account: { id: 'a'.repeat(24), slug: 'north1' },
  csrf: 'first token',
} as unknown as ConsoleStart;
const URL_ = 'http://catchment.test/api/v1/nodes';

type Asked = {
  readonly path: string;
  readonly csrf: string | null;
  readonly account: string | null;
  readonly body: string;
};
let asked: Asked[];
let answers: ((request: Request) => Response | Promise<Response>)[];
const json = (status: number, body: object) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const refused = (status: number, reason: string) => json(status, { error: { code: status, reason, message: reason } });

beforeEach(() => {
  asked = [];
  answers = [];
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(START) }) });
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = new Request(input instanceof Request ? input : `http://catchment.test${input}`, init);
    asked.push({
      path: new URL(request.url).pathname,
      csrf: request.headers.get('x-csrf-token'),
      account: request.headers.get('x-account'),
      body: await request.clone().text(),
    });
    return (answers.shift() ?? (() => json(200, {})))(request);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const put = () => send(new Request(URL_, { method: 'PUT', body: '{"name":"typed"}' }));

test('each request carries the token of the session and the account of the address', async () => {
  await put();
  expect(asked).toMatchObject([{ csrf: csrfToken(), account: START.account.id, body: '{"name":"typed"}' }]);
});

test('a request that finds the session over waits until the person is back, and is then sent as it was', async () => {
  answers = [() => refused(401, 'UNAUTHENTICATED'), () => json(200, { userId: 'u1', csrfToken: 'second token' })];
  const sent = put();
  await until(() => isSessionOver.value);
  expect(await signInAgain('correct horse battery')).toBeUndefined();
  expect((await sent).status).toBe(200);
  expect(asked.map(({ path, csrf, body }) => [path, csrf, body])).toEqual([
    ['/api/v1/nodes', 'first token', '{"name":"typed"}'],
    ['/auth/login', null, expect.stringContaining('jo@example.org')],
    ['/api/v1/nodes', 'second token', '{"name":"typed"}'],
  ]);
  expect(isSessionOver.value).toBe(false);
});

test('a wrong password is reported, and the request goes on waiting', async () => {
  answers = [() => refused(401, 'UNAUTHENTICATED'), () => refused(401, 'SIGN_IN_FAILED')];
  const stop = new AbortController();
  const sent = send(new Request(URL_, { signal: stop.signal }));
  await until(() => isSessionOver.value);
  expect(await signInAgain('wrong')).toMatchObject({ reason: 'SIGN_IN_FAILED' });
  expect(isSessionOver.value).toBe(true);
  stop.abort();
  await expect(sent).rejects.toThrow();
});

test('a token that is old, since another tab has signed in, is read anew', async () => {
  const session = { userId: 'u1', csrfToken: 'third token', accounts: [] };
  answers = [() => refused(403, 'CSRF_TOKEN_NEEDED'), () => json(200, session)];
  expect((await put()).status).toBe(200);
  expect(asked.map(({ path, csrf }) => [path, csrf])).toEqual([
    ['/api/v1/nodes', 'second token'],
    ['/api/v1/users/me/session', null],
    ['/api/v1/nodes', 'third token'],
  ]);
});

test('a stream that the server ends has the page look at once whether the account is still the person’s', async () => {
  vi.useFakeTimers({ now: 0, toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const account = { _id: START.account.id, standing: 'USER' };
  const session = { userId: 'u1', csrfToken: 'third token', accounts: [account] };
  answers = [() => new Response('event: end\n\n'), () => json(200, session)];
  const stream = new Request('http://catchment.test/api/v1/nodes/stream', { headers: { accept: 'text/event-stream' } });
  await (await send(stream)).text();
  vi.useRealTimers();
  await until(() => standing() === 'USER');
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/nodes/stream', '/api/v1/users/me/session']);
});

test('an account to which the person has no access any more is reported once, and nothing is tried again', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(60_000);
  answers = [() => refused(403, 'NOT_PERMITTED'), () => refused(403, 'NOT_PERMITTED')];
  const stream = new Request('http://catchment.test/api/v1/nodes/stream', { headers: { accept: 'text/event-stream' } });
  expect((await send(stream)).status).toBe(403);
  expect(lostAccount.value).toBe('access');
  expect(asked.map(({ path }) => path)).toEqual(['/api/v1/nodes/stream', '/api/v1/users/me/session']);
});
