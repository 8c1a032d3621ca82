import type { TileContent } from '@catchment/dashboard-view';
import type { Locator, Page } from 'playwright-core';
import { canvasTexts, columnsIn, lowestIn } from './fixture/canvas.ts';
import { allTiles, PERIOD, series, stage, tile } from './fixture/dashboard.ts';
import { type InBrowser, inBrowser, picture } from './fixture/in-browser.ts';
import { asked, drawn, only, until, widthAsked } from './fixture/one-tile.ts';
import type { Fixture, PageServer } from './fixture/page-server.ts';

let chromium: InBrowser;
beforeAll(async () => {
  chromium = await inBrowser();
});
afterEach(() => chromium.closePages());
afterAll(() => chromium?.close());

const tileOf = (page: Page, name: string): Locator => page.getByRole('article', { name, exact: true });
const pathOf = (address: string): string => address.split('?')[0]!;
const chartOf = (page: Page): Locator => page.getByRole('application');

describe('charts', () => {
  const content: TileContent = {
    type: 'STANDARD_CHART',
    period: 'NOW-7D',
    zoom: true,
    dataUrl: '/data/one',
    revision: '1',
    series: [series('Gage height', 'ft', '#2f7ed8')],
  };
  const chart = () => only(content, { '/data/one': { kind: 'chart', series: [stage], ...PERIOD } }, { label: 'Level' });
  const last = (server: PageServer) => asked(server, '/data/one').at(-1)!;
  const week = PERIOD.end - PERIOD.start;

  test('keys zoom and move, each asks for what is shown, and everything can be shown again', async () => {
    const { page, server } = await chromium.open(chart());
    await drawn(page);
    expect(Number(last(server).get('width'))).toBeGreaterThan(1_000);
    await page.keyboard.press('Tab');
    while (!(await chartOf(page).evaluate((element) => element === document.activeElement)))
      await page.keyboard.press('Tab');
    await page.keyboard.press('+');
    await until(() => asked(server, '/data/one').length === 2);
    expect(widthAsked(last(server))).toBeCloseTo(week / 2, -1);
    const middle = Date.parse(last(server).get('start')!);
    await page.keyboard.press('ArrowRight');
    await until(() => asked(server, '/data/one').length === 3);
    expect(Date.parse(last(server).get('start')!) - middle).toBeCloseTo(week / 10, -1);
    for (let i = 0; i < 9; i += 1) await page.keyboard.press('ArrowRight');
    await until(() => asked(server, '/data/one').length >= 4);
    await until(() => Date.parse(last(server).get('end')!) === PERIOD.end);
    const showsFrom = (time: string) =>
      page.locator('.unseen', { hasText: `from ${time}` }).waitFor({ state: 'attached' });
    // The answer for the later half is there: nothing more is asked for by itself.
    await showsFrom('Jun 18, 2018, 23:00:00');
    const count = asked(server, '/data/one').length;
    await page.keyboard.press('0');
    await showsFrom('Jun 15, 2018, 11:00:00');
    await page.getByText('0.45 to 1.46').waitFor();
    // The earlier part is still known.
    expect(asked(server, '/data/one')).toHaveLength(count);
    await picture(page, 'chart');
  });

  test('a part is chosen by dragging, and moved with Shift; buttons do the same', async () => {
    const { page, server } = await chromium.open(chart());
    await drawn(page);
    const box = (await page.locator('.u-over').boundingBox())!;
    const drag = async (from: number, to: number) => {
      await page.mouse.move(box.x + box.width * from, box.y + 100);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * ((from + to) / 2), box.y + 100);
      await page.mouse.move(box.x + box.width * to, box.y + 100);
      await page.mouse.up();
    };
    await drag(0.25, 0.75);
    await until(() => asked(server, '/data/one').length === 2);
    expect(widthAsked(last(server)) / week).toBeCloseTo(0.5, 1);
    const start = Date.parse(last(server).get('start')!);
    await page.keyboard.down('Shift');
    await drag(0.2, 0.6);
    await page.keyboard.up('Shift');
    // A movement that rests on its way asks there, too.
    await until(() => Math.abs((start - Date.parse(last(server).get('start')!)) / week - 0.2) < 0.05);
    await page.getByRole('button', { name: 'Show everything' }).click();
    await page.getByText('0.45 to 1.46').waitFor();
  });

  test('a wheel zooms with Ctrl or with the focus; otherwise it scrolls the page', async () => {
    const { page, server } = await chromium.open(chart());
    await drawn(page);
    const box = (await page.locator('.u-over').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await page.mouse.wheel(0, -200);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -200);
    await page.keyboard.up('Control');
    // Turns come in their order: one of them alone has zoomed.
    await until(() => asked(server, '/data/one').length === 2);
    expect(widthAsked(last(server)) / week).toBeCloseTo(Math.exp(-0.4), 3);
  });

  test('two fingers zoom', async () => {
    const { page, server } = await chromium.open(chart(), { hasTouch: true });
    await drawn(page);
    const box = (await page.locator('.u-over').boundingBox())!;
    const client = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
      client.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [-1, 1].map((side, id) => ({ x: box.x + box.width / 2 + side * apart, y: box.y + 100, id })),
      });
    await touch('touchStart', 60);
    for (const apart of [90, 120, 180, 240]) await touch('touchMove', apart);
    await touch('touchEnd', 0);
    await until(() => asked(server, '/data/one').length > 1 && widthAsked(last(server)) / week < 0.5);
  });

  test('a chart without zoom takes no keys', async () => {
    const { page } = await chromium.open(only({ ...content, zoom: false }, chart().sources, { label: 'Level' }));
    await drawn(page);
    expect(await chartOf(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Zoom in' }).count()).toBe(0);
  });

  test('a spike of one record in a year of minutes is seen', async () => {
    const minutes = 365 * 1_440;
    const start = Date.UTC(2023, 0, 1);
    const values = Array.from({ length: minutes }, (_, i) => (i === 300_017 ? 100 : Math.sin(i / 5_000)));
    const year = { times: values.map((_, i) => start + i * 60_000), values };
    const fixture = only(
      { ...content, series: [series('Level', 'm', '#ff0000')] },
      {
        '/data/one': { kind: 'chart', series: [year], start, end: start + (minutes - 1) * 60_000 },
      },
    );
    const { page } = await chromium.open(fixture);
    await drawn(page);
    // The line's colour is in these rows of the canvas: they reach from the spike down to the others without a hole.
    const rows = await page.locator('.plot canvas').evaluate((canvas: HTMLCanvasElement) => {
      const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return Array.from({ length: height }, (_, y) => {
        for (let x = 100; x < width; x += 1) {
          const at = (y * width + x) * 4;
          if (data[at]! > 200 && data[at + 1]! < 120 && data[at + 3]! > 60) return true;
        }
        return false;
      });
    });
    const from = rows.indexOf(true);
    const to = rows.lastIndexOf(true);
    expect(to - from).toBeGreaterThan(rows.length * 0.5);
    expect(rows.slice(from, to).every(Boolean)).toBe(true);
  });

  test('a gap stays a gap', async () => {
    const times = Array.from({ length: 100 }, (_, i) => PERIOD.start + i * 60_000);
    const gap = { times, values: times.map((_, i) => (i >= 40 && i < 60 ? null : 5)) };
    const fixture = only(
      { ...content, series: [series('Level', 'm', '#ff0000')] },
      {
        '/data/one': { kind: 'chart', series: [gap], start: times[0]!, end: times.at(-1)! },
      },
    );
    const { page } = await chromium.open(fixture);
    await drawn(page);
    const { over, red } = await page.locator('.plot').evaluate((plot) => {
      const canvas = plot.querySelector('canvas')!;
      const { data, width, height } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const isRed = (x: number) =>
        Array.from({ length: height }, (_, y) => (y * width + x) * 4).some(
          (at) => data[at]! > 200 && data[at + 1]! < 120 && data[at + 3]! > 60,
        );
      const box = plot.querySelector<HTMLElement>('.u-over')!;
      return {
        over: { left: box.offsetLeft, width: box.offsetWidth },
        red: Array.from({ length: width }, (_, x) => isRed(x)),
      };
    });
    const at = (share: number) => red[Math.round(over.left + over.width * share)];
    expect([0.1, 0.35, 0.45, 0.5, 0.55, 0.65, 0.9].map(at)).toEqual([true, true, false, false, false, true, true]);
  });

  test('the pointer shows the values of an instant; screen readers get them in words', async () => {
    const { page } = await chromium.open(chart());
    await drawn(page);
    await page
      .locator('.unseen', {
        hasText: /Gage height: last 0.46.ft at Jun 22, 2018, 11:00:00, minimum 0.45.ft, maximum 1.46.ft/,
      })
      .first()
      .waitFor({ state: 'attached' });
    const box = (await page.locator('.u-over').boundingBox())!;
    await page.mouse.move(box.x + 40, box.y + 50);
    await page.locator('.legend .at', { hasText: 'Jun 15, 2018' }).waitFor();
  });

  /** Makes hours with an outage from the 40th to the 80th, a neighbour far before the range, and one far after it. */
  const withOutage = (fill = false): Fixture => {
    const hours = [-9_000, ...Array.from({ length: 100 }, (_, i) => i).filter((i) => i < 40 || i >= 80), 9_000];
    const times = hours.map((hour) => PERIOD.start + hour * 3_600_000);
    const values = hours.map((hour) => (hour < 0 || hour > 1_000 ? 1e6 : 3 + (hour % 5)));
    const source = { kind: 'chart' as const, series: [{ times, values, gapMs: 3 * 3_600_000 }] };
    const own = { ...content, series: [series('Level', 'm', '#ff0000', { fill })] };
    const [start, end] = [PERIOD.start, PERIOD.start + 99 * 3_600_000];
    return only(own, { '/data/one': { ...source, start, end } }, { label: 'Level' });
  };

  test('an outage is not drawn, and neighbours behind one count nowhere', async () => {
    const { page } = await chromium.open(withOutage());
    await drawn(page);
    await page.getByText('3.00 to 7.00').waitFor();
    const red = await columnsIn(page);
    expect([0.02, 0.2, 0.38, 0.45, 0.6, 0.78, 0.85, 0.98].map(red)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      true,
      true,
    ]);
    await picture(page, 'outage');
  });

  test('the record that is read out is the one that is marked, with its own time', async () => {
    const { page } = await chromium.open(withOutage());
    await drawn(page);
    const box = (await page.locator('.u-over').boundingBox())!;
    const placeOf = async () => {
      const marker = (await page.locator('.u-cursor-pt').boundingBox())!;
      return (marker.x + marker.width / 2 - box.x) / box.width;
    };
    // The pointer is between two records, nearer to the later one.
    await page.mouse.move(box.x + (10.6 / 99) * box.width, box.y + 50);
    const time = new Date(PERIOD.start + 11 * 3_600_000);
    const zone = { timeZone: 'America/New_York', dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' } as const;
    await page
      .locator('.legend .at', { hasText: time.toLocaleString('en-US', zone).replaceAll('\u202f', ' ') })
      .waitFor();
    expect(await page.locator('.legend strong').textContent()).toBe('4.00\u00a0m');
    expect((await placeOf()) * 99).toBeCloseTo(11, 0);
    await page.mouse.move(box.x + (60 / 99) * box.width, box.y + 50);
    await page.locator('.legend strong', { hasText: '–' }).waitFor();
    expect(await page.locator('.legend').textContent()).not.toContain('1000000');
  });

  test('an area begins at zero; a chart without values says so, and has no numbers beside it', async () => {
    const { page } = await chromium.open(withOutage(true));
    await drawn(page);
    expect(await lowestIn(page)).toBeGreaterThan(0.97);
    const empty: Fixture = only(content, {
      '/data/one': { kind: 'chart', series: [{ times: [], values: [] }], ...PERIOD },
    });
    const { page: nothing } = await chromium.open(empty, { init: canvasTexts.record });
    await nothing.getByText('No data').waitFor();
    expect((await canvasTexts.of(nothing)).filter((text) => /^-?[\d.,]+$/.test(text))).toEqual([]);
  });

  test.each([
    ['steps of two and a half', [1.3, 8.9], ['2.5', '5.0', '7.5']],
    ['a counter of millions', [20_000_000, 20_000_004], ['20,000,001.5', '20,000,002.0']],
    ['huge ones', [-1.7e308, 1.7e308], ['4E307']],
    ['equal ones', [5, 5, 5], []],
  ] as const)('the numbers beside the axis are those of their places: %s', async (_what, values, expected) => {
    const times = values.map((_, i) => PERIOD.start + (i + 1) * 3_600_000);
    const fixture = only(content, { '/data/one': { kind: 'chart', series: [{ times, values }], ...PERIOD } });
    const { page } = await chromium.open(fixture, { init: canvasTexts.record });
    await drawn(page);
    const texts = await canvasTexts.of(page);
    expect(texts).toEqual(expect.arrayContaining([...expected]));
    expect(texts.join(' ')).not.toMatch(/Infinity|NaN/);
    expect((await page.locator('.legend').textContent())!.length).toBeLessThan(120);
  });

  test('charts out of sight wait, and no more than four requests are open', async () => {
    const fixture = allTiles();
    const tiles = Array.from({ length: 30 }, (_, i) =>
      tile(
        `chart ${i}`,
        [(i % 3) * 4, Math.floor(i / 3) * 3, 4, 3],
        { ...content, dataUrl: `/data/${i}` },
        { label: `Chart ${i}` },
      ),
    );
    const sources = Object.fromEntries(
      tiles.map((_, i) => [`/data/${i}`, { kind: 'chart' as const, series: [stage], ...PERIOD }]),
    );
    // Charts out of sight are drawn too after some seconds: on a slow machine these pass before the test has looked.
    const init = () => {
      const { setTimeout: later } = window;
      window.setTimeout = ((work: () => void, ms = 0) => (ms < 5_000 ? later(work, ms) : 0)) as typeof setTimeout;
    };
    const { page, server } = await chromium.open({ view: { ...fixture.view, tiles }, sources }, { init });
    await drawn(page);
    const near = await page
      .locator('.plot')
      .evaluateAll((all) => all.filter((element) => element.getBoundingClientRect().top < innerHeight + 300).length);
    expect(near).toBeLessThan(20);
    const chartsAsked = () => new Set(server.asked.filter((path) => path.startsWith('/data/')).map(pathOf)).size;
    await until(() => chartsAsked() >= near);
    expect(chartsAsked()).toBe(near);
    await tileOf(page, 'Chart 29').scrollIntoViewIfNeeded();
    await until(() => server.asked.some((path) => path.startsWith('/data/29')));
    expect(server.mostAtOnce()).toBeLessThanOrEqual(4);
  });
});
