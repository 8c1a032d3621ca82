import type { Locator, Page } from 'playwright-core';
import { atMost, atMostOfFloor, figure, type Row } from '../../report.ts';
import { quantile } from '../../watch/in-turns.ts';
import { answerTo, type Frames, ROWS, scrolled, untilQuiet } from './probe.ts';
import { countRequests } from './requests.ts';
import { addressOf, type OpenPage, openBare, openContext, openPage, SLOWER, type Stage } from './stage.ts';

const ANSWER_MS = 100;
const SEARCH_MS = 50;
/** A person may notice every such task; the browser reports no shorter ones. */
const TASK_MS = 50;
const SCROLL_MS = 3_000;
/** Pixels a frame: a quick turn of the wheel scrolls 3 600 a second. */
const SCROLL_STEP = 60;
const BARE_ROWS = 2_000;
/** A list of ours may drop this many times the frames of plain rows, and one in a hundred more. */
const DROPPED_SHARE = 0.01;

/** Measures how rows move, beside rows of plain text. */
export async function measureScrolling(stage: Stage): Promise<Row[]> {
  const floor = await withPage(stage, async (opened) => {
    const rows = Array.from({ length: BARE_ROWS }, (_, n) => `<p>Row ${n} of a list</p>`).join('');
    const style = '#room { height: 700px; overflow: auto } p { height: 40px; margin: 0; contain: strict }';
    await openBare(opened, stage, `<title>Rows</title><style>${style}</style><div id="room">${rows}</div>`);
    await opened.page.locator('#room').waitFor();
    return scrolled(opened.page, '#room', SCROLL_STEP, SCROLL_MS);
  });
  const rows: Row[] = [figure(`floor: ${BARE_ROWS} plain rows that scroll, ${textOf(floor)}`, floor.longestMs, 'ms')];
  const scenes = [
    ['the list of 2 000 alarms', 'alarms', ROWS.alarms, '.beside-main .table-scroll'],
    ['the list of 3 000 places', 'overview', ROWS.overview, '.places-list .table-scroll'],
    ['the tree, 3 000 places open', 'overview', ROWS.tree, '.tree-scroll'],
  ] as const;
  for (const [name, path, first, room] of scenes) {
    const { found, own } = await withPage(stage, async ({ page, client }) => {
      await page.goto(addressOf(stage, path));
      await page.locator(first).first().waitFor();
      if (path === 'overview' && room === '.tree-scroll') {
        await page.locator(room).focus();
        await page.keyboard.press('Home');
        await page.keyboard.press('ArrowRight');
        await page.locator('.tree-row').nth(5).waitFor();
      }
      await untilQuiet(page);
      const found = await scrolled(page, room, SCROLL_STEP, SCROLL_MS);
      await client.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      return { found, own: await scrolled(page, room, SCROLL_STEP, SCROLL_MS) };
    });
    rows.push(
      scrollRow(`${name} scrolls, processor ${SLOWER} times slower`, found, floor),
      taskRow(name, found, floor),
      scrollRow(`${name} scrolls, processor as it is`, own, floor),
    );
  }
  return rows;
}

const textOf = ({ frames, dropped }: Frames): string =>
  `${dropped} frames dropped of ${frames + dropped}: longest task`;

/** Limits the dropped frames to those of plain rows and a share more. */
const scrollRow = (name: string, found: Frames, floor: Frames): Row => {
  const share = ({ frames, dropped }: Frames) => dropped / (frames + dropped);
  const percent = (100 * found.dropped) / (found.frames + found.dropped);
  return atMost(
    `${name}: frames dropped (plain rows, slower: ${(100 * share(floor)).toFixed(1)} %)`,
    percent,
    '%',
    Math.round(1_000 * (share(floor) + DROPPED_SHARE)) / 10,
  );
};
const taskRow = (name: string, { longestMs }: Frames, floor: Frames): Row =>
  floor.longestMs > TASK_MS
    ? atMostOfFloor(`${name} scrolls: longest task, beside that of plain rows`, longestMs, 'ms', floor.longestMs, 1)
    : atMost(`${name} scrolls: longest task (none of ${TASK_MS} ms: 0)`, longestMs, 'ms', TASK_MS);

type Act = readonly [
  name: string,
  type: 'click' | 'keydown' | 'input',
  act: (page: Page) => Promise<unknown>,
  /** The selected element of the page changes its value once the page has answered. */
  answer: string,
];

/** Presses where the element is, without the looks of a test at what lies above it: the page would do those too while it answers. */
const press = (element: Locator): Promise<void> => element.click({ force: true });

