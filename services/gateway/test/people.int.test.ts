import { DomainError, type ErrorKind, type Reason, received } from '@catchment/errors';
import { until } from '@catchment/testkit';
import { ACCOUNT, type Behaviour, openGateway } from './fixture.ts';

const NODES = '/api/v1/nodes';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'content-type': 'application/json' };
const TOKEN = '00000000-0000-4000-8000-000000000000';
const PROFILE = {
  firstName: '<i>Jo</i>',
  lastName: '',
  phone: '',
  timezone: '',
  timezoneAdjustForDst: true,
  timeFormat: 'x',
};
const SIGNED_IN = {
  userId: 'u',
  username: 'jo@example.org',
  ownerId: ACCOUNT.ownerId,
  expiresMs: Date.now() + 3_600_000,
};

/** Peers for which every caller is signed in. */
const ANSWERS: Record<string, object> = {
  signIn: SIGNED_IN,
  useLink: SIGNED_IN,
  signOut: {},
  authenticateSession: { ...ACCOUNT, keyId: 'session:1' },
  getPerson: {
    userId: 'u',
    email: 'jo@example.org',
    profile: PROFILE,
    ownerId: ACCOUNT.ownerId,
    accounts: [{ ownerId: ACCOUNT.ownerId, accountName: 'A & B', slug: 'ab1', standing: 'OWNER', status: 'ACTIVE' }],
    isProven: false,
    invitations: [],
  },
  getLink: { purpose: 'activate', email: 'jo@example.org', profile: PROFILE, expiresMs: Date.now() + 1_000 },
  requestReset: {},
  listOwnKeys: { json: Buffer.from('[]') },
};
const willing = (change: Record<string, () => object> = {}): Partial<Behaviour> => ({
  people: async (rpc) => change[rpc]?.() ?? ANSWERS[rpc] ?? {},
  stream: async function* () {
    yield { data: Buffer.from('[]'), contentType: '', revision: '' };
  },
});
const refuse = (kind: ErrorKind, reason: Reason, message: string, retryAfterSeconds?: number) => () => {
  throw received({ kind, reason, message }, { retryAfterSeconds });
};

/** Signs in as a program does. @returns headers of its further requests */
async function signIn(gateway: Awaited<ReturnType<typeof openGateway>>, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ email: 'jo@example.org', password: 'correct horse battery' });
  const reply = await gateway.ask('/auth/login', {
    method: 'POST',
    key: undefined,
    body,
    headers: { ...JSON_TYPE, ...headers },
  });
  const setCookie = String(reply.headers['set-cookie']);
  const { csrfToken } = reply.json() as { csrfToken: string };
  return { reply, setCookie, cookie: setCookie.split(';')[0] ?? '', csrfToken };
}

describe('the cookie', () => {
  test.each([
    ['over plain HTTP', {}, {}, /^catchment_session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/],
    [
      'behind a proxy that ends TLS',
      { TRUSTED_PROXIES: '127.0.0.0/8' },
      { 'x-forwarded-proto': 'https' },
      /^__Host-catchment_session=.*; Secure$/,
    ],
    ['where pages are opened by https', { APP_URL: 'https://app.test' }, {}, /^__Host-catchment_session=.*; Secure$/],
    [
      'said to be https by somebody who is not trusted',
      {},
      { 'x-forwarded-proto': 'https' },
      /^catchment_session=.*Lax$/,
    ],
  ])('%s', async (_what, env, headers, expected) => {
    await using gateway = await openGateway({ env, behaviour: willing() });
    const { setCookie, reply } = await signIn(gateway, headers);
    expect(setCookie).toMatch(expected);
    expect(reply.json()).toMatchObject({ username: 'jo@example.org', ownerId: ACCOUNT.ownerId });
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.text).not.toContain(setCookie.split(/[=;]/)[1]);
  });

  test('is never in the log, nor is a password or the token of a link', async () => {
    await using gateway = await openGateway({ behaviour: willing() });
    const { cookie } = await signIn(gateway);
    await gateway.ask(`/auth/setupprofile/${TOKEN}`, { key: undefined, headers: { cookie } });
    await until(() => gateway.lines.filter((line) => line.includes('"msg":"request"')).length >= 2);
    const all = gateway.lines.join('');
    for (const secret of [cookie.split('=')[1] ?? '', 'correct horse', TOKEN]) expect(all).not.toContain(secret);
  });
});

const INVITATION = {
  invitationId: 'a'.repeat(24),
  ownerId: 'b'.repeat(24),
  accountName: 'Other <b>',
  slug: 'other1',
  standing: 'ADMINISTRATOR',
  createdMs: 0,
};

