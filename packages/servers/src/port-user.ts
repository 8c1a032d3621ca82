import { readdir, readFile, readlink } from 'node:fs/promises';

const LISTENING = '0A';

/** Names the program that listens on a port of this machine, for people; undefined: it is not known. Never throws. */
export async function programAt(port: number): Promise<string | undefined> {
  try {
    const sockets = new Set((await Promise.all(['tcp', 'tcp6'].map((table) => socketsAt(table, port)))).flat());
    if (sockets.size === 0) return undefined;
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
      if (await hasSocket(pid, sockets))
        return `${(await readFile(`/proc/${pid}/comm`, 'utf8')).trim()}, process ${pid}`;
  } catch {
    // Another system than Linux, or the process has ended meanwhile.
  }
  return undefined;
}

/** Reads lines of /proc/net: number, local address, remote address, state, …, inode. */
async function socketsAt(table: string, port: number): Promise<string[]> {
  const lines = (await readFile(`/proc/net/${table}`, 'utf8').catch(() => '')).split('\n').slice(1);
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(suffix) && state === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
}

/** Programs of other people cannot be looked into. */
async function hasSocket(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const file of files) {
    const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '');
    if (sockets.has(target)) return true;
  }
  return false;
}
