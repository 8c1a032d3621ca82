import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');
/** Schemathesis 4 needs it. */
const VERSION_RULE = 'import sys; sys.exit(sys.version_info < (3, 10))';
/** On Debian and Ubuntu. */
const PACKAGES = ['python3', 'python3-venv'];
const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];

/**
 * The Python of a virtual environment that has what `requirements.txt` names, made at the first call.
 * @param folder where environments are kept
 * @throws Error that names the missing program
 */
export async function providePython(folder: string, say: (line: string) => void): Promise<string> {
  const digest = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 12);
  const place = path.join(folder, `python-${digest}`);
  const python = path.join(place, 'bin/python');
  const done = path.join(place, 'complete');
  if (await stat(done).catch(() => undefined)) return python;
  await mkdir(folder, { recursive: true });
  await makeEnvironment(place, say);
  say('Installing Schemathesis (only this once)');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS];
  const installed = await run(python, pip);
  if (!installed.isGood) throw new Error(`pip could not install Schemathesis:\n${installed.output}`);
  await writeFile(done, '');
  return python;
}

/** A virtual environment at `place`. Root on Debian and Ubuntu gets the packages that it needs where they are missing. */
async function makeEnvironment(place: string, say: (line: string) => void): Promise<void> {
  if (await isMade(place)) return;
  if (process.getuid?.() === 0 && (await run('apt-get', ['--version'])).isGood) {
    say(`Installing ${PACKAGES.join(' and ')} from the distribution's packages`);
    await run('apt-get', ['update', '-q']);
    const installed = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...PACKAGES]);
    if (!installed.isGood) throw new Error(`${PACKAGES.join(' and ')} could not be installed:\n${installed.output}`);
    if (await isMade(place)) return;
  }
  throw new Error(
    `Python 3.10 or newer with virtual environments is needed; on Debian and Ubuntu: sudo apt-get install ${PACKAGES.join(' ')}`,
  );
}

async function isMade(place: string): Promise<boolean> {
  for (const name of CANDIDATES) {
    await rm(place, { recursive: true, force: true });
    const isNew = (await run(name, ['-c', VERSION_RULE])).isGood;
    if (isNew && (await run(name, ['-m', 'venv', place])).isGood) return true;
  }
  return false;
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
