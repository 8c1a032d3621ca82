// These tests ask «Why is it silent?» from the outdated alarm and from the node, for sources that are silent each in another way.
import { connect } from 'node:net';
import { runSql, until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { jts, MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

let stage: Stage;
const ids = { late: '', refused: '', modem: '', never: '', fine: '', other: '' };
let levelId = '';

const HOUR = 3_600_000;

/** Pretends that the source was heard of at these ages, in hours. */
async function heardOf(nodeId: string, hours: readonly number[]): Promise<void> {
  const { installation, sites } = stage;
  const ownerId = (await installation.api.get('/owners/account')).json._id;
  const { postgresUrl } = await installation.running();
  const rows = hours.map(
    (hour, n) =>
      `('${nodeId}${n}', now() - interval '${hour} hours', '${ownerId}', '${sites.workspaceId}', '${nodeId}', 'source.data.TextParser',
        'DEBUG', 'ACQUISITION', 'NONE', 'System', 'Processed 4 records from gauge.csv [1 parameters updated]')`,
  );
  await runSql(
    postgresUrl,
    `SET search_path = events; INSERT INTO events (event_id, event_time, owner_id, workspace_id, node_id, node_class, level, event_type, alarm_state,
       username, message) VALUES ${rows.join(', ')}`,
  );
  const newestMs = Date.now() - Math.min(...hours) * HOUR;
  await runSql(postgresUrl, `UPDATE nodes.node_values SET last_success_ms = ${newestMs} WHERE node_id = '${nodeId}'`);
}

/** Connects a modem, which is gone afterwards. */
async function connectOnce(deviceKey: string, deviceId: string): Promise<void> {
  const { api } = stage.installation;
  const socket = connect(await stage.installation.listener('scout'), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${JSON.stringify({ type: 'ident', deviceKey })}\n`);
  await until(async () => (await api.get(`/devices/${deviceId}`)).json.isConnected === true);
  socket.destroy();
  await until(async () => (await api.get(`/devices/${deviceId}`)).json.isConnected === false);
}

beforeAll(async () => {
  stage = await openStage({ args: ['--no-demo'] });
  const { api } = stage.installation;
  const { workspaceId, locations } = stage.sites;
  const source = async (name: string, more: object = {}, cls = 'TextParser') =>
    (await api.create({ _class: `${MODEL}.source.data.${cls}`, parentId: locations.gwynns, name, ...more }))._id;
  const upload = { transport: { _class: `${MODEL}.transport.FtpUpload`, password: 'a password of 1' } };
  const watched = { quietMaxSeconds: 120, alarms: { outdatedAlarm: { config: { isEnabled: true } } } };
  ids.late = await source('Weir by FTP', { ...upload, ...watched });
  ids.other = await source('Mill by FTP', upload);
  ids.refused = await source('Files of the pump');
  ids.never = await source('Not set up yet');
  ids.fine = await source('Rain gauge');
  const level = { _class: `${MODEL}.point.NumberPoint`, parentId: ids.late, name: 'Weir level', series: 'level' };
  levelId = (await api.create(level))._id;
  await api.put(`/nodes/${ids.late}/historic`, jts(['level'], [[new Date(Date.now() - 72 * HOUR).toISOString(), 1]]));
  await until(async () => (await api.get(`/nodes/${ids.late}/events`)).json.length > 1);
  // The write was made just now; the station of this story was heard of three days ago.
  const { postgresUrl } = await stage.installation.running();
  await until(async () => (await api.get(`/nodes/${levelId}`)).json.currentTime !== null);
  await runSql(postgresUrl, `DELETE FROM events.events WHERE node_id = '${ids.late}' AND event_type = 'ACQUISITION'`);
  await heardOf(ids.late, [72, 73, 74, 75, 76]);
  await heardOf(ids.other, [90, 91, 92, 93]);
  await heardOf(ids.fine, [1, 2, 3, 4, 5, 6]);
  expect((await api.send('POST', `/nodes/${ids.refused}/files?name=pump.csv`, 'no table', CSV)).status).toBe(400);
  const { deviceKey, _id } = (await api.post('/devices', { workspaceId, secret: null })).json;
  ids.modem = await source('Modem', { transport: { _class: `${MODEL}.transport.Scout`, deviceId: deviceKey } }, 'Jts');
  await until(async () => (await api.get(`/devices/${_id}`)).json.datasourceId === ids.modem);
  await connectOnce(deviceKey, _id);
  await until(async () => (await api.get('/alarms')).json.alarms.some(isOutdated));
});
afterAll(() => stage?.close());

const CSV = { 'Content-Type': 'text/csv' };
const isOutdated = ({ alarmType }: { alarmType: string }) => alarmType === 'outdatedAlarm';
const card = (id: string) => ({ next: `/a/${stage.person.slug}/n/${id}/diagnosis` });

test.each([
  [
    'late',
    'Nothing has come for 3 days; usually something comes every 60 minutes.',
    'Check whether the station still sends',
  ],
  ['refused', 'The last file, pump.csv, was refused.', 'Compare the file with the parser'],
  ['modem', /^Its device is not connected and was heard of \d+ (?:second|minute)s? ago\.$/, 'Check the power'],
  ['never', 'Nothing has ever come.', 'Set up what is to send'],
  [
    'fine',
    /^Something came \d+ minutes ago; usually something comes every 60 minutes\.$/,
    'Switch its outdated alarm on',
  ],
] as const)('%s: the card says it in a sentence, and what to do', async (which, sentence, advice) => {
  const { browser, installation, person } = stage;
  const { page, context, problems } = await signedIn(browser, installation.url, person, card(ids[which]));
  const article = page.locator('.diagnosis');
  await article.getByRole('heading', { level: 2 }).filter({ hasText: sentence }).waitFor();
  await article.getByText(advice).waitFor();
  // The API says the same.
  const diagnosis = (await installation.api.get(`/nodes/${ids[which]}/diagnosis`)).json;
  const isFine = which === 'fine';
  expect(diagnosis.state.isSilent).toBe(!isFine);
  expect(await article.getByText('Silent', { exact: true }).count()).toBe(isFine ? 0 : 1);
  await picture(page, `console-silent-${which}`);
  expect(problems).toEqual([]);
  await context.close();
});

test('from the outdated alarm it is one click, and by keys alone to the settings', async () => {
  const { browser, installation, person } = stage;
  const { page, context, problems } = await signedIn(browser, installation.url, person, {
    next: `/a/${person.slug}/alarms?type=outdatedAlarm`,
  });
  const list = page.getByRole('grid', { name: 'Alarms' });
  await list.getByText('Weir by FTP').first().click();
  await page.getByRole('link', { name: 'Why is it silent?' }).first().click();
  await page.waitForURL(new RegExp(`/n/${ids.late}/diagnosis`));
  await page.locator('.diagnosis').getByText('All others on the same way are silent too').waitFor();
  await page.getByRole('link', { name: 'Mill by FTP' }).waitFor();
  await page.getByRole('link', { name: 'Contact' }).focus();
  for (let n = 0; n < 12; n += 1) {
    await page.keyboard.press('Tab');
    const text = await page.evaluate('document.activeElement.textContent');
    if (text === 'All that happened to the source') break;
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/n/${ids.late}/events`));
  expect(problems).toEqual([]);
  await context.close();
});

