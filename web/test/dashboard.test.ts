import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { TileContent, TileView } from '@catchment/dashboard-view';
import type { Locator, Page } from 'playwright-core';
import { allTiles, PERIOD, parameter, series, stage, tile } from './fixture/dashboard.ts';
import { type InBrowser, inBrowser, picture } from './fixture/in-browser.ts';
import { asked, drawn, only, until } from './fixture/one-tile.ts';
import type { Fixture } from './fixture/page-server.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const PHONE = { viewport: { width: 360, height: 780 } };

let chromium: InBrowser;
beforeAll(async () => {
  chromium = await inBrowser();
});
afterEach(() => chromium.closePages());
afterAll(() => chromium?.close());

const tileOf = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });
const shows = (page: Page, name: string, text: string | RegExp) => tileOf(page, name).getByText(text).first().waitFor();
const findTile = ({ view }: Fixture, id: string): TileView => view.tiles.find((one) => one.id === id)!;
const chartOf = (page: Page): Locator => page.getByRole('application');

describe('tiles', () => {
  test('each type shows what its view says', async () => {
    const { page, problems } = await chromium.open(allTiles());
    await shows(page, 'Gage height', '0.46');
    await shows(page, 'Gage height', 'ft');
    await shows(page, 'Gage height', 'NORMAL');
    await shows(page, 'Gage height', '42 seconds ago');
    await shows(page, 'Discharge', '−4.31');
    await shows(page, 'Pump', 'Running');
    await shows(page, 'River gauge', 'Turbidity');
    await shows(page, 'River gauge', 'No value');
    await shows(page, 'River gauge', 'This parameter is not there any more.');
    await shows(page, 'Tank level', '63.4');
    await shows(page, 'Latest records', 'Jun 22, 2018, 11:00:00 AM');
    await shows(page, 'Dead Run at Franklintown', '39.3113° N, 76.7164° W');
    await shows(page, 'Alarms', 'Communications');
    await shows(page, 'Text', /Dead Run floods within minutes of heavy rain\.\nCall/);
    await shows(page, 'Old sensor', 'The parameter of this tile is not there any more.');
    await tileOf(page, 'Level and flow').getByText('0.45 to 1.46').waitFor();
    for (const [name, label] of [
      ['Wind rose', 'Chart: Wind rose'],
      ['Camera at the weir', 'Camera'],
    ] as const) {
      const image = tileOf(page, name).getByRole('img', { name: label });
      await image.scrollIntoViewIfNeeded();
      await until(() => image.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth > 0));
    }
    expect(problems).toEqual([]);
  });

  test('times are those of the zone of the view, and of its standard time where it says so', async () => {
    const fixture = allTiles();
    const { page, server } = await chromium.open(fixture);
    await page.getByText('Times in America/New_York').waitFor();
    expect(await tileOf(page, 'Gage height').locator('time').getAttribute('title')).toBe(
      'Jun 22, 2018, 11:00:00 AM (America/New_York)',
    );
    server.sendView({ ...fixture.view, adjustForDst: false });
    await page.getByText('without daylight saving time').waitFor();
    await shows(page, 'Latest records', 'Jun 22, 2018, 10:00:00 AM');
  });

  test.each([
    ['VALUE', { type: 'VALUE', parameter: null }, 'The parameter of this tile'],
    [
      'STANDARD_CHART',
      { type: 'STANDARD_CHART', period: 'NOW-1D', zoom: true, series: [null], dataUrl: '/x', revision: '' },
      'The parameter of this tile',
    ],
    ['CUSTOM_CHART', { type: 'CUSTOM_CHART', name: 'Rose', imageUrl: null, revision: '' }, 'The chart of this tile'],
    ['ALARM_SUMMARY', { type: 'ALARM_SUMMARY', name: null, period: 'NOW-1D', counts: [] }, 'The node of this tile'],
    [
      'LOCATION_MAP',
      {
        type: 'LOCATION_MAP',
        name: null,
        position: null,
        zoom: 3,
        mapStyle: null,
        marker: { color: null, icon: null },
        layers: [],
        imageUrl: null,
      },
      'The Location of this tile',
    ],
    [
      'ATTACHMENT_IMAGE',
      { type: 'ATTACHMENT_IMAGE', name: null, imageUrl: null, time: null },
      'The picture of this tile',
    ],
    [
      'SOLID_GAUGE',
      { type: 'SOLID_GAUGE', parameter: null, minimum: 0, maximum: 1, shape: 'HALF' },
      'The parameter of this tile',
    ],
  ] satisfies [string, TileContent, string][])(
    'a broken link of %s keeps its tile, with a warning',
    async (_type, content, text) => {
      const { page, problems } = await chromium.open(only(content));
      await page.getByText(`${text} is not there any more.`).waitFor();
      expect(problems).toEqual([]);
    },
  );

  test('a chart with one broken link shows the others and says so', async () => {
    const content: TileContent = {
      type: 'STANDARD_CHART',
      period: 'NOW-7D',
      zoom: true,
      dataUrl: '/data/one',
      revision: '1',
      series: [null, series('Gage height', 'ft', '#2f7ed8')],
    };
    const { page } = await chromium.open(only(content, { '/data/one': { kind: 'chart', series: [stage], ...PERIOD } }));
    await page.getByText('A parameter is not there any more.').waitFor();
    await drawn(page);
  });

  test('data that cannot be had are said to be missing, and asked for again', async () => {
    const sources: Record<string, Fixture['sources'][string]> = {};
    const fixture = only({ type: 'HISTORIC_TABLE', period: 'NOW-7D', dataUrl: '/data/late', revision: '1' });
    const { page } = await chromium.open({ view: fixture.view, sources });
    await page.getByText('The table could not be loaded.').waitFor();
    sources['/data/late'] = allTiles().sources['/data/records']!;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Older records of the period are not shown here.').waitFor();
  });

  test('texts of people are texts, wherever they stand', async () => {
    const evil = '<img src=x onerror="hacked=1">';
    const fixture = allTiles();
    const tiles = fixture.view.tiles.map((one) => ({
      ...one,
      label: `${evil}${one.id}`,
      content: JSON.parse(JSON.stringify(one.content).replaceAll('Gage height', JSON.stringify(evil).slice(1, -1))),
    }));
    const view = {
      ...fixture.view,
      tiles,
      name: evil,
      description: '</script><script>hacked=1</script>',
      account: { name: evil, logoUrl: null },
    };
    const { page, problems } = await chromium.open({ ...fixture, view });
    await page.getByRole('heading', { level: 1, name: evil }).waitFor();
    await page.locator('.leaflet-control-layers-toggle').scrollIntoViewIfNeeded();
    await page.locator('.leaflet-control-layers').hover();
    await page.getByText('Streams <b>').waitFor();
    await page.getByText('Lost (could not be read)').waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test('tiles that lie on each other and rows far down are put in order', async () => {
    const value = (id: string, place: readonly number[]) =>
      tile(id, place, { type: 'VALUE', parameter: parameter(id, '', 1) });
    const fixture = only({ type: 'STATIC_TEXT', text: '' });
    const tiles = [value('a', [0, 0, 6, 2]), value('b', [3, 1, 6, 2]), value('c', [0, 900, 3, 1])];
    const { page } = await chromium.open({ ...fixture, view: { ...fixture.view, tiles } });
    const boxes = await Promise.all(['a', 'b', 'c'].map((name) => tileOf(page, name).boundingBox()));
    const [a, b, c] = boxes.map((box) => box!);
    expect(b!.y).toBeGreaterThanOrEqual(a!.y + a!.height);
    expect(c!.y - (b!.y + b!.height)).toBeLessThan(400);
  });
});

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
    expect(server.asked.filter((one) => one === new URL(server.url).pathname)).toHaveLength(1);
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

  test('a page that is no longer public says so and asks no more', async () => {
    const { page, server } = await chromium.open(allTiles());
    await page.getByText('Live').waitFor();
    server.sendEnd('NOT_PUBLIC');
    await page.getByText('This page is not shown any more.').waitFor();
    const count = server.asked.filter((one) => one.includes('/stream')).length;
    server.cutStreams();
    await page.waitForTimeout(600);
    expect(server.asked.filter((one) => one.includes('/stream'))).toHaveLength(count);
    await shows(page, 'Gage height', '0.46');
  });

  test('the arguments of the page go with everything that it asks for', async () => {
    const { page, server } = await chromium.open(allTiles(), { query: '?timezone=Asia/Tokyo&header=none' });
    await drawn(page);
    expect(
      server.asked
        .filter((one) => /\/stream|\/data\/(levels|rose)/.test(one))
        .every((one) => new URL(one, server.url).searchParams.get('timezone') === 'Asia/Tokyo'),
    ).toBe(true);
    expect(await page.getByText('Maryland rivers', { exact: true }).count()).toBe(0);
  });
});

