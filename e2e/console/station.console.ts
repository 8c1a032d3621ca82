// «Add a station» works as docs/station-guide.md describes it: by mouse in two languages, by keyboard alone, with foreign files and with
// what goes wrong.
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { type Opened, signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';
import {
  ENGLISH,
  GERMAN,
  makeStation,
  Newcomer,
  openWizard,
  settled,
  stationOf,
  text,
  toFile,
} from '../src/console/wizard.ts';

let stage: Stage;
let opened: Opened;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  opened = await signedIn(stage.browser, stage.installation.url, stage.person);
});
afterEach(async () => {
  await opened.context.close();
  expect(opened.problems).toEqual([]);
});
afterAll(() => stage?.close());

const REAL = path.join(import.meta.dirname, '../data/makers/campbell-toa5.dat');

test.each([
  ['en-GB', ENGLISH],
  ['de-DE', GERMAN],
])(
  'the guide by mouse, %s: from the start page to the first values, and what stands is what the file says',
  async (locale, words) => {
    const { installation, browser, person } = stage;
    const { page, context, problems } = await signedIn(browser, installation.url, person, { locale });
    const who = new Newcomer(page);
    const row = page.getByRole('treegrid').getByRole('row').filter({ hasText: 'Maryland rivers' }).first();
    await row.waitFor();
    await row.click({ button: 'right' });
    who.clicks += 1;
    await who.click(page.getByRole('menuitem', { name: words.add }));
    const name = `Mill ${locale}`;
    await who.type(page.getByLabel(words.name), name);
    await page.locator('.station-map .leaflet-container').waitFor();
    await who.click(page.getByRole('region', { name: words.mapLabel }).locator('.map-host'));
    await page.locator('.pin-dot').waitFor();
    await picture(page, `station-place-${locale}`);
    await who.click(page.getByRole('button', { name: words.next, exact: true }));
    await picture(page, `station-way-${locale}`);
    await who.click(page.getByRole('button', { name: new RegExp(`^${words.hand}`) }));
    await who.choose(page.getByRole('button', { name: words.choose }), REAL);
    await page.getByText(words.all).waitFor();
    await settled(page);
    await picture(page, `station-file-${locale}`);
    await who.click(page.getByRole('button', { name: words.next, exact: true }));
    await picture(page, `station-review-${locale}`);
    await who.click(page.getByRole('button', { name: words.make, exact: true }));
    await page.getByRole('heading', { name: words.arrived }).waitFor();
    await picture(page, `station-done-${locale}`);
    process.stdout.write(`the guide's path, ${locale}: ${who.clicks} clicks, ${who.fields} field\n`);
    expect(who.clicks + who.fields).toBeLessThanOrEqual(10);
    const made = await stationOf(installation.api, name);
    expect(made.place.currentValue).toHaveLength(2);
    const rows = (await readFile(REAL, 'utf8')).trim().split(/\r?\n/).slice(4);
    const [, labels] = (await readFile(REAL, 'utf8')).split(/\r?\n/);
    const series = labels!.split(',').map((label) => label.replaceAll('"', ''));
    const at = 2;
    expect(made.parameters.map((parameter) => parameter.series)).toContain(series[at]);
    const records = await made.records(series[at]!);
    expect(records.length).toBe(rows.length);
    expect(records.map(([, value]) => value)).toEqual(rows.map((line) => Number(line.split(',')[at])));
    expect(problems).toEqual([]);
    await context.close();
  },
);

test('semicolons and a decimal comma, with a name, a unit and a type corrected', async () => {
  const { page } = opened;
  const lines = ['Zeit;Pegel;Code', '01.07.2024 00:00;1,5;7', '13.07.2024 01:00;1.234,5;8', '13.07.2024 02:00;---;9'];
  await toFile(stage, page, 'Semicolons', text('pegel.csv', lines));
  await page.getByText('All 3 lines were read.').waitFor();
  await page.getByLabel('Name of Pegel').fill('Water level');
  await page.getByLabel('Unit of Pegel').fill('m');
  await page.getByLabel('Take Code').uncheck();
  await settled(page);
  await makeStation(page);
  const made = await stationOf(stage.installation.api, 'Semicolons');
  expect(made.parameters).toMatchObject([{ name: 'Water level', units: 'm', series: 'Pegel' }]);
  expect((await made.records('Pegel')).map(([, value]) => value)).toEqual([1.5, 1234.5]);
});

