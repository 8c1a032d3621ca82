import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@catchment/bus';
import { type Batches, batchesSoFar, STORES, storesFloor } from '../floors/stores-floor.ts';
import type { Installation } from '../installation.ts';
import { atLeast, atMost, processorTime, type Row } from '../report.ts';
import { quantile } from '../watch/in-turns.ts';
import { untilRead } from '../watch/log-readers.ts';
import { cpuByProcess, cpuOfEach } from '../watch/processes.ts';

/** Sends when it is asked to, however many messages are unanswered. */
export type Sender = {
  readonly waiting: number;
  /** The latency of each write that was acknowledged, ms. */
  readonly latencies: number[];
  send(): void;
};

const EVERY_MS = 1_000;
const WARM_UP_SECONDS = 5;
const LATE_MS = 300_000;
/** At least this share of the due messages is sent. */
const LEAST_OF_DUE = 0.98;
const MOST_P99_MS = 1_000;
/** Two processors that miss the other bars must reach these: processor time beside what the stores alone need, and ms of a message. */
const MOST_OF_FLOOR = 2;
const MOST_CPU_MS = 0.6;
const FLOOR_MESSAGES = 60_000;

type EverySecond = {
  readonly rate: number;
  readonly rows: Row[];
};

/** Each sends one message a second, of 3 points for a source of its own, until all are acknowledged; then the stores alone do the same. */
export async function measureEverySecond(
  installation: Installation,
  bus: Bus,
  senders: readonly Sender[],
  { name, seconds, scale }: { name: string; seconds: number; scale: number },
): Promise<EverySecond> {
  await sendEverySecond(senders, WARM_UP_SECONDS);
  await answered(senders);
  await untilRead(bus);
  for (const sender of senders) sender.latencies.length = 0;
  const pids: Record<string, number> = { ...(await installation.pids()), sender: process.pid };
  const batchesBefore = await batchesSoFar(installation);
  const cpuBefore = await cpuByProcess(pids);
  const began = performance.now();
  await sendEverySecond(senders, seconds);
  const due = senders.length * seconds;
  await answered(senders);
  const rate = due / ((performance.now() - began) / 1_000);
  const latencies = senders.flatMap((sender) => sender.latencies);
  await untilRead(bus);
  const cpuMs = cpuOfEach(cpuBefore, await cpuByProcess(pids), due);
  const batches = perBatch(due, batchesBefore, await batchesSoFar(installation));
  const floor = await storesFloor(installation, {
    sources: senders.length,
    messages: Math.ceil(FLOOR_MESSAGES * scale),
    batches,
  });
  const rows = [
    atLeast(`${name}: acknowledged`, rate, 'messages/s', (senders.length / (EVERY_MS / 1_000)) * LEAST_OF_DUE),
    atMost(
      `${name}: p99 (p50 ${quantile(latencies, 0.5).toFixed(1)} ms)`,
      quantile(latencies, 0.99),
      'ms',
      MOST_P99_MS,
    ),
    { ...processorTime(name, cpuMs), ...againstBar(sum(cpuMs), MOST_CPU_MS) },
    processorTime(
      `${name}: the stores alone, ${Math.round(batches.log)} messages in a batch of the log and ${Math.round(batches.transaction)} in a transaction`,
      floor,
    ),
    atMost(`${name}: processor time beside the stores alone`, sum(cpuMs) / sum(floor), '×', MOST_OF_FLOOR),
    atMost(
      `${name}: ${STORES.join(', ')} beside themselves alone`,
      sum(Object.fromEntries(STORES.map((store) => [store, cpuMs[store] ?? 0]))) / sum(floor),
      '×',
      MOST_OF_FLOOR,
    ),
  ];
  return { rate, rows };
}

const sum = (cpuMs: Readonly<Record<string, number>>): number => Object.values(cpuMs).reduce((all, ms) => all + ms, 0);
const againstBar = (value: number, bar: number) => ({ ratio: null, bar, holds: value <= bar });

const perBatch = (messages: number, before: Batches, after: Batches): Batches => ({
  log: messages / Math.max(1, after.log - before.log),
  transaction: messages / Math.max(1, after.transaction - before.transaction),
});

/** Every sender sends once in a second, each at a moment of its own. */
async function sendEverySecond(senders: readonly Sender[], seconds: number): Promise<void> {
  const began = performance.now();
  let sent = 0;
  const all = senders.length * seconds;
  while (sent < all) {
    const due = Math.min(all, Math.floor(((performance.now() - began) / EVERY_MS) * senders.length));
    for (; sent < due; sent += 1) senders[sent % senders.length]?.send();
    await delay(1);
  }
}

/** Resolves when every message is acknowledged. */
export async function answered(senders: readonly Sender[]): Promise<void> {
  const endMs = performance.now() + LATE_MS;
  while (senders.some((sender) => sender.waiting > 0)) {
    if (performance.now() > endMs) throw new Error('messages were not acknowledged in time');
    await delay(20);
  }
}
