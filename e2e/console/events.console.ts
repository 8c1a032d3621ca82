// The log of events shows many of one instant, filters together, a date to go to, and what happens meanwhile.
import { readFile } from 'node:fs/promises';
import { until } from '@catchment/testkit';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const AT = '2026-03-01T12:00:00.000Z';
const MANY = 500;
/** Both filters together. */
const FILTERS = 'level=INFO&type=CONFIGURATION';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { api } = stage.installation;
  const { gaugeId } = stage.sites;
  const ofOneInstant = Array.from({ length: MANY }, (_, n) => ({ message: `Step ${n}`, eventTime: AT }));
  const older = { message: 'Installed', eventTime: '2025-05-01T00:00:00Z' };
  expect((await api.post(`/nodes/${gaugeId}/events`, [...ofOneInstant, older])).status).toBe(202);
});
afterAll(() => stage?.close());

const open = async (address: string) => {
  const { browser, installation, person } = stage;
  const opened = await signedIn(browser, installation.url, person, { next: `/a/${person.slug}/${address}` });
  await opened.page.locator('.table-row').first().waitFor();
  return opened;
};

/** Goes to the end as often as there is more. */
async function readToTheEnd(page: Page): Promise<void> {
  const grid = page.getByRole('grid', { name: 'Events' });
  await grid.focus();
  await until(async () => {
    await page.keyboard.press('End');
    return (await grid.getAttribute('aria-rowcount')) !== '-1';
  });
}

async function rowsAsCsv(page: Page): Promise<readonly (readonly string[])[]> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  return parse(await readFile(await file.path()), { bom: true });
}

test.each([
  ['of a node', () => `n/${stage.sites.gaugeId}/events?${FILTERS}`],
  ['of the account', () => `events?${FILTERS}`],
])(
  'more events of one instant than a page has, %s, with filters together: each stands once',
  async (_what, address) => {
    const { page, context, problems } = await open(address());
    await readToTheEnd(page);
    const texts = (await rowsAsCsv(page)).flat().filter((text) => /^Step \d+$/.test(text));
    expect(texts).toHaveLength(MANY);
    expect(new Set(texts).size).toBe(MANY);
    expect(problems).toEqual([]);
    await context.close();
  },
);

test('a date leads to what was before it; back at the newest, what happens appears by itself', async () => {
  const { page, context, problems } = await open(`n/${stage.sites.gaugeId}/events`);
  await page.getByLabel('Go to').fill('2025-12-31T00:00:00');
  await page.waitForURL(/until=2025-12-3/);
  await page.getByText('Installed', { exact: true }).waitFor();
  expect(await page.getByText(/^Step/).count()).toBe(0);
  await page.getByRole('button', { name: 'Newest' }).click();
  await page.getByText(/^Created node/).waitFor();
  const { api } = stage.installation;
  await api.post(`/nodes/${stage.sites.gaugeId}/events`, [{ message: 'Sensor cleaned' }]);
  await page.getByText('Sensor cleaned', { exact: true }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});
