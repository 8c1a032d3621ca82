import { setImmediate } from 'node:timers/promises';
import { CONFIG_REFUSED, ConfigError, type EnvReader, envReader, serviceEnvironment } from '@catchment/config';
import { LocalCalls } from '@catchment/grpc';
import {
  createLogger,
  eventLoopDelays,
  hostServices,
  inService,
  type Logger,
  logLongDelays,
  shutdownTelemetry,
} from '@catchment/telemetry';
import { serveProcessHealth } from './health-server.ts';
import type { Service } from './open-service.ts';
import { Readiness } from './readiness.ts';
import type { Environment } from './service-config.ts';
import { Closers, runStart, START_LIMIT_MS, type StartScope } from './start.ts';

/** The services of a wave may take this long to drain before they are ended all the same. */
const DRAIN_LIMIT_MS = 25_000;

/** Runs a service of this process, with what it has opened. */
class Hosted {
  readonly service: Service;
  readonly name: string;
  readonly readiness = new Readiness();
  readonly closers = new Closers((err) => this.log.error({ err }, 'closing failed'));
  log: Logger;

  constructor(service: Service) {
    this.service = service;
    this.name = service.name;
    this.log = createLogger(service.name);
  }
}

/**
 * Leads a process through its life: all its services start side by side → ready → SIGTERM or SIGINT → readiness off → what they have opened
 * is closed, wave by wave, in reverse order within a service → exit 0; an unhandled exception takes the same way and exits 1. A service
 * that cannot start is named with the reason, the others end, exit 1 (78 where settings are refused). A parent that started the process
 * with an IPC channel and dies takes it along.
 *
 * A start is given up at whatever step it is: a signal or the end of the parent exits 0, a start that takes longer than
 * `START_LIMIT_SECONDS` exits 1.
 * @param waves in the order of their end: callers before those whom they call, so that nothing in flight loses its server
 */
export async function runServices(waves: readonly (readonly Service[])[], env: Environment): Promise<void> {
  const hosted = waves.map((wave) => wave.map((service) => new Hosted(service)));
  const all = hosted.flat();
  hostServices(all.map(({ service }) => service.name));
  const log = all.length === 1 ? all[0]!.log : createLogger('process');
  const stop = stopController();
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
    const names = new Set(all.map(({ service }) => service.name));
    const environments = new Map(all.map((service) => [service, serviceEnvironment(env, service.service.name)]));
    const { limitMs, checksMessages, health } = readAll(env, environments, names);
    // The port stays open until the process ends, so that who asks sees that it drains.
    if (health) log.info({ healthPort: (await serveProcessHealth(health, all)).port }, 'process listening');
    const calls = new LocalCalls({ checksMessages });
    const start = (scope: StartScope) => startAll(environments, names, { ...scope, calls });
    const closers = new Closers(() => {});
    const outcome = await runStart(start, { closers, limitMs, stop: stop.signal });
    if (outcome === 'started') {
      isStarted = true;
      logLongDelays(eventLoopDelays(), log);
      for (const ready of all) {
        ready.readiness.started();
        ready.log.info('service ready');
      }
      // `disconnect` reports a parent that has ended in this moment.
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
    // A failure in a service is in the log already, with its name.
    else if (!(error instanceof AggregateError)) log.error({ err: error }, 'service could not start');
    exitCode = isRefusal(error) ? CONFIG_REFUSED : 1;
  }
  for (const { readiness } of all) readiness.draining();
  for (const wave of hosted) await drained(wave, log);
  log.info('service stopped');
  await shutdownTelemetry().catch(() => undefined);
  // The end of a call may be on its way to a peer still: it leaves before.
  await setImmediate();
  process.exit(exitCode);
}

/** The number of partitions is found wrong only when the broker answers. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AggregateError ? error.errors.some(isRefusal) : error instanceof ConfigError;

/** @throws AggregateError when one could not start, which the log says */
async function startAll(
  environments: ReadonlyMap<Hosted, Environment>,
  names: ReadonlySet<string>,
  { calls, signal }: StartScope & { readonly calls: LocalCalls },
): Promise<void> {
  const failed = new AbortController();
  const given = AbortSignal.any([signal, failed.signal]);
  const outcomes = await Promise.allSettled(
    [...environments].map(async ([{ service, log, readiness, closers }, environment]) => {
      const defer = (close: () => unknown) => {
        closers.add(close);
        given.throwIfAborted();
      };
      const host = { env: environment, log, readiness, calls, hosted: names, signal: given, defer };
      try {
        await inService(service.name, () => service.start(host));
      } catch (error) {
        if (!given.aborted) log.error({ err: error }, 'service could not start');
        failed.abort(error);
        throw error;
      }
    }),
  );
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors);
}

/**
 * Reads the settings of the process, and finds what is wrong with those of any service, before anything is opened.
 * @throws ConfigError with the problems of all of them
 */
function readAll(
  env: Environment,
  environments: ReadonlyMap<Hosted, Environment>,
  names: ReadonlySet<string>,
): ProcessSettings {
  const problems = new Set<string>();
  const collect = (work: () => void, whose = '') => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) problems.add(whose + problem);
    }
  };
  const read = envReader(env);
  const settings = processSettings(read);
  collect(() => read.done());
  for (const [service, environment] of environments) {
    const { config, name } = service.service;
    const whose = names.size > 1 ? `${name}: ` : '';
    collect(() => {
      service.log.level = config.read(environment, names).logLevel;
    }, whose);
  }
  if (problems.size > 0) throw new ConfigError([...problems]);
  return settings;
}

/** Closes what the services of a wave have opened, and ends the process where that takes too long. */
async function drained(wave: readonly Hosted[], log: Logger): Promise<void> {
  const limit = setTimeout(() => {
    log.error({ limitMs: DRAIN_LIMIT_MS, services: wave.map(({ service }) => service.name) }, 'draining took too long');
    process.exit(1);
  }, DRAIN_LIMIT_MS);
  limit.unref();
  await Promise.all(wave.map(({ name, closers }) => inService(name, () => closers.close())));
  clearTimeout(limit);
}

type ProcessSettings = ReturnType<typeof processSettings>;

function processSettings(read: EnvReader) {
  const limitSeconds = read.int('START_LIMIT_SECONDS', { min: 0, max: 999_999, fallback: START_LIMIT_MS / 1_000 });
  const checksMessages = read.bool('CHECK_MESSAGES', { fallback: false });
  const port = read.optionalPort('PROCESS_HEALTH_PORT');
  const health = port !== undefined && { host: read.text('HEALTH_HOST', { fallback: '127.0.0.1' }), port };
  return { limitMs: limitSeconds * 1_000, checksMessages, health };
}

/** Aborted when the process is to end, with the reason. */
function stopController(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort(signal));
  process.on('disconnect', () => stop.abort('parent gone'));
  // It may have ended before anybody listened.
  if (process.send && !process.connected) stop.abort('parent gone');
  return stop;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
