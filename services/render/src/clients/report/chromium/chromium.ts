import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@catchment/telemetry';
import type { Browser, Page } from 'playwright-core';
import { type BrowserFiles, browserFiles } from './report-fonts.ts';

export type ChromiumOptions = {
  readonly executablePath: string;
  /** `PATH` of the browser. */
  readonly searchPath: string;
  /** The sandbox is off where the process runs as root, whom Chromium's sandbox refuses. */
  readonly hasSandbox: boolean;
  /** Pages that are kept ready. */
  readonly warmPages: number;
  /** A browser that is unused for this long ends. */
  readonly idleMs: number;
  /** Reports after which another process takes its place: browsers keep some memory of each. */
  readonly maxReports: number;
  readonly log: Pick<Logger, 'info' | 'warn'>;
};

/** The browser ended while a page of it was in use. */
export class ChromiumGone extends Error {}

/** A page that does not close within this time is hung, and its browser is killed. */
const CLOSE_MS = 2_000;
const START_MS = 30_000;

/** No network, no file of the machine, nothing that runs by itself; see also `openPage`. */
const ARGUMENTS = [
  // A PDF names this creator.
  '--user-agent=Catchment',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-sync',
  '--no-pings',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=127.0.0.1:9',
  // The pages of an address bar, which nobody sees, would cost each report half a second of a processor.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,SpareRendererForSitePerProcess',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
];

type Running = {
  readonly browser: Browser;
  readonly pid: number;
  readonly files: BrowserFiles;
  readonly warm: Promise<Page>[];
  reports: number;
  inUse: number;
};

/**
 * The first report starts this Chromium, which ends when it is not used. Each report has a separate page, with nothing
 * of another one; some are opened ahead.
 */
export class Chromium {
  readonly #options: ChromiumOptions;
  #current: Promise<Running> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #ending = new Set<Promise<void>>();

  constructor(options: ChromiumOptions) {
    this.#options = options;
  }

  /** Process id of the browser's main process, while there is one; its children end with it. */
  async pid(): Promise<number | undefined> {
    return (await this.#current?.catch(() => undefined))?.pid;
  }

  /**
   * @throws ChromiumGone when the browser ends meanwhile; the reason of `signal`, and then whatever the page was doing is ended
   */
  async use<T>(work: (page: Page) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const running = await this.#running();
    signal.throwIfAborted();
    running.inUse += 1;
    const opened = running.warm.shift() ?? kept(openPage(running.browser));
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    aborted.promise.catch(() => undefined);
    try {
      const page = await Promise.race([opened, aborted.promise]);
      const crashed = new Promise<never>((_, reject) =>
        page.once('crash', () => reject(new ChromiumGone('the page crashed'))),
      );
      crashed.catch(() => undefined);
      return await Promise.race([work(page), crashed, aborted.promise]);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!running.browser.isConnected()) throw new ChromiumGone('the browser ended', { cause: error });
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      // Whoever has the report need not wait for its page to close.
      this.#background(this.#leave(running, opened));
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    const current = this.#current;
    this.#current = undefined;
    const running = await current?.catch(() => undefined);
    if (running) this.#end(running);
    // The rest of a report may end the browser.
    while (this.#ending.size > 0) await Promise.all(this.#ending);
  }

  async #leave(running: Running, opened: Promise<Page>): Promise<void> {
    running.inUse -= 1;
    running.reports += 1;
    if (running.browser.isConnected()) {
      const closed = opened
        .then((page) => page.context().close())
        .then(
          () => true,
          () => false,
        );
      if (!(await Promise.race([closed, sleep(CLOSE_MS, false, { ref: false })]))) this.#kill(running);
    }
    const isCurrent = (await this.#current?.catch(() => undefined)) === running;
    const isWorn = running.reports >= this.#options.maxReports || !running.browser.isConnected();
    if (isCurrent && isWorn) this.#current = undefined;
    if (this.#isClosed || isWorn || !isCurrent) {
      if (running.inUse === 0) this.#end(running);
      return;
    }
    while (running.warm.length < this.#options.warmPages) running.warm.push(kept(openPage(running.browser)));
    if (running.inUse === 0) this.#idle = setTimeout(() => this.#rest(), this.#options.idleMs).unref();
  }

  async #rest(): Promise<void> {
    const running = await this.#current?.catch(() => undefined);
    if (!running || running.inUse > 0) return;
    this.#current = undefined;
    this.#end(running);
  }

  #running(): Promise<Running> {
    if (this.#isClosed) throw new ChromiumGone('the service stops');
    if (!this.#current) {
      const starting = this.#start();
      this.#current = starting;
      starting.catch(() => {
        if (this.#current === starting) this.#current = undefined;
      });
    }
    return this.#current;
  }

  async #start(): Promise<Running> {
    const { executablePath, hasSandbox, log } = this.#options;
    const startedMs = performance.now();
    const [{ chromium }, files] = await Promise.all([import('playwright-core'), browserFiles()]);
    try {
      const browser = await chromium.launch({
        executablePath,
        chromiumSandbox: hasSandbox,
        args: ARGUMENTS,
        timeout: START_MS,
        // The service handles signals itself, and ends the browser in its turn.
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        env: {
          PATH: this.#options.searchPath,
          HOME: files.home,
          TMPDIR: files.home,
          FONTCONFIG_FILE: files.configFile,
          LANG: 'C.UTF-8',
        },
      });
      const session = await browser.newBrowserCDPSession();
      const { processInfo } = await session.send('SystemInfo.getProcessInfo');
      const pid = processInfo.find(({ type }) => type === 'browser')?.id ?? 0;
      const running: Running = { browser, pid, files, warm: [], reports: 0, inUse: 0 };
      browser.once('disconnected', () => {
        void this.#current?.then(
          (current) => {
            if (current === running) this.#current = undefined;
          },
          () => undefined,
        );
        if (running.inUse === 0) this.#end(running);
      });
      log.info({ pid, durationMs: Math.round(performance.now() - startedMs) }, 'chromium started');
      return running;
    } catch (error) {
      await files.close();
      throw error;
    }
  }

  #kill({ pid }: Running): void {
    this.#options.log.warn({ pid }, 'chromium hangs and is killed');
    killed(pid);
  }

  #end(running: Running): void {
    const ended = (async () => {
      const closed = running.browser.close().then(
        () => true,
        () => false,
      );
      if (!(await Promise.race([closed, sleep(2 * CLOSE_MS, false, { ref: false })]))) killed(running.pid);
      await running.files.close();
    })().catch(() => undefined);
    this.#background(ended);
  }

  /** Keeps work that `close` waits for. */
  #background(work: Promise<void>): void {
    this.#ending.add(work);
    void work.finally(() => this.#ending.delete(work));
  }
}

/** Kills the browser, unless it has ended by itself: another process may have its id by then. */
function killed(pid: number): void {
  try {
    if (pid > 1 && isOurChild(pid)) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended in this moment.
  }
}

function isOurChild(pid: number): boolean {
  if (process.platform !== 'linux') return true;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The state and the parent stand behind the name, which may have blanks.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === process.pid;
}

/** A page that is opened ahead fails where it is used. */
function kept(page: Promise<Page>): Promise<Page> {
  page.catch(() => undefined);
  return page;
}

/** Opens a page whose document runs no script and fetches nothing; what we evaluate in it ourselves runs. */
async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    offline: true,
    acceptDownloads: false,
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  await page.route('**', (route) => route.abort());
  return page;
}
