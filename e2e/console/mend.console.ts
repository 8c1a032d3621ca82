// «Mend» works on the page of a parameter: by mouse, by keyboard alone, by two people at once, with parts that are refused, and with as
// many records as it takes.
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { MODEL, unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { endSession, PASSWORD, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 2, 1);
const iso = (ms: number) => new Date(ms).toISOString();
const at = (hour: number) => START + hour * HOUR;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.close());

type Cell = { readonly v?: number; readonly q?: number; readonly a?: string };

/** Makes a parameter with an alarm state and a record each hour. */
async function series(values: readonly number[], more: object = {}): Promise<string> {
  const { api } = stage.installation;
  const { _id } = await api.create({
    _class: `${MODEL}.point.NumberPoint`,
    parentId: stage.sites.gaugeId,
    name: unique('Stage'),
    units: 'ft',
    states: [{ name: 'NORMAL' }, { name: 'HIGH WATER', threshold: 5, isAlarm: true }],
    ...more,
  });
  const rows = values.map((v, hour) => [at(hour), { v }] as const);
  if (rows.length > 0) await write(_id, rows);
  return _id;
}

async function write(id: string, rows: readonly (readonly [number, Cell | null])[], mode = 'MERGE_UPDATE_EXISTING') {
  const { api } = stage.installation;
  const data = rows.map(([ms, cell]) => ({ ts: iso(ms), f: { 0: cell } }));
  const answer = await api.put(`/nodes/${id}/historic?writeMode=${mode}`, { docType: 'jts', version: '1.0', data });
  expect(answer.status).toBe(202);
  await api.get(`/writes/${answer.json.write}?wait=30`);
  await until(async () => (await api.get(`/nodes/${id}`)).json.oldestTime !== undefined);
}

/** Reads the records of a series: the hour, and what it has. */
async function stored(id: string, hours = 400): Promise<readonly (readonly [number, Cell])[]> {
  const query = `startTime=${iso(START)}&endTime=${iso(at(hours))}&renderFormat=&qualityExcluded=NONE`;
  const { json } = await stage.installation.api.get(`/nodes/${id}/historic?${query}`);
  return json.data.map(({ ts, f }: { ts: string; f: Record<string, Cell> }) => [(Date.parse(ts) - START) / HOUR, f[0]]);
}

const addressOf = (id: string, hours: number) =>
  `/a/${stage.person.slug}/n/${id}/mend?range=${iso(START - HOUR)}/${iso(at(hours))}`;

const open = (id: string, hours: number, options = {}, person = stage.person) =>
  signedIn(stage.browser, stage.installation.url, person, {
    next: addressOf(id, hours),
    timezoneId: 'UTC',
    ...options,
  });

const ready = (page: Page) => page.locator('.mend-row').first().waitFor();

/** Finds where an hour of the range and a value lie in the chart, by the axis of the first series. */
async function plotBox(page: Page) {
  const box = (await page.locator('.mend-sheet').boundingBox())!;
  return (share: number, height: number) => [box.x + box.width * share, box.y + box.height * height] as const;
}

async function drag(page: Page, points: readonly (readonly [number, number])[]) {
  await page.mouse.move(...points[0]!);
  await page.mouse.down();
  for (const point of points.slice(1)) await page.mouse.move(...point, { steps: 8 });
  await page.mouse.up();
}

