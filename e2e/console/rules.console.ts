// States and alarms in the browser: thresholds are dragged, what they would mean is counted, the alarm is raised and the mail arrives.
import { type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { jts, MODEL, unique } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { administrator, changeBy, type Person, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const HOUR = 3_600_000;

let stage: Stage;
let mailServer: TestMailServer;
let categoryId: string;
beforeAll(async () => {
  mailServer = await testMailServer();
  stage = await openStage({
    env: { SMTP_URL: mailServer.url, SMTP_TLS: 'off', SMTP_FROM: 'Catchment <catchment@example.org>' },
  });
  const { api } = stage.installation;
  const { categories } = (await api.get('/owners/account')).json;
  categoryId = categories.find((category: { name: string }) => category.name === 'Critical')._id;
  await set(usual());
  // A tide moves between 1 and 5 ft over the last three days, with a reading an hour.
  const nowMs = Date.now();
  const rows = Array.from({ length: 72 }, (_, i) => [
    new Date(nowMs - (72 - i) * HOUR).toISOString(),
    Number((3 + 2 * Math.sin((i / 12) * 2 * Math.PI)).toFixed(2)),
    11,
  ]);
  const answer = await api.put(
    `/nodes/${stage.sites.gaugeId}/historic?notifyOn=NONE`,
    jts(['level', 'temperature'], rows as [string, number, number][], 'ft'),
  );
  expect(answer.status).toBe(202);
  await until(async () => (await level()).currentTime !== null, { what: 'the records' });
});
afterAll(async () => {
  await stage?.close();
  await mailServer?.close();
});

const level = async () => (await stage.installation.api.get(`/nodes/${stage.sites.levelId}`)).json;
const set = async (attributes: object) =>
  expect((await stage.installation.api.put(`/nodes/${stage.sites.levelId}`, attributes)).status).toBe(200);
const usual = () => ({
  hysteresis: 0,
  states: [
    { name: 'LOW WATER', threshold: 0.5 },
    { name: 'NORMAL' },
    { name: 'HIGH WATER', threshold: 6, isAlarm: true, notify: 'ALWAYS', categoryId },
    { name: 'FLOOD', threshold: 9, isAlarm: true },
  ],
});

async function openRules(
  person: Person = stage.person,
  { isDeaf = false, viewport = { width: 1440, height: 1000 } } = {},
) {
  const next = `/a/${stage.person.slug}/n/${stage.sites.levelId}/rules`;
  const opened = await signedIn(stage.browser, stage.installation.url, person, { next, viewport });
  const { page } = opened;
  if (isDeaf) {
    await page.route(/\/stream\?|\/stream$/, (route) => route.abort());
    await page.reload();
  }
  await sliderOf(page, 'HIGH WATER').waitFor();
  return opened;
}
const sliderOf = (page: Page, state: string) => page.getByRole('slider', { name: `Threshold of ${state}` });
const cardOf = (page: Page, state: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: new RegExp(`^${state}`) }) });
const fieldOf = (page: Page, state: string) => cardOf(page, state).getByLabel('Threshold');
const valueAt = async (page: Page, state: string) => Number(await sliderOf(page, state).getAttribute('aria-valuenow'));
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const isSaved = (page: Page) => page.getByText('not saved yet').waitFor({ state: 'detached', timeout: 60_000 });
const thresholds = async () => (await level()).states.map((state: { threshold?: number }) => state.threshold ?? null);

/** Drags a state; a value is one less this many pixels down. */
async function drag(page: Page, state: string, byPixels: number): Promise<void> {
  const box = (await sliderOf(page, state).boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + byPixels / 2, { steps: 4 });
  await page.mouse.move(x, y + byPixels, { steps: 4 });
  await page.mouse.up();
}

test('a threshold is dragged by the mouse: the field beside follows, what it would mean is counted, and it is saved', async () => {
  await set(usual());
  const { page, context, problems } = await openRules();
  await cardOf(page, 'HIGH WATER').getByText('not entered').waitFor();
  await page.locator('.rule-plot .busy').waitFor({ state: 'detached' });
  await drag(page, 'HIGH WATER', 60);
  const dragged = await valueAt(page, 'HIGH WATER');
  expect(dragged).toBeLessThan(5.5);
  expect(await fieldOf(page, 'HIGH WATER').inputValue()).toBe(String(dragged));
  // The tide comes to 4.5 once in each of its twelve hours.
  await fieldOf(page, 'HIGH WATER').fill('4.5');
  await cardOf(page, 'HIGH WATER').getByText('entered 6 times').waitFor();
  await cardOf(page, 'HIGH WATER').getByText('now not at all').waitFor();
  expect(await valueAt(page, 'HIGH WATER')).toBe(4.5);
  await picture(page, 'console-rules');
  expect(await violations(page)).toEqual([]);
  await save(page);
  await isSaved(page);
  expect(await thresholds()).toEqual([0.5, null, 4.5, 9]);
  expect(problems).toEqual([]);
  await context.close();
});

