import { atMost, figure, type Row } from '../../report.ts';
import { quantile } from '../../watch/in-turns.ts';
import { type ROWS, untilQuiet, untilSeen } from './probe.ts';
import { countRequests } from './requests.ts';
import { addressOf, type OpenPage, openBare, openContext, openPage, SLOWER, type Stage } from './stage.ts';

const BAR_MS = 1_000;
const KIB = 1_024;
/** The map needs this many Locations; beyond them nothing is read that is not looked at. */
const MOST_NODES = 3_000;

type Visit = {
  readonly seen: Partial<Record<keyof typeof ROWS, number>>;
  readonly contentMs: number;
  readonly longestMs: number;
};
type Page = 'overview' | 'alarms';
const LISTS: Readonly<Record<Page, readonly (keyof typeof ROWS)[]>> = {
  overview: ['overview', 'tree'],
  alarms: ['alarms'],
};

/** Measures how long the first rows take from the address on: with an empty cache, and for somebody who was there before. */
export async function measureFirstRows(stage: Stage, runs: number): Promise<Row[]> {
  const rows: Row[] = [];
  const floor: number[] = [];
  for (let n = 0; n < runs; n += 1) floor.push(await bareVisit(stage));
  rows.push(
    figure(
      `floor: a page of ten rows without script, processor ${SLOWER} times slower: first content`,
      quantile(floor, 0.5),
      'ms',
    ),
  );
  for (const path of ['overview', 'alarms'] as const) {
    const cold: Visit[] = [];
    const warm: Visit[] = [];
    for (let n = 0; n < runs; n += 1) {
      const context = await openContext(stage);
      cold.push(await visit(stage, context, path));
      warm.push(await visit(stage, context, path));
      await context.close();
    }
    const median = (all: readonly Visit[], of: (visit: Visit) => number) => quantile(all.map(of), 0.5);
    for (const list of LISTS[path]) {
      const seen = (visit: Visit) => visit.seen[list] ?? Number.NaN;
      rows.push(
        atMost(
          `${path}: first rows of ${NAMES[list]}, empty cache, median of ${runs}`,
          median(cold, seen),
          'ms',
          BAR_MS,
        ),
        atMost(`the same, visited before`, median(warm, seen), 'ms', BAR_MS),
      );
    }
    rows.push(
      figure(
        `${path}: first content, empty cache, visited before (${Math.round(median(warm, (visit) => visit.contentMs))} ms)`,
        median(cold, (visit) => visit.contentMs),
        'ms',
      ),
      figure(
        `${path}: longest task, visited before`,
        median(warm, (visit) => visit.longestMs),
        'ms',
      ),
      ...(await requestRows(stage, path)),
    );
  }
  return rows;
}

const NAMES = { overview: '3 000 places', tree: 'the tree', alarms: '2 000 alarms' } as const;

async function visit(stage: Stage, context: Awaited<ReturnType<typeof openContext>>, path: Page): Promise<Visit> {
  const { page, client } = await openPage(context);
  try {
    await showRows({ page, client }, stage, path);
    return (await page.evaluate(`({
      seen: probe.seen,
      contentMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      longestMs: probe.longestSince(0),
    })`)) as Visit;
  } finally {
    await page.close();
  }
}

async function showRows({ page, client }: Pick<OpenPage, 'page' | 'client'>, stage: Stage, path: Page): Promise<void> {
  await page.addInitScript({ content: `probe.lookFor(${JSON.stringify(LISTS[path])})` });
  await page.goto(addressOf(stage, path), { waitUntil: 'commit' });
  await untilSeen(client);
  await untilQuiet(page);
}

/** Measures what the browser itself takes with an empty cache: a page of plain rows from the same server. */
async function bareVisit(stage: Stage): Promise<number> {
  const context = await openContext(stage);
  try {
    const opened = await openPage(context);
    await openBare(opened, stage, `<title>Rows</title>${'<p>Row</p>'.repeat(10)}`);
    const content = await opened.page.waitForFunction(
      `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`,
    );
    return (await content.jsonValue()) as number;
  } finally {
    await context.close();
  }
}

async function requestRows(stage: Stage, path: Page): Promise<Row[]> {
  const context = await openContext(stage);
  try {
    const { page, client } = await openPage(context);
    const counted = await countRequests(client);
    await showRows({ page, client }, stage, path);
    const { count, bytes, apiCount, apiBytes, mostNodes, largest } = await counted.result();
    return [
      figure(`${path}: requests (${apiCount} of the API), empty cache`, count, 'requests'),
      figure(
        `${path}: bytes over the network, scripts and all (the API's: ${Math.round(apiBytes / KIB)} KiB)`,
        bytes / KIB,
        'KiB',
      ),
      atMost(`${path}: nodes of the largest answer (${largest || 'none'})`, mostNodes, 'nodes', MOST_NODES),
    ];
  } finally {
    await context.close();
  }
}
