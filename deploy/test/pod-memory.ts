import { say } from './commands.ts';
import type { Release } from './release.ts';

/** Sums over the processes of a container: what they take now (a part of what is shared among them), and the most that its first process ever took. */
const LOOK =
  "cat /proc/[0-9]*/smaps_rollup 2>/dev/null | awk '/^Pss:/ {sum += $2} END {print int(sum / 1024)}'; awk '/^VmHWM/ {print int($2 / 1024)}' /proc/1/status";

/** Memory of the pods of services, by what the kernel says of their processes. */
export class PodMemory {
  readonly #release: Release;

  constructor(release: Release) {
    this.#release = release;
  }

  async tell(when: string): Promise<void> {
    const pods = (await this.#release.readyPods()).filter(
      ({ metadata }) => !/-(postgresql|nats|influxdb)-0$/.test(metadata.name),
    );
    let total = 0;
    for (const { metadata } of pods) {
      const printed = await this.#release.kubectl('exec', metadata.name, '--', 'sh', '-c', LOOK);
      const [now = 0, most = 0] = printed.trim().split('\n').map(Number);
      total += now;
      say(
        `  ${metadata.labels['app.kubernetes.io/component']}: ${now} MiB (PSS), at most ${most} MiB (RSS of its first process)`,
      );
    }
    say(`memory of the services ${when}: ${total} MiB`);
  }
}