test('by the keyboard alone a threshold is moved, to its neighbour and not past it, which is said in words', async () => {
  await set(usual());
  const { page, context } = await openRules();
  await page.locator('.rule-plot .busy').waitFor({ state: 'detached' });
  const slider = sliderOf(page, 'HIGH WATER');
  await slider.focus();
  await page.keyboard.press('ArrowUp');
  const once = await valueAt(page, 'HIGH WATER');
  expect(once).toBeGreaterThan(6);
  await page.keyboard.press('Shift+ArrowDown');
  expect(await valueAt(page, 'HIGH WATER')).toBeLessThan(6);
  await page.keyboard.press('End');
  await page.getByText(/^HIGH WATER stops at 8\.\d+.ft: FLOOD begins at 9.ft\.$/).waitFor();
  expect(await valueAt(page, 'HIGH WATER')).toBeLessThan(9);
  expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('slider');
  await page.keyboard.press('ControlOrMeta+s');
  await isSaved(page);
  const [, , high, flood] = await thresholds();
  expect(high).toBeGreaterThan(8);
  expect(flood).toBe(9);
  await context.close();
});

test('dragged past its neighbour a threshold stops before it; typed past it, the field says so, and the server refuses it there', async () => {
  await set(usual());
  const { page, context } = await openRules();
  await page.locator('.rule-plot .busy').waitFor({ state: 'detached' });
  await drag(page, 'HIGH WATER', -400);
  await page.getByText(/^HIGH WATER stops at 8\.\d+.ft: FLOOD begins at 9.ft\.$/).waitFor();
  expect(await valueAt(page, 'HIGH WATER')).toBeLessThan(9);
  await picture(page, 'console-rules-stop');
  await fieldOf(page, 'HIGH WATER').fill('12');
  await cardOf(page, 'HIGH WATER').getByText('It must be below 9 ft, where FLOOD begins.').waitFor();
  await save(page);
  await cardOf(page, 'FLOOD').getByRole('alert').filter({ hasText: 'must be above the one before it' }).waitFor();
  expect(await fieldOf(page, 'HIGH WATER').inputValue()).toBe('12');
  expect(await thresholds()).toEqual([0.5, null, 6, 9]);
  await context.close();
});

test('a threshold is dragged, data are written, the alarm is raised, and the mail arrives; before it a test message does', async () => {
  await set(usual());
  const { page, context } = await openRules();
  await page.getByRole('button', { name: 'Notify me' }).click();
  await page.getByRole('checkbox', { name: /^Critical by e-mail to / }).check();
  await until(async () => page.getByRole('checkbox', { name: /^Critical by e-mail to / }).isChecked());
  await page.getByRole('button', { name: /^Send a test message to / }).click();
  await page.getByText(/^A test message goes to .* by e-mail\.$/).waitFor();
  const mailOf = (text: string) =>
    mailServer.mails.find((mail) => mail.to.includes(stage.person.email) && mail.text.includes(text));
  await until(async () => mailOf('Nothing has happened') !== undefined, { what: 'the test message' });
  await page.locator('.rule-plot .busy').waitFor({ state: 'detached' });
  await sliderOf(page, 'HIGH WATER').scrollIntoViewIfNeeded();
  await drag(page, 'HIGH WATER', 25);
  const dragged = await valueAt(page, 'HIGH WATER');
  expect(dragged).toBeLessThan(6);
  await save(page);
  await isSaved(page);
  // This would not have been high water before.
  const value = Number(((dragged + 6) / 2).toFixed(3));
  const written = await stage.installation.api.put(`/nodes/${stage.sites.levelId}/historic/now`, { value });
  expect(written.status).toBe(202);
  await until(async () => (await level()).alarms.stateAlarm.status.alarmState === 'ACTIVE', { what: 'the alarm' });
  await until(async () => mailOf('HIGH WATER') !== undefined, { what: 'the mail of the alarm' });
  await page.getByRole('region', { name: 'State', exact: true }).getByText('Active').waitFor();
  await context.close();
});

