// Devices work as docs/devices-guide.md describes them, with modems that really connect: by mouse, by keys alone, on a phone, with bad
// input and what others do meanwhile.
import { connect, type Socket } from 'node:net';
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Page } from 'playwright-core';
import { MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn, userOf } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
const IMEI = '490154203237518';
let free = { deviceKey: '', _id: '' };
let busy = { deviceKey: '', _id: '', sourceId: '' };

type Answer = Readonly<Record<string, unknown>>;

/** Makes a modem that is connected, confirms nothing by itself, and keeps what it is sent. */
async function modem(ident: object, answer: (message: Answer) => object | undefined = () => undefined) {
  const socket: Socket = connect(await stage.installation.listener('scout'), '127.0.0.1');
  const heard: Answer[] = [];
  let rest = '';
  socket.on('error', () => {});
  const send = (message: object) => void socket.write(`${JSON.stringify(message)}\n`);
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString()).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const message = JSON.parse(line) as Answer;
      heard.push(message);
      const reply = answer(message);
      if (reply) send(reply);
    }
  });
  send({ type: 'ident', ...ident });
  return { heard, send, close: () => socket.destroy() };
}

async function makeDevice(name: string, more: object = {}) {
  const { api } = stage.installation;
  const { workspaceId, locations } = stage.sites;
  const { deviceKey, _id } = (
    await api.post('/devices', { _class: 'io.svc.models.device.ScoutDevice', workspaceId, secret: null, ...more })
  ).json;
  if (name === '') return { deviceKey, _id, sourceId: '' };
  const transport = { _class: `${MODEL}.transport.Scout`, deviceId: deviceKey };
  const source = await api.create({ _class: `${MODEL}.source.data.Jts`, parentId: locations.deadRun, name, transport });
  await until(async () => (await api.get(`/devices/${_id}`)).json.datasourceId === source._id);
  return { deviceKey, _id, sourceId: source._id };
}

const address = (path: string) => ({ next: `/a/${stage.person.slug}/${path}` });
const open = (path: string, options = {}) =>
  signedIn(stage.browser, stage.installation.url, stage.person, { ...address(path), ...options });
const row = (page: Page, text: string) =>
  page.getByRole('grid', { name: 'Devices' }).getByRole('row').filter({ hasText: text });

beforeAll(async () => {
  stage = await openStage({ args: ['--no-demo'] });
  busy = await makeDevice('Modem of the weir');
  free = await makeDevice('');
});
afterAll(() => stage?.close());

test('who connects is seen at once, with its signal; its messages come by themselves, and wait while they are paused', async () => {
  const { page, context, problems } = await open('devices/list');
  await row(page, busy.deviceKey).getByText('Not connected').waitFor();
  const own = await modem({ deviceKey: busy.deviceKey, software: { appVersion: '2.1.0' } });
  await row(page, busy.deviceKey).getByText('Connected', { exact: true }).waitFor();
  await row(page, busy.deviceKey).getByRole('link', { name: busy.deviceKey }).click();
  await page.getByRole('heading', { name: busy.deviceKey }).waitFor();
  // Its parameters are made while the page is open.
  own.send({ type: 'status', signal: -71, battery: 88 });
  const messages = page.getByRole('grid', { name: 'Messages as they come' });
  await messages.getByText('Signal: -71 dBm').first().waitFor();
  await page.getByRole('region', { name: 'Software' }).getByText('2.1.0').waitFor();
  await page.getByRole('region', { name: 'Contact' }).getByText('88 %').waitFor();
  await messages.getByText('Processed 1 records').first().waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  own.send({ type: 'status', signal: -64 });
  // The status shows what becomes of it.
  await page.getByText(/^Paused; \d+ ha(?:s|ve) come meanwhile\.$/).waitFor();
  expect(await messages.getByText('Signal: -64 dBm').count()).toBe(0);
  await page.getByRole('button', { name: 'Go on' }).click();
  await messages.getByText('Signal: -64 dBm').first().waitFor();
  own.close();
  await page.getByText('Not connected').first().waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a configuration waits, is sent, and is confirmed; one that the modem refuses says why', async () => {
  const { page, context, problems } = await open(`devices/${busy._id}`);
  const card = page.getByRole('region', { name: 'Configuration', exact: true }).first();
  await card.getByText('Waits for the next connection').waitFor();
  let answers = false;
  let refuses = false;
  const own = await modem({ deviceKey: busy.deviceKey }, ({ type, revision }) => {
    if (type !== 'config' || !answers) return undefined;
    return refuses ? { type: 'nack', revision, message: 'UART1 is broken' } : { type: 'ack', revision };
  });
  await card.getByText('Sent, not confirmed yet').waitFor();
  answers = true;
  await until(() => own.heard.some(({ type }) => type === 'config'));
  const { revision } = own.heard.findLast(({ type }) => type === 'config')!;
  own.send({ type: 'ack', revision });
  await card.getByText('Confirmed', { exact: true }).waitFor();
  refuses = true;
  await card.locator('summary').first().click();
  await card.getByLabel('Log level').selectOption('DEBUG');
  await picture(page, 'console-devices-configuration');
  await card.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Refused by the device').waitFor();
  await card.getByText('UART1 is broken').waitFor();
  expect((await stage.installation.api.get(`/devices/${busy._id}`)).json.config.logLevel).toBe('DEBUG');
  own.close();
  expect(problems).toEqual([]);
  await context.close();
});

