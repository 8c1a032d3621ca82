import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Every Debian and Ubuntu has util-linux, and our image. */
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'].find((candidate) => existsSync(candidate));
/**
 * Accounts that nobody has, one for each process, so that they cannot reach each other either: far above all that systems give out, or, where
 * a container knows the usual ones only, those that systemd sets apart for such a use.
 */
const ACCOUNTS = [
  { from: 2_000_000_000, below: 2_016_000_000 },
  { from: 61_184, below: 65_520 },
] as const;

export type Confined = {
  readonly program: string;
  readonly args: readonly string[];
  /** A person could do this for better confinement. */
  readonly advice?: string;
};

/**
 * Returns the command line by which a process gets no rights beyond those that it begins with, and ends with its parent. One that root
 * starts gets an account of its own, without any capability: it can signal no other process, and change to no other account.
 * @param read files and folders that it needs
 */
export function confined(program: string, args: readonly string[], read: readonly string[]): Confined {
  if (SETPRIV === undefined) return { program, args };
  const options = ['--no-new-privs', '--pdeathsig', 'KILL'];
  const by = (...more: readonly string[]) => ({
    program: SETPRIV,
    args: [...options, ...more, '--', program, ...args],
  });
  if (process.getuid?.() !== 0) return by();
  const withoutCapabilities = ['--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'];
  const closed = [program, ...read].find((folder) => !isOpenToAll(folder));
  const account = closed === undefined ? freeAccount() : undefined;
  if (account !== undefined)
    return by(`--reuid=${account}`, `--regid=${account}`, '--clear-groups', ...withoutCapabilities);
  const advice =
    closed === undefined
      ? 'this container has no account to spare for programs: they run as root without capabilities'
      : `programs run as root without capabilities, since no other account can read ${closed}: move Catchment, or open the folders above it (chmod o+x)`;
  return { ...by('--clear-groups', ...withoutCapabilities), advice };
}

/** Returns an account of one of the ranges, as far as the kernel knows it here. */
function freeAccount(): number | undefined {
  const range = ACCOUNTS.find(
    ({ from, below }) => isMapped('uid_map', from, below) && isMapped('gid_map', from, below),
  );
  return range && randomInt(range.from, range.below);
}

function isMapped(map: 'uid_map' | 'gid_map', from: number, below: number): boolean {
  try {
    // Each line has the first account in here, the first account outside, and how many there are.
    return readFileSync(`/proc/self/${map}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .some(([first = 0, , count = 0]) => first <= from && below <= first + count);
  } catch {
    return false;
  }
}

const known = new Map<string, boolean>();

/** Returns whether any account can read a file or a folder, and reach it. */
function isOpenToAll(file: string): boolean {
  const before = known.get(file);
  if (before !== undefined) return before;
  const parent = path.dirname(file);
  const isOpen = hasRights(file) && (parent === file || isOpenToAll(parent));
  known.set(file, isOpen);
  return isOpen;
}

function hasRights(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  // A path that is not there is not read.
  return !stats || (stats.mode & (stats.isDirectory() ? 0o001 : 0o004)) !== 0;
}
