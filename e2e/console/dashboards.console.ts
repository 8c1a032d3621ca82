// A dashboard goes from nothing to a public link, by mouse and by keyboard alone; two people edit one; what is wrong with it is said where
// it is.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { jts, MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn, userOf } from '../src/console/people.ts';
import { writeLevel } from '../src/console/sites.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

/** An answer that has not come by then does not come. */
const HANGS = { timeout: 60_000 };
const HOUR_MS = 3_600_000;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await writeLevel(stage.installation.api, stage.sites, 2.4);
});
afterAll(() => stage?.close());

type Tile = { type: string; x: number; y: number; w: number; h: number; label: string; links: { nodeId: string }[] };
const api = () => stage.installation.api;
const boardOf = async (id: string) => (await api().get(`/nodes/${id}`)).json as { name: string; tiles: Tile[] };
const newBoard = async (name: string, tiles: object[] = []): Promise<string> =>
  (
    await api().create({
      _class: `${MODEL}.Dashboard`,
      parentId: stage.sites.workspaceId,
      name,
      tiles,
    })
  )._id;
const text = (x: number, y: number, more: object = {}) => ({
  type: 'STATIC_TEXT',
  x,
  y,
  w: 3,
  h: 2,
  config: { content: `At ${x}, ${y}` },
  ...more,
});

async function open(path: string, options: Parameters<typeof signedIn>[3] & { person?: Stage['person'] } = {}) {
  const { person = stage.person, ...rest } = options;
  return signedIn(stage.browser, stage.installation.url, person, {
    viewport: { width: 1440, height: 1000 },
    ...rest,
    next: `/a/${stage.person.slug}/${path}`,
  });
}
const edit = (id: string, options: Parameters<typeof open>[1] = {}) => open(`dash/${id}/edit`, options);
const tileOf = (page: Page, name: string | RegExp) =>
  page.getByRole('list', { name: 'Tiles of the dashboard' }).getByRole('listitem', { name });
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All is saved').waitFor();
};
/** Types words, and chooses once the server has found it. */
async function find(page: Page, words: string, name: RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox').fill(words);
  await page.getByRole('dialog').getByRole('option', { name }).first().click();
}
async function add(page: Page, type: string, words?: string, name?: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Add a tile' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: type }).click();
  if (words !== undefined && name !== undefined) await find(page, words, name);
}

test('by mouse: a dashboard from nothing, a tile by search, one from the tree, moved, named, saved, and opened by a stranger', async () => {
  const { page, context, problems } = await open('dashboards');
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('From nothing');
  await find(page, 'Maryland', /Maryland rivers/);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Nothing stands here yet').waitFor();
  await picture(page, 'console-dash-empty');
  await add(page, 'Chart Up to 15', 'Gage height', /^Gage height/);
  await tileOf(page, /^Gage height, Chart/).waitFor();
  // Its settings are open beside it, and the tile follows what is typed.
  await page.getByLabel('Label').fill('The river');
  await tileOf(page, 'The river, Chart: column 1, row 1, 6 wide, 4 high')
    .getByRole('heading', { name: 'The river' })
    .waitFor();
  await page.getByRole('button', { name: 'Close settings' }).click();

  const tree = page.getByRole('treegrid');
  await tree
    .getByRole('row', { name: /Maryland rivers/ })
    .locator('.tree-fold')
    .click();
  await tree.getByRole('row', { name: /Dead Run/ }).dragTo(page.locator('.dash-room'));
  const map = tileOf(page, /^Dead Run at Franklintown, Map/);
  await map.waitFor();
  await map.getByText('39.31').first().waitFor();
  await page.getByRole('button', { name: 'Close settings' }).click();
  await add(page, 'Value One parameter', 'Gage height', /^Gage height/);
  const value = tileOf(page, /^Gage height, Value/);
  await value.getByText('2.40').waitFor();
  await page.getByRole('button', { name: 'Close settings' }).click();

  // The mouse drags it by its middle to the right end of the row below.
  const box = (await value.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 100, { steps: 8 });
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 200, { steps: 8 });
  await page.mouse.up();
  await picture(page, 'console-dash');
  expect(await violations(page)).toEqual([]);
  await save(page);
  const id = /\/dash\/(\w+)\/edit/.exec(page.url())![1]!;
  const saved = await boardOf(id);
  expect(saved.tiles.map(({ type }) => type).sort()).toEqual(['LOCATION_MAP', 'STANDARD_CHART', 'VALUE']);
  expect(saved.tiles.find(({ type }) => type === 'VALUE')!.y).toBeGreaterThan(3);

  await page.getByRole('button', { name: 'Public link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Public link' });
  await dialog.getByText('Every tile shows something.').waitFor();
  await dialog.getByRole('switch').check();
  await dialog.getByText('The link works.').waitFor();
  await dialog.getByRole('img', { name: /QR/ }).waitFor();
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  expect(await dialog.getByRole('textbox', { name: 'Frame for another page' }).inputValue()).toContain(
    `<iframe src="${link}?header=none" title="From nothing"`,
  );
  await picture(page, 'console-dash-share');
  expect(await violations(page)).toEqual([]);
  const stranger = await stage.browser.newContext();
  const visit = await stranger.newPage();
  await visit.goto(link);
  await visit.getByRole('heading', { name: 'The river' }).waitFor();
  await visit.getByText('2.40').first().waitFor();
  await dialog.getByRole('switch').uncheck();
  await expect.poll(async () => (await visit.goto(link))!.status(), HANGS).toBe(403);
  await stranger.close();
  expect(problems).toEqual([]);
  await context.close();
});

