// `npm run test:sdk [-- --python <3.x> …] [--only python|r|typescript] [--examples <n>]` runs the clients against a separate installation,
// on the oldest and the newest Python of the machine, and R: generated files, types, tests, documentation that is run, wheel, package and
// tarball installed into empty places. Ends in one line `N passed, N failed`. Virtual environments stay in node_modules/.cache; R comes
// from the distribution.
import { parseArgs } from 'node:util';
import { startInstallation } from '../e2e/src/installation.ts';
import { findPythons } from './sdk/pythons.ts';
import { hasR } from './sdk/r-steps.ts';
import type { Step } from './sdk/step.ts';
import { steps } from './sdk/steps.ts';

const { values } = parseArgs({
  options: {
    python: { type: 'string', multiple: true },
    only: { type: 'string' },
    examples: { type: 'string', default: '40' },
  },
});

const READER = { label: 'Reader', permission: 'READ_ONLY', accessLevel: 'WORKSPACES' };
const say = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<boolean> {
  const isWanted = (client: string) => (values.only ?? client) === client;
  const pythons = isWanted('python') ? await findPythons(values.python) : [];
  if (pythons.length === 0 && isWanted('python')) say('SKIPPED: no Python from 3.10 on is on this machine');
  const withR = isWanted('r') && (await hasR());
  if (!withR && isWanted('r')) say('SKIPPED: R with httr2 and readr is not on this machine (sdk/r/README.md)');
  const installation = await startInstallation({ args: ['--no-demo'] });
  let [passed, failed] = [0, 0];
  try {
    const { url, key } = installation.api;
    const reader = (await installation.api.post('/owners/account/apikeys', READER)).json;
    const other = await installation.otherAccount();
    const place = { url, key, readerKey: reader.key as string, otherKey: other.key, examples: values.examples };
    for (const step of steps({ place, pythons, withR, withTypescript: isWanted('typescript') })) {
      const result = await ran(step);
      passed += result.passed;
      failed += result.failed;
    }
  } finally {
    await installation.stop();
  }
  say(`\n${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0;
}

/** A step counts the tests that it reports; a step without any counts for one. */
async function ran({ what, run }: Step): Promise<{ passed: number; failed: number }> {
  const began = performance.now();
  const { code, output } = await run().catch((error: Error) => ({ code: 1, output: error.stack ?? error.message }));
  const isGood = code === 0;
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  say(`${isGood ? 'ok    ' : 'FAILED'} ${what} (${seconds} s)`);
  if (!isGood) say(output.slice(-20_000));
  const countOf = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(output.slice(-500))?.[1] ?? 0);
  const tests = { passed: countOf('passed'), failed: countOf('(?:failed|errors?)') };
  if (tests.passed + tests.failed === 0) return { passed: isGood ? 1 : 0, failed: isGood ? 0 : 1 };
  return { passed: tests.passed, failed: isGood ? tests.failed : Math.max(1, tests.failed) };
}

process.exitCode = (await main()) ? 0 : 1;
