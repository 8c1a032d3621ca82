import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;

/**
 * Resolves when the address answers 200.
 * @throws Error naming the service, and where its log is
 */
export async function waitReady(
  url: string,
  options: { name: string; limitMs: number; logFile: string },
): Promise<void> {
  const deadline = performance.now() + options.limitMs;
  while (performance.now() < deadline) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await delay(LOOK_EVERY_MS);
  }
  throw new Error(
    `${options.name} was not ready within ${options.limitMs / 1000} s. What it said is in ${options.logFile}`,
  );
}