test('tabs, two lines of names and units, and words that mean no value', async () => {
  const { page } = opened;
  const lines = ['time\tTemp\tFlow', '\tdegC\tm3/s', '2024-07-01 00:00\t11.5\t-9999', '2024-07-01 00:10\t11.6\t2.5'];
  await toFile(stage, page, 'Tabs', text('tabs.txt', lines));
  await page.getByText('All 2 lines were read.').waitFor();
  expect(await page.getByLabel('Unit of Flow').inputValue()).toBe('m3/s');
  await page.getByText('How the file is parted').click();
  await page.getByLabel('Mean «no value»').fill('-9999');
  await page.getByLabel('Mean «no value»').press('Tab');
  await page.getByRole('cell', { name: '-9999' }).waitFor({ state: 'detached' });
  await settled(page);
  await makeStation(page);
  const made = await stationOf(stage.installation.api, 'Tabs');
  expect((await made.records('Flow')).map(([, value]) => value)).toEqual([2.5]);
  expect((await made.records('Temp')).map(([, value]) => value)).toEqual([11.5, 11.6]);
});

test('date and time in two columns, in the zone of the station; ISO times with a zone are taken as they are', async () => {
  const { page } = opened;
  const two = ['Date,Time,Level', '2024-07-13,00:00,1', '2024-07-13,00:10,2'];
  await openWizard(stage, page);
  await page.getByLabel('Name of the station').fill('Two columns');
  await page.getByLabel('Clock of the station').fill('Asia/Tokyo');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^A file from my computer/ }).click();
  const button = page.getByRole('button', { name: 'Choose a file' });
  await new Newcomer(page).choose(button, text('two.csv', two));
  await page.getByText('All 2 lines were read.').waitFor();
  await settled(page);
  await makeStation(page);
  const times = (await (await stationOf(stage.installation.api, 'Two columns')).records('Level')).map(([time]) => time);
  expect(times).toEqual(['2024-07-12T15:00:00.000Z', '2024-07-12T15:10:00.000Z']);
  const iso = ['when,Level', '2024-07-13T00:00:00+02:00,1', '2024-07-13T00:10:00+02:00,2'];
  await toFile(stage, page, 'Zoned', text('iso.csv', iso));
  await page.getByText('All 2 lines were read.').waitFor();
  await settled(page);
  await makeStation(page);
  const zoned = (await (await stationOf(stage.installation.api, 'Zoned')).records('Level')).map(([time]) => time);
  expect(zoned).toEqual(['2024-07-12T22:00:00.000Z', '2024-07-12T22:10:00.000Z']);
});

test('half of the rows are refused: each is named with its reason, and the rest is stored', async () => {
  const { page } = opened;
  const values = ['0', '1', '2', '3', 'dry', 'ice', 'x', 'y'];
  const lines = ['time,Level', ...values.map((value, n) => `2024-07-01 0${n}:00,${value}`)];
  await toFile(stage, page, 'Half', text('half.csv', lines));
  await page.getByText('lines were read').waitFor();
  await page.getByLabel('Type of Level').selectOption('NUMBER');
  await page.getByText('4 of 8 lines were read.').waitFor();
  await page.getByText('That is much').waitFor();
  await page.getByText("Line 6, Level: 'dry' is no number").waitFor();
  await settled(page);
  await makeStation(page);
  await page.getByText('4 lines were left out.').waitFor();
  expect(await (await stationOf(stage.installation.api, 'Half')).records('Level')).toHaveLength(4);
});