describe('invitations', () => {
  const API = '/api/v1/users/me/invitations';
  const answers = { listInvitations: () => ({ invitations: [INVITATION] }) };

  test('are listed to a session, and answered with its token', async () => {
    await using gateway = await openGateway({ behaviour: willing(answers) });
    const { cookie, csrfToken } = await signIn(gateway);
    const listed = await gateway.ask(API, { key: undefined, headers: { cookie } });
    const { invitationId: _id, createdMs: _ms, ...rest } = INVITATION;
    expect(listed.json()).toEqual([{ _id, ...rest, createdTime: '1970-01-01T00:00:00.000Z' }]);
    for (const [word, rpc] of [
      ['accept', 'acceptInvitation'],
      ['decline', 'declineInvitation'],
    ] as const) {
      const post = (headers: Record<string, string>) =>
        gateway.ask(`${API}/${_id}/${word}`, { method: 'POST', key: undefined, headers: { cookie, ...headers } });
      expect((await post({})).json()).toMatchObject({ error: { code: 403, reason: 'CSRF_TOKEN_NEEDED' } });
      expect((await post({ 'x-csrf-token': csrfToken })).status).toBe(200);
      const call = gateway.calls.find((call) => call.rpc === rpc);
      expect(call?.request).toMatchObject({ invitationId: _id });
      expect(call?.context.caller).toMatchObject({ kind: 'service' });
    }
  });

  test.each([
    ['GET', API],
    ['POST', `${API}/${INVITATION.invitationId}/accept`],
    ['POST', `${API}/${INVITATION.invitationId}/decline`],
  ])('are nothing for a key: %s %s', async (method, url) => {
    await using gateway = await openGateway({ behaviour: willing(answers) });
    expect((await gateway.ask(url, { method })).json()).toMatchObject({
      error: { code: 403, reason: 'SESSION_NEEDED' },
    });
  });

  test('are asked on the account page, whatever the account is called, and a refusal is said there', async () => {
    const person = {
      ...ANSWERS.getPerson,
      isProven: true,
      invitations: [INVITATION, { ...INVITATION, standing: 'OWNER' }],
    };
    await using gateway = await openGateway({
      behaviour: willing({
        getPerson: () => person,
        declineInvitation: refuse('failed_precondition', 'OWNER_CANNOT_DECLINE', 'id: it cannot be declined'),
      }),
    });
    const { cookie, csrfToken } = await signIn(gateway);
    const page = await gateway.ask('/account', { key: undefined, headers: { cookie } });
    expect(page.text).toContain('<strong>Other &lt;b&gt;</strong>wants you as an administrator');
    expect(page.text.match(/action="\/account\/invitations\/accept"/g)).toHaveLength(2);
    expect(page.text.match(/action="\/account\/invitations\/decline"/g)).toHaveLength(1);
    expect(page.text).not.toContain('Confirm your e-mail');
    const post = (word: string, csrf: string) =>
      gateway.ask(`/account/invitations/${word}`, {
        method: 'POST',
        key: undefined,
        headers: { cookie, ...FORM },
        body: new URLSearchParams({ id: INVITATION.invitationId, csrf }).toString(),
      });
    expect((await post('accept', '')).status).toBe(403);
    expect((await post('accept', csrfToken)).headers.location).toBe('/account?done=accepted');
    const refused = await post('decline', csrfToken);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('It cannot be declined.')]);
  });

  test('a person without proof is asked to confirm the e-mail; the mail goes to the person’s own', async () => {
    await using gateway = await openGateway({ behaviour: willing() });
    const { cookie, csrfToken } = await signIn(gateway);
    expect((await gateway.ask('/account', { key: undefined, headers: { cookie } })).text).toContain(
      'Confirm your e-mail',
    );
    const body = new URLSearchParams({ csrf: csrfToken, email: 'other@example.org' }).toString();
    const sent = await gateway.ask('/account/confirm', {
      method: 'POST',
      key: undefined,
      headers: { cookie, ...FORM },
      body,
    });
    expect(sent.headers.location).toBe('/account?done=sent');
    expect(gateway.calls.find(({ rpc }) => rpc === 'requestReset')?.request).toMatchObject({ email: 'jo@example.org' });
  });
});

