export {
  DEVICE_CLASS_OF,
  type Device,
  type DeviceClass,
  type DeviceSource,
  isDeviceKey,
  type ShownDevice,
} from './domain/device.ts';
export type { Ident } from './domain/ident.ts';
export { jsonObjectOf } from './domain/new-device.ts';
export {
  type DeviceAddress,
  LOG_LEVELS,
  type ModemLogLevel,
  SCHEDULE_TYPES,
  scoutConfigOf,
} from './domain/scout-config.ts';
export { deviceLists } from './store/device-lists.ts';
export { LEASE_SECONDS } from './store/pg-connections.ts';
export { registryStatements } from './store/statements.ts';
export { registryHandlers } from './transport/registry-handlers.ts';
export { pendingCommands, settleCommand } from './usecases/device-commands.ts';
export {
  type Accepted,
  acceptModem,
  type EndedConnection,
  followDevices,
  type ModemDeps,
  releaseModems,
  renewLease,
  standingOf,
} from './usecases/modem-registry.ts';
export type {
  AckedSeq,
  DeviceLists,
  FollowedSource,
  RegistryStored,
  SourceBefore,
} from './usecases/ports.ts';
export { SecretHasher } from './usecases/secret-hasher.ts';
