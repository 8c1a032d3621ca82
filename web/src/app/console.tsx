import { render } from 'preact';
import '../styles/tokens.css';
import '../styles/console/index.css';
import '../components/scheme.ts';
import { followAlarms } from '../data/alarms.ts';
import { nowMs, watchConnection } from '../data/connection.ts';
import { guardJobs } from '../data/jobs.ts';
import { followLevels } from '../data/levels.ts';
import { followAll } from '../data/live.ts';
import { shareSession, start, watchAccess } from '../data/session.ts';
import { preferredLanguage, speak } from '../words/index.ts';
import { App } from './app.tsx';

/** How often "5 minutes ago" is looked at again. */
const TICK_MS = 10_000;

await speak(preferredLanguage());
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

render(<App />, document.getElementById('app')!);
