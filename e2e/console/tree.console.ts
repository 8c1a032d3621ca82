// These tests do in the tree what people do with nodes, by mouse and by keyboard alone, and see what three roles are offered.
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { MODEL, unique } from '../src/api.ts';
import { type Opened, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
let opened: Opened;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  opened = await signedIn(stage.browser, stage.installation.url, stage.person);
  await rowOf(opened.page, 'Maryland rivers').waitFor();
});
afterEach(async () => {
  await opened.context.close();
  expect(opened.problems).toEqual([]);
});
afterAll(() => stage?.close());

const treeOf = (page: Page) => page.getByRole('treegrid', { name: 'Nodes' });
const rowOf = (page: Page, name: string) => treeOf(page).getByRole('row').filter({ hasText: name }).first();
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Returns the name of the row on which the keys act. */
const active = async (page: Page) => {
  const id = await treeOf(page).getAttribute('aria-activedescendant');
  return page.locator(`[id="${id}"] .tree-name`).textContent();
};

test('by mouse: a folder is created, a place moved into it by drag with a question that names counts, and back by undo', async () => {
  const { page } = opened;
  await rowOf(page, 'Maryland rivers').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Create …' }).click();
  await page.getByRole('dialog').getByRole('combobox').selectOption({ label: 'Folder' });
  await page.getByRole('textbox', { name: 'Name' }).fill('Upper <b>basin');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await rowOf(page, 'Upper <b>basin').waitFor();
  await rowOf(page, 'Dead Run').dragTo(rowOf(page, 'Upper <b>basin'));
  await page.getByRole('heading', { name: 'Move «Dead Run at Franklintown» into «Upper <b>basin»?' }).waitFor();
  await page.getByText('3 nodes below it go along.').waitFor();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('«Dead Run at Franklintown» was moved to «Upper <b>basin».').waitFor();
  const { locations, workspaceId } = stage.sites;
  const parentOf = async () => (await stage.installation.api.get(`/nodes/${locations.deadRun}`)).json.parentId;
  expect(await parentOf()).not.toBe(workspaceId);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await parentOf()) === workspaceId);
});

test('by keyboard alone: open, go by letters, create, rename, copy and delete', async () => {
  const { page } = opened;
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await press(page, 'Home', 'ArrowRight');
  await rowOf(page, 'Dead Run').waitFor();
  await press(page, 'd');
  expect(await active(page)).toContain('Dead Run');
  await press(page, 'ArrowRight');
  await rowOf(page, 'River gauge').waitFor();
  await press(page, 'ArrowRight', 'Insert');
  await page.getByRole('textbox', { name: 'Name' }).fill('Battery');
  await press(page, 'Enter');
  await page.getByText('«Battery» was created.').waitFor();
  await rowOf(page, 'Battery').waitFor();
  await press(page, 'g', 't', 'Home', 'b');
  expect(await active(page)).toContain('Battery');
  await press(page, 'F2');
  await page.keyboard.type('Battery voltage');
  await press(page, 'Enter');
  await rowOf(page, 'Battery voltage').waitFor();
  await press(page, 'Delete');
  await page.getByRole('heading', { name: 'Delete «Battery voltage»?' }).waitFor();
  await page.getByText('This is lost for good:').waitFor();
  await page.getByRole('button', { name: 'Delete 1 node' }).press('Enter');
  await page.getByText('«Battery voltage» was deleted.').waitFor();
  await rowOf(page, 'Battery voltage').waitFor({ state: 'detached' });
});

test('a deletion names what is lost, and pages elsewhere that show it', async () => {
  const { page } = opened;
  await treeOf(page).focus();
  await press(page, 'Home', 'ArrowRight');
  await rowOf(page, 'Dead Run').waitFor();
  await press(page, 'd', 'Delete');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 × Location').waitFor();
  await dialog.getByText(/[23] × Number/).waitFor();
  await dialog.getByText('1 page outside shows something of it, and will have a gap:').waitFor();
  await dialog.getByText('Rivers today').waitFor();
  await press(page, 'Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('several nodes are chosen by Shift and Control, moved together after one question, and moved back by undo', async () => {
  const { page } = opened;
  const { api } = stage.installation;
  const { locations, workspaceId } = stage.sites;
  const folder = await api.create({ _class: `${MODEL}.Group`, parentId: workspaceId, name: 'Zone of the falls' });
  await treeOf(page).focus();
  await press(page, 'Home', 'ArrowRight');
  await rowOf(page, 'Zone of the falls').waitFor();
  await rowOf(page, 'Gwynns Falls').click({ modifiers: ['ControlOrMeta'] });
  await rowOf(page, 'Jones Falls').click({ modifiers: ['Shift'] });
  const chosen = treeOf(page).getByRole('row', { selected: true });
  expect(await chosen.locator('.tree-name').allTextContents()).toHaveLength(2);
  await rowOf(page, 'Jones Falls').dragTo(rowOf(page, 'Zone of the falls'));
  await page.getByRole('heading', { name: 'Move 2 nodes into «Zone of the falls»?' }).waitFor();
  await page.getByText('Nothing lies below').waitFor();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByText('2 nodes were moved to «Zone of the falls».').waitFor();
  const parents = async () =>
    Promise.all([locations.gwynns, locations.falls].map(async (id) => (await api.get(`/nodes/${id}`)).json.parentId));
  expect(await parents()).toEqual([folder._id, folder._id]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await parents()).every((id) => id === workspaceId));
});

