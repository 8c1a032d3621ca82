import { seededRandom } from '@catchment/testkit';
import type { Page } from 'playwright-core';
import { figure, type Row } from '../../report.ts';
import { ROWS } from './probe.ts';
import { addressOf, openContext, openPage, type Stage } from './stage.ts';

const LATENCY_MS = 400;
const LOSS = 0.01;
const SEED = 20_261_127;
const LOADS = 8;
/** The page says here since when it is not connected. */
const AWAY = '.connection p:not(.is-calm)';
/** A person waits so long at most before the page must show something, on such a network. */
const LIMIT_MS = 30_000;
/** The streams open after the first picture; a cut of a browser's network lets answers through that are on their way. */
const STREAMS = [/\/nodes\/stream/, /\/events\/stream/];

/**
 * Measures on a network of 400 ms on which one request in a hundred fails, and the streams break: how long pages take, and whether one of
 * them stays without its rows and without a word.
 */
export async function measureLossyNetwork(stage: Stage): Promise<Row[]> {
  const context = await openContext(stage);
  const random = seededRandom(SEED);
  let asked = 0;
  let failed = 0;
  const took: number[] = [];
  const back: number[] = [];
  let silent = 0;
  let worstFrameMs = 0;
  try {
    const { page, client } = await openPage(context);
    await client.send('Network.enable');
    const network = { offline: false, latency: LATENCY_MS, downloadThroughput: -1, uploadThroughput: -1 };
    await client.send('Network.emulateNetworkConditions', network);
    await page.route(/\/api\/|\/assets\//, (route) => {
      asked += 1;
      if (random() >= LOSS) return route.continue();
      failed += 1;
      return route.abort('connectionreset');
    });
    for (let n = 0; n < LOADS; n += 1) {
      const path = n % 2 === 0 ? 'overview' : 'alarms';
      const began = performance.now();
      const streams = Promise.all(STREAMS.map((stream) => page.waitForResponse(stream))).catch(() => undefined);
      await page.goto(addressOf(stage, path), { waitUntil: 'commit' });
      await page.evaluate('probe.watchFrames()');
      if (!(await isThere(page, path))) {
        if (!(await saysWhy(page))) silent += 1;
        continue;
      }
      took.push(performance.now() - began);
      await streams;
      await client.send('Network.emulateNetworkConditions', { ...network, offline: true });
      await page.locator(AWAY).waitFor();
      await client.send('Network.emulateNetworkConditions', network);
      const broken = performance.now();
      await page.locator(AWAY).waitFor({ state: 'detached' });
      back.push(performance.now() - broken);
      worstFrameMs = Math.max(worstFrameMs, (await page.evaluate('probe.worstFrameMs')) as number);
    }
    const name = `network of ${LATENCY_MS} ms, ${failed} of ${asked} requests fail`;
    return [
      {
        ...figure(`${name}: pages without their rows and without a word, of ${LOADS}`, silent, 'pages'),
        bar: 0,
        holds: silent === 0,
      },
      figure(`the same: pages with their rows, of ${LOADS}`, took.length, 'pages'),
      figure('the same: rows are there, the slowest', Math.max(...took) / 1_000, 's'),
      figure('the same: the streams break and come back by themselves, the slowest', Math.max(...back) / 1_000, 's'),
      figure('the same: longest time between two frames', worstFrameMs, 'ms'),
    ];
  } finally {
    await context.close();
  }
}

const isThere = (page: Page, path: 'overview' | 'alarms'): Promise<boolean> =>
  page
    .locator(ROWS[path])
    .first()
    .waitFor({ timeout: LIMIT_MS })
    .then(
      () => true,
      () => false,
    );

/** Returns true when the page says why, with a way to try again. */
const saysWhy = async (page: Page): Promise<boolean> =>
  (await page.locator('.late:visible, button:visible').filter({ hasText: /again/i }).count()) > 0;
