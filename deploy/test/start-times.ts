// `node deploy/test/start-times.ts NAMESPACE [SERVICE …]` deletes a pod of each service of a release three times and prints how long the
// processes of the new ones took from their start to «service ready» (migrations looked at, backends reached), which the kernel and their
// logs know.
import { SERVICES } from './arguments.ts';
import { say } from './commands.ts';
import { Release } from './release.ts';

const TIMES = 3;
const READY_SECONDS = 120;
/** The kernel's clock in /proc has this many ticks a second. */
const PER_SECOND = 100;

const [namespace = '', ...named] = process.argv.slice(2);
const release = new Release(namespace, []);

async function startSeconds(service: string): Promise<number> {
  const selector = `app.kubernetes.io/component=${service}`;
  await release.kubectl('delete', 'pod', '--selector', selector, '--wait=true');
  await release.waitReady(READY_SECONDS);
  const name = await release.kubectl('get', 'pod', '--selector', selector, '--output', 'name');
  const pod = name.trim().split('\n')[0] ?? '';
  const log = await release.kubectl('logs', pod);
  const ready = log.split('\n').find((line) => line.includes('"service ready"'));
  const readyMs = Date.parse((JSON.parse(ready ?? '{}') as { time: string }).time);
  const clock = 'echo $(cut -d" " -f1 /proc/uptime) $(cut -d" " -f22 /proc/1/stat) $(date +%s%3N)';
  const printed = await release.kubectl('exec', pod, '--', 'sh', '-c', clock);
  const [uptime = 0, ticks = 0, nowMs = 0] = printed.trim().split(' ').map(Number);
  const startedMs = nowMs - (uptime - ticks / PER_SECOND) * 1_000;
  return (readyMs - startedMs) / 1_000;
}

for (const service of named.length > 0 ? named : SERVICES) {
  const seconds: number[] = [];
  for (let time = 0; time < TIMES; time += 1) seconds.push(await startSeconds(service));
  const [first = 0, median = 0] = seconds.toSorted((a, b) => a - b);
  say(`${service}: ${median.toFixed(2)} s (best ${first.toFixed(2)} s)`);
}
