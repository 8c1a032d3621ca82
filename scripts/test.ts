// `npm test [-- <jest options>]`: unit and integration tests, then the end-to-end tests, three files at a time, all against the same
// servers. Ends in one line `N passed, N failed`. In the folder of a workspace: its tests alone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BROKER_ENV, openServerBroker } from '@catchment/testkit/server-broker';
import { SHARED_INSTALLATION_ENV, startInstallation } from '../e2e/src/installation.ts';
import { absentFiles, exitStatus, type JestResults, slowestFiles, summaryLine, sumUp } from './jest-results.ts';

const root = path.resolve(import.meta.dirname, '..');
const ownArguments = process.argv.slice(2);
/** Folder of the workspace; empty = all of them. */
const workspace = path.relative(root, process.cwd());

/** Files at a time: many tests wait for timers, so two do not fill both cores. */
const AT_ONCE = '--maxWorkers=3';

// Ours come after those of the caller: Jest's list options take every word that follows them.
const ALL_PARTS = [
  {
    name: 'unit and integration tests',
    arguments: [AT_ONCE, '--testPathIgnorePatterns', '/node_modules/', '/\\.catchment/', '/e2e/'],
  },
  {
    name: 'end-to-end tests',
    // One for all files that ask for nothing special: each start of one costs some 20 s of a processor.
    sharesInstallation: true,
    arguments: [AT_ONCE, '--roots', 'e2e'],
  },
];

const PARTS: readonly { name: string; arguments: string[]; sharesInstallation?: boolean }[] =
  workspace === ''
    ? ALL_PARTS
    : [
        {
          name: workspace,
          sharesInstallation: workspace === 'e2e',
          arguments: [...(workspace === 'e2e' ? ['--runInBand'] : []), '--roots', workspace],
        },
      ];

async function main(): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'catchment-results-'));
  // Several runs may share the servers of whoever starts them.
  const broker = process.env[BROKER_ENV] === undefined ? await openServerBroker() : undefined;
  const results: JestResults[] = [];
  const statuses: number[] = [];
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isInterrupted = true; // Jest gets it too and ends; then the servers are stopped below
    });
  }
  try {
    for (const part of PARTS) {
      if (isInterrupted) break;
      process.stdout.write(`\n${part.name}\n`);
      const outputFile = path.join(folder, `${statuses.length}.json`);
      await using shared = part.sharesInstallation === true && ownArguments.length === 0 ? await share() : undefined;
      const env = { ...(broker && { [BROKER_ENV]: broker.socket }), ...shared?.env };
      statuses.push(await runJest([...ownArguments, ...part.arguments], outputFile, env));
      const result = await readResults(outputFile);
      if (result !== undefined) results.push(result);
    }
  } finally {
    await broker?.close();
    await rm(folder, { recursive: true, force: true });
  }
  const totals = sumUp(results);
  process.exitCode = isInterrupted ? 130 : exitStatus(totals, statuses);
  process.stdout.write(`\nslowest files\n${slowestFiles(results, root).join('\n')}\n\n`);
  const note = absentFiles(process.env);
  if (note) process.stdout.write(`${note}\n`);
  process.stdout.write(`${summaryLine(totals)}\n`);
}

/** An installation for all end-to-end tests that ask for nothing special. */
async function share() {
  const { dataDir, stop } = await startInstallation({ args: ['--no-demo'] });
  return { env: { [SHARED_INSTALLATION_ENV]: dataDir }, [Symbol.asyncDispose]: stop };
}

async function runJest(args: string[], outputFile: string, env: NodeJS.ProcessEnv): Promise<number> {
  const command = [
    path.join(root, 'node_modules/.bin/jest'),
    '--passWithNoTests',
    '--json',
    `--outputFile=${outputFile}`,
  ];
  const child = spawn(process.execPath, [...command, ...args], {
    cwd: root,
    // Jest's progress goes to stderr; its JSON on stdout is in the file as well.
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...env,
      NODE_OPTIONS:
        `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
      PATH: `${path.join(root, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
    },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

async function readResults(outputFile: string): Promise<JestResults | undefined> {
  try {
    return JSON.parse(await readFile(outputFile, 'utf8')) as JestResults;
  } catch {
    return undefined; // Jest ended before it had any; its status shows it
  }
}

await main();
