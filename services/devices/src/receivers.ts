import type { EnvReader } from '@catchment/config';
import type { Transport } from './listening/index.ts';
import { type MqttDeps, mqtt, mqttSettings } from './mqtt/index.ts';
import { type StationDeps, stationSettings, tcpServer } from './stations/index.ts';

/** Reads settings of the rooms that listen at ports of their own for what devices and clients publish. */
export const receiverSettings = (read: EnvReader) => ({ mqtt: mqttSettings(read), stations: stationSettings(read) });

/** Returns their transports, which the service opens at its start and closes at its end. */
export const receivers = (
  settings: ReturnType<typeof receiverSettings>,
  deps: MqttDeps & StationDeps,
): readonly Transport[] => [mqtt(settings.mqtt, deps), tcpServer(settings.stations, deps)];
