// These tests use a person's things: the profile, keys for programs, what notifies them, and where they are signed in.
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { Api } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { changeBy, type Person, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const open = (person: Person, tab = 'profile', options: object = {}) =>
  signedIn(stage.browser, stage.installation.url, person, { next: `/a/${person.slug}/me/${tab}`, ...options });

test('a profile is changed by keys, says what is wrong with it, and the page shows times and the name by it at once', async () => {
  const sam = await userOf(stage.installation.api, stage.sites.workspaceId, 'View');
  const { page, context, problems } = await open(sam);
  await page.getByLabel('Phone, for SMS').fill('12');
  await page.keyboard.press('Control+s');
  await page.getByText('must be + and 7 to 15 digits').first().waitFor();
  await page.getByLabel('Phone, for SMS').fill('+64 21 123 4567');
  await page.getByLabel('First name').fill('Samantha');
  await page.getByLabel('Time zone').fill('Pacific/Auckland');
  await page.getByLabel('Form of times').fill('DD.MM.YYYY HH:mm');
  await picture(page, 'console-me-profile');
  await page.keyboard.press('Control+s');
  await page.getByText('Your profile is saved.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Samantha Rivers' }).waitFor();
  await page.getByRole('button', { name: 'Samantha Rivers' }).waitFor();
  await page.getByText(/^Now: \d\d\.\d\d\.\d{4} \d\d:\d\d$/).waitFor();
  const me = await (await context.request.get(`${stage.installation.url}/api/v1/users/me`)).json();
  expect(me).toMatchObject({
    name: { first: 'Samantha', last: 'Rivers' },
    timezone: 'Pacific/Auckland',
    timeFormat: 'DD.MM.YYYY HH:mm',
    contact: { phone: '+64211234567' },
  });
  await page.getByLabel('Time zone').fill('Mars/Base');
  await page.reload();
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Mars/Base');
  await page.getByLabel('Time zone').press('Control+s');
  await page.getByRole('alert').first().waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a key is made, shown once, works as far as the person may, and is revoked', async () => {
  const sam = await userOf(stage.installation.api, stage.sites.workspaceId, 'View');
  const { page, context, problems } = await open(sam, 'keys');
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  await dialog.getByText('Give it a label.').waitFor();
  await dialog.getByLabel('Label').fill('Laptop');
  await dialog.getByLabel('It may').selectOption('MODIFY');
  // No workspace user has a key of the account.
  const where = dialog.getByRole('combobox').last();
  expect(await where.locator('option').count()).toBe(2);
  await where.selectOption('LIMITED_WORKSPACES');
  await dialog.getByLabel('Maryland rivers').check();
  await dialog.getByRole('button', { name: 'Make the key' }).click();
  const shown = page.getByRole('dialog', { name: 'The key Laptop' });
  const key = (await shown.locator('code').textContent()) ?? '';
  await picture(page, 'console-me-key');
  await shown.getByRole('button', { name: 'I have kept it' }).click();
  expect(await page.getByText(key).count()).toBe(0);
  const program = new Api(stage.installation.api.url, key);
  expect((await program.get(`/nodes/${stage.sites.levelId}`)).status).toBe(200);
  expect((await program.put(`/nodes/${stage.sites.levelId}`, { name: 'No' })).status).toBe(403);
  // A key is a program's: it does nothing for the person.
  expect((await program.get('/users/me/apikeys')).status).toBe(403);
  await page.getByText('Reads and changes: Maryland rivers').waitFor();
  await page.getByRole('button', { name: 'Revoke the key Laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Laptop is revoked.').waitFor();
  await until(async () => (await program.get('/users/me')).status === 401);
  expect(problems).toEqual([]);
  await context.close();
});

test('what notifies the person is listed, and is switched off and on again', async () => {
  const sam = await userOf(stage.installation.api, stage.sites.workspaceId, 'Operate');
  const { levelId, workspaceId } = stage.sites;
  const { page, context, problems } = await open(sam, 'notifications');
  await page.getByText('No node notifies you of anything here').waitFor();
  const path = `/nodes/${levelId}/notifications/subscribe`;
  expect(await changeBy({ page, context }, 'POST', path, { users: [{ user: sam.email }] })).toBe(202);
  await page.reload();
  const level = page.getByRole('listitem').filter({ has: page.getByRole('link') });
  await level.first().waitFor();
  const way = page.getByLabel('Critical by E-mail in Maryland rivers');
  await way.check();
  await page.getByText('How you hear of Critical is changed.').waitFor();
  await picture(page, 'console-me-notifications');
  const { users } = (await stage.installation.api.get(`/nodes/${levelId}/notifications`)).json;
  const own = users.find((user: { contact: { email: string } }) => user.contact.email === sam.email);
  expect(own.notificationCategories).toContainEqual({ category: 'Critical', email: true, sms: false });
  const isNotified = async () =>
    JSON.stringify(
      (await stage.installation.api.get(`/nodes/${workspaceId}/notifications?subscribeType=BRANCH`)).json,
    ).includes(sam.email);
  await page.getByRole('button', { name: /^Switch off notifications of/ }).click();
  await until(async () => !(await isNotified()));
  await page.getByText('no longer notifies you.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until(isNotified);
  expect(problems).toEqual([]);
  await context.close();
});

test('a session elsewhere is seen and ended, and others see nothing of it', async () => {
  const sam = await userOf(stage.installation.api, stage.sites.workspaceId, 'View');
  const elsewhere = await open(sam);
  const { page, context, problems } = await open(sam, 'sign-ins');
  const live = page.getByRole('region', { name: 'Signed in now' });
  await live.getByText('This browser').waitFor();
  // One session came by the link that set the password, one elsewhere, and one here.
  expect(await live.getByRole('listitem').count()).toBe(3);
  await picture(page, 'console-me-sign-ins');
  const stranger = await open(await userOf(stage.installation.api, stage.sites.workspaceId, 'View'));
  const list = await (await context.request.get(`${stage.installation.url}/api/v1/users/me/sign-ins`)).json();
  const other = list.find(
    (session: { isCurrent: boolean; way: string }) => !session.isCurrent && session.way === 'password',
  );
  expect(await changeBy(stranger, 'DELETE', `/users/me/sign-ins/${other._id}`)).toBe(404);
  await live.getByRole('button').first().click();
  await page.getByText('The session is ended.').waitFor();
  const status = async () =>
    (await elsewhere.context.request.get(`${stage.installation.url}/api/v1/users/me`)).status();
  await until(async () => (await status()) === 401);
  expect(await live.getByRole('listitem').count()).toBe(2);
  await page.getByRole('region', { name: 'Ended, of the last 90 days' }).getByRole('listitem').first().waitFor();
  expect(problems).toEqual([]);
  for (const session of [stranger, elsewhere]) await session.context.close();
  await context.close();
});

test.each(
  [360, 1024, 1920].flatMap((width) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      ['en-GB', 'de-DE'].map((locale) => ({ width, colorScheme, locale })),
    ),
  ),
)('axe finds nothing: $locale, $colorScheme, $width px', async ({ width, colorScheme, locale }) => {
  const { page, context } = await open(stage.person, 'profile', {
    viewport: { width, height: 800 },
    colorScheme,
    locale,
  });
  for (const tab of ['profile', 'keys', 'notifications', 'sign-ins']) {
    await page.goto(`${stage.installation.url}/a/${stage.person.slug}/me/${tab}`);
    await page.locator('.tabs [aria-current=page]').waitFor();
    await page.locator('.editor, .empty-state, .own-list').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await picture(page, `console-me-${tab}-${width}-${colorScheme}-${locale}`);
    expect([tab, await violations(page)]).toEqual([tab, []]);
  }
  await context.close();
});

test('by keys alone: a key is made and revoked, what is typed outlives a reload, and something always has the focus', async () => {
  const sam = await userOf(stage.installation.api, stage.sites.workspaceId, 'View');
  const { page, context, problems } = await open(sam, 'keys');
  const focused = page.locator(':focus');
  await page.getByRole('button', { name: 'Make a key' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Logger of the weir');
  await page.reload();
  expect(await page.getByRole('dialog').getByLabel('Label').inputValue()).toBe('Logger of the weir');
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'The key Logger of the weir' });
  await shown.waitFor();
  expect(await shown.locator(':focus').count()).toBe(1);
  await shown.getByRole('button', { name: 'I have kept it' }).focus();
  await page.keyboard.press('Enter');
  await shown.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Revoke the key Logger of the weir' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Revoke the key Logger of the weir' }).waitFor({ state: 'detached' });
  expect(await focused.count()).toBe(1);
  expect(problems).toEqual([]);
  await context.close();
});
