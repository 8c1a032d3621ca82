// The operator of an installation has pages for health, accounts with their limits and dead letters; nobody else sees any of it.
import { publishBytes, until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { changeBy, PASSWORD, type Person, signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const EMAIL = 'operator@example.org';
let stage: Stage;
let operator: Person;
let natsUrl: string;
beforeAll(async () => {
  stage = await openStage({ env: { OPERATORS: ` ${EMAIL.toUpperCase()} ` } });
  const { api } = stage.installation;
  const { administrators = [] } = (await api.get('/owners/account')).json;
  await api.put('/owners/account', { administrators: [...administrators, { user: EMAIL, name: { first: 'Op' } }] });
  const body = new URLSearchParams({ password: PASSWORD, repeat: PASSWORD, firstName: 'Op', lastName: 'Rivers' });
  await fetch(await stage.installation.personLink(EMAIL), { method: 'POST', body, redirect: 'manual' });
  operator = { email: EMAIL, slug: stage.person.slug };
  ({ natsUrl } = await stage.installation.running());
});
afterAll(() => stage?.close());

const open = (person: Person, part: string, options: object = {}) =>
  signedIn(stage.browser, stage.installation.url, person, {
    next: `/a/${stage.person.slug}/installation/${part}`,
    ...options,
  });

test('health says in the words of doctor what is in order, and when no backup was made', async () => {
  const { page, context, problems } = await open(operator, 'health');
  await page.getByRole('link', { name: 'Installation' }).first().waitFor();
  await page.getByText('are there and up to date').waitFor();
  await page.getByText('there are none').waitFor();
  await page.getByText('No backup has been made').waitFor();
  await page.getByRole('region', { name: 'Versions' }).getByText('nodes').waitFor();
  expect(await violations(page)).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

test('an account is found, refused a limit at its field, changed after what follows is said, and disabled', async () => {
  const name = unique('Limited');
  const account = await stage.installation.account({ name });
  const { page, context } = await open(operator, 'accounts');
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(name.toLowerCase());
  await page.keyboard.press('Enter');
  const change = page.getByRole('button', { name: `Change ${name}` });
  await change.click();
  const dialog = page.getByRole('dialog', { name: `Change ${name}` });
  const apply = dialog.getByRole('button', { name: 'Change the account' });
  expect(await apply.isDisabled()).toBe(true);
  await dialog.getByLabel('Rated sources at most').fill('many');
  await dialog.getByText('This is no number from 0.').waitFor();
  await dialog.getByLabel('Rated sources at most').fill('2,5');
  await dialog.getByLabel('Days that records are kept').fill('99999');
  await dialog.getByText('Older records are removed').waitFor();
  await apply.click();
  await dialog.getByText(/must be a whole number up to 36500/).waitFor();
  expect(await dialog.getByLabel('Days that records are kept').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Days that records are kept').fill('');
  await dialog.getByLabel('Status').selectOption('DISABLED');
  await dialog.getByText('Every key and session of the account is refused').waitFor();
  await picture(page, 'installation-change');
  await apply.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('rated 0 of 2.5').waitFor();
  await page.getByText('Disabled', { exact: true }).waitFor();
  await until(async () => (await account.api.get('/owners/account')).status === 403);
  await context.close();
});

test('a dead letter that cannot be made harmless stays when it is tried again, and is removed after a question', async () => {
  await publishBytes(natsUrl, 'ingest.0', new TextEncoder().encode('this is no message'));
  const letters = () => stage.installation.command(['deadletters', 'list', '--json']);
  const count = async () => (await letters()).split('\n').filter((line) => line.startsWith('{')).length;
  await until(async () => /"writer-0"/.test(await letters()));
  const { page, context } = await open(operator, 'letters');
  const list = page.getByRole('list', { name: 'Dead letters' });
  await list.getByRole('listitem').first().waitFor();
  await picture(page, 'installation-letters');
  const ofWriter = list.getByRole('listitem').filter({ hasText: 'writer-0' });
  await ofWriter.getByRole('button', { name: /^Try dead letter/ }).click();
  const asked = page.getByRole('dialog', { name: /again\?$/ });
  await asked.getByText('nothing newer is replaced').waitFor();
  // Bytes that are no message cannot be made harmless, either: the question shows the reason, and the dead letter stays.
  await asked.getByRole('button', { name: 'Try again' }).click();
  await asked.getByRole('alert').waitFor();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  for (let left = await count(); left > 0; ) {
    await list
      .getByRole('button', { name: /^Remove dead letter/ })
      .first()
      .click();
    const question = page.getByRole('dialog', { name: /for good\?$/ });
    await question.getByText('This cannot be taken back.').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await question.waitFor({ state: 'detached' });
    left -= 1;
    await until(async () => (await count()) === left);
  }
  await page.getByText('There are no dead letters').waitFor();
  await context.close();
});

test('nobody else sees it: no link, an empty page, 404 for each operation', async () => {
  const opened = await open(stage.person, 'accounts');
  const { page, context } = opened;
  await page.getByText('This is for the operators of the installation').waitFor();
  expect(await page.getByRole('link', { name: 'Installation' }).count()).toBe(0);
  for (const path of ['accounts', 'health', 'deadletters'])
    expect((await context.request.get(`${stage.installation.url}/api/v1/operator/${path}`)).status()).toBe(404);
  expect(await changeBy(opened, 'PUT', `/operator/accounts/${'1'.repeat(24)}`)).toBe(404);
  expect(await changeBy(opened, 'POST', '/operator/deadletters/1/retry')).toBe(404);
  expect(await changeBy(opened, 'DELETE', '/operator/deadletters/1')).toBe(404);
  expect((await stage.installation.api.get('/operator/health')).status).toBe(403);
  await context.close();
});

const LOOKS = [360, 1024, 1920].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    ['en-GB', 'de-DE'].map((locale) => ({ width, colorScheme, locale })),
  ),
);
test.each(LOOKS)('axe finds nothing: $locale, $colorScheme, $width px', async ({ width, colorScheme, locale }) => {
  const size = { viewport: { width, height: width < 500 ? 780 : 900 }, colorScheme, locale };
  const { page, context } = await open(operator, 'health', size);
  for (const part of ['health', 'accounts', 'letters']) {
    await page.goto(`${stage.installation.url}/a/${stage.person.slug}/installation/${part}`);
    await page.locator('.operator-findings, .operator-list, .empty-state').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await picture(page, `installation-${part}-${width}-${colorScheme}-${locale.slice(0, 2)}`);
    expect([part, await violations(page)]).toEqual([part, []]);
  }
  await context.close();
});

test('two operators at one account: what is new is shown, what both have changed is named, and what was typed outlives a reload', async () => {
  const name = unique('Contested');
  const account = await stage.installation.account({ name });
  const { page, context, problems } = await open(operator, 'accounts');
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Change ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Change ${name}` });
  await dialog.getByLabel('Rated sources at most').fill('8');
  await page.reload();
  await dialog.waitFor();
  expect(await dialog.getByLabel('Rated sources at most').inputValue()).toBe('8');
  const theirs = { sourceLimit: 9, smsLimit: 4 };
  expect(await changeBy({ page, context }, 'PUT', `/operator/accounts/${account.id}`, theirs)).toBe(200);
  const apply = dialog.getByRole('button', { name: 'Change the account' });
  await apply.click();
  await dialog.getByText('Somebody has changed this account meanwhile').waitFor();
  await dialog.getByText('Somebody has set this to 9 meanwhile').waitFor();
  expect(await dialog.getByLabel('Rated sources at most').inputValue()).toBe('8');
  expect(await dialog.getByLabel('SMS a month at most').inputValue()).toBe('4');
  await apply.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(name);
  await page.keyboard.press('Enter');
  await page.getByText('rated 0 of 8').waitFor();
  await page.getByText('0 of 4 SMS').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('German: findings are in German, with the time of the last look', async () => {
  const { page, context } = await open(operator, 'health', { locale: 'de-DE' });
  await page.getByText('sind da und auf dem neuesten Stand').waitFor();
  await page.getByText(/^Angesehen/).waitFor();
  expect(
    await page.getByRole('region', { name: 'Datenströme, Leser und Datenbanken' }).locator('[lang=en]').count(),
  ).toBe(0);
  expect(await page.title()).toBe('Zustand · Installation · Catchment');
  await context.close();
});
