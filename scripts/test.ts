// `npm test [-- <part of a file's path or an option of Vitest> …]` runs unit, integration and end-to-end tests against the same servers,
// the longest files first. Ends in one line `N passed, N failed`. In the folder of a workspace, its tests alone run.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sweepMemory } from '@catchment/testkit';
import { BROKER_ENV, openServerBroker } from '@catchment/testkit/server-broker';
import { CHECKED, SHARED_INSTALLATION_ENV, startInstallation } from '../e2e/src/installation.ts';
import { LENDER_ENV, openLender } from '../e2e/src/lender.ts';
import { LENT_KINDS } from '../e2e/src/lent-installation.ts';
import { BUILT_PAGE_ENV } from '../web/test/fixture/build-page.ts';
import { runVitest, TEST_FILES_ENV } from './run-vitest.ts';
import { absentFiles, exitStatus, slowestFiles, summaryLine, type TestResults, totalsOf } from './test-results.ts';

const root = path.resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);
/** The folder of the workspace; empty for all of them. */
const workspace = path.relative(root, process.cwd());

const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-results-'));
const resultsFile = path.join(folder, 'results.json');
/** People read the first report; the second is counted here. */
const REPORTERS = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`];

let isInterrupted = false;
// Vitest gets it too and ends; then the servers are stopped.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isInterrupted = true));

const status = await runAll();
const results = await readResults();
await rm(folder, { recursive: true, force: true });
const totals = totalsOf(results, status);
process.exitCode = isInterrupted ? 130 : exitStatus(totals);
process.stdout.write(`\nslowest files\n${slowestFiles(results, root).join('\n')}\n\n`);
const note = absentFiles(process.env);
if (note) process.stdout.write(`${note}\n`);
process.stdout.write(`${summaryLine(totals)}\n`);

async function runAll(): Promise<number> {
  await using open = new AsyncDisposableStack();
  const env: NodeJS.ProcessEnv = {};
  // Several runs may share the servers of whoever starts them.
  if (process.env[BROKER_ENV] === undefined) {
    await sweepMemory();
    process.env[BROKER_ENV] = open.adopt(await openServerBroker(), (broker) => broker.close()).socket;
  }
  // It starts nothing that no file asks for.
  if (workspace === '' || workspace === 'e2e')
    env[LENDER_ENV] = open.adopt(await openLender(LENT_KINDS), (lender) => lender.close()).socket;
  // One serves all end-to-end tests that ask for nothing special. Its start builds the pages of the browser, unless they are new.
  if (given.length === 0 && (workspace === '' || workspace === 'e2e')) {
    env[SHARED_INSTALLATION_ENV] = open.adopt(await startInstallation({ env: CHECKED }), ({ stop }) => stop()).dataDir;
    env[BUILT_PAGE_ENV] = path.join(root, 'web/dist');
  }
  if (workspace !== '') env[TEST_FILES_ENV] = `${workspace}/**/*.test.ts`;
  // The servers are closed only after its end.
  return await runVitest([...REPORTERS, ...given], env);
}

async function readResults(): Promise<TestResults | undefined> {
  try {
    return JSON.parse(await readFile(resultsFile, 'utf8')) as TestResults;
  } catch {
    return undefined; // Vitest ended before it had any; its status shows it
  }
}
