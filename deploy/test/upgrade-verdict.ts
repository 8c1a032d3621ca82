import { say } from './commands.ts';
import type { Absence, PodWatch } from './pod-watch.ts';
import type { Failure, Traffic } from './traffic.ts';

/** The chart starts one of each of these servers: while the pod is replaced, nobody can answer for it. */
const SINGLE = ['postgresql', 'nats', 'influxdb'];
/** Clients have found a server again this long after it is ready. */
const FOUND_MS = 3_000;
const BUCKET_MS = 1_000;

type Times = { readonly beganMs: number; readonly endedMs: number };

const overlaps = ({ atMs, durationMs }: Failure, { fromMs, toMs }: Absence): boolean =>
  atMs < toMs + FOUND_MS && atMs + durationMs > fromMs;
const within = ({ beganMs, endedMs }: Times, atMs: number): boolean => atMs >= beganMs && atMs < endedMs;
const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19);

/** Prints what failed, second by second, beside what the pods did then. */
function report(failures: readonly Failure[], watch: PodWatch, times: Times): void {
  const lines = new Map<number, string[]>();
  const add = (atMs: number, text: string) => {
    const bucket = Math.floor(atMs / BUCKET_MS) * BUCKET_MS;
    lines.set(bucket, [...(lines.get(bucket) ?? []), text]);
  };
  for (const { atMs, text } of watch.changes) if (within(times, atMs)) add(atMs, text);
  for (const [atMs, those] of Map.groupBy(failures, ({ atMs }) => Math.floor(atMs / BUCKET_MS) * BUCKET_MS))
    for (const [how, some] of Map.groupBy(those, ({ what, status }) => `${what} ${status}`)) {
      const longest = Math.max(...some.map(({ durationMs }) => durationMs)) / 1_000;
      add(atMs, `${how} ×${some.length} (up to ${longest.toFixed(1)} s)`);
    }
  for (const [atMs, texts] of [...lines].sort(([a], [b]) => a - b)) say(`  ${clock(atMs)} ${texts.join('; ')}`);
}

/** Says what an upgrade did to those who wrote and read. @returns how many writes failed while every server was there */
export function judge(what: string, traffic: Traffic, watch: PodWatch, times: Times): number {
  const failures = traffic.failures.filter(({ atMs }) => within(times, atMs));
  report(failures, watch, times);
  const absences = watch.absences(SINGLE).filter(({ fromMs }) => within(times, fromMs));
  const writes = failures.filter(({ what: kind }) => kind === 'write');
  const unexplained = writes.filter((failure) => !absences.some((absence) => overlaps(failure, absence)));
  const sent = traffic.durations.filter(({ atMs }) => within(times, atMs)).length;
  const seconds = (times.endedMs - times.beganMs) / 1_000;
  say(`${what}: ${seconds.toFixed(0)} s, ${sent} writes (${(sent / seconds).toFixed(0)}/s)`);
  for (const absence of absences) {
    const { component, fromMs, toMs } = absence;
    const lost = writes.filter((failure) => overlaps(failure, absence)).length;
    say(`  ${component} was away for ${((toMs - fromMs) / 1_000).toFixed(1)} s; ${lost} writes failed meanwhile`);
  }
  const silence = (kind: Failure['what']) => (traffic.silenceMs(kind, times) / 1_000).toFixed(1);
  const slow = (quantile: number) => traffic.latencyMs(quantile, [times]).toFixed(0);
  say(`  longest without an answered write ${silence('write')} s, read ${silence('read')} s`);
  say(`  writes: median ${slow(0.5)} ms, 99 % within ${slow(0.99)} ms`);
  say(
    `  ${failures.length - writes.length} reads failed; ${writes.length} writes, ${unexplained.length} of them while every server was there`,
  );
  return unexplained.length;
}
