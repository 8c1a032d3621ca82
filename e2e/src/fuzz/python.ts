import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

const REQUIREMENTS = path.join(import.meta.dirname, 'requirements.txt');
/** Schemathesis 4 needs it. */
const VERSION_RULE = 'import sys; sys.exit(sys.version_info < (3, 10))';
const CANDIDATES = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];

/**
 * The Python of a virtual environment that has what `requirements.txt` names, made at the first call.
 * @param folder where environments are kept
 * @throws Error that says what is missing on the machine
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
  const base = await machinePython();
  say('Installing Schemathesis (only this once)');
  await rm(place, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  if (!(await run(base, ['-m', 'venv', place])).isGood)
    throw new Error('Python cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv');
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', REQUIREMENTS];
  const installed = await run(python, pip);
  if (!installed.isGood) throw new Error(`pip could not install Schemathesis:\n${installed.output}`);
  await writeFile(done, '');
  return python;
}

async function machinePython(): Promise<string> {
  for (const name of CANDIDATES) if ((await run(name, ['-c', VERSION_RULE])).isGood) return name;
  throw new Error('Python 3.10 or newer is needed; on Debian and Ubuntu: apt-get install python3 python3-venv');
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
