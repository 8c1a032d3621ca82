import { execFile } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { isUsable, parseVersion, type ServerKind } from './versions.ts';

const run = promisify(execFile);

export type Binary = { path: string; version: string };

const PROGRAM: Record<ServerKind, { name: string; versionArguments: string[]; prints: RegExp }> = {
  postgres: { name: 'postgres', versionArguments: ['--version'], prints: /postgres/i },
  nats: { name: 'nats-server', versionArguments: ['--version'], prints: /nats/i },
  influx: { name: 'influxd', versionArguments: ['version'], prints: /influx/i },
};

/** Version of a program built without one: usable where its path is given, never found by search. */
const UNKNOWN_VERSION = 'unknown';

/** Packages put servers here, though these folders are often not on a user's PATH. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/local/sbin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin'];

/**
 * Finds the first usable program of a kind on this machine: a given path, PATH, the usual folders, and for PostgreSQL the
 * newest of /usr/lib/postgresql/<version>/bin.
 * @returns undefined when there is none that is new enough
 * @throws Error when the given path is not a usable program
 */
export async function findBinary(kind: ServerKind, givenPath?: string): Promise<Binary | undefined> {
  if (givenPath !== undefined) {
    const version = await versionOf(kind, givenPath);
    if (version !== undefined && (version === UNKNOWN_VERSION || isUsable(kind, version)))
      return { path: givenPath, version };
    throw new Error(`${givenPath} is no usable ${PROGRAM[kind].name}: ${version ?? 'it does not report its version'}`);
  }
  for (const folder of await candidateFolders(kind)) {
    const candidate = path.join(folder, PROGRAM[kind].name);
    const version = await versionOf(kind, candidate);
    if (version !== undefined && isUsable(kind, version)) return { path: candidate, version };
  }
  return undefined;
}

async function candidateFolders(kind: ServerKind): Promise<string[]> {
  const onPath = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const versioned = kind === 'postgres' ? await postgresFolders() : [];
  return [...new Set([...onPath, ...versioned, ...USUAL_FOLDERS])];
}

async function postgresFolders(): Promise<string[]> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  return versions.sort((a, b) => Number(b) - Number(a)).map((version) => path.join(root, version, 'bin'));
}

async function versionOf(kind: ServerKind, program: string): Promise<string | undefined> {
  try {
    await access(program, constants.X_OK);
    const { stdout, stderr } = await run(program, PROGRAM[kind].versionArguments, { timeout: 10_000 });
    return PROGRAM[kind].prints.test(stdout + stderr) ? (parseVersion(stdout + stderr) ?? UNKNOWN_VERSION) : undefined;
  } catch {
    return undefined; // not there, or not a program that runs here
  }
}
