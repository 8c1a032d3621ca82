import type { TileContent, TileView } from '@catchment/dashboard-view';
import { isLong } from '@catchment/testkit';
import { violations } from '@catchment/testkit/axe';
import type { Locator, Page } from 'playwright-core';
import { canvasTexts } from './fixture/canvas.ts';
import { allTiles, NOW, PERIOD, parameter, series, stage, tile } from './fixture/dashboard.ts';
import { type InBrowser, inBrowser, picture } from './fixture/in-browser.ts';
import { drawn, only, until } from './fixture/one-tile.ts';
import type { Fixture } from './fixture/page-server.ts';

const PHONE = { viewport: { width: 360, height: 780 } };

let chromium: InBrowser;
beforeAll(async () => {
  chromium = await inBrowser();
});
afterEach(() => chromium.closePages());
afterAll(() => chromium?.close());

const tileOf = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });
const shows = (page: Page, name: string, text: string | RegExp) => tileOf(page, name).getByText(text).first().waitFor();
const findTile = ({ view }: Fixture, id: string): TileView => view.tiles.find((tile) => tile.id === id)!;

describe('tiles', () => {
  test('each type shows what its view says', async () => {
    const { page, problems } = await chromium.open(allTiles(), { moment: new Date(NOW) });
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
    await shows(page, 'Latest records', 'Jun 22, 2018, 11:00:00');
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
      'Jun 22, 2018, 11:00:00 (America/New_York)',
    );
    server.sendView({ ...fixture.view, adjustForDst: false });
    await page.getByText('without daylight saving time').waitFor();
    await shows(page, 'Latest records', 'Jun 22, 2018, 10:00:00');
  });

  test('a reader of another language has its separators, in all tiles alike, and the clock of all', async () => {
    const fixture = allTiles();
    const table = {
      columns: [
        { name: 'Level', units: 'm', isNumber: true },
        { name: 'Version', units: '' },
      ],
    };
    const rows = [{ time: new Date(NOW).toISOString(), cells: ['1,234.5', '1.2'] }];
    const sources = {
      ...fixture.sources,
      '/data/records': { kind: 'table', table: { ...table, rows, hasMore: false } } as const,
    };
    const { page, problems } = await chromium.open(
      { ...fixture, sources },
      { locale: 'de-DE', init: canvasTexts.record, moment: new Date(NOW) },
    );
    await drawn(page);
    // Another chart, which is further down, is drawn after a while.
    expect(await canvasTexts.of(page)).toEqual(expect.arrayContaining([expect.stringMatching(/^\d,\d\d$/)]));
    await shows(page, 'Gage height', '0,46');
    await shows(page, 'Gage height', '42 seconds ago');
    await shows(page, 'Discharge', '−4,31');
    await shows(page, 'River gauge', '21,3');
    await shows(page, 'Tank level', '63,4');
    await shows(page, 'Latest records', '1.234,5');
    await tileOf(page, 'Latest records').getByText('1.2', { exact: true }).waitFor();
    await shows(page, 'Latest records', '22 Jun 2018, 11:00:00');
    await tileOf(page, 'Level and flow').getByText('0,45 to 1,46').waitFor();
    expect(problems).toEqual([]);
  });

  test('a browser with a language that is none shows the page', async () => {
    const init = () => Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'C'] });
    const { page, problems } = await chromium.open(allTiles(), { init });
    await shows(page, 'Latest records', '22 Jun 2018, 11:00:00');
    expect(problems).toEqual([]);
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

  test.each([
    [
      'chart',
      {
        type: 'STANDARD_CHART',
        period: 'NOW-7D',
        zoom: true,
        dataUrl: '/data/one',
        revision: '1',
        series: [series('Level', 'm', '#2f7ed8')],
      },
      '.plot canvas',
    ],
    ['table', { type: 'HISTORIC_TABLE', period: 'NOW-7D', dataUrl: '/data/one', revision: '1' }, '.records'],
    ['chart', { type: 'CUSTOM_CHART', name: 'Rose', imageUrl: '/data/one', revision: '1' }, 'img[alt="Chart: Rose"]'],
    [
      'picture',
      { type: 'ATTACHMENT_IMAGE', name: 'Camera', imageUrl: '/data/one?v=1', time: null },
      'img[alt="Camera"]',
    ],
  ] satisfies [string, TileContent, string][])(
    'a good %s stays to be seen when its news cannot be had: %j',
    async (what, content, shown) => {
      const { sources } = allTiles();
      const kinds = {
        STANDARD_CHART: { kind: 'chart', series: [stage], ...PERIOD },
        HISTORIC_TABLE: sources['/data/records']!,
      } as Record<string, Fixture['sources'][string]>;
      let status: number | undefined;
      const source = { ...(kinds[content.type] ?? sources['/data/rose']!), refuses: () => status };
      const fixture = only(content, { '/data/one': source });
      const { page, server } = await chromium.open(fixture);
      const isShown = () =>
        page
          .locator(shown)
          .evaluate(
            (element) =>
              (element instanceof HTMLImageElement
                ? Number(element.complete) * element.naturalWidth
                : element.clientWidth) > 0,
          );
      await until(isShown);
      if (content.type === 'STANDARD_CHART') await drawn(page);
      status = 503;
      const next = {
        ...content,
        ...('revision' in content ? { revision: '2' } : { imageUrl: '/data/one?v=2' }),
      } as TileContent;
      server.sendTile({ ...fixture.view.tiles[0]!, content: next });
      await page.getByText(`The ${what} is as it was: news could not be loaded.`).waitFor();
      expect(await page.getByText('could not be loaded.', { exact: false }).count()).toBe(1);
      await until(isShown);
      status = undefined;
      // A chart whose note has changed its size asks by itself, too: the button may be gone already.
      await page.getByRole('button', { name: 'Try again' }).evaluateAll((all: HTMLElement[]) => all[0]?.click());
      await until(async () => (await page.getByText(/news could not be loaded/).count()) === 0);
      await until(isShown);
    },
  );

  test('a change of what has no zero is a difference, of the others a share', async () => {
    const shown = { changePercent: null, change: -0.4 };
    const { page } = await chromium.open(only({ type: 'VALUE', parameter: parameter('Water', '°C', 12.1, shown) }));
    await page.getByText('−0.4 °C').waitFor();
    expect(await page.locator('.facts').textContent()).not.toContain('%');
  });

  test('texts of people are texts, wherever they stand', async () => {
    const evil = '<img src=x onerror="hacked=1">';
    const fixture = allTiles();
    const tiles = fixture.view.tiles.map((tile) => ({
      ...tile,
      label: `${evil}${tile.id}`,
      content: JSON.parse(JSON.stringify(tile.content).replaceAll('Gage height', JSON.stringify(evil).slice(1, -1))),
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
    const [a, b, c] = await boxesOf(page);
    expect(b!.top).toBeGreaterThanOrEqual(a!.bottom);
    expect(c!.top - b!.bottom).toBeLessThan(400);
  });
});

describe('for everyone', () => {
  const CASES = (['light', 'dark'] as const)
    .flatMap((colorScheme) => [360, 760, 1_280].map((width) => ({ colorScheme, width })))
    .filter((_, index) => isLong || index % 2 === 0);

  test.each(CASES)(
    'axe finds nothing: $colorScheme, $width px; nothing is wider than the page',
    async ({ colorScheme, width }) => {
      const { page } = await chromium.open(allTiles(), { viewport: { width, height: 900 }, colorScheme });
      await drawn(page);
      // All is drawn when seen.
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
    const boxes = await boxesOf(page);
    expect(boxes).toHaveLength(fixture.view.tiles.length);
    for (const [i, box] of boxes.entries()) {
      expect(box.right).toBeLessThanOrEqual(360);
      if (i > 0) expect(box.top).toBeGreaterThanOrEqual(boxes[i - 1]!.bottom);
    }
    // A tile of values cuts nothing off.
    const cut = await page
      .locator(':is(.of-value, .of-value-list, .of-alarm-summary, .of-static-text) :is(.tile-body, .scrolls)')
      .evaluateAll((all) =>
        all
          .filter(
            (element) =>
              element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1,
          )
          .map((element) => element.textContent),
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
    // What keys are to reach is there: a map and a table come when they are seen, with code and records of their own.
    for (const place of ['.leaflet-marker-icon.pin-place', '.historic .scrolls[tabindex]'])
      await page.locator(place).scrollIntoViewIfNeeded();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the tiles');
    await page.keyboard.press('Enter');
    await until(() => page.evaluate(() => document.activeElement?.id === 'tiles'));
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
    expect(server.asked.some((path) => path.includes('/assets/map'))).toBe(false);
    const hosts = new Set<string>();
    const { page: withMap } = await chromium.open(allTiles());
    withMap.on('request', (request) => hosts.add(new URL(request.url()).hostname));
    await withMap.locator('.leaflet-marker-icon.pin-place').scrollIntoViewIfNeeded();
    await withMap.reload();
    await withMap.locator('.degrees').first().waitFor({ state: 'attached' });
    expect([...hosts]).toEqual(['127.0.0.1']);
  });

  test.each([
    [2, 'outlines of land', '.land-pane path.land', '.world'],
    [12, 'a small map of the world', '.world .here', '.land-pane path.land'],
  ] as const)('a map at zoom %i without tiles has %s, in light and dark', async (zoom, _what, shown, absent) => {
    const map = findTile(allTiles(), 'map').content as Extract<TileContent, { type: 'LOCATION_MAP' }>;
    const fills = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, problems } = await chromium.open(only({ ...map, zoom }), { colorScheme });
      await page.locator(shown).first().waitFor({ state: 'attached' });
      await picture(page, `map-${zoom}-${colorScheme}`);
      expect(await page.locator(absent).count()).toBe(0);
      expect(await longestStep(page)).toBeLessThan(90);
      fills.add(
        await page
          .locator('.land')
          .first()
          .evaluate((element) => getComputedStyle(element).fill),
      );
      expect(problems).toEqual([]);
    }
    expect(fills.size).toBe(2);
  });

  test('a map with tiles has no outlines of its own', async () => {
    const fixture = only(findTile(allTiles(), 'map').content);
    const mapTiles = { url: '/tiles/{z}/{x}/{y}.png', attribution: 'Somebody' };
    const { page, server } = await chromium.open({ ...fixture, view: { ...fixture.view, mapTiles } });
    await page.locator('.leaflet-marker-icon.pin-place').waitFor();
    await until(() => server.asked.some((path) => path.startsWith('/tiles/')));
    expect(await page.locator('.world, .land-pane').count()).toBe(0);
    expect(server.asked.some((path) => path.includes('/assets/land'))).toBe(false);
  });

  test.each([
    ['light', 'default', false],
    ['light', 'white', false],
    ['light', 'black', true],
    ['dark', 'default', true],
    ['dark', 'blue', true],
    ['dark', 'white', false],
    ['dark', 'black', true],
  ] as const)(
    'in %s colours the picture of a chart on a %s tile is turned round: %s; never on paper',
    async (colorScheme, style, isTurned) => {
      const { content } = findTile(allTiles(), 'rose');
      const { page } = await chromium.open(only(content, {}, { style }), { colorScheme });
      const image = page.getByRole('img', { name: 'Chart: Wind rose' });
      const filter = () => image.evaluate((element) => getComputedStyle(element).filter);
      expect((await filter()).includes('invert')).toBe(isTurned);
      await page.emulateMedia({ media: 'print' });
      expect(await filter()).toBe('none');
    },
  );

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
      .evaluateAll((all) => all.filter((element) => element.getClientRects().length === 0).length);
    expect(hidden).toBe(0);
    const broken = await page
      .locator('article:not(.of-historic-table)')
      .evaluateAll((all) =>
        all.flatMap((element) => (getComputedStyle(element).breakInside === 'avoid' ? [] : element.className)),
      );
    expect(broken).toEqual([]);
    expect(await page.locator('button:visible').count()).toBe(0);
    // The table is whole, and nothing on paper scrolls.
    const table = page.locator('.records');
    expect(await table.evaluate((element) => element.parentElement!.clientHeight >= element.clientHeight)).toBe(true);
  });
});

/** Returns where tiles are, all at one moment: what stands above them may still grow. */
const boxesOf = (page: Page): Promise<DOMRect[]> =>
  page.locator('article').evaluateAll((all) => all.map((element): DOMRect => element.getBoundingClientRect().toJSON()));

/** No outline of the small map of the world goes around it where a coast crosses the date line; units are degrees. */
const longestStep = (page: Page): Promise<number> =>
  page.locator('.world .land').evaluateAll((all) => {
    const rings = all.flatMap((element) => element.getAttribute('d')!.split('M').slice(1));
    const steps = rings.flatMap((ring) => {
      const xs = ring.split('L').map((point) => Number.parseFloat(point));
      return xs.slice(1).map((x, i) => Math.abs(x - xs[i]!));
    });
    return Math.max(0, ...steps);
  });
