import { say } from './commands.ts';
import type { Failure, Traffic } from './traffic.ts';

/** The machine may let this process stand still for long, and everything else with it. */
const STALL_MS = 3_000;

/** `single` means that the one server of its kind is away for a moment: requests may fail. */
export type PhaseOf = { readonly what: string; readonly single?: true };
export type Phase = { readonly of: PhaseOf; readonly beganMs: number; readonly endedMs: number };

function countByStatus(failures: readonly Failure[]): string {
  const counts = new Map<string, number>();
  for (const { what, status } of failures) counts.set(`${what} ${status}`, (counts.get(`${what} ${status}`) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status} ×${count}`).join(', ') || 'none failed';
}

export const latencyOf = (traffic: Traffic, quantile: number, phases: readonly Phase[]): string =>
  `${traffic.latencyMs(quantile, phases).toFixed(0)} ms`;

/** Reports each phase with the requests that were sent in it and failed. @returns how many failed though there was another pod */
export function reportPhases(phases: readonly Phase[], traffic: Traffic): number {
  const { failures, stalls } = traffic;
  const long = stalls.filter(({ fromMs, toMs }) => toMs - fromMs > STALL_MS);
  const isStalled = ({ atMs, durationMs }: Failure) =>
    long.some(({ fromMs, toMs }) => atMs < toMs + STALL_MS && atMs + durationMs > fromMs);
  let unexplained = 0;
  for (const phase of phases) {
    const { of, beganMs, endedMs } = phase;
    const failed = failures.filter(({ atMs }) => atMs >= beganMs && atMs < endedMs);
    const stalled = failed.filter(isStalled);
    const others = failed.filter((failure) => !isStalled(failure));
    if (!of.single) unexplained += others.length;
    const also = stalled.length > 0 ? `; while this machine stood still: ${countByStatus(stalled)}` : '';
    const latency = `median ${latencyOf(traffic, 0.5, [phase])}, 99 % ${latencyOf(traffic, 0.99, [phase])}`;
    say(`${of.what}: ${((endedMs - beganMs) / 1_000).toFixed(0)} s; ${latency}; ${countByStatus(others)}${also}`);
  }
  for (const { fromMs, toMs } of long)
    say(
      `stood still from ${new Date(fromMs).toISOString().slice(11, 19)} for ${((toMs - fromMs) / 1_000).toFixed(0)} s`,
    );
  return unexplained;
}
