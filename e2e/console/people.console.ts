// People are invited and begin in a browser of their own; roles in Workspaces are changed by keys; what a role may not do is not offered.
import { HANGS_AFTER_MS, type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Locator, Page } from 'playwright-core';
import { MODEL, unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { administrator, changeBy, PASSWORD, type Person, signedIn, userOf } from '../src/console/people.ts';
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

/** Fills in the invitation. @returns its dialog */
async function fillInvitation(page: Page, email: string, gets: RegExp, role?: string): Promise<Locator> {
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
  return dialog;
}

const send = (dialog: Locator) => dialog.getByRole('button', { name: 'Invite', exact: true }).click();

/** Fills in the invitation, and sends it. */
const invite = async (...given: Parameters<typeof fillInvitation>): Promise<void> =>
  send(await fillInvitation(...given));

const roleOf = async (email: string): Promise<string | undefined> => {
  const { users } = (await stage.installation.api.get(`/nodes/${stage.sites.workspaceId}/security`)).json;
  return users.find((user: { contact: { email: string } }) => user.contact.email === email)?.role;
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
  const dialog = await fillInvitation(page, email, new RegExp(name));
  expect((await api.delete(`/owners/account/groups/${made[0]._id}`)).status).toBe(200);
  await send(dialog);
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

const workspaceNamed = async (name: string): Promise<string> =>
  (await stage.installation.api.create({ _class: `${MODEL}.Workspace`, name }))._id;
const entryOf = async (email: string, workspaceId = stage.sites.workspaceId) => {
  const { users } = (await stage.installation.api.get(`/nodes/${workspaceId}/security`)).json;
  return users.find((user: { contact: { email: string } }) => user.contact.email === email);
};

test('what is typed into an invitation outlives its closing and a reload', async () => {
  const { page, context } = await open(stage.person);
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  await dialog.getByLabel('E-mail').first().fill('half@example');
  await page.keyboard.press('Escape');
  await page.reload();
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  expect(await dialog.getByLabel('E-mail').first().inputValue()).toBe('half@example');
  await context.close();
});

test('a person’s panel shows what gives which access in which Workspace, and what others change shows itself', async () => {
  const { api } = stage.installation;
  const [south, group] = [unique('South'), unique('Wardens')];
  const southId = await workspaceNamed(south);
  const sam = await userOf(api, stage.sites.workspaceId, 'View');
  await api.post('/owners/account/groups', [{ name: group, users: [{ user: sam.email }] }]);
  await api.post(`/nodes/${southId}/security/subscribe`, { groups: [{ group, role: 'Operate' }] });
  const { page, context, problems } = await open(stage.person);
  await page.getByRole('grid', { name: 'People' }).getByText(sam.email).first().dblclick();
  const panel = page.getByRole('complementary', { name: 'Sam Rivers' });
  const inSouth = panel.getByRole('article').filter({ hasText: south });
  await inSouth.getByText(`Operate, by the group ${group}`).waitFor();
  await inSouth.getByText('May do').click();
  await inSouth.getByText('Acknowledge alarms').waitFor();
  await picture(page, 'console-people-person');
  expect(page.url()).toContain(`who=${encodeURIComponent(sam.email)}`);
  // Another person gives more meanwhile.
  await api.post(`/nodes/${southId}/security/subscribe`, { users: [{ user: sam.email, role: 'Manage' }] });
  await until(async () => (await inSouth.getByRole('combobox').count()) === 1);
  expect(await inSouth.getByRole('combobox').inputValue()).toBe('Manage');
  await page.reload();
  await panel.waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('access is made to end in the zone of the reader, is changed and cleared, and taken back', async () => {
  const { api } = stage.installation;
  const sam = await userOf(api, stage.sites.workspaceId, 'View');
  const kim = await administrator(api, 'Kim');
  const first = await open(kim);
  expect(await changeBy(first, 'PUT', '/users/me', { timezone: 'Pacific/Auckland', timezoneAdjustForDst: true })).toBe(
    200,
  );
  await first.context.close();
  const { page, context, problems } = await open(kim, `people/list?who=${encodeURIComponent(sam.email)}`);
  const end = page.getByRole('button', { name: /^End …/ });
  const dialog = page.getByRole('dialog', { name: /ends$/ });
  const field = dialog.getByLabel('Ends on (Pacific/Auckland)');
  await end.click();
  await field.fill('2001-01-01T10:00');
  await dialog.getByRole('button', { name: 'Set the end' }).click();
  await dialog.getByText('The end must be in the future.').waitFor();
  await field.fill('2099-07-01T10:30');
  await picture(page, 'console-people-end');
  await page.keyboard.press('Enter');
  await until(async () => (await entryOf(sam.email))?.expiryTime === '2099-06-30T22:30:00.000Z');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('complementary', { name: 'Sam Rivers' }).getByText('until 2099-07-01 10:30:00').waitFor();
  await end.click();
  expect(await field.inputValue()).toBe('2099-07-01T10:30');
  await dialog.getByRole('button', { name: 'Let it not end' }).click();
  await until(async () => (await entryOf(sam.email))?.expiryTime === undefined);
  await page.getByText('to Maryland rivers does not end.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until(async () => (await entryOf(sam.email))?.expiryTime === '2099-06-30T22:30:00.000Z');
  expect((await entryOf(sam.email)).role).toBe('View');
  expect(problems).toEqual([]);
  await context.close();
});

test('who is removed loses roles, groups and the place as administrator, and the question says so', async () => {
  const { api } = stage.installation;
  const [group, other] = [unique('Leavers'), unique('Elsewhere')];
  const otherId = await workspaceNamed(other);
  const sam = await userOf(api, stage.sites.workspaceId, 'Operate');
  await api.post('/owners/account/groups', [{ name: group, users: [{ user: sam.email }] }]);
  await api.post(`/nodes/${otherId}/security/subscribe`, { users: [{ user: sam.email, role: 'View' }] });
  const { page, context, problems } = await open(stage.person, `people/list?who=${encodeURIComponent(sam.email)}`);
  await page.getByRole('button', { name: 'Make administrator' }).click();
  await page.getByRole('button', { name: 'Take administrator away' }).click();
  const less = page.getByRole('dialog', { name: 'Is Sam Rivers to be an administrator no more?' });
  await less.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Remove from the account …' }).click();
  const question = page.getByRole('dialog', { name: 'Remove Sam Rivers?' });
  await question.getByText(`The place in the group ${group}`).waitFor();
  await picture(page, 'console-people-remove');
  await question.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('Sam Rivers has no access any more.').waitFor();
  expect([await entryOf(sam.email), await entryOf(sam.email, otherId)]).toEqual([undefined, undefined]);
  expect(JSON.stringify((await api.get('/owners/account')).json)).not.toContain(sam.email);
  expect(await page.getByRole('grid', { name: 'People' }).getByText(sam.email).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

test('a group is made, filled, renamed and deleted by keys and mouse, and the question says who loses what', async () => {
  const { api } = stage.installation;
  const name = unique('Night');
  const sam = await userOf(api, stage.sites.workspaceId, 'View');
  const { page, context, problems } = await open(stage.person, 'people/groups');
  await page.getByRole('button', { name: 'New group' }).click();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  const card = page.getByRole('article', { name });
  await card.getByLabel(`Add somebody to ${name}`).fill(sam.email);
  await page.keyboard.press('Enter');
  await card.getByRole('listitem').filter({ hasText: 'Sam Rivers' }).waitFor();
  const { workspaceId } = stage.sites;
  await api.post(`/nodes/${workspaceId}/security/subscribe`, { groups: [{ group: name, role: 'Configure' }] });
  await card.getByText('Configure in').waitFor();
  await card.getByRole('button', { name: `Rename: ${name}` }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(`${name} watch`);
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: `${name} watch` }).waitFor();
  // The dialog is empty after sending.
  await page.getByRole('button', { name: 'New group' }).click();
  expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await picture(page, 'console-people-groups');
  await page.getByRole('button', { name: `Delete: ${name} watch` }).click();
  const question = page.getByRole('dialog');
  await question.getByText('Sam Rivers: what the group adds in').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText(`${name} watch is deleted.`).waitFor();
  expect((await entryOf(sam.email)).role).toBe('View');
  expect(JSON.stringify((await api.get('/owners/account?attr=groups')).json)).not.toContain(name);
  expect(problems).toEqual([]);
  await context.close();
});

test('a role is made and changed; when it is deleted, who has it only looks', async () => {
  const { api } = stage.installation;
  const name = unique('Watch');
  const { page, context, problems } = await open(stage.person, 'people/roles');
  await page.getByRole('button', { name: 'New role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('operate');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Acknowledge alarms').check();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'detached' });
  const roleOfName = async () =>
    (await api.get('/owners/account/roles')).json.find((role: { name: string }) => role.name === name);
  expect((await roleOfName()).permissions).toEqual(['VIEW', 'ACKNOWLEDGE_ALARMS']);
  await page.getByRole('button', { name: `Change: ${name}` }).click();
  await page.getByRole('dialog').getByLabel('Write to people').check();
  await page.keyboard.press('Enter');
  await until(async () => (await roleOfName()).permissions.length === 3);
  const sam = await userOf(api, stage.sites.workspaceId, name);
  await page.getByRole('columnheader').filter({ hasText: name }).getByText('1 has it').waitFor();
  await picture(page, 'console-people-roles');
  await page.getByRole('button', { name: `Delete: ${name}` }).click();
  await page.getByRole('dialog').getByText('Sam Rivers: Maryland rivers').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText(`${name} is deleted.`).waitFor();
  expect(await entryOf(sam.email)).toMatchObject({ role: '', permissions: ['VIEW'] });
  expect(problems).toEqual([]);
  await context.close();
});

test('two administrators at one time: a group that one deletes is said to be gone to the other', async () => {
  const { api } = stage.installation;
  const name = unique('Shared');
  const [made] = (await api.post('/owners/account/groups', [{ name, users: [] }])).json.filter(
    (role: { name: string }) => role.name === name,
  );
  const { page, context } = await open(stage.person, 'people/groups');
  const other = await open(await administrator(api, 'Kim'), 'people/groups');
  await page.getByRole('button', { name: `Rename: ${name}` }).click();
  await other.page.getByRole('button', { name: `Delete: ${name}` }).click();
  await other.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await other.page.getByText(`${name} is deleted.`).waitFor();
  await page.getByRole('dialog').getByLabel('Name').fill('Another');
  await page.keyboard.press('Enter');
  await page.getByText('This group was deleted meanwhile.').waitFor();
  await page.keyboard.press('Escape');
  await until(async () => (await page.getByRole('article', { name }).count()) === 0);
  expect((await api.put(`/owners/account/groups/${made._id}`, { name })).status).toBe(404);
  await other.context.close();
  await context.close();
});

type NamedEntry = { readonly _id: string; readonly name: string };
const roleCalled = async (name: string): Promise<NamedEntry & { readonly permissions: string[] }> =>
  (await stage.installation.api.get('/owners/account/roles')).json.find((role: NamedEntry) => role.name === name);
const groupCalled = async (name: string): Promise<NamedEntry & { readonly users: { readonly user: string }[] }> =>
  (await stage.installation.api.get('/owners/account?attr=groups')).json.groups.find(
    (role: NamedEntry) => role.name === name,
  );

test('two administrators change one role: rights are put together, and of two names one is chosen', async () => {
  const { api } = stage.installation;
  const name = unique('Dusk');
  await api.post('/owners/account/roles', { name, permissions: ['CONTROL'] });
  const { _id } = await roleCalled(name);
  const { page, context, problems } = await open(stage.person, 'people/roles');
  const other = await open(await administrator(api, 'Kim'), 'people/roles');
  await page.getByRole('button', { name: `Change: ${name}` }).click();
  const dialog = page.getByRole('dialog');
  const [mine, theirs] = [unique('Dawn'), unique('Noon')];
  await dialog.getByLabel('Name').fill(mine);
  await dialog.getByLabel('Write to people').check();
  const changed = { name: theirs, permissions: ['EDIT_DATA'] };
  expect(await changeBy(other, 'PUT', `/owners/account/roles/${_id}`, changed)).toBe(200);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(`It is now: ${theirs}; also: Change and delete values`).waitFor();
  await dialog.getByRole('heading', { name: 'Somebody else has changed the same' }).waitFor();
  await picture(page, 'console-people-conflict');
  expect(await violations(page)).toEqual([]);
  expect(await dialog.getByLabel('Name').inputValue()).toBe(mine);
  // A box that was not touched here is as the other one has it.
  expect(await dialog.getByLabel('Change and delete values').isChecked()).toBe(true);
  expect(await dialog.getByLabel('Fetch data now, set control values').isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await roleCalled(theirs)).permissions.toSorted()).toEqual(['EDIT_DATA', 'SEND_MESSAGE', 'VIEW']);
  expect(problems).toEqual([]);
  await other.context.close();
  await context.close();
});

test('two administrators fill one group in one moment: both find their person in it', async () => {
  const { api } = stage.installation;
  const { workspaceId } = stage.sites;
  const name = unique('Both');
  await api.post('/owners/account/groups', [{ name, users: [] }]);
  const { _id } = await groupCalled(name);
  const [mine, theirs] = [await userOf(api, workspaceId, 'View'), await userOf(api, workspaceId, 'View')];
  const { page, context, problems } = await open(stage.person, 'people/groups');
  const card = page.getByRole('article', { name });
  // Somebody else adds a person between the reading of the list and its writing.
  let isFirst = true;
  await page.route(`**/owners/account/groups/${_id}*`, async (route) => {
    if (isFirst) await api.put(`/owners/account/groups/${_id}`, { users: [{ user: theirs.email }] });
    isFirst = false;
    await route.continue();
  });
  await card.getByLabel(`Add somebody to ${name}`).fill(mine.email);
  await page.keyboard.press('Enter');
  await page.getByText(`is in ${name}.`).waitFor();
  const { users } = await groupCalled(name);
  expect(users.map(({ user }) => user).toSorted()).toEqual([mine.email, theirs.email].toSorted());
  expect(problems).toEqual([]);
  await context.close();
});

test('two administrators set one person’s role at once: the second one sees who was first, and chooses again', async () => {
  const { api } = stage.installation;
  const sam = await userOf(api, stage.sites.workspaceId, 'View');
  const kim = await administrator(api, 'Kim');
  const { page, context, problems } = await open(stage.person, `people/list?who=${encodeURIComponent(sam.email)}`);
  const other = await open(kim);
  const choice = page.getByLabel('Sam Rivers in').first();
  await choice.waitFor();
  let isFirst = true;
  await page.route('**/security/subscribe*', async (route) => {
    const users = [{ user: sam.email, role: 'Manage' }];
    const path = `/nodes/${stage.sites.workspaceId}/security/subscribe`;
    if (isFirst) expect(await changeBy(other, 'POST', path, { users })).toBe(200);
    isFirst = false;
    await route.continue();
  });
  await choice.selectOption('Operate');
  await page
    .getByText(`${kim.email} has changed this access meanwhile. It is shown as it is now: choose again.`)
    .waitFor();
  await until(async () => (await choice.inputValue()) === 'Manage');
  expect(await roleOf(sam.email)).toBe('Manage');
  await choice.selectOption('Operate');
  await until(async () => (await roleOf(sam.email)) === 'Operate');
  // Taken back is what was there when the role was chosen.
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until(async () => (await roleOf(sam.email)) === 'Manage');
  expect(problems).toEqual([]);
  await other.context.close();
  await context.close();
});

test('a role that is deleted while a person’s panel is open: it is said, and the person has what was before', async () => {
  const { api } = stage.installation;
  const name = unique('Gone');
  await api.post('/owners/account/roles', { name, permissions: [] });
  const { _id } = await roleCalled(name);
  const sam = await userOf(api, stage.sites.workspaceId, 'View');
  const { page, context } = await open(stage.person, `people/list?who=${encodeURIComponent(sam.email)}`);
  const choice = page.getByLabel('Sam Rivers in').first();
  await choice.locator('option').filter({ hasText: name }).waitFor({ state: 'attached' });
  // The page has not heard of it when the role is chosen.
  await page.route('**/security/subscribe*', async (route) => {
    await api.delete(`/owners/account/roles/${_id}`);
    await route.continue();
  });
  await choice.selectOption(name);
  await page.getByText('must be the name of a role').waitFor();
  await until(async () => (await choice.locator('option').filter({ hasText: name }).count()) === 0);
  expect(await choice.inputValue()).toBe('View');
  expect(await roleOf(sam.email)).toBe('View');
  await context.close();
});

test('a second invitation of one address is not sent, and a link is for one use, whoever opens it', async () => {
  const { url } = stage.installation;
  const email = newAddress();
  const { page, context } = await open(stage.person);
  await invite(page, email, /^Access to Maryland/, 'View');
  const link = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('grid', { name: 'People' }).getByText(email).first().waitFor();
  await invite(page, ` ${email.toUpperCase()}`, /^Access to Maryland/, 'Operate');
  await page.getByText('This person has a role there already.').waitFor();
  expect(await roleOf(email)).toBe('View');
  await page.getByRole('button', { name: 'Cancel' }).click();
  // Somebody who is signed in as another one sees whose link it is, and does not become that person unawares.
  await page.goto(link);
  expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
  const second = await stage.browser.newContext({ locale: 'en-GB' });
  const other = await second.newPage();
  other.setDefaultTimeout(HANGS_AFTER_MS);
  await other.goto(link);
  await other.getByLabel('New password').fill(PASSWORD);
  await other.getByLabel('The same again').fill(PASSWORD);
  await other.getByRole('button', { name: 'Finish' }).click();
  await other.waitForURL('**/account?done=welcome');
  const again = await page.goto(link);
  expect(again?.status()).toBe(404);
  await page.getByText('get a new link').waitFor();
  // Access that is taken away leaves the person a page of their own.
  const { workspaceId } = stage.sites;
  await stage.installation.api.post(`/nodes/${workspaceId}/security/unsubscribe`, { users: [{ user: email }] });
  await other.goto(`${url}/account`);
  await other.getByText('You have access to no account at the moment.').waitFor();
  await other.getByLabel('First name').fill('Nia');
  await other.getByRole('button', { name: 'Save the profile' }).click();
  await other.getByText('Your profile is saved.').waitFor();
  await other.getByRole('heading', { name: 'Nia' }).waitFor();
  await picture(other, 'console-me-without-account');
  await second.close();
  await context.close();
});

test('an invitation is sent by keys alone', async () => {
  const email = newAddress();
  const { page, context } = await open(stage.person);
  await page.getByRole('button', { name: 'Invite somebody' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  // The last choice: everything.
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `${email} is invited` });
  await dialog.getByText('Hand over this link.').waitFor();
  const { administrators } = (await stage.installation.api.get('/owners/account')).json;
  expect(administrators.some((administrator: { user: string }) => administrator.user === email)).toBe(true);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await context.close();
});

test('names that are long, right-to-left, markup or emoji are shown as they are, and break nothing', async () => {
  const { api } = stage.installation;
  const names = [
    `${'Wide '.repeat(23)}${unique('w')}`.slice(0, 120),
    unique('מים'),
    unique('<b>bold</b>'),
    unique('🌊🦆'),
  ];
  await api.post(
    '/owners/account/groups',
    names.map((name) => ({ name, users: [] })),
  );
  const role = unique('<i>دور</i> 🌊');
  expect((await api.post('/owners/account/roles', { name: role, permissions: [] })).status).toBe(201);
  for (const width of [360, 1280]) {
    const { page, context, problems } = await open(stage.person, 'people/groups', { viewport: { width, height: 800 } });
    for (const name of names) await page.getByRole('heading', { name, exact: true }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await picture(page, `console-people-names-${width}`);
    await page.goto(page.url().replace('groups', 'roles'));
    await page.getByText(role, { exact: true }).first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(problems).toEqual([]);
    await context.close();
  }
  // One that is too long is refused by the rule, and stays as it was typed.
  const { page, context } = await open(stage.person, 'people/groups');
  await page.getByRole('button', { name: 'New group' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('x'.repeat(255));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('1 to 120 characters').waitFor();
  expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toHaveLength(255);
  await context.close();
});

test('an end in the past is refused in words, and what was typed stays', async () => {
  const sam = await userOf(stage.installation.api, stage.sites.workspaceId, 'View');
  const { page, context } = await open(stage.person, `people/list?who=${encodeURIComponent(sam.email)}`);
  await page.getByRole('button', { name: /^End …: / }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=datetime-local]').fill('2020-02-29T10:00');
  await dialog.getByRole('button', { name: 'Set the end' }).click();
  await dialog.getByText('The end must be in the future.').waitFor();
  expect(await dialog.locator('input[type=datetime-local]').inputValue()).toBe('2020-02-29T10:00');
  expect((await entryOf(sam.email)).expiryTime ?? null).toBeNull();
  await context.close();
});

test('on a phone what was done in a person’s panel can be taken back while the panel is open', async () => {
  const sam = await userOf(stage.installation.api, stage.sites.workspaceId, 'View');
  const { page, context } = await open(stage.person, `people/list?who=${encodeURIComponent(sam.email)}`, {
    viewport: { width: 360, height: 740 },
  });
  const panel = page.getByRole('dialog', { name: 'Sam Rivers' });
  await panel.getByLabel('Sam Rivers in').first().selectOption('Operate');
  await until(async () => (await roleOf(sam.email)) === 'Operate');
  await picture(page, 'console-people-undo-phone');
  await panel.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await roleOf(sam.email)) === 'View');
  await panel.waitFor();
  await context.close();
});

test('of many Workspaces a part is drawn: others are found by words, and gone to by keys', async () => {
  const { api } = stage.installation;
  const zone = unique('Zone');
  const numbers = Array.from({ length: 120 }, (_, i) => String(i).padStart(3, '0'));
  for (let at = 0; at < numbers.length; at += 10)
    await Promise.all(numbers.slice(at, at + 10).map((number) => workspaceNamed(`${zone} ${number}`)));
  const sam = await userOf(api, stage.sites.workspaceId, 'View');
  const { page, context, problems } = await open(stage.person, 'people/access');
  const grid = page.getByRole('grid', { name: 'Roles of people and groups in Workspaces' });
  await page.getByText(/^1–20 of 1[2-9]\d$/).waitFor();
  expect(await grid.getByRole('columnheader').count()).toBe(21);
  await picture(page, 'console-people-many');
  await page.getByLabel('Find a Workspace', { exact: true }).fill(zone);
  await page.getByText('1–20 of 120').waitFor();
  await page.getByLabel('Find a person or group', { exact: true }).fill(sam.email);
  const cell = grid.locator('td[tabindex="0"]');
  await cell.focus();
  await page.keyboard.press('End');
  await page.getByText('101–120 of 120').waitFor();
  expect(await page.evaluate(`document.activeElement?.getAttribute('aria-colindex')`)).toBe('121');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Operate' }).click();
  await grid.getByText('Operate', { exact: true }).waitFor();
  const last = (await api.get(`/owners/account/access?skip=0&limit=100`)).json;
  expect(last.next).not.toBeNull();
  await page.getByRole('button', { name: 'Find a Workspace: those before' }).click();
  await page.getByText('81–100 of 120').waitFor();
  // The Workspace counts whatever page it came with.
  await page.getByRole('navigation', { name: 'People' }).getByRole('link', { name: 'People' }).click();
  await page.getByPlaceholder('Filter these rows').fill(sam.email);
  await page.getByRole('grid', { name: 'People' }).getByText('Operate in 1 Workspace').first().waitFor();
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
  for (const [tab, button] of [
    ['groups', 'New group'],
    ['roles', 'New role'],
  ] as const) {
    await page.getByRole('navigation', { name: 'People' }).getByRole('link', { name: tab }).click();
    await page
      .getByText(tab === 'roles' ? 'Acknowledge alarms' : 'No group yet')
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: button }).count()).toBe(0);
  }
  const users = [{ user: newAddress(), role: 'View' }];
  const path = `/nodes/${stage.sites.workspaceId}/security/subscribe`;
  expect(await changeBy({ page, context }, 'POST', path, { users })).toBe(isOffered ? 200 : 403);
  await context.close();
});

test('on a phone the names of people stay in sight while Workspaces are scrolled to, and long addresses can be read', async () => {
  const { api } = stage.installation;
  for (const name of ['Far east', 'Far north', 'Far south']) await workspaceNamed(unique(name));
  const email =
    `a.very.long.address.at.a.station-${unique('x').replaceAll(' ', '-')}@hydrology.example.org`.toLowerCase();
  await api.post(`/nodes/${stage.sites.workspaceId}/security/subscribe`, { users: [{ user: email, role: 'View' }] });
  const { page, context } = await open(stage.person, 'people/access', { viewport: { width: 360, height: 800 } });
  const name = page.locator('.access tbody th').filter({ hasText: email });
  const left = async () => (await name.boundingBox())!.x;
  await name.scrollIntoViewIfNeeded();
  const before = await left();
  await page.locator('.access').evaluate((element) => element.scrollTo({ left: 400 }));
  expect(await left()).toBeCloseTo(before, 0);
  const isCut = await name.evaluate((element) => element.scrollWidth > element.clientWidth + 1);
  expect(isCut).toBe(false);
  await picture(page, 'console-people-phone');
  await context.close();
});

test.each(
  [360, 1024, 1920].flatMap((width) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      ['en-GB', 'de-DE'].map((locale) => ({ width, colorScheme, locale })),
    ),
  ),
)('axe finds nothing: $locale, $colorScheme, $width px', async ({ width, colorScheme, locale }) => {
  const { page, context } = await open(stage.person, 'people/list', {
    viewport: { width, height: 800 },
    colorScheme,
    locale,
  });
  const someone = await userOf(stage.installation.api, stage.sites.workspaceId, 'View');
  const who = `list?who=${encodeURIComponent(someone.email)}`;
  for (const path of ['list', 'access', 'groups', 'roles', who]) {
    const tab = path === who ? 'person' : path;
    await page.goto(`${stage.installation.url}/a/${stage.person.slug}/people/${path}`);
    await page.locator('#title').waitFor();
    const shown = {
      list: '[role=grid]',
      access: '[role=grid]',
      groups: '.people-cards',
      roles: '.access',
      person: '.person',
    };
    await page
      .locator(shown[tab as keyof typeof shown])
      .first()
      .waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await picture(page, `console-people-${tab}-${width}-${colorScheme}-${locale}`);
    expect([tab, await violations(page)]).toEqual([tab, []]);
  }
  await context.close();
});
