import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pythonEnvironment } from '@catchment/testkit/python-environment';

export type Ended = { readonly code: number; readonly output: string };
export type Tools = {
  /** These programs and libraries are not there, with the reason. */
  readonly missing: ReadonlyMap<string, string>;
  /** This Python has paho-mqtt and paramiko. */
  readonly python: string;
  /** The libraries of npm are here. */
  readonly modules: string;
};

const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/clients');
/** A package of Debian and Ubuntu has each program. */
const PROGRAMS = {
  scp: 'openssh-client',
  sftp: 'openssh-client',
  sshpass: 'sshpass',
  lftp: 'lftp',
  curl: 'curl',
  mosquitto_pub: 'mosquitto-clients',
  mosquitto: 'mosquitto',
} as const;
const PYTHON = ['paho-mqtt==2.1.0', 'paramiko==3.5.1'];
const NPM = ['sparkplug-client@3.2.4', 'ssh2@1.17.0'];
const LIMIT_MS = 300_000;

/** Runs a program to its end; 124 when that takes too long, 127 when it is not there. */
export async function run(
  program: string,
  args: readonly string[],
  options: { input?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...options.env },
    timeout: LIMIT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-20_000);
    });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
    return { code: code ?? (signal === 'SIGTERM' ? 124 : 1), output };
  } catch (error) {
    return { code: 127, output: String(error) };
  }
}

/**
 * Installs what the clients need and is not there. Root on Debian and Ubuntu gets the programs; libraries go into a
 * separate folder.
 */
export async function provideTools(say: (line: string) => void): Promise<Tools> {
  const missing = new Map<string, string>();
  const isThere = async (program: string) => (await run('sh', ['-c', `command -v ${program}`])).code === 0;
  const absent = async () => {
    const found: (keyof typeof PROGRAMS)[] = [];
    for (const program of Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[])
      if (!(await isThere(program))) found.push(program);
    return found;
  };
  const wanted = await absent();
  const packages = [...new Set(wanted.map((program) => PROGRAMS[program]))];
  if (packages.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say(`Installing ${packages.join(', ')} from the distribution's packages`);
    await run('apt-get', ['update', '-q']);
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages]);
  }
  for (const program of await absent())
    missing.set(program, `install the package ${PROGRAMS[program]} of your distribution`);
  await mkdir(CACHE, { recursive: true });
  const python = await pythonEnvironment('clients', PYTHON).catch((error: Error) => {
    missing.set('python', error.message);
    return '';
  });
  const modules = await provideModules(missing, say);
  return { missing, python, modules };
}

async function provideModules(missing: Map<string, string>, say: (line: string) => void): Promise<string> {
  const folder = path.join(CACHE, 'npm');
  const done = path.join(folder, NPM.join('+').replaceAll(/[^a-z0-9.+@-]/g, '_'));
  const modules = path.join(folder, 'node_modules');
  if (existsSync(done)) return modules;
  say(`Installing ${NPM.join(', ')} (only this once)`);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  const installed = await run('npm', [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefix',
    folder,
    ...NPM,
  ]);
  if (installed.code === 0) await writeFile(done, '');
  else missing.set('npm', `could not fetch ${NPM.join(', ')}: ${installed.output.trim().split('\n').at(-1)}`);
  return modules;
}
