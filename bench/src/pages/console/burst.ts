import { jts } from '../../../../e2e/src/api.ts';
import { CONSOLE } from '../../loads/node-data.ts';
import { atMost, figure, type Row } from '../../report.ts';
import { ROWS, untilQuiet } from './probe.ts';
import { countRequests } from './requests.ts';
import { addressOf, openContext, openPage, parametersOf, type Stage, sourceId, written } from './stage.ts';

const ALARMS = 5_000;
/** The page holds this many (web/src/data/alarms/alarms.ts). */
const HELD = 5_000;
const KIB = 1_024;
const TASK_MS = 100;
const AT_ONCE = 8;

/** Alarms are raised all at once while the page is open: the page reports them, and answers meanwhile. */
export async function measureBurst(stage: Stage): Promise<Row[]> {
  const context = await openContext(stage);
  try {
    const { page, client } = await openPage(context);
    await page.goto(addressOf(stage, 'alarms'));
    await page.locator(ROWS.alarms).first().waitFor();
    await untilQuiet(page);
    const counted = await countRequests(client);
    const sources = Array.from({ length: CONSOLE.sources }, (_, n) => n).filter((n) => n % 10 === 1 || n % 10 === 2);
    await page.evaluate('probe.watchFrames(); probe.beganMs = performance.now()');
    const began = performance.now();
    const now = new Date();
    let raised = 0;
    const documents = sources.flatMap((source) => {
      if (raised >= ALARMS) return [];
      const series = parametersOf(source).map(String);
      raised += series.length;
      const values = [now.toISOString(), ...series.map(() => 950)] as const;
      return [() => written(stage.api, sourceId(stage.account, source), jts(series, [values], 'mm'))];
    });
    const waiting = [...documents];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await next();
      }),
    );
    const writtenMs = performance.now() - began;
    await untilRaised(stage, raised, now.getTime());
    const raisedMs = performance.now() - began;
    await page
      .locator('.bell .count')
      .filter({ hasText: `${HELD}+` })
      .waitFor();
    const shownMs = performance.now() - began;
    await untilQuiet(page);
    const { worstFrameMs, longestMs } = (await page.evaluate(
      '({ worstFrameMs: probe.worstFrameMs, longestMs: probe.longestSince(probe.beganMs) })',
    )) as { worstFrameMs: number; longestMs: number };
    const requests = await counted.result();
    return [
      figure(`${raised} alarms at once: written`, writtenMs / 1_000, 's'),
      figure('the same: raised, as the API reports it', raisedMs / 1_000, 's'),
      figure('the same: on the page that is open', shownMs / 1_000, 's'),
      atMost('the same: longest task of the page meanwhile', longestMs, 'ms', TASK_MS),
      figure('the same: longest time between two frames', worstFrameMs, 'ms'),
      figure(
        `the same: requests of the page (${Math.round(requests.apiBytes / KIB)} KiB)`,
        requests.apiCount,
        'requests',
      ),
    ];
  } finally {
    await context.close();
  }
}

type AlarmPage = { readonly alarms: readonly { readonly activeTime?: string }[]; readonly next: string | null };

/** Waits until this many alarms have been raised since then. */
async function untilRaised({ api }: Stage, count: number, sinceMs: number): Promise<void> {
  for (let found = 0; found < count; ) {
    found = 0;
    // The list is newest first: a page with an older one has the last of them.
    for (let after = ''; ; ) {
      const page: AlarmPage = (await api.get(`/alarms?limit=1000${after && `&after=${after}`}`)).json;
      const fresh = page.alarms.filter(({ activeTime = '' }) => Date.parse(activeTime) >= sinceMs).length;
      found += fresh;
      if (page.next === null || fresh < page.alarms.length) break;
      after = page.next;
    }
  }
}