test('a number that is no IMEI, and one that a colleague has taken meanwhile, are said at their field; nothing typed is lost', async () => {
  const { page, context, problems } = await open('devices/list');
  await page.getByRole('button', { name: 'Add a device' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('IMEI').fill('4901-5420');
  await dialog.getByLabel('Phone number').fill('+45 (12) 34 56 78');
  await dialog.getByRole('button', { name: 'Add a device' }).click();
  await dialog.getByText('An IMEI has 15 digits; these are 8.').waitFor();
  expect(await dialog.getByLabel('IMEI').getAttribute('aria-invalid')).toBe('true');
  // A colleague is faster.
  const { api } = stage.installation;
  const taken = await api.post('/devices', { workspaceId: stage.sites.workspaceId, deviceKey: IMEI });
  await dialog.getByLabel('IMEI').fill(IMEI);
  await dialog.getByRole('button', { name: 'Add a device' }).click();
  await dialog.getByText('must be unique in the account').waitFor();
  expect(await dialog.getByLabel('Phone number').inputValue()).toBe('+45 (12) 34 56 78');
  expect((await api.send('DELETE', `/devices/${taken.json._id}`)).status).toBe(200);
  await dialog.getByRole('button', { name: 'Add a device' }).click();
  await dialog.getByText('This is its secret. It is shown this once').waitFor();
  const made = (await api.get(`/devices?filter=deviceKey($eq:${IMEI})`)).json[0];
  expect(made.phoneNumber).toBe('+4512345678');
  await dialog.getByRole('button', { name: 'Take it into a source' }).click();
  await page.getByRole('combobox', { name: 'Find a source' }).fill('River gauge');
  await page.getByRole('option', { name: /River gauge/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take it' }).click();
  await page.getByRole('heading', { name: IMEI }).waitFor();
  await page.getByRole('region', { name: 'Sources' }).getByRole('link', { name: 'River gauge' }).waitFor();
  const { transport } = (await api.get(`/nodes/${stage.sites.gaugeId}`)).json;
  expect(transport.deviceId).toBe(IMEI);
  // Released and forgotten.
  await page.getByRole('button', { name: 'Forget the device' }).click();
  await page.getByText('A source uses this device.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Release the device from River gauge' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Release' }).click();
  await page.getByText('No source uses this device yet.').waitFor();
  await page.getByRole('button', { name: 'Forget the device' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget the device' }).click();
  await page.waitForURL(/devices\/list/);
  expect((await api.get(`/devices/${made._id}`)).status).toBe(404);
  expect(problems).toEqual([]);
  await context.close();
});

test('by keys alone: into a new source, and a device that is forgotten meanwhile is said', async () => {
  const { page, context, problems } = await open(`devices/${free._id}`);
  const button = page.getByRole('button', { name: 'Take into a source' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Find a source' }).waitFor();
  await dialog.getByRole('button', { name: 'A new source' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('combobox', { name: 'Find a place for it' }).focus();
  await page.keyboard.type('Gwynns');
  await dialog.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Name of the source').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Weather by modem');
  // Somebody forgets it while the dialog is open.
  const { api } = stage.installation;
  expect((await api.send('DELETE', `/devices/${free._id}`)).status).toBe(200);
  await page.keyboard.press('Enter');
  await dialog.getByText('This device was forgotten meanwhile.').waitFor();
  expect((await api.get('/nodes?filter=name($eq:Weather by modem)')).json).toEqual([]);
  free = await makeDevice('');
  await page.goto(`${stage.installation.url}${address(`devices/${free._id}`).next}`);
  await button.focus();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'A new source' }).focus();
  await page.keyboard.press('Space');
  await dialog.getByRole('combobox', { name: 'Find a place for it' }).focus();
  await page.keyboard.type('Gwynns');
  await dialog.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Name of the source').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Sources' }).getByRole('link', { name: free.deviceKey }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('commands and remote access: what waits is said, and what is wrong stands at its field', async () => {
  const { page, context, problems } = await open(`devices/${busy._id}`);
  await page.getByRole('button', { name: 'Set its clock' }).click();
  await page.getByText('Set its clock: waits for the next connection.').waitFor();
  await page.getByRole('button', { name: 'Update its software' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Version').fill('2.2.0');
  await dialog.getByLabel('Address of the file').fill('ftp://example.org/app.bin');
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('must be an http or https address').waitFor();
  expect(await dialog.getByLabel('Version').inputValue()).toBe('2.2.0');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Remote access can be opened as soon as it is.').waitFor();
  const own = await modem({ deviceKey: busy.deviceKey }, ({ type, command }) =>
    type === 'command' ? { type: 'nack', command, message: 'no clock' } : undefined,
  );
  await page
    .getByRole('grid', { name: 'Messages as they come' })
    .getByText('refused command SET_CLOCK: no clock')
    .waitFor();
  const remote = page.getByRole('region', { name: 'Remote access' });
  await remote.getByLabel('Who may connect').fill('0.0.0.0/0');
  await remote.getByRole('button', { name: 'Open the port' }).click();
  await remote.getByText(/must be an address range such as/).waitFor();
  await remote.getByLabel('Who may connect').fill('192.0.2.17/32');
  await remote.getByRole('button', { name: 'Open the port' }).click();
  // This installation has none; the operator alone could change that.
  await remote.getByText(/has not opened remote access|no ports for remote access/i).waitFor();
  own.close();
  expect(problems).toEqual([]);
  await context.close();
});

test('who may only look sees a note, and is offered nothing else', async () => {
  const { browser, installation, sites } = stage;
  const viewer = await userOf(installation.api, sites.workspaceId, 'View');
  const { page, context, problems } = await signedIn(browser, installation.url, viewer, address('devices/list'));
  await page.getByText('You may look at this.').waitFor();
  expect(await page.getByRole('button', { name: 'Add a device' }).count()).toBe(0);
  await row(page, busy.deviceKey).getByRole('link', { name: busy.deviceKey }).click();
  await page.getByText('People who may control the Workspace can send commands.').waitFor();
  await page.getByText('People who may control the Workspace can open it.').waitFor();
  for (const name of ['Forget the device', 'Phone and secret', 'Take into a source', 'Release'])
    expect(await page.getByRole('button', { name }).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});

test('ways of data: each with its sources, and from a failing one to why it is silent', async () => {
  const { api } = stage.installation;
  const broken = await api.create({
    _class: `${MODEL}.source.data.TextParser`,
    parentId: stage.sites.locations.falls,
    name: 'Files of the pump',
    transport: { _class: `${MODEL}.transport.HttpUpload` },
  });
  await api.send('POST', `/nodes/${broken._id}/files?name=pump.csv`, 'no table', { 'Content-Type': 'text/csv' });
  await until(async () => (await api.get('/alarms')).json.alarms.some((alarm: Answer) => alarm.nodeId === broken._id));
  const { page, context, problems } = await open('devices/transports');
  const grid = page.getByRole('grid', { name: 'Ways data come' });
  const way = grid.getByRole('row').filter({ hasText: 'Sent by HTTP' });
  await way.waitFor();
  await grid.getByRole('row').filter({ hasText: 'Scout modem' }).waitFor();
  await way.getByRole('link', { name: 'Sent by HTTP' }).click();
  const sources = page.getByRole('grid', { name: 'Sources: Sent by HTTP' });
  await sources.getByText('Failing').waitFor();
  await sources.getByRole('link', { name: 'Files of the pump' }).click();
  await page.getByRole('heading', { name: 'The last file, pump.csv, was refused.' }).waitFor();
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
    const own = await modem({ deviceKey: busy.deviceKey, software: { appVersion: '2.1.0', firmwareVersion: '0.9' } });
    own.send({ type: 'status', signal: -71, battery: 88, supply: 12.6 });
    const look = { viewport: { width, height: width < 500 ? 780 : 900 }, colorScheme, locale };
    const { page, context, problems } = await open('devices/list', look);
    const content: readonly (readonly [string, string, string])[] = [
      ['list', 'devices/list', '.table-rows .device-sign.is-good'],
      ['one', `devices/${busy._id}`, '.device-messages .table-rows [role=row]'],
      ['ways', 'devices/transports', '.table-rows [role=row]'],
    ];
    for (const [name, path, selector] of content) {
      await page.goto(`${stage.installation.url}${address(path).next}`);
      await page.locator(selector).first().waitFor();
      if (name === 'one') await page.locator('.device-sources li').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await picture(page, `console-devices-${name}-${width}-${colorScheme}-${locale.slice(0, 2)}`);
      expect([name, await violations(page)]).toEqual([name, []]);
    }
    own.close();
    expect(problems).toEqual([]);
    await context.close();
  },
);

test('what is typed of a device outlives a reload and a dialog that was left; by keys the list has the focus again', async () => {
  const { page, context, problems } = await open('devices/list');
  const add = page.getByRole('button', { name: 'Add a device' }).first();
  await add.click();
  await page.getByRole('dialog').getByLabel('IMEI').fill(IMEI);
  await page.reload();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('IMEI').inputValue()).toBe(IMEI);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await add.click();
  expect(await dialog.getByLabel('IMEI').inputValue()).toBe(IMEI);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await add.click();
  expect(await dialog.getByLabel('IMEI').inputValue()).toBe('');
  await page.keyboard.press('Escape');
  await page.goto(new URL(`/a/${stage.person.slug}/devices/${busy._id}`, page.url()).href);
  await page.getByRole('button', { name: 'Phone and secret' }).click();
  await dialog.getByLabel('Phone number').fill('+4511223344');
  await page.reload();
  expect(await dialog.getByLabel('Phone number').inputValue()).toBe('+4511223344');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Contact' }).getByText('+4511223344').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});
