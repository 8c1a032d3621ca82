import { render } from 'preact';
import '../styles/tokens.css';
import '../styles/console/index.css';
import '../components/scheme.ts';
import { base } from '../data/addresses.ts';
import { followAlarms } from '../data/alarms/alarms.ts';
import { forgetBegun } from '../data/requests/begun.ts';
import { shareSession, start, watchAccess } from '../data/session/session.ts';
import { nowMs, watchConnection } from '../data/streams/connection.ts';
import { followAll } from '../data/streams/live.ts';
import { guardJobs } from '../data/transfers/jobs.ts';
import { followLevels } from '../data/tree/levels.ts';
import { afterPaint } from '../ui/after-paint.ts';
import { preferredLanguage, speak } from '../words/index.ts';
import { App } from './app.tsx';
import { keepFocus } from './keep-focus.ts';
import { ROUTES } from './routes.tsx';

/** A text like "5 minutes ago" is looked at again this often. */
const TICK_MS = 10_000;

/** The frame waits this long for the page's file and what it shows first, which mostly are there: all is drawn at once then, and once. */
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
keepFocus();
const { isDisabled } = start().account;
if (!isDisabled) {
  followAlarms();
  followLevels();
}
setInterval(() => {
  nowMs.value = Date.now();
}, TICK_MS);

await spoken;
await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, PAGE_MS))]);
render(<App />, document.getElementById('app')!);
// The stream begins where the account was when the page was made: nothing is missed, and what is shown first has the connections to itself.
if (!isDisabled)
  afterPaint(() => {
    forgetBegun();
    followAll();
  });
