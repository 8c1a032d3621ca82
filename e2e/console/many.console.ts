// The console bears much at once, and long absence: five thousand alarms that are raised while a page is open, and a tab that slept for a
// day.
import { until } from '@catchment/testkit';
import { jts, MODEL } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn } from '../src/console/people.ts';
import { writeLevel } from '../src/console/sites.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const SERIES = Array.from({ length: 100 }, (_, n) => `series ${n}`);
/** The page holds 5 000 alarms. */
const LOGGERS = 51;
const FEW_LEFT = LOGGERS * SERIES.length - 5_000;

let stage: Stage;
let loggers: string[];
beforeAll(async () => {
  stage = await openStage();
  loggers = await makeLoggers();
});
afterAll(() => stage?.close());

/** Makes sources of a hundred parameters that have a state HIGH. */
async function makeLoggers(): Promise<string[]> {
  const { api } = stage.installation;
  const parentId = stage.sites.locations.gwynns;
  const logger = await api.create({ _class: `${MODEL}.source.data.Jts`, name: 'Logger 0', parentId });
  const states = [{ name: 'NORMAL' }, { name: 'HIGH', threshold: 5, isAlarm: true }];
  for (const series of SERIES)
    await api.create({ _class: `${MODEL}.point.NumberPoint`, parentId: logger._id, name: series, series, states });
  const all = [logger._id];
  while (all.length < LOGGERS) {
    const answer = await api.post(`/nodes/${logger._id}/clone?attr=_id`, { parentId, name: `Logger ${all.length}` });
    if (answer.status !== 201) throw new Error(`the clone answered ${answer.status}: ${answer.text}`);
    all.push(answer.json[0]._id);
  }
  return all;
}

const at = (path: string) => ({ next: `/a/${stage.person.slug}/${path}` });

test('five thousand alarms at once: the open page reports them, says that it holds a part, and acknowledges what it holds', async () => {
  const { browser, installation, person } = stage;
  const { api } = installation;
  const { page, context, problems } = await signedIn(browser, installation.url, person, at('alarms'));
  await page.getByRole('heading', { name: 'Nothing is wrong' }).waitFor();
  const values = [new Date().toISOString(), ...SERIES.map(() => 6)] as const;
  const raised = Promise.all(loggers.map((id) => api.put(`/nodes/${id}/historic`, jts(SERIES, [values]))));
  // Meanwhile the page does what it is asked for.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or do' }).fill('gage');
  await page.getByRole('option', { name: /Gage height/ }).waitFor();
  await page.keyboard.press('Escape');
  expect(new Set((await raised).map(({ status }) => status))).toEqual(new Set([202]));
  await page.getByText('Only 5,000 are shown: active ones first, then the newest.').waitFor();
  for (const badge of ['.bell', 'nav.pages']) await page.locator(badge).filter({ hasText: '5000+' }).waitFor();
  const list = page.getByRole('grid', { name: 'Alarms' });
  await list.focus();
  await page.keyboard.press('End');
  await list.locator('[aria-rowindex="5001"]').waitFor();
  await picture(page, 'console-alarms-many');
  await page.getByRole('button', { name: 'Choose all' }).click();
  await page.locator('.table-bar').getByRole('button', { name: 'Acknowledge', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /Acknowledge 5,?000 alarms/ });
  await dialog.getByRole('button', { name: 'Acknowledge', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const active = async () => (await api.get('/alarms?state=ACTIVE&limit=1000')).json.alarms.length;
  await until(async () => (await active()) === FEW_LEFT);
  // Those that are left are older in the list than any that is held.
  await page.locator('.bell').getByText(String(FEW_LEFT), { exact: true }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

test('a tab that slept for a day says since when it shows nothing new, and then what is so', async () => {
  const { browser, installation, person, sites } = stage;
  await writeLevel(installation.api, sites, 4.2);
  const { page, context, problems } = await signedIn(browser, installation.url, person);
  await context.clock.install({ time: new Date() });
  await page.goto(`${installation.url}/a/${person.slug}/n/${sites.levelId}/alarms`);
  const head = page.locator('.node-head');
  await head.getByText('4.20').waitFor();
  await context.setOffline(true);
  await writeLevel(installation.api, sites, 1);
  await page.clock.fastForward('24:00:00');
  // A clock alone would be the one of today.
  await page.getByText(/Not connected since \d{1,2} \w+ \d{4}, \d\d:\d\d/).waitFor();
  await head.getByText('4.20').waitFor();
  await context.setOffline(false);
  await page.getByText(/Not connected since/).waitFor({ state: 'detached' });
  await head.getByText('1.00').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});
