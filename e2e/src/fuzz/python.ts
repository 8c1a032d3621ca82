import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pythonEnvironment } from '@catchment/testkit/python-environment';

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');
/** Schemathesis 4 needs it. */
const VERSION_RULE = 'import sys; sys.exit(sys.version_info < (3, 10))';
/** Debian and Ubuntu have these. */
const PACKAGES = ['python3', 'python3-venv'];
const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];

/**
 * Provides the Python of a virtual environment that has what `requirements.txt` names, made at the first call.
 * @throws Error that names the missing program
 */
export async function providePython(say: (line: string) => void): Promise<string> {
  const contents = await readFile(REQUIREMENTS, 'utf8');
  const make = (interpreter: string) =>
    pythonEnvironment('fuzz', ['--requirement', REQUIREMENTS], { interpreter, contents });
  const found = await newEnough();
  const first = found && (await make(found).catch(() => undefined));
  if (first) return first;
  // Root on Debian and Ubuntu gets the packages that it needs where they are missing.
  if (process.getuid?.() === 0 && (await run('apt-get', ['--version'])).isGood) {
    say(`Installing ${PACKAGES.join(' and ')} from the distribution's packages`);
    await run('apt-get', ['update', '-q']);
    const installed = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...PACKAGES]);
    if (!installed.isGood) throw new Error(`${PACKAGES.join(' and ')} could not be installed:\n${installed.output}`);
  }
  const interpreter = await newEnough();
  if (interpreter) return make(interpreter);
  throw new Error(
    `Python 3.10 or newer with virtual environments is needed; on Debian and Ubuntu: sudo apt-get install ${PACKAGES.join(' ')}`,
  );
}

async function newEnough(): Promise<string | undefined> {
  for (const name of CANDIDATES) if ((await run(name, ['-c', VERSION_RULE])).isGood) return name;
  return undefined;
}

async function run(command: string, args: readonly string[]): Promise<{ isGood: boolean; output: string }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { isGood: code === 0, output };
  } catch (error) {
    return { isGood: false, output: String(error) };
  }
}
