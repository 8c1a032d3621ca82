export { checkServer } from './check-server.ts';
export { findBinary } from './find-binary.ts';
export { type InfluxOptions, startInflux } from './influx.ts';
export { installPackages } from './install-packages.ts';
export { tailOf } from './log-tail.ts';
export { holdMachineLock } from './machine-lock.ts';
export { type NatsOptions, type NatsServer, startNats } from './nats.ts';
export { programAt } from './port-user.ts';
export { freePort, reservePorts } from './ports.ts';
export { type PostgresOptions, startPostgres } from './postgres.ts';
export { identityOf } from './process-identity.ts';
export { removeServerData } from './remove-data.ts';
export type { RunningServer } from './running-server.ts';
export { type Servers, startServers } from './start-servers.ts';
export {
  isAtLeast,
  MINIMUM_VERSIONS,
  NATS_CLUSTER_VERSION,
  NATS_SYNC_ALWAYS_VERSION,
  parseVersion,
  type ServerKind,
} from './versions.ts';
