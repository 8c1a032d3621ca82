import { readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;
const LOOK_EVERY_MS = 20;

async function fieldsOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name may hold spaces: fields are counted from the bracket that ends it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns the processor time that processes have had, all threads, user and system. */
export async function cpuMsOf(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    const fields = await fieldsOf(pid);
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

/** Returns the processor time of a process and of those that it has started, also those that have ended since. */
export async function cpuMsWithChildren(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const fields = await fieldsOf(pid);
  const ended = ((Number(fields[13]) + Number(fields[14])) * 1_000) / TICKS_PER_SECOND;
  const living = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => cpuMsOf([Number(child)]).catch(() => 0)),
  );
  return (await cpuMsOf([pid])) + ended + living.reduce((sum, ms) => sum + ms, 0);
}

/** Works as `cpuMsOf` for each process, by the name of its service or of all that run in it; PostgreSQL counts with the processes that serve its connections. */
export async function cpuByProcess(pids: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const byPid = Map.groupBy(Object.entries(pids), ([, pid]) => pid);
  const entries = [...byPid].map(async ([pid, named]) => {
    const name = named.map(([service]) => service).join('+');
    return [name, await (name === 'postgres' ? cpuMsWithChildren(pid) : cpuMsOf([pid]))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the processor time of one of `requests`, ms by process. */
export const cpuOfEach = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
  requests: number,
): Record<string, number> =>
  Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / requests]));

/** Returns the resident memory of processes together, bytes. */
export async function residentBytes(pids: readonly number[]): Promise<number> {
  let kib = 0;
  for (const pid of pids) {
    kib += Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  }
  return kib * 1_024;
}

/** Returns the growth of the resident memory of processes together during `work`. Bytes. */
export async function memoryGrowth(pids: readonly number[], work: () => Promise<unknown>): Promise<number> {
  const before = await residentBytes(pids);
  let peak = before;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await residentBytes(pids));
  }, LOOK_EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, await residentBytes(pids)) - before;
}