describe('preferences', () => {
  const API = '/api/v1/users/me/preferences';
  const json = (value: unknown) => ({ json: Buffer.from(JSON.stringify(value)) });
  const answers = {
    listPreferences: () => json({ columns: ['name'] }),
    getPreference: () => json(['name']),
    putPreference: () => json(['name']),
  };

  test('are read and kept with the session, in the account that is meant; a change needs its token', async () => {
    await using gateway = await openGateway({ behaviour: willing(answers) });
    const { cookie, csrfToken } = await signIn(gateway);
    const ask = (method: string, url: string, headers: Record<string, string> = {}) =>
      gateway.ask(url, {
        method,
        key: undefined,
        headers: { cookie, 'x-account': ACCOUNT.ownerId, ...JSON_TYPE, ...headers },
        ...(method === 'PUT' && { body: '["name"]' }),
      });
    const token = { 'x-csrf-token': csrfToken };
    expect((await ask('GET', API)).json()).toEqual({ columns: ['name'] });
    expect((await ask('GET', `${API}/table.alarms`)).json()).toEqual(['name']);
    expect((await ask('PUT', `${API}/table.alarms`)).json()).toMatchObject({ error: { reason: 'CSRF_TOKEN_NEEDED' } });
    expect((await ask('PUT', `${API}/table.alarms`, token)).json()).toEqual(['name']);
    expect((await ask('DELETE', `${API}/table.alarms`, token)).status).toBe(200);
    const call = gateway.calls.find(({ rpc }) => rpc === 'putPreference');
    expect([call?.request, call?.context.caller]).toMatchObject([
      { key: 'table.alarms' },
      { kind: 'api', ownerId: ACCOUNT.ownerId, userId: ACCOUNT.userId },
    ]);
  });

  test.each([
    ['GET', API],
    ['GET', `${API}/x`],
    ['PUT', `${API}/x`],
    ['DELETE', `${API}/x`],
  ])('are nothing for a key: %s %s', async (method, url) => {
    await using gateway = await openGateway({ behaviour: willing(answers) });
    const reply = await gateway.ask(url, { method, headers: JSON_TYPE, ...(method === 'PUT' && { body: '1' }) });
    expect(reply.json()).toMatchObject({ error: { code: 403, reason: 'SESSION_NEEDED' } });
    expect(gateway.calls.filter(({ rpc }) => rpc.endsWith('Preference'))).toEqual([]);
  });
});

describe('what is the person’s own', () => {
  const ME = '/api/v1/users/me';
  const ID = '1'.repeat(24);
  const answers = {
    createOwnKey: () => ({ json: Buffer.from('{"key":"k"}') }),
    listSignIns: () => ({
      signIns: [
        { signInId: ID, atMs: 0, way: 'password', clientAddress: '192.0.2.7', userAgent: 'Firefox', isCurrent: false },
        {
          signInId: '2'.repeat(24),
          atMs: 0,
          way: 'link',
          clientAddress: '',
          userAgent: '',
          isCurrent: true,
          usedMs: 1_000,
          expiresMs: 2_000,
        },
      ],
    }),
  };
  const OPERATIONS = [
    ['PUT', ME, 200, 'updateProfile'],
    ['GET', `${ME}/apikeys`, 200, 'listOwnKeys'],
    ['POST', `${ME}/apikeys`, 201, 'createOwnKey'],
    ['DELETE', `${ME}/apikeys/${ID}`, 200, 'deleteOwnKey'],
    ['GET', `${ME}/notifications`, 200, 'getOwnNotifications'],
    ['GET', `${ME}/sign-ins`, 200, 'listSignIns'],
    ['DELETE', `${ME}/sign-ins/${ID}`, 200, 'endSignIn'],
  ] as const;
  const withBody = (method: string) => (method === 'PUT' || method === 'POST' ? { body: '{}' } : {});

  test.each(OPERATIONS)('%s %s is for a session, and a change needs its token', async (method, url, status, rpc) => {
    await using gateway = await openGateway({ behaviour: willing(answers) });
    const { cookie, csrfToken } = await signIn(gateway);
    const headers = { cookie, ...JSON_TYPE };
    const ask = (more: object) =>
      gateway.ask(url, { method, key: undefined, headers: { ...headers, ...more }, ...withBody(method) });
    if (method !== 'GET') expect((await ask({})).json()).toMatchObject({ error: { reason: 'CSRF_TOKEN_NEEDED' } });
    expect((await ask({ 'x-csrf-token': csrfToken })).status).toBe(status);
    expect(gateway.calls.at(-1)?.rpc).toBe(rpc);
  });

  test.each(OPERATIONS)('%s %s is nothing for a key, which an administrator may have made', async (method, url) => {
    await using gateway = await openGateway({ behaviour: willing(answers) });
    const reply = await gateway.ask(url, { method, headers: JSON_TYPE, ...withBody(method) });
    expect(reply.json()).toMatchObject({ error: { code: 403, reason: 'SESSION_NEEDED' } });
  });

  test('sign-ins are reported with what was given, and who signs in with what the browser says of itself', async () => {
    await using gateway = await openGateway({ behaviour: willing(answers) });
    const { cookie } = await signIn(gateway, { 'user-agent': 'Firefox' });
    const request = gateway.calls.find(({ rpc }) => rpc === 'signIn')?.request;
    expect(request).toMatchObject({ userAgent: 'Firefox', clientAddress: expect.stringMatching(/./) });
    const reply = await gateway.ask(`${ME}/sign-ins`, { key: undefined, headers: { cookie } });
    expect(reply.json()).toEqual([
      {
        _id: ID,
        time: '1970-01-01T00:00:00.000Z',
        way: 'password',
        clientAddress: '192.0.2.7',
        userAgent: 'Firefox',
        isCurrent: false,
      },
      {
        _id: '2'.repeat(24),
        time: '1970-01-01T00:00:00.000Z',
        way: 'link',
        clientAddress: '',
        userAgent: '',
        lastUsedTime: '1970-01-01T00:00:01.000Z',
        expiresTime: '1970-01-01T00:00:02.000Z',
        isCurrent: true,
      },
    ]);
  });
});