test('no table, an empty file and a wrong encoding are said in words, and nothing is made', async () => {
  const { page } = opened;
  const who = new Newcomer(page);
  await toFile(stage, page, 'Nothing', text('login.csv', ['<html><body>Please log in</body></html>']));
  await page.getByText('This cannot be read as a table of measurements.').waitFor();
  await page.getByText(/looks like a page in HTML/).waitFor();
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  const other = page.getByRole('button', { name: 'Another file' });
  await who.choose(other, { name: 'none.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) });
  await page.getByText('This file is empty.').waitFor();
  const latin = Buffer.from('time;T [\xb0C]\n2024-07-01 00:00;1,5\n2024-07-01 00:10;1,6\n', 'latin1');
  await who.choose(other, { name: 'latin.csv', mimeType: 'text/csv', buffer: latin });
  await page.getByText('All 2 lines were read.').waitFor();
  expect(await page.getByLabel(/^Unit of/).inputValue()).toBe('°C');
  await page.getByText('How the file is parted').click();
  await page.getByLabel('Encoding').selectOption('UTF-16LE');
  await page.getByText('This cannot be read as a table of measurements.').waitFor();
  await page.getByLabel('Encoding').selectOption('windows-1252');
  await page.getByText('All 2 lines were read.').waitFor();
  const { json } = await stage.installation.api.get('/nodes?filter=name($eq:Nothing)');
  expect(json).toEqual([]);
});

test('300 columns: all can be found, a file has 100, and one more is refused in words', async () => {
  const { page } = opened;
  const names = Array.from({ length: 300 }, (_, n) => `c${n + 1}`);
  const lines = [
    ['time', ...names].join(),
    ...[0, 1].map((h) => [`2024-07-01 0${h}:00`, ...names.map((_, n) => n)].join()),
  ];
  await toFile(stage, page, 'Wide', text('wide.csv', lines));
  await page.getByText('100 of 300 become parameters').waitFor();
  expect(await page.locator('.station-scroll li').count()).toBeLessThan(40);
  await page.getByLabel('Find a column').fill('c300');
  await page.getByLabel('Take c300').check();
  await page.getByText('A file may have 100 parameters').first().waitFor();
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  await settled(page);
  await page.getByLabel('Find a column').fill('c1');
  await page.getByLabel('Take c1', { exact: true }).uncheck();
  await page.getByText('100 of 300 become parameters').waitFor();
  await settled(page);
  await makeStation(page);
  const { parameters } = await stationOf(stage.installation.api, 'Wide');
  expect(parameters).toHaveLength(100);
  expect(parameters.map(({ series }) => series)).toContain('c300');
});

test('100 MB: only its beginning is looked at, which is said; all of it is read when the station is made', async () => {
  const { page } = opened;
  const folder = await mkdtemp(path.join(tmpdir(), 'catchment-wizard-'));
  const file = path.join(folder, 'large.csv');
  const handle = await open(file, 'w');
  await handle.write('time,Level,Remark\n');
  // A few records have long remarks: the size is what matters here.
  const remark = 'x'.repeat(9_980);
  let all = '';
  for (let n = 0; n < 10_600; n += 1) {
    all += `${new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString()},${n},${remark}\n`;
    if (n % 500 === 499) {
      await handle.write(all);
      all = '';
    }
  }
  await handle.write(all);
  await handle.close();
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().includes('/parser/preview')) sent = Math.max(sent, request.postDataBuffer()?.length ?? 0);
  });
  await toFile(stage, page, 'Large', file);
  await page.getByText(/The first 524\skB of 10\d\sMB are shown here/).waitFor();
  await page.getByText(/^All \d+ lines were read\./).waitFor();
  expect(sent).toBeLessThan(1_000_000);
  await settled(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Make the station' }).click();
  await page.getByText('10,600 records are in.').waitFor();
  await rm(folder, { recursive: true });
});

test('a source that is refused: what stands is said, corrected it goes on, and nothing is made twice', async () => {
  const { page } = opened;
  const { api } = stage.installation;
  await openWizard(stage, page);
  await page.getByLabel('Name of the station').fill('Refused');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^Campbell logger with an address/ }).click();
  await page.getByLabel('Server or address').fill('192.0.2.1');
  await page.getByLabel('Port').fill('6785');
  await page.getByLabel('PakBus address').fill('5000');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Make the station' }).click();
  await page.getByText('The source could not be made:').waitFor();
  await page.getByText(/pakBusAddress/).waitFor();
  await page.getByText('This stands: The place.').waitFor();
  await page.getByRole('link', { name: 'Connection' }).click();
  await page.getByLabel('PakBus address').fill('50');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('«Refused» is ready').waitFor();
  const { json: places } = await api.get(`/nodes?filter=name($eq:Refused),_class($eq:${MODEL}.location.Location)`);
  expect(places).toHaveLength(1);
  const { source } = await stationOf(api, 'Refused');
  expect(source).toMatchObject({ pakBusAddress: 50, currentStatus: expect.any(String) });
});

