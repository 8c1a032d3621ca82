import type { DashboardView } from '@catchment/dashboard-view';
import { DomainError, type ErrorKind } from '@catchment/errors';
import type { Logger } from '@catchment/telemetry';
import { messageText, openingText, RESTARTING, TOO_SLOW } from '../../domain/server-sent-events.ts';
import { changesOf } from '../../domain/view-changes.ts';
import { AccountWatch } from '../push/account-watch.ts';
import type { Feed } from '../push/feed.ts';
import { type PushSink, StreamClient } from '../push/stream-client.ts';
import type { PageReader } from './read-page.ts';
import type { Visit } from './visit.ts';

/** A page is read again no sooner than after this time, and at most for this share of the time. */
const PAUSE_MS = 900;
const READING_SHARE = 0.1;
const LONGEST_PAUSE_MS = 10_000;
/** The hub checks so often that the page may still be seen, whatever happens to the page. */
const CHECK_MS = 3_000;
/** Periods go on without a change of the account. */
const REFRESH_MS = 60_000;
/** Refresh of pages with counts of events, which come a little later than the events. */
const COUNTS_REFRESH_MS = 10_000;
const RETRY_MS = 2_000;
/** The heartbeat is an event: scripts of pages do not see comments, and watch over their streams. */
const HEARTBEAT = messageText('heartbeat', {});
/** Failures of a read that another try does not mend. */
const LASTING: readonly ErrorKind[] = ['invalid_argument', 'not_found', 'permission_denied', 'unauthenticated'];

type PageViewer = {
  readonly visit: Visit;
  readonly sink: PushSink;
};

type Viewer = {
  readonly visit: Visit;
  readonly connection: StreamClient;
  /** It lacks a change: the whole page comes next. */
  isBehind: boolean;
};

/** A page with its viewers. */
type Followed = {
  readonly key: string;
  readonly viewers: Set<Viewer>;
  ownerId: string;
  view: DashboardView | undefined;
  isReading: boolean;
  isChecking: boolean;
  isDue: boolean;
  /** Times of this hub's clock. */
  nextReadMs: number;
  readMs: number;
  checkedMs: number;
};

/**
 * Sends what pages show as it changes: each page is read once for all of its viewers, when its account has something new, and at most about
 * once a second.
 */
export class PageHub {
  readonly #reader: PageReader;
  readonly #now: () => number;
  readonly #pages = new Map<string, Followed>();
  readonly #closing = new AbortController();
  readonly #watch: AccountWatch;

