import { violations } from '@catchment/testkit/axe';
// These tests use templates: instances, what each has of its own, what a change reaches before it is saved; by mouse, by keys, with bad
// input and what others do meanwhile.
import type { Page } from 'playwright-core';
import { MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
let ids = { root: '', template: '', logger: '', level: '', bridge: '', bridgeLevel: '', mill: '', millLevel: '' };

beforeAll(async () => {
  stage = await openStage({ args: ['--no-demo'] });
  const { api } = stage.installation;
  const root = (await api.create({ _class: `${MODEL}.Templates` }))._id;
  const template = (await api.create({ _class: `${MODEL}.location.Location`, name: 'Gauge', parentId: root }))._id;
  const logger = (await api.create({ _class: `${MODEL}.source.data.Jts`, name: 'Logger', parentId: template }))._id;
  const overrides = ['units', 'states'];
  const level = {
    _class: `${MODEL}.point.NumberPoint`,
    name: 'Level',
    parentId: logger,
    units: 'm',
    format: '0.00',
    overrides,
  };
  const levelId = (await api.create(level))._id;
  const instance = async (name: string) => {
    const body = { parentId: stage.sites.workspaceId, name };
    const nodes = (await api.post(`/nodes/${template}/clone`, body)).json as { _id: string; templateNodeId: string }[];
    return [nodes[0]!._id, nodes.find(({ templateNodeId }) => templateNodeId === levelId)!._id] as const;
  };
  const [bridge, bridgeLevel] = await instance('Bridge');
  const [mill, millLevel] = await instance('Mill');
  ids = { root, template, logger, level: levelId, bridge, bridgeLevel, mill, millLevel };
  await api.put(`/nodes/${bridgeLevel}`, { units: 'ft' });
});
afterAll(() => stage?.close());

const address = (path: string) => ({ next: `/a/${stage.person.slug}/${path}` });
const open = (path: string, options = {}) =>
  signedIn(stage.browser, stage.installation.url, stage.person, { ...address(path), ...options });
const units = async (id: string) => (await stage.installation.api.get(`/nodes/${id}`)).json.units;
const showInstance = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'Instances' }).getByRole('row').filter({ hasText: name }).dblclick();

test('an instance shows what it has of its own; given back it is the template’s, and can be taken back', async () => {
  const { page, context, problems } = await open('templates');
  await page.getByRole('link', { name: 'Gauge', exact: true }).click();
  await showInstance(page, 'Mill');
  await page.getByText('Nothing: it is as its template is.').waitFor();
  if (await page.getByRole('dialog').count()) await page.keyboard.press('Escape');
  await showInstance(page, 'Bridge');
  await page.getByRole('heading', { name: 'Level: Units' }).waitFor();
  await page.getByRole('button', { name: 'Give back to the template: Units of Level' }).click();
  await page.getByText('Units is the template’s again.').waitFor();
  expect(await units(ids.bridgeLevel)).toBe('m');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('heading', { name: 'Level: Units' }).waitFor();
  expect(await units(ids.bridgeLevel)).toBe('ft');
  expect(problems).toEqual([]);
  await context.close();
});

test('what a change reaches is said before it is saved, and is what happens', async () => {
  const { api } = stage.installation;
  const { page, context, problems } = await open(`n/${ids.level}/settings`);
  await page.getByLabel('Format', { exact: true }).fill('0.000');
  const reach = page.getByRole('region', { name: 'What this changes in the instances' });
  await reach.getByText('2 nodes follow this one.').waitFor();
  await reach.getByText('2 nodes change').waitFor();
  await page.getByLabel('Units', { exact: true }).fill('cm');
  await reach.getByText('each keeps its own; 2 differ').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await reach.waitFor({ state: 'detached' });
  for (const [id, unit] of [
    [ids.bridgeLevel, 'ft'],
    [ids.millLevel, 'm'],
  ] as const)
    expect((await api.get(`/nodes/${id}`)).json).toMatchObject({ units: unit, format: '0.000' });
  expect(problems).toEqual([]);
  await context.close();
});

