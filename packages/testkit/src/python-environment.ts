import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { holdMachineLock } from '@catchment/servers';

const run = promisify(execFile);
const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache');
const PIP = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];

type PythonOptions = {
  /** This Python makes the environment; default: `python3` of the machine. */
  readonly interpreter?: string;
  /** pip finds the files and folders that `packages` name here. */
  readonly folder?: string;
  /** Those files hold this: another text makes another environment. */
  readonly contents?: string;
  /** Environments are kept here; `node_modules/.cache` by default. */
  readonly cache?: string;
};

/**
 * Returns a Python with these packages in a separate environment, which the first use makes; other packages make it anew.
 * @param packages as pip takes them
 * @returns its interpreter
 * @throws Error that says what is missing: Python 3, venv, or what pip could not have
 */
export async function pythonEnvironment(
  name: string,
  packages: readonly string[],
  { interpreter = 'python3', folder, contents = '', cache = CACHE }: PythonOptions = {},
): Promise<string> {
  const place = path.join(cache, `python-${name}`);
  const python = path.join(place, 'bin/python');
  const mark = path.join(place, 'made-of');
  const madeOf = hash('sha256', JSON.stringify([interpreter, packages, contents]));
  const isMade = async () => (await readFile(mark, 'utf8').catch(() => '')) === madeOf;
  if (await isMade()) return python;
  await mkdir(cache, { recursive: true });
  // Test files that run side by side need the same environment: one makes it, the others wait.
  await using _turn = await holdMachineLock(`catchment-python-${name}`);
  if (await isMade()) return python;
  // The mark of an older environment goes with it; that of this one comes last.
  await run(interpreter, ['-m', 'venv', '--clear', place]).catch((cause) => {
    throw new Error(`needs Python 3 with venv: ${lastWords(cause)}`, { cause });
  });
  await run(python, [...PIP, ...packages], { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch((cause) => {
    throw new Error(`pip could not install ${packages.join(' ')}: ${lastWords(cause)}`, { cause });
  });
  await writeFile(mark, madeOf);
  return python;
}

const lastWords = ({ stderr, stdout, message }: { stderr?: string; stdout?: string; message?: string }): string =>
  [stderr, stdout, message]
    .find((text) => text?.trim())
    ?.trim()
    .split('\n')
    .at(-1) ?? 'no reason was given';

/** Answers' formats have these readers. */
export const FORMAT_READERS = [
  'pyarrow==26.0.1',
  'pandas==3.1.1',
  'dataretrieval==1.4.0',
  'OWSLib==0.35.0',
  'covjson-pydantic==0.8.0',
];
