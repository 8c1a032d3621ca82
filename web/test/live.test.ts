import type { TileContent, TileView } from '@catchment/dashboard-view';
import type { Locator, Page } from 'playwright-core';
import { allTiles, NOW, PERIOD, parameter, series, stage } from './fixture/dashboard.ts';
import { type InBrowser, inBrowser } from './fixture/in-browser.ts';
import { asked, drawn, only, until } from './fixture/one-tile.ts';
import type { Fixture } from './fixture/page-server.ts';

let chromium: InBrowser;
beforeAll(async () => {
  chromium = await inBrowser();
});
afterEach(() => chromium.closePages());
afterAll(() => chromium?.close());

const tileOf = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });
const shows = (page: Page, name: string, text: string | RegExp) => tileOf(page, name).getByText(text).first().waitFor();
const findTile = ({ view }: Fixture, id: string): TileView => view.tiles.find((tile) => tile.id === id)!;
const chartOf = (page: Page): Locator => page.getByRole('application');

describe('live', () => {
  test('a new reading appears without a reload, in its tile alone', async () => {
    const fixture = allTiles();
    const { page, server } = await chromium.open(fixture);
    await page.getByText('Live').waitFor();
    await tileOf(page, 'Discharge').evaluate((element) => element.setAttribute('data-kept', ''));
    const before = findTile(fixture, 'stage');
    server.sendTile({ ...before, content: { type: 'VALUE', parameter: parameter('Gage height', 'ft', 4.71) } });
    await shows(page, 'Gage height', '4.71');
    expect(await tileOf(page, 'Discharge').getAttribute('data-kept')).toBe('');
    expect(server.asked.filter((path) => path === new URL(server.url).pathname)).toHaveLength(1);
  });

  test('an alarm paints its tile, in words and a sign too, and is said by screen readers', async () => {
    const fixture = allTiles();
    const { page, server } = await chromium.open(fixture);
    const groundOf = () => tileOf(page, 'Gage height').evaluate((element) => getComputedStyle(element).backgroundColor);
    const calm = await groundOf();
    server.sendTile({ ...findTile(fixture, 'stage'), alarm: 'ACTIVE' });
    await shows(page, 'Gage height', 'Alarm');
    const active = await groundOf();
    await page.locator('[aria-live=polite]', { hasText: 'Gage height: alarm active' }).waitFor({ state: 'attached' });
    server.sendTile({ ...findTile(fixture, 'stage'), alarm: 'ACKNOWLEDGED' });
    await shows(page, 'Gage height', 'Acknowledged');
    const acknowledged = await groundOf();
    expect(new Set([calm, active, acknowledged]).size).toBe(3);
    server.sendTile({ ...findTile(fixture, 'stage'), alarm: null });
    await until(async () => (await groundOf()) === calm);
  });

  test('a chart asks again when its data have changed, and keeps the part that was chosen', async () => {
    const fixture = allTiles();
    const { page, server } = await chromium.open(fixture);
    await drawn(page);
    await chartOf(page).focus();
    await page.keyboard.press('+');
    await until(() => asked(server, '/data/levels').length === 2);
    const chosen = asked(server, '/data/levels')[1]!;
    const before = findTile(fixture, 'levels');
    server.sendTile({ ...before, content: { ...before.content, revision: '2' } as TileContent });
    await until(() => asked(server, '/data/levels').length === 3);
    expect(String(asked(server, '/data/levels')[2])).toBe(String(chosen));
  });

  test('a dashboard that was changed is shown as it is now', async () => {
    const fixture = allTiles();
    const { page, server } = await chromium.open(fixture);
    const [first, ...others] = fixture.view.tiles;
    server.sendView({
      ...fixture.view,
      name: 'Renamed',
      tiles: [...others, { ...first!, id: 'new', label: 'Newcomer' }],
    });
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    await tileOf(page, 'Newcomer').waitFor();
    await until(async () => (await tileOf(page, 'Gage height').count()) === 0);
  });

  test('a stream that breaks comes back by itself; a loss is said, with its time', async () => {
    const fixture = allTiles();
    const { page, server } = await chromium.open(fixture);
    await page.getByText('Live').waitFor();
    server.refuse(503);
    server.cutStreams();
    await page.getByText(/^Not connected since \d/).waitFor();
    server.refuse(undefined);
    await page.getByText(/^(Live|Updated every 10 s)$/).waitFor();
    expect(await page.getByText(/^Not connected since/).count()).toBe(0);
  });

  test('a page without a network says so at once, and goes on when there is one', async () => {
    const { page } = await chromium.open(allTiles());
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/^Not connected since \d/).waitFor();
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    await page.context().setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('a stream that has frozen is not live', async () => {
    const { page, server } = await chromium.open(allTiles(), { clock: new Date(NOW) });
    await page.getByText('Live', { exact: true }).waitFor();
    server.refuse(503);
    await page.clock.fastForward(50_000);
    await page.getByText(/^Not connected since \d/).waitFor();
    expect(await page.getByText('Live', { exact: true }).count()).toBe(0);
    server.refuse(undefined);
    await page.clock.fastForward(120_000);
    await page.getByText(/^(Live|Updated every 10 s)$/).waitFor();
  });

  test('a page that is no longer public says so and asks no more', async () => {
    const { page, server } = await chromium.open(allTiles());
    await page.getByText('Live').waitFor();
    server.sendEnd('NOT_PUBLIC');
    await page.getByText('This page is not shown any more.').waitFor();
    const count = server.asked.filter((path) => path.includes('/stream')).length;
    server.cutStreams();
    await page.waitForTimeout(600);
    expect(server.asked.filter((path) => path.includes('/stream'))).toHaveLength(count);
    await shows(page, 'Gage height', '0.46');
  });

  test('the arguments of the page go with everything that it asks for', async () => {
    const { page, server } = await chromium.open(allTiles(), { query: '?timezone=Asia/Tokyo&header=none' });
    await drawn(page);
    expect(
      server.asked
        .filter((path) => /\/stream|\/data\/(levels|rose)/.test(path))
        .every((path) => new URL(path, server.url).searchParams.get('timezone') === 'Asia/Tokyo'),
    ).toBe(true);
    expect(await page.getByText('Maryland rivers', { exact: true }).count()).toBe(0);
  });
});

const CHART: TileContent = {
  type: 'STANDARD_CHART',
  period: 'NOW-7D',
  zoom: true,
  dataUrl: '/data/one',
  revision: '1',
  series: [series('Level', 'm', '#ff0000')],
};

test('a page that sleeps for a day says so when it wakes up, and goes on by itself', async () => {
  const fixture = only(CHART, { '/data/one': { kind: 'chart', series: [stage], ...PERIOD } });
  const { page, server } = await chromium.open(fixture, { clock: new Date(NOW) });
  await page.getByText('Live', { exact: true }).waitFor();
  await drawn(page);
  const streams = () => server.asked.filter((path) => path.endsWith('/stream')).length;
  expect(streams()).toBe(1);
  const [first] = fixture.view.tiles;
  const next = { ...first!, label: 'After a day', content: { ...first!.content, revision: '2' } as TileContent };
  // The device sleeps, and the connection with it: nobody is notified of its end.
  fixture.view = { ...fixture.view, tiles: [next], generatedTime: new Date(NOW + 86_400_000).toISOString() };
  await page.clock.fastForward(86_400_000);
  await page.getByRole('heading', { name: 'After a day' }).waitFor();
  await until(() => streams() === 2 && asked(server, '/data/one').length === 2);
  await page.getByText('Live', { exact: true }).waitFor();
});