test('by the keyboard alone: a tile is added, moved, stretched, doubled, removed, brought back and saved', async () => {
  const id = await newBoard('By keys');
  const { page, context, problems } = await edit(id);
  await page.getByText('Nothing stands here yet').waitFor();
  await page.getByRole('button', { name: 'Add a tile' }).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Value One parameter' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Gage height');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Settings of Gage height' }).waitFor();
  await page.keyboard.press('Escape');
  const tile = tileOf(page, /^Gage height/);
  await tile.and(page.locator(':focus')).waitFor();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowDown'])
    await page.keyboard.press(key);
  await page.getByText('Gage height, Value: column 3, row 2, 4 wide, 3 high').waitFor();
  for (let n = 0; n < 4; n += 1) await page.keyboard.press('ArrowLeft');
  await page.getByText('Gage height stands at the edge.').waitFor();
  await page.keyboard.press('d');
  await expect.poll(() => tile.count(), HANGS).toBe(2);
  await page.keyboard.press('Escape');
  await tile.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Delete');
  await expect.poll(() => tile.count(), HANGS).toBe(1);
  await page.keyboard.press('Control+z');
  await expect.poll(() => tile.count(), HANGS).toBe(2);
  await page.keyboard.press('Control+y');
  await expect.poll(() => tile.count(), HANGS).toBe(1);
  await page.keyboard.press('Control+s');
  await page.getByText('All is saved').waitFor();
  expect((await boardOf(id)).tiles).toMatchObject([{ type: 'VALUE', x: 0, y: 1, w: 4, h: 3 }]);
  expect(problems).toEqual([]);
  await context.close();
});

test('what is not saved survives a reload; somebody else’s tiles are taken over, and of a tile that both have changed one is chosen', async () => {
  const id = await newBoard('Two people', [text(0, 0, { label: 'First' }), text(3, 0, { label: 'Second' })]);
  const { page, context } = await edit(id);
  await tileOf(page, /^First/).click();
  await page.getByLabel('Label').fill('Mine');
  await page.getByText('1 change is not saved').waitFor();
  await page.reload();
  await tileOf(page, /^Mine/).waitFor();
  const { tiles } = await boardOf(id);
  const theirs = tiles.map((tile) => ({ ...tile, label: tile.label === 'First' ? 'Theirs' : 'Second, by Kim' }));
  expect((await api().put(`/nodes/${id}`, { tiles: theirs })).status).toBe(200);
  const conflict = page.getByRole('alert').filter({ hasText: 'Theirs' });
  await conflict.waitFor();
  await tileOf(page, /^Second, by Kim/).waitFor();
  await picture(page, 'console-dash-conflict');
  expect(await violations(page)).toEqual([]);
  await conflict.getByRole('button', { name: /mine/i }).click();
  await save(page);
  expect((await boardOf(id)).tiles.map(({ label }) => label)).toEqual(['Mine', 'Second, by Kim']);
  await context.close();
});

