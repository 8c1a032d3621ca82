import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Ports and login of a server, kept beside its data so that both are the same at the next start. */
export type ServerState = {
  ports: number[];
  user: string;
  password: string;
  /** PostgreSQL only: where its files are when they cannot be under the folder. */
  filesFolder?: string;
};

/** Opens the state of a server in `folder`, or makes one with a fresh login; the folder is only its owner's. */
export async function openState(folder: string): Promise<{ state: ServerState; isNew: boolean }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // One of an earlier version was everybody's to read, and servers make files that are.
  // The account of PostgreSQL passes by its group.
  if (((await stat(folder)).mode & 0o007) !== 0) await chmod(folder, 0o700);
  const text = await readFile(statePath(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return { state: parseState(text, folder), isNew: false };
  return { state: { ports: [], user: 'catchment', password: randomBytes(24).toString('hex') }, isNew: true };
}

/** Saves by renaming, so that a crash leaves the old state or the new one; only the owner can read the password. */
export async function saveState(folder: string, state: ServerState): Promise<void> {
  const temporary = `${statePath(folder)}.new`;
  await writeFile(temporary, JSON.stringify(state, null, 2), { mode: 0o600 });
  await chmod(temporary, 0o600);
  await rename(temporary, statePath(folder));
}

function statePath(folder: string): string {
  return path.join(folder, 'server.json');
}

function parseState(text: string, folder: string): ServerState {
  try {
    const state = JSON.parse(text) as Partial<ServerState>;
    if (Array.isArray(state.ports) && state.user && state.password) return state as ServerState;
  } catch {
    // reported below, without the content: it holds a password
  }
  throw new Error(`${statePath(folder)} is damaged; move ${folder} away to begin afresh`);
}