test('a message with expressions is shown as it would read now, and one that is wrong says why', async () => {
  await set(usual());
  const { page, context } = await openRules();
  const card = cardOf(page, 'FLOOD');
  await card.getByText('Messages, quality and more').click();
  const message = card.getByLabel('Message when it begins');
  await message.fill('{{ THIS.name }} of {{ LOCATION.name }} is in {{ THIS.currentStateName }}');
  await card.getByText('Gage height of Dead Run at Franklintown is in FLOOD').waitFor();
  await picture(page, 'console-rules-preview');
  await message.fill('{{ THIS.name | shout }}');
  await card.getByText(/^It cannot be evaluated: .*shout/).waitFor();
  await context.close();
});

test('two people move thresholds of one node: the second to save sees mine, theirs and what it was', async () => {
  await set(usual());
  const second = await administrator(stage.installation.api, 'Kim');
  const [first, other] = await Promise.all([openRules(stage.person, { isDeaf: true }), openRules(second)]);
  await fieldOf(first.page, 'HIGH WATER').fill('7');
  await fieldOf(other.page, 'HIGH WATER').fill('8');
  await save(other.page);
  await isSaved(other.page);
  await save(first.page);
  const conflict = first.page.getByRole('alert').filter({ hasText: 'Somebody else has changed the same' });
  await conflict.waitFor();
  const said = await conflict.getByRole('definition').allInnerTexts();
  expect(said.map((text) => /HIGH WATER · Threshold (\d)/.exec(text)?.[1])).toEqual(['6', '8', '7']);
  expect(await thresholds()).toEqual([0.5, null, 8, 9]);
  await first.page.getByRole('button', { name: 'Keep mine' }).click();
  await save(first.page);
  await isSaved(first.page);
  expect(await thresholds()).toEqual([0.5, null, 7, 9]);
  await Promise.all([first.context.close(), other.context.close()]);
});

