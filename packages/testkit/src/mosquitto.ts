import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = 'mosquitto-clients';
const INSTALL_LIMIT_MS = 180_000;

/**
 * The command `mosquitto_pub`, installed where root may and it is missing.
 * @throws Error naming the command that installs it
 */
export async function mosquittoPub(): Promise<string> {
  if (await isThere()) return 'mosquitto_pub';
  if (process.getuid?.() === 0) {
    const apt = (...args: string[]) => run('apt-get', args, { timeout: INSTALL_LIMIT_MS }).catch(() => undefined);
    await apt('update', '-q');
    await apt('install', '-y', '-q', '--no-install-recommends', PACKAGE);
    if (await isThere()) return 'mosquitto_pub';
  }
  throw new Error(`mosquitto_pub is needed; on Debian and Ubuntu: sudo apt-get install ${PACKAGE}`);
}

/** Its help ends with a code of its own. */
const isThere = (): Promise<boolean> =>
  run('mosquitto_pub', ['--help']).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
