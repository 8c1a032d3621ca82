export { type StationSettings, stationSettings, tcpServer } from './transport/tcp-server.ts';
export { Stations } from './usecases/take-message.ts';
export { takeSamples } from './usecases/take-samples.ts';
