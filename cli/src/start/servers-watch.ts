import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer, Servers } from '@catchment/servers';

const LOOK_EVERY_MS = 500;

/** Starts a server of ours again when it died; servers given by URL are left alone. */
export function watchServers(
  servers: Servers,
  options: { say: (line: string) => void; onChange: () => void },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const ours = [servers.postgres, servers.nats, servers.influx, ...servers.moreInflux.values()].filter(
    (server) => server.where === 'process',
  );
  const watching = Promise.all(ours.map((server) => watch(server, stopping.signal, options)));
  return {
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function watch(
  server: RunningServer,
  stopping: AbortSignal,
  { say, onChange }: { say: (line: string) => void; onChange: () => void },
): Promise<void> {
  while (!stopping.aborted) {
    await delay(LOOK_EVERY_MS, undefined, { signal: stopping }).catch(() => {});
    // Undefined from the moment of its end: its id may be another process's by then.
    if (stopping.aborted || server.pid !== undefined) continue;
    say(`${server.kind} stopped unexpectedly, starting it again`);
    await server
      .restart()
      .then(onChange, (error: Error) => say(`${server.kind} could not be started: ${error.message}`));
  }
}
