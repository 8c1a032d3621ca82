export { type Binary, findBinary } from './find-binary.ts';
export { checkInflux, type InfluxOptions, startInflux } from './influx.ts';
export { installCommand, installPackages } from './install-packages.ts';
export { checkNats, type NatsOptions, type NatsServer, startNats } from './nats.ts';
export { checkPostgres, type PostgresOptions, startPostgres } from './postgres.ts';
export { givenServer, type RunningServer } from './running-server.ts';
export type { ServerOptions } from './server-options.ts';
export { type Servers, type StartServersOptions, startServers } from './start-servers.ts';
export { isAtLeast, MINIMUM_VERSIONS, parseVersion, type ServerKind } from './versions.ts';
