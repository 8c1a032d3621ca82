// Programs in the browser: one is written with what the editor offers, tried over recorded data, saved, and its series is that of the same formula here.
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { MODEL, unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { administrator, changeBy, type Person, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const HOUR = 3_600_000;
const HOURS = 72;

type Weather = Readonly<Record<'sourceId' | 'airId' | 'humidityId' | 'dewId', string>>;

let stage: Stage;
let weather: Weather;
let beginMs: number;
beforeAll(async () => {
  stage = await openStage();
  beginMs = Math.floor(Date.now() / HOUR) * HOUR - HOURS * HOUR;
  weather = await makeWeather();
});
afterAll(() => stage?.close());

const airAt = (i: number) => Number((12 + 8 * Math.sin((i / 24) * 2 * Math.PI)).toFixed(1));
const humidityAt = (i: number) => Math.round(70 - 25 * Math.sin((i / 24) * 2 * Math.PI));
const api = () => stage.installation.api;
const get = async (path: string) => (await api().get(path)).json;

/** Makes air temperature and humidity of three days, and parameters that are to be computed from them. */
async function makeWeather(): Promise<Weather> {
  const source = await api().create({
    _class: `${MODEL}.source.data.Jts`,
    name: 'Weather station',
    parentId: stage.sites.locations.falls,
  });
  const point = (name: string, units: string) =>
    api().create({ _class: `${MODEL}.point.NumberPoint`, parentId: source._id, name, units, format: '0.0' });
  const [air, humidity] = [await point('Air', '°C'), await point('Humidity', '%')];
  const ids = [air._id, humidity._id];
  const document = {
    docType: 'jts',
    version: '1.0',
    header: { columns: { 0: { id: ids[0], dataType: 'NUMBER' }, 1: { id: ids[1], dataType: 'NUMBER' } } },
    data: Array.from({ length: HOURS }, (_, i) => ({
      ts: new Date(beginMs + i * HOUR).toISOString(),
      f: { 0: { v: airAt(i) }, 1: { v: humidityAt(i) } },
    })),
  };
  expect((await api().put(`/nodes/${source._id}/historic?notifyOn=NONE`, document)).status).toBe(202);
  await until(async () => (await get(`/nodes/${humidity._id}`)).currentTime !== null, { what: 'the weather' });
  const dew = await computed('Dew point', source._id);
  return { sourceId: source._id, airId: air._id, humidityId: humidity._id, dewId: dew };
}

const computed = async (name: string, parentId = weather.sourceId, code?: string): Promise<string> =>
  (
    await api().create({
      _class: `${MODEL}.point.NumberProcessPoint`,
      parentId,
      name,
      units: '°C',
      format: '0.000000000',
      ...(code !== undefined && { process: { code } }),
    })
  )._id;

const DEW_POINT = `var air = NUMBER('Air'), humidity = NUMBER('Humidity');
var g = Math.log(humidity / 100) + (17.62 * air) / (243.12 + air);
console.log('gamma', g.toFixed(3));
return (243.12 * g) / (17.62 - g);`;
function dewPoint(air: number, humidity: number): number {
  const g = Math.log(humidity / 100) + (17.62 * air) / (243.12 + air);
  return (243.12 * g) / (17.62 - g);
}

async function open(
  nodeId: string,
  person: Person = stage.person,
  { part = 'program', viewport = { width: 1440, height: 1000 }, locale = 'en-GB', isDeaf = false } = {},
) {
  const next = `/a/${stage.person.slug}/n/${nodeId}/${part}`;
  const opened = await signedIn(stage.browser, stage.installation.url, person, { next, viewport, locale });
  const { page } = opened;
  if (isDeaf) {
    await page.route(/\/stream\?|\/stream$/, (route) => route.abort());
    await page.reload();
  }
  return opened;
}
const editorOf = (page: Page) => page.getByRole('textbox', { name: /^(Program|Shared code) of / });
const textOf = (page: Page) => editorOf(page).locator('.cm-line').allInnerTexts();
/** Puts a text in place of all that is there, as a paste does: nothing is completed or closed. */
async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  // A browser that puts a text in place of several lines gives it a style of its own, which the policy drops: there is nothing to replace.
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const isSaved = (page: Page) => page.getByText('not saved yet').waitFor({ state: 'detached', timeout: 60_000 });
const codeOf = async (id: string) => (await get(`/nodes/${id}`)).process?.code ?? '';
const stateOf = async (id: string) => (await get(`/nodes/${id}/computation`)).state;

test('a dew point is written, tried over the last records, saved, and its series is that of the formula', async () => {
  const { page, context, problems } = await open(weather.dewId);
  await write(page, DEW_POINT);
  await page.getByText('No errors. It reads 2 series.').waitFor();
  await page.getByLabel('Records', { exact: true }).selectOption('500');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText(/^72 runs, 72 records, none failed/).waitFor();
  // The newest run stands beside the lines that it read and spoke in.
  const newest = HOURS - 1;
  const [first, , third] = await textOf(page);
  expect(first).toContain(`Air = ${airAt(newest)}, Humidity = ${humidityAt(newest)}`);
  expect(third).toMatch(/gamma -?\d\.\d{3}/);
  await picture(page, 'console-program');
  expect(await violations(page)).toEqual([]);
  await save(page);
  await isSaved(page);
  expect(await codeOf(weather.dewId)).toBe(DEW_POINT);
  await page.getByRole('region', { name: 'How it stands' }).getByText('Runs', { exact: true }).waitFor();
  const recorded = async () => (await get(`/nodes/${weather.dewId}/historic?limit=100`)).data;
  await until(async () => (await recorded()).length === HOURS, { what: 'the series' });
  for (const [i, { ts, f }] of (await recorded()).entries()) {
    expect(Date.parse(ts)).toBe(beginMs + i * HOUR);
    expect(f[0].v).toBeCloseTo(dewPoint(airAt(i), humidityAt(i)), 9);
  }
  expect(problems).toEqual([]);
  await context.close();
});

test('what may be written is offered: names of the language, functions of the shared code, nodes by the search', async () => {
  const { workspaceId } = stage.sites;
  expect(
    (await api().put(`/nodes/${workspaceId}`, { sharedCode: 'function kelvin(c) { return c + 273.15; }' })).status,
  ).toBe(200);
  const id = await computed('Kelvin');
  const { page, context, problems } = await open(id);
  await editorOf(page).click();
  await page.keyboard.type('return ke');
  await page.getByRole('option', { name: /^kelvin/ }).click();
  await page.keyboard.type('(NUM');
  await page.getByRole('option', { name: /^NUMBER/ }).waitFor();
  await picture(page, 'console-program-names');
  await page.getByRole('option', { name: /^NUMBER/ }).click();
  await page.keyboard.type("('temper");
  await page.getByRole('option', { name: /^Water temperature/ }).waitFor();
  await picture(page, 'console-program-nodes');
  await page.getByRole('option', { name: /^Water temperature/ }).click();
  const path = '/Maryland rivers/Dead Run at Franklintown/River gauge/Water temperature';
  expect((await textOf(page)).join('\n')).toBe(`return kelvin(NUMBER('${path}'))`);
  await page.getByText('No errors. It reads 1 series.').waitFor();
  // The name of a node beside the program is enough.
  await write(page, "return NUMBER('");
  await page.keyboard.type('A');
  await page.getByRole('option', { name: /^Air/ }).first().click();
  expect((await textOf(page)).join('')).toContain("NUMBER('Air");
  expect(problems).toEqual([]);
  await context.close();
});

test('by the keyboard alone: a program is written and run, Escape and Tab leave the editor, what is typed survives a reload, and it is saved', async () => {
  const id = await computed('By keyboard');
  const { page, context } = await open(id);
  await editorOf(page).focus();
  await page.keyboard.insertText("return NUMBER('Air') * 2;");
  await page.getByText('No errors. It reads 1 series.').waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.className')).toBe('code-editor');
  await page.keyboard.press('ControlOrMeta+z');
  await page.keyboard.press('ControlOrMeta+Enter');
  await page.getByText(/^72 runs/).waitFor();
  // Keys of the page are letters here.
  await page.keyboard.type('?');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.className')).not.toBe('code-editor');
  await page.reload();
  await editorOf(page).waitFor();
  expect((await textOf(page)).join('')).toContain("return NUMBER('Air') * 2;");
  await editorOf(page).focus();
  await page.keyboard.press('ControlOrMeta+s');
  await isSaved(page);
  expect(await codeOf(id)).toBe("return NUMBER('Air') * 2;");
  await context.close();
});

test('errors stand at their lines: of the syntax, of a node that is gone, and of a run', async () => {
  const gone = await api().create({ _class: `${MODEL}.point.NumberPoint`, parentId: weather.sourceId, name: 'Gone' });
  const id = await computed('Erring', weather.sourceId, "var x = 1;\nreturn NUMBER('Gone') + NUMBER('Air');");
  const { page, context } = await open(id);
  await page.getByText('No errors. It reads 2 series.').waitFor();
  expect((await api().delete(`/nodes/${gone._id}`)).status).toBe(200);
  // Its program is refused, which the page hears of.
  await page.getByRole('region', { name: 'How it stands' }).getByText("no node 'Gone' (line 2)").waitFor();
  await write(page, "var x = 1;\nreturn NUMBER('Gone') + x;");
  await page.getByText("There is an error: no node 'Gone'").waitFor();
  await picture(page, 'console-program-error');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Go to line 2' }).click();
  await page.keyboard.press('Home');
  await page.keyboard.insertText('( ');
  await page.getByText(/There is an error: Unexpected token/).waitFor();
  await write(page, "var air = NUMBER('Air');\nif (air > 19) throw 'too warm';\nreturn air;");
  await page.getByText('No errors. It reads 1 series.').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText(/^72 runs, \d+ records, \d+ failed/).waitFor();
  const errors = page.getByRole('list', { name: 'Errors' });
  expect(await errors.textContent()).toMatch(/^too warm line 2 \d+ times, first at /);
  await page.getByRole('row').filter({ hasText: 'too warm' }).first().getByRole('button').click();
  expect((await textOf(page))[1]).toContain('too warm');
  await context.close();
});

test('an endless program ends by its limits; one that is too large is refused at its field, and nothing is lost', async () => {
  const id = await computed('Endless');
  const { page, context } = await open(id);
  await write(page, "while (NUMBER('Air') !== 0.5) {}");
  await page.getByText('No errors. It reads 1 series.').waitFor();
  await page.getByLabel('Records', { exact: true }).selectOption('20');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('list', { name: 'Errors' }).getByText('took longer than 0.2 s').waitFor();
  const huge = `// ${'x'.repeat(80)}\n`.repeat(900);
  await write(page, `${huge}return NUMBER('Air');`);
  await page.getByText(/The server takes at most 64 KiB/).waitFor();
  await save(page);
  await page
    .locator('#code')
    .getByRole('alert')
    .filter({ hasText: /65536|64 KiB|65 536/ })
    .waitFor();
  expect(await codeOf(id)).toBe('');
  await picture(page, 'console-program-huge');
  await page.reload();
  await page.getByText(/The server takes at most 64 KiB/).waitFor();
  await context.close();
});

test('a suspended program says why, and is started again', async () => {
  const id = await computed('Suspended', weather.sourceId, "var y = NUMBER('Air');\nreturn y.gone.far;");
  await until(async () => (await stateOf(id)) === 'FAILING', { what: 'a run that fails' });
  // 72 hours are not 100 failures: more come.
  const data = Array.from({ length: 40 }, (_, i) => ({
    ts: new Date(beginMs - (i + 1) * HOUR).toISOString(),
    f: { 0: { v: 5 } },
  }));
  const document = {
    docType: 'jts',
    version: '1.0',
    header: { columns: { 0: { id: weather.airId, dataType: 'NUMBER' } } },
    data,
  };
  expect((await api().put(`/nodes/${weather.sourceId}/historic?notifyOn=NONE`, document)).status).toBe(202);
  expect((await api().post(`/nodes/${id}/operate/acquire`)).status).toBe(202);
  await until(async () => (await stateOf(id)) === 'SUSPENDED', { what: 'the suspension' });
  const { page, context } = await open(id);
  const standing = page.getByRole('region', { name: 'How it stands' });
  await standing.getByText('Suspended', { exact: true }).waitFor();
  expect(await standing.textContent()).toMatch(/line 2\)[\s\S]*100 runs have failed one after the other\. From \d{4}-/);
  await picture(page, 'console-program-suspended');
  expect(await violations(page)).toEqual([]);
  await write(page, "return NUMBER('Air');");
  await save(page);
  await isSaved(page);
  await standing.getByText('Runs', { exact: true }).waitFor();
  expect(
    (await api().put(`/nodes/${id}`, { process: { code: "var y = NUMBER('Air');\nreturn y.gone.far;" } })).status,
  ).toBe(200);
  await standing.getByRole('button', { name: 'Start again' }).click();
  await page.getByText('It was started again.').waitFor();
  await context.close();
});

test('shared code is tried with a program; an error in it is shown there, with the programs that follow it', async () => {
  const { workspaceId } = stage.sites;
  expect(
    (await api().put(`/nodes/${workspaceId}`, { sharedCode: 'function twice(x) {\n  return 2 * x;\n}' })).status,
  ).toBe(200);
  const id = await computed('Twice', weather.sourceId, "return twice(NUMBER('Air'));");
  await until(async () => (await stateOf(id)) === 'RUNNING', { what: 'the program' });
  const { page, context } = await open(workspaceId);
  const follows = page.getByRole('region', { name: 'What a change computes anew' });
  await follows.getByRole('link', { name: 'Twice' }).waitFor();
  await page.getByLabel('Try it with the program of').selectOption({ value: id });
  await write(page, 'function twice(x) {\n  return 3 * x * air;\n}');
  await page.getByText('No errors.').waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('list', { name: 'Errors' }).getByText("'air' is not defined").waitFor();
  await write(page, 'function twice(x) {\n  return 3 * x;;)\n}');
  await page.getByText(/There is an error: Unexpected token/).waitFor();
  await page.getByRole('status').getByRole('button', { name: 'Go to line 2' }).waitFor();
  await picture(page, 'console-program-shared');
  await write(page, 'function twice(x) {\n  return 3 * x;\n}');
  await page.getByText('No errors.').waitFor();
  await save(page);
  await isSaved(page);
  const newest = async () => (await get(`/nodes/${id}`)).currentValue;
  const air = airAt(HOURS - 1);
  await until(async () => Math.abs((await newest()) - 3 * air) < 1e-6, { what: 'the program computed anew' });
  expect(await violations(page)).toEqual([]);
  await context.close();
});

test('two people change one program: the second to save sees the lines that differ, and settles them', async () => {
  const lines = ["var a = NUMBER('Air');", 'var b = 1;', 'return a * b;'];
  const id = await computed('Shared desk', weather.sourceId, lines.join('\n'));
  const second = await administrator(api(), 'Kim');
  const [first, other] = await Promise.all([open(id, stage.person, { isDeaf: true }), open(id, second)]);
  await write(first.page, lines.with(1, 'var b = 2;').join('\n'));
  await write(other.page, lines.with(1, 'var b = 3;').join('\n'));
  await save(other.page);
  await isSaved(other.page);
  await save(first.page);
  const conflict = first.page.getByRole('alert').filter({ hasText: 'Somebody else has changed the same' });
  await conflict.waitFor();
  expect(await conflict.getByRole('definition').allInnerTexts()).toEqual([
    '2: var b = 1;',
    '2: var b = 3;',
    '2: var b = 2;',
  ]);
  await picture(first.page, 'console-program-conflict');
  expect(await codeOf(id)).toContain('var b = 3;');
  await first.page.getByRole('button', { name: 'Keep mine' }).click();
  await save(first.page);
  await isSaved(first.page);
  expect(await codeOf(id)).toContain('var b = 2;');
  await Promise.all([first.context.close(), other.context.close()]);
});

test('who may only look reads the program, and neither changes nor tries it', async () => {
  const person = await userOf(api(), stage.sites.workspaceId, 'View');
  const { page, context } = await open(weather.dewId, person);
  await page.getByText('You may read the program here, and neither change nor try it.').waitFor();
  await editorOf(page).waitFor();
  const before = await textOf(page);
  await editorOf(page).click();
  await page.keyboard.type('x');
  expect(await textOf(page)).toEqual(before);
  expect(await page.getByRole('button', { name: 'Run', exact: true }).count()).toBe(0);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.className')).not.toBe('code-editor');
  expect(await changeBy({ page, context }, 'PUT', `/nodes/${weather.dewId}`, { process: { code: 'return 1' } })).toBe(
    403,
  );
  expect(await violations(page)).toEqual([]);
  await context.close();
});

test.each([
  [360, 780, 'en-GB'],
  [1024, 800, 'de-DE'],
  [1920, 1080, 'en-GB'],
] as const)('at %s pixels everything has its place, in either scheme', async (width, height, locale) => {
  const { page, context } = await open(weather.dewId, stage.person, { viewport: { width, height }, locale });
  await page.locator('.cm-content').waitFor();
  await page.locator('.program-run .button').first().click();
  await page.locator('.program-rows').waitFor();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await picture(page, `console-program-${width}-${scheme}`);
    await page.locator('.program-rows').evaluate((element) => element.scrollIntoView());
    await picture(page, `console-program-rows-${width}-${scheme}`);
    await page.locator('#title').evaluate((element) => element.scrollIntoView());
  }
  await context.close();
});