describe('pages of the operator', () => {
  const AT = '/api/v1/operator';
  const OPERATIONS = [
    ['GET', `${AT}/accounts`, 'listAccounts'],
    ['PUT', `${AT}/accounts/${'1'.repeat(24)}`, 'changeAccount'],
    ['GET', `${AT}/health`, 'getHealth'],
    ['GET', `${AT}/deadletters`, 'listDeadLetters'],
    ['POST', `${AT}/deadletters/7/retry`, 'retryDeadLetter'],
    ['DELETE', `${AT}/deadletters/7`, 'dropDeadLetter'],
  ] as const;
  const bodyOf = (method: string) => (method === 'PUT' ? { body: '{}' } : {});

  test.each(OPERATIONS)('%s %s is asked for with the session itself, by a service', async (method, url, rpc) => {
    await using gateway = await openGateway({ behaviour: willing({}) });
    const { cookie, csrfToken } = await signIn(gateway);
    const headers = { cookie, 'x-csrf-token': csrfToken, ...JSON_TYPE };
    expect((await gateway.ask(url, { method, key: undefined, headers, ...bodyOf(method) })).status).toBe(200);
    const call = gateway.calls.findLast((call) => call.rpc === rpc);
    expect(call?.request).toMatchObject({ sessionSha256: expect.any(Uint8Array) });
    expect(call?.context.caller).toMatchObject({ kind: 'service', service: 'gateway' });
  });

  test.each(OPERATIONS)('%s %s is nothing for a key', async (method, url, rpc) => {
    await using gateway = await openGateway({ behaviour: willing({}) });
    const reply = await gateway.ask(url, { method, headers: JSON_TYPE, ...bodyOf(method) });
    expect(reply.json()).toMatchObject({ error: { code: 403, reason: 'SESSION_NEEDED' } });
    expect(gateway.calls.filter((call) => call.rpc === rpc)).toEqual([]);
  });

  test.each(['0', 'x', '1e3', '9'.repeat(16)])('there is no letter %s', async (number) => {
    await using gateway = await openGateway({ behaviour: willing({}) });
    const { cookie, csrfToken } = await signIn(gateway);
    const headers = { cookie, 'x-csrf-token': csrfToken };
    const reply = await gateway.ask(`${AT}/deadletters/${number}`, { method: 'DELETE', key: undefined, headers });
    expect([reply.status, gateway.calls.some(({ rpc }) => rpc === 'dropDeadLetter')]).toEqual([404, false]);
  });
});

describe('too many attempts', () => {
  const MESSAGE = 'Too many attempts. Try again in 15 minutes.';
  const limited = refuse('resource_exhausted', 'TOO_MANY_ATTEMPTS', MESSAGE, 900);

  test.each([
    ['a program', JSON_TYPE, '{"email":"jo@example.org","password":"x"}'],
    ['the form', FORM, 'email=jo%40example.org&password=x'],
  ])('%s hears in Retry-After what the text says', async (_who, headers, body) => {
    await using gateway = await openGateway({ behaviour: willing({ signIn: limited }) });
    const reply = await gateway.ask('/auth/login', { method: 'POST', key: undefined, headers, body });
    expect([reply.status, reply.headers['retry-after'], reply.text]).toEqual([
      429,
      '900',
      expect.stringContaining(MESSAGE),
    ]);
  });

  test('so does who has forgotten the password', async () => {
    await using gateway = await openGateway({ behaviour: willing({ requestReset: limited }) });
    const body = 'email=jo%40example.org';
    const reply = await gateway.ask('/auth/forgot', { method: 'POST', key: undefined, headers: FORM, body });
    expect([reply.status, reply.headers['retry-after'], reply.text]).toEqual([
      429,
      '900',
      expect.stringContaining(MESSAGE),
    ]);
  });
});

