// The overview shows when data came last, layers of Workspaces on the map, and dashboards that are drawn in small.
import { until } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import { jts } from '../src/api.ts';
import { picture } from '../src/console/look.ts';
import { signedIn } from '../src/console/people.ts';
import { openStage, type Stage } from '../src/console/stage.ts';

const HOUR = 3_600_000;
const CATCHMENT = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'Gwynns Falls <b>catchment' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-76.9, 39.2],
            [-76.5, 39.2],
            [-76.5, 39.5],
            [-76.9, 39.2],
          ],
        ],
      },
    },
  ],
};

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  const { installation, sites } = stage;
  const { api } = installation;
  const rows = Array.from({ length: 47 }, (_, n) => {
    return [new Date(Date.now() - (47 - n) * HOUR).toISOString(), 1 + Math.sin(n / 5) / 2] as const;
  });
  await api.put(`/nodes/${sites.gaugeId}/historic`, jts(['level'], rows, 'ft'));
  // The second parameter has been silent for days.
  const old = new Date(Date.now() - 100 * HOUR).toISOString();
  await api.put(`/nodes/${sites.gaugeId}/historic`, jts(['temperature'], [[old, 9]], '°C'));
  await until(async () => (await api.get(`/nodes/${sites.levelId}`)).json.oldestTime !== undefined);
  const file = await api.upload(sites.workspaceId, JSON.stringify(CATCHMENT), 'catchment.geojson');
  const mapLayers = [{ label: 'Catchments & <i>rivers', type: 'LOCAL', attachmentId: file._id }];
  expect((await api.put(`/nodes/${sites.workspaceId}`, { mapLayers })).status).toBe(200);
});
afterAll(() => stage?.close());

const open = async (query = '', options = {}) => {
  const { browser, installation, person } = stage;
  const opened = await signedIn(browser, installation.url, person, {
    next: `/a/${person.slug}/overview${query}`,
    ...options,
  });
  await opened.page.locator('.mark-place').first().waitFor();
  return opened;
};

test('a layer of the Workspace is switched on, shows its name, and is there after a reload', async () => {
  const { page, context, problems } = await open();
  const button = page.getByRole('button', { name: 'Layers of the map' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Catchments & <i>rivers').press(' ');
  const shape = page.locator('.places-map path.layer');
  await shape.waitFor();
  await page.reload();
  await shape.waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'console-overview-layers');
  expect(problems).toEqual([]);
  await context.close();
});

test('the card of a place says when data came last, and what is old looks old', async () => {
  const { page, context } = await open(`?sel=${stage.sites.locations.deadRun}`);
  const card = page.getByRole('article', { name: 'About Dead Run at Franklintown' });
  await card.getByText('Last data 1 hour ago').waitFor();
  expect(await card.getByRole('row').filter({ hasText: 'Water temperature' }).getAttribute('class')).toBe('is-late');
  expect(await card.getByRole('row').filter({ hasText: 'Gage height' }).getAttribute('class')).toBe('');
  await picture(page, 'console-overview-card');
  await context.close();
});

test('a dashboard in small draws the records of its chart', async () => {
  const { page, context, problems } = await open();
  const line = page.locator('.board .of-standard-chart path');
  // The picture is a line of hours, and not the outline that stands for any chart.
  await until(async () => ((await line.getAttribute('d'))?.match(/L/g)?.length ?? 0) > 20);
  await page.locator('.board').first().scrollIntoViewIfNeeded();
  await picture(page, 'console-overview-boards');
  expect(problems).toEqual([]);
  await context.close();
});