test('several nodes are chosen and deleted by keys alone: the question names what is lost of all of them', async () => {
  const { page } = opened;
  const { api } = stage.installation;
  const names = ['Aa one', 'Aa two', 'Aa three'];
  for (const name of names)
    await api.create({ _class: `${MODEL}.Group`, parentId: stage.sites.workspaceId, name: unique(name) });
  await treeOf(page).focus();
  await press(page, 'Home', 'ArrowRight');
  await rowOf(page, 'Aa two').waitFor();
  await press(page, 'ArrowDown');
  expect(await active(page)).toContain('Aa one');
  await press(page, 'Shift+ArrowDown', 'Shift+ArrowDown');
  await page.getByText('3 nodes are chosen.', { exact: false }).waitFor({ state: 'attached' });
  await press(page, 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete 3 nodes?' });
  await dialog.getByText('3 × Folder').waitFor();
  await dialog.getByRole('button', { name: 'Delete 3 nodes' }).press('Enter');
  await page.getByText('3 nodes were deleted.').waitFor();
  await rowOf(page, 'Aa two').waitFor({ state: 'detached' });
  expect(await violations(page)).toEqual([]);
});

test('Escape leaves the name of a node as it was, whatever was typed', async () => {
  const { page } = opened;
  const renamed: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/nodes/')) renamed.push(request.url());
  });
  await treeOf(page).focus();
  await press(page, 'Home', 'ArrowRight');
  await rowOf(page, 'Dead Run').waitFor();
  await press(page, 'd', 'F2');
  const field = page.getByLabel(/New name of Dead Run/);
  await field.fill('Unwanted');
  await press(page, 'Escape');
  await field.waitFor({ state: 'detached' });
  expect(await active(page)).toContain('Dead Run');
  expect(renamed).toEqual([]);
});

test('two people rename one node: the second one is warned, and nothing is overwritten', async () => {
  const { page } = opened;
  const { api } = stage.installation;
  const { locations } = stage.sites;
  await treeOf(page).focus();
  await press(page, 'Home', 'ArrowRight');
  await rowOf(page, 'Swiss Camp').waitFor();
  await press(page, 's', 'F2');
  await page.getByLabel(/New name of Swiss Camp/).fill('Mine');
  await api.put(`/nodes/${locations.greenland}`, { name: 'Theirs' });
  await press(page, 'Enter');
  await page.getByText('Somebody else has changed it meanwhile.').waitFor();
  expect(await page.getByLabel(/New name of/).inputValue()).toBe('Mine');
  await press(page, 'Escape');
  expect((await api.get(`/nodes/${locations.greenland}`)).json.name).toBe('Theirs');
  await rowOf(page, 'Theirs').waitFor();
});

test.each([
  ['View', [], ['Open', 'Settings']],
  ['Operate', [], ['Open', 'Settings']],
  ['Manage', ['Create …', 'Rename', 'Move …', 'Delete …'], ['Open', 'Settings']],
])('what a role may not do is not offered: %s', async (role, offered, always) => {
  const person = await userOf(stage.installation.api, stage.sites.workspaceId, role);
  const { page, context, problems } = await signedIn(stage.browser, stage.installation.url, person);
  await rowOf(page, 'Maryland rivers').waitFor();
  await treeOf(page).focus();
  await press(page, 'Home', 'ArrowRight');
  await rowOf(page, 'Gwynns Falls').click({ button: 'right' });
  const items = await page.getByRole('menuitem').allInnerTexts();
  const names = items.map((text) => text.split('\n')[0]!.trim());
  for (const name of [...offered, ...always]) expect(names).toContain(name);
  if (offered.length === 0) expect(names).toEqual(always);
  await press(page, 'Escape');
  expect(await page.getByRole('button', { name: 'New Workspace' }).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});
