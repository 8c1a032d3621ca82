// Settings of the account as a whole work: categories and quality codes, webhooks with their deliveries, usage, SMS, retention; by mouse,
// by keys, by two people at a time and by those who may only look.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { MODEL, unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { administrator, changeBy, type Person, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
let receiver: Server;
/** The receiver answers 503 instead of 200. */
let isBroken = false;
const received: string[] = [];
beforeAll(async () => {
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume();
    request.on('end', () => response.writeHead(isBroken ? 503 : 200).end(isBroken ? 'no room left' : 'thanks'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  stage = await openStage({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
});
afterAll(async () => {
  await stage?.close();
  receiver?.closeAllConnections();
  receiver?.close();
});

const addressOf = (path: string) => `${stage.installation.url}/a/${stage.person.slug}/account/${path}`;
const open = (person: Person, path: string, options: object = {}) =>
  signedIn(stage.browser, stage.installation.url, person, {
    next: `/a/${stage.person.slug}/account/${path}`,
    ...options,
  });
const list = async <T>(path: string): Promise<T> => (await stage.installation.api.get(`/owners/account/${path}`)).json;
const names = async () => (await list<{ name: string }[]>('categories')).map(({ name }) => name);
const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();

test('a category is added, refused, moved, renamed, and deleted once its uses are shown', async () => {
  const { api } = stage.installation;
  const name = unique('Flood');
  const { page, context, problems } = await open(stage.person, 'categories');
  await page.getByRole('button', { name: 'Add a category' }).click();
  await field(page, 'Name').fill('critical');
  await save(page);
  await page.getByText('must be unique among the categories').waitFor();
  expect(await field(page, 'Name').getAttribute('aria-invalid')).toBe('true');
  await field(page, 'Name').fill(name);
  // A reload keeps what was typed.
  await page.reload();
  await page.getByRole('dialog', { name: 'Add a category' }).waitFor();
  expect(await field(page, 'Name').inputValue()).toBe(name);
  await save(page);
  await page.getByRole('button', { name: `Move ${name} up` }).click();
  await until(async () => (await names()).indexOf(name) === 2);
  const made = (await list<{ _id: string; name: string }[]>('categories')).find((entry) => entry.name === name)!;
  const used = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    name: unique('Level'),
    parentId: stage.sites.gaugeId,
    states: [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, notify: 'ALWAYS', categoryId: made._id }],
  });
  await page.getByRole('button', { name: `Delete ${name} …` }).click();
  const question = page.getByRole('dialog', { name: `Delete the category ${name}?` });
  await question.getByText('1 state and 0 alarms of 1 node will notify nobody any more.').waitFor();
  await question.getByText(used.name as string).waitFor();
  await picture(page, 'console-account-category-delete');
  await question.getByRole('button', { name: 'Delete the category' }).click();
  await until(async () => !(await names()).includes(name));
  expect(problems).toEqual([]);
  await context.close();
});

test('two people rename one category: the second one sees who was first, and what it is now', async () => {
  const { api } = stage.installation;
  const made = await api.post('/owners/account/categories', { name: unique('Battery') });
  const other = await administrator(api, 'Nia');
  const { page, context } = await open(stage.person, 'categories');
  await page.getByRole('button', { name: `Rename ${made.json.name}` }).click();
  const mine = unique('Power');
  await field(page, 'Name').fill(mine);
  const second = await open(other, 'categories');
  const theirs = unique('Voltage');
  expect(await changeBy(second, 'PUT', `/owners/account/categories/${made.json._id}`, { name: theirs })).toBe(200);
  await until(async () =>
    JSON.stringify((await api.get(`/events?filter=message($match:${theirs.split(' ')[0]})`)).json).includes(
      other.email,
    ),
  );
  await save(page);
  await page.getByText(`${other.email} has changed this meanwhile. It is now: ${theirs}.`).waitFor();
  expect(await field(page, 'Name').inputValue()).toBe(mine);
  await save(page);
  await until(async () => (await names()).includes(mine));
  await second.context.close();
  await context.close();
});

type Code = { name: string; code: number; color: string; sourceQuality: number[]; type: string };
const codes = async () => (await list<{ codes: Code[] }>('quality')).codes;

test('a quality code is added by keys alone, its colour is judged, and it is deleted with what that means, and undone', async () => {
  const name = unique('Ice');
  const { page, context, problems } = await open(stage.person, 'quality');
  await page.getByRole('button', { name: 'Add a code' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Add a code' }).waitFor();
  await field(page, 'Name').focus();
  await page.keyboard.type(name);
  await page.keyboard.press('Tab');
  await page.keyboard.type('149');
  await page.keyboard.press('Tab');
  await page.keyboard.type('12, 13');
  await field(page, 'Colour').fill('#ffff00');
  await page.getByText('Hard to see on the light ground').waitFor();
  await picture(page, 'console-account-code');
  await page.keyboard.press('Enter');
  await page.getByText('must be unique in the table').waitFor();
  expect(await field(page, 'Code').getAttribute('aria-invalid')).toBe('true');
  await field(page, 'Code').fill('301');
  await page.keyboard.press('Enter');
  await until(async () => (await codes()).some((code) => code.name === name));
  expect((await codes()).find((code) => code.name === name)).toMatchObject({
    code: 301,
    sourceQuality: [12, 13],
    color: '#ffff00',
  });
  await page.getByRole('button', { name: `Delete ${name} …` }).click();
  await page.getByText('Records with 301, 12, 13 stay, and show their number.').waitFor();
  await page.getByRole('button', { name: 'Delete the code' }).click();
  await until(async () => !(await codes()).some((code) => code.name === name));
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until(async () => (await codes()).some((code) => code.name === name));
  await page.getByRole('checkbox', { name: 'Bad' }).check();
  await save(page);
  await until(async () => (await list<{ excluded: string[] }>('quality')).excluded.join() === 'BAD');
  expect(problems).toEqual([]);
  await context.close();
});

type Hook = { _id: string; name: string; filter: string; enabled: boolean };
const hookNamed = async (name: string) => (await list<Hook[]>('webhooks')).find((hook) => hook.name === name);

test('a webhook: its secret once, events chosen, tested, paused, its secret changed; failed deliveries are sent again', async () => {
  const name = unique('Pager');
  const { port } = receiver.address() as AddressInfo;
  const { page, context, problems } = await open(stage.person, 'webhooks');
  await page.getByText('No webhook yet').waitFor();
  await picture(page, 'console-account-webhooks-none');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await field(page, 'Name').fill(name);
  await field(page, 'Address').fill('https://10.0.0.1/');
  await save(page);
  await page.getByText('must not lead to a private or reserved address').waitFor();
  await field(page, 'Address').fill(`http://127.0.0.1:${port}/hook`);
  await page.getByLabel('Events that are chosen:').check();
  await page.getByRole('checkbox', { name: 'Error' }).check();
  await picture(page, 'console-account-webhook-form');
  await save(page);
  const shown = page.getByRole('dialog', { name: 'The secret of the webhook' });
  expect(await shown.locator('code').textContent()).toMatch(/^whsec_/);
  await shown.getByRole('button', { name: 'Done' }).click();
  const hook = await until(() => hookNamed(name));
  expect(hook).toMatchObject({ filter: 'level($eq:ERROR)', enabled: true });
  const path = `webhooks/${hook._id}`;
  await page.getByRole('button', { name: 'Pause' }).click();
  await until(async () => !(await hookNamed(name))!.enabled);
  await page.getByText('paused').waitFor();
  isBroken = true;
  for (const _ of [1, 2]) await page.getByRole('button', { name: 'Send a test' }).click();
  await until(async () => (await list<{ status: string }[]>(`${path}/deliveries?status=FAILED`)).length === 2);
  await page.getByRole('link', { name: 'Deliveries' }).click();
  const table = page.getByRole('grid', { name: `Deliveries of ${name}` });
  await table.getByText('no room left').first().waitFor();
  await picture(page, 'console-account-deliveries');
  isBroken = false;
  await table.getByRole('row').filter({ hasText: 'failed' }).first().getByRole('button').click();
  const detail = page.getByRole('dialog', { name: 'A delivery' });
  await detail.getByText('answered 503').waitFor();
  await detail.getByRole('button', { name: 'Send again' }).click();
  await until(async () => (await list<{ status: string }[]>(`${path}/deliveries?status=DELIVERED`)).length === 1);
  // A toast in the dialog has one of its own.
  await detail.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('button', { name: 'Send all failed ones again' }).click();
  await page.getByText('1 delivery is on its way again.').waitFor();
  await until(async () => (await list<{ status: string }[]>(`${path}/deliveries?status=DELIVERED`)).length === 2);
  expect(new Set(received).size).toBe(2);
  await table.getByText('arrived').nth(1).waitFor();
  await page.getByRole('link', { name: 'All webhooks' }).click();
  await page.getByRole('button', { name: `More about ${name}` }).click();
  await page.getByRole('menuitem', { name: 'New secret …' }).click();
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  expect(await shown.locator('code').textContent()).toMatch(/^whsec_/);
  await shown.getByRole('button', { name: 'Done' }).click();
  await page.getByText('The secret before this one signs too').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  // The change itself is an event that has waited.
  await page.getByRole('button', { name: 'Send what has waited' }).click();
  await until(async () => (await hookNamed(name))!.enabled);
  await page.getByRole('button', { name: `More about ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete the webhook' }).click();
  await until(async () => (await hookNamed(name)) === undefined);
  expect(problems).toEqual([]);
  await context.close();
});

test('of many deliveries the newest are shown, older ones when they are asked for, and then no more is offered', async () => {
  const { api } = stage.installation;
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const { _id } = (await api.post('/owners/account/webhooks', { name: unique('Busy'), url, filter: '' })).json;
  const { page, context, problems } = await open(stage.person, 'categories');
  const kept = Array.from({ length: 350 }, (_, n) => ({
    _id: n.toString(16).padStart(24, '0'),
    kind: 'EVENTS',
    status: 'DELIVERED',
    eventCount: n + 1,
    tries: [],
    createdTime: new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString(),
  }));
  await page.route('**/deliveries?*', (route) => {
    const limit = Number(new URL(route.request().url()).searchParams.get('limit'));
    return route.fulfill({ json: kept.slice(0, limit) });
  });
  await page.goto(addressOf(`webhooks?webhook=${_id}`));
  const grid = page.getByRole('grid').or(page.getByRole('treegrid')).or(page.getByRole('table')).last();
  await until(async () => (await grid.getAttribute('aria-rowcount')) === '201');
  await page.getByRole('button', { name: 'Show older ones' }).click();
  await until(async () => (await grid.getAttribute('aria-rowcount')) === '351');
  await until(async () => (await page.getByRole('button', { name: 'Show older ones' }).count()) === 0);
  expect(problems).toEqual([]);
  await api.delete(`/owners/account/webhooks/${_id}`);
  await context.close();
});

test('two people change one webhook: what both have changed is chosen from, of the rest theirs is taken', async () => {
  const { api } = stage.installation;
  const [name, mine, theirs] = [unique('Pager'), unique('Siren'), unique('Horn')];
  const url = 'http://127.0.0.1:9/a';
  const made = (await api.post('/owners/account/webhooks', { name, url, enabled: false })).json;
  const hook = async () => (await api.get(`/owners/account/webhooks/${made._id}`)).json;
  const { page, context, problems } = await open(stage.person, 'webhooks');
  const card = page.getByRole('listitem').filter({ hasText: name });
  await card.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog');
  await field(page, 'Name').fill(mine);
  await api.put(`/owners/account/webhooks/${made._id}`, { name: theirs, url: 'http://127.0.0.1:9/b' });
  await save(page);
  await dialog.getByRole('heading', { name: 'Somebody else has changed the same' }).waitFor();
  await picture(page, 'console-account-conflict');
  expect(await violations(page)).toEqual([]);
  expect(await field(page, 'Name').inputValue()).toBe(mine);
  expect(await field(page, 'Address').inputValue()).toBe('http://127.0.0.1:9/b');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await save(page);
  await dialog.waitFor({ state: 'detached' });
  expect(await hook()).toMatchObject({ name: mine, url: 'http://127.0.0.1:9/b' });
  // One that is changed while the question stands is not deleted before it was looked at again.
  await page.getByRole('button', { name: `More about ${mine}` }).click();
  await page.getByRole('menuitem', { name: 'Delete …' }).click();
  let isFirst = true;
  await page.route(`**/owners/account/webhooks/${made._id}`, async (route) => {
    if (isFirst) await api.put(`/owners/account/webhooks/${made._id}`, { name: theirs });
    isFirst = false;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Delete the webhook' }).click();
  await page.getByText(`It is now: ${theirs}, http://127.0.0.1:9/b. Delete it all the same?`).waitFor();
  await page.getByRole('button', { name: 'Delete the webhook' }).click();
  await until(async () => (await api.get(`/owners/account/webhooks/${made._id}`)).status === 404);
  expect(problems).toEqual([]);
  await context.close();
});

test('a webhook to an address that the operator does not allow is refused at its field, and nothing is made', async () => {
  const name = unique('Inside');
  const { page, context } = await open(stage.person, 'webhooks');
  await page.getByRole('button', { name: 'Add a webhook' }).click();
  await field(page, 'Name').fill(name);
  for (const address of ['http://10.0.0.1/hook', 'https://[::ffff:169.254.169.254]/', 'ftp://hooks.example.org/']) {
    await field(page, 'Address').fill(address);
    await save(page);
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await field(page, 'Address').getAttribute('aria-invalid')).toBe('true');
  }
  const all = await list<{ name: string }[]>('webhooks');
  expect(all.some((entry) => entry.name === name)).toBe(false);
  await context.close();
});

test('two people change quality codes in one moment: both changes are there', async () => {
  const { api } = stage.installation;
  const [mine, theirs] = [unique('Ice'), unique('Weed')];
  const { page, context, problems } = await open(stage.person, 'quality');
  await page.getByRole('button', { name: 'Add a code' }).click();
  await field(page, 'Name').fill(mine);
  await field(page, 'Code').fill('4101');
  // Somebody else adds a code between the reading of the table and its writing.
  let isFirst = true;
  await page.route('**/owners/account/quality', async (route) => {
    if (route.request().method() === 'PUT' && isFirst) {
      isFirst = false;
      const added = { name: theirs, code: 4102, type: 'BAD', sourceQuality: [] };
      await api.put('/owners/account/quality', { codes: [...(await codes()), added] });
    }
    await route.continue();
  });
  await save(page);
  await page.getByText(`${mine} is saved.`).waitFor();
  const names = (await codes()).map(({ name }) => name);
  expect([names.includes(mine), names.includes(theirs)]).toEqual([true, true]);
  expect(problems).toEqual([]);
  await context.close();
});

test('usage, SMS and retention show what the API answers', async () => {
  const { page, context, problems } = await open(stage.person, 'usage');
  const limits = await list<{ nodes: { count: number } }>('limits');
  await page.getByText(`${limits.nodes.count} of 100,000`).waitFor();
  const workspaces = page.getByRole('grid', { name: 'Which Workspace takes most' });
  await workspaces.getByRole('link').first().waitFor();
  await page.goto(addressOf('sms'));
  await page.getByText('This installation has no gateway for SMS: none is sent.').waitFor();
  await page.getByText('No SMS was sent in the last year').waitFor();
  await page.goto(addressOf('retention'));
  await page.getByRole('row').filter({ hasText: 'Records' }).getByText('for ever, until somebody deletes it').waitFor();
  await page.getByRole('row').filter({ hasText: 'Detail' }).getByText('30 days').waitFor();
  // The page says who sets it, and how.
  await page.getByText(`catchment account update ${stage.person.slug} --record-days 0 --event-days 0`).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test.each(['View', 'Manage'])(
  '%s of a Workspace reads categories and codes, and finds nothing to change',
  async (role) => {
    const someone = await userOf(stage.installation.api, stage.sites.workspaceId, role);
    const opened = await open(someone, 'categories');
    const { page, context } = opened;
    await page.getByRole('list', { name: 'Categories of notifications' }).getByRole('listitem').first().waitFor();
    const main = page.locator('#main');
    expect(await main.getByRole('button').count()).toBe(0);
    await main.getByRole('link', { name: 'Quality codes' }).click();
    await page.getByText('Bad - No Data').waitFor();
    expect(await main.getByRole('button').count()).toBe(0);
    expect(await main.getByRole('link').count()).toBe(2);
    await page.goto(addressOf('webhooks'));
    await page.getByText('This is for administrators').waitFor();
    expect(await changeBy(opened, 'POST', '/owners/account/categories', { name: unique('No') })).toBe(403);
    expect(await changeBy(opened, 'PUT', '/owners/account/quality', { excluded: [] })).toBe(403);
    expect(await changeBy(opened, 'POST', '/owners/account/apikeys', { label: unique('No') })).toBe(403);
    expect(await changeBy(opened, 'POST', '/owners/account/webhooks', { name: 'No', url: 'https://x.invalid/' })).toBe(
      403,
    );
    await context.close();
  },
);

test.each(
  [360, 1024, 1920].flatMap((width) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      ['en-GB', 'de-DE'].map((locale) => ({ width, colorScheme, locale })),
    ),
  ),
)('axe finds nothing: $locale, $colorScheme, $width px', async ({ width, colorScheme, locale }) => {
  const name = unique('Chat');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  const made = await stage.installation.api.post('/owners/account/webhooks', { name, url, filter: 'level($eq:ERROR)' });
  await stage.installation.api.post(`/owners/account/webhooks/${made.json._id}/test`);
  const { page, context } = await open(stage.person, 'categories', {
    viewport: { width, height: 800 },
    colorScheme,
    locale,
  });
  for (const part of [
    'categories',
    'quality',
    'keys',
    'webhooks',
    `webhooks?webhook=${made.json._id}`,
    'usage',
    'sms',
    'retention',
  ]) {
    await page.goto(addressOf(part));
    await page
      .locator('.account-page :is(.account-list, .account-card, .account-table, .account-kept)')
      .first()
      .waitFor();
    expect([part, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([part, width]);
    await picture(page, `console-account-${part.replace(/\?.*/, '-deliveries')}-${width}-${colorScheme}-${locale}`);
    expect([part, await violations(page)]).toEqual([part, []]);
  }
  await stage.installation.api.delete(`/owners/account/webhooks/${made.json._id}`);
  await context.close();
});

test('API keys: one is made and shown once, refused at its field, changed, and revoked after it is said when it was used', async () => {
  const label = unique('Logger');
  const { page, context, problems } = await open(stage.person, 'keys');
  await page.getByText('Administration', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.locator('.labelled-field').filter({ hasText: 'Label' }).getByRole('alert').waitFor();
  await field(page, 'Label').fill(label);
  await field(page, 'In').selectOption('LIMITED_WORKSPACES');
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByRole('dialog').getByText('Choose one Workspace at least.').waitFor();
  await page.getByRole('dialog').getByLabel('Maryland rivers').check();
  await page.getByRole('button', { name: 'Make the key' }).click();
  const shown = page.getByRole('dialog', { name: `The key ${label}` });
  const key = (await shown.locator('code').textContent()) ?? '';
  expect(key).toMatch(/^[A-Za-z0-9]{40}$/);
  await picture(page, 'console-account-key');
  await shown.getByRole('button', { name: 'I have kept it' }).click();
  const ask = () => fetch(`${stage.installation.url}/api/v1/nodes`, { headers: { 'X-Api-Key': key } });
  expect((await ask()).status).toBe(200);
  await page.getByRole('button', { name: `Change the key ${label}` }).click();
  await field(page, 'It may').selectOption('MODIFY');
  await save(page);
  await page.getByText(`${label} is saved.`).waitFor();
  const made = async () => (await list<{ label: string }[]>('apikeys')).find((key) => key.label === label);
  expect(await made()).toMatchObject({ permission: 'MODIFY', workspaceIds: [stage.sites.workspaceId] });
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: `Revoke the key ${label}` }).click();
  const question = page.getByRole('dialog', { name: `Revoke the key ${label}?` });
  await question.getByText(/last used/).waitFor();
  await question.getByRole('button', { name: 'Revoke' }).click();
  await until(async () => (await made()) === undefined);
  await until(async () => (await ask()).status === 401);
  expect(problems).toEqual([]);
  await context.close();
});