const choose = async (page: Page, menu: 'Choose' | 'Change', item: string | RegExp) => {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

async function save(page: Page, count: number) {
  await page.getByRole('button', { name: 'Save …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: `Save ${count.toLocaleString('en')} record` }).click();
  await dialog.getByRole('button', { name: 'Done' }).waitFor();
  return dialog;
}

test('by mouse: a spike is found, a drift corrected, a lasso deleted, steps taken back; the API has what the second line showed', async () => {
  const id = await series(Array.from({ length: 40 }, (_, hour) => (hour === 10 ? 9 : hour >= 30 ? 2 + hour / 100 : 2)));
  const { page, context, problems } = await open(id, 41);
  await ready(page);
  await choose(page, 'Choose', 'Spikes higher than …');
  await page.getByLabel('Limit').fill('3');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('1 of 40 chosen').waitFor();
  await choose(page, 'Change', 'Interpolate');
  await page.getByText('1 record changes').waitFor();
  // The last fifth of the time has the records from hour 32 on.
  const place = await plotBox(page);
  await drag(page, [place(32.5 / 42, 0.2), place(0.999, 0.8)]);
  await page.getByText('8 of 40 chosen').waitFor();
  await choose(page, 'Change', 'Correct a drift …');
  await page.getByLabel('Offset at the last record').fill('-0,7');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('8 records change').waitFor();
  await picture(page, 'console-mend-drift');
  await choose(page, 'Change', 'Quality …');
  await page.locator('.mend-tool select').selectOption('162');
  await page.getByRole('button', { name: 'Apply' }).click();
  // The mouse draws a lasso around the first hours, as people draw.
  await page.getByRole('button', { name: 'Lasso' }).click();
  await drag(page, [place(0.5 / 42, 0.02), place(4.5 / 42, 0.02), place(4.5 / 42, 0.98), place(0.5 / 42, 0.98)]);
  await page.getByText('4 of 40 chosen').waitFor();
  await choose(page, 'Change', 'Delete');
  await page.getByText('13 records change').waitFor();
  await page.getByRole('button', { name: 'Take back the last step' }).click();
  await page.getByText('9 records change').waitFor();
  await page.getByRole('button', { name: 'Do it again' }).click();
  await page.getByText('13 records change').waitFor();
  expect(await stored(id)).toHaveLength(40);
  await page.getByRole('button', { name: 'Save …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('9 changed, 4 deleted').waitFor();
  await dialog.getByText(/The newest record will be 1\.69/).waitFor();
  await dialog.getByText(/HIGH WATER: 1 → 0/).waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'console-mend-review');
  await dialog.getByRole('button', { name: 'Save 13 records' }).click();
  await dialog.getByText('13 records are written.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Nothing is changed', { exact: true }).waitFor();
  const rows = await stored(id);
  expect(rows.map(([hour]) => hour)).toEqual(Array.from({ length: 36 }, (_, n) => n + 4));
  const of = new Map(rows);
  expect(of.get(10)).toEqual({ v: 2 });
  expect(of.get(32)).toEqual({ v: 2.32, q: 162 });
  expect(of.get(36)).toEqual({ v: 1.96, q: 162 });
  expect(of.get(39)).toEqual({ v: 1.69, q: 162 });
  expect(problems).toEqual([]);
  await context.close();
});

test('by keyboard alone: rows with Shift and arrows, menus, pasted lines, a note; a reload and a lost session keep the work', async () => {
  const id = await series([1, 2, 3, 4, 5, 6]);
  const { page, context, problems } = await open(id, 8);
  await ready(page);
  const table = page.getByRole('grid');
  await table.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('3 of 6 chosen').waitFor();
  await page.keyboard.press('Shift+ArrowUp');
  await page.getByText('2 of 6 chosen').waitFor();
  await page.getByRole('button', { name: 'Change', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  await page.keyboard.type('m');
  await page.keyboard.press('Enter');
  await page.getByLabel('Factor').waitFor();
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  await page.getByText('2 records change').waitFor();
  await page.getByRole('button', { name: 'Add records' }).focus();
  await page.keyboard.press('Enter');
  const lines = page.getByLabel('Records', { exact: true });
  await lines.fill('2026-03-01 01:30; 2.5; 162; by hand\n2026-03-01 02:30 7\nyesterday 5');
  await page.getByText('Line 3: write a time and a value').waitFor();
  await lines.fill('2026-03-01 01:30; 2.5; 162; by hand\n2026-03-01 02:30\t7');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('4 records change').waitFor();
  await table.focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('End');
  await page.keyboard.press(' ');
  await page.keyboard.press('Delete');
  await page.getByText('5 records change').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('4 records change').waitFor();
  await page.keyboard.press('Control+y');
  await page.getByText('5 records change').waitFor();
  await until(async () =>
    Boolean(
      await page.evaluate(
        "Object.keys(sessionStorage).some((key) => key.startsWith('mend:') && JSON.parse(sessionStorage[key]).changes.length === 5)",
      ),
    ),
  );
  await page.reload();
  await page.getByText('What you had changed before is here again: 5 records.').waitFor();
  await page.getByText('5 records change').waitFor();
  await endSession({ page, context });
  const save = async () => {
    await page.getByRole('button', { name: 'Save …' }).focus();
    await page.keyboard.press('Enter');
  };
  await save();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  // A page that notices the lost session before the key is pressed asks for the password first, and saves nothing.
  await until(async () => {
    if (!(await dialog.isVisible())) await save();
    return dialog.getByText('2 added, 2 changed, 1 deleted').isVisible();
  });
  await dialog.getByRole('button', { name: 'Save 5 records' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByText('5 records are written.').waitFor();
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  expect(await stored(id)).toEqual([
    [0, { v: 1 }],
    [1, { v: 20 }],
    [1.5, { v: 2.5, q: 162, a: 'by hand' }],
    [2, { v: 30 }],
    [2.5, { v: 7 }],
    [3, { v: 4 }],
    [4, { v: 5 }],
  ]);
  expect(problems).toEqual([]);
  await context.close();
});

test('two people mend one range: what the other one has changed is shown, chosen record by record, and nothing is overwritten unseen', async () => {
  const id = await series([1, 2, 3, 4, 5]);
  const { page, context, problems } = await open(id, 6);
  await ready(page);
  await choose(page, 'Choose', 'All records');
  await choose(page, 'Change', 'Add an offset …');
  await page.getByLabel('Offset (ft)').fill('0.5');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('5 records change').waitFor();
  await write(id, [
    [at(1), { v: 20, a: 'Ice' }],
    [at(2), null],
    [at(3.5), { v: 7 }],
  ]);
  await page.getByRole('button', { name: 'Save …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Somebody else has changed 2 records that you change, too').waitFor();
  await dialog.getByText('Somebody else has changed 1 other record meanwhile.').waitFor();
  await dialog.getByText('Choose mine or theirs first.').waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'console-mend-conflict');
  const groups = dialog.getByRole('group');
  await groups
    .nth(0)
    .getByRole('radio', { name: /^Theirs: 20\sft, «Ice»/ })
    .check();
  await groups
    .nth(1)
    .getByRole('radio', { name: /^Mine: 3\.5\sft/ })
    .check();
  // The chart shows what comes after the comparison, too.
  await write(id, [[at(4), { v: 50 }]]);
  await dialog.getByRole('button', { name: /^Save \d records$/ }).click();
  await dialog.getByText('Somebody else has changed 3 records that you change, too').waitFor();
  await groups
    .nth(2)
    .getByRole('radio', { name: /^Theirs/ })
    .check();
  await dialog.getByRole('button', { name: 'Save 3 records' }).click();
  await dialog.getByText('3 records are written.').waitFor();
  expect(await stored(id)).toEqual([
    [0, { v: 1.5 }],
    [1, { v: 20, a: 'Ice' }],
    [2, { v: 3.5 }],
    [3, { v: 4.5 }],
    [3.5, { v: 7 }],
    [4, { v: 50 }],
  ]);
  expect(problems).toEqual([]);
  await context.close();
});

test('two people save the same record at once: one is written, the other sees it before anything is overwritten, and chooses', async () => {
  const id = await series([1, 2, 3, 4]);
  const person = await userOf(stage.installation.api, stage.sites.workspaceId, 'Manage');
  const sessions = [await open(id, 5), await open(id, 5, { locale: 'de-DE' }, person)] as const;
  const [mine, theirs] = sessions;
  const change = async (
    { page }: (typeof sessions)[number],
    words: readonly [string, string, RegExp, string],
    value: string,
  ) => {
    const [changeMenu, apply, item, saves] = words;
    await ready(page);
    await page.locator('.mend-row').nth(1).click();
    await page.getByRole('button', { name: changeMenu, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.locator('.mend-tool input').first().fill(value);
    await page.getByRole('button', { name: apply }).click();
    await page.getByRole('button', { name: saves }).click();
  };
  await change(mine, ['Change', 'Apply', /^Set to/, 'Save …'], '20');
  await change(theirs, ['Ändern', 'Anwenden', /^Auf einen Wert setzen/, 'Speichern …'], '200');
  // Both have compared, and both are about to write: what one sends waits on its way until the other is stored.
  let release = () => {};
  const isStored = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  await mine.page.route(/\/historic\?/, async (route) => {
    if (route.request().method() === 'PUT' && !isHeld) {
      isHeld = true;
      await isStored;
    }
    await route.continue();
  });
  const dialog = mine.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save 1 record' }).click();
  await until(async () => isHeld);
  const other = theirs.page.getByRole('dialog');
  await other.getByRole('button', { name: '1 Datensatz speichern' }).click();
  await other.getByText('1 Datensatz ist geschrieben.').waitFor();
  release();
  await dialog
    .getByText(/The server has refused these, and nothing of them is half written\. Nothing was written\./)
    .waitFor();
  await dialog.getByText('Somebody else has changed 1 record that you change, too').waitFor();
  expect((await stored(id))[1]).toEqual([1, { v: 200 }]);
  expect(await violations(mine.page)).toEqual([]);
  await picture(mine.page, 'console-mend-overtaken');
  await dialog.getByRole('radio', { name: /^Mine/ }).check();
  await dialog.getByRole('button', { name: 'Save 1 record' }).click();
  await dialog.getByText('1 record is written.').waitFor();
  expect((await stored(id))[1]).toEqual([1, { v: 20 }]);
  for (const { context } of sessions) await context.close();
  expect(theirs.problems).toEqual([]);
  // A refusal is no failure of the page.
  expect(mine.problems.filter((problem) => !problem.includes('412'))).toEqual([]);
});

test('a write whose answer is lost and that is sent again is known as one’s own: it is written once, and nobody else is blamed', async () => {
  const id = await series([1, 2]);
  const { page, context, problems } = await open(id, 3);
  await ready(page);
  await page.locator('.mend-row').nth(1).click();
  await choose(page, 'Change', 'Set to …');
  await page.getByLabel('Value (ft)').fill('20');
  await page.getByRole('button', { name: 'Apply' }).click();
  let sent = 0;
  await page.route(/\/historic\?/, async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    sent += 1;
    if (sent > 1) return route.continue();
    const answer = await route.fetch();
    await stage.installation.api.get(`/writes/${(await answer.json()).write}?wait=30`);
    await route.abort('connectionreset');
  });
  const dialog = await save(page, 1);
  await dialog.getByText('1 record is written.').waitFor();
  expect(sent).toBe(2);
  expect((await stored(id))[1]).toEqual([1, { v: 20 }]);
  expect(problems).toEqual([]);
  await context.close();
});

test('texts and states are mended too: found by what they are, set, given a quality, deleted', async () => {
  const { api } = stage.installation;
  const gate = await api.create({
    _class: `${MODEL}.point.TextPoint`,
    parentId: stage.sites.gaugeId,
    name: unique('Gate'),
  });
  const said = ['open', 'opne', 'shut', 'opne', 'shut'];
  const data = said.map((v, hour) => ({ ts: iso(at(hour)), f: { 0: { v } } }));
  const answer = await api.put(`/nodes/${gate._id}/historic`, { docType: 'jts', version: '1.0', data });
  await api.get(`/writes/${answer.json.write}?wait=30`);
  await until(async () => (await api.get(`/nodes/${gate._id}`)).json.oldestTime !== undefined);
  const { page, context, problems } = await open(gate._id, 6);
  await ready(page);
  await choose(page, 'Choose', 'Value is …');
  await page.getByLabel('Value', { exact: true }).fill('opne');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByText('2 of 5 chosen').waitFor();
  await choose(page, 'Change', 'Set to …');
  await page.getByLabel('Value', { exact: true }).fill('open');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('2 records change').waitFor();
  await choose(page, 'Change', 'Quality …');
  await page.getByRole('form', { name: 'Quality …' }).getByRole('combobox').selectOption('other');
  await page.getByRole('textbox', { name: 'Code' }).fill('100');
  await page.getByRole('button', { name: 'Apply' }).click();
  await picture(page, 'console-mend-text');
  await page.locator('.mend-row').filter({ hasText: 'shut' }).first().click();
  await choose(page, 'Change', 'Delete');
  await page.reload();
  await page.getByText('What you had changed before is here again: 3 records.').waitFor();
  const dialog = await save(page, 3);
  await dialog.getByText('3 records are written.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  expect(await stored(gate._id)).toMatchObject([
    [0, { v: 'open' }],
    [1, { v: 'open', q: 100 }],
    [3, { v: 'open', q: 100 }],
    [4, { v: 'shut' }],
  ]);
  const valve = await series([0, 1, 1], {
    displayType: 'STATE',
    statesType: 'DISCRETE',
    units: '',
    states: [
      { name: 'OFF', threshold: 0 },
      { name: 'ON', threshold: 1 },
    ],
  });
  await page.goto(`${stage.installation.url}${addressOf(valve, 4)}`);
  await page.locator('.mend-row').nth(1).click();
  await choose(page, 'Change', 'Set to …');
  await page.getByLabel('Value', { exact: true }).selectOption({ label: 'OFF (0)' });
  await page.getByRole('button', { name: 'Apply' }).click();
  await save(page, 1);
  expect((await stored(valve)).map(([, { v }]) => v)).toEqual(['OFF', 'OFF', 'ON']);
  await context.close();
  expect(problems).toEqual([]);
});

test('a part that is refused is named by its time and reason, and stays to be saved again', async () => {
  const { api } = stage.installation;
  const id = await series([1, 2, 3]);
  const person = await userOf(api, stage.sites.workspaceId, 'Manage');
  const { page, context } = await open(id, 4, {}, person);
  await ready(page);
  await choose(page, 'Choose', 'All records');
  await choose(page, 'Change', 'Set to …');
  await page.getByLabel('Value (ft)').fill('4');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('button', { name: 'Save …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('3 changed').waitFor();
  const users = [{ user: person.email, role: 'Operate' }];
  expect((await api.post(`/nodes/${stage.sites.workspaceId}/security/subscribe`, { users })).status).toBe(200);
  await page.getByText('Your role may change qualities and notes, and no values.').waitFor();
  await dialog.getByRole('button', { name: 'Save 3 records' }).click();
  await dialog.getByText('Nothing was written.').waitFor();
  expect(await dialog.locator('.mend-refused li').allTextContents()).toEqual([
    expect.stringMatching(/^2026-03-01 00:00:00 – 2026-03-01 02:00:00, 3 records: .+/),
  ]);
  await picture(page, 'console-mend-refused');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('3 records change').waitFor();
  // Qualities and notes are left to this role.
  await page.getByText('Your role may change qualities and notes, and no values.').waitFor();
  expect((await stored(id)).map(([, cell]) => cell.v)).toEqual([1, 2, 3]);
  await context.close();
});

test('leaving with unsaved work asks; values behind a multiplier are written as they are stored; what may not be mended is not offered', async () => {
  const { api } = stage.installation;
  const id = await series([10, 20], { multiplier: 0.1, offset: 1 });
  const { page, context } = await open(id, 3);
  await ready(page);
  await choose(page, 'Choose', 'All records');
  await choose(page, 'Change', 'Add an offset …');
  await page.getByLabel('Offset (ft)').fill('1');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByText('Leave without saving?').waitFor();
  await page.getByRole('button', { name: 'Stay' }).first().click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Leave, and keep it' }).click();
  await page.waitForURL(/settings/);
  await page.getByRole('button', { name: 'Go back to it' }).click();
  await page.getByText('2 records change').waitFor();
  await save(page, 2);
  // The values are read as they are shown: 2 + 1 and 3 + 1.
  expect((await stored(id)).map(([, cell]) => cell.v)).toEqual([3, 4]);
  await until(async () => (await api.get(`/nodes/${id}`)).json.rawValue === 30);
  await context.close();
  const viewer = await userOf(api, stage.sites.workspaceId, 'View');
  const other = await signedIn(stage.browser, stage.installation.url, viewer, {
    next: `/a/${viewer.slug}/n/${id}/chart`,
  });
  await other.page.getByRole('link', { name: 'Settings' }).waitFor();
  expect(await other.page.getByRole('link', { name: 'Mend', exact: true }).count()).toBe(0);
  await other.context.close();
});

test('50 000 records are chosen, changed and saved; more are refused with what to do; the longest frames are reported', async () => {
  const id = await series([]);
  const SECOND = 60_000;
  for (let from = 0; from < 50_000; from += 25_000)
    await write(
      id,
      Array.from({ length: 25_000 }, (_, n) => [START + (from + n) * SECOND, { v: 2 + Math.sin((from + n) / 400) }]),
    );
  const hours = Math.ceil(50_000 / 60);
  const { page, context, problems } = await open(id, hours);
  await ready(page);
  await page.getByText('0 of 50,000 chosen').waitFor();
  await page.evaluate(`(() => {
    globalThis.frames = [];
    let last = performance.now();
    const step = (now) => { globalThis.frames.push(now - last); last = now; requestAnimationFrame(step); };
    requestAnimationFrame(step);
    globalThis.tasks = [];
    new PerformanceObserver((list) => { for (const one of list.getEntries()) globalThis.tasks.push(one.duration); }).observe({ entryTypes: ['longtask'] });
  })()`);
  const longest = async (what: string) => {
    const [frame, task] = (await page.evaluate(
      '[Math.max(0, ...globalThis.frames.splice(0)), Math.max(0, ...globalThis.tasks.splice(0))]',
    )) as [number, number];
    process.stdout.write(
      `50 000 records, ${what}: longest frame ${frame.toFixed(0)} ms, longest task above 50 ms ${task.toFixed(0)} ms\n`,
    );
  };
  await choose(page, 'Choose', 'All records');
  await page.getByText('50,000 of 50,000 chosen').waitFor();
  await longest('all chosen');
  const place = await plotBox(page);
  await page.getByRole('button', { name: 'Lasso' }).click();
  await drag(page, [place(0.1, 0.1), place(0.9, 0.1), place(0.9, 0.9), place(0.1, 0.9)]);
  await page.getByText(/^[34]\d,\d+ of 50,000 chosen/).waitFor();
  await longest('lasso');
  await choose(page, 'Choose', 'All records');
  await choose(page, 'Change', 'Add an offset …');
  await page.getByLabel('Offset (ft)').fill('1');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('50,000 records change').waitFor();
  await until(async () =>
    Boolean(await page.evaluate("Object.keys(sessionStorage).some((key) => key.startsWith('mend:'))")),
  );
  await longest('offset, kept for a reload');
  await page.getByRole('button', { name: 'Take back the last step' }).click();
  await page.getByRole('button', { name: 'Do it again' }).click();
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  for (let i = 0; i < 20; i += 1) await page.keyboard.press('PageDown');
  await longest('steps, and scrolling by pages');
  await picture(page, 'console-mend-many');
  const dialog = await save(page, 50_000);
  await dialog.getByText('50,000 records are written.').waitFor();
  await longest('compared, saved, compared');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await write(id, [[START - SECOND, { v: 1 }]]);
  await page.goto(`${stage.installation.url}${addressOf(id, hours)}`);
  await page.getByText('This time has more than 50,000 records. Choose a shorter time.').waitFor();
  await picture(page, 'console-mend-too-many');
  await page.getByRole('button', { name: /^Take the last/ }).click();
  await ready(page);
  expect(problems).toEqual([]);
  await context.close();
});

test('of two million records none is read: it is said at once with what to do, and a lasso takes the last of them', async () => {
  const { api } = stage.installation;
  const MINUTE = 60_000;
  const [many, inOne] = [2_000_000, 50_000];
  // This source has acquired nothing today and so may bring years at once.
  const { _id: place } = await api.create({
    _class: `${MODEL}.location.Location`,
    parentId: stage.sites.workspaceId,
    name: unique('Archive'),
  });
  const { _id: source } = await api.create({
    _class: `${MODEL}.source.data.Jts`,
    parentId: place,
    name: 'Years of minutes',
  });
  const id = await series([], { parentId: source });
  const from = START - many * MINUTE;
  let last = '';
  for (let n = 0; n < many; n += inOne) {
    const data = Array.from({ length: inOne }, (_, i) => {
      const ts = iso(from + (n + i) * MINUTE);
      return { ts, f: { 0: { v: (n + i) % 1_000 } } };
    });
    const answer = await api.put(`/nodes/${id}/historic`, { docType: 'jts', version: '1.0', data });
    expect(answer.status).toBe(202);
    last = answer.json.write;
  }
  await until(async () => (await api.get(`/writes/${last}?wait=30`)).json.readable);
  const { page, context, problems } = await open(id, 0);
  await page.goto(`${stage.installation.url}/a/${stage.person.slug}/n/${id}/mend?range=${iso(from)}/${iso(START)}`);
  let pages = 0;
  page.on('request', (request) => {
    // The head of the page reads a little of its own.
    if (request.url().includes('limit=5000')) pages += 1;
  });
  await page.getByText('This time has more than 50,000 records. Choose a shorter time.').waitFor();
  expect(pages).toBe(0);
  expect(await page.getByRole('button', { name: 'Lasso' }).count()).toBe(0);
  await picture(page, 'console-mend-two-million');
  await page.getByRole('button', { name: /^Take the last/ }).click();
  await ready(page);
  await page.getByRole('button', { name: 'Lasso' }).click();
  const spot = await plotBox(page);
  await drag(page, [spot(0.01, 0.01), spot(0.99, 0.01), spot(0.99, 0.99), spot(0.01, 0.99)]);
  await page.getByText(/^[\d,]{3,6} of [\d,]{3,6} chosen/).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a lasso over a gap says that there is nothing in it; a time without records says where the last ones are', async () => {
  const id = await series([1, 2, 3]);
  await write(id, [
    [at(20), { v: 2 }],
    [at(21), { v: 3 }],
  ]);
  const { page, context } = await open(id, 22);
  await ready(page);
  await page.getByRole('button', { name: 'Lasso' }).click();
  const place = await plotBox(page);
  await drag(page, [place(0.3, 0.1), place(0.7, 0.1), place(0.7, 0.9), place(0.3, 0.9)]);
  await page.getByText('No record with a value lies in it.').waitFor();
  await page.getByText('0 of 5 chosen').waitFor();
  const later = `/a/${stage.person.slug}/n/${id}/mend?range=${iso(at(400))}/${iso(at(500))}`;
  await page.goto(`${stage.installation.url}${later}`);
  await page.getByText('There are no records in this time').waitFor();
  await page.getByRole('button', { name: /^Go to the last data/ }).click();
  await page.getByText('0 of 5 chosen').waitFor();
  await context.close();
});

test.each([
  ['de-DE', 'dark', 360],
  ['en-GB', 'light', 360],
  ['en-GB', 'dark', 1024],
  ['de-DE', 'light', 1920],
] as const)(
  'axe finds nothing: %s, %s, %d px, and nothing is wider than the page',
  async (locale, colorScheme, width) => {
    const id = await series(Array.from({ length: 72 }, (_, hour) => 2 + Math.sin(hour / 6)));
    const size = { viewport: { width, height: width < 500 ? 780 : 1000 } };
    const { page, context, problems } = await open(id, 73, { locale, colorScheme, ...size });
    await ready(page);
    await page.locator('.legend .range').first().waitFor();
    await page.locator('.mend-plot').evaluate((plot) => plot.scrollIntoView({ block: 'center' }));
    const place = await plotBox(page);
    await drag(page, [place(0.3, 0.3), place(0.6, 0.7)]);
    await page.getByRole('button', { name: /^(Change|Ändern)$/ }).click();
    await page.getByRole('menuitem', { name: /^(Multiply|Malnehmen)/ }).click();
    await page.getByLabel(/^(Factor|Faktor)/).fill('1.5');
    await page.keyboard.press('Enter');
    await page.locator('.mend-save strong', { hasText: /2\d/ }).waitFor();
    await page.getByRole('button', { name: /^(Change|Ändern)$/ }).click();
    await page.getByRole('menuitem', { name: /Drift|drift/ }).click();
    expect(await violations(page)).toEqual([]);
    const wider = await page.evaluate(
      'document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth',
    );
    expect(wider).toBeLessThanOrEqual(0);
    await picture(page, `console-mend-${width}-${colorScheme}-${locale.slice(0, 2)}`);
    if (width === 360) {
      await page.locator('.mend-save').scrollIntoViewIfNeeded();
      await page.locator('.mend-table').scrollIntoViewIfNeeded();
      await picture(page, `console-mend-${width}-${colorScheme}-${locale.slice(0, 2)}-below`);
    }
    expect(problems).toEqual([]);
    await context.close();
  },
);
