import { setImmediate } from 'node:timers/promises';
import { ConfigError, withBackendLogins } from '@catchment/config';
import { createLogger, LOG_LEVELS, type Logger, type LogLevel, shutdownTelemetry } from '@catchment/telemetry';
import { Readiness } from './readiness.ts';

/** Longest time that a draining service may take before it is ended all the same. */
const DRAIN_LIMIT_MS = 25_000;

export type ServiceScope = {
  readonly name: string;
  readonly log: Logger;
  readonly readiness: Readiness;
  /** Registers what to do at the end; run in reverse order of registration, each awaited. */
  defer(close: () => unknown): void;
};

/**
 * The life of a service process: start → ready → SIGTERM or SIGINT → readiness off → everything deferred, in reverse
 * order → exit 0; an unhandled exception takes the same way and exits 1. A start that fails exits 1 with the reason. A parent that started the process with an IPC channel and
 * dies takes it along. Logins that the environment gives apart from the servers' URLs are put into them before the start.
 */
export async function runService(name: string, start: (scope: ServiceScope) => Promise<void>): Promise<void> {
  const log = createLogger(name, { level: logLevel() });
  const readiness = new Readiness();
  const closers: (() => unknown)[] = [];
  const stopRequested = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopRequested.resolve(signal));
  process.on('disconnect', () => stopRequested.resolve('parent gone'));
  let exitCode = 0;
  let isStarted = false;
  // Also for unhandled rejections. A bug: requests under way are finished, no longer than any
  // draining may take, and the exit code says it.
  process.on('uncaughtException', (err, origin) => {
    log.error({ err, origin }, 'uncaught exception');
    exitCode = 1;
    if (!isStarted) process.exit(exitCode);
    stopRequested.resolve('uncaught exception');
  });

  try {
    Object.assign(process.env, withBackendLogins(process.env));
    await start({ name, log, readiness, defer: (close) => closers.push(close) });
    readiness.started();
    isStarted = true;
    log.info('service ready');
    if (process.connected) process.send?.('ready');
    const reason = await stopRequested.promise;
    log.info({ reason }, 'service draining');
  } catch (error) {
    if (error instanceof ConfigError) log.error({ problems: error.problems }, 'configuration refused');
    else log.error({ err: error }, 'service could not start');
    exitCode = 1;
  }
  readiness.draining();
  setTimeout(() => {
    log.error({ limitMs: DRAIN_LIMIT_MS }, 'draining took too long');
    process.exit(1);
  }, DRAIN_LIMIT_MS).unref();
  for (const close of closers.reverse()) {
    try {
      await close();
    } catch (err) {
      log.error({ err }, 'closing failed');
    }
  }
  log.info('service stopped');
  await shutdownTelemetry().catch(() => undefined);
  // What is on its way to peers, such as the end of a call, leaves before.
  await setImmediate();
  process.exit(exitCode);
}

function logLevel(): LogLevel {
  const level = process.env.LOG_LEVEL;
  return LOG_LEVELS.find((known) => known === level) ?? 'info';
}
