// People are invited and begin in a browser of their own; roles in Workspaces are changed by keys; what a role may not do is not offered.
import { HANGS_AFTER_MS, type TestMailServer, testMailServer, until } from '@catchment/testkit';
import type { Page } from 'playwright-core';
import { unique } from '../src/api.ts';
import { picture, violations } from '../src/console/look.ts';
import { changeBy, PASSWORD, type Person, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
let mailServer: TestMailServer;
beforeAll(async () => {
  mailServer = await testMailServer();
  stage = await openStage({
    env: { SMTP_URL: mailServer.url, SMTP_TLS: 'off', SMTP_FROM: 'Catchment <catchment@example.org>' },
  });
});
afterAll(async () => {
  await stage?.close();
  await mailServer?.close();
});

const open = (person: Person, path = 'people/list', options: object = {}) =>
  signedIn(stage.browser, stage.installation.url, person, { next: `/a/${stage.person.slug}/${path}`, ...options });
const newAddress = () => `${unique('new').replaceAll(' ', '-')}@example.org`.toLowerCase();

/** Fills in the invitation, and sends it. */
async function invite(page: Page, email: string, gets: RegExp, role?: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel('E-mail').first().fill(email);
  const option = await dialog
    .getByLabel('Gets')
    .locator('option')
    .filter({ hasText: gets })
    .first()
    .getAttribute('value');
  await dialog.getByLabel('Gets').selectOption(option);
  if (role !== undefined) await dialog.getByLabel('Role').selectOption(role);
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
}
const roleOf = async (email: string): Promise<string | undefined> => {
  const { users } = (await stage.installation.api.get(`/nodes/${stage.sites.workspaceId}/security`)).json;
  return users.find((one: { contact: { email: string } }) => one.contact.email === email)?.role;
};

test('an invitation goes by mail, and is accepted in a second browser', async () => {
  const email = newAddress();
  const { page, context, problems } = await open(stage.person);
  await invite(page, email, /^Access to/, 'Operate');
  await page.getByRole('dialog', { name: `${email} is invited` }).waitFor();
  await picture(page, 'console-people-invited');
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('grid', { name: 'People' }).getByText('invited, has not signed in yet').first().waitFor();
  const link = /http:\/\/\S+\/auth\/\S+/.exec((await mailServer.mailTo(email)).text)?.[0] ?? '';
  const second = await stage.browser.newContext({ locale: 'en-GB' });
  const other = await second.newPage();
  other.setDefaultTimeout(HANGS_AFTER_MS);
  await other.goto(link);
  await other.getByLabel('First name').fill('Nia');
  await other.getByLabel('New password').fill(PASSWORD);
  await other.getByLabel('The same again').fill(PASSWORD);
  await other.getByRole('button', { name: 'Finish' }).click();
  await other.waitForURL('**/account?done=welcome');
  await other.goto(`${stage.installation.url}/a/${stage.person.slug}/people/list`);
  await other.getByText('You may look at this.').waitFor();
  expect(await roleOf(email)).toBe('Operate');
  await page.reload();
  await page.getByRole('grid', { name: 'People' }).getByText('Nia').first().waitFor();
  expect(problems).toEqual([]);
  await second.close();
  await context.close();
});

test('oneself, and a group that is deleted meanwhile: it is said, and nobody is invited', async () => {
  const { api } = stage.installation;
  const name = unique('Crew');
  const made = (await api.post('/owners/account/groups', [{ name, users: [] }])).json;
  const { page, context } = await open(stage.person);
  await invite(page, stage.person.email.toUpperCase(), /^Everything/);
  await page.getByText('This is your own address: you are in already.').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  const email = newAddress();
  expect((await api.delete(`/owners/account/groups/${made[0]._id}`)).status).toBe(200);
  await invite(page, email, new RegExp(name));
  await page.getByText('This group was deleted meanwhile. Nobody was invited: choose something else.').waitFor();
  expect(JSON.stringify((await api.get('/owners/account')).json)).not.toContain(email);
  await context.close();
});

test('roles in Workspaces are changed and taken by keys alone, and taken back', async () => {
  const sam = await userOf(stage.installation.api, stage.sites.workspaceId, 'View');
  const { page, context, problems } = await open(stage.person, 'people/access');
  const grid = page.getByRole('grid', { name: 'Roles of people and groups in Workspaces' });
  const row = grid.getByRole('row').filter({ hasText: sam.email });
  await row.getByText('View', { exact: true }).waitFor();
  await grid.locator('td[tabindex="0"]').focus();
  const focused = `document.activeElement?.closest('tr')?.textContent ?? ''`;
  const isThere = async () => String(await page.evaluate(focused)).includes(sam.email);
  for (let n = 0; n < 50 && !(await isThere()); n += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'View' }).waitFor();
  await page.keyboard.press('o');
  await picture(page, 'console-people-access');
  await page.keyboard.press('Enter');
  await until(async () => (await roleOf(sam.email)) === 'Operate');
  await row.getByText('Operate', { exact: true }).waitFor();
  expect(await isThere()).toBe(true);
  await page.keyboard.press('Delete');
  await page.getByText('has no role in').waitFor();
  expect(await roleOf(sam.email)).toBeUndefined();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until(async () => (await roleOf(sam.email)) === 'Operate');
  expect(problems).toEqual([]);
  await context.close();
});

test.each([
  ['View', false],
  ['Configure', false],
  ['Manage', true],
])('%s: whether people are invited and roles are changed: %s', async (role, isOffered) => {
  const someone = await userOf(stage.installation.api, stage.sites.workspaceId, role);
  const { page, context } = await open(someone, 'people/access');
  await page.getByRole('grid').waitFor();
  expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(isOffered ? 1 : 0);
  expect((await page.locator('.access .is-open').count()) > 0).toBe(isOffered);
  const users = [{ user: newAddress(), role: 'View' }];
  const path = `/nodes/${stage.sites.workspaceId}/security/subscribe`;
  expect(await changeBy({ page, context }, 'POST', path, { users })).toBe(isOffered ? 200 : 403);
  await context.close();
});

test.each(
  [360, 1024, 1920].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => ({
      width,
      colorScheme,
      locale: width < 500 ? 'de-DE' : 'en-GB',
    })),
  ),
)('axe finds nothing: $locale, $colorScheme, $width px', async ({ width, colorScheme, locale }) => {
  const { page, context } = await open(stage.person, 'people/list', {
    ...{ viewport: { width, height: 800 }, colorScheme, locale },
  });
  for (const tab of ['list', 'access']) {
    await page.goto(`${stage.installation.url}/a/${stage.person.slug}/people/${tab}`);
    await page.getByRole('grid').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await picture(page, `console-people-${tab}-${width}-${colorScheme}`);
    expect([tab, await violations(page)]).toEqual([tab, []]);
  }
  await context.close();
});
