// These tests compare what is shown with what is so: it is right, or is said to be old, and nothing that was typed is lost.
import { until } from '@catchment/testkit';
import type { Page } from 'playwright-core';
import { picture } from '../src/console/look.ts';
import { endSession, type Opened, PASSWORD, type Person, signedIn, userOf } from '../src/console/people.ts';
import { writeLevel } from '../src/console/sites.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
beforeAll(async () => {
  // Each service is a process of its own: the gateway dies alone.
  stage = await openStage({ processes: 'each' });
});
afterAll(() => stage?.close());

const open = (person: Person = stage.person, more: Parameters<typeof signedIn>[3] = {}): Promise<Opened> =>
  signedIn(stage.browser, stage.installation.url, person, more);
const treeOf = (page: Page) => page.getByRole('treegrid', { name: 'Nodes' });
const rowOf = (page: Page, name: string) => treeOf(page).getByRole('row').filter({ hasText: name }).first();

test('a gateway that dies while somebody types: a bar says since when, the text stays, and it is saved once the gateway is back', async () => {
  const { page, context } = await open();
  await rowOf(page, 'Maryland rivers').waitFor();
  await treeOf(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('F2');
  await page.getByLabel('New name of Maryland rivers').fill('Rivers of Maryland');
  await context.setOffline(true);
  await page.getByText(/Not connected since \d\d:\d\d/).waitFor();
  const killed = stage.installation.kill('gateway');
  expect(await page.getByLabel('New name of Maryland rivers').inputValue()).toBe('Rivers of Maryland');
  await killed;
  await context.setOffline(false);
  await page.keyboard.press('Enter');
  const saved = page.getByText('is now called «Rivers of Maryland»');
  await saved.waitFor({ timeout: 40_000 }).catch(async (error) => {
    await picture(page, 'truth-gateway');
    throw error;
  });
  await page.getByText(/Not connected since/).waitFor({ state: 'detached' });
  const back = await stage.installation.api.put(`/nodes/${stage.sites.workspaceId}`, { name: 'Maryland rivers' });
  expect(back.status).toBe(200);
  await rowOf(page, 'Maryland rivers').waitFor();
  await context.close();
});

test('what changes between the first read and the beginning of the streams is shown', async () => {
  const { page, context } = await open();
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/*/stream*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await page.getByText('Nothing is wrong at any of 4 places.').waitFor();
  const renamed = await stage.installation.api.put(`/nodes/${stage.sites.workspaceId}`, { name: 'Renamed meanwhile' });
  expect(renamed.status).toBe(200);
  await writeLevel(stage.installation.api, stage.sites, 5);
  const raised = async () => (await stage.installation.api.get('/alarms')).json.alarms.length > 0;
  await until(raised);
  held.resolve();
  await rowOf(page, 'Renamed meanwhile').waitFor();
  await page.getByText('Something is wrong at 1 of 4 places.').waitFor();
  await writeLevel(stage.installation.api, stage.sites, 1);
  await stage.installation.api.put(`/nodes/${stage.sites.workspaceId}`, { name: 'Maryland rivers' });
  await rowOf(page, 'Maryland rivers').waitFor();
  await page.getByText('Nothing is wrong at any of 4 places.').waitFor();
  await context.close();
});

test('what happened while the streams were away is there when they are back, also where nothing had happened before', async () => {
  const { page, context } = await open();
  await page.getByText('Nothing is wrong at any of 4 places.').waitFor();
  await context.setOffline(true);
  await page.getByText(/Not connected since/).waitFor();
  await writeLevel(stage.installation.api, stage.sites, 5);
  await context.setOffline(false);
  await page.getByText('Something is wrong at 1 of 4 places.').waitFor();
  await writeLevel(stage.installation.api, stage.sites, 1);
  await page.getByText('Nothing is wrong at any of 4 places.').waitFor();
  await context.close();
});

test('a session that ends: the person signs in over the page, and what was being saved is saved', async () => {
  const { page, context } = await open();
  await rowOf(page, 'Maryland rivers').waitFor();
  await treeOf(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await rowOf(page, 'Jones Falls').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('j');
  await rowOf(page, 'Jones Falls').click();
  await page.waitForURL(/\/n\//);
  await treeOf(page).focus();
  await page.keyboard.press('F2');
  const field = page.getByLabel(/New name of Jones Falls/);
  await field.fill('Jones Falls');
  await endSession({ page, context });
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password').fill('not this one');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.getByText('The e-mail address or the password is wrong.').waitFor();
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  const saved = page.getByText('is now called «Jones Falls»');
  // Another request of the page may have found first that the session was over: then the name waits to be sent.
  await saved.or(field).first().waitFor();
  // It may also go while the key is on its way.
  await Promise.race([field.press('Enter').catch(() => undefined), saved.waitFor()]);
  await saved.waitFor();
  const name = (await stage.installation.api.get(`/nodes/${stage.sites.locations.falls}`)).json.name;
  expect(name).toBe('Jones Falls');
  await context.close();
});

test('a sign-in in one tab is one in all', async () => {
  const { page, context } = await open();
  const other = await context.newPage();
  await other.goto(page.url());
  await treeOf(other).waitFor();
  await endSession({ page, context });
  await page.getByRole('button', { name: 'Actions for Maryland rivers' }).waitFor();
  for (const tab of [page, other]) {
    await tab.evaluate("dispatchEvent(new Event('online'))");
    await tab.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  }
  await other.getByLabel('Password').fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign in' }).click();
  for (const tab of [page, other])
    await tab.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
  await context.close();
});

test('two accounts in two tabs: each shows and changes its own', async () => {
  const { installation, person } = stage;
  const second = await installation.otherAccount();
  const named = { administrators: [{ user: person.email }] };
  await second.put('/owners/account', named);
  await second.create({ _class: 'io.svc.models.node.Workspace', name: 'Of the second' });
  const { slug } = (await second.get('/owners/account')).json;
  const { page, context } = await open();
  await page.goto(`${installation.url}/account`);
  const accept = page.getByRole('button', { name: /^Accept/ });
  if ((await accept.count()) > 0) await accept.first().click();
  else {
    // A person who has not proven the e-mail is invited only: the link of the operator proves it.
    await page.goto(await installation.personLink(person.email));
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('The same again').fill(PASSWORD);
    await page.getByRole('button', { name: /Finish|Save|Set|password/i }).click();
    await page.goto(`${installation.url}/account`);
    await page
      .getByRole('button', { name: /^Accept/ })
      .first()
      .click();
  }
  await page.goto(`${installation.url}/a/${person.slug}/overview`);
  await rowOf(page, 'Maryland rivers').waitFor();
  const tab = await context.newPage();
  await tab.goto(`${installation.url}/a/${slug}/overview`);
  await rowOf(tab, 'Of the second').waitFor();
  expect(await rowOf(tab, 'Maryland rivers').count()).toBe(0);
  // The first tab goes on in its own account, though the other one was opened last.
  await treeOf(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await rowOf(page, 'Gwynns Falls').waitFor();
  await context.close();
});

test('a role that is taken away while the page is open: what it showed is gone, in words', async () => {
  const { installation, sites } = stage;
  const person = await userOf(installation.api, sites.workspaceId, 'View');
  const { page, context } = await open(person);
  await rowOf(page, 'Maryland rivers').waitFor();
  const { email } = person;
  const gone = await installation.api.post(`/nodes/${sites.workspaceId}/security/unsubscribe`, {
    users: [{ user: email }],
  });
  expect([gone.status, gone.json.removed.length]).toEqual([200, 1]);
  // The next request is refused, which shows it.
  await treeOf(page).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: 'You have no access to this account any more' }).waitFor();
  expect(await treeOf(page).count()).toBe(0);
  await context.close();
});
