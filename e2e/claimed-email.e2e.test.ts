import path from 'node:path';
import {
  amount,
  HANGS_AFTER_MS,
  QUIET_BROWSER,
  type ReceivedMail,
  type TestMailServer,
  testChromium,
  until,
} from '@catchment/testkit';
import { type Browser, chromium } from 'playwright-core';
import { Api, unique } from './src/api.ts';
import type { Account, Installation } from './src/installation.ts';
import { borrowWithMessages } from './src/lent-installation.ts';

const CLAIM = 'password of the claim';
const PASSWORD = 'correct horse battery';

let installation: Installation;
let mailServer: TestMailServer;
let giveBack: () => Promise<void>;
/** The two accounts know nothing of each other. */
let a: Account;
let b: Account;

beforeAll(async () => {
  ({ installation, mailServer, stop: giveBack } = await borrowWithMessages());
  a = await installation.account({ name: unique('A') });
  b = await installation.account({ name: unique('B') });
});
afterAll(() => giveBack?.());

let serial = 0;
const newEmail = (): string => `claimed-${process.pid}-${++serial}@example.org`;
const linkIn = (mail: ReceivedMail): string =>
  /http:\/\/\S+\/auth\/(?:setupprofile|resetpassword)\/\S+/.exec(mail.text)?.[0] ?? '';
const at = (where: string) => `${installation.url}${where}`;
/** Returns the end of a link, on the address that the tests speak to. */
const here = (link: string) => at(new URL(link).pathname);

type User = { user: string; profileActivateUrl?: string; lastLoginTime?: string; name: object };
/** Names an administrator beside those that there are. @returns the entry of the answer */
async function invite({ api }: Account, email: string, more: object = {}): Promise<User> {
  const { administrators } = (await api.get('/owners/account')).json as { administrators: User[] };
  const list = [...administrators.map(({ user }) => ({ user })), { user: email, ...more }];
  const answer = await api.put('/owners/account', { administrators: list });
  expect(answer.status).toBe(200);
  return answer.json.administrators.find(({ user }: User) => user === email);
}

/** Follows a link as a browser does. @returns the session's cookie */
async function finish(link: string, password: string): Promise<string> {
  const body = new URLSearchParams({ password, repeat: password, firstName: 'Ann', lastName: 'Lee' });
  const answer = await fetch(here(link), { method: 'POST', redirect: 'manual', body });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringContaining('/account')]);
  return cookieOf(answer);
}
const cookieOf = (answer: Response): string => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

async function login(email: string, password: string, address = '192.0.2.1') {
  const answer = await fetch(at('/auth/login'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify({ email, password }),
  });
  const json = (await answer.json()) as { ownerId?: string; csrfToken: string; error?: { message: string } };
  return { status: answer.status, headers: answer.headers, json, cookie: cookieOf(answer) };
}
/** Calls the API with the session of a person. */
async function as({ cookie, json }: Pick<Awaited<ReturnType<typeof login>>, 'cookie' | 'json'>) {
  const api = new Api(installation.url, '');
  const headers = { cookie, 'X-CSRF-Token': json.csrfToken };
  const send = async (method: string, where: string) => {
    const answer = await fetch(`${api.url}/api/v1${where}`, { method, headers });
    const text = await answer.text();
    return { status: answer.status, json: JSON.parse(text) };
  };
  return { get: (where: string) => send('GET', where), post: (where: string) => send('POST', where) };
}
const accountPage = async (cookie: string) => (await fetch(at('/account'), { headers: { cookie } })).text();
const nameOf = async ({ api }: Account): Promise<string> => (await api.get('/owners/account')).json.accountName;

