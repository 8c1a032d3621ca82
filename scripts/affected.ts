// `npm run affected [-- <commit>]` checks the types, and runs the tests that import what has changed since a commit (default: main),
// directly or through others. What no import shows (migrations, the product as a whole) is what `npm test` is for.
import path from 'node:path';
import { runTool } from './check/run-tool.ts';
import { runVitest } from './run-vitest.ts';

const root = path.resolve(import.meta.dirname, '..');
const [since = 'main'] = process.argv.slice(2);

const types = async (folder: string): Promise<number> => {
  // The compiler keeps what it knows, and checks changed files alone.
  const kept = path.join(root, 'node_modules/.cache', `types-${folder.replaceAll(/\W/g, '')}`);
  const { status, printed } = await runTool('tsc', ['-p', folder, '--incremental', '--tsBuildInfoFile', kept], root);
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} types of ${folder === '.' ? 'all but web' : folder}\n${printed}`.trim(),
  );
  return status;
};
const statuses = await Promise.all([types('.'), types('web'), runVitest(['--changed', since, '--passWithNoTests'])]);
process.exitCode = statuses.some((status) => status !== 0) ? 1 : 0;