test('the network goes while it is made: it goes on where it was, or all of it is taken back', async () => {
  const { page } = opened;
  const { api } = stage.installation;
  await toFile(stage, page, 'Cut off', text('cut.csv', ['time,Level', '2024-07-01 00:00,1', '2024-07-01 00:10,2']));
  await page.getByText('All 2 lines were read.').waitFor();
  await settled(page);
  await page.getByRole('button', { name: 'Next' }).click();
  const breakAt = (what: RegExp) =>
    page.route(what, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await breakAt(/\/import$/);
  await page.getByRole('button', { name: 'Make the station' }).click();
  await page.getByText('The records of the file could not be made:').waitFor({ timeout: 60_000 });
  await page.getByText('This stands: The place, The source, Its parameters.').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Take back what was made' }).click();
  await page.getByText('All of it is removed.').waitFor();
  expect((await api.get('/nodes?filter=name($eq:Cut%20off)')).json).toEqual([]);
  await page.getByRole('button', { name: 'Make the station' }).click();
  await page.getByRole('heading', { name: 'The first data have arrived' }).waitFor();
  expect(await (await stationOf(api, 'Cut off')).records('Level')).toHaveLength(2);
});

test('an upload shows what to type, and the first values appear as they come; another file stays the next one', async () => {
  const { page } = opened;
  await openWizard(stage, page);
  await page.getByLabel('Name of the station').fill('Pushed');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^Upload by HTTP/ }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Make the station' }).click();
  await page.getByText('Waiting for the first data').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy Address' }).click();
  const address = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const sent = await fetch(`${address}?name=gate.csv`, {
    method: 'POST',
    body: 'time;opening (cm)\n2026-05-01 06:00;12\n2026-05-01 07:00;14,5\n',
  });
  expect(sent.status).toBe(202);
  await page.getByRole('heading', { name: 'The first data have arrived' }).waitFor();
  await page.getByText('14.5 cm').waitFor();
});

const REGISTERS = 'Level; HOLDING; 0; FLOAT32; m';
test.each<[RegExp, Readonly<Record<string, string>>, readonly string[]]>([
  [/^Upload by FTP/, { Password: 'correct horse 7' }, ['Server', 'Port', 'User', 'Password']],
  [/^Upload by SFTP/, { Password: 'correct horse 7' }, ['Server', 'Port', 'User', 'Password']],
  [/^E-mail/, {}, ['Address']],
  [/^SMS/, {}, ['Text of the SMS']],
  [/^MQTT/, {}, ['Server', 'Port', 'User', 'Topic', 'A message']],
  [/^LoRaWAN/, {}, ['Address']],
  [/^A program of my own/, {}, ['Address', 'Header', 'A message']],
  [/^Fetch from the web/, { 'Web address of the file': 'http://files.invalid/a.csv' }, []],
  [/^Fetch by SFTP/, { 'Server or address': 'files.invalid', User: 'jo', Password: 'correct horse 7' }, []],
  [/^Fetch from S3/, { Bucket: 'data', 'Access key': 'AK', 'Secret key': 'correct horse 7' }, []],
  [/^Scout modem/, {}, ['Server', 'Port', 'Key of the modem', 'Secret of the modem']],
  [
    /^Campbell logger that calls in/,
    { 'Number with which': '356938035643809' },
    ['Server', 'Port', 'First line that it sends'],
  ],
  [/^Modbus TCP/, { 'Server or address': '192.0.2.1', Port: '502', Registers: REGISTERS }, []],
  [/^WaterLOG/, {}, ['Server', 'Port', 'Id of the station']],
  [/^Waspmote/, {}, ['Server', 'Port', 'Id of the station']],
  [/^SensorLog/, {}, ['Address', 'Id of the station']],
])('what to type for %s', async (way, fields, lines) => {
  const { page } = opened;
  await openWizard(stage, page);
  await page.getByLabel('Name of the station').fill(`Typed ${String(way).replace(/\W/g, '')}`);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: way }).click();
  const make = page.getByRole('button', { name: 'Make the station' });
  const step = page.locator('.station-step h2');
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).first().fill(value);
  await page.getByRole('heading', { name: /^(?:Connection|File and columns|Look and make)/ }).waitFor();
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await next.or(make).first().waitFor();
  while (!(await make.isVisible())) {
    // The address changes before the page does.
    const before = await step.textContent();
    await next.click();
    await until(async () => (await step.textContent()) !== before);
    await next.or(make).first().waitFor();
  }
  await make.click();
  await page.getByText(/is ready$/).waitFor();
  expect(await page.locator('.station-lines dt').allInnerTexts()).toEqual(lines);
  for (const value of await page.locator('.station-lines code').allInnerTexts())
    expect(value).not.toMatch(/undefined|null|^$/);
});

