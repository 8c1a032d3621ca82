import { HANGS_AFTER_MS } from '@catchment/testkit';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type Api, unique } from '../api.ts';
import { seePage } from './seen-pages.ts';

export const PASSWORD = 'correct horse battery';

export type Person = { readonly email: string; readonly slug: string };

/** Sets a password by a link, as a browser does. */
async function activate(link: string, firstName: string): Promise<void> {
  const body = new URLSearchParams({ password: PASSWORD, repeat: PASSWORD, firstName, lastName: 'Rivers' });
  const answer = await fetch(link, { method: 'POST', body, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`the link answered ${answer.status}`);
}

const slugOf = async (api: Api): Promise<string> => (await api.get('/owners/account')).json.slug;

/** An administrator of the account. */
export async function administrator(api: Api, firstName = 'Jo'): Promise<Person> {
  const email = `${unique('jo').replaceAll(' ', '-')}@example.org`;
  const known = (await api.get('/owners/account')).json.administrators ?? [];
  const administrators = [...known, { user: email, name: { first: firstName } }];
  const named = await api.put('/owners/account', { administrators });
  const user = (named.json.administrators ?? []).find(
    (administrator: { user?: string }) => administrator.user === email,
  );
  await activate(user?.profileActivateUrl ?? '', firstName);
  return { email, slug: await slugOf(api) };
}

/** Makes a person with a role in one Workspace. */
export async function userOf(api: Api, workspaceId: string, role: string): Promise<Person> {
  const email = `${unique('sam').replaceAll(' ', '-')}@example.org`;
  const granted = await api.post(`/nodes/${workspaceId}/security/subscribe`, { users: [{ user: email, role }] });
  await activate(granted.json.added?.[0]?.profileActivateUrl ?? '', 'Sam');
  return { email, slug: await slugOf(api) };
}

export type Opened = { readonly page: Page; readonly context: BrowserContext; readonly problems: string[] };

/** Signs in by the page and waits for where that leads. */
export async function signedIn(
  browser: Browser,
  url: string,
  { email }: Person,
  { next = '', ...options }: BrowserContextOptions & { next?: string } = {},
): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 }, locale: 'en-GB', ...options });
  const page = await context.newPage();
  seePage(page);
  page.setDefaultTimeout(HANGS_AFTER_MS);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && /policy|error:/i.test(message.text())) problems.push(message.text());
  });
  await page.goto(`${url}${next || '/auth/login'}`);
  // The fields are found by their names, since the page is in the language of the browser.
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('form button').click();
  await page.waitForURL(/\/a\/[^/]+\/\w+/);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return { page, context, problems };
}

type InBrowser = Pick<Opened, 'page' | 'context'>;

/** Returns what the page sends with a change: the token of its session, and its account. */
async function headersOf(page: Page): Promise<Record<string, string>> {
  const { csrf, account } = JSON.parse((await page.locator('#start').textContent()) ?? '');
  return { 'X-CSRF-Token': csrf, 'X-Account': account.id, accept: 'application/json' };
}

/** Ends the browser's session on the server, as time would. */
export async function endSession({ page, context }: InBrowser): Promise<void> {
  await context.request.post(new URL('/auth/logout', page.url()).href, { headers: await headersOf(page), data: {} });
}

/** Sends a change of the API with the person's session, past what the page offers. @returns the status */
export async function changeBy(
  { page, context }: InBrowser,
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  data: object = {},
): Promise<number> {
  const headers = await headersOf(page);
  const answer = await context.request.fetch(new URL(`/api/v1${path}`, page.url()).href, { method, headers, data });
  return answer.status();
}
