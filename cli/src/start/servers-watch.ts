import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer, Servers } from '@catchment/servers';
import { RoomWatch } from './room-watch.ts';

const LOOK_EVERY_MS = 500;

type WatchOptions = {
  /** Our servers have their data here. */
  readonly dataDir: string;
  readonly say: (line: string) => void;
  readonly onChange: () => void;
};

/**
 * Starts a server of ours again when it died, and NATS when a disk that was full has room again; servers given by URL are left alone.
 */
export function watchServers(servers: Servers, options: WatchOptions): { stop(): Promise<void> } {
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

async function watch(server: RunningServer, stopping: AbortSignal, options: WatchOptions): Promise<void> {
  const { say, onChange } = options;
  // PostgreSQL and InfluxDB try again by themselves; a stream of NATS keeps the error of its last write.
  const room = server.kind === 'nats' ? new RoomWatch() : undefined;
  const restart = (why: string) => {
    say(`${why}, starting it again`);
    return server
      .restart()
      .then(onChange, (error: Error) => say(`${server.kind} could not be started: ${error.message}`));
  };
  while (!stopping.aborted) {
    await delay(LOOK_EVERY_MS, undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return;
    const hasRoomAgain = room?.look(await freeBytes(options.dataDir)) ?? false;
    // Undefined from the moment of its end: its id may be another process's by then.
    if (server.pid === undefined) await restart(`${server.kind} stopped unexpectedly`);
    else if (hasRoomAgain) await restart(`The disk of ${server.kind} was full and has room again`);
  }
}

/** Returns what the account of the servers may still write; undefined where the system does not say. */
const freeBytes = (folder: string): Promise<number | undefined> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