describe('for everyone', () => {
  const CASES = (['light', 'dark'] as const).flatMap((colorScheme) =>
    [360, 760, 1_280].map((width) => ({ colorScheme, width })),
  );

  test.each(CASES)(
    'axe finds nothing: $colorScheme, $width px; nothing is wider than the page',
    async ({ colorScheme, width }) => {
      const { page } = await chromium.open(allTiles(), { viewport: { width, height: 900 }, colorScheme });
      await drawn(page);
      // All that is drawn when seen.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height });
      await page.locator('.leaflet-marker-icon.pin-place').waitFor();
      await page.getByRole('img', { name: 'Chart: Wind rose' }).waitFor();
      await page.evaluate(() => document.fonts.ready);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await picture(page, `dashboard-${colorScheme}-${width}`);
      expect(await violations(page)).toEqual([]);
    },
  );

  test('every style of tiles can be read, with and without alarms, in light and dark', async () => {
    const styles = ['default', 'white', 'blue', 'green', 'purple', 'mauve', 'pink', 'black'] as const;
    const alarms = [null, 'ACTIVE', 'ACKNOWLEDGED'] as const;
    const fixture = allTiles();
    const state = { name: 'HIGH', isAlarm: true };
    const tiles = alarms.flatMap((alarm, row) =>
      styles.flatMap((style, i) => [
        tile(
          `${style} ${alarm}`,
          [(i % 4) * 3, row * 8 + Math.floor(i / 4) * 4, 3, 2],
          { type: 'VALUE', parameter: parameter(style, 'm', 2, { state, changePercent: 3 }) },
          { style, alarm },
        ),
        tile(
          `${style} ${alarm} gauge`,
          [(i % 4) * 3, row * 8 + Math.floor(i / 4) * 4 + 2, 3, 2],
          {
            type: 'SOLID_GAUGE',
            parameter: parameter(style, 'm', 2, { state }),
            minimum: 0,
            maximum: 5,
            shape: 'HALF',
          },
          { style, alarm },
        ),
      ]),
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await chromium.open({ ...fixture, view: { ...fixture.view, tiles } }, { colorScheme });
      await picture(page, `styles-${colorScheme}`);
      expect(await violations(page)).toEqual([]);
    }
  });

  test('on a phone tiles stand below each other in the order of the dashboard', async () => {
    const fixture = allTiles();
    const { page } = await chromium.open(fixture, PHONE);
    const boxes = await page
      .locator('article')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    expect(boxes).toHaveLength(fixture.view.tiles.length);
    for (const [i, box] of boxes.entries()) {
      expect(box.right).toBeLessThanOrEqual(360);
      if (i > 0) expect(box.top).toBeGreaterThanOrEqual(boxes[i - 1].bottom);
    }
    // Nothing in a tile of values is cut off.
    const cut = await page
      .locator(':is(.of-value, .of-value-list, .of-alarm-summary, .of-static-text) :is(.tile-body, .scrolls)')
      .evaluateAll((all) =>
        all
          .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
          .map((one) => one.textContent),
      );
    expect(cut).toEqual([]);
  });

  test('a choice of colours is kept', async () => {
    const { page } = await chromium.open(allTiles(), { colorScheme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole('button', { name: 'Dark colours' }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
    expect(await ground()).toBe(dark);
  });

  test('the keyboard reaches everything, the first key skips the head', async () => {
    const { page } = await chromium.open(allTiles());
    await drawn(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the tiles');
    await page.keyboard.press('Enter');
    const reached = new Set<string>();
    for (let i = 0; i < 30; i += 1) {
      await page.keyboard.press('Tab');
      reached.add(
        await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.className ?? '',
        ),
      );
    }
    const all = [...reached].join('\n');
    for (const name of ['Level and flow. Arrow keys', 'Zoom in', 'Latest records, last 7 days', 'leaflet-marker-icon'])
      expect(all).toContain(name);
  });

  test('a place opens with the keyboard, with its picture', async () => {
    const { page } = await chromium.open(allTiles());
    const marker = page.locator('.leaflet-marker-icon.pin-place');
    await marker.scrollIntoViewIfNeeded();
    await marker.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'Picture of Dead Run at Franklintown' }).waitFor();
  });

  test('maps come only where there is one, and ask nobody else', async () => {
    const { page, server } = await chromium.open(only({ type: 'STATIC_TEXT', text: 'Hello' }));
    await page.getByText('Hello').waitFor();
    expect(server.asked.some((one) => one.includes('/assets/map'))).toBe(false);
    const hosts = new Set<string>();
    const { page: withMap } = await chromium.open(allTiles());
    withMap.on('request', (request) => hosts.add(new URL(request.url()).hostname));
    await withMap.locator('.leaflet-marker-icon.pin-place').scrollIntoViewIfNeeded();
    await withMap.reload();
    await withMap.locator('.degrees').first().waitFor({ state: 'attached' });
    expect([...hosts]).toEqual(['127.0.0.1']);
  });

  test('paper: every tile, in light colours', async () => {
    const fixture = allTiles();
    const { page } = await chromium.open(fixture, { colorScheme: 'dark' });
    await drawn(page);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: 1_280, height });
    await page.getByText('0.46 to 1.46').waitFor();
    const pdf = await page.pdf({
      format: 'A4',
      ...(process.env.PICTURES && { path: `${process.env.PICTURES}/dashboard.pdf` }),
    });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: 'print' });
    await until(() => page.evaluate(() => document.documentElement.dataset.scheme === 'light'));
    const hidden = await page
      .locator('article')
      .evaluateAll((all) => all.filter((one) => one.getClientRects().length === 0).length);
    expect(hidden).toBe(0);
    expect(await page.locator('button:visible').count()).toBe(0);
    // The table is whole, and nothing on paper scrolls.
    const table = page.locator('.records');
    expect(await table.evaluate((element) => element.parentElement!.clientHeight >= element.clientHeight)).toBe(true);
  });
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: {
        run: (
          options: object,
        ) => Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations: found } = await axe.run({ resultTypes: ['violations'] });
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
    );
  });
}
