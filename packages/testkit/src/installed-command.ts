import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { holdMachineLock } from '@catchment/servers';

const run = promisify(execFile);
const INSTALL_LIMIT_MS = 180_000;

/**
 * Finds a command of the machine, whose package is installed where root may and it is missing.
 * @throws Error naming the command that installs it
 */
export async function installedCommand(command: string, packageName: string): Promise<string> {
  if (await isThere(command)) return command;
  if (process.getuid?.() === 0) {
    const apt = (...args: string[]) => run('apt-get', args, { timeout: INSTALL_LIMIT_MS }).catch(() => undefined);
    // Tests in other processes may miss the same.
    await using _turn = await holdMachineLock('catchment-install');
    if (await isThere(command)) return command;
    await apt('update', '-q');
    await apt('install', '-y', '-q', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300', packageName);
    if (await isThere(command)) return command;
  }
  throw new Error(`${command} is needed; on Debian and Ubuntu: sudo apt-get install ${packageName}`);
}

/** The help of some commands does not end with 0. */
const isThere = (command: string): Promise<boolean> =>
  run(command, ['--help']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
