import type { EnvReader } from '@catchment/config';
import type { Logger } from '@catchment/telemetry';
import { listenerSettings, listenersOf, type Transport } from '../../listening/index.ts';
import type { Stations } from '../usecases/take-message.ts';
import { WASPMOTE, WATERLOG } from './protocols.ts';
import { StationServer } from './station-server.ts';

/** Reads settings of the listeners of stations, see README. A listener without its port is not opened. */
export function stationSettings(read: EnvReader) {
  return {
    waterlog: listenerSettings(read, 'waterlog'),
    waspmote: listenerSettings(read, 'waspmote'),
    limits: {
      maxConnections: read.int('STATIONS_MAX_CONNECTIONS', { min: 1, max: 100_000, fallback: 2_000 }),
      maxConnectionsPerAddress: read.int('STATIONS_MAX_CONNECTIONS_PER_ADDRESS', {
        min: 1,
        max: 100_000,
        fallback: 200,
      }),
      maxPendingBytes: 16 * 1024 * 1024,
    },
    messageLimitMs: read.int('STATIONS_MESSAGE_SECONDS', { min: 1, max: 3_600, fallback: 30 }) * 1_000,
  };
}
export type StationSettings = ReturnType<typeof stationSettings>;

export type StationDeps = { readonly stations: Stations; readonly log: Logger; readonly now: () => number };

/** Serves stations that connect by themselves (docs/reference/iot.md#stations). */
export const tcpServer = (settings: StationSettings, { stations, log, now }: StationDeps): Transport => ({
  name: 'TcpServer',
  async open() {
    const { limits, messageLimitMs } = settings;
    const wanted = [
      { protocol: WATERLOG(now), listeners: await listenersOf(settings.waterlog) },
      { protocol: WASPMOTE, listeners: await listenersOf(settings.waspmote) },
    ];
    const servers: StationServer[] = [];
    const ports: number[] = [];
    const close = async () => {
      await Promise.all(servers.map((server) => server.close()));
    };
    try {
      for (const { protocol, listeners } of wanted) {
        const server = new StationServer(protocol, { stations, limits, log, messageLimitMs });
        servers.push(server);
        for (const listener of listeners) ports.push(await server.open(listener));
      }
    } catch (error) {
      await close();
      throw error;
    }
    return { ports, close };
  },
});
