import { access, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Files of a control group of Linux, in its second and its first way, and what its pages are called that the kernel takes back first. */
const KINDS = [
  { line: /^0::(\/.*)$/m, root: '', used: 'memory.current', idle: /^inactive_file (\d+)$/m },
  {
    line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m,
    root: 'memory',
    used: 'memory.usage_in_bytes',
    idle: /^total_inactive_file (\d+)$/m,
  },
];

/** Returns the memory of the control group of this process, where its limit holds for all of its processes. */
type GroupMemory = () => Promise<number>;

/**
 * Finds the control group once, so that each question costs two small files.
 * @returns undefined where there is none; rejects later when its files are gone
 */
export async function groupMemory(
  places = { groups: '/sys/fs/cgroup', own: '/proc/self/cgroup' },
): Promise<GroupMemory | undefined> {
  const group = await readFile(places.own, 'utf8').catch(() => '');
  for (const { line, root, used, idle } of KINDS) {
    const [, ownPath] = line.exec(group) ?? [];
    if (ownPath === undefined) continue;
    const top = path.join(places.groups, root);
    // The path of a container may be that of the host, while only the container's own group is mounted.
    for (const folder of [path.join(top, ownPath), top]) {
      const [usedFile, statFile] = [path.join(folder, used), path.join(folder, 'memory.stat')];
      const isThere = await access(usedFile).then(
        () => true,
        () => false,
      );
      if (!isThere) continue;
      return async () => {
        const [bytes, stat] = await Promise.all([usedFile, statFile].map((file) => readFile(file, 'utf8')));
        // The kubelet counts like this: file pages that nobody uses go before anything is ended.
        return Math.max(0, Number(bytes) - Number(idle.exec(stat ?? '')?.[1] ?? 0));
      };
    }
  }
  return undefined;
}
