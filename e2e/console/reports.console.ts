// A report goes from nothing to a mailed PDF, by mouse and by keyboard alone; what is wrong with it is said where it is; two people edit
// one.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type TestMailServer, testMailServer, until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn, userOf } from '../src/console/people.ts';
import { writeLevel } from '../src/console/sites.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

/** An answer that has not come by then does not come. */
const HANGS = { timeout: 60_000 };

let stage: Stage;
let mailServer: TestMailServer;
beforeAll(async () => {
  mailServer = await testMailServer();
  const env = { SMTP_URL: mailServer.url, SMTP_TLS: 'off', SMTP_FROM: 'Catchment <catchment@example.org>' };
  stage = await openStage({ env });
  await writeLevel(stage.installation.api, stage.sites, 2.4);
});
afterAll(async () => {
  await stage?.close();
  await mailServer?.close();
});

type Block = { _id: string; type: string; x: number; y: number; width: number; content?: string };
type Report = { name: string; template: { elements: Block[] }; schedule: object | null; links: { name: string }[] };
const api = () => stage.installation.api;
const reportOf = async (id: string) => (await api().get(`/nodes/${id}`)).json as Report;
const newReport = async (name: string, elements: object[] = [], more: object = {}): Promise<string> =>
  (
    await api().create({
      _class: `${MODEL}.Report`,
      parentId: stage.sites.workspaceId,
      name,
      template: { elements },
      ...more,
    })
  )._id;
const text = (y: number, content: string) => ({ type: 'TEXT', x: 40, y, width: 400, content });

async function open(path: string, options: Parameters<typeof signedIn>[3] = {}) {
  return signedIn(stage.browser, stage.installation.url, stage.person, {
    viewport: { width: 1440, height: 1000 },
    ...options,
    next: `/a/${stage.person.slug}/${path}`,
  });
}
const paper = (id: string, options: Parameters<typeof open>[1] = {}) => open(`report/${id}/paper`, options);
const idIn = (page: Page) => /\/report\/(\w+)\//.exec(page.url())![1]!;
const blockOf = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: 'Paper with its blocks' }).getByRole('button', { name });
const printed = (page: Page, number = 1) => page.getByRole('img', { name: `Page ${number} as it is printed` });
const save = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('All is saved').waitFor();
};
async function find(page: Page, words: string, name: RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox').fill(words);
  await page.getByRole('dialog').getByRole('option', { name }).first().click();
}
async function add(page: Page, type: RegExp, words?: string, name?: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Add a block' }).click();
  await page.getByRole('dialog').getByRole('button', { name: type }).click();
  if (words !== undefined && name !== undefined) await find(page, words, name);
}
/** Takes what is offered by Enter, which is a new line as long as the list has only just come. */
async function take(page: Page, name: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Text', exact: true });
  for (;;) {
    await page.getByRole('option', { name }).first().waitFor();
    await page.keyboard.press('Enter');
    if ((await field.textContent())?.includes(name)) return;
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+Space');
  }
}
/** Reads the text of a PDF, as another program reads it. */
async function textOf(pdf: Uint8Array): Promise<string> {
  const run = promisify(execFile)('pdftotext', ['-layout', '-', '-']);
  run.child.stdin!.end(pdf);
  return (await run).stdout;
}
const mailOf = (name: string) =>
  until(() => mailServer.mails.find(({ attachments }) => attachments[0]?.fileName === `${name}.pdf`), {
    what: `mail with ${name}`,
    deadlineMs: HANGS.timeout,
  });

