import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** `Installation.pids` names the services like this. */
export const SERVICES = [
  'gateway',
  'nodes',
  'historic',
  'alarms',
  'events',
  'devices',
  'render',
  'processing',
] as const;

const SAMPLE_EVERY_MS = 500;

/** Returns the resident and proportional set size of a process, bytes; 0 when it is gone. */
export async function memoryOf(pid: number): Promise<{ rss: number; pss: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024;
  return { rss: bytes('Rss'), pss: bytes('Pss') };
}

/** Returns memory of all processes that a process has started, bytes. */
export async function memoryBelow(pid: number): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
    .split(' ')
    .filter(Boolean);
  const each = await Promise.all(
    children.map(async (child) => (await memoryOf(Number(child))).pss + (await memoryBelow(Number(child)))),
  );
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Returns the memory of the services together, bytes: by their proportional set size shared pages count once. Several may share a
 * process.
 */
export async function memoryOfServices(
  pids: Readonly<Record<string, number>>,
  size: 'pss' | 'rss' = 'pss',
): Promise<number> {
  const processes = new Set(SERVICES.map((service) => pids[service] ?? 0));
  const each = await Promise.all([...processes].map(memoryOf));
  return each.reduce((sum, memory) => sum + memory[size], 0);
}

/** Watches the services' memory together; `stop` answers its peak, bytes. */
export function watchMemory(
  pids: Readonly<Record<string, number>>,
  size: 'pss' | 'rss' = 'pss',
): { stop(): Promise<number> } {
  let peak = 0;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(SAMPLE_EVERY_MS)) peak = Math.max(peak, await memoryOfServices(pids, size));
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      return peak;
    },
  };
}
