// Names are what people write: as long as may be, from right to left, with markup, with emoji. They break nothing, and what is cut can be read.
import { until } from '@catchment/testkit';
import type { Page } from 'playwright-core';
import { MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { changeBy, signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const LONG = `${'Wassermessstelle'.repeat(7)} am Wehr`.slice(0, 120);
const NAMES = {
  long: LONG,
  words:
    'Gauge below the old bridge at the mill, left bank, upper measuring cross-section of the northern branch number 4'.slice(
      0,
      120,
    ),
  arabic: 'محطة قياس منسوب المياه عند الجسر القديم (٤)',
  markup: '<img src=x onerror=alert(1)> & "quoted" <b>bold<b>',
  emoji: '🌊🏞️ Pegel 👩🏽‍🔬 '.repeat(5).trim(),
} as const;

let stage: Stage;
let place: string;
let points: Readonly<Record<keyof typeof NAMES, string>>;
beforeAll(async () => {
  stage = await openStage();
  const { api } = stage.installation;
  const location = await api.create({
    _class: `${MODEL}.location.Location`,
    parentId: stage.sites.workspaceId,
    name: NAMES.words,
  });
  place = location._id;
  await api.put(`/nodes/${place}/historic/now`, { value: [39.32, -76.7] });
  const source = await api.create({ _class: `${MODEL}.source.data.Jts`, parentId: place, name: LONG });
  const states = [{ name: 'NORMAL' }, { name: LONG.slice(0, 60), threshold: 5, isAlarm: true }];
  const made = await Promise.all(
    Object.entries(NAMES).map(async ([kind, name]) => {
      const point = await api.create({ _class: `${MODEL}.point.NumberPoint`, parentId: source._id, name, states });
      await api.put(`/nodes/${point._id}/historic/now`, { value: 6 });
      return [kind, point._id] as const;
    }),
  );
  points = Object.fromEntries(made) as typeof points;
  await until(async () => (await api.get('/alarms')).json.alarms.length === made.length);
});
afterAll(() => stage?.close());

const open = (path: string, options: object = {}) =>
  signedIn(stage.browser, stage.installation.url, stage.person, {
    next: `/a/${stage.person.slug}/${path}`,
    ...options,
  });

/** Finds what is wider than the page, and what is cut and can be read nowhere: no title, no label, and nothing that scrolls. */
const problemsOf = (page: Page): Promise<unknown> =>
  page.evaluate(`(() => {
    const cut = [...document.querySelectorAll('main *, .side *, dialog *')].filter((at) => {
      const style = getComputedStyle(at);
      const isCut = style.overflowX === 'hidden' && style.textOverflow === 'ellipsis' && at.scrollWidth > at.clientWidth + 1;
      return isCut && !at.closest('[title]') && !at.closest('[aria-label]') && at.offsetParent !== null;
    });
    const main = document.querySelector('main');
    return {
      wider: Math.max(document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth, 0),
      cut: [...new Set(cut.map((at) => at.className + ': ' + at.textContent.slice(0, 40)))],
      images: document.querySelectorAll('img[src="x"]').length,
    };
  })()`);
const NONE = { wider: 0, cut: [], images: 0 };

test.each<readonly [what: string, path: () => string, ready: string]>([
  ['overview', () => 'overview', '.list, .table-row'],
  ['alarms', () => 'alarms', '.table-row, .table-card'],
  ['a place', () => `n/${place}/chart`, 'h1'],
  ['a long name', () => `n/${points.long}/chart`, 'h1'],
  ['markup', () => `n/${points.markup}/alarms`, 'h1'],
  ['Arabic', () => `n/${points.arabic}/settings`, '.editor-section'],
  ['emoji', () => `n/${points.emoji}/events`, 'h1'],
])('%s breaks nothing at 360 px, and what is cut can be read', async (what, path, ready) => {
  const { page, context, problems } = await open(path(), { viewport: { width: 360, height: 780 } });
  await page.locator(ready).first().waitFor();
  await picture(page, `console-names-${what.replaceAll(' ', '-')}`);
  expect(await problemsOf(page)).toEqual(NONE);
  expect(problems).toEqual([]);
  await context.close();
});

test('the tree, the palette and a place on the map show such names whole or with a way to read them', async () => {
  const { page, context, problems } = await open(`n/${points.long}/chart`);
  await page.getByRole('treegrid', { name: 'Nodes' }).getByText(NAMES.arabic).waitFor();
  await picture(page, 'console-names-tree');
  expect(await problemsOf(page)).toEqual(NONE);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Wassermess');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await picture(page, 'console-names-palette');
  expect(await problemsOf(page)).toEqual(NONE);
  await page.keyboard.press('Escape');
  await page.goto(`${stage.installation.url}/a/${stage.person.slug}/overview?sel=${place}`);
  await page.getByText(NAMES.words).first().waitFor();
  await picture(page, 'console-names-map');
  expect(await problemsOf(page)).toEqual(NONE);
  expect(problems).toEqual([]);
  await context.close();
});

test('a name of 255 characters is not cut as it is pasted: its field says the limit, and the API refuses it', async () => {
  const { page, context } = await open(`n/${points.words}/settings`);
  const name = page.locator('#name input');
  await name.fill('N'.repeat(255));
  expect((await name.inputValue()).length).toBe(255);
  await page.getByText('At most 120 characters; these are 255.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('#name .editor-problem').getByText(/120/).last().waitFor();
  expect(await changeBy({ page, context }, 'PUT', `/nodes/${points.words}`, { name: 'N'.repeat(255) })).toBe(400);
  expect((await stage.installation.api.get(`/nodes/${points.words}`)).json.name).toBe(NAMES.words);
  await context.close();
});
