// `npm run test:console [-- <part of a path> -t <title>]` runs the console against real installations: by mouse, by keyboard alone, by
// three roles, with services that are killed meanwhile, and each page in both schemes and languages at three widths (PICTURES=/folder keeps
// pictures).
import { runVitest, TEST_FILES_ENV } from './run-vitest.ts';

/** Each has a separate installation and browser: more of them would only wait for each other's processors. */
const WORKERS = '--maxWorkers=3';

process.exitCode = await runVitest([WORKERS, ...process.argv.slice(2)], {
  [TEST_FILES_ENV]: 'e2e/console/*.console.ts',
});
