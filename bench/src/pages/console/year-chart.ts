import { atMostOfFloor, figure, type Row } from '../../report.ts';
import { inTurns } from '../../watch/in-turns.ts';
import { untilQuiet } from './probe.ts';
import { countRequests } from './requests.ts';
import { addressOf, openContext, openPage, SLOWER, type Stage } from './stage.ts';

const YEAR_MS = 365 * 86_400_000;
const WIDTH = 1_000;
const AT_ONCE = 4;
/** The bar compares with the reads of its lines alone, a few at a time. */
const RATIO_BAR = 4;

/** A year of four series, with the year before laid over each, beside the same eight reads of the API. */
export async function measureYearChart(stage: Stage, runs: number): Promise<Row[]> {
  const requests: number[] = [];
  const open = async () => {
    const context = await openContext(stage);
    try {
      const { page, client } = await openPage(context);
      const [first = '', ...others] = stage.charted;
      // The page has the rest of what it needs already.
      await page.goto(addressOf(stage, `n/${first}/alarms`));
      await untilQuiet(page);
      const counted = await countRequests(client);
      const path = `n/${first}/chart?range=NOW-1Y&with=${others.join()}&shift=1Y`;
      const began = performance.now();
      await page.goto(addressOf(stage, path), { waitUntil: 'commit' });
      await page.waitForFunction(DRAWN);
      const ms = performance.now() - began;
      requests.push(counted.all().filter(({ url }) => url.includes('/historic')).length);
      return ms;
    } finally {
      await context.close();
    }
  };
  const { ownMs, floorMs } = await inTurns(runs, open, () => reads(stage));
  const name = `a year of four series, the year before laid over, processor ${SLOWER} times slower`;
  return [
    atMostOfFloor(
      `${name}: drawn (its eight reads by the API: ${Math.round(floorMs)} ms)`,
      ownMs,
      'ms',
      floorMs,
      RATIO_BAR,
    ),
    figure('the same: reads of records', requests.at(-1) ?? Number.NaN, 'requests'),
  ];
}

/** All eight lines say their last record. */
const DRAWN = `(() => {
  const items = [...document.querySelectorAll('.legend li strong')];
  return items.length === 8 && items.every((item) => /\\d/.test(item.textContent));
})()`;

async function reads({ api, charted }: Stage): Promise<number> {
  const began = performance.now();
  const end = Date.now();
  const waiting = charted.flatMap((id) =>
    [0, 1].map((back) => {
      const at = (years: number) => new Date(end - (back + years) * YEAR_MS).toISOString();
      return `/nodes/${id}/historic?startTime=${at(1)}&endTime=${at(0)}&reduce=M4&width=${WIDTH}&renderType=VALUE`;
    }),
  );
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) (await api.get(next)).json;
    }),
  );
  return performance.now() - began;
}
