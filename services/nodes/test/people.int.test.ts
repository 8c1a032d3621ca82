import { type Fixture, openFixture, SESSIONS } from './fixture.ts';
import { type OwnerClient, ownerClient } from './owner-client.ts';
import { newEmail, PASSWORD, peopleClient, tokenOf } from './people-client.ts';
import { securityClient } from './security-client.ts';

let f: Fixture;
let people: ReturnType<typeof peopleClient>;
let mine: Awaited<ReturnType<Fixture['account']>>;
let owner: OwnerClient;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  f = await openFixture();
  people = peopleClient(f);
});
afterAll(() => f.close());
beforeEach(async () => {
  // Windows of attempts of earlier tests are over.
  f.clock.nowMs += 2 * 3_600_000;
  mine = await f.account();
  owner = await ownerClient(f, mine.caller);
});

/** A new administrator. @returns the token of the activation link */
async function newAdministrator(email = newEmail()): Promise<{ email: string; token: string }> {
  const { administrators = [] } = await owner.get();
  const after = await owner.put({ administrators: [...administrators.map(({ user }) => ({ user })), { user: email }] });
  const entry = after.administrators?.find(({ user }) => user === email);
  return { email, token: tokenOf(entry?.profileActivateUrl) };
}
async function activeAdministrator() {
  const { email, token } = await newAdministrator();
  return { email, ...(await people.use(token)) };
}

