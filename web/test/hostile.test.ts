import { paletteColor, type TileContent, type TileView } from '@catchment/dashboard-view';
import { until } from '@catchment/testkit';
import type { Page } from 'playwright-core';
import { canvasTexts, columnsIn } from './fixture/canvas.ts';
import { allTiles, NOW, PERIOD, parameter, series, stage, tile } from './fixture/dashboard.ts';
import { type InBrowser, inBrowser, picture } from './fixture/in-browser.ts';
import { drawn, only } from './fixture/one-tile.ts';

let chromium: InBrowser;
beforeAll(async () => {
  chromium = await inBrowser();
});
afterEach(() => chromium.closePages());
afterAll(() => chromium?.close());

const YEAR = 365.25 * 86_400_000;
const chart = (more: Partial<Extract<TileContent, { type: 'STANDARD_CHART' }>> = {}): TileContent => ({
  type: 'STANDARD_CHART',
  period: 'NOW-10Y',
  zoom: true,
  dataUrl: '/data/one',
  revision: '1',
  series: [series('Level', 'm', '#ff0000')],
  ...more,
});

describe('series that are hard to draw', () => {
  test.each([
    ['one record in ten years', [5], '5.00 to 5.00'],
    ['zeros', [0, 0, 0, 0], '0.00 to 0.00'],
    ['equal and huge', [-1.7e308, -1.7e308, -1.7e308, -1.7e308], '-1.7e308 to -1.7e308'],
    ['equal and tiny', [5e-324, 5e-324, 5e-324, 5e-324], '0.00 to 0.00'],
    ['both ends of all numbers', [-1.7e308, 1.7e308, -1.7e308, 1.7e308], '-1.7e308 to 1.7e308'],
  ])('%s: there is a mark, numbers are numbers, and each can be read', async (_what, values, range) => {
    const times = values.map((_, i) => NOW - 5 * YEAR + i * (YEAR / 2));
    const source = { kind: 'chart' as const, series: [{ times, values }], start: NOW - 10 * YEAR, end: NOW };
    const { page, problems } = await chromium.open(only(chart(), { '/data/one': source }), {
      init: canvasTexts.record,
    });
    await drawn(page);
    await page.getByText(range).first().waitFor();
    const texts = await canvasTexts.of(page);
    expect(texts.filter((text) => /\d/.test(text)).length).toBeGreaterThan(5);
    expect(texts.join(' ')).not.toMatch(/Infinity|NaN|undefined/);
    const red = await columnsIn(page);
    expect([0.498, 0.499, 0.5, 0.501, 0.502].some(red)).toBe(true);
    const box = (await page.locator('.u-over').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 50);
    await page.locator('.legend .at', { hasText: 'Jun 22, 2013' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('forty series: each is in the legend with a look of its own, and the plot stays', async () => {
    const all = Array.from({ length: 40 }, (_, i) => series(`Series ${i} of the weir`, 'm', paletteColor(i)));
    const times = Array.from({ length: 50 }, (_, i) => PERIOD.start + (i * (PERIOD.end - PERIOD.start)) / 49);
    const source = {
      kind: 'chart' as const,
      series: all.map((_, k) => ({ times, values: times.map((_, i) => k + Math.sin((i + k) / 7)) })),
      ...PERIOD,
    };
    const fixture = only(chart({ series: all }), { '/data/one': source });
    for (const width of [1_280, 360]) {
      const { page } = await chromium.open(fixture, { viewport: { width, height: 800 } });
      await drawn(page);
      const looks = await page
        .locator('.legend .swatch')
        .evaluateAll((list) =>
          list.map(
            (element) =>
              `${getComputedStyle(element).stroke} ${element.firstElementChild!.getAttribute('stroke-dasharray')}`,
          ),
        );
      expect([looks.length, new Set(looks).size]).toEqual([40, 40]);
      const boxOf = async (part: string) => (await page.locator(part).boundingBox())!;
      await until(
        async () => {
          const { y, height } = await boxOf('.u-over');
          return (await boxOf('.legend')).y >= y + height;
        },
        { what: 'the plot has made room for its legend' },
      );
      const [box, atRest] = [await boxOf('.u-over'), await boxOf('.legend')];
      await page.mouse.move(box.x + box.width / 2, box.y + 20);
      await page.locator('.legend .at').waitFor();
      await picture(page, `forty-${width}`);
      const [frame, readout] = [await boxOf('.chart'), await boxOf('.legend')];
      // The readout lies below the plot, takes no more than it did, and can be scrolled to.
      expect(readout.y).toBeGreaterThanOrEqual(box.y + box.height);
      expect(readout.height).toBeCloseTo(atRest.height, 0);
      expect(box.height / frame.height).toBeGreaterThan(0.4);
      await page.locator('.legend li').last().scrollIntoViewIfNeeded();
      expect(await page.locator('.legend li').last().textContent()).toMatch(/^Series 39 of the weir \d/);
    }
  });
});

/** Both have 255 characters: words, and a text without any place to break it. */
const WORDS = 'محطة قياس منسوب المياه عند الجسر القديم '.repeat(7).slice(0, 255);
const UNBROKEN = 'م'.repeat(255);

describe('names of 255 characters in Arabic', () => {
  const named = (name: string) => {
    const fixture = allTiles();
    const more = { state: { name, isAlarm: true } };
    const contents: TileContent[] = [
      { type: 'VALUE', parameter: parameter(name, 'م', 4.5, more) },
      { type: 'VALUE_LIST', parameters: [parameter(name, 'م', 4.5, more), parameter('Level', 'm', 1)] },
      { type: 'SOLID_GAUGE', parameter: parameter(name, 'م', 4.5, more), minimum: 0, maximum: 10, shape: 'HALF' },
      chart({ series: [series(name, 'م', '#2f7ed8'), series('Level', 'm', '#0d233a')] }),
      { type: 'HISTORIC_TABLE', period: 'NOW-7D', dataUrl: '/data/named', revision: '1' },
      { type: 'ALARM_SUMMARY', name, period: 'NOW-7D', counts: [{ eventType: 'STATE', count: 1 }] },
    ];
    const tiles: TileView[] = contents.map((content, i) =>
      tile(`t${i}`, [(i % 3) * 4, Math.floor(i / 3) * 3, 4, 3], content, { label: name }),
    );
    const table = {
      columns: [{ name, units: 'م' }],
      rows: [{ time: new Date(NOW).toISOString(), cells: ['4.50'] }],
      hasMore: false,
    };
    return {
      view: { ...fixture.view, name, description: name, account: { name, logoUrl: null }, tiles },
      sources: {
        '/data/one': { kind: 'chart' as const, series: [stage, stage], ...PERIOD },
        '/data/named': { kind: 'table' as const, table },
      },
    };
  };
  const directions = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((all) => all.map((element) => getComputedStyle(element).direction));

  test.each([
    ['words', 1_280, WORDS],
    ['words', 360, WORDS],
    ['no place to break', 1_280, UNBROKEN],
    ['no place to break', 360, UNBROKEN],
  ])('%s: they run from right to left, within their page of %i px', async (_what, width, name) => {
    const { page, problems } = await chromium.open(named(name), { viewport: { width, height: 900 } });
    await drawn(page);
    await picture(page, `arabic-${name === WORDS ? 'words' : 'unbroken'}-${width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    for (const selector of ['h1', 'h2', '.legend .name'])
      expect((await directions(page, selector))[0], selector).toBe('rtl');
    // Numbers keep their place: a sign in front, units behind.
    expect(await directions(page, '.value .number')).toEqual(['ltr']);
    const outside = await page.locator('.tile').evaluateAll((all) =>
      all.flatMap((element) => {
        const { right, left } = element.getBoundingClientRect();
        return [...element.querySelectorAll('h2, .number, .parameter, .legend li, canvas')]
          .filter((part) => !part.closest('.scrolls'))
          .filter(
            (part) => part.getBoundingClientRect().right > right + 1 || part.getBoundingClientRect().left < left - 1,
          )
          .map((part) => part.className || part.tagName);
      }),
    );
    expect(outside).toEqual([]);
    const plots = await page.locator('.u-over, .dial').evaluateAll((all) => all.map((element) => element.clientHeight));
    expect(Math.min(...plots)).toBeGreaterThan(40);
    expect(problems).toEqual([]);
  });
});
