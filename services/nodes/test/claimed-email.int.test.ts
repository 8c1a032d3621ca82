import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { type Fixture, openFixture } from './fixture.ts';
import { type OwnerClient, ownerClient, type User } from './owner-client.ts';
import { newEmail, PASSWORD, peopleClient, sendMails, tokenOf } from './people-client.ts';
import { callerOf, securityClient } from './security-client.ts';

let f: Fixture;
let people: ReturnType<typeof peopleClient>;
let server: TestMailServer;
/** Two accounts know nothing of each other. */
let a: Account;
let b: Account;
type Account = Awaited<ReturnType<typeof openAccount>>;

beforeAll(async () => {
  [f, server] = await Promise.all([openFixture(), testMailServer()]);
  people = peopleClient(f);
});
afterAll(async () => {
  await f.close();
  await server.close();
});
beforeEach(async () => {
  // Windows of attempts of earlier tests are over.
  f.clock.nowMs += 25 * 3_600_000;
  [a, b] = [await openAccount(), await openAccount()];
});

async function openAccount() {
  const account = await f.account();
  const owner = await ownerClient(f, account.caller);
  return { ...account, owner, security: await securityClient(f, account.caller) };
}

const CLAIM = 'password of the claim';
const entryOf = (users: readonly User[] | undefined, email: string) => users?.find(({ user }) => user === email);
/** Names an administrator. @returns the token of the answer */
async function name(owner: OwnerClient, email: string, more: object = {}): Promise<string> {
  const { administrators = [] } = await owner.get();
  const list = [...administrators.map(({ user }) => ({ user })), { user: email, ...more }];
  return tokenOf(entryOf((await owner.put({ administrators: list })).administrators, email)?.profileActivateUrl);
}
/** Names an administrator and sets the password by the link of the answer, as the account can. */
async function claim(account: Account, email: string, password = CLAIM) {
  return people.use(await name(account.owner, email), { password });
}
/** Makes a person who has proven the e-mail, administrator of an account of their own. */
async function provenPerson() {
  const home = await openAccount();
  const email = newEmail();
  await name(home.owner, email);
  return { home, email, ...(await people.prove(email)) };
}
const accountsOf = async (sessionSha256: Buffer) =>
  (await people.person(sessionSha256)).accounts.map(({ ownerId }) => ownerId).toSorted();
const opens = async (email: string, password: string, account = '') =>
  accountsOf((await people.signIn(email, password, '192.0.2.1', account)).sessionSha256);
const REFUSED = { kind: 'unauthenticated' };
const GONE = { kind: 'not_found', reason: 'LINK_GONE' };
async function mailsTo(email: string) {
  await sendMails(f, server);
  return server.mails.filter(({ to }) => to.includes(email));
}
const linkIn = (text = '') =>
  tokenOf(/https:\/\/app\.test\/auth\/(setupprofile|resetpassword)\/[0-9a-f-]{36}/.exec(text)?.[0]);
const securityEvents = (ownerId: string, username: string) =>
  f.published.events
    .filter((event) => event.ownerId === ownerId && event.username === username && event.eventType === 'SECURITY')
    .map(({ message }) => message);