describe('a session on the API', () => {
  /** Makes a token of the same form. */
  const otherThan = (token: string) => token.replace(/^./, (first) => (first === '_' ? '-' : '_'));

  test('reads like a key; what changes needs the token of the session', async () => {
    await using gateway = await openGateway({ behaviour: willing() });
    const { cookie, csrfToken } = await signIn(gateway);
    const ask = (method: string, headers: Record<string, string>) =>
      gateway.ask(NODES, {
        method,
        key: undefined,
        headers: { cookie, ...headers },
        ...(method === 'POST' && { body: '{}' }),
      });
    expect((await ask('GET', {})).status).toBe(200);
    expect((await ask('POST', {})).json()).toMatchObject({ error: { code: 403, reason: 'CSRF_TOKEN_NEEDED' } });
    expect((await ask('POST', { 'x-csrf-token': otherThan(csrfToken) })).status).toBe(403);
    expect((await ask('POST', { 'x-csrf-token': csrfToken })).status).toBe(201);
    const call = gateway.calls.find(({ rpc }) => rpc === 'createNode');
    expect(call?.context.caller).toMatchObject({ kind: 'api', ownerId: ACCOUNT.ownerId, username: 'jo@example.org' });
  });

  const SISTER = { ownerId: 'b'.repeat(24), accountName: 'B', slug: 'bbb', standing: 'USER', status: 'ACTIVE' };
  /** Makes a nodes service in which the person has access to two accounts. */
  const inTwo = (): Partial<Behaviour> => ({
    ...willing(),
    people: async (rpc, { account = '' }: { account?: string }) => {
      if (rpc !== 'authenticateSession') return ANSWERS[rpc] ?? {};
      if (account === '' || account === ACCOUNT.ownerId) return { ...ACCOUNT, keyId: 'session:1' };
      if (account !== SISTER.ownerId)
        throw received({ kind: 'permission_denied', reason: 'NOT_PERMITTED', message: 'no' });
      const rights = { grants: [{ permissions: ['VIEW'], workspaceIds: ['c'.repeat(24)] }], closedAsOfMs: undefined };
      return { ...ACCOUNT, keyId: 'session:1', ownerId: account, accessLevel: 'WORKSPACES', rights };
    },
  });

  test.each([
    ['none', {}, '', ACCOUNT.ownerId],
    ['the header', { 'x-account': SISTER.ownerId.toUpperCase() }, '', SISTER.ownerId],
    ['the argument, since browsers send no header for streams', {}, `?account=${SISTER.ownerId}`, SISTER.ownerId],
    ['the header before the argument', { 'x-account': SISTER.ownerId }, `?account=${ACCOUNT.ownerId}`, SISTER.ownerId],
  ])('works in the account that a request names: %s', async (_what, headers, query, expected) => {
    await using gateway = await openGateway({ behaviour: inTwo() });
    const { cookie } = await signIn(gateway);
    for (let time = 0; time < 2; time += 1) {
      const reply = await gateway.ask(`${NODES}${query}`, { key: undefined, headers: { cookie, ...headers } });
      expect(reply.status).toBe(200);
      // The same session asks in its own account in between: neither answer is what is kept of the other.
      expect((await gateway.ask(NODES, { key: undefined, headers: { cookie } })).status).toBe(200);
    }
    const owners = gateway.calls.filter(({ rpc }) => rpc === 'listNodes').map(({ context: { caller } }) => caller);
    expect(owners.map((owner) => (owner.kind === 'api' ? owner.ownerId : ''))).toEqual(
      Array.from({ length: 2 }, () => [expected, ACCOUNT.ownerId]).flat(),
    );
  });

  test.each([
    ['one of strangers', 'd'.repeat(24), 403, 'no'],
    ['no id', 'ab1', 400, 'X-Account: must be the _id of an account'],
  ])('an account that is %s is refused', async (_what, account, status, message) => {
    await using gateway = await openGateway({ behaviour: inTwo() });
    const { cookie } = await signIn(gateway);
    const reply = await gateway.ask(NODES, { key: undefined, headers: { cookie, 'x-account': account } });
    expect(reply.json()).toMatchObject({ error: { code: status, message } });
  });

  test('tries of foreign accounts are limited by address', async () => {
    await using gateway = await openGateway({ behaviour: inTwo() });
    const { cookie } = await signIn(gateway);
    const statuses = new Map<number, number>();
    for (let n = 0; n < 102; n += 1) {
      const headers = { cookie, 'x-account': n.toString(16).padStart(24, 'd') };
      const { status } = await gateway.ask(NODES, { key: undefined, headers });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 403: 100, 429: 2 });
    expect((await gateway.ask(NODES, { key: undefined, headers: { cookie } })).status).toBe(200);
  });

  test('all sessions of a person share one rate limit; keys have their own', async () => {
    await using gateway = await openGateway({ behaviour: willing(), env: { RATE_LIMIT_REQUESTS: '2' } });
    const [first, second] = [await signIn(gateway), await signIn(gateway)];
    const ask = async (cookie: string) => (await gateway.ask(NODES, { key: undefined, headers: { cookie } })).status;
    expect([await ask(first.cookie), await ask(second.cookie), await ask(first.cookie)]).toEqual([200, 200, 429]);
    expect((await gateway.ask(NODES)).status).toBe(200);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sister domain', { 'sec-fetch-site': 'same-site' }, 403],
    ['another origin', { origin: 'https://evil.test' }, 403],
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }, 200],
    ['the person, who typed the address', { 'sec-fetch-site': 'none' }, 200],
  ])('a request of %s', async (_what, headers, status) => {
    await using gateway = await openGateway({ behaviour: willing() });
    const { cookie } = await signIn(gateway);
    const reply = await gateway.ask(NODES, { key: undefined, headers: { cookie, ...headers } });
    expect([reply.status, status === 200 || reply.text.includes('FOREIGN_PAGE')]).toEqual([status, true]);
    // A key is sent by whoever has it.
    expect((await gateway.ask(NODES, { headers })).status).toBe(200);
  });

  test('gives pages of ours what they need: the token, the accounts, and the rights in the one that is meant', async () => {
    const behaviour = inTwo();
    await using gateway = await openGateway({ behaviour });
    const { cookie, csrfToken } = await signIn(gateway);
    const ask = (headers: Record<string, string>) =>
      gateway.ask('/api/v1/users/me/session', { key: undefined, headers: { cookie, ...headers } });
    const {
      ownerId: _id,
      accountName,
      slug,
      standing,
      status,
    } = {
      ownerId: ACCOUNT.ownerId,
      accountName: 'A & B',
      slug: 'ab1',
      standing: 'OWNER',
      status: 'ACTIVE',
    };
    const shown = { userId: 'u', username: 'jo@example.org', csrfToken };
    const accounts = [{ _id, accountName, slug, standing, status }];
    expect((await ask({})).json()).toEqual({ ...shown, ownerId: ACCOUNT.ownerId, grants: null, accounts });
    const grants = [{ permissions: ['VIEW'], workspaceIds: ['c'.repeat(24)] }];
    expect((await ask({ 'x-account': SISTER.ownerId })).json()).toEqual({
      ...shown,
      ownerId: SISTER.ownerId,
      grants,
      accounts,
    });
    const withKey = await gateway.ask('/api/v1/users/me/session');
    expect(withKey.json()).toMatchObject({ error: { code: 403, reason: 'SESSION_NEEDED' } });
  });

  test('a key goes before a session, and a wrong one is not made good by it', async () => {
    await using gateway = await openGateway({ behaviour: willing() });
    const { cookie } = await signIn(gateway);
    expect((await gateway.ask(NODES, { method: 'POST', body: '{}', headers: { cookie } })).status).toBe(201);
    expect((await gateway.ask(NODES, { key: 'U'.repeat(40), headers: { cookie } })).status).toBe(401);
  });

  test.each([
    ['no session', ''],
    ['a text that is none', 'catchment_session=x'],
    ['one that has ended', `catchment_session=${'a'.repeat(43)}`],
    ['the name of another cookie', `xcatchment_session=${'a'.repeat(43)}`],
  ])('%s is nobody: 401', async (_what, cookie) => {
    await using gateway = await openGateway();
    expect((await gateway.ask(NODES, { key: undefined, headers: { cookie } })).status).toBe(401);
  });

  test('who has no access to the account any more may do nothing: 403; in a disabled one too', async () => {
    const gone = () => {
      throw new DomainError('permission_denied', 'NOT_PERMITTED', 'You have no access to this account');
    };
    await using gateway = await openGateway({ behaviour: willing({ authenticateSession: gone }) });
    const { cookie } = await signIn(gateway);
    expect((await gateway.ask(NODES, { key: undefined, headers: { cookie } })).status).toBe(403);
    await using disabled = await openGateway({
      behaviour: willing({ authenticateSession: () => ({ ...ACCOUNT, accountStatus: 'DISABLED' }) }),
    });
    const other = await signIn(disabled);
    expect((await disabled.ask(NODES, { key: undefined, headers: { cookie: other.cookie } })).status).toBe(403);
  });

  test('signing out works at once here', async () => {
    const ended = new Set<string>();
    const behaviour = willing();
    behaviour.people = async (rpc, { sessionSha256 }: { sessionSha256: Buffer }) => {
      const id = sessionSha256?.toString('hex');
      if (rpc === 'signOut') ended.add(id);
      if (rpc === 'authenticateSession' && ended.has(id)) refuse('unauthenticated', 'SESSION_ENDED', 'no')();
      return ANSWERS[rpc] ?? {};
    };
    await using gateway = await openGateway({ behaviour });
    const { cookie, csrfToken } = await signIn(gateway);
    expect((await gateway.ask(NODES, { key: undefined, headers: { cookie } })).status).toBe(200);
    const out = (headers: Record<string, string>) =>
      gateway.ask('/auth/logout', {
        method: 'POST',
        key: undefined,
        body: '{}',
        headers: { cookie, ...JSON_TYPE, ...headers },
      });
    expect((await out({})).json()).toMatchObject({ error: { code: 403 } });
    const reply = await out({ 'x-csrf-token': csrfToken });
    expect([reply.status, String(reply.headers['set-cookie'])]).toEqual([200, expect.stringContaining('Max-Age=0')]);
    expect((await gateway.ask(NODES, { key: undefined, headers: { cookie } })).status).toBe(401);
  });
});

