// The examples of docs/reference hold through the gateway of a whole installation.
import path from 'node:path';
import { AnswerSchemas } from './src/contract/answer-schemas.ts';
import { runRow } from './src/contract/run-row.ts';
import { type Runs, startRuns } from './src/contract/start-runs.ts';
import { readTables, titleOf } from './src/contract/table.ts';
import { type Installation, startInstallation } from './src/installation.ts';

const PAGES = readTables('docs/reference');
/** They have no requests: the command line, which has tests of its own, and what is made of lists in the code. */
const WITHOUT_REQUESTS = ['command-line.md', 'commands.md', 'reasons.md'];

let installation: Installation;
let runs: Runs;

beforeAll(async () => {
  installation = await startInstallation();
  runs = await startRuns(installation, PAGES, await AnswerSchemas.of(installation.url));
});
afterAll(() => installation?.stop());

test('every page about requests has an example', () => {
  const without = PAGES.filter(({ rows }) => rows.length === 0).map(({ file }) => path.basename(file));
  expect(without).toEqual(WITHOUT_REQUESTS);
});

describe.each(PAGES.filter(({ rows }) => rows.length > 0))('$file', ({ file, rows }) => {
  for (const row of rows) {
    test(titleOf(row), async () => {
      const run = runs.get(file);
      if (!run) throw new Error(`no account for ${file}`);
      await runRow(run, row);
    });
  }
});
