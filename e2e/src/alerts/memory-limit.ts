import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '@catchment/testkit';

/**
 * Linux limits memory here, in its first and its second way, by a limit at which processes wait instead of being ended:
 * they may take more at once than is left.
 */
const KINDS = [
  {
    root: '/sys/fs/cgroup/memory',
    file: 'memory.limit_in_bytes',
    own: /^total_rss (\d+)$/m,
    waiting: 'memory.oom_control',
  },
  { root: '/sys/fs/cgroup', file: 'memory.high', own: /^anon (\d+)$/m },
];
const FIRST_BYTES = 4 * 1024 ** 3;
const FOLLOW_MS = 100;

type MemoryLimit = {
  /** Comes before a command line that is to be limited. */
  readonly wrapper: readonly string[];
  /**
   * Allows from now on this many times what its processes keep however little they may have: all but pages of files, which the kernel takes
   * back at the limit. A process that has just started still grows.
   */
  follow(share: number): void;
  /** Removes it when its processes have ended. */
  remove(): Promise<void>;
};

/** Makes a control group, as a pod has one. @throws Error where this account may not make one */
export async function memoryLimit(): Promise<MemoryLimit> {
  for (const { root, file, own, waiting } of KINDS) {
    const folder = path.join(root, `catchment-${process.pid}`);
    const limitFile = path.join(folder, file);
    try {
      await mkdir(folder);
      await access(limitFile);
    } catch {
      await rmdir(folder).catch(() => {});
      continue;
    }
    const set = (bytes: number) => writeFile(limitFile, String(Math.round(bytes)));
    const kept = async () => Number(own.exec(await readFile(path.join(folder, 'memory.stat'), 'utf8'))?.[1]);
    await set(FIRST_BYTES);
    if (waiting) await writeFile(path.join(folder, waiting), '1');
    let following: NodeJS.Timeout | undefined;
    return {
      wrapper: ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh'],
      follow: (share) => {
        const next = async () => set((await kept()) * share);
        // The kernel refuses a limit that it cannot reach at once: the next one comes soon.
        following = setInterval(() => void next().catch(() => undefined), FOLLOW_MS);
      },
      remove: async () => {
        clearInterval(following);
        await until(() => rmdir(folder).then(() => true), { what: 'the group has no process' });
      },
    };
  }
  throw new Error('no control group could be made here: memory is not limited');
}
