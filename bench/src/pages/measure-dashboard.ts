import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TileView } from '@catchment/dashboard-view';
import { QUIET_BROWSER, testChromium } from '@catchment/testkit';
import { type Browser, chromium } from 'playwright-core';
import { buildPage } from '../../../web/test/fixture/build-page.ts';
import { allTiles, PERIOD, STAGE, series, stage, tile } from '../../../web/test/fixture/dashboard.ts';
import { type Fixture, type PageServer, servePage } from '../../../web/test/fixture/page-server.ts';
import { atMost, figure, type Row } from '../report.ts';

const SLOWER = 4;
const RUNS = 7;
/** A page is at rest when its processor had no task of 50 ms for this long. */
const QUIET_MS = 5_000;
const KIB = 1_024;

/** Measures twenty tiles, eight of them charts of a week: how much script they need, and when the page can be used on a slow processor. */
export async function measureDashboard(): Promise<Row[]> {
  const built = await buildPage();
  const server = await servePage(built.folder, twentyTiles());
  const browser = await chromium.launch({
    executablePath: await testChromium(),
    args: QUIET_BROWSER,
  });
  try {
    const runs: Loaded[] = [];
    for (let n = 0; n < RUNS; n += 1) runs.push(await load(browser, server));
    const median = (of: (run: Loaded) => number) => runs.map(of).sort((a, b) => a - b)[Math.floor(RUNS / 2)]!;
    const scripts = await firstScripts(built.folder);
    const name = `a dashboard of 20 tiles, processor ${SLOWER} times slower`;
    return [
      atMost('script of the first view, br', scripts.br / KIB, 'KiB', 150),
      figure('the same, gzip', scripts.gz / KIB, 'KiB'),
      figure(
        `${name}: first content, median of ${RUNS}`,
        median((run) => run.firstContentMs),
        'ms',
      ),
      atMost(
        `${name}: interactive (all tiles, then no task over 50 ms for 5 s)`,
        median((run) => run.interactiveMs),
        'ms',
        1_500,
      ),
      figure(
        `${name}: longest task`,
        median((run) => run.longestMs),
        'ms',
      ),
      figure(
        `${name}: charts that are seen are drawn`,
        median((run) => run.drawnMs),
        'ms',
      ),
    ];
  } finally {
    await browser.close();
    await server.close();
    await built.remove();
  }
}

type Loaded = { firstContentMs: number; interactiveMs: number; longestMs: number; drawnMs: number };

/** Measures one visit with an empty cache, in ms since the navigation began; the content policy would refuse what the bench looks with. */
async function load(browser: Browser, server: PageServer): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, bypassCSP: true });
  try {
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.addInitScript({ content: OBSERVE });
    await page.goto(server.url);
    const waiting = { timeout: 120_000 };
    await page.waitForFunction('marks.drawnMs > 0', undefined, waiting);
    await page.waitForFunction(`performance.now() - lastTaskMs() > ${QUIET_MS}`, undefined, waiting);
    return (await page.evaluate(RESULT)) as Loaded;
  } finally {
    await context.close();
  }
}

/** Runs in the page, before its own script. */
const OBSERVE = `
  globalThis.marks = { tasks: [], tilesMs: 0, drawnMs: 0 };
  globalThis.lastTaskMs = () => Math.max(0, ...marks.tasks.map(([start, duration]) => start + duration));
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) marks.tasks.push([startTime, duration]);
  }).observe({ type: 'longtask', buffered: true });
  const look = () => {
    if (marks.tilesMs === 0 && document.querySelectorAll('article').length >= 20) marks.tilesMs = performance.now();
    const seen = [...document.querySelectorAll('.of-standard-chart')].filter((one) => one.getBoundingClientRect().top < innerHeight);
    const isDrawn = (one) => /\\d/.test(one.querySelector('.legend strong')?.textContent ?? '');
    if (marks.tilesMs > 0 && seen.length > 0 && seen.every(isDrawn)) marks.drawnMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;
const RESULT = `({
  firstContentMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  interactiveMs: Math.max(lastTaskMs(), marks.tilesMs),
  longestMs: Math.max(0, ...marks.tasks.map(([, duration]) => duration)),
  drawnMs: marks.drawnMs,
})`;

/** Returns the entry and all that it imports before it runs. */
async function firstScripts(folder: string): Promise<{ br: number; gz: number }> {
  const manifest: Record<string, { file: string; imports?: string[] }> = JSON.parse(
    await readFile(path.join(folder, '.vite/manifest.json'), 'utf8'),
  );
  const files = new Set<string>();
  const add = (key: string) => {
    const entry = manifest[key]!;
    if (files.has(entry.file)) return;
    files.add(entry.file);
    for (const imported of entry.imports ?? []) add(imported);
  };
  add('src/main.tsx');
  // The build leaves out a compressed file that is no smaller: the file goes as it is.
  const sentAs = (file: string, ending: string) =>
    stat(path.join(folder, `${file}.${ending}`)).catch(() => stat(path.join(folder, file)));
  const sum = async (ending: string) =>
    (await Promise.all([...files].map((file) => sentAs(file, ending)))).reduce((bytes, { size }) => bytes + size, 0);
  return { br: await sum('br'), gz: await sum('gz') };
}

/** Returns eight charts, six values and one of each other type. */
function twentyTiles(): Fixture {
  const all = allTiles();
  const others = all.view.tiles.filter(({ id }) => ['list', 'half', 'records', 'alarms', 'text', 'map'].includes(id));
  const tiles: TileView[] = [
    ...Array.from({ length: 6 }, (_, i) => tile(`value ${i}`, [i * 2, 0, 2, 2], { type: 'VALUE', parameter: STAGE })),
    ...Array.from({ length: 8 }, (_, i) =>
      tile(`chart ${i}`, [(i % 2) * 6, 2 + Math.floor(i / 2) * 4, 6, 4], {
        type: 'STANDARD_CHART',
        period: 'NOW-7D',
        zoom: true,
        series: [series('Gage height', 'ft', '#2f7ed8', { fill: true }), series('Discharge', 'ft³/s', '#910000')],
        dataUrl: `/data/chart/${i}`,
        revision: '1',
      }),
    ),
    ...others.map((other, i) => ({ ...other, x: (i % 3) * 4, y: 18 + Math.floor(i / 3) * 4, w: 4, h: 4 })),
  ];
  const charts = Array.from({ length: 8 }, (_, i) => [
    `/data/chart/${i}`,
    { kind: 'chart' as const, series: [stage, stage], ...PERIOD },
  ]);
  return { view: { ...all.view, tiles }, sources: { ...all.sources, ...Object.fromEntries(charts) } };
}
