import path from 'node:path';
import {
  HANGS_AFTER_MS,
  QUIET_BROWSER,
  type ReceivedMail,
  type TestMailServer,
  testChromium,
  until,
} from '@catchment/testkit';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { unique } from './src/api.ts';
import type { Installation } from './src/installation.ts';
import { borrowWithMessages } from './src/lent-installation.ts';

const PASSWORD = 'correct horse battery';

let installation: Installation;
let mailServer: TestMailServer;
let giveBack: () => Promise<void>;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const email = `ann-people-${process.pid}@example.org`;
/** Violations of the pages' content policy; there must be none. */
const refusals: string[] = [];

beforeAll(async () => {
  ({ installation, mailServer, stop: giveBack } = await borrowWithMessages());
  browser = await chromium.launch({ executablePath: await testChromium(), args: QUIET_BROWSER });
  context = await browser.newContext({ viewport: { width: 1100, height: 900 } });
  page = await context.newPage();
  page.setDefaultTimeout(HANGS_AFTER_MS);
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy/i.test(message.text())) refusals.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await giveBack?.();
});

const linkIn = (mail: ReceivedMail): string => /http:\/\/\S+\/auth\/\S+/.exec(mail.text)?.[0] ?? '';
/** Waits until the page has come. */
const shows = (text: string) => page.getByText(text).waitFor();
const isHeaded = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const at = (where: string) => `${installation.url}${where}`;

/** Takes a picture of the page, for people, where PICTURES names a folder. */
async function picture(name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

async function signIn(password: string): Promise<void> {
  await page.goto(at('/auth/login'));
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a mail leads to an activated profile, and that to the account page', async () => {
  const named = { administrators: [{ user: email, name: { first: 'Ann' } }] };
  expect((await installation.api.put('/owners/account?notify=TRUE', named)).status).toBe(200);
  const mail = await mailServer.mailTo(email);
  expect(mail.subject).toContain('Welcome to Catchment');
  expect(mail.html).toContain(linkIn(mail));
  if (process.env.PICTURES) {
    await page.setContent(mail.html);
    await picture('mail-welcome');
  }
  // A scanner of the mail provider opens the link first: the link stays valid.
  expect((await fetch(linkIn(mail))).status).toBe(200);

  await page.goto(linkIn(mail));
  await isHeaded('Finish your profile');
  expect(await page.getByLabel('First name').inputValue()).toBe('Ann');
  await picture('activation');
  await page.getByLabel('Last name').fill('Lee');
  await page.getByLabel('Time zone').selectOption('Australia/Perth');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('The same again').fill('something else');
  await page.getByLabel('Mobile phone').fill('12');
  await page.getByRole('button', { name: 'Finish' }).click();
  await shows('The second password must be the same as the first one.');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('The same again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Finish' }).click();
  await shows('The phone number must be + and 7 to 15 digits.');
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Australia/Perth');
  await picture('activation-refused');
  await page.getByLabel('Mobile phone').fill('+61 8 6555 0100');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('The same again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Finish' }).click();

  await page.waitForURL('**/account?done=welcome');
  await isHeaded('Ann Lee');
  await shows(`Signed in as ${email}.`);
  await picture('account');

  await page.goto(linkIn(mail));
  await isHeaded('This link does not work any more');
  await picture('link-gone');
});

test('signing out and in again; what is wrong is said', async () => {
  await page.goto(at('/account'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await shows('You are signed out.');
  await picture('signed-out');
  await page.goto(at('/account'));
  await page.waitForURL('**/auth/login');
  await signIn('not the password');
  await shows('The e-mail address or the password is wrong.');
  expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
  await picture('sign-in-refused');
  await signIn(PASSWORD);
  await page.waitForURL(/\/a\/\w+\/overview/);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ name: 'catchment_session', httpOnly: true, sameSite: 'Lax', path: '/' });
});

test('a session works for the API: it reads at once, and changes with its token only', async () => {
  await page.goto(at('/account'));
  const api = context.request;
  const me = await api.get(at('/api/v1/users/me'));
  expect([me.status(), await me.json()]).toEqual([200, expect.objectContaining({ timezone: 'Australia/Perth' })]);
  const data = { _class: 'io.svc.models.node.Workspace', name: unique('Site') };
  expect((await api.post(at('/api/v1/nodes'), { data })).status()).toBe(403);
  const csrf = await page.locator('input[name=csrf]').first().inputValue();
  const made = await api.post(at('/api/v1/nodes'), { data, headers: { 'X-CSRF-Token': csrf } });
  expect(made.status()).toBe(201);
  const node = await made.json();
  const events = await installation.api.get(`/nodes/${node._id}/events`);
  expect([events.status, events.json.filter((event: { username: string }) => event.username !== email)]).toEqual([
    200,
    [],
  ]);
});

test('the password is changed on the page, which leads to what is one’s own; other sessions end', async () => {
  const login = await fetch(at('/auth/login'), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect([login.status, await login.json()]).toEqual([200, expect.objectContaining({ username: email })]);
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const other = () => fetch(at('/api/v1/users/me'), { headers: { cookie } });
  expect((await other()).status).toBe(200);

  await page.goto(at('/account'));
  await page.getByRole('link', { name: 'Profile' }).click();
  // The account page is headed by the same name.
  await page.waitForURL(/\/a\/[^/]+\/me\/profile/);
  await isHeaded('Ann Lee');
  await page.goto(at('/account'));
  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('another good password');
  await page.getByLabel('The same again').fill('another good password');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await shows('This is not your password.');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill('another good password');
  await page.getByLabel('The same again').fill('another good password');
  await page.getByRole('button', { name: 'Change the password' }).click();
  await page.waitForURL('**/account?done=password');
  await until(async () => (await other()).status === 401, { what: 'the other session has ended' });
});

test('a forgotten password is replaced by mail', async () => {
  await context.clearCookies();
  await page.goto(at('/auth/login'));
  await picture('sign-in');
  await page.getByRole('link', { name: 'Forgotten your password?' }).click();
  // The page before it has the same field.
  await page.waitForURL('**/auth/forgot');
  await picture('forgot');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await isHeaded('Look into your mail');
  const mail = await mailServer.mailTo(email, 2);
  await page.goto(linkIn(mail));
  await isHeaded('Choose a new password');
  await picture('reset');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('The same again').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save the new password' }).click();
  await page.waitForURL('**/account?done=password');
});

test('every page works by keyboard and fits a phone', async () => {
  await context.clearCookies();
  await page.setViewportSize({ width: 360, height: 740 });
  for (const where of ['/', '/auth/login', '/auth/forgot']) {
    await page.goto(at(where));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await picture(`phone${where.replaceAll('/', '-')}`);
  }
  await page.goto(at('/auth/login'));
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/a\/\w+\/overview/);
  await isHeaded('Overview');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  await page.goto(at('/account'));
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  await picture('phone-account');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture('dark-account');
  expect(refusals).toEqual([]);
});

test('a form of somebody else’s page is refused', async () => {
  const session = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const post = (where: string, headers: Record<string, string>, body = '') =>
    fetch(at(where), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body,
    });
  const foreign = { 'Sec-Fetch-Site': 'cross-site', cookie: session };
  for (const where of ['/auth/login', '/auth/logout', '/account/password'])
    expect((await post(where, foreign)).status).toBe(403);
  expect((await post('/auth/login', { Origin: 'http://evil.test' })).status).toBe(403);
  expect((await post('/account/password', { cookie: session }, 'current=x')).status).toBe(403);
  expect((await fetch(at('/account'), { headers: { cookie: session } })).status).toBe(200);
});
