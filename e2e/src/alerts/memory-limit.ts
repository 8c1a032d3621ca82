import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { until } from '@catchment/testkit';

/** Where Linux limits memory, in its first and its second way. */
const KINDS = [
  { root: '/sys/fs/cgroup/memory', file: 'memory.limit_in_bytes' },
  { root: '/sys/fs/cgroup', file: 'memory.max' },
];
const FIRST_BYTES = 4 * 1024 ** 3;

export type MemoryLimit = {
  /** Comes before a command line that is to be limited. */
  readonly wrapper: readonly string[];
  set(bytes: number): Promise<void>;
  /** When its processes have ended. */
  remove(): Promise<void>;
};

/** A control group, as a pod has one. @throws Error where this account may not make one */
export async function memoryLimit(): Promise<MemoryLimit> {
  for (const { root, file } of KINDS) {
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
    await set(FIRST_BYTES);
    return {
      wrapper: ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$@"`, 'sh'],
      set,
      remove: async () =>
        void (await until(() => rmdir(folder).then(() => true), { what: 'the group has no process' })),
    };
  }
  throw new Error('no control group could be made here: memory is not limited');
}

/** Of a process, bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
}
