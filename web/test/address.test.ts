import type { TileContent } from '@catchment/dashboard-view';
import type { Page } from 'playwright-core';
import { PERIOD, series, stage } from './fixture/dashboard.ts';
import { type InBrowser, inBrowser } from './fixture/in-browser.ts';
import { asked, drawn, only, until, widthAsked } from './fixture/one-tile.ts';

let chromium: InBrowser;
beforeAll(async () => {
  chromium = await inBrowser();
});
afterEach(() => chromium.closePages());
afterAll(() => chromium?.close());

const CHART: TileContent = {
  type: 'STANDARD_CHART',
  period: 'NOW-7D',
  zoom: true,
  dataUrl: '/data/one',
  revision: '1',
  series: [series('Gage height', 'ft', '#2f7ed8')],
};
const chart = () => only(CHART, { '/data/one': { kind: 'chart', series: [stage], ...PERIOD } }, { label: 'Level' });
const week = PERIOD.end - PERIOD.start;
const PART = '2018-06-16T00:00:00.000Z/2018-06-17T00:00:00.000Z';

const partIn = (page: Page) => new URL(page.url()).searchParams.get('zoom.only');
/** The text is shown where no pointer reads a record. */
async function everything(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await page.getByText('0.45 to 1.46').waitFor();
}
async function press(page: Page, key: string): Promise<string> {
  const before = partIn(page);
  await page.getByRole('application').focus();
  await page.keyboard.press(key);
  await until(() => partIn(page) !== before);
  return partIn(page)!;
}

describe('the part of a chart that is shown', () => {
  test('is in the address: the next reader sees it, and the server is not asked with it but for records', async () => {
    const { page } = await chromium.open(chart(), { query: '?header=none' });
    await drawn(page);
    const part = await press(page, '+');
    expect(page.url()).toContain('?header=none&zoom.only=2018-06-');
    const { search } = new URL(page.url());
    const { page: shared, server } = await chromium.open(chart(), { query: search });
    await drawn(shared);
    expect(partIn(shared)).toBe(part);
    const shown = asked(server, '/data/one').filter((query) => query.has('start'));
    expect(shown.map(widthAsked)).toEqual([week / 2]);
    expect(
      server.asked.filter((address) => address.includes('zoom.') && !address.includes('/public/dash/demo?')),
    ).toEqual([]);
    expect(server.asked.filter((address) => /\/(?:view|stream)\?/.test(address))).toEqual([
      '/public/dash/demo/stream?header=none',
    ]);
  });

  test('is one step for «back», however often it has moved, and forward leads to the last one', async () => {
    const { page, server } = await chromium.open(chart());
    await drawn(page);
    await press(page, '+');
    const last = await press(page, '+');
    await page.goBack();
    await everything(page);
    expect(page.url()).toBe(server.url);
    await page.goForward();
    await until(async () => (await page.getByText('0.45 to 1.46').count()) === 0);
    expect(partIn(page)).toBe(last);
    await page.reload();
    await drawn(page);
    expect(partIn(page)).toBe(last);
    expect(widthAsked(asked(server, '/data/one').at(-1)!)).toBe(week / 4);
  });

  test.each([
    ['that was chosen here', ''],
    ['that came with the address', `?zoom.only=${PART}`],
  ])('leaves the address by a double click: one %s', async (_what, query) => {
    const { page, server } = await chromium.open(chart(), { query });
    await drawn(page);
    if (query === '') await press(page, '+');
    await page.locator('.u-over').dblclick();
    await everything(page);
    await until(() => page.url() === server.url);
    // The next one is a step again.
    await press(page, '+');
    await page.goBack();
    await everything(page);
  });

  test.each([
    ['is no part', 'yesterday'],
    ['ends before it begins', PART.split('/').reverse().join('/')],
    ['the server refuses', '9000-01-01T00:00:00Z/9001-01-01T00:00:00Z'],
  ])('is everything where what the address says %s', async (_what, value) => {
    const fixture = chart();
    const refuses = (query: URLSearchParams) => (query.get('start')?.startsWith('9000') ? 400 : undefined);
    const sources = { ...fixture.sources, '/data/one': { ...fixture.sources['/data/one']!, refuses } };
    const { page, server, problems } = await chromium.open({ ...fixture, sources }, { query: `?zoom.only=${value}` });
    await everything(page);
    await until(() => page.url() === server.url);
    expect(problems).toEqual([]);
  });
});

describe('the zone of times', () => {
  const zone = (page: Page) => page.getByLabel('Time zone');
  const withOwn = () => {
    const fixture = chart();
    return { ...fixture, view: { ...fixture.view, ownTimezone: 'America/New_York' } };
  };

  test('is shown at the head of the page, with those near at hand first and then all others', async () => {
    const { page } = await chromium.open(withOwn(), { timezoneId: 'Asia/Kathmandu' });
    expect(await zone(page).inputValue()).toBe('America/New_York');
    await until(async () => (await zone(page).locator('option').count()) > 300);
    const texts = await zone(page).locator('option').allTextContents();
    expect(texts.slice(0, 3)).toEqual(['America/New_York', expect.stringMatching(/^Asia\/Kath?mandu$/), 'UTC']);
    const groups = await zone(page)
      .locator('optgroup')
      .evaluateAll((all) => all.map((element) => element.getAttribute('label')));
    expect(groups).toEqual(['Of this page', 'Of this device', 'Of the world', 'All zones']);
  });

  test('is chosen for the address: with it everything is shown, and the part of a chart stays', async () => {
    const { page, server } = await chromium.open(withOwn(), { query: `?zoom.only=${PART}` });
    await drawn(page);
    await zone(page).selectOption('Etc/UTC');
    await page.waitForURL(/timezone=Etc\/UTC&timezoneAdjustForDst=TRUE/);
    expect(partIn(page)).toBe(PART);
    await until(() => server.asked.some((address) => /^\/data\/one\?.*timezone=Etc%2FUTC/.test(address)));
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('timezone'));
  });

  test('stays as it is where the server does not know the one of the device, and says so', async () => {
    const init = () => {
      const { resolvedOptions } = Intl.DateTimeFormat.prototype;
      Intl.DateTimeFormat.prototype.resolvedOptions = function () {
        return { ...resolvedOptions.call(this), timeZone: 'Mars/Olympus' };
      };
    };
    const { page, server, problems } = await chromium.open(withOwn(), { init });
    await drawn(page);
    await zone(page).selectOption('Mars/Olympus');
    await page.getByText('The server does not know the zone Mars/Olympus.').waitFor();
    expect(await zone(page).inputValue()).toBe('America/New_York');
    expect(page.url()).toBe(server.url);
    await page.getByText('Times in America/New_York').waitFor();
    expect(problems).toEqual([]);
  });

  test('is UTC where the browser does not know the one of the page', async () => {
    const fixture = chart();
    const { page, problems } = await chromium.open({ ...fixture, view: { ...fixture.view, timezone: 'Mars/Olympus' } });
    await drawn(page);
    await page.getByText('Times in UTC: this browser does not know Mars/Olympus').waitFor();
    expect(problems).toEqual([]);
  });
});