test('a tile is copied to another dashboard, and lies below what stands there', async () => {
  const from = await newBoard('Copied from', [text(0, 0, { label: 'Notes' })]);
  const into = await newBoard('Copied into', [text(0, 0)]);
  const { page, context } = await edit(from);
  await tileOf(page, /^Notes/).click();
  await page.getByRole('button', { name: 'Copy to another dashboard' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Which dashboard?').fill('copied into');
  await dialog.getByRole('radio', { name: 'Copied into' }).check();
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByText('Notes was copied to Copied into.').waitFor();
  expect((await boardOf(into)).tiles.map(({ x, y, label }) => [x, y, label])).toEqual([
    [0, 0, ''],
    [3, 0, 'Notes'],
  ]);
  await context.close();
});

test('a tile that the server refuses says why, in the tile and at its field, before it is saved', async () => {
  const id = await newBoard('Refused', [
    { type: 'SOLID_GAUGE', x: 0, y: 0, w: 3, h: 3, links: [{ nodeId: stage.sites.levelId }] },
  ]);
  const { page, context } = await edit(id);
  const gauge = tileOf(page, /^Gage height, Gauge/);
  await gauge.click();
  await page.getByLabel('Maximum').fill('-5');
  await gauge.getByText(/must be above minimum/).waitFor();
  await page
    .getByRole('region', { name: /^Settings of/ })
    .getByText(/must be above minimum/)
    .first()
    .waitFor();
  await picture(page, 'console-dash-refused');
  expect(await violations(page)).toEqual([]);
  await context.close();
});

test('a node that is gone keeps its tile, and strangers are said to see nothing in it', async () => {
  const point = await api().create({
    _class: `${MODEL}.point.NumberPoint`,
    parentId: stage.sites.gaugeId,
    name: 'Short-lived',
    series: 'gone',
  });
  const id = await newBoard('Broken', [{ type: 'VALUE', x: 0, y: 0, w: 4, h: 2, links: [{ nodeId: point._id }] }]);
  expect((await api().delete(`/nodes/${point._id}`)).status).toBe(200);
  const { page, context } = await edit(id);
  await tileOf(page, /^Short-lived/)
    .getByText(/is not there any more|no longer/i)
    .waitFor();
  await page.getByRole('button', { name: 'Public link' }).click();
  await page.getByText('Strangers see nothing in these tiles').waitFor();
  await page.getByText(/its node is gone/).waitFor();
  await context.close();
});

test.each([
  ['of the longest name there is', 'n'.repeat(120)],
  ['right to left', 'نهر الميت עם סימנים'],
  ['with markup', '<img src=x onerror=alert(1)> & "quoted"'],
])('a dashboard and a tile %s are shown as they are', async (_what, name) => {
  const id = await newBoard(name, [text(0, 0, { label: name })]);
  const { page, context, problems } = await edit(id);
  expect(await page.getByLabel('Name of the dashboard').inputValue()).toBe(name);
  await tileOf(page, new RegExp(name.slice(0, 10).replace(/[<>()=]/g, '.'))).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1440);
  expect(problems).toEqual([]);
  await context.close();
});

test('tables, gauges, lists, alarms, pictures, a wind rose and a displacement chart are drawn in the editor', async () => {
  const { gaugeId, levelId, workspaceId, locations } = stage.sites;
  const hours = Array.from({ length: 72 }, (_, n) => n);
  const nowMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const point = async (name: string, series: string, more: object = {}) =>
    (
      await api().create({
        _class: `${MODEL}.point.NumberPoint`,
        parentId: gaugeId,
        name,
        series,
        format: '0.0',
        ...more,
      })
    )._id as string;
  const speed = await point('Wind speed', 'speed', { units: 'm/s' });
  const direction = await point('Wind direction', 'direction', { units: '°', isDirection: true });
  const depths = await Promise.all([1, 2, 3].map((depth) => point(`Shift at ${depth} m`, `shift${depth}`)));
  const rows = hours.map((n): [string, ...number[]] => [
    new Date(nowMs - (71 - n) * HOUR_MS).toISOString(),
    3 + 2 * Math.sin(n / 6),
    (200 + 60 * Math.sin(n / 9)) % 360,
    ...[1, 2, 3].map((depth) => (n / 72) * depth * depth),
  ]);
  const written = jts(['speed', 'direction', 'shift1', 'shift2', 'shift3'], rows, '');
  expect((await api().put(`/nodes/${gaugeId}/historic`, written)).status).toBe(202);
  await until(async () => (await api().get(`/nodes/${depths[2]}`)).json.currentValue !== undefined);
  const chart = async (kind: string, name: string, more: object) =>
    (
      await api().create({
        _class: `${MODEL}.chart.${kind}`,
        parentId: workspaceId,
        name,
        startRange: 'NOW-3D',
        ...more,
      })
    )._id as string;
  const rose = await chart('WindRoseChart', 'Wind', { speedNodeId: speed, directionNodeId: direction });
  const shifts = await chart('DisplacementChart', 'Shifts', {
    start: 1,
    increment: 1,
    measurementLinks: depths.map((nodeId) => ({ nodeId })),
    maxSeries: 4,
  });
  const photo = await readFile(path.join(import.meta.dirname, '../../docs/images/dead-run.png'));
  const file = await api().upload(locations.deadRun, new Uint8Array(photo), 'dead-run.png');
  const tile = (type: string, label: string, place: readonly number[], ids: readonly string[], config = {}) => {
    const [x, y, w, h] = place;
    return { type, label, x, y, w, h, links: ids.map((nodeId) => ({ nodeId })), config };
  };
  const id = await newBoard('Wind and water', [
    tile('SOLID_GAUGE', 'The river now', [0, 0, 3, 3], [levelId], { minimum: 0, maximum: 5 }),
    tile('VALUE_LIST', 'Last values', [3, 0, 3, 3], [levelId, speed, direction]),
    tile('ALARM_SUMMARY', 'Alarms at Dead Run', [6, 0, 3, 3], [locations.deadRun]),
    tile('ATTACHMENT_IMAGE', 'Floods of 2018', [9, 0, 3, 3], [file._id]),
    tile('HISTORIC_TABLE', 'Hour by hour', [0, 3, 4, 4], [speed, direction], { period: 'NOW-2D' }),
    tile('CUSTOM_CHART', 'Wind of three days', [4, 3, 4, 4], [rose]),
    tile('CUSTOM_CHART', 'How the bank moves', [8, 3, 4, 4], [shifts]),
  ]);
  const { page, context, problems } = await edit(id);
  await tileOf(page, /^Hour by hour/)
    .getByRole('row')
    .nth(3)
    .waitFor();
  await tileOf(page, /^Last values/)
    .getByText('Wind direction')
    .waitFor();
  await tileOf(page, /^The river now/)
    .getByText('2.40')
    .first()
    .waitFor();
  for (const drawn of [/^Floods of 2018/, /^Wind of three days/])
    await tileOf(page, drawn).locator('img').first().waitFor();
  const isDrawn = `[...document.querySelectorAll('[data-tile] img')].every((one) => one.complete && one.naturalWidth > 0)`;
  await expect.poll(() => page.evaluate(isDrawn), HANGS).toBe(true);
  await picture(page, 'console-dash-every-kind');
  expect(await violations(page)).toEqual([]);
  expect(problems).toEqual([]);
  for (const [node, name] of [
    [rose, 'Wind'],
    [shifts, 'Shifts'],
  ] as const) {
    await page.goto(`${stage.installation.url}/a/${stage.person.slug}/n/${node}/settings`);
    await page.getByRole('img', { name: `The chart ${name} as it would be` }).waitFor();
    await picture(page, `console-chart-${name.toLowerCase()}`);
    expect(await violations(page)).toEqual([]);
  }
  await context.close();
});

test('a hundred tiles are there, and the hundred and first is said to be too many', async () => {
  const tiles = Array.from({ length: 100 }, (_, i) => text((i % 12) * 1, Math.floor(i / 12) * 2, { w: 1 }));
  const id = await newBoard('A hundred', tiles);
  const { page, context } = await edit(id);
  await expect.poll(() => tileOf(page, /./).count(), HANGS).toBe(100);
  await add(page, 'Text Words');
  await page.getByText('A dashboard has 100 tiles at most.').waitFor();
  await page.getByText('All is saved').waitFor();
  await context.close();
});

test('who may only look gets no way to edit, and the address of the editor says so', async () => {
  const reader = await userOf(api(), stage.sites.workspaceId, 'View');
  const list = await open('dashboards', { person: reader });
  await list.page.getByText('Rivers today').waitFor();
  expect(await list.page.getByRole('link', { name: /^Edit/ }).count()).toBe(0);
  expect(await list.page.getByRole('button', { name: 'New dashboard' }).count()).toBe(0);
  await list.page.goto(`${stage.installation.url}/a/${reader.slug}/dash/${stage.sites.dashboardId}/edit`);
  await list.page.getByText('You may look at this dashboard, and not change it.').waitFor();
  await list.context.close();
});

test('dashboards are renamed, copied and deleted where they are listed', async () => {
  await newBoard('To be renamed');
  const { page, context } = await open('dashboards');
  const act = async (name: string, what: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: what }).click();
  };
  await act('To be renamed', 'Rename');
  await page.getByRole('dialog').getByLabel('Name').fill('Renamed');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('link', { name: 'Edit Renamed' }).waitFor();
  await act('Renamed', 'Copy');
  await page.getByRole('dialog').getByLabel('Name').fill('Renamed, again');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('link', { name: 'Edit Renamed, again' }).waitFor();
  await act('Renamed, again', 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('link', { name: 'Edit Renamed, again' }).waitFor({ state: 'detached' });
  await context.close();
});

