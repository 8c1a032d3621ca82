import { ConfigError, type EnvReader } from '@catchment/config';
import type { Logger } from '@catchment/telemetry';
import { readTlsPair, type Transport } from '../../listening/index.ts';
import type { Stations } from '../usecases/take-message.ts';
import { WASPMOTE, WATERLOG } from './protocols.ts';
import { StationServer } from './station-server.ts';

/** Settings of the listeners of stations, see README. A listener without its port is not opened. */
export function stationSettings(read: EnvReader) {
  return {
    host: read.text('STATIONS_HOST', { fallback: '127.0.0.1' }),
    waterlogPort: read.optionalPort('WATERLOG_PORT'),
    waterlogTlsPort: read.optionalPort('WATERLOG_TLS_PORT'),
    waspmotePort: read.optionalPort('WASPMOTE_PORT'),
    waspmoteTlsPort: read.optionalPort('WASPMOTE_TLS_PORT'),
    tlsCertFile: read.optionalText('STATIONS_TLS_CERT_FILE'),
    tlsKeyFile: read.optionalText('STATIONS_TLS_KEY_FILE'),
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

type StationDeps = { readonly stations: Stations; readonly log: Logger; readonly now: () => number };

/** Stations that connect by themselves (docs/reference/iot.md#stations). */
export const tcpServer = (settings: StationSettings, { stations, log, now }: StationDeps): Transport => ({
  name: 'TcpServer',
  async open() {
    const { host, limits, messageLimitMs } = settings;
    const tls = await readTlsPair('STATIONS', settings);
    if (!tls && (settings.waterlogTlsPort ?? settings.waspmoteTlsPort) !== undefined)
      throw new ConfigError([
        'WATERLOG_TLS_PORT and WASPMOTE_TLS_PORT need STATIONS_TLS_CERT_FILE and STATIONS_TLS_KEY_FILE',
      ]);
    const servers: StationServer[] = [];
    const ports: number[] = [];
    const close = async () => {
      await Promise.all(servers.map((server) => server.close()));
    };
    try {
      for (const [protocol, port, tlsPort] of [
        [WATERLOG(now), settings.waterlogPort, settings.waterlogTlsPort],
        [WASPMOTE, settings.waspmotePort, settings.waspmoteTlsPort],
      ] as const) {
        const server = new StationServer(protocol, { stations, limits, log, messageLimitMs });
        servers.push(server);
        if (port !== undefined) ports.push(await server.open({ host, port }));
        if (tls && tlsPort !== undefined) ports.push(await server.open({ host, port: tlsPort, tls }));
      }
    } catch (error) {
      await close();
      throw error;
    }
    return { ports, close };
  },
});
