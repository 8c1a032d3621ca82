import * as commands from './pg-commands.ts';
import {
  closeConnections,
  confirmConfig,
  dropConnection,
  heartbeat,
  isRegistered,
  notifyDevice,
  notifyDeviceOfKey,
  openConnection,
  registeredConnections,
  saveAckedSeqs,
  sweepConnections,
} from './pg-connections.ts';
import {
  deleteDevice,
  devicesRevision,
  findDevice,
  insertDevice,
  leaveWorkspaces,
  lockDevice,
  lockDeviceByKey,
  moveDevice,
  saveDevice,
  setScheduleType,
} from './pg-devices.ts';
import * as registrations from './pg-registrations.ts';
import * as sources from './pg-sources.ts';

export const registryStatements = {
  ...{ insertDevice, saveDevice, findDevice, lockDevice, lockDeviceByKey, moveDevice, setScheduleType },
  ...{ deleteDevice, leaveWorkspaces, confirmConfig, devicesRevision, notifyDevice, notifyDeviceOfKey },
  ...{ openConnection, closeConnections, isRegistered, dropConnection, saveAckedSeqs, heartbeat, sweepConnections },
  ...{ registeredConnections },
  ...commands,
  ...registrations,
  ...sources,
};