test('an account that names a stranger and sets the password itself gets into no other account that names the same e-mail', async () => {
  const email = newEmail();
  const { profileActivateUrl = '' } = await invite(b, email);
  await finish(profileActivateUrl, CLAIM);
  const fresh = (await invite(a, email)).profileActivateUrl;
  expect(fresh).toContain('/auth/setupprofile/');
  const claimed = await login(email, CLAIM);
  expect(claimed.json.ownerId).toBe(b.id);
  const page = await accountPage(claimed.cookie);
  expect(page).not.toContain(await nameOf(a));
  expect(page).toContain('Confirm your e-mail');
  expect((await (await as(claimed)).get('/users/me/invitations')).json).toEqual([]);

  // The owner of the mailbox gets in, and the claim ends where she accepts.
  const mail = await mailServer.mailTo(email);
  const cookie = await finish(linkIn(mail), PASSWORD);
  expect(await accountPage(cookie)).toContain(await nameOf(a));
  expect((await login(email, PASSWORD)).json.ownerId).toBe(a.id);
});

test('catchment account create prints a fresh link for an owner whose e-mail is claimed; the claim opens nothing of it', async () => {
  const email = newEmail();
  await finish((await invite(b, email)).profileActivateUrl ?? '', CLAIM);
  const output = await installation.accountCommand(['create', '--name', unique('Created'), '--email', email]);
  const link = /(http\S+\/auth\/setupprofile\/\S+)/.exec(output)?.[1] ?? '';
  expect((await login(email, CLAIM)).json.ownerId).toBe(b.id);
  await finish(link, PASSWORD);
  expect((await login(email, PASSWORD)).json.ownerId).toBe(/\(id ([0-9a-f]{24})/.exec(output)?.[1]);
  expect((await login(email, CLAIM)).json.ownerId).toBe(b.id);
});

test('the operator’s catchment person link proves an e-mail without any mail', async () => {
  const email = newEmail();
  await invite(a, email);
  const cookie = await finish(await installation.personLink(email), PASSWORD);
  expect(await accountPage(cookie)).not.toContain('Confirm your e-mail');
  await invite(b, email);
  expect(await accountPage(cookie)).toContain('Waiting for your answer');
});

test('a person who is signed in accepts or declines; a key answers for nobody', async () => {
  const email = newEmail();
  await invite(a, email);
  await finish(await installation.personLink(email), PASSWORD);
  await invite(b, email, { name: { first: 'As', last: 'Given' } });
  const other = await installation.account({ name: unique('C') });
  await invite(other, email);
  const session = await as(await login(email, PASSWORD));
  const { json: invitations } = await session.get('/users/me/invitations');
  expect(
    invitations.map(({ ownerId, standing }: { ownerId: string; standing: string }) => [ownerId, standing]).toSorted(),
  ).toEqual([b, other].map(({ id }) => [id, 'ADMINISTRATOR']).toSorted());
  const idOf = (account: Account) =>
    invitations.find((invitation: { ownerId: string }) => invitation.ownerId === account.id)._id;
  for (const answer of [
    await a.api.get('/users/me/invitations'),
    await b.api.post(`/users/me/invitations/${idOf(b)}/accept`),
  ])
    expect([answer.status, answer.json.error.reason]).toEqual([403, 'SESSION_NEEDED']);
  const before = (await b.api.get('/owners/account')).json.administrators.find(({ user }: User) => user === email);
  expect(before).toEqual({ user: email, name: { first: 'As', last: 'Given' } });
  expect((await session.post(`/users/me/invitations/${idOf(b)}/accept`)).status).toBe(200);
  expect((await session.post(`/users/me/invitations/${idOf(other)}/decline`)).status).toBe(200);
  expect((await session.post(`/users/me/invitations/${idOf(other)}/accept`)).status).toBe(404);
  const after = (await b.api.get('/owners/account')).json.administrators.find(({ user }: User) => user === email);
  expect(after).toEqual({ user: email, name: { first: 'Ann', last: 'Lee' }, lastLoginTime: expect.any(String) });
  expect((await other.api.get('/owners/account')).json.administrators).toEqual([]);
});

test('the page asks, accepts and declines', async () => {
  const email = newEmail();
  await invite(a, email);
  await finish(await installation.personLink(email), PASSWORD);
  await invite(b, email);
  const other = await installation.account({ name: unique('Declined') });
  await invite(other, email);
  const browser: Browser = await chromium.launch({ executablePath: await testChromium(), args: QUIET_BROWSER });
  try {
    const page = await (await browser.newContext({ viewport: { width: 1100, height: 900 } })).newPage();
    page.setDefaultTimeout(HANGS_AFTER_MS);
    const picture = async (name: string) => {
      const folder = process.env.PICTURES;
      if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
    };
    await page.goto(at('/auth/login'));
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Answer' }).click();
    await page.getByRole('heading', { name: 'Waiting for your answer' }).waitFor();
    await picture('invitations');
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await picture('invitations-phone');
    await page.getByRole('button', { name: `Decline ${await nameOf(other)}` }).click();
    await page.getByText('You have declined.').waitFor();
    await page.getByRole('button', { name: `Accept ${await nameOf(b)}` }).click();
    await page.getByText('You have accepted.').waitFor();
    // Its text is seen while the rest of the page still comes.
    await page.waitForLoadState();
    await picture('invitations-answered');
    expect(await page.getByRole('heading', { name: 'Waiting for your answer' }).count()).toBe(0);
    expect(await page.locator('select[name=account] option').count()).toBe(2);
  } finally {
    await browser.close();
  }
});

test('the answer says nothing of who is known, and a known person gets a mail', async () => {
  const [known, unknown] = [newEmail(), newEmail()];
  await invite(a, known);
  await finish(await installation.personLink(known), PASSWORD);
  const named = { name: { first: 'As', last: 'Given' } };
  const plain = (user: User) =>
    JSON.stringify(user)
      .replaceAll(user.user, '')
      .replaceAll(/[0-9a-f-]{36}/g, '');
  expect(plain(await invite(b, known, named))).toBe(plain(await invite(b, unknown, named)));
  expect((await mailServer.mailTo(known)).subject).toContain('do you accept it?');
});

test('wrong passwords from anywhere lock nobody out; one address must wait as long as the answer says', async () => {
  const email = newEmail();
  await invite(a, email);
  await finish(await installation.personLink(email), PASSWORD);
  const guesses = (count: number, address: (i: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, i) => login(email, `wrong password ${i}`, address(i))));
  for (let round = 0; round < amount(1, 3); round += 1)
    for (const { status } of await guesses(20, (i) => `198.51.${round}.${i}`)) expect(status).toBe(401);
  expect((await login(email, PASSWORD, '203.0.113.1')).status).toBe(200);
  await guesses(10, () => '203.0.113.7');
  const refused = await login(email, PASSWORD, '203.0.113.7');
  expect(refused.status).toBe(429);
  const minutes = Number(/in (\d+) minutes/.exec(refused.json.error?.message ?? '')?.[1]);
  expect(minutes).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBe(minutes * 60);
});

