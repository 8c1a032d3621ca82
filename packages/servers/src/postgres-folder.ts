import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { runToEnd } from './server-process.ts';

const POSTGRES_ACCOUNT = 'postgres';

/** PostgreSQL refuses to run as root; then it runs as its package's account. */
export function postgresAccount(): string | undefined {
  return process.getuid?.() === 0 ? POSTGRES_ACCOUNT : undefined;
}

/**
 * The folder for PostgreSQL's files, made and owned by the account that runs it: under `folder` where that account can
 * reach it, else (a checkout below /root) `/var/lib/catchment-<hash of folder>`.
 * @param isNew whether this is the first start: an outside folder of the same name then belongs to a deleted
 *   installation and is moved aside
 */
export async function providePostgresFolder(
  folder: string,
  isNew: boolean,
  log: (line: string) => void,
  isContainer = false,
): Promise<string> {
  const inside = path.join(folder, 'files');
  const account = isContainer ? undefined : postgresAccount(); // the engine's root reaches every folder
  if (account === undefined) {
    await mkdir(inside, { recursive: true, mode: 0o700 });
    return inside;
  }
  await mkdir(inside, { recursive: true });
  await give(inside, account);
  await letPass(folder, account);
  if (await canWrite(inside, account)) return inside;
  const outside = outsideFolder(folder);
  if (isNew && (await exists(outside))) {
    const aside = `${outside}.old-${Date.now()}`;
    await rename(outside, aside);
    log(`moved the database of an earlier installation to ${aside}`);
  }
  await mkdir(outside, { recursive: true, mode: 0o700 });
  await give(outside, account);
  return outside;
}

/**
 * Lets the group of an account, and nobody else, pass through the folder of the server and the one of all data, which are their owner's alone.
 * Folders that others may pass already are left as they are.
 */
export async function letPass(folder: string, account: string): Promise<void> {
  const { gid } = await idsOf(account);
  for (const directory of [path.dirname(folder), folder]) {
    const { mode, uid } = await stat(directory);
    if ((mode & 0o777) !== 0o700 || uid !== process.getuid?.()) continue;
    await chown(directory, uid, gid);
    await chmod(directory, 0o710);
  }
}

/** Returns where PostgreSQL's files of `folder` go when its account cannot reach them there. */
export function outsideFolder(folder: string): string {
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return `/var/lib/catchment-${hash}`;
}

async function give(target: string, account: string): Promise<void> {
  const { uid, gid } = await idsOf(account);
  await chown(target, uid, gid);
}

async function idsOf(account: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = (await runToEnd('/bin/sh', ['-c', `id -u ${account} && id -g ${account}`]))
    .trim()
    .split('\n')
    .map(Number);
  if (uid === undefined || gid === undefined || Number.isNaN(uid)) throw new Error(`there is no account "${account}"`);
  return { uid, gid };
}

async function canWrite(target: string, account: string): Promise<boolean> {
  return runToEnd('/bin/sh', ['-c', 'test -w "$0" && test -x "$0"', target], account).then(
    () => true,
    () => false,
  );
}

async function exists(target: string): Promise<boolean> {
  return stat(target).then(
    () => true,
    () => false,
  );
}
