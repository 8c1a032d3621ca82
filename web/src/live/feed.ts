import type { DashboardView, TileView } from '@catchment/dashboard-view';

export const POLL_MS = 10_000;
/** A page that polls tries the stream again this often. */
export const STREAM_AGAIN_MS = 60_000;
/** A stream says something every 15 s; one that is silent for this long is frozen, or the device has slept. */
export const SILENT_MS = 40_000;
export const WATCH_MS = 5_000;
/** A shorter loss, of a server that restarts or a network that changes, is not worth a word. */
export const GRACE_MS = 3_000;

export type Connection =
  | { readonly kind: 'connecting' }
  /** The news come by the stream. */
  | { readonly kind: 'live' }
  /** Views are asked for, as streams do not come through. */
  | { readonly kind: 'polling' }
  | { readonly kind: 'lost'; readonly sinceMs: number }
  /** The page is not shown to this reader any more; nothing is tried again. */
  | { readonly kind: 'gone'; readonly isSignedOut: boolean };

export type StreamSource = Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>;

export type FeedParts = {
  readonly openStream: () => StreamSource;
  /** @throws an error with the `status` of an answer that refuses */
  readonly askView: (signal: AbortSignal) => Promise<DashboardView>;
  readonly onView: (view: DashboardView) => void;
  readonly onTile: (tile: TileView) => void;
  readonly onConnection: (connection: Connection) => void;
  readonly now: () => number;
};

export type Followed = {
  readonly close: () => void;
  /** Checks that the stream still speaks; called by a timer, and at once when a device wakes up. */
  readonly check: () => void;
  /** The browser knows that there is no network, or that there is one again. */
  readonly network: (isOnline: boolean) => void;
};

const CLOSED = 2;
/** These answers will not change by asking again. */
const FINAL = new Set([401, 403, 404, 410]);
/** These reasons end a stream for a while only: the browser opens it again. */
const PASSING = new Set(['STOPPING', 'CLIENT_TOO_SLOW']);

/**
 * Keeps a page current: by its stream, which the browser opens again by itself after a loss; by asking for the view every ten seconds
 * while there is none. Both end with an answer that says that the page is not for this reader any more.
 */
export function followView(parts: FeedParts): Followed {
  let stream: StreamSource | undefined;
  let lostMs: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let streamAtMs = 0;
  let heardMs = parts.now();
  let shown = '';
  const stop = new AbortController();

  const report = (connection: Connection) => {
    const text = JSON.stringify(connection);
    if (text === shown || stop.signal.aborted) return;
    shown = text;
    parts.onConnection(connection);
  };
  const after = (ms: number, then: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
  };
  const isLive = () => {
    lostMs = undefined;
    clearTimeout(timer);
    report({ kind: 'live' });
  };
  const isLost = () => {
    if (stop.signal.aborted) return;
    const isNew = lostMs === undefined;
    lostMs ??= parts.now();
    if (stream?.readyState === CLOSED) closeStream();
    if (isNew) after(GRACE_MS, ask);
  };
  const closeStream = () => {
    stream?.close();
    stream = undefined;
    streamAtMs = parts.now() + STREAM_AGAIN_MS;
  };
  const check = () => {
    // The browser opens a lost stream again, for as long as that may take.
    const most = lostMs === undefined ? SILENT_MS : 2 * STREAM_AGAIN_MS;
    if (stop.signal.aborted || stream === undefined || parts.now() - heardMs <= most) return;
    closeStream();
    lose(heardMs);
  };
  /** The page is no longer current: it says so at once, and tries everything at once. */
  const lose = (sinceMs: number) => {
    lostMs ??= sinceMs;
    report({ kind: 'lost', sinceMs: lostMs });
    streamAtMs = parts.now();
    after(0, ask);
  };
  const network = (isOnline: boolean) => {
    if (stop.signal.aborted) return;
    if (isOnline) closeStream();
    lose(parts.now());
  };

  function open(): void {
    const opened = parts.openStream();
    stream = opened;
    heardMs = parts.now();
    const ofThis = (then: (data: string) => void) => (event: Event) => {
      if (stream !== opened) return;
      heardMs = parts.now();
      then((event as MessageEvent<string>).data);
    };
    opened.addEventListener('heartbeat', ofThis(isLive));
    opened.addEventListener('open', ofThis(isLive));
    opened.addEventListener('error', ofThis(isLost));
    opened.addEventListener(
      'view',
      ofThis((data) => {
        isLive();
        parts.onView(JSON.parse(data));
      }),
    );
    opened.addEventListener(
      'end',
      ofThis((data) => {
        const { reason } = JSON.parse(data) as { reason: string };
        if (!PASSING.has(reason)) end(reason === 'SESSION_ENDED');
      }),
    );
    opened.addEventListener(
      'tile',
      ofThis((data) => parts.onTile(JSON.parse(data))),
    );
  }

  async function ask(): Promise<void> {
    if (stream === undefined && parts.now() >= streamAtMs) open();
    try {
      const view = await parts.askView(stop.signal);
      if (stop.signal.aborted || lostMs === undefined) return;
      parts.onView(view);
      report({ kind: 'polling' });
    } catch (error) {
      if (stop.signal.aborted || lostMs === undefined) return;
      const status = (error as { status?: number }).status;
      if (status !== undefined && FINAL.has(status)) {
        return end(status === 401);
      }
      report({ kind: 'lost', sinceMs: lostMs });
    }
    after(POLL_MS, ask);
  }

  function end(isSignedOut: boolean): void {
    report({ kind: 'gone', isSignedOut });
    close();
  }

  function close(): void {
    stop.abort();
    clearTimeout(timer);
    clearInterval(watch);
    stream?.close();
    stream = undefined;
  }

  const watch = setInterval(check, WATCH_MS);
  report({ kind: 'connecting' });
  open();
  return { close, check, network };
}