  /** @param deps.now ms of a clock that is never set back */
  constructor(deps: {
    reader: PageReader;
    feed: Pick<Feed, 'watch'>;
    log: Pick<Logger, 'error'>;
    now?: () => number;
  }) {
    this.#reader = deps.reader;
    this.#now = deps.now ?? (() => performance.now());
    this.#watch = new AccountWatch({
      feed: deps.feed,
      log: deps.log,
      accounts: () => this.#pages.values().map(({ ownerId }) => ownerId),
      changed: (isChanged) => {
        for (const page of this.#pages.values()) if (isChanged(page.ownerId)) page.isDue = true;
        this.#readDue();
      },
    });
  }

  /** Open streams. */
  get viewers(): number {
    let sum = 0;
    for (const page of this.#pages.values()) sum += page.viewers.size;
    return sum;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /**
   * @param key of viewers who see the same
   * @param first what the page shows, just read for this viewer
   */
  join(
    key: string,
    { visit, sink }: PageViewer,
    first: { readonly ownerId: string; readonly view: DashboardView },
  ): { leave: () => void; drained: () => void } {
    const nowMs = this.#now();
    const viewer: Viewer = { visit, connection: new StreamClient(sink, this.#now), isBehind: false };
    viewer.connection.write(Buffer.from(openingText('')));
    if (this.isClosed) {
      viewer.connection.end(RESTARTING);
      return { leave: () => {}, drained: () => {} };
    }
    const page = this.#pages.getOrInsertComputed(key, () => ({
      key,
      viewers: new Set(),
      ownerId: first.ownerId,
      view: undefined,
      isReading: false,
      isChecking: false,
      // Something may have changed between the read and the beginning of the watch.
      isDue: true,
      nextReadMs: nowMs + PAUSE_MS,
      readMs: nowMs,
      checkedMs: nowMs,
    }));
    page.viewers.add(viewer);
    // All viewers of a page get changes against the same view.
    page.view ??= first.view;
    this.#send(viewer, messageText('view', page.view));
    this.#watch.begin();
    return {
      leave: () => this.#leave(page, viewer),
      drained: () => {
        viewer.connection.drained();
        if (viewer.isBehind && page.view) this.#send(viewer, messageText('view', page.view));
      },
    };
  }

  /** Looks after all pages; called every second or more often. */
  async tick(): Promise<void> {
    const nowMs = this.#now();
    for (const page of this.#pages.values()) {
      for (const viewer of page.viewers) this.#lookAfter(page, viewer);
      const hasCounts = page.view?.tiles.some(({ content }) => content.type === 'ALARM_SUMMARY') === true;
      if (nowMs - page.readMs >= (hasCounts ? COUNTS_REFRESH_MS : REFRESH_MS)) page.isDue = true;
      if (!page.isChecking && nowMs - page.checkedMs >= CHECK_MS) void this.#check(page);
    }
    this.#readDue();
  }

  close(): void {
    this.#closing.abort();
    this.#watch.end();
    for (const page of this.#pages.values()) for (const viewer of page.viewers) viewer.connection.end(RESTARTING);
    this.#pages.clear();
  }

  #leave(page: Followed, viewer: Viewer): void {
    page.viewers.delete(viewer);
    if (page.viewers.size > 0 || this.#pages.get(page.key) !== page) return;
    this.#pages.delete(page.key);
    if (this.#pages.size === 0) this.#watch.end();
  }

  #readDue(): void {
    const nowMs = this.#now();
    for (const page of this.#pages.values())
      if (page.isDue && !page.isReading && nowMs >= page.nextReadMs) void this.#read(page);
  }

  async #read(page: Followed): Promise<void> {
    page.isReading = true;
    page.isDue = false;
    const beganMs = this.#now();
    try {
      const viewer = await this.#viewerOf(page);
      if (!viewer) return;
      const { ownerId, view } = await this.#reader.view(viewer.visit, this.#closing.signal);
      page.ownerId = ownerId;
      this.#publish(page, view);
      page.readMs = this.#now();
      const tookMs = page.readMs - beganMs;
      page.nextReadMs = beganMs + Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, tookMs / READING_SHARE));
    } catch (error) {
      if (isLasting(error)) for (const viewer of [...page.viewers]) this.#end(page, viewer, error);
      page.isDue = true;
      page.nextReadMs = this.#now() + RETRY_MS;
    } finally {
      page.isReading = false;
    }
  }

  /** Somebody who may still see the page; the stream of those who may not ends. */
  async #viewerOf(page: Followed): Promise<Viewer | undefined> {
    for (const viewer of [...page.viewers]) if (await this.#mayView(page, viewer)) return viewer;
    return undefined;
  }

  /** @throws what asking fails with for the moment */
  async #mayView(page: Followed, viewer: Viewer): Promise<boolean> {
    try {
      await viewer.visit.caller();
      return true;
    } catch (error) {
      if (!isLasting(error)) throw error;
      this.#end(page, viewer, error);
      return false;
    }
  }

  #publish(page: Followed, view: DashboardView): void {
    const before = page.view;
    page.view = view;
    const changes = before ? changesOf(before, view) : 'all';
    if (changes !== 'all' && changes.length === 0) return;
    const text =
      changes === 'all' ? messageText('view', view) : Buffer.concat(changes.map((tile) => messageText('tile', tile)));
    for (const viewer of page.viewers) this.#send(viewer, text);
  }

  /** A viewer that has still to take something gets the whole page afterwards. */
  #send(viewer: Viewer, text: Buffer): void {
    viewer.isBehind = viewer.connection.isBusy;
    if (!viewer.isBehind) viewer.connection.write(text);
  }

  #lookAfter(page: Followed, viewer: Viewer): void {
    const found = viewer.connection.look();
    if (found === 'silent') viewer.connection.write(HEARTBEAT);
    if (found !== 'slow') return;
    this.#leave(page, viewer);
    viewer.connection.end(TOO_SLOW);
  }

  async #check(page: Followed): Promise<void> {
    page.isChecking = true;
    // Streams go on while nobody can say.
    for (const viewer of [...page.viewers]) await this.#mayView(page, viewer).catch(() => undefined);
    page.checkedMs = this.#now();
    page.isChecking = false;
  }

  #end(page: Followed, viewer: Viewer, error: unknown): void {
    if (!page.viewers.has(viewer)) return;
    this.#leave(page, viewer);
    const { reason, message } = error as DomainError;
    viewer.connection.end({ reason, message });
  }
}

const isLasting = (error: unknown): boolean => error instanceof DomainError && LASTING.includes(error.kind);