test('a parameter shows its source; what comes is seen without being asked for', async () => {
  const { browser, installation, person } = stage;
  const { page, context, problems } = await signedIn(browser, installation.url, person, card(ids.never));
  await page.getByRole('heading', { name: 'Nothing has ever come.' }).waitFor();
  const record = jts(['level'], [[new Date().toISOString(), 1]]);
  await installation.api.put(`/nodes/${ids.never}/historic`, record);
  await page.getByRole('heading', { name: /^Something came \d+ (?:second|minute)s? ago; too little/ }).waitFor();
  await page.goto(`${installation.url}/a/${person.slug}/n/${levelId}/diagnosis`);
  await page.locator('.diagnosis').getByRole('link', { name: 'Weir by FTP' }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

const LOOKS = [360, 1024, 1920].flatMap((width) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    ['en-GB', 'de-DE'].map((locale) => ({ width, colorScheme, locale })),
  ),
);
test.each(LOOKS)('axe finds nothing: $locale, $colorScheme, $width px', async ({ width, colorScheme, locale }) => {
  const { browser, installation, person } = stage;
  const { page, context, problems } = await signedIn(browser, installation.url, person, {
    ...card(ids.late),
    viewport: { width, height: width < 500 ? 780 : 900 },
    colorScheme,
    locale,
  });
  const sentence =
    locale === 'de-DE'
      ? 'Seit 3 Tagen ist nichts gekommen; üblich ist alle 60 Minuten etwas.'
      : 'Nothing has come for 3 days';
  await page.getByRole('heading', { name: sentence }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await picture(page, `console-silent-${width}-${colorScheme}-${locale.slice(0, 2)}`);
  expect(problems).toEqual([]);
  await context.close();
});