describe('a rating', () => {
  const TABLE = [
    [-20, 0],
    [5, 10],
    [15, 40],
    [30, 100],
  ];
  const made = async (ratings: readonly object[] = [{ startTime: '2020-01-01T00:00:00Z', table: TABLE }]) =>
    (
      await api().create({
        _class: `${MODEL}.point.NumberRatingPoint`,
        parentId: weather.sourceId,
        name: unique('Rated'),
        format: '0.000000',
        rating: { inputNodeId: weather.airId, ratings },
      })
    )._id;
  const tableOf = async (id: string) => (await get(`/nodes/${id}`)).rating.ratings[0].table;
  const rating = (nodeId: string, person?: Person, more: object = {}) =>
    open(nodeId, person, { part: 'rating', ...more });
  const cell = (page: Page, what: 'Input' | 'Result', row: number) =>
    page.getByLabel(`${what} of row ${row}`, { exact: true });

  test('is changed in its table, what that makes of the last records is shown before it is saved, and then it is so', async () => {
    const id = await made();
    const { page, context, problems } = await rating(id);
    await cell(page, 'Result', 3).fill('50');
    await page.getByText(/^\d+ of the last \d+ records get another result; the greatest difference is /).waitFor();
    await picture(page, 'console-rating');
    expect(await violations(page)).toEqual([]);
    // Two equal inputs are refused at their row, as typed.
    await cell(page, 'Input', 2).fill('15');
    await save(page);
    await page.getByRole('row').getByRole('alert').filter({ hasText: 'that no other row has' }).waitFor();
    await picture(page, 'console-rating-equal');
    expect(await tableOf(id)).toEqual(TABLE);
    await cell(page, 'Input', 2).fill('5');
    await save(page);
    await isSaved(page);
    expect(await tableOf(id)).toEqual([
      [-20, 0],
      [5, 10],
      [15, 50],
      [30, 100],
    ]);
    const air = airAt(HOURS - 1);
    const expected = 10 + ((air - 5) * 40) / 10;
    const newest = async () => (await get(`/nodes/${id}/historic?limit=1`)).data[0]?.f[0]?.v;
    await until(async () => Math.abs((await newest()) - expected) < 1e-6, { what: 'the series computed anew' });
    expect(problems).toEqual([]);
    await context.close();
  });

  test('is changed by the keyboard alone: a point is moved, not past its neighbour, and one is removed', async () => {
    const id = await made();
    const { page, context } = await rating(id);
    const point = (row: number) => page.getByRole('slider', { name: `Point of row ${row}`, exact: true });
    await point(1).focus();
    await page.keyboard.press('PageUp');
    await point(2).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Shift+ArrowUp');
    expect(Number(await cell(page, 'Result', 2).inputValue())).toBeGreaterThan(10);
    for (let n = 0; n < 8; n += 1) await page.keyboard.press('Shift+ArrowRight');
    expect(Number(await cell(page, 'Input', 2).inputValue())).toBeLessThan(15);
    await page.keyboard.press('PageUp');
    await page.keyboard.press('Delete');
    await point(4).waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+s');
    await isSaved(page);
    const table = await tableOf(id);
    expect(table).toHaveLength(3);
    expect(table[1][0]).toBeGreaterThan(5);
    await context.close();
  });

  test('has its points dragged, comes from a file and goes back by Undo; a file that is wrong is refused with its line', async () => {
    const id = await made();
    const { page, context } = await rating(id);
    const box = (await page.getByRole('slider', { name: 'Point of row 2' }).boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y - 60, { steps: 5 });
    await page.mouse.up();
    expect(Number(await cell(page, 'Result', 2).inputValue())).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Discard' }).click();
    const drop = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'rating.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await drop('"2020-01-01T00:00:00Z","table",1:1,1:2\n');
    await page
      .getByRole('alert')
      .filter({ hasText: /The file was refused: .*line 1/ })
      .waitFor();
    expect(await tableOf(id)).toEqual(TABLE);
    await drop('"2020-01-01T00:00:00Z","table",0:0,10:1\n"2024-01-01T00:00:00Z","polynomial",a:1,b:2\n');
    await page.getByText('The file was read, and the series is computed anew.').waitFor();
    await page.getByText('polynomial of 2 coefficients').first().waitFor();
    expect(await tableOf(id)).toEqual([
      [0, 0],
      [10, 1],
    ]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The ratings from before are back.').waitFor();
    expect(await tableOf(id)).toEqual(TABLE);
    await context.close();
  });

  test.each([
    [360, 780, 'en-GB'],
    [1024, 800, 'de-DE'],
    [1920, 1080, 'en-GB'],
  ] as const)(
    'has its place at %s pixels, in either scheme, for one who may only look too',
    async (width, height, locale) => {
      const id = await made([
        { startTime: '2020-01-01T00:00:00Z', table: TABLE },
        { startTime: '2024-01-01T00:00:00Z', equationType: 'POLYNOMIAL', coefficients: { a: 1, b: 2, c: 0.1 } },
      ]);
      const person = width === 360 ? await userOf(api(), stage.sites.workspaceId, 'View') : stage.person;
      const { page, context } = await rating(id, person, { viewport: { width, height }, locale });
      await page.locator('.rating-entry').first().click();
      await page.locator('.rating-point').first().waitFor();
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        expect(await violations(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        await page.locator('.rating-desk').evaluate((element) => element.scrollIntoView());
        await picture(page, `console-rating-${width}-${scheme}`);
      }
      if (width === 360) expect(await page.locator('.rating-rows input').first().isDisabled()).toBe(true);
      await context.close();
    },
  );
});
