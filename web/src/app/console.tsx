import { render } from 'preact';
import '../styles/tokens.css';
import '../styles/console/index.css';
import '../components/scheme.ts';
import { base } from '../data/addresses.ts';
import { followAlarms } from '../data/alarms.ts';
import { nowMs, watchConnection } from '../data/connection.ts';
import { guardJobs } from '../data/jobs.ts';
import { followLevels } from '../data/levels.ts';
import { followAll } from '../data/live.ts';
import { shareSession, start, watchAccess } from '../data/session.ts';
import { preferredLanguage, speak } from '../words/index.ts';
import { App } from './app.tsx';
import { ROUTES } from './routes.tsx';

/** How often "5 minutes ago" is looked at again. */
const TICK_MS = 10_000;

/** So long the frame waits for the page's file, which mostly is there: both are drawn at once then, and the page has asked for its data before. */
const PAGE_MS = 50;

// A page that does not come is reported where it would stand, and is tried again there.
const [first] = location.pathname.slice(base().length + 1).split('/');
const route = ROUTES.find(({ path }) => path.split('/')[1] === first);
const loaded = route?.preload().catch(() => undefined);
const spoken = speak(preferredLanguage());
shareSession();
watchConnection();
guardJobs();
watchAccess();
if (!start().account.isDisabled) {
  followAll();
  followAlarms();
  followLevels();
}
setInterval(() => {
  nowMs.value = Date.now();
}, TICK_MS);

await spoken;
await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, PAGE_MS))]);
render(<App />, document.getElementById('app')!);
