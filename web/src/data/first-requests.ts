import { start } from './start.ts';

/** The attributes of nodes that the stream brings. */
export const LIVE_ATTRIBUTES =
  '_id,_class,name,parentId,workspaceId,createdTime,revision,currentValue,currentTime,currentStateId,currentStatus,alarms';
/** The first alarms are shown while the others are on their way. */
export const FIRST_ALARMS = 100;
/** The children of a node that are read at once. */
export const LEVEL_PAGE = 200;
export const PLACE_CLASS = '.location.Location';
export const PLACES = {
  filter: `_class($match:${PLACE_CLASS})`,
  attr: '_id,name,workspaceId,customId,currentValue,currentTime',
  limit: 5_000,
} as const;

type Query = Readonly<Record<string, string | number>>;
type Asked = { readonly answer: Promise<Response>; readonly stop: AbortController; readonly atMs: number };

const asked = new Map<string, Asked>();
/** What was not needed by then would be old. */
const KEPT_MS = 10_000;
const STREAM = 'text/event-stream';

const keyOf = ({ pathname, searchParams }: URL): string =>
  `${pathname} ${[...searchParams].map(([name, value]) => `${name}=${value}`).sort()}`;

function ask(path: string, query: Query, accept = '*/*'): void {
  const url = new URL(`/api/v1${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const { csrf, account } = start();
  const headers = { accept, 'X-CSRF-Token': csrf, 'X-Account': account.id };
  const stop = new AbortController();
  const answer = fetch(new Request(url, { headers, redirect: 'manual', signal: stop.signal }));
  // Who takes it is told.
  answer.catch(() => {});
  asked.set(keyOf(url), { answer, stop, atMs: performance.now() });
}

/**
 * Asks for what the page is going to ask for, before the script that does so is there. Streams come first: what changes after the first answers is
 * told by them.
 */
export function askFirst(page: string | undefined, hasTree: boolean): void {
  ask('/nodes/stream', { attr: LIVE_ATTRIBUTES }, STREAM);
  ask('/events/stream', {}, STREAM);
  ask('/alarms', { limit: FIRST_ALARMS });
  if (page === 'overview') ask('/nodes', { ...PLACES, skip: 0 });
  if (page === 'overview' || hasTree) ask('/nodes/children', { limit: LEVEL_PAGE });
}

/** The answer to a request that was asked early, once; undefined: it is to be sent. */
export function takeFirst(request: Request): Promise<Response> | undefined {
  if (asked.size === 0 || request.method !== 'GET' || request.headers.has('last-event-id')) return undefined;
  const key = keyOf(new URL(request.url));
  const first = asked.get(key);
  asked.delete(key);
  if (first === undefined || request.signal.aborted) return undefined;
  if (performance.now() - first.atMs > KEPT_MS) {
    first.stop.abort();
    return undefined;
  }
  request.signal.addEventListener('abort', () => first.stop.abort(request.signal.reason), { once: true });
  return first.answer;
}