describe('the link of a notification', () => {
  const LINK = `/auth/unsubscribe/${'t'.repeat(70)}`;

  test('asks first, then stops the e-mails, without anybody signed in', async () => {
    await using gateway = await openGateway({ behaviour: willing() });
    const page = await gateway.ask(LINK, { key: undefined });
    expect([page.status, page.text]).toEqual([
      200,
      expect.stringContaining(`<form class="card" method="post" action="${LINK}">`),
    ]);
    expect(gateway.calls.filter(({ rpc }) => rpc === 'stopEmails')).toEqual([]);
    // Programs for mail send it like this, RFC 8058.
    const body = 'List-Unsubscribe=One-Click';
    const reply = await gateway.ask(LINK, { method: 'POST', key: undefined, headers: FORM, body });
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('E-mails stopped')]);
    expect(gateway.calls.filter(({ rpc }) => rpc === 'stopEmails')).toMatchObject([
      { request: { token: 't'.repeat(70) }, context: { caller: { kind: 'service' } } },
    ]);
    await until(() => gateway.lines.filter((line) => line.includes('"msg":"request"')).length >= 2);
    expect(gateway.lines.join('')).not.toContain('t'.repeat(70));
  });

  test('that is none of ours leads nowhere', async () => {
    const unary = refuse('not_found', 'NOT_FOUND', 'not found');
    await using gateway = await openGateway({ behaviour: { ...willing(), unary: async () => unary() } });
    const reply = await gateway.ask(LINK, { method: 'POST', key: undefined, headers: FORM, body: '' });
    expect([reply.status, reply.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });
});

