export { sampleHandlers } from './transport/sample-handlers.ts';
export { type StationDeps, stationSettings, tcpServer } from './transport/tcp-server.ts';
export { Stations } from './usecases/take-message.ts';
