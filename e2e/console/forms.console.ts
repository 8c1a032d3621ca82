// These tests lose nothing that was typed into a form: the gateway or a service dies, the session ends, somebody else was first, the page
// is loaded anew.
import type { Page } from 'playwright-core';
import { picture } from '../src/console/look.ts';
import { administrator, endSession, PASSWORD, type Person, signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
let second: Person;
beforeAll(async () => {
  // Each service is a process of its own: one dies alone.
  stage = await openStage({ processes: 'each' });
  second = await administrator(stage.installation.api, 'Kim');
});
afterAll(() => stage?.close());

/** @param isDeaf without news of what others do */
async function openForm(person = stage.person, { isDeaf = false } = {}) {
  const next = `/a/${stage.person.slug}/n/${stage.sites.levelId}/settings`;
  const opened = await signedIn(stage.browser, stage.installation.url, person, { next });
  const { page } = opened;
  if (isDeaf) {
    await page.route(/\/stream\?|\/stream$/, (route) => route.abort());
    await page.reload();
  }
  await page.getByLabel('Units').waitFor();
  return opened;
}
const unitsOf = (page: Page) => page.getByLabel('Units');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const isSaved = (page: Page) => page.getByText('not saved yet').waitFor({ state: 'detached', timeout: 60_000 });
const node = async () => (await stage.installation.api.get(`/nodes/${stage.sites.levelId}`)).json;
const set = async (attributes: object) =>
  expect((await stage.installation.api.put(`/nodes/${stage.sites.levelId}`, attributes)).status).toBe(200);

/** Goes on with the Tab key until the field or button of a name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const named = `(() => {
    const at = document.activeElement;
    return (at?.labels?.[0]?.textContent ?? at?.getAttribute('aria-label') ?? at?.textContent ?? '').trim();
  })()`;
  for (let n = 0; n < 400; n += 1) {
    if ((await page.evaluate(named)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the Tab key does not lead to ${name}`);
}

test.each(['gateway', 'nodes'])(
  '%s dies while a form is edited: what was typed stays, and is saved once it is back',
  async (service) => {
    const { page, context } = await openForm();
    const units = `ft ${service}`;
    await unitsOf(page).fill(units);
    const killed = stage.installation.kill(service);
    await save(page);
    expect(await unitsOf(page).inputValue()).toBe(units);
    await killed;
    // A save that was given up is said, and is made again by the same button.
    const outcome = await Promise.race([
      isSaved(page).then(() => 'saved'),
      page
        .locator('.editor-bar [role=alert]')
        .waitFor({ timeout: 60_000 })
        .then(() => 'refused'),
    ]);
    if (outcome === 'refused') {
      expect(await unitsOf(page).inputValue()).toBe(units);
      await save(page);
      await isSaved(page);
    }
    expect((await node()).units).toBe(units);
    await context.close();
  },
);

test('the session ends while a form is edited: the person signs in over the page, and it is saved', async () => {
  const { page, context } = await openForm();
  await unitsOf(page).fill('m');
  await endSession({ page, context });
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.waitFor();
  await picture(page, 'console-form-session-over');
  expect(await unitsOf(page).inputValue()).toBe('m');
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await save(page);
  await isSaved(page);
  expect((await node()).units).toBe('m');
  await context.close();
});

test('two people edit one node: the second to save sees mine, theirs and what it was, and loses neither', async () => {
  await set({ units: 'ft', format: '0.00' });
  const [first, other] = await Promise.all([openForm(stage.person, { isDeaf: true }), openForm(second)]);
  await unitsOf(first.page).fill('cm');
  await unitsOf(other.page).fill('mm');
  await other.page.getByLabel('Format', { exact: true }).first().fill('0.0');
  await save(other.page);
  await isSaved(other.page);
  // The first one has heard nothing of it: the server says so.
  await save(first.page);
  const conflict = first.page.getByRole('alert').filter({ hasText: 'Somebody else has changed the same' });
  await conflict.waitFor();
  expect(await conflict.getByRole('definition').allInnerTexts()).toEqual(['ft', 'mm', 'cm']);
  expect((await node()).units).toBe('mm');
  await first.page.getByRole('button', { name: 'Keep mine' }).click();
  await save(first.page);
  await isSaved(first.page);
  // The change of the other one alone is left as it was saved.
  expect(await node()).toMatchObject({ units: 'cm', format: '0.0' });
  await Promise.all([first.context.close(), other.context.close()]);
});

test('by keyboard alone: edited, loaded anew with the text unsaved, overtaken, settled and saved', async () => {
  await set({ units: 'ft' });
  const { page, context } = await openForm();
  await tabTo(page, 'Units');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('yd');
  await page.getByText('1 change, not saved yet').waitFor();
  await page.reload();
  await page.getByText('1 change, not saved yet').waitFor();
  expect(await unitsOf(page).inputValue()).toBe('yd');
  await set({ units: 'in' });
  await page.getByRole('heading', { name: 'Somebody else has changed the same' }).waitFor();
  await tabTo(page, 'Keep mine');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Somebody else has changed the same' }).waitFor({ state: 'detached' });
  await tabTo(page, 'Units');
  await page.keyboard.press('ControlOrMeta+s');
  await isSaved(page);
  expect((await node()).units).toBe('yd');
  await context.close();
});