test('a double click goes one step on, and a change of the layout is not lost by going on at once', async () => {
  const { page } = opened;
  await openWizard(stage, page);
  await page.getByLabel('Name of the station').fill('Twice');
  await page.getByRole('button', { name: 'Next' }).dblclick();
  await page.getByRole('heading', { name: 'How data come' }).waitFor();
  await page.getByRole('button', { name: /^A file from my computer/ }).click();
  const lines = ['time;Level', '2024-07-01 00:00;1,5', '2024-07-01 00:10;1,25'];
  await new Newcomer(page).choose(page.getByRole('button', { name: 'Choose a file' }), text('twice.csv', lines));
  await page.getByText('All 2 lines were read.').waitFor();
  await page.getByText('How the file is parted').click();
  await page.getByLabel('Encoding').selectOption('UTF-16LE');
  await page.getByText('Still missing: a file that can be read').waitFor();
  await page.getByLabel('Encoding').selectOption('UTF-8');
  await page.getByLabel('Mean «no value»').fill('1,25');
  await page.getByLabel('Mean «no value»').press('Tab');
  await page.getByRole('button', { name: 'Next' }).dblclick();
  await page.getByRole('heading', { name: 'Look and make' }).waitFor();
  expect(await page.getByRole('button', { name: 'Make the station' }).getAttribute('aria-busy')).toBeNull();
  await page.goBack();
  await page.getByRole('heading', { name: 'File and columns' }).waitFor();
  await page.goForward();
  await page.getByRole('button', { name: 'Make the station' }).dblclick();
  await page.getByRole('heading', { name: 'The first data have arrived' }).waitFor();
  const records = await (await stationOf(stage.installation.api, 'Twice')).records('Level');
  expect(records.map(([, value]) => value)).toEqual([1.5]);
  const places = `/nodes?filter=name($eq:Twice),_class($eq:${MODEL}.location.Location)`;
  expect((await stage.installation.api.get(places)).json).toHaveLength(1);
});

test('from a template: the station is an instance of it', async () => {
  const { page } = opened;
  const { api } = stage.installation;
  const templates = await api.create({ _class: `${MODEL}.Templates` });
  const gauge = await api.create({ _class: `${MODEL}.location.Location`, name: 'Gauge type', parentId: templates._id });
  await openWizard(stage, page);
  await page.getByLabel('Name of the station').fill('Bridge');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^From a template/ }).click();
  await page.getByRole('button', { name: 'Gauge type' }).click();
  await page.getByRole('button', { name: 'Make the station' }).click();
  await page.getByText('«Bridge» is ready').waitFor();
  expect((await api.get('/nodes?filter=name($eq:Bridge)')).json).toMatchObject([{ templateId: gauge._id }]);
});

test('what was typed survives a reload; the file is asked for again, and what was corrected stays', async () => {
  const { page } = opened;
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'catchment-wizard-')), 'kept.csv');
  const handle = await open(file, 'w');
  await handle.write('time,Level\n2024-07-01 00:00,1\n2024-07-01 00:10,2\n');
  await handle.close();
  await toFile(stage, page, 'Kept', file);
  await page.getByText('All 2 lines were read.').waitFor();
  await page.getByLabel('Name of Level').fill('Stage');
  await page.reload();
  await page.getByText('The page was loaded again, and does not have «kept.csv» any more.').waitFor();
  await new Newcomer(page).choose(page.getByRole('button', { name: 'Choose a file' }), file);
  await page.getByText('All 2 lines were read.').waitFor();
  expect(await page.getByLabel('Name of Level').inputValue()).toBe('Stage');
  await page.goBack();
  await page.getByRole('heading', { name: 'How data come' }).waitFor();
  await page.goBack();
  expect(await page.getByLabel('Name of the station').inputValue()).toBe('Kept');
  await rm(path.dirname(file), { recursive: true });
});