test('by mouse: a report from nothing, with a value and a chart, moved, printed beside, scheduled, sent, and its PDF read', async () => {
  const { page, context, problems } = await open('reports');
  await page.getByRole('button', { name: 'New report' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('River today');
  await find(page, 'Maryland', /Maryland rivers/);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('The paper is empty').waitFor();
  await printed(page).waitFor(HANGS);

  await add(page, /^Text/, 'Gage height', /^Gage height/);
  await blockOf(page, /^Gage height: /).waitFor();
  await page.getByRole('button', { name: 'Close settings' }).click();
  await add(page, /^Picture or chart/, 'Gage height', /^Gage height/);
  await page.getByRole('button', { name: 'Close settings' }).click();
  // The mouse drags it by its middle, 100 pixels down.
  const chart = blockOf(page, /Gage_height\.image/);
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 90, { steps: 5 });
  await page.mouse.move(box.x + box.width / 2, box.y + 140, { steps: 5 });
  await page.mouse.up();
  await page.getByText('1 page', { exact: true }).waitFor(HANGS);
  await picture(page, 'console-report');
  expect(await violations(page)).toEqual([]);
  await save(page);
  const id = idIn(page);
  const saved = await reportOf(id);
  expect(saved.links).toMatchObject([{ name: 'Gage_height' }]);
  expect(saved.template.elements.map(({ type }) => type)).toEqual(['TEXT', 'IMAGE']);
  expect(saved.template.elements[1]!.y).toBeGreaterThan(80);

  await page.getByRole('link', { name: 'Schedule and people' }).click();
  await page.getByRole('switch', { name: 'Make and send it by itself' }).check();
  await page.getByLabel('On days of the week').check();
  await page.getByLabel('Time zone of the report').fill('Europe/Berlin');
  await page.getByText(/^Every Monday at 06:00 \(Europe\/Berlin\)/).waitFor();
  await page.getByText('UTC+', { exact: false }).first().waitFor();
  await save(page);
  expect((await reportOf(id)).schedule).toEqual({ enabled: true, type: 'WEEKLY', days: ['MON'], time: '06:00' });
  await page.getByRole('button', { name: 'Send it to me' }).click();
  await page.getByRole('button', { name: 'Make it now and send it to 1 person' }).click();
  await page.getByText(`Sent to ${stage.person.email}`).waitFor(HANGS);
  await picture(page, 'console-report-sending');
  expect(await violations(page)).toEqual([]);
  const mail = await mailOf('River today');
  expect(mail.to).toEqual([stage.person.email]);
  expect(await textOf(mail.attachments[0]!.bytes)).toContain('Gage height: 2.40');
  expect(problems).toEqual([]);
  await context.close();
});

test('by keyboard alone: a report from nothing, a block moved by arrows, an expression completed, saved, sent, and its PDF read', async () => {
  const { page, context, problems } = await open('reports');
  const { keyboard } = page;
  await page.getByRole('button', { name: 'New report' }).first().focus();
  await keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await keyboard.type('By keys');
  await keyboard.press('Tab');
  await keyboard.type('Maryland');
  await page
    .getByRole('option', { name: /^Maryland rivers/ })
    .first()
    .waitFor();
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Create' }).focus();
  await keyboard.press('Enter');
  await page.getByText('The paper is empty').waitFor();
  await page.getByRole('button', { name: 'Add a block' }).focus();
  await keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: /^Text/ }).focus();
  await keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await keyboard.type('Gage height');
  await page
    .getByRole('option', { name: /^Gage height/ })
    .first()
    .waitFor();
  await keyboard.press('Enter');
  // Its settings have the focus; the text field is the next stop but one.
  const field = page.getByRole('textbox', { name: 'Text', exact: true });
  await field.focus();
  await keyboard.press('Control+A');
  await keyboard.type('Now {{ Gage_');
  await take(page, 'Gage_height');
  await keyboard.type('.currentValueF');
  await take(page, 'currentValueFormatted');
  await blockOf(page, /^Now \{\{ Gage_height\.currentValueFormatted/).waitFor();
  await page.getByRole('button', { name: 'Close settings' }).focus();
  await keyboard.press('Enter');
  const block = blockOf(page, /^Now/);
  await block.focus();
  for (let n = 0; n < 4; n += 1) await keyboard.press('ArrowDown');
  await keyboard.press('Shift+ArrowLeft');
  await blockOf(page, /20 from above$/).waitFor();
  await keyboard.press('Control+s');
  await page.getByText('All is saved').waitFor();
  const id = idIn(page);
  const [first] = (await reportOf(id)).template.elements;
  expect(first).toMatchObject({ y: 20, content: 'Now {{ Gage_height.currentValueFormatted}}' });
  await page.getByRole('link', { name: 'Schedule and people' }).focus();
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send it to me' }).focus();
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Make it now and send it to 1 person' }).focus();
  await keyboard.press('Enter');
  await page.getByText(`Sent to ${stage.person.email}`).waitFor(HANGS);
  expect(await textOf((await mailOf('By keys')).attachments[0]!.bytes)).toContain('Now 2.40');
  expect(problems).toEqual([]);
  await context.close();
});

test('on a phone and by finger: a block is chosen by a tap, then moved by a touch', async () => {
  const id = await newReport('By finger', [text(0, 'First'), text(60, 'Second')]);
  const { page, context } = await paper(id, { viewport: { width: 390, height: 844 }, hasTouch: true });
  const block = blockOf(page, /^Second/);
  await block.tap();
  await page.getByRole('button', { name: 'Close settings' }).waitFor();
  await block.scrollIntoViewIfNeeded();
  const box = (await block.boundingBox())!;
  const touch = await context.newCDPSession(page);
  const [x, y] = [box.x + 30, box.y + box.height / 2];
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', dy: number) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + dy }] });
  await send('touchStart', 0);
  for (const dy of [20, 40, 60]) await send('touchMove', dy);
  await send('touchEnd', 60);
  await page.getByText('1 change is not saved').waitFor();
  await save(page);
  expect((await reportOf(id)).template.elements[1]!.y).toBeGreaterThan(100);
  await picture(page, 'console-report-phone');
  expect(await violations(page)).toEqual([]);
  await context.close();
});

test('German: the editor speaks it, and says in a sentence when a report is made', async () => {
  const id = await newReport('Wochenbericht', [text(0, 'Pegel')], {
    schedule: { type: 'MONTHLY', days: [1, 31], time: '07:30' },
  });
  const { page, context } = await open(`report/${id}/sending`, { locale: 'de-DE' });
  await page.getByText('Jeden Monat am Tag 1 und 31 um 07:30 (Etc/UTC)').waitFor();
  await page.getByRole('heading', { name: 'Die nächsten Male' }).waitFor();
  await page.getByRole('link', { name: 'Papier' }).click();
  await page.getByRole('button', { name: 'Block hinzufügen' }).waitFor();
  await page.getByText('1 Seite', { exact: true }).waitFor(HANGS);
  await context.close();
});

test('what is wrong is said at its place: an expression, a node that is gone, a report that is too long, a schedule that never runs', async () => {
  const { _id: gone } = await api().create({
    _class: `${MODEL}.Report`,
    parentId: stage.sites.workspaceId,
    name: 'Short-lived',
  });
  const id = await newReport('Wrong', [text(0, 'Fine'), text(40, '{{ Fine | shout }}')], { links: [{ nodeId: gone }] });
  await api().delete(`/nodes/${gone}`);
  const { page, context } = await paper(id);
  await page.getByRole('heading', { name: 'One thing cannot be printed' }).waitFor(HANGS);
  await page.getByRole('button', { name: /undefined filter: shout/ }).click();
  const panel = page.getByRole('region', { name: /^Settings of/ });
  await panel
    .getByText(/undefined filter: shout/)
    .first()
    .waitFor();
  await picture(page, 'console-report-wrong');
  await page.getByText('Nodes of this report (1)').click();
  await page.getByText(/A node that is gone/).waitFor();

  // There are some 520 pages: the most is said.
  const breaks = Array.from({ length: 485 }, (_one, n) => ({ type: 'PAGE_BREAK', x: 0, y: 8 * n + 1 }));
  const long = await newReport('Long', [...breaks, text(3_900, 'Line\n'.repeat(1_900))]);
  await page.goto(`${stage.installation.url}/a/${stage.person.slug}/report/${long}/paper`);
  await page
    .getByText(/500 pages/)
    .first()
    .waitFor(HANGS);

  await page.goto(`${stage.installation.url}/a/${stage.person.slug}/report/${id}/sending`);
  await page.getByRole('switch', { name: 'Make and send it by itself' }).check();
  await page.getByLabel('On days of the week').check();
  await page.getByRole('checkbox', { name: 'Mon' }).uncheck();
  await page.getByText('On no day: it never runs. Choose one.').waitFor();
  await page.getByText('It cannot be saved like this, and would not run.').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page
    .getByText(/must be days from MON to SUN/)
    .first()
    .waitFor();
  // A reload loses nothing of it.
  await page.reload();
  await page.getByText('On no day: it never runs. Choose one.').waitFor();
  await context.close();
});

test('two people at one report: other blocks are taken over, the same block is settled, and nothing is lost', async () => {
  const id = await newReport('Together', [text(0, 'One'), text(40, 'Two')]);
  const { page, context } = await paper(id);
  await blockOf(page, /^One/).click();
  await page.getByRole('spinbutton', { name: 'From above' }).fill('10');
  await page.getByRole('spinbutton', { name: 'From above' }).press('Tab');
  await page.getByText('1 change is not saved').waitFor();
  const { template } = await reportOf(id);
  const [first, second] = template.elements as [Block, Block];
  await api().put(`/nodes/${id}`, { template: { ...template, elements: [first, { ...second, content: 'Zwei' }] } });
  await blockOf(page, /^Zwei/).waitFor(HANGS);
  await api().put(`/nodes/${id}`, {
    template: {
      ...template,
      elements: [
        { ...first, y: 200 },
        { ...second, content: 'Zwei' },
      ],
    },
  });
  await page.getByRole('button', { name: /mine/i }).first().click(HANGS);
  await save(page);
  expect((await reportOf(id)).template.elements).toMatchObject([{ y: 10 }, { content: 'Zwei' }]);
  await context.close();
});

test('a public link opens the PDF for a stranger, and nothing any more once it is off', async () => {
  const id = await newReport('For all', [text(0, 'Open to all')]);
  const { page, context } = await paper(id);
  await page.getByRole('button', { name: 'Public link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Public link' });
  await dialog.getByRole('switch').check();
  const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
  const answer = await fetch(link);
  expect(answer.headers.get('content-type')).toBe('application/pdf');
  expect(await textOf(new Uint8Array(await answer.arrayBuffer()))).toContain('Open to all');
  await dialog.getByRole('switch').uncheck();
  await dialog.getByRole('textbox', { name: 'Link' }).waitFor({ state: 'detached' });
  await until(async () => (await fetch(link)).status === 403, { what: 'end of the link' });
  await context.close();
});

test('by keys alone somebody is subscribed: arrows only choose, and a button does it', async () => {
  const id = await newReport('For others');
  const reader = await userOf(api(), stage.sites.workspaceId, 'View');
  const { page, context, problems } = await open(`report/${id}/sending`);
  const people = page.getByRole('region', { name: 'Who gets it' });
  await people.getByRole('button', { name: 'Send it to others' }).focus();
  await page.keyboard.press('Enter');
  const choice = people.getByRole('combobox');
  await choice.getByRole('option', { name: reader.email }).waitFor({ state: 'attached' });
  expect(await choice.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  while (!(await choice.inputValue()).includes(reader.email)) await page.keyboard.press('ArrowDown');
  expect((await api().get(`/nodes/${id}/notifications`)).text).not.toContain(reader.email);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await people.getByText(reader.email).first().waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('German: at its field a refusal does not name the attribute of the API', async () => {
  const id = await newReport('Ohne Uhrzeit', [], { schedule: { type: 'DAILY', days: [], time: '06:30' } });
  const { page, context } = await open(`report/${id}/sending`, { locale: 'de-DE' });
  await page.getByLabel('Uhrzeit', { exact: true }).fill('');
  await page.getByText('Der Server schreibt: must be a time').waitFor();
  await context.close();
});
