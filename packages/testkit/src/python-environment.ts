import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache');

/**
 * A Python with these packages in an environment of its own, which the first use makes.
 * @param packages as pip takes them
 * @throws Error without Python 3 and venv
 */
export async function pythonEnvironment(name: string, packages: readonly string[]): Promise<string> {
  const folder = path.join(CACHE, `python-${name}`);
  const python = path.join(folder, 'bin/python');
  const done = path.join(folder, packages.join('+').replaceAll(/[^a-z0-9.+-]/g, '_'));
  if (existsSync(done)) return python;
  await mkdir(CACHE, { recursive: true });
  await run('python3', ['-m', 'venv', '--clear', folder]);
  await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
  await writeFile(done, '');
  return python;
}

/** Readers of the formats of answers. */
export const FORMAT_READERS = [
  'pyarrow==26.0.1',
  'pandas==3.1.1',
  'dataretrieval==1.4.0',
  'OWSLib==0.35.0',
  'covjson-pydantic==0.8.0',
];
