import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** Names the files of tests that are not `*.test.ts` (vitest.config.ts). */
export const TEST_FILES_ENV = 'CATCHMENT_TEST_FILES';

/** Runs the tests of the files whose path has one of `args`, with options of Vitest among them, to their end. @returns its status */
export async function runVitest(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const bin = path.join(root, 'node_modules/.bin');
  const child = spawn(process.execPath, [path.join(bin, 'vitest'), 'run', ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // Programs that tests start run with the same Node, and compile what they load once, not each time.
    env: {
      NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/catchment'),
      ...process.env,
      PATH: `${bin}${path.delimiter}${process.env.PATH}`,
      ...env,
    },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}
