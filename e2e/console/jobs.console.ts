import { violations } from '@catchment/testkit/axe';
// These tests find what goes on in the menu of the bell: after a reload, in another tab, with how far it is and how it ended.
import type { Page } from 'playwright-core';
import { MODEL, unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const open = () => signedIn(stage.browser, stage.installation.url, stage.person);
const openBell = async (page: Page) => {
  await page.getByRole('button', { name: /alarm is active|active alarm/ }).click();
  return page.getByRole('region', { name: 'What is under way' });
};

/** Sends a change by the session of the page, as its own requests are. */
async function sent(page: Page, path: string, body: object | string, file = ''): Promise<number> {
  const { csrf, account } = JSON.parse((await page.locator('#start').textContent()) ?? '');
  const headers = {
    'X-CSRF-Token': csrf,
    'X-Account': account.id,
    ...(file === '' && { 'Content-Type': 'application/json' }),
  };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return page.evaluate(
    async (of) => {
      const form = new FormData();
      form.append('file', new Blob([of.text]), of.file);
      const request = { method: 'POST', headers: of.headers, body: of.file === '' ? of.text : form };
      return (await fetch(`/api/v1${of.path}`, request)).status;
    },
    { path, text, file, headers },
  );
}

test('exports and imports of the person are there after a reload and in another tab, with their outcome', async () => {
  const { sites } = stage;
  const { page, context, problems } = await open();
  expect(await sent(page, '/exports', { nodes: [sites.gaugeId] })).toBe(202);
  const text = 'time,level\n2024-07-01 00:00,1\n2024-07-01 01:00,3\n';
  expect(await sent(page, `/nodes/${sites.levelId}/import`, text, 'july.csv')).toBe(202);
  await page.reload();
  const other = await context.newPage();
  await other.goto(page.url());
  for (const tab of [page, other]) {
    const jobs = await openBell(tab);
    await jobs.getByRole('listitem').filter({ hasText: 'Export of 2 series (CSV)' }).getByText(/^done/).waitFor();
    await jobs.getByRole('listitem').filter({ hasText: 'Import of july.csv' }).getByText('done · 2 records').waitFor();
  }
  const jobs = page.getByRole('region', { name: 'What is under way' });
  expect(await violations(page)).toEqual([]);
  await picture(page, 'console-jobs');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    jobs.getByRole('link', { name: 'Save the file' }).click(),
  ]);
  expect(await file.failure()).toBeNull();
  await jobs.getByRole('button', { name: 'Delete the export and its file' }).click();
  await jobs.getByText('Export of 2 series (CSV)').waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
  await context.close();
});

test('what a page does is seen in another tab; when the page is left, it is said that its outcome is not known, until it is', async () => {
  const { api } = stage.installation;
  const name = unique('Old gauge');
  const node = await api.create({ _class: `${MODEL}.location.Location`, parentId: stage.sites.workspaceId, name });
  const { page, context, problems } = await open();
  // The server takes its time.
  await page.route(`**/nodes/${node._id}*`, (route) =>
    route.request().method() === 'DELETE' ? undefined : route.continue(),
  );
  page.on('dialog', (dialog) => void dialog.accept());
  const tree = page.getByRole('treegrid', { name: 'Nodes' });
  await tree.focus();
  for (const key of ['Home', 'ArrowRight']) await page.keyboard.press(key);
  await tree.getByRole('row').filter({ hasText: name }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Delete …' }).click();
  await page.getByRole('button', { name: 'Delete 1 node' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  const seen = await openBell(other);
  await seen.getByText(name).waitFor();
  await seen.getByText('under way', { exact: true }).waitFor();
  await page.reload();
  await seen.getByText('What became of it is not known.', { exact: false }).waitFor();
  await (await openBell(page)).getByText('What became of it is not known.', { exact: false }).waitFor();
  expect((await api.delete(`/nodes/${node._id}`)).status).toBeLessThan(300);
  await page.keyboard.press('Escape');
  await (await openBell(page)).getByRole('listitem').filter({ hasText: name }).getByText('done').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});
