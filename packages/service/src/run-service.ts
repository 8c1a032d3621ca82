import { setImmediate } from 'node:timers/promises';
import { ConfigError, withBackendLogins } from '@catchment/config';
import {
  createLogger,
  eventLoopDelays,
  LOG_LEVELS,
  type Logger,
  type LogLevel,
  logLongDelays,
  shutdownTelemetry,
} from '@catchment/telemetry';
import { Readiness } from './readiness.ts';
import { Closers, runStart, START_LIMIT_MS, type StartScope } from './start.ts';

/** Longest time that a draining service may take before it is ended all the same. */
const DRAIN_LIMIT_MS = 25_000;

export type ServiceScope = StartScope & {
  readonly name: string;
  readonly log: Logger;
  readonly readiness: Readiness;
};

/**
 * The life of a service process: start → ready → SIGTERM or SIGINT → readiness off → everything deferred, in reverse
 * order → exit 0; an unhandled exception takes the same way and exits 1. A start that fails exits 1 with the reason. A parent that started the process with an IPC channel and
 * dies takes it along. Logins that the environment gives apart from the servers' URLs are put into them before the start.
 *
 * A start is given up at whatever step it is: a signal or the end of the parent exits 0, a start that takes longer than
 * `START_LIMIT_SECONDS` exits 1.
 */
export async function runService(name: string, start: (scope: ServiceScope) => Promise<void>): Promise<void> {
  const log = createLogger(name, { level: logLevel() });
  const readiness = new Readiness();
  const closers = new Closers((err) => log.error({ err }, 'closing failed'));
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort(signal));
  process.on('disconnect', () => stop.abort('parent gone'));
  // It may have ended before anybody listened.
  if (process.send && !process.connected) stop.abort('parent gone');
  let exitCode = 0;
  let isStarted = false;
  // Also for unhandled rejections. A bug: requests under way are finished, no longer than any
  // draining may take, and the exit code says it.
  process.on('uncaughtException', (err, origin) => {
    log.error({ err, origin }, 'uncaught exception');
    exitCode = 1;
    if (!isStarted) process.exit(exitCode);
    stop.abort('uncaught exception');
  });

  try {
    Object.assign(process.env, withBackendLogins(process.env));
    const limitMs = startLimitMs(process.env.START_LIMIT_SECONDS);
    const outcome = await runStart((scope) => start({ name, log, readiness, ...scope }), {
      closers,
      limitMs,
      stop: stop.signal,
    });
    if (outcome === 'started') {
      readiness.started();
      isStarted = true;
      logLongDelays(eventLoopDelays(), log);
      log.info('service ready');
      // A parent that has ended in this moment is told by `disconnect`.
      if (process.connected) process.send?.('ready', () => {});
      await aborted(stop.signal);
      log.info({ reason: stop.signal.reason }, 'service draining');
    } else if (outcome === 'stopped') log.info({ reason: stop.signal.reason }, 'start given up');
    else {
      log.error({ limitSeconds: limitMs / 1_000 }, 'start took too long');
      exitCode = 1;
    }
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
  await closers.close();
  log.info('service stopped');
  await shutdownTelemetry().catch(() => undefined);
  // What is on its way to peers, such as the end of a call, leaves before.
  await setImmediate();
  process.exit(exitCode);
}

/** @throws ConfigError */
function startLimitMs(text: string | undefined): number {
  if (!text) return START_LIMIT_MS;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
  throw new ConfigError(['START_LIMIT_SECONDS must be a whole number of seconds from 0 (no limit) to 999999']);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function logLevel(): LogLevel {
  const level = process.env.LOG_LEVEL;
  return LOG_LEVELS.find((known) => known === level) ?? 'info';
}
