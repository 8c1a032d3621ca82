import { violations } from '@catchment/testkit/axe';
// One attribute of every kind of value is set in the settings of a node, and read back by the API; bad input is refused at its field.
import type { Locator, Page } from 'playwright-core';
import { MODEL, unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

const api = () => stage.installation.api;
const open = async (id: string, options: object = {}) => {
  const next = `/a/${stage.person.slug}/n/${id}/settings`;
  const opened = await signedIn(stage.browser, stage.installation.url, stage.person, { next, ...options });
  await opened.page.locator('form.editor').waitFor();
  return opened;
};
const nodeOf = async (id: string) => (await api().get(`/nodes/${id}`)).json;
const make = async (cls: string, parentId: string, more: object = {}): Promise<string> =>
  (await api().create({ _class: `${MODEL}.${cls}`, parentId, name: unique('Set'), ...more }))._id as string;
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('not saved yet').waitFor({ state: 'detached', timeout: 60_000 });
};
const refused = async (page: Page, field: Locator, text: string | RegExp) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await field.locator('xpath=ancestor::div[contains(@class, "editor-field")][1]').getByText(text).first().waitFor();
  await field.and(page.locator('[aria-invalid="true"]')).waitFor();
};
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true }).first();
const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true }).first();

test('text, number, choice, switch, list, colour and kind of chart of a parameter', async () => {
  const id = await make('point.NumberPoint', stage.sites.gaugeId, { series: unique('s') });
  const { page, context, problems } = await open(id);
  await field(page, 'Units').fill('m³/s');
  await field(page, 'Multiplier').fill('2.5');
  await field(page, 'Is a direction').check();
  await page.getByRole('button', { name: 'Add to Metadata' }).click();
  await group(page, 'Metadata').getByLabel(/^Name/).fill('Datum');
  await group(page, 'Metadata')
    .getByLabel(/^Value/)
    .fill('12.5');
  const chart = group(page, 'Chart');
  await chart.getByLabel('Kind', { exact: true }).selectOption({ label: 'Columns' });
  await chart.getByLabel('Primary color', { exact: true }).fill('red');
  // The settings of lines alone are gone, those of columns are there.
  expect(await chart.getByLabel('Line type', { exact: true }).count()).toBe(0);
  await refused(page, chart.getByLabel('Primary color', { exact: true }), /must be AUTOMATIC or a colour/);
  await chart.getByLabel('Choose: Primary color', { exact: true }).fill('#1f77b4');
  await chart.getByLabel('Group type', { exact: true }).selectOption('STACKED');
  await picture(page, 'attributes-point');
  await save(page);
  expect(await nodeOf(id)).toMatchObject({
    units: 'm³/s',
    multiplier: 2.5,
    isDirection: true,
    metadata: [{ name: 'Datum', value: 12.5 }],
    chart: { _class: `${MODEL}.point.chart.ColumnChart`, primaryColor: '#1f77b4', groupType: 'STACKED' },
  });
  await field(page, 'Equation').fill('x +');
  await refused(page, field(page, 'Equation'), /./);
  expect(problems).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await context.close();
});

test('zone, duration, schedule and files of a source', async () => {
  const id = await make('source.data.TextParser', stage.sites.locations.deadRun);
  const { page, context } = await open(id);
  await field(page, 'Timezone').fill('Mars/Olympus');
  await refused(page, field(page, 'Timezone'), /must be/);
  await field(page, 'Timezone').fill('Pacific/Auckland');
  await field(page, 'Schedule type').selectOption('SERVER');
  await field(page, 'Interval').selectOption('900');
  await page.getByRole('button', { name: 'Add to Files' }).click();
  await group(page, 'Files').getByRole('textbox', { name: 'Match' }).fill('level-*.csv');
  await save(page);
  expect(await nodeOf(id)).toMatchObject({
    timezone: 'Pacific/Auckland',
    scheduleType: 'SERVER',
    intervalSeconds: 900,
    files: [{ match: 'level-*.csv' }],
  });
  await context.close();
});

test('reference to a node, marker and time of a Location', async () => {
  const id = stage.sites.locations.gwynns;
  const { page, context } = await open(id);
  const source = page.locator('#coordinateSourceId');
  await source.getByRole('combobox').fill('River gauge');
  await source
    .getByRole('option', { name: /River gauge/ })
    .first()
    .click();
  await group(page, 'Marker').getByLabel('Color', { exact: true }).fill('#0a7d55');
  await save(page);
  expect(await nodeOf(id)).toMatchObject({ coordinateSourceId: stage.sites.gaugeId, marker: { color: '#0a7d55' } });
  await context.close();
});

test('computation, colours and axes of a displacement chart; a link of a chart keeps its kind', async () => {
  const id = await make('chart.DisplacementChart', stage.sites.workspaceId);
  const { page, context } = await open(id);
  await field(page, 'Computation').selectOption('SUM_START');
  await page.getByRole('button', { name: 'Add to Colors' }).click();
  await page.getByLabel('Colors 1', { exact: true }).fill('#d62728');
  await group(page, 'X axis').getByLabel('Range', { exact: true }).selectOption('LINEAR_FIXED');
  await group(page, 'X axis').getByLabel('Minimum', { exact: true }).fill('-5');
  await group(page, 'X axis').getByLabel('Maximum', { exact: true }).fill('5');
  await save(page);
  expect(await nodeOf(id)).toMatchObject({
    process: 'SUM_START',
    colors: ['#d62728'],
    xAxis: { range: 'LINEAR_FIXED', minimum: -5, maximum: 5 },
  });
  await group(page, 'Colors').getByRole('button', { name: 'Remove Entry 1' }).click();
  await save(page);
  expect((await nodeOf(id)).colors).toBe('AUTOMATIC');
  await context.close();

  const links = [{ nodeId: stage.sites.levelId, chart: { _class: `${MODEL}.point.chart.ColumnChart` } }];
  const charted = await make('chart.HistoricChart', stage.sites.workspaceId, { links });
  const other = await open(charted);
  await group(other.page, 'Links').getByLabel('Name', { exact: true }).fill('Stage');
  await save(other.page);
  expect((await nodeOf(charted)).links).toMatchObject([{ ...links[0], name: 'Stage' }]);
  await other.context.close();
});
