// These tests look at charts of what is no number, charts that somebody has put together, and notes that people write to records.
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { jts, MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const HOUR = 3_600_000;
const END = Math.floor(Date.now() / HOUR) * HOUR - HOUR;
const iso = (ms: number) => new Date(ms).toISOString();
/** Makes a document of one column, of values of any type. */
const valuesOf = (rows: readonly (readonly [string, unknown])[]) => ({
  docType: 'jts',
  version: '1.0',
  data: rows.map(([ts, v]) => ({ ts, f: { 0: { v } } })),
});

let stage: Stage;
let pumpId: string;
let peakId: string;
let temperatureId: string;
beforeAll(async () => {
  stage = await openStage();
  const { api } = stage.installation;
  const { gaugeId, levelId } = stage.sites;
  const pump = await api.create({
    _class: `${MODEL}.point.TextPoint`,
    parentId: gaugeId,
    name: 'Pump',
    series: 'pump',
  });
  const peak = await api.create({
    _class: `${MODEL}.point.TimePoint`,
    parentId: gaugeId,
    name: 'Time of peak',
    series: 'peak',
  });
  [pumpId, peakId] = [pump._id, peak._id];
  const { json } = await api.get('/nodes?filter=name($eq:Water temperature)&attr=_id');
  temperatureId = json[0]._id;
  const texts = Array.from(
    { length: 48 },
    (_, n) => [iso(END - (47 - n) * HOUR), n % 12 < 8 ? 'OFF' : 'ON <b>'] as const,
  );
  await api.put(`/nodes/${pumpId}/historic`, valuesOf(texts));
  const peaks = Array.from(
    { length: 5 },
    (_, n) => [iso(END - n * 24 * HOUR), { $time: iso(END - n * 25 * HOUR) }] as const,
  );
  await api.put(`/nodes/${peakId}/historic`, valuesOf(peaks));
  const rows = Array.from(
    { length: 100 },
    (_, n) => [iso(END - (99 - n) * HOUR), 1 + Math.sin(n / 5) / 2, 10 + n / 40] as const,
  );
  await api.put(`/nodes/${gaugeId}/historic`, jts(['level', 'temperature'], rows, 'ft'));
  await until(async () => (await api.get(`/nodes/${levelId}`)).json.oldestTime !== undefined);
  await until(async () => (await api.get(`/nodes/${pumpId}`)).json.oldestTime !== undefined);
});
afterAll(() => stage?.close());

const open = (id: string, options = {}) =>
  signedIn(stage.browser, stage.installation.url, stage.person, {
    next: `/a/${stage.person.slug}/n/${id}/chart`,
    ...options,
  });

test.each([
  ['en-GB', 'light', 1280],
  ['de-DE', 'dark', 360],
] as const)(
  'texts are a lane of what held when, with a table of their shares: %s, %s, %d px',
  async (locale, colorScheme, width) => {
    const { page, context, problems } = await open(pumpId, { locale, colorScheme, viewport: { width, height: 800 } });
    const parts = page.locator('.lane-part');
    await until(async () => (await parts.count()) > 6);
    expect(await parts.filter({ hasText: 'ON <b>' }).first().getAttribute('title')).toMatch(/ON <b>\n.* – .*\(4/);
    const row = page.getByRole('row').filter({ hasText: 'ON <b>' });
    expect(await row.textContent()).toMatch(/16/);
    expect(await violations(page)).toEqual([]);
    await picture(page, `console-lane-${width}-${colorScheme}`);
    expect(problems).toEqual([]);
    await context.close();
  },
);

test('times are points, each with its time in words', async () => {
  const { page, context, problems } = await open(peakId);
  await until(async () => (await page.locator('.time-points circle').count()) === 5);
  await page.getByText(/^5 times, the earliest/).waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'console-times');
  expect(problems).toEqual([]);
  await context.close();
});

test('a chart node is live and explored as any chart: its series, range and axes are as its settings say', async () => {
  const { api } = stage.installation;
  const chart = await api.create({
    _class: `${MODEL}.chart.HistoricChart`,
    parentId: stage.sites.locations.deadRun,
    name: 'Level and temperature',
    startRange: 'NOW-2D',
    yAxes: [
      { range: 'LINEAR_FIXED', minimum: 0, maximum: 8 },
      { inverted: true, position: 'RIGHT' },
    ],
    links: [
      { nodeId: stage.sites.levelId, name: 'Stage' },
      { nodeId: temperatureId, yAxisIndex: 1, chart: { primaryColor: '#910000' } },
    ],
  });
  const { page, context, problems } = await open(chart._id);
  await page.locator('.legend .range').nth(1).waitFor();
  expect(await page.locator('.legend .name').allTextContents()).toEqual(['Stage', 'Water temperature']);
  await page.getByText(/Chart of Level and temperature, from/).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: '7 days' }).click();
  await page.waitForURL(/range=NOW-7D/);
  await page.reload();
  await page.locator('.legend .range').nth(1).waitFor();
  expect(await page.getByRole('button', { name: '7 days' }).getAttribute('aria-pressed')).toBe('true');
  const shown = await page.locator('.legend strong').first().textContent();
  await api.put(`/nodes/${stage.sites.levelId}/historic/now`, { value: 2.77 });
  await until(async () => (await page.locator('.legend strong').first().textContent()) !== shown);
  expect(await violations(page)).toEqual([]);
  await picture(page, 'console-chart-node');
  expect(problems).toEqual([]);
  await context.close();
});

