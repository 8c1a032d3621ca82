import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pythonEnvironment } from '@catchment/testkit/python-environment';
import { run } from '../tools/run.ts';

const root = path.resolve(import.meta.dirname, '../..');
export const PYTHON_SDK = path.join(root, 'sdk/python');
const OLDEST = 10;

export type Python = { readonly version: string; readonly command: string };

/** Finds the oldest and the newest Python from 3.10 on, or those that are named. */
export async function findPythons(named: readonly string[] | undefined): Promise<Python[]> {
  const pyenv = path.join(process.env.PYENV_ROOT ?? path.join(os.homedir(), '.pyenv'), 'versions');
  const kept = existsSync(pyenv)
    ? (await readdir(pyenv)).map((version) => path.join(pyenv, version, 'bin/python3'))
    : [];
  const minors = Array.from({ length: 10 }, (_, n) => `python3.${OLDEST + n}`);
  const found = new Map<number, string>();
  for (const command of ['python3', ...minors, ...kept]) {
    const script = 'import sys; print(*sys.version_info[:2], sys.executable)';
    const { code, output } = await run(command, ['-c', script], { cwd: root }).catch(() => ({ code: 1, output: '' }));
    const [, major, minor, executable] = /^(\d+) (\d+) (.+)\n$/.exec(output) ?? [];
    if (code === 0 && major === '3' && Number(minor) >= OLDEST && executable && !found.has(Number(minor)))
      found.set(Number(minor), executable);
  }
  const all = [...found.entries()]
    .sort(([a], [b]) => a - b)
    .map(([minor, command]) => ({ version: `3.${minor}`, command }));
  if (named) return all.filter(({ version }) => named.includes(version));
  return all.length <= 2 ? all : all.filter((_, n) => n === 0 || n === all.length - 1);
}

/** Makes a virtual environment with the client, its extras and what tests need, once for a list of packages. @returns its python */
export async function environmentOf({ version, command }: Python): Promise<string> {
  const files = ['requirements-test.txt', 'pyproject.toml'].map((name) =>
    readFile(path.join(PYTHON_SDK, name), 'utf8'),
  );
  return pythonEnvironment(`sdk-${version}`, ['-r', 'requirements-test.txt', '-e', '.[pandas,polars,arrow]'], {
    interpreter: command,
    folder: PYTHON_SDK,
    contents: (await Promise.all(files)).join('\n'),
  });
}