describe('pages', () => {
  test.each([
    ['/'],
    ['/auth/login'],
    ['/auth/forgot'],
    [`/auth/setupprofile/${TOKEN}`],
    ['/auth/unsubscribe/x'],
    ['/account'],
  ])('%s runs no script, lets nothing in or out, and escapes what people wrote', async (url) => {
    await using gateway = await openGateway({ behaviour: willing() });
    const { cookie } = await signIn(gateway);
    const headers = url === '/auth/login' || url === '/' ? {} : { cookie };
    const page = await gateway.ask(url, { key: undefined, headers });
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    if (url !== '/') expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(page.text).not.toMatch(/<script|<i>Jo|style="| on\w+="/);
    expect(page.text).toMatch(/^<!doctype html>\n<html lang="en">/);
    const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('links and addresses come from no Host header', async () => {
    await using gateway = await openGateway({ behaviour: willing() });
    const page = await gateway.ask('/auth/login', { key: undefined, headers: { host: 'evil.test' } });
    expect(page.text).not.toContain('evil.test');
    const out = await gateway.ask('/account', { key: undefined, headers: { host: 'evil.test' } });
    expect([out.status, out.headers.location]).toEqual([303, '/auth/login']);
  });

  const post = (
    gateway: Awaited<ReturnType<typeof openGateway>>,
    url: string,
    body: string,
    headers: Record<string, string> = {},
  ) => gateway.ask(url, { method: 'POST', key: undefined, body, headers: { ...FORM, ...headers } });

  test.each([
    [
      'a wrong password',
      refuse('unauthenticated', 'SIGN_IN_FAILED', 'The e-mail address or the password is wrong.'),
      401,
      'password is wrong',
    ],
    [
      'too many attempts',
      refuse('resource_exhausted', 'TOO_MANY_ATTEMPTS', 'Too many attempts. Try again in 9 minutes.'),
      429,
      'in 9 minutes',
    ],
    ['a store that is away', refuse('unavailable', 'PEER_UNAVAILABLE', ''), 503, 'Try again in half a minute'],
  ])('sign-in: %s', async (_what, answer, status, text) => {
    await using gateway = await openGateway({ behaviour: willing({ signIn: answer }) });
    const page = await post(gateway, '/auth/login', 'email=jo%40example.org&password=x');
    expect([page.status, page.text]).toEqual([status, expect.stringContaining(text)]);
    expect(page.headers['set-cookie']).toBeUndefined();
    const program = await post(gateway, '/auth/login', '{"email":"a@b.c","password":"x"}', JSON_TYPE);
    expect([program.status, program.json()]).toEqual([status, { error: expect.objectContaining({ code: status }) }]);
  });

  test.each([
    ['a list', '[]', JSON_TYPE],
    ['a number', '{"email":1}', JSON_TYPE],
    ['broken JSON', '{', JSON_TYPE],
    ['another type', '<x/>', { 'content-type': 'text/xml' }],
  ])('a body that is %s is refused: 400', async (_what, body, headers) => {
    await using gateway = await openGateway({ behaviour: willing() });
    expect((await post(gateway, '/auth/login', body, headers)).status).toBe(400);
    expect(gateway.calls.filter(({ rpc }) => rpc === 'signIn')).toHaveLength(0);
  });

  test('a body beyond 64 KiB is refused: 413', async () => {
    await using gateway = await openGateway({ behaviour: willing() });
    expect((await post(gateway, '/auth/login', `email=${'x'.repeat(70_000)}`)).status).toBe(413);
  });

  test('a method that a page has not: 405 with those it has', async () => {
    await using gateway = await openGateway({ behaviour: willing() });
    const reply = await gateway.ask('/auth/login', { method: 'DELETE', key: undefined });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, POST, HEAD, OPTIONS']);
    expect((await gateway.ask('/auth/logout', { key: undefined })).status).toBe(405);
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://behind.a.proxy' }, 200],
    [{ origin: 'http://evil.test' }, 403],
    [{ origin: 'null' }, 403],
    [{}, 200],
  ])('who sends a form: %j → %d', async (headers, status) => {
    await using gateway = await openGateway({ behaviour: willing() });
    const reply = await post(gateway, '/auth/forgot', 'email=jo%40example.org', headers as Record<string, string>);
    expect(reply.status).toBe(status);
  });

  test('a session that has ended leads to the sign-in page and takes the cookie away', async () => {
    await using gateway = await openGateway();
    const cookie = `catchment_session=${'a'.repeat(43)}`;
    const page = await gateway.ask('/account', { key: undefined, headers: { cookie } });
    expect([page.status, page.headers.location, String(page.headers['set-cookie'])]).toEqual([
      303,
      '/auth/login',
      expect.stringContaining('Max-Age=0'),
    ]);
  });

  test('what nobody expected is logged once and says nothing of itself', async () => {
    const secret = () => {
      throw new Error('the innermost secret');
    };
    await using gateway = await openGateway({ behaviour: willing({ signIn: secret }) });
    const page = await post(gateway, '/auth/login', 'email=jo%40example.org&password=x');
    expect([page.status, page.text]).toEqual([500, expect.stringContaining('Something went wrong')]);
    expect(page.text).not.toContain('innermost');
    expect(gateway.lines.filter((line) => line.includes('page failed'))).toHaveLength(1);
  });

  test.each(['done=constructor', 'done=%3Cscript%3E', 'done=out&done=x', 'done'])(
    '?%s shows nothing foreign',
    async (query) => {
      await using gateway = await openGateway({ behaviour: willing() });
      const page = await gateway.ask(`/auth/login?${query}`, { key: undefined });
      expect(page.status).toBe(200);
      expect(page.text).not.toMatch(/<script|function|role="status"/);
    },
  );

  test('who has no account that works changes the profile on the account page; who has one does so in the console', async () => {
    const accounts: object[] = [];
    await using gateway = await openGateway({
      behaviour: willing({ getPerson: () => ({ ...ANSWERS.getPerson, accounts }) }),
    });
    const { cookie, csrfToken } = await signIn(gateway);
    const page = await gateway.ask('/account', { key: undefined, headers: { cookie } });
    expect(page.text).toContain('action="/account/profile"');
    expect(page.text).toContain('value="&lt;i&gt;Jo&lt;/i&gt;"');
    const body = new URLSearchParams({ csrf: csrfToken, firstName: 'Nia', timezone: 'Pacific/Auckland' }).toString();
    const saved = await post(gateway, '/account/profile', body, { cookie });
    expect(saved.headers.location).toBe('/account?done=profile');
    expect(gateway.calls.find(({ rpc }) => rpc === 'updatePerson')?.request).toMatchObject({
      profile: { firstName: 'Nia', timezone: 'Pacific/Auckland', timezoneAdjustForDst: false },
    });
    expect((await post(gateway, '/account/profile', 'firstName=Eve', { cookie })).status).toBe(403);
    accounts.push({ ownerId: ACCOUNT.ownerId, accountName: 'A', slug: 'ab1', standing: 'OWNER', status: 'ACTIVE' });
    const other = await gateway.ask('/account', { key: undefined, headers: { cookie } });
    expect(other.text).not.toContain('action="/account/profile"');
    expect(other.text).toContain('href="/a/ab1/me/profile"');
  });

  test('a profile that is refused is shown as it was typed, with what is wrong beside the field', async () => {
    await using gateway = await openGateway({
      behaviour: willing({
        getPerson: () => ({ ...ANSWERS.getPerson, accounts: [] }),
        updatePerson: refuse('invalid_argument', 'INVALID_ATTRIBUTE', 'phone: must be + and 7 to 15 digits'),
      }),
    });
    const { cookie, csrfToken } = await signIn(gateway);
    const body = new URLSearchParams({ csrf: csrfToken, firstName: 'Typed', phone: '12' }).toString();
    const page = await post(gateway, '/account/profile', body, { cookie });
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('value="Typed"')]);
    expect(page.text).toContain('The phone number must be + and 7 to 15 digits.');
  });

  test('a link that is used up says what to do', async () => {
    await using gateway = await openGateway({
      behaviour: willing({ getLink: refuse('not_found', 'LINK_GONE', 'gone') }),
    });
    for (const method of ['GET', 'POST']) {
      const page = await gateway.ask(`/auth/setupprofile/${TOKEN}`, {
        method,
        key: undefined,
        ...(method === 'POST' && { body: 'a=b', headers: FORM }),
      });
      expect([page.status, page.text]).toEqual([404, expect.stringContaining('get a new link')]);
    }
  });
});
