import type { LocalCalls } from '@catchment/grpc';
import { createLogger, type Logger } from '@catchment/telemetry';
import type { Service, StartedWith } from './open-service.ts';
import { Readiness } from './readiness.ts';
import type { Environment } from './service-config.ts';
import { Closers } from './start.ts';

/**
 * Starts a service in this process, for whoever composes processes by hand.
 * @param env the settings of this service
 * @returns where it listens, and what closes all that it has opened
 * @throws what its start failed with, after everything is closed
 */
export async function startService<Facts>(
  service: Service<Facts>,
  env: Environment,
  options: { readonly log?: Logger; readonly calls?: LocalCalls; readonly hosted?: ReadonlySet<string> } = {},
): Promise<StartedWith<Facts> & { stop(): Promise<void> }> {
  const { log = createLogger(service.name), ...rest } = options;
  const closers = new Closers((err) => log.error({ err }, 'closing failed'));
  const readiness = new Readiness();
  const stop = async () => {
    readiness.draining();
    await closers.close();
  };
  try {
    const scope = { signal: new AbortController().signal, defer: (close: () => unknown) => closers.add(close) };
    const started = await service.start({ ...scope, ...rest, env, log, readiness });
    readiness.started();
    return { ...started, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
