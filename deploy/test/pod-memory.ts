import { say } from './commands.ts';
import type { Release } from './release.ts';

/** Sums over the processes of a container: what they take now (a part of what is shared among them), and the most that its first process ever took. */
const LOOK =
  "cat /proc/[0-9]*/smaps_rollup 2>/dev/null | awk '/^Pss:/ {sum += $2} END {print int(sum / 1024)}'; awk '/^VmHWM/ {print int($2 / 1024)}' /proc/1/status";
const SERVERS = ['postgresql', 'nats', 'influxdb'];

/** Prints the memory of each pod and of all services, by what the kernel says of their processes. */
export async function reportMemory(release: Release, when: string): Promise<void> {
  let total = 0;
  say(`memory ${when}:`);
  for (const { metadata } of await release.readyPods()) {
    const part = metadata.labels['app.kubernetes.io/component'] ?? '';
    const printed = await release.kubectl('exec', metadata.name, '--', 'sh', '-c', LOOK);
    const [now = 0, most = 0] = printed.trim().split('\n').map(Number);
    if (!SERVERS.includes(part)) total += now;
    say(`  ${part}: ${now} MiB (PSS), at most ${most} MiB (RSS of its first process)`);
  }
  say(`  all services: ${total} MiB`);
}