describe('an account that names an e-mail', () => {
  test.each(['before', 'after'])('opens by its link nothing of another account that names it %s', async (when) => {
    const email = newEmail();
    if (when === 'after') await name(a.owner, email);
    await claim(b, email);
    if (when === 'before') await name(a.owner, email);
    expect(await opens(email, CLAIM)).toEqual([b.ownerId]);
    await people.prove(email);
    expect(await opens(email, CLAIM).catch(({ kind }) => kind)).not.toContain(a.ownerId);
  });

  test('opens nothing of an account that is created for the e-mail afterwards, whose owner gets a fresh link', async () => {
    const email = newEmail();
    await claim(b, email);
    const request = { accountName: 'Later', email, firstName: '', lastName: '', accountType: '' };
    const { ownerId, ownerActivateUrl } = await f.accountsClient.createAccount(request, f.service);
    expect(await opens(email, CLAIM)).toEqual([b.ownerId]);
    await people.use(tokenOf(ownerActivateUrl));
    expect(await opens(email, PASSWORD)).toEqual([ownerId]);
    expect(await opens(email, CLAIM)).toEqual([b.ownerId]);
  });

  test('cannot take a person who is active elsewhere: its link makes a profile of its own', async () => {
    const { email, home } = await provenPerson();
    await claim(b, email);
    expect(await opens(email, PASSWORD)).toEqual([home.ownerId]);
    expect(await opens(email, CLAIM)).toEqual([b.ownerId]);
  });

  test.each([
    ['an administrator', (account: Account, user: object) => account.owner.put({ administrators: [user] })],
    [
      'a member of a group',
      (account: Account, user: object) => account.owner.createGroups([{ name: 'Crew', users: [user] }]),
    ],
    [
      'a user of a Workspace',
      async (account: Account, user: object) => {
        const site = await account.create('Workspace', 'Site');
        const entry = { ...user, role: 'View', notificationCategories: [{ category: 'Critical', email: true }] };
        return [
          await account.security.grant(site._id, { users: [entry] }),
          await account.security.get(site._id),
          await account.security.notifications(site._id, 'ALL'),
        ];
      },
    ],
  ])('gets the same answer for a known and an unknown e-mail: %s', async (_what, invite) => {
    const { email: known } = await provenPerson();
    const unknown = newEmail();
    const named = { name: { first: 'As', last: 'Given' }, phone: '+61865550100' };
    const shape = (answer: unknown, account: Account, email: string) =>
      JSON.stringify(answer)
        .replaceAll(email, 'E-MAIL')
        .replaceAll(account.caller.username, 'OWNER')
        .replaceAll(/Account \d+/g, 'NAME')
        .replaceAll(account.slug, 'SLUG')
        // A digest of what is shown, the e-mail too.
        .replaceAll(/"revision":\d+/g, '"revision":0')
        .replaceAll(/[0-9a-f]{24}|[0-9a-f-]{36}/g, 'ID');
    const answers = [
      shape(await invite(a, { user: known, ...named }), a, known),
      shape(await invite(b, { user: unknown, ...named }), b, unknown),
    ];
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toContain('/auth/setupprofile/ID');
    expect(answers[0]).toContain('"first":"As"');
    expect(answers[0]).not.toMatch(/"lastLoginTime":"/);
  });

  test('queues as many mails and links for a known e-mail as for an unknown one, and only the known one is sent', async () => {
    const { email: known } = await provenPerson();
    const unknown = newEmail();
    const before = (await mailsTo(known)).length;
    await name(b.owner, known);
    await name(b.owner, unknown);
    const { rows } = await f.database.query<{ recipient: string }>('SELECT recipient FROM mails ORDER BY seq');
    expect(rows.map(({ recipient }) => recipient)).toEqual([known, unknown]);
    const links = await f.database.query(
      'SELECT count(*) AS n FROM person_links JOIN users USING (user_id) WHERE home_owner_id = $1 GROUP BY user_id',
      [b.ownerId],
    );
    // The account's owner has two as well.
    expect(links.rows).toEqual([{ n: 2 }, { n: 2 }, { n: 2 }]);
    expect(await mailsTo(known)).toHaveLength(before + 1);
    expect(await mailsTo(unknown)).toEqual([]);
  });

  test('sees the person’s own names and times after the person has accepted, and not before', async () => {
    const { email, sessionSha256 } = await provenPerson();
    await name(b.owner, email, { name: { first: 'As', last: 'Given' } });
    const shown = async () => entryOf((await b.owner.get()).administrators, email);
    expect(await shown()).toEqual({ user: email, name: { first: 'As', last: 'Given' } });
    await people.acceptAll(sessionSha256);
    expect(await shown()).toEqual({
      user: email,
      name: { first: 'Ann', last: 'Lee' },
      lastLoginTime: expect.any(String),
    });
  });

  test('sends at most ten links a day to one e-mail', async () => {
    const email = newEmail();
    const groups = (await b.owner.createGroups([{ name: 'Crew', users: [{ user: email }] }])) as { _id: string }[];
    const again = async () => {
      f.clock.nowMs += 1_000;
      await b.owner.updateGroup(groups[0]?._id ?? '', { users: [{ user: email }] }, true);
      return mailsTo(email);
    };
    for (let i = 0; i < 12; i += 1) await again();
    // An unneeded mail was not sent, but counts.
    expect(await mailsTo(email)).toHaveLength(9);
    f.clock.nowMs += 24 * 3_600_000;
    expect(await again()).toHaveLength(10);
  });
});

describe('a person who has proven the e-mail', () => {
  test('accepts what another account gives: access begins, and password, session and links of the account’s profile end', async () => {
    const { email, home, sessionSha256 } = await provenPerson();
    const claimed = await claim(b, email);
    const handed = await b.owner.put({ administrators: [{ user: email }] });
    expect(entryOf(handed.administrators, email)).not.toHaveProperty('profileActivateUrl');
    const [invitation, ...more] = await people.invitations(sessionSha256);
    expect(more).toEqual([]);
    expect(invitation).toMatchObject({ ownerId: b.ownerId, slug: b.slug, standing: 'ADMINISTRATOR' });
    expect(await accountsOf(sessionSha256)).toEqual([home.ownerId]);
    await people.accept(sessionSha256, invitation?.invitationId ?? '');
    expect(await accountsOf(sessionSha256)).toEqual([home.ownerId, b.ownerId].toSorted());
    await expect(people.caller(claimed.sessionSha256)).rejects.toMatchObject(REFUSED);
    await expect(people.signIn(email, CLAIM)).rejects.toMatchObject(REFUSED);
    expect(await people.invitations(sessionSha256)).toEqual([]);
    await until(() => securityEvents(b.ownerId, email).includes('Accepted the access to the account'));
  });

  test('declines it: the account has nobody by the e-mail any more, and its link opens nothing', async () => {
    const { email, sessionSha256 } = await provenPerson();
    const site = await b.create('Workspace', 'Site');
    const token = await name(b.owner, email);
    await b.owner.createGroups([{ name: 'Crew', users: [{ user: email }] }]);
    await b.owner.put({ administrators: [] });
    await b.security.grant(site._id, { users: [{ user: email, role: 'View' }] });
    const [invitation] = await people.invitations(sessionSha256);
    expect(invitation).toMatchObject({ ownerId: b.ownerId, standing: 'USER' });
    await people.decline(sessionSha256, invitation?.invitationId ?? '');
    expect(JSON.stringify([await b.owner.get(), await b.security.get(site._id)])).not.toContain(email);
    await expect(people.link(token)).rejects.toMatchObject(GONE);
    expect(await people.invitations(sessionSha256)).toEqual([]);
    await until(() => securityEvents(b.ownerId, email).includes('Declined the access to the account'));
  });

  test('does not decline the ownership of an account', async () => {
    const { email, sessionSha256 } = await provenPerson();
    const request = { accountName: 'Given', email, firstName: '', lastName: '', accountType: '' };
    const { ownerId } = await f.accountsClient.createAccount(request, f.service);
    const [invitation] = await people.invitations(sessionSha256);
    expect(invitation).toMatchObject({ ownerId, standing: 'OWNER' });
    await expect(people.decline(sessionSha256, invitation?.invitationId ?? '')).rejects.toMatchObject({
      kind: 'failed_precondition',
    });
    await people.accept(sessionSha256, invitation?.invitationId ?? '');
    expect(await accountsOf(sessionSha256)).toContain(ownerId);
  });

  test('does not answer the invitations of others', async () => {
    const [ann, bob] = [await provenPerson(), await provenPerson()];
    await name(b.owner, bob.email);
    const [invitation] = await people.invitations(bob.sessionSha256);
    for (const id of [invitation?.invitationId ?? '', bob.userId, ann.userId, 'x', ''])
      for (const answer of [people.accept, people.decline])
        await expect(answer(ann.sessionSha256, id)).rejects.toMatchObject({ kind: 'not_found' });
    expect(await people.invitations(bob.sessionSha256)).toHaveLength(1);
  });

  test('accepts by the mailed link too, which sets the password anew and ends other sessions', async () => {
    const { email, home, sessionSha256 } = await provenPerson();
    await name(b.owner, email, { name: { first: 'Mallory' } });
    const mail = (await mailsTo(email)).at(-1);
    expect(mail?.subject).toContain('do you accept it?');
    const token = linkIn(mail?.text);
    expect(await people.link(token)).toMatchObject({ purpose: 'reset', email });
    const used = await people.use(token, { password: 'another password' });
    expect(used.ownerId).toBe(b.ownerId);
    expect((await people.person(used.sessionSha256)).profile?.firstName).toBe('Ann');
    expect(await opens(email, 'another password')).toEqual([home.ownerId, b.ownerId].toSorted());
    await expect(people.signIn(email, PASSWORD)).rejects.toMatchObject(REFUSED);
    await expect(people.caller(sessionSha256)).rejects.toMatchObject(REFUSED);
  });

  test('keeps one entry where profile and person have the same', async () => {
    const { email, sessionSha256, userId } = await provenPerson();
    const site = await b.create('Workspace', 'Site');
    await b.security.grant(site._id, { users: [{ user: email, role: 'View' }] });
    await f.database.query(
      `INSERT INTO workspace_access (owner_id, workspace_id, user_id, role_id)
       SELECT owner_id, workspace_id, $2, role_id FROM workspace_access WHERE workspace_id = $1`,
      [site._id, userId],
    );
    await people.acceptAll(sessionSha256);
    expect((await b.security.get(site._id)).users.filter(({ contact }) => contact.email === email)).toHaveLength(1);
  });

  test('is somebody else in no account when several prove at once', async () => {
    const email = newEmail();
    await Promise.all([a, b].map(({ owner }) => owner.put({ administrators: [{ user: email }] }, '', true)));
    const tokens = (await mailsTo(email)).map(({ text }) => linkIn(text));
    const used = await Promise.all(tokens.map((token) => people.use(token)));
    expect(new Set(used.map(({ userId }) => userId)).size).toBe(1);
    expect(await opens(email, PASSWORD)).toEqual([a.ownerId, b.ownerId].toSorted());
  });
});

describe('a person whose e-mail is not proven', () => {
  test('hears nothing of what other accounts give to it', async () => {
    const email = newEmail();
    const { sessionSha256 } = await claim(a, email);
    await name(b.owner, email);
    expect(await people.person(sessionSha256)).toMatchObject({ isProven: false, invitations: [] });
    const { rows } = await f.database.query<{ user_id: string }>('SELECT user_id FROM users WHERE home_owner_id = $1', [
      b.ownerId,
    ]);
    for (const { user_id: id } of rows)
      await expect(people.accept(sessionSha256, id)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('has no session before the profile is finished; a key that an account makes for it works there alone', async () => {
    const { email, home, sessionSha256 } = await provenPerson();
    await name(b.owner, email);
    await expect(people.signIn(email, '')).rejects.toMatchObject(REFUSED);
    const { key } = await b.owner.of('apikeys').create({ label: 'Theirs', user: email, accessLevel: 'ACCOUNT' });
    const caller = await callerOf(f, String(key));
    expect(caller).toMatchObject({ ownerId: b.ownerId, username: email });
    expect(caller.userId).not.toBe((await people.caller(sessionSha256)).userId);
    const me = await (await ownerClient(f, caller)).me();
    expect(me).toMatchObject({ name: { first: '', last: '' }, contact: { email } });
    expect(me.contact).not.toHaveProperty('phone');
    expect(await accountsOf(sessionSha256)).toEqual([home.ownerId]);
  });

  test('proves it by the mail for a forgotten password', async () => {
    const email = newEmail();
    await claim(a, email);
    await people.reset(email);
    const { sessionSha256 } = await people.use(linkIn((await mailsTo(email)).at(-1)?.text));
    expect(await people.person(sessionSha256)).toMatchObject({ isProven: true });
    expect(await accountsOf(sessionSha256)).toEqual([a.ownerId]);
    await name(b.owner, email);
    expect(await people.invitations(sessionSha256)).toHaveLength(1);
  });

  test('proves it by a link that the operator hands out, not by the one of a new account', async () => {
    const request = { accountName: 'New', email: newEmail(), firstName: '', lastName: '', accountType: '' };
    const { ownerActivateUrl } = await f.accountsClient.createAccount(request, f.service);
    const first = await people.use(tokenOf(ownerActivateUrl));
    expect((await people.person(first.sessionSha256)).isProven).toBe(false);
    const second = await people.prove(request.email);
    expect((await people.person(second.sessionSha256)).isProven).toBe(true);
  });

  test('is found by the password among several profiles, all of which one hash tries', async () => {
    const email = newEmail();
    const accounts = [];
    for (let i = 0; i < 4; i += 1) {
      const account = await openAccount();
      await claim(account, email, `password number ${i}`);
      accounts.push(account);
    }
    for (const [i, { ownerId }] of accounts.entries())
      expect(await opens(email, `password number ${i}`)).toEqual([ownerId]);
    await expect(people.signIn(email, 'password number 4')).rejects.toMatchObject(REFUSED);
    const { rows } = await f.database.query(
      `SELECT DISTINCT split_part(password_hash, '$', 5) FROM users WHERE address = $1`,
      [email],
    );
    expect(rows).toHaveLength(1);
    await people.prove(email);
    expect((await people.signIn(email, PASSWORD)).username).toBe(email);
  });

  test('opens the account that is named where several profiles have the same password', async () => {
    const email = newEmail();
    for (const account of [a, b]) await claim(account, email);
    for (const { ownerId, slug } of [a, b])
      for (const named of [ownerId, slug]) expect(await opens(email, CLAIM, named)).toEqual([ownerId]);
  });
});

describe('a Workspace user with SECURITY', () => {
  /** Makes a user who shares a Workspace, and the e-mail that they have made a profile for. */
  async function sharer() {
    const site = await b.create('Workspace', 'Site');
    const other = await b.create('Workspace', 'Other');
    const user = newEmail();
    const { added } = await b.security.grant(site._id, { users: [{ user, role: 'Manage' }] });
    await people.use(tokenOf(added[0]?.profileActivateUrl));
    const made = await b.owner.of('apikeys').create({ label: 'Sharer', user, permission: 'MODIFY' });
    const security = await securityClient(f, await callerOf(f, String(made.key)));
    const email = newEmail();
    const granted = await security.grant(site._id, { users: [{ user: email, role: 'Manage' }] });
    const claimed = await people.use(tokenOf(granted.added[0]?.profileActivateUrl), { password: CLAIM });
    const key = await b.owner.of('apikeys').create({ label: 'Claimed', user: email, permission: 'MODIFY' });
    return { site, other, email, security, claimed, key: String(key.key) };
  }
  const holderOf = (key: string) =>
    f.accountsClient.authenticate({ keySha256: hash('sha256', key, 'buffer') }, f.service);

  test('does not become what the account makes of the e-mail later', async () => {
    const { email, claimed, key } = await sharer();
    const token = await name(b.owner, email);
    await expect(people.caller(claimed.sessionSha256)).rejects.toMatchObject(REFUSED);
    await expect(people.signIn(email, CLAIM)).rejects.toMatchObject(REFUSED);
    await expect(holderOf(key)).rejects.toMatchObject(REFUSED);
    const { sessionSha256 } = await people.use(token);
    expect((await people.caller(sessionSha256)).accessLevel).toBe('ACCOUNT');
    // Its owner gets a mail without `notify`: the password has ended.
    await expect(name(b.owner, email)).resolves.toBe('');
  });

  test('keeps the claim where nothing is added: the same Workspace trusts the e-mail again', async () => {
    const { email, site, security, claimed } = await sharer();
    await security.grant(site._id, { users: [{ user: email, role: 'View' }] });
    await people.caller(claimed.sessionSha256);
  });

  test('of another Workspace ends the claim too, and gets no link in the answer: it goes by mail', async () => {
    const { email, other, claimed } = await sharer();
    const user = newEmail();
    const { added } = await b.security.grant(other._id, { users: [{ user, role: 'Manage' }] });
    await people.use(tokenOf(added[0]?.profileActivateUrl));
    const made = await b.owner.of('apikeys').create({ label: 'Other', user, permission: 'MODIFY' });
    const security = await securityClient(f, await callerOf(f, String(made.key)));
    const granted = await security.grant(other._id, { users: [{ user: email, role: 'Manage' }] });
    expect(granted.added[0]).not.toHaveProperty('profileActivateUrl');
    await expect(people.caller(claimed.sessionSha256)).rejects.toMatchObject(REFUSED);
    await people.use(linkIn((await mailsTo(email)).at(-1)?.text));
  });

  test('keeps no key of the e-mail after its owner has proven it', async () => {
    const { email, key } = await sharer();
    await holderOf(key);
    await people.prove(email);
    await expect(holderOf(key)).rejects.toMatchObject(REFUSED);
  });
});

describe('an account that manages another', () => {
  const below = () =>
    f.accountsClient.createAccount(
      { accountName: 'Below', email: newEmail(), firstName: '', lastName: '', accountType: '', parent: b.ownerId },
      f.service,
    );

  test('makes by its administrators’ links nobody who is more than a manager there', async () => {
    const { email, home } = await provenPerson();
    const managed = await below();
    const { sessionSha256 } = await claim(b, email);
    expect(await accountsOf(sessionSha256)).toEqual([b.ownerId, managed.ownerId].toSorted());
    expect(await opens(email, PASSWORD)).toEqual([home.ownerId]);
  });

  test('gives a person who has not accepted nothing of the accounts below', async () => {
    const { email, home, sessionSha256 } = await provenPerson();
    const managed = await below();
    await name(b.owner, email);
    expect(await accountsOf(sessionSha256)).toEqual([home.ownerId]);
    await expect(people.choose(sessionSha256, managed.ownerId)).rejects.toMatchObject({ kind: 'not_found' });
    await people.acceptAll(sessionSha256);
    expect(await accountsOf(sessionSha256)).toEqual([home.ownerId, b.ownerId, managed.ownerId].toSorted());
  });
});

describe('what is old', () => {
  test('a link of an answer opens nothing once the e-mail is proven', async () => {
    const email = newEmail();
    const token = await name(a.owner, email);
    await people.prove(email);
    await expect(people.use(token, { password: CLAIM })).rejects.toMatchObject(GONE);
  });

  test('a session of a claim ends when the owner of the e-mail opens a mailed link', async () => {
    const email = newEmail();
    const { sessionSha256 } = await claim(a, email);
    await people.prove(email);
    await expect(people.caller(sessionSha256)).rejects.toMatchObject(REFUSED);
    await expect(people.signIn(email, CLAIM)).rejects.toMatchObject(REFUSED);
    expect(await opens(email, PASSWORD)).toEqual([a.ownerId]);
  });

  test('an e-mail that somebody else has now: the mailed link ends password and sessions of before', async () => {
    const { email, sessionSha256 } = await provenPerson();
    await people.reset(email);
    await people.use(linkIn((await mailsTo(email)).at(-1)?.text), { password: 'the new one has it' });
    await expect(people.caller(sessionSha256)).rejects.toMatchObject(REFUSED);
    await expect(people.signIn(email, PASSWORD)).rejects.toMatchObject(REFUSED);
  });

  test('an account that has removed a person must invite again', async () => {
    const { email, sessionSha256, home } = await provenPerson();
    await name(b.owner, email);
    await people.acceptAll(sessionSha256);
    await b.owner.put({ administrators: [] });
    await name(b.owner, email);
    expect(await accountsOf(sessionSha256)).toEqual([home.ownerId]);
    expect(await people.invitations(sessionSha256)).toHaveLength(1);
  });

  test('a deleted account takes its profiles with it', async () => {
    const email = newEmail();
    await claim(b, email);
    await f.owners.deleteAccount({ account: b.ownerId }, f.service);
    await expect(people.signIn(email, CLAIM)).rejects.toMatchObject(REFUSED);
    expect((await f.database.query('SELECT 1 FROM users WHERE home_owner_id = $1', [b.ownerId])).rows).toEqual([]);
  });
});

describe('the event log', () => {
  test('reports login, logout and failed login to the accounts of a person, and names no secret', async () => {
    const { email, home, sessionSha256 } = await provenPerson();
    await name(b.owner, email);
    await people.acceptAll(sessionSha256);
    const session = await people.signIn(email);
    await people.signIn(email, 'wrong password').catch(() => {});
    await people.signOut(session.sessionSha256);
    const expected = ['Signed in', 'Sign-in failed: wrong password', 'Signed out'];
    for (const { ownerId } of [home, b])
      await until(() => expected.every((text) => securityEvents(ownerId, email).includes(text)));
    expect(JSON.stringify(f.published.events)).not.toMatch(/correct horse battery|"wrong password"/);
  });

  test('reports nothing of it to an account that has only invited a person', async () => {
    const { email, home } = await provenPerson();
    await claim(b, email);
    await until(() => securityEvents(b.ownerId, email).length > 0);
    const before = securityEvents(b.ownerId, email);
    await people.signIn(email);
    await people.signIn(email, 'wrong password').catch(() => {});
    await until(() => securityEvents(home.ownerId, email).includes('Sign-in failed: wrong password'));
    expect(securityEvents(b.ownerId, email)).toEqual(before);
  });

  test('takes twenty lines of failed logins an hour, the last of which says so', async () => {
    const { email, home } = await provenPerson();
    for (let i = 0; i < 25; i += 1) await people.signIn(email, 'wrong password', `192.0.2.${i}`).catch(() => {});
    const failed = () => securityEvents(home.ownerId, email).filter((text) => text.startsWith('Sign-in failed'));
    await until(() => failed().length >= 20);
    await people.signIn(email);
    await until(() => securityEvents(home.ownerId, email).includes('Signed in'));
    expect(failed()).toHaveLength(20);
    expect(failed().at(-1)).toBe('Sign-in failed: wrong password (no further ones are listed for up to an hour)');
  });
});

test('each line of docs/people-and-links.md has its test', async () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const files = {
    int: 'services/nodes/test/claimed-email.int.test.ts',
    e2e: 'e2e/claimed-email.e2e.test.ts',
    people: 'services/nodes/test/people.int.test.ts',
    migration: 'services/nodes/test/people-migration.int.test.ts',
    gateway: 'services/gateway/test/people.int.test.ts',
    console: 'services/gateway/test/console.int.test.ts',
    stations: 'services/nodes/test/acquisition.int.test.ts',
  };
  const read = (file: string) => readFile(path.join(root, file), 'utf8');
  const sources = Object.fromEntries(
    await Promise.all(Object.entries(files).map(async ([name, file]) => [name, await read(file)] as const)),
  );
  const table = (await read('docs/people-and-links.md')).split('## Threats')[1]?.split('##')[0] ?? '';
  const lines = table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  expect(lines.length).toBeGreaterThan(25);
  const missing = lines.filter((line) => {
    const [, name = '', title = ''] = /\| (\w+): ([^|]+?) \|$/.exec(line) ?? [];
    return title === '' || !sources[name]?.includes(`'${title}'`);
  });
  expect(missing).toEqual([]);
});
