// These tests open what is saved of a chart as its readers do: the picture, the records as CSV and as ARROW, and the link in a second
// browser.
import { readFile } from 'node:fs/promises';
import { until } from '@catchment/testkit';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { jts } from '../src/api.ts';
import { signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const HOUR = 3_600_000;
const END = Math.floor(Date.now() / HOUR) * HOUR - HOUR;
const SHOWN = { start: END - 100 * HOUR, end: END - 20 * HOUR };
const iso = (ms: number) => new Date(ms).toISOString();
const RANGE = `${iso(SHOWN.start)}/${iso(SHOWN.end)}`;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { api } = stage.installation;
  const rows = Array.from({ length: 200 }, (_, n) => [iso(END - (199 - n) * HOUR), 1 + Math.sin(n / 5) / 2] as const);
  const document = jts(['level'], rows, 'ft');
  expect((await api.put(`/nodes/${stage.sites.gaugeId}/historic`, document)).status).toBe(202);
  await until(async () => (await api.get(`/nodes/${stage.sites.levelId}`)).json.oldestTime !== undefined);
});
afterAll(() => stage?.close());

const open = async (options = {}) => {
  const { browser, installation, person, sites } = stage;
  const next = `/a/${person.slug}/n/${sites.levelId}/chart?range=${encodeURIComponent(RANGE)}`;
  const opened = await signedIn(browser, installation.url, person, { next, ...options });
  await opened.page.locator('.legend .range').first().waitFor();
  return opened;
};

const choose = async (page: Page, item: string) => {
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** Saves the file that an item of the menu gives. */
async function saved(page: Page, item: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), choose(page, item)]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Reads the records of the part that is shown from the API. */
async function recordsShown(): Promise<readonly (readonly [number, number])[]> {
  const { installation, sites } = stage;
  const query = `startTime=${iso(SHOWN.start)}&endTime=${iso(SHOWN.end)}`;
  const { json } = await installation.api.get(`/nodes/${sites.levelId}/historic?${query}`);
  return json.data.map(({ ts, f }: { ts: string; f: { 0: { v: number } } }) => [Date.parse(ts), f[0].v] as const);
}

test.each(['light', 'dark'] as const)('the picture has the size of the chart, and shows a line: %s', async (scheme) => {
  const { page, context, problems } = await open({ colorScheme: scheme });
  const { name, bytes } = await saved(page, 'Picture (PNG)');
  expect(name).toBe('Gage height.png');
  const plot = await page.locator('.explorer-plot canvas').first().boundingBox();
  const { width = 0, height = 0, format } = await sharp(bytes).metadata();
  expect(format).toBe('png');
  expect(width).toBeGreaterThan(plot!.width);
  expect(height).toBeGreaterThan(plot!.height);
  // The middle of the plot has more than the ground, in its scheme.
  const middle = { left: 120, top: Math.round(height / 2) - 100, width: width - 200, height: 200 };
  const { channels } = await sharp(bytes).extract(middle).removeAlpha().stats();
  expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(3);
  expect(channels[0]!.mean > 128).toBe(scheme === 'light');
  expect(problems).toEqual([]);
  await context.close();
});

test('the records of what is shown are those of the API: as CSV and as ARROW', async () => {
  const { page, context, problems } = await open();
  const expected = await recordsShown();
  expect(expected).toHaveLength(81);
  const csv = await saved(page, 'Records as CSV');
  expect(csv.name).toBe('Gage height.csv');
  const rows: string[][] = parse(csv.bytes, { relax_column_count: true, bom: true });
  const records = rows.filter(([time = '']) => Number.isFinite(Date.parse(time)));
  expect(records.map(([time = '', value]) => [Date.parse(time), Number(value)])).toEqual(expected);
  const arrow = await saved(page, 'Records as ARROW');
  expect(arrow.name).toBe('Gage height.arrows');
  const table = tableFromIPC(arrow.bytes);
  const [times, values] = [table.getChildAt(0)!, table.getChildAt(1)!];
  expect(Array.from({ length: table.numRows }, (_, i) => [Number(times.get(i)), values.get(i)])).toEqual(expected);
  expect(problems).toEqual([]);
  await context.close();
});

test('the link shows the same chart in a second browser', async () => {
  const { browser, installation, person } = stage;
  const { page, context } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByLabel('Laid over').selectOption('the day before');
  await page.getByText('Gage height, −1 day').waitFor();
  await choose(page, 'Copy the link');
  await page.getByText('The link is copied').waitFor();
  const link = new URL(await page.evaluate<string>('navigator.clipboard.readText()'));
  const unseen = (tab: Page) => tab.locator('.explorer .unseen').last().textContent();
  const second = await signedIn(browser, installation.url, person, { next: `${link.pathname}${link.search}` });
  await second.page.getByText('Gage height, −1 day').waitFor();
  await until(async () => (await unseen(second.page)) === (await unseen(page)));
  await second.context.close();
  await context.close();
});

test('where the browser lets nothing be copied, the page says what the link is', async () => {
  const { page, context, problems } = await open();
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
  await choose(page, 'Copy the link');
  await page.getByText('The address of this page is the link.').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});