test('by finger, in German, on a phone: a threshold is dragged and stops at its neighbour, hysteresis is set, and both are saved', async () => {
  await set(usual());
  const next = `/a/${stage.person.slug}/n/${stage.sites.levelId}/rules`;
  const { page, context, problems } = await signedIn(stage.browser, stage.installation.url, stage.person, {
    next,
    locale: 'de-DE',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const slider = page.getByRole('slider', { name: 'Schwelle von HIGH WATER' });
  await slider.waitFor();
  await page.locator('.rule-plot .busy').waitFor({ state: 'detached' });
  const touch = await context.newCDPSession(page);
  const dragged = async (byPixels: number) => {
    await slider.evaluate((handle) => handle.scrollIntoView({ block: 'center' }));
    const box = (await slider.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const at = (dy: number) => [{ x, y: y + dy }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let n = 1; n <= 8; n += 1)
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at((byPixels * n) / 8) });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    return Number(await slider.getAttribute('aria-valuenow'));
  };
  expect(await dragged(-300)).toBeLessThan(9);
  await page.getByText(/^HIGH WATER hält bei 8,\d+.ft: FLOOD beginnt bei 9.ft\.$/).waitFor();
  const moved = await dragged(40);
  expect(moved).toBeLessThan(8.5);
  // The finger has moved the threshold, and not the page below it.
  await picture(page, 'console-rules-touch-de');
  await page.getByRole('region', { name: 'Hysterese' }).getByRole('textbox').fill('0,25');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Speichern', exact: true }).tap();
  await page.getByText('noch nicht gespeichert').waitFor({ state: 'detached', timeout: 60_000 });
  expect(await thresholds()).toEqual([0.5, null, moved, 9]);
  expect((await level()).hysteresis).toBe(0.25);
  expect(problems).toEqual([]);
  await context.close();
});

test('all nine types of alarms are there where the class of a node has them, are set, previewed and saved', async () => {
  await set(usual());
  const { api } = stage.installation;
  const under = (kind: string, name: string, more: object = {}) =>
    api.create({ _class: `${MODEL}.${kind}`, parentId: stage.sites.gaugeId, name: unique(name), ...more });
  const control = await under('point.NumberControlPoint', 'Gate');
  const computed = await under('point.NumberProcessPoint', 'Mean');
  const { page, context, problems } = await openRules();
  const nodes = {
    [stage.sites.gaugeId]: ['Communications', 'Configuration', 'Data', 'Outdated', 'Overload'],
    [control._id]: ['Control', 'Quality', 'State'],
    [computed._id]: ['Process', 'Quality', 'State'],
  };
  const seen = new Set<string>();
  for (const [id, names] of Object.entries(nodes)) {
    await page.goto(`${stage.installation.url}/a/${stage.person.slug}/n/${id}/rules`);
    const alarm = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) });
    for (const name of names) {
      await alarm(name).first().waitFor();
      seen.add(name);
      const notify = alarm(name).first().getByLabel('Notify');
      if (name === 'State') continue;
      await notify.selectOption('ALWAYS');
      await alarm(name).first().getByLabel('Category').selectOption({ label: 'Critical' });
    }
    if (names.includes('Outdated')) {
      const outdated = alarm('Outdated');
      await outdated.getByLabel('Enabled').check();
      for (const [label, text] of [
        ['Message when it begins', 'No data of {{ THIS.name }}'],
        ['Message when it ends', '{{ THIS.name }} is back'],
      ] as const) {
        await outdated.getByLabel(label).fill(text);
        await outdated.getByText(text.replace('{{ THIS.name }}', 'River gauge')).waitFor();
      }
      expect(await alarm('Overload').getByLabel('Enabled').count()).toBe(0);
    }
    if (names.includes('Quality')) {
      await alarm('Quality').getByLabel('Enabled').check();
      await alarm('Quality').getByLabel('Uncertain').check();
    }
    await picture(page, `console-rules-alarms-${names[0]}`);
    expect(await violations(page)).toEqual([]);
    await save(page);
    await isSaved(page);
    const { alarms } = (await api.get(`/nodes/${id}`)).json;
    for (const [type, { config }] of Object.entries<{ config?: object }>(alarms))
      if (type !== 'stateAlarm') expect([type, config]).toMatchObject([type, { categoryId }]);
  }
  const { outdatedAlarm } = (await api.get(`/nodes/${stage.sites.gaugeId}`)).json.alarms;
  expect(outdatedAlarm.config).toMatchObject({ isEnabled: true, messageAway: 'No data of {{ THIS.name }}' });
  expect(seen.size).toBe(9);
  expect(problems).toEqual([]);
  await context.close();
});

test.each([
  ['View', false],
  ['Operate', true],
] as const)('%s: states may be moved: %s, and what may not be done is refused', async (role, isAllowed) => {
  await set(usual());
  const person = await userOf(stage.installation.api, stage.sites.workspaceId, role);
  const { page, context } = await openRules(person);
  await page.locator('.rule-plot .busy').waitFor({ state: 'detached' });
  const before = await valueAt(page, 'HIGH WATER');
  await sliderOf(page, 'HIGH WATER').focus();
  await page.keyboard.press('ArrowUp');
  if (isAllowed) expect(await valueAt(page, 'HIGH WATER')).toBeGreaterThan(before);
  else expect(await valueAt(page, 'HIGH WATER')).toBe(before);
  expect(await fieldOf(page, 'HIGH WATER').isEnabled()).toBe(isAllowed);
  // Hysteresis is of those who configure.
  expect(await page.getByRole('region', { name: 'Hysteresis' }).getByRole('textbox').isEnabled()).toBe(false);
  expect(await page.getByRole('button', { name: 'Add a high state' }).count()).toBe(isAllowed ? 1 : 0);
  const states = { states: usual().states };
  const status = await changeBy({ page, context }, 'PUT', `/nodes/${stage.sites.levelId}`, states);
  expect(status === 403).toBe(!isAllowed);
  await context.close();
});

test.each([
  [360, 780],
  [1920, 1080],
])('at %s pixels everything has its place, in either scheme', async (width, height) => {
  await set(usual());
  const { page, context } = await openRules(stage.person, { viewport: { width, height } });
  await page.locator('.rule-plot .busy').waitFor({ state: 'detached' });
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    for (const [name, heading] of [
      ['states', 'States'],
      ['alarms', 'Alarms'],
      ['notified', 'Who is notified'],
    ] as const) {
      await page.getByRole('heading', { name: heading, level: 2 }).evaluate((element) => element.scrollIntoView());
      await picture(page, `console-rules-${name}-${width}-${scheme}`);
    }
  }
  await context.close();
});
