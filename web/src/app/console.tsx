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

// What the address shows comes along with the words; one that does not come is told where it would stand.
const [first] = location.pathname.slice(base().length + 1).split('/');
ROUTES.find(({ path }) => path.split('/')[1] === first)
  ?.load()
  .catch(() => undefined);
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
render(<App />, document.getElementById('app')!);