describe('sign-ins', () => {
  const ID = expect.stringMatching(/^[0-9a-f]{24}$/);

  test('are listed the newest first, with what they came from, and which of them goes on', async () => {
    const { email, sessionSha256: first } = await activeAdministrator();
    f.clock.nowMs += 1_000;
    const { sessionSha256 } = await people.signIn(email);
    await people.signOut(first);
    expect(await people.signIns(sessionSha256)).toEqual([
      {
        signInId: ID,
        atMs: f.clock.nowMs,
        way: 'password',
        clientAddress: '192.0.2.1',
        userAgent: 'Firefox',
        usedMs: f.clock.nowMs,
        expiresMs: expect.any(Number),
        isCurrent: true,
      },
      {
        signInId: ID,
        atMs: f.clock.nowMs - 1_000,
        way: 'link',
        clientAddress: '192.0.2.1',
        userAgent: '',
        usedMs: undefined,
        expiresMs: undefined,
        isCurrent: false,
      },
    ]);
  });

  test('one that goes on is ended; of others, of ended and of unknown ones there is nothing to end', async () => {
    const { email, sessionSha256: first } = await activeAdministrator();
    const { sessionSha256 } = await people.signIn(email);
    const [, other] = await people.signIns(sessionSha256);
    const stranger = await activeAdministrator();
    const missing = { kind: 'not_found' };
    await expect(people.endSignIn(stranger.sessionSha256, other!.signInId)).rejects.toMatchObject(missing);
    expect(await people.caller(first)).toMatchObject({ username: email });
    await people.endSignIn(sessionSha256, other!.signInId.toUpperCase());
    await expect(people.caller(first)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(people.endSignIn(sessionSha256, other!.signInId)).rejects.toMatchObject(missing);
    await expect(people.endSignIn(sessionSha256, 'x')).rejects.toMatchObject(missing);
    await expect(people.signIns(first)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('the newest fifty of a person are kept', async () => {
    const { email } = await activeAdministrator();
    const { userId } = await people.signIn(email);
    await f.database.query(
      `INSERT INTO sign_ins (sign_in_id, user_id, at_ms, way, client_address, user_agent)
       SELECT lpad(n::text, 24, '0'), $1, n, 'password', '', '' FROM generate_series(1, 60) n`,
      [userId],
    );
    const { sessionSha256 } = await people.signIn(email);
    const all = await people.signIns(sessionSha256);
    expect([all.length, all.filter(({ usedMs }) => usedMs !== undefined).length]).toEqual([50, 3]);
    await f.database.query(`DELETE FROM sign_ins WHERE sign_in_id LIKE '0000000000000000%'`);
  });
});

describe('activation', () => {
  test('the owner of each new account has a fresh link, which counts for that account alone', async () => {
    const email = newEmail();
    const request = { accountName: 'A', email, firstName: 'Jo', lastName: '', accountType: '' };
    const made = [];
    for (let i = 0; i < 2; i += 1) made.push(await f.accountsClient.createAccount(request, f.service));
    const urls = made.map(({ ownerActivateUrl }) => ownerActivateUrl);
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) expect(url).toMatch(/^https:\/\/app\.test\/auth\/setupprofile\/[0-9a-f-]{36}$/);
    for (const { ownerActivateUrl, ownerId } of made) {
      const { sessionSha256 } = await people.use(tokenOf(ownerActivateUrl));
      expect((await people.person(sessionSha256)).accounts).toMatchObject([{ ownerId, standing: 'OWNER' }]);
    }
  });

  test('the link shows whom it is for, sets password and profile, signs in, and is used up', async () => {
    const email = newEmail();
    const named = { user: email, name: { first: 'Anna', last: '' }, timezone: 'Etc/UTC' };
    const after = await owner.put({ administrators: [named] });
    const token = tokenOf(after.administrators?.[0]?.profileActivateUrl);
    expect(await people.link(token)).toMatchObject({
      purpose: 'activate',
      email,
      profile: { firstName: 'Anna', lastName: '', phone: '', timezone: 'Etc/UTC', timezoneAdjustForDst: true },
      expiresMs: f.clock.nowMs + 7 * DAY_MS,
    });
    const signedIn = await people.use(token);
    expect(signedIn).toMatchObject({ username: email, ownerId: mine.ownerId });
    const person = await people.person(signedIn.sessionSha256);
    expect(person).toMatchObject({
      email,
      profile: { firstName: 'Ann', phone: '+61865550100', timezone: 'Australia/Perth', timezoneAdjustForDst: false },
      ownerId: mine.ownerId,
      accounts: [{ ownerId: mine.ownerId, standing: 'ADMINISTRATOR', status: 'ACTIVE' }],
    });
    await expect(people.link(token)).rejects.toMatchObject({ kind: 'not_found', reason: 'LINK_GONE' });
    await expect(people.use(token)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await people.signIn(email.toUpperCase())).toMatchObject({ username: email });
    const shown = (await owner.get()).administrators?.[0];
    expect(shown).toMatchObject({ name: { first: 'Ann', last: 'Lee' }, lastLoginTime: expect.any(String) });
    expect(shown).not.toHaveProperty('profileActivateUrl');
  });

  test('a link ends after seven days', async () => {
    const { token } = await newAdministrator();
    f.clock.nowMs += 7 * DAY_MS - 1;
    await people.link(token);
    f.clock.nowMs += 1;
    await expect(people.link(token)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(people.use(token)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test.each([
    ['a short password', { password: 'ninechars' }, 'password: must have 10'],
    ['a phone that is none', { profile: { phone: '12' } }, 'phone: must be +'],
    ['an unknown zone', { profile: { timezone: 'Mars/Base' } }, 'timezone: '],
    ['a long name', { profile: { firstName: 'x'.repeat(61) } }, 'name.first'],
    ['a time format without end', { profile: { timeFormat: 'x'.repeat(61) } }, 'timeFormat'],
  ])('%s is refused by name, and the link stays', async (_what, change, message) => {
    const { token } = await newAdministrator();
    await expect(people.use(token, change)).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringMatching(new RegExp(`^${message.replace('+', '\\+')}`)),
    });
    expect(await people.use(token)).toMatchObject({ ownerId: mine.ownerId });
  });

  test.each(['', 'x', '0'.repeat(36), '00000000-0000-4000-8000-000000000000', "' OR 1=1 --", 'A'.repeat(100_000)])(
    'what is no link opens nothing (%#)',
    async (token) => {
      await expect(people.link(token)).rejects.toMatchObject({ kind: 'not_found' });
      await expect(people.use(token)).rejects.toMatchObject({ kind: 'not_found' });
    },
  );

  test('of two who use a link at once one wins', async () => {
    const { token, email } = await newAdministrator();
    const passwords = ['first password', 'second password'];
    const outcomes = await Promise.allSettled(passwords.map((password) => people.use(token, { password })));
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await people.signIn(email, passwords[winner]);
    await expect(people.signIn(email, passwords[1 - winner])).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('nothing at rest opens anything: neither tokens, passwords nor sessions are in the database', async () => {
    const { token } = await newAdministrator();
    const { token: unused } = await newAdministrator();
    const { sessionSha256 } = await people.use(token);
    const tables = ['users', 'person_links', 'mails', 'sessions', 'attempts'];
    const texts = await Promise.all(
      tables.map(async (table) => (await f.database.query(`SELECT t::text FROM ${table} t`)).rows),
    );
    const all = JSON.stringify(texts);
    for (const secret of [token, unused, unused.replaceAll('-', ''), PASSWORD]) expect(all).not.toContain(secret);
    expect(all).toContain(sessionSha256.toString('hex'));
  });
});

describe('sign-in', () => {
  test('wrong password, unknown person and unfinished profile are refused alike', async () => {
    const { email } = await activeAdministrator();
    const { email: pending } = await newAdministrator();
    const refused = await Promise.all(
      [
        [email, 'wrong password'],
        [email, ''],
        [newEmail(), PASSWORD],
        [pending, PASSWORD],
        [pending, ''],
        ['not an e-mail', PASSWORD],
      ].map(([who = '', password]) =>
        people.signIn(who, password).catch(({ kind, reason, message }) => ({ kind, reason, message })),
      ),
    );
    for (const attempt of refused)
      expect(attempt).toEqual({
        kind: 'unauthenticated',
        reason: 'SIGN_IN_FAILED',
        message: 'The e-mail address or the password is wrong.',
      });
  });

  test('ten wrong passwords from one place: the right one is refused too, until the window ends; another place may', async () => {
    const { email } = await activeAdministrator();
    for (let i = 0; i < 10; i += 1)
      await expect(people.signIn(email, `wrong password ${i}`, '192.0.2.7')).rejects.toMatchObject({
        kind: 'unauthenticated',
      });
    await expect(people.signIn(email, PASSWORD, '192.0.2.7')).rejects.toMatchObject({
      kind: 'resource_exhausted',
      reason: 'TOO_MANY_ATTEMPTS',
      message: 'Too many attempts. Try again in 15 minutes.',
      retryAfterSeconds: 900,
    });
    await people.signIn(email, PASSWORD, '192.0.2.8');
    f.clock.nowMs += 15 * 60_000;
    await people.signIn(email, PASSWORD, '192.0.2.7');
  });

  test('attempts at once cannot pass the limit together', async () => {
    const { email } = await activeAdministrator();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 25 }, (_, i) => people.signIn(email, `wrong password ${i}`, '192.0.2.9')),
    );
    const kinds = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.kind : 'signed in'));
    expect(kinds.filter((kind) => kind === 'unauthenticated')).toHaveLength(10);
    expect(kinds.filter((kind) => kind === 'resource_exhausted')).toHaveLength(15);
  });

  test('one person is guessed at ever more slowly from many places, but never locked out; one place is', async () => {
    const { email } = await activeAdministrator();
    const key = (what: string, ...parts: string[]) => JSON.stringify([what, ...parts]);
    const fill = (text: string, count: number) =>
      f.database.query(
        `INSERT INTO attempts VALUES (sha256(convert_to($1, 'UTF8')), $2, $3)
        ON CONFLICT (key_sha256) DO UPDATE SET count = excluded.count`,
        [text, count, f.clock.nowMs + 900_000],
      );
    for (const [failures, waitMs] of [
      [9, undefined],
      [10, undefined],
      [11, 250],
      [29, 4_750],
      [30, 5_000],
      [1_000_000, 5_000],
    ] as const) {
      f.clock.pausesMs.length = 0;
      await fill(key('sign-in person', email), failures);
      await people.signIn(email, PASSWORD, '192.0.2.10');
      expect(f.clock.pausesMs).toEqual(waitMs === undefined ? [] : [waitMs]);
    }
    await fill(key('sign-in place', '192.0.2.11'), 100);
    await expect(people.signIn(newEmail(), PASSWORD, '192.0.2.11')).rejects.toMatchObject({
      kind: 'resource_exhausted',
    });
  });

  test('people who sign in rightly are never counted out', async () => {
    const { email } = await activeAdministrator();
    for (let i = 0; i < 12; i += 1) await people.signIn(email, PASSWORD, '192.0.2.12');
  });

  test('a session ends without use, and after its longest life however much it is used', async () => {
    const { email } = await activeAdministrator();
    const idle = await people.signIn(email);
    f.clock.nowMs += SESSIONS.sessionIdleMs;
    await expect(people.caller(idle.sessionSha256)).rejects.toMatchObject({ kind: 'unauthenticated' });
    const used = await people.signIn(email);
    expect(used.expiresMs).toBe(f.clock.nowMs + SESSIONS.sessionMaxMs);
    while (f.clock.nowMs + SESSIONS.sessionIdleMs / 2 < used.expiresMs) {
      await people.caller(used.sessionSha256);
      f.clock.nowMs += SESSIONS.sessionIdleMs / 2;
    }
    f.clock.nowMs = used.expiresMs;
    await expect(people.person(used.sessionSha256)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test('signing out ends this session only; doing it again is no error', async () => {
    const { email, sessionSha256 } = await activeAdministrator();
    const other = await people.signIn(email);
    await people.signOut(sessionSha256);
    await people.signOut(sessionSha256);
    await expect(people.caller(sessionSha256)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await people.caller(other.sessionSha256);
  });

  test('a person has at most fifty sessions: the oldest give way', async () => {
    const { email, sessionSha256, userId } = await activeAdministrator();
    await f.database.query(
      `INSERT INTO sessions SELECT sha256(int4send(n)), $1, NULL, $2::bigint + n, $2, $2::bigint + 1000000 FROM generate_series(1, 60) n`,
      [userId, f.clock.nowMs],
    );
    f.clock.nowMs += 1_000;
    const newest = await people.signIn(email);
    const { rows } = await f.database.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId]);
    expect(rows).toHaveLength(50);
    await people.caller(newest.sessionSha256);
    await expect(people.caller(sessionSha256)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  test.each([Buffer.alloc(0), Buffer.alloc(31), Buffer.alloc(32)])(
    'an unknown session is nobody (%#)',
    async (sha256) => {
      await expect(people.caller(sha256)).rejects.toMatchObject({ kind: 'unauthenticated' });
      await expect(people.person(sha256)).rejects.toMatchObject({ kind: 'unauthenticated' });
      await expect(people.update(sha256, {})).rejects.toMatchObject({ kind: 'unauthenticated' });
      await expect(people.choose(sha256, mine.ownerId)).rejects.toMatchObject({ kind: 'unauthenticated' });
      await expect(people.changePassword(sha256, PASSWORD, 'another password')).rejects.toMatchObject({
        kind: 'unauthenticated',
      });
    },
  );
});

describe('passwords', () => {
  test('a change needs the current one and ends all other sessions and links', async () => {
    const { email, sessionSha256 } = await activeAdministrator();
    const other = await people.signIn(email);
    const link = await people.createLink(email);
    await expect(people.changePassword(sessionSha256, 'not the one', 'another password')).rejects.toMatchObject({
      reason: 'SIGN_IN_FAILED',
    });
    await expect(people.changePassword(sessionSha256, PASSWORD, 'short')).rejects.toMatchObject({
      message: expect.stringContaining('newPassword: must have 10'),
    });
    await people.caller(other.sessionSha256);
    await people.changePassword(sessionSha256, PASSWORD, 'another password');
    await people.caller(sessionSha256);
    await expect(people.caller(other.sessionSha256)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await expect(people.link(tokenOf(link.url))).rejects.toMatchObject({ kind: 'not_found' });
    await expect(people.signIn(email, PASSWORD)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await people.signIn(email, 'another password');
  });

  test('the current one cannot be guessed from an open session', async () => {
    const { sessionSha256 } = await activeAdministrator();
    for (let i = 0; i < 10; i += 1)
      await people.changePassword(sessionSha256, `wrong password ${i}`, 'another password').catch(() => {});
    await expect(people.changePassword(sessionSha256, PASSWORD, 'another password')).rejects.toMatchObject({
      kind: 'resource_exhausted',
    });
  });

  test('a link of the installation sets a new one for an hour, keeps the profile, and ends sessions', async () => {
    const { email, sessionSha256 } = await activeAdministrator();
    const { url, purpose, expiresMs } = await people.createLink(email);
    expect([purpose, expiresMs]).toEqual(['reset', f.clock.nowMs + 3_600_000]);
    expect(url).toMatch(/^https:\/\/app\.test\/auth\/resetpassword\//);
    const used = await people.use(tokenOf(url), { password: 'another password', profile: { firstName: 'Mallory' } });
    expect((await people.person(used.sessionSha256)).profile?.firstName).toBe('Ann');
    await expect(people.caller(sessionSha256)).rejects.toMatchObject({ kind: 'unauthenticated' });
    await people.signIn(email, 'another password');
    await expect(people.createLink(newEmail())).rejects.toMatchObject({ kind: 'invalid_argument' });
  });

  test('one link that is used takes all others of the person with it', async () => {
    const { email, token } = await newAdministrator();
    const second = await people.createLink(email);
    expect(second.purpose).toBe('activate');
    await people.use(token);
    await expect(people.use(tokenOf(second.url))).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('accounts', () => {
  test('a session works in one account, with everything for those who stand there', async () => {
    const { sessionSha256, email, userId } = await activeAdministrator();
    expect(await people.caller(sessionSha256)).toMatchObject({
      ownerId: mine.ownerId,
      userId,
      username: email,
      permission: 'MODIFY',
      accessLevel: 'ACCOUNT',
      accountStatus: 'ACTIVE',
    });
    expect((await people.caller(sessionSha256)).rights).toBeUndefined();
  });

  test('another account of the person may be chosen, a foreign one may not', async () => {
    const { sessionSha256, email } = await activeAdministrator();
    const other = await f.account();
    await expect(people.choose(sessionSha256, other.ownerId)).rejects.toMatchObject({ kind: 'not_found' });
    await people.prove(email);
    const session = await people.signIn(email);
    await (await ownerClient(f, other.caller)).put({ administrators: [{ user: email }] });
    await expect(people.choose(session.sessionSha256, other.ownerId)).rejects.toMatchObject({ kind: 'not_found' });
    await people.acceptAll(session.sessionSha256);
    await people.choose(session.sessionSha256, other.ownerId);
    expect((await people.caller(session.sessionSha256)).ownerId).toBe(other.ownerId);
    const stranger = await f.account();
    await expect(people.signIn(email, PASSWORD, '', stranger.slug)).rejects.toMatchObject({
      kind: 'permission_denied',
    });
    const there = await people.signIn(email, PASSWORD, '', other.slug.toUpperCase());
    expect(there.ownerId).toBe(other.ownerId);
  });

  test('a request may name an account of the person, with the rights there; the session goes on in its own', async () => {
    const { sessionSha256, email } = await activeAdministrator();
    const other = await f.account();
    const refused = { kind: 'permission_denied' };
    await expect(people.caller(sessionSha256, other.ownerId)).rejects.toMatchObject(refused);
    await people.prove(email);
    const session = await people.signIn(email);
    const workspace = await other.create('Workspace', 'Shared');
    const security = await securityClient(f, other.caller);
    await security.grant(workspace._id, { users: [{ user: email, role: 'View' }] });
    await expect(people.caller(session.sessionSha256, other.ownerId)).rejects.toMatchObject(refused);
    await people.acceptAll(session.sessionSha256);
    expect(await people.caller(session.sessionSha256, other.ownerId)).toMatchObject({
      ownerId: other.ownerId,
      accessLevel: 'WORKSPACES',
      rights: { grants: [{ permissions: ['VIEW'], workspaceIds: [workspace._id] }] },
    });
    expect(await people.caller(session.sessionSha256)).toMatchObject({
      ownerId: mine.ownerId,
      accessLevel: 'ACCOUNT',
      rights: undefined,
    });
    await security.revoke(workspace._id, { users: [{ user: email }] });
    await expect(people.caller(session.sessionSha256, other.ownerId)).rejects.toMatchObject(refused);
    await expect(people.caller(session.sessionSha256, 'f'.repeat(24))).rejects.toMatchObject(refused);
  });

  test('who is no administrator any more may do nothing there from then on', async () => {
    const { sessionSha256 } = await activeAdministrator();
    await owner.put({ administrators: [] });
    await expect(people.caller(sessionSha256)).rejects.toMatchObject({ kind: 'permission_denied' });
    expect(await people.person(sessionSha256)).toMatchObject({ ownerId: '', accounts: [] });
  });

  test('administrators of the account above manage the one below', async () => {
    const { sessionSha256 } = await activeAdministrator();
    const below = await f.accountsClient.createAccount(
      { accountName: 'Below', email: newEmail(), firstName: '', lastName: '', accountType: '', parent: mine.ownerId },
      f.service,
    );
    const { accounts } = await people.person(sessionSha256);
    expect(accounts.map(({ ownerId, standing }) => [ownerId, standing])).toEqual([
      [mine.ownerId, 'ADMINISTRATOR'],
      [below.ownerId, 'MANAGER'],
    ]);
    await people.choose(sessionSha256, below.ownerId);
    expect(await people.caller(sessionSha256)).toMatchObject({ ownerId: below.ownerId, accessLevel: 'ACCOUNT' });
  });

  test('a workspace user may do what the role allows, where it does', async () => {
    const workspace = await mine.create('Workspace', 'Site');
    const email = newEmail();
    await owner.createGroups([{ name: `Crew of ${email}`, users: [{ user: email }] }]);
    await f.database.query(
      `INSERT INTO workspace_access (owner_id, workspace_id, user_id, role_id, expires_ms)
       SELECT $1, $2, user_id, role_id, $4 FROM roles, users WHERE owner_id = $1 AND name = 'Operate' AND address = $3`,
      [mine.ownerId, workspace._id, email, f.clock.nowMs + 60_000],
    );
    const { sessionSha256 } = await people.use(tokenOf((await people.createLink(email)).url));
    const caller = await people.caller(sessionSha256);
    expect(caller).toMatchObject({ ownerId: mine.ownerId, accessLevel: 'WORKSPACES' });
    expect(caller.rights?.grants).toEqual([
      { workspaceIds: [workspace._id], permissions: expect.arrayContaining(['VIEW', 'EDIT_ALARMS']) },
    ]);
    expect((await people.person(sessionSha256)).accounts).toMatchObject([{ standing: 'USER' }]);
    f.clock.nowMs += 60_000;
    await expect(people.caller(sessionSha256)).rejects.toMatchObject({ kind: 'permission_denied' });
  });
});

describe('profile', () => {
  test('a person changes it; what is wrong changes nothing', async () => {
    const { sessionSha256 } = await activeAdministrator();
    await people.update(sessionSha256, { firstName: 'Annabel', phone: '', timezone: '' });
    const { profile } = await people.person(sessionSha256);
    expect(profile).toMatchObject({ firstName: 'Annabel', phone: '', timezone: '', timeFormat: 'DD/MM/YYYY HH:mm' });
    await expect(people.update(sessionSha256, { firstName: 'X', phone: 'no' })).rejects.toMatchObject({
      kind: 'invalid_argument',
      message: expect.stringContaining('phone'),
    });
    expect((await people.person(sessionSha256)).profile).toEqual(profile);
  });
});

test('only our own services may speak for people', async () => {
  const options = { token: await f.signer.sign(mine.caller) };
  const denied = { kind: 'permission_denied', reason: 'SERVICE_CALLER_NEEDED' };
  await expect(f.people.createLink({ email: 'a@b.c' }, options)).rejects.toMatchObject(denied);
  await expect(f.people.getLink({ token: '' }, options)).rejects.toMatchObject(denied);
  await expect(f.people.getPerson({ sessionSha256: Buffer.alloc(32) }, options)).rejects.toMatchObject(denied);
});
