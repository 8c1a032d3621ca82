import { readFile } from 'node:fs/promises';

const SAMPLE_EVERY_MS = 250;

/** Watches the resident memory of processes; `stop` answers the peak of each in bytes. */
export function watchMemory(pids: Readonly<Record<string, number>>): { stop(): Record<string, number> } {
  const peaks: Record<string, number> = {};
  const look = async () => {
    for (const [name, pid] of Object.entries(pids)) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const kib = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
      peaks[name] = Math.max(peaks[name] ?? 0, kib * 1024);
    }
  };
  const timer = setInterval(() => void look(), SAMPLE_EVERY_MS);
  void look();
  return {
    stop: () => {
      clearInterval(timer);
      return peaks;
    },
  };
}
