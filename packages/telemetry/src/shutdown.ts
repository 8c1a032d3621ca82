import { setTimeout as delay } from 'node:timers/promises';
import { running } from './running.ts';

/** A collector that does not answer must not use up the time that a process has to end. */
const LIMIT_MS = 3_000;

/** Sends the spans, metrics and log lines that are still buffered, for some seconds at most; nothing to do where none are sent. */
export async function shutdownTelemetry(): Promise<void> {
  if (!running) return;
  const over = new AbortController();
  const limit = delay(LIMIT_MS, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([running.shutdown(), limit]).finally(() => over.abort());
}