test('by keyboard alone: from the palette to the first values', async () => {
  const { page } = opened;
  const tabTo = async (name: RegExp) => {
    for (let n = 0; n < 60; n += 1) {
      const at = await page.evaluate<string>(
        `(() => { const e = document.activeElement; return e.getAttribute('aria-label') || (e.labels && e.labels[0] ? e.labels[0].innerText : '') || e.innerText || ''; })()`,
      );
      if (name.test(at.trim())) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`${name} was not reached`);
  };
  await page.keyboard.press('Control+k');
  await page.keyboard.type('add a st');
  await page.getByRole('option', { name: 'Add a station' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Name of the station').waitFor();
  await page.getByText('Maryland rivers').last().waitFor();
  await tabTo(/^Name of the station/);
  await page.keyboard.type('By keys');
  await tabTo(/^Latitude/);
  await page.keyboard.type('39,31');
  await tabTo(/^Longitude/);
  await page.keyboard.type('-76.7');
  await tabTo(/^Next/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'How data come' }).waitFor();
  await tabTo(/^A file from my computer/);
  // A heading that took the focus after it is seen would take it from what the next Tab has reached.
  await page.evaluate(`globalThis.steps = {};
    new MutationObserver(() => {
      const heading = document.querySelector('.station-step h2');
      if (heading) steps[heading.firstChild.data] ??= document.activeElement === heading;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });`);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'File and columns' }).waitFor();
  expect(await page.evaluate('steps')).toMatchObject({ 'File and columns': true });
  await tabTo(/^Choose a file/);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles(REAL);
  await page.getByText('lines were read').waitFor();
  await settled(page);
  await tabTo(/^Next/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Look and make' }).waitFor();
  await tabTo(/^Make the station/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The first data have arrived' }).waitFor();
  expect((await stationOf(stage.installation.api, 'By keys')).place.currentValue).toEqual([39.31, -76.7]);
});

test('who may not configure is not offered it, and sees why at the first step', async () => {
  const { browser, installation, sites } = stage;
  const person = await userOf(installation.api, sites.workspaceId, 'View');
  const { page, context, problems } = await signedIn(browser, installation.url, person);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('add a st');
  await page.getByText('Nothing is called «add a st».').waitFor();
  await page.keyboard.press('Escape');
  await openWizard(stage, page);
  await page.getByText('You may not add stations.').waitFor();
  expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
  expect(problems).toEqual([]);
  await context.close();
});

const LOOKS = [360, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
test.each(LOOKS)('axe finds nothing in any step: $colorScheme, $width px', async ({ width, colorScheme }) => {
  const { browser, installation, person } = stage;
  const { page, context, problems } = await signedIn(browser, installation.url, person, {
    viewport: { width, height: 820 },
    colorScheme,
  });
  const look = async (page: Page, name: string) => {
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await picture(page, `station-${name}-${width}-${colorScheme}`);
    expect([name, await violations(page)]).toEqual([name, []]);
  };
  await openWizard(stage, page);
  await page.getByLabel('Name of the station').fill(`Look ${width} ${colorScheme}`);
  await look(page, 'place');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: /^Fetch by FTP/ }).waitFor();
  await look(page, 'way');
  await page.getByRole('button', { name: /^Fetch by FTP/ }).click();
  await page.getByLabel('Server or address').waitFor();
  await look(page, 'connection');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: /^A file from my computer/ }).click();
  const lines = ['time,Level,Note', '2024-07-01 00:00,1,a', 'soon,2,b', '2024-07-01 00:20,x,c', '2024-07-01 00:30,4,d'];
  await new Newcomer(page).choose(page.getByRole('button', { name: 'Choose a file' }), text('look.csv', lines));
  await page.getByText('lines were read').waitFor();
  await page.getByText('How the file is parted').click();
  await settled(page);
  await look(page, 'file');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Make the station' }).waitFor();
  await look(page, 'review');
  await page.getByRole('button', { name: 'Make the station' }).click();
  await page.getByRole('heading', { name: 'The first data have arrived' }).waitFor();
  await look(page, 'done');
  expect(problems).toEqual([]);
  await context.close();
});