const ON_OVERVIEW: readonly Act[] = [
  [
    'a place of the list is chosen',
    'click',
    (page) => press(page.locator(ROWS.overview).nth(2)),
    `probe.idOf('.places-list .table-row.is-active')`,
  ],
  [
    'places by state',
    'click',
    (page) => press(page.locator('.states .chip').nth(1)),
    `probe.textOf('.states [aria-pressed=true]')`,
  ],
  [
    'places by another state',
    'click',
    (page) => press(page.locator('.states .chip').nth(0)),
    `probe.textOf('.states [aria-pressed=true]')`,
  ],
  [
    'places by name',
    'click',
    (page) => press(page.locator('.places-list .table-title button').nth(1)),
    `probe.sortOf('.places-list')`,
  ],
  [
    'a letter in the filter of places',
    'input',
    (page) => page.locator('.places-list .table-filter input').fill('Node 12'),
    `probe.rowsOf('.places-list')`,
  ],
  [
    'a Workspace of 3 000 is opened',
    'click',
    (page) => press(page.locator('.tree-fold').first()),
    `probe.count('.tree-row[aria-expanded=true]')`,
  ],
  [
    'a place of the tree',
    'click',
    (page) => press(page.locator('.tree-name').nth(3)),
    `probe.textOf('.tree-row.is-current')`,
  ],
  [
    'back to the overview',
    'click',
    (page) => press(page.locator('nav.pages a').nth(0)),
    `probe.textOf('nav.pages [aria-current=page]')`,
  ],
  ['the bell', 'click', (page) => press(page.locator('.bell').first()), `probe.count('.bell-room')`],
];
const ON_ALARMS: readonly Act[] = [
  [
    'an alarm is chosen',
    'click',
    (page) => press(page.locator(ROWS.alarms).nth(3)),
    `probe.idOf('.beside-main .table-row.is-active')`,
  ],
  [
    'the next alarm by key',
    'keydown',
    (page) => page.keyboard.press('j'),
    `probe.idOf('.beside-main .table-row.is-active')`,
  ],
  [
    'alarms by node',
    'click',
    (page) => press(page.locator('.beside-main .table-title button').nth(1)),
    `probe.sortOf('.beside-main')`,
  ],
  [
    'all 2 000 alarms are chosen',
    'click',
    (page) => press(page.getByRole('button', { name: 'Choose all' })),
    `probe.textOf('.beside-main .table-count')`,
  ],
  [
    'active ones alone',
    'click',
    (page) => press(page.getByRole('button', { name: 'Active', exact: true })),
    `probe.textOf('.beside-main .switch [aria-pressed=true]')`,
  ],
  [
    'a letter in the filter of alarms',
    'input',
    (page) => page.locator('.beside-main .table-filter input').fill('Node 12'),
    `probe.rowsOf('.beside-main')`,
  ],
  [
    'to the events',
    'click',
    (page) => press(page.locator('nav.pages a').nth(2)),
    `probe.textOf('nav.pages [aria-current=page]')`,
  ],
  ['the palette', 'keydown', (page) => page.keyboard.press('Control+k'), `probe.count('.palette-list')`],
  [
    'a letter in the palette',
    'input',
    (page) => page.locator('.palette input').fill('n'),
    `probe.textOf('.palette-list')`,
  ],
];

/** Measures how long the page takes to answer clicks and keys. */
export async function measureAnswers(stage: Stage, rounds: number): Promise<Row[]> {
  const took = new Map<string, number[]>();
  for (let n = 0; n < rounds; n += 1) {
    for (const [path, acts] of [
      ['overview', ON_OVERVIEW],
      ['alarms', ON_ALARMS],
    ] as const) {
      await withPage(stage, async ({ page }) => {
        await page.goto(addressOf(stage, path));
        await page.locator(ROWS[path]).first().waitFor();
        for (const [name, type, act, answer] of acts) {
          await untilQuiet(page);
          const ms = await answerTo(page, type, answer, () => act(page));
          took.set(name, [...(took.get(name) ?? []), ms]);
        }
      });
    }
  }
  return [...took].map(([name, all]) =>
    atMost(
      `${name}: answered, median of ${rounds} (worst ${Math.round(Math.max(...all))} ms), processor ${SLOWER} times slower`,
      quantile(all, 0.5),
      'ms',
      ANSWER_MS,
    ),
  );
}

/** Measures the search of the palette, as the browser's network has it: from the end of the request to the head of the answer. */
export async function measureSearch(stage: Stage): Promise<Row[]> {
  return withPage(stage, async ({ page, client }) => {
    await page.goto(addressOf(stage, 'alarms'));
    await page.locator(ROWS.alarms).first().waitFor();
    await untilQuiet(page);
    const counted = await countRequests(client);
    await page.keyboard.press('Control+k');
    for (const q of ['node 4', 'Node 4321', 'Node 12 node', 'custom-1', 'weir', 'Node 29']) {
      const answer = page.waitForResponse((response) => response.url().includes('/nodes/search'));
      await page.locator('.palette input').fill(q);
      await (await answer).finished();
    }
    const took = counted
      .all()
      .flatMap(({ url, ms }) => (url.includes('/nodes/search') && ms !== undefined ? [ms] : []));
    return [
      atMost(
        `search of the palette, ${took.length} words: the slowest answer of the server`,
        Math.max(...took),
        'ms',
        SEARCH_MS,
      ),
      figure('the same, median', quantile(took, 0.5), 'ms'),
    ];
  });
}

async function withPage<T>(stage: Stage, work: (opened: OpenPage) => Promise<T>): Promise<T> {
  const context = await openContext(stage);
  try {
    return await work(await openPage(context));
  } finally {
    await context.close();
  }
}
