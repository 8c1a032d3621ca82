// `npm run test:long [-- <part of a file's path> …]` runs the tests that repeat what they do (kills, broken connections, floods, random
// cases), many more times than `npm test` does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { LONG_ENV } from '@catchment/testkit/amount';

const root = path.resolve(import.meta.dirname, '..');
const given = process.argv.slice(2);

const files: string[] = [];
const all = glob('{packages,services,cli,web,e2e,bench,deploy}/**/*.test.ts', {
  cwd: root,
  exclude: (name) => name === 'node_modules' || name === '.catchment',
});
for await (const file of all) {
  const isWanted = given.length === 0 || given.some((part) => file.includes(part));
  if (isWanted && /\b(amount|seedOf)\(|\bisLong\b/.test(await readFile(path.join(root, file), 'utf8')))
    files.push(file);
}
if (files.length === 0) throw new Error(`no test that repeats what it does has ${given.join(' or ')} in its path`);
const child = spawn(process.execPath, [path.join(import.meta.dirname, 'test.ts'), ...files.toSorted()], {
  cwd: root,
  env: { ...process.env, [LONG_ENV]: 'true' },
  stdio: 'inherit',
});
const [code] = (await once(child, 'close')) as [number | null];
process.exitCode = code ?? 1;