test('a custom chart is drawn beside its settings as it would be saved', async () => {
  const chart = await api().create({
    _class: `${MODEL}.chart.HistoricChart`,
    parentId: stage.sites.workspaceId,
    name: 'Axes',
    links: [{ nodeId: stage.sites.levelId }],
  });
  const { page, context, problems } = await open(`n/${chart._id}/settings`);
  const drawn = page.getByRole('img', { name: 'The chart Axes as it would be' });
  await drawn.waitFor();
  const before = await drawn.getAttribute('src');
  await page.getByLabel('Description').fill('Not saved yet');
  await expect.poll(() => drawn.getAttribute('src'), HANGS).toContain('Not%20saved%20yet');
  expect(before).not.toContain('Not%20saved');
  await page.getByLabel('Start range').fill('yesterday');
  await page.getByText(/It cannot be drawn like this: .*startRange/).waitFor();
  await picture(page, 'console-chart-settings');
  expect(await violations(page)).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

const LOOKS = [360, 1024, 1920].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    ['en-GB', 'de-DE'].map((locale) => ({ width, colorScheme, locale })),
  ),
);

test.each(LOOKS)('axe finds nothing in the editor: $locale, $colorScheme, $width px', async (look) => {
  const { width, colorScheme, locale } = look;
  const viewport = { width, height: width < 500 ? 780 : 900 };
  const { page, context, problems } = await edit(stage.sites.dashboardId, { viewport, colorScheme, locale });
  await page
    .getByText(/^2[.,]40$/)
    .first()
    .waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  await page.locator('.uplot').first().waitFor();
  // The map of a phone is further down, and drawn later.
  if (width > 500) await page.locator('.pin-place').first().waitFor();
  const name = `console-dash-${width}-${colorScheme}-${locale.slice(0, 2)}`;
  await picture(page, name);
  expect(await violations(page)).toEqual([]);
  await page.locator('[data-tile]').first().click();
  await page.locator('.dash-panel .editor-field').first().waitFor();
  await picture(page, `${name}-settings`);
  expect(await violations(page)).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});
