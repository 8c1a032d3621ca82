import { startServers } from '@catchment/servers';
import { openState, readRunning, saveState } from '../start/state.ts';
import { type Backends, localBackends } from './backends.ts';
import type { Manifest } from './manifest.ts';

/**
 * Runs the servers of a local installation during a restore.
 * @param work calls `beginning` when nothing refuses the backup any more: until then the installation stays what it is
 */
export async function inDataFolder(
  dataDir: string,
  { partitions, shards }: Pick<Manifest, 'partitions' | 'shards'>,
  say: (line: string) => void,
  work: (backends: Backends, beginning: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if (await readRunning(dataDir))
    throw new Error(`Catchment runs with the data in ${dataDir}: stop it with Ctrl-C there`);
  const state = await openState(dataDir);
  await using servers = await startServers({ dataDir, log: say, moreInflux: shards });
  const { postgres, nats, influx, moreInflux } = servers;
  const more = [...moreInflux].map(([name, { url }]) => [name, url] as const);
  const backends = localBackends({ databaseUrl: postgres.url, natsUrl: nats.url, influxUrl: influx.url }, more);
  await work(backends, () => saveState(dataDir, { ...state, partitions, restored: true }));
}
