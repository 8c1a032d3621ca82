import type { DashboardView } from '@catchment/dashboard-view';
import { render } from 'preact';
import { followView } from './live/feed.ts';
import { base, hasHeader, query } from './live/page-address.ts';
import { pageState } from './live/page-state.ts';
import { getJson } from './live/requests.ts';
import { Page } from './page.tsx';
import './styles/index.css';

/** A text like "5 minutes ago" is looked at again this often. */
const TICK_MS = 10_000;
/** A server that has not answered by then is away. */
const ASK_MS = 15_000;

const first: DashboardView = JSON.parse(document.getElementById('view')!.textContent);

const state = pageState(first, Date.now);
const feed = followView({
  openStream: () => new EventSource(`${base}/stream${query}`),
  askView: (signal) => getJson(`${base}/view${query}`, AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)])),
  onView: state.takeView,
  onTile: state.takeTile,
  onConnection: (connection) => {
    state.connection.value = connection;
  },
  now: state.clock,
});
setInterval(state.tick, TICK_MS);
addEventListener('online', () => feed.network(true));
addEventListener('offline', () => feed.network(false));
for (const name of ['visibilitychange', 'resume']) document.addEventListener(name, feed.check);
// A page in the back-forward cache is a picture until it is opened again.
addEventListener('pagehide', feed.close);
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});

render(<Page state={state} hasLogo={hasHeader()} />, document.getElementById('app')!);
