import { QUIET_BROWSER, testChromium } from '@catchment/testkit';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { Api } from '../../../../e2e/src/api.ts';
import { administrator, signedIn } from '../../../../e2e/src/console/people.ts';
import type { Installation } from '../../installation.ts';
import { CONSOLE, nodeIdOf, type SeededAccount, seedConsole } from '../../loads/node-data.ts';
import { PROBE } from './probe.ts';

/** The processor of a page is slower by this factor. */
export const SLOWER = 4;
/** A page that is not there by then hangs. */
const HANGS_MS = 120_000;
const RAISED = 2_000;
const YEAR_MS = 365 * 86_400_000;
const STEP_MS = 600_000;
const YEARS = 2;
const ROWS_PER_DOCUMENT = 5_000;
/** None of this source's parameters has alarm states. */
const CHART_SOURCE = 7;
const SERIES = 4;

export type Stage = {
  readonly account: SeededAccount;
  readonly api: Api;
  readonly url: string;
  readonly slug: string;
  readonly browser: Browser;
  /** Somebody who has signed in has these cookies. */
  readonly state: Awaited<ReturnType<BrowserContext['storageState']>>;
  /** These parameters have two years of records. */
  readonly charted: readonly string[];
  readonly close: () => Promise<void>;
};

export type OpenPage = {
  readonly page: Page;
  readonly client: CDPSession;
  readonly context: BrowserContext;
};

/** Makes an account of 50 000 nodes with 2 000 alarms, an administrator who has signed in, and a browser. */
export async function openStage(installation: Installation): Promise<Stage> {
  const account = await seedConsole(installation, RAISED);
  const api = new Api(installation.url, account.key);
  const charted = await writeYears(api, account);
  const browser = await chromium.launch({ executablePath: await testChromium(), args: QUIET_BROWSER });
  try {
    const person = await administrator(api);
    const { context } = await signedIn(browser, installation.url, person);
    const state = await context.storageState();
    await context.close();
    return {
      account,
      api,
      url: installation.url,
      slug: person.slug,
      browser,
      state,
      charted,
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** Opens a browser with an empty cache; its pages are slowed down. The content policy would refuse what the bench looks with. */
export const openContext = ({ browser, state }: Stage): Promise<BrowserContext> =>
  browser.newContext({
    storageState: state,
    viewport: { width: 1_440, height: 900 },
    locale: 'en-GB',
    bypassCSP: true,
  });

export async function openPage(context: BrowserContext): Promise<OpenPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(HANGS_MS);
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript({ content: PROBE });
  return { page, client, context };
}

/** Opens a page without script of ours, from the same server: what the browser itself takes. */
export async function openBare({ page }: OpenPage, { url }: Stage, body: string): Promise<void> {
  await page.route('**/bare', (route) => route.fulfill({ body: `<!doctype html>${body}`, contentType: 'text/html' }));
  await page.goto(`${url}/bare`, { waitUntil: 'commit' });
}

export const addressOf = ({ url, slug }: Stage, path: string): string => `${url}/a/${slug}/${path}`;

export const sourceId = (account: SeededAccount, source: number): string =>
  nodeIdOf(account, 1 + CONSOLE.locations + source);

/** Returns the numbers of the parameters of a source: Locations come after the Workspace, sources after Locations, parameters last. */
export function parametersOf(source: number): number[] {
  const all: number[] = [];
  for (let n = CONSOLE.locations + CONSOLE.sources + 1; n < CONSOLE.nodes; n += 1)
    if (n % CONSOLE.sources === source) all.push(n);
  return all;
}

/** Writes two years of records, one in ten minutes, of four parameters. */
async function writeYears(api: Api, account: SeededAccount): Promise<string[]> {
  const numbers = parametersOf(CHART_SOURCE).slice(0, SERIES);
  const columns = Object.fromEntries(numbers.map((n, i) => [i, { id: nodeIdOf(account, n), dataType: 'NUMBER' }]));
  const endMs = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  const count = (YEARS * YEAR_MS) / STEP_MS;
  for (let from = count; from > 0; from -= ROWS_PER_DOCUMENT) {
    const data = Array.from({ length: Math.min(ROWS_PER_DOCUMENT, from) }, (_, row) => {
      const n = from - row;
      const f = Object.fromEntries(
        numbers.map((_number, i) => [
          i,
          { v: Math.round(1_000 * (i + Math.sin(n / 700) + Math.sin(n / 23) / 4)) / 1_000 },
        ]),
      );
      return { ts: new Date(endMs - n * STEP_MS).toISOString(), f };
    });
    await written(api, sourceId(account, CHART_SOURCE), { docType: 'jts', version: '1.0', header: { columns }, data });
  }
  return numbers.map((n) => nodeIdOf(account, n));
}

/** @throws Error unless the document is accepted */
export async function written(api: Api, id: string, document: unknown): Promise<void> {
  for (;;) {
    const answer = await api.put(`/nodes/${id}/historic`, document);
    if (answer.status === 202) return;
    if (answer.status !== 503) throw new Error(`the write answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  }
}
