import { type MqttSettings, mqtt } from '../mqtt/index.ts';
import { type StationSettings, type Stations, tcpServer } from '../stations/index.ts';
import type { Transport } from '../usecases/transport.ts';
import type { ModemServer } from './modem-server.ts';
import { type ModemSettings, modemTransports } from './modem-transports.ts';

/** The transports that bring data here; a source whose transport is none of these is given its data by others. */
export const transportsOf = (
  settings: {
    readonly scout: ModemSettings;
    readonly callback: ModemSettings;
    readonly mqtt: MqttSettings;
    readonly stations: StationSettings;
    readonly classNamespace: string;
  },
  modems: ModemServer,
  stations: Stations,
): readonly Transport[] => [
  ...modemTransports(modems, settings),
  mqtt(settings.mqtt, settings.classNamespace),
  tcpServer(settings.stations, stations),
];
