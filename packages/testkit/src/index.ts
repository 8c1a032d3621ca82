export { freePort } from './free-port.ts';
export { type Ending, Front, type Target } from './front.ts';
export { ownInflux, ownNats, ownPostgres, removeDataFolder, temporaryDataFolder } from './own-servers.ts';
export { referenceRows } from './reference-rows.ts';
export { endConnections, type TestDatabase, testDatabase } from './test-database.ts';
export { type InfluxAnswer, type InfluxSeries, type TestInflux, testInflux } from './test-influx.ts';
export { type ReceivedMail, type TestMailServer, testMailServer } from './test-mail-server.ts';
export { natsLogin, type TestNats, testNats } from './test-nats.ts';
export { type UntilOptions, until } from './until.ts';