test('what a colleague changes meanwhile is not given back unseen: it is said, and shown', async () => {
  const { api } = stage.installation;
  const { page, context, problems } = await open(`templates/${ids.template}`);
  await showInstance(page, 'Bridge');
  await page.getByRole('heading', { name: 'Level: Units' }).waitFor();
  await api.put(`/nodes/${ids.bridgeLevel}`, { units: 'inch' });
  await page.getByRole('button', { name: 'Give back to the template: Units of Level' }).click();
  await page.getByText('Somebody else has changed this node meanwhile.').waitFor();
  await page.locator('.template-value').getByText('inch').waitFor();
  expect(await units(ids.bridgeLevel)).toBe('inch');
  await api.put(`/nodes/${ids.bridgeLevel}`, { units: 'ft' });
  expect(problems).toEqual([]);
  await context.close();
});

test('a program of 10 000 lines in a template: its preview comes, and stays within the page', async () => {
  const { api } = stage.installation;
  const code = `${'//\n'.repeat(9_999)}return 1;`;
  const process = { process: { code } };
  const level = { _class: `${MODEL}.point.NumberProcessPoint`, name: 'Long', parentId: ids.logger, ...process };
  const made = await api.post('/nodes', level);
  expect(made.status).toBe(201);
  const { page, context, problems } = await open(`n/${made.json._id}/settings`);
  await page.getByLabel('Units', { exact: true }).fill('cm');
  const reach = page.getByRole('region', { name: 'What this changes in the instances' });
  await reach.getByText('2 nodes change').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await reach.waitFor({ state: 'detached' });
  expect((await api.get(`/nodes?filter=templateNodeId($eq:${made.json._id})&attr=units`)).json).toEqual([
    expect.objectContaining({ units: 'cm' }),
    expect.objectContaining({ units: 'cm' }),
  ]);
  expect(problems).toEqual([]);
  await context.close();
});

test('by keys alone: an instance without a place or a name is refused at once; then it is made', async () => {
  const { page, context, problems } = await open(`templates/${ids.template}`);
  await page.getByRole('button', { name: 'Make an instance' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  const make = dialog.getByRole('button', { name: 'Make an instance' });
  await make.focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('Choose a place.').waitFor();
  await dialog.getByRole('combobox', { name: 'Where' }).focus();
  await page.keyboard.type('Maryland');
  await dialog.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Name').fill('   ');
  await make.focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('Give it a name.').waitFor();
  await dialog.getByLabel('Name').fill('Weir');
  await page.keyboard.press('Enter');
  await page.getByRole('grid', { name: 'Instances' }).getByText('Weir').waitFor();
  const made = (await stage.installation.api.get('/nodes?filter=name($eq:Weir)')).json;
  expect(made[0].templateId).toBe(ids.template);
  // It is unlinked again: it stays, and follows nothing.
  await showInstance(page, 'Weir');
  await page.getByRole('button', { name: 'Unlink' }).click();
  await page.getByRole('dialog').last().getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('Weir does not follow the template any more.').waitFor();
  expect((await stage.installation.api.get(`/nodes/${made[0]._id}`)).json.templateId ?? null).toBeNull();
  expect(problems).toEqual([]);
  await context.close();
});

test('who sees one Workspace alone sees why no template is to be seen', async () => {
  const { browser, installation, sites } = stage;
  const viewer = await userOf(installation.api, sites.workspaceId, 'View');
  const { page, context, problems } = await signedIn(browser, installation.url, viewer, address('templates'));
  await page.getByText('People who see all Workspaces of the account see its templates too.').waitFor();
  expect(await page.getByRole('button', { name: 'New template' }).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

const LOOKS = [360, 1024, 1920].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    ['en-GB', 'de-DE'].map((locale) => ({ width, colorScheme, locale })),
  ),
);
test.each(LOOKS)(
  'look: $locale, $colorScheme, $width px; axe finds nothing',
  async ({ width, colorScheme, locale }) => {
    const look = { viewport: { width, height: width < 500 ? 780 : 900 }, colorScheme, locale };
    const { page, context, problems } = await open('templates', look);
    const content = [
      ['all', 'templates', '.template-list li'],
      ['one', `templates/${ids.template}`, '.table-rows [role=row]'],
    ] as const;
    for (const [name, path, selector] of content) {
      await page.goto(`${stage.installation.url}${address(path).next}`);
      await page.locator(selector).first().waitFor();
      if (name === 'one') {
        await page.locator('.table-rows [role=row]').filter({ hasText: 'Bridge' }).dblclick();
        await page.locator('.template-value').first().waitFor();
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await picture(page, `console-templates-${name}-${width}-${colorScheme}-${locale.slice(0, 2)}`);
      expect([name, await violations(page)]).toEqual([name, []]);
    }
    expect(problems).toEqual([]);
    await context.close();
  },
);