test('login, logout and failed login stand in the event log of the person’s account, which no attacker fills', async () => {
  const email = newEmail();
  const account = await installation.account({ name: unique('Logged') });
  await invite(account, email);
  await finish(await installation.personLink(email), PASSWORD);
  const { cookie, json } = await login(email, PASSWORD);
  const out = await fetch(at('/auth/logout'), {
    method: 'POST',
    headers: { cookie, accept: 'application/json', 'X-CSRF-Token': json.csrfToken },
  });
  expect(out.status).toBe(200);
  await Promise.all(Array.from({ length: 30 }, (_, i) => login(email, 'wrong password', `198.51.100.${i}`)));
  const lines = async () => {
    const { json: events } = await account.api.get('/events?limit=1000&sort=eventTime(DESC)');
    const ofPerson = events.filter((event: { username: string }) => event.username === email);
    return ofPerson.map(({ message, eventType }: { message: string; eventType: string }) => `${eventType} ${message}`);
  };
  await until(async () => (await lines()).filter((line: string) => line.includes('failed')).length >= 20);
  const all = (await lines()) as string[];
  expect(all.filter((line) => line.includes('failed'))).toHaveLength(20);
  expect(all).toEqual(expect.arrayContaining(['SECURITY Signed in', 'SECURITY Signed out']));
});
