export type {
  AckedSeq,
  DeviceLists,
  DeviceQuery,
  DeviceScope,
  DeviceSettings,
  FollowedSource,
  OpenedConnection,
  Registration,
  RegistryStored,
  SourceBefore,
} from './usecases/ports.ts';