test('a note is written to records that are dragged over, changes nothing else, and is not written over another one', async () => {
  const { api } = stage.installation;
  const { levelId } = stage.sites;
  const at = END - 50 * HOUR;
  const recordAt = async () =>
    (await api.get(`/nodes/${levelId}/historic?startTime=${iso(at)}&endTime=${iso(at)}`)).json.data[0].f['0'];
  const before = await recordAt();
  const { page, context, problems } = await open(levelId);
  await page.locator('.legend .range').first().waitFor();
  await page.getByRole('button', { name: 'Annotate' }).click();
  const form = page.getByRole('form', { name: 'Annotate' });
  await form.getByLabel('From').waitFor();
  const plot = await page.locator('.explorer-plot .u-over').boundingBox();
  const [x, y] = [plot!.x + plot!.width * 0.6, plot!.y + plot!.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + plot!.width * 0.2, y, { steps: 5 });
  await page.mouse.up();
  await form.getByText(/^\d+ records\./).waitFor();
  // The keys set the times of one record.
  const clock = await page.evaluate((ms) => {
    const d = new Date(ms);
    const two = (n: number) => String(n).padStart(2, '0');
    return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}T${two(d.getHours())}:${two(d.getMinutes())}:00`;
  }, at);
  await form.getByLabel('From').fill(clock);
  await form.getByLabel('To').fill(clock);
  await form.getByText('The record of', { exact: false }).waitFor();
  await form.getByLabel('Note').fill('Debris <i>below the sensor');
  // Somebody else is first.
  const theirs = { docType: 'jts', version: '1.0', data: [{ ts: iso(at), f: { 0: { a: 'Ice' } } }] };
  await api.put(`/nodes/${levelId}/historic?writeMode=MERGE_UPDATE_EXISTING`, theirs);
  await until(async () => (await recordAt()).a === 'Ice');
  await page.keyboard.press('Enter');
  await form.getByText('Somebody else has changed these records', { exact: false }).waitFor();
  expect(await recordAt()).toEqual({ ...before, a: 'Ice' });
  await form.getByText('Ice').waitFor();
  expect(await form.getByLabel('Note').inputValue()).toBe('Debris <i>below the sensor');
  expect(await violations(page)).toEqual([]);
  await picture(page, 'console-annotate');
  await form.getByRole('button', { name: 'Write the note' }).click();
  await page.getByText('The note is written to 1 record.').waitFor();
  await until(async () => (await recordAt()).a === 'Debris <i>below the sensor');
  expect(await recordAt()).toEqual({ ...before, a: 'Debris <i>below the sensor' });
  await page.getByText('Notes in this time (1)').click();
  await page.getByText('Debris <i>below the sensor').first().waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('who may not edit qualities is not offered to annotate', async () => {
  const { browser, installation, sites } = stage;
  const person = await userOf(installation.api, sites.workspaceId, 'View');
  const next = `/a/${person.slug}/n/${sites.levelId}/chart`;
  const { page, context } = await signedIn(browser, installation.url, person, { next });
  await page.locator('.legend .range, .chart-picture').first().waitFor();
  expect(await page.getByRole('button', { name: 'Annotate' }).count()).toBe(0);
  await context.close();
});
