import type { Database, Queryable } from '@catchment/pg';
import { customIdsOf } from '@catchment/query';
import { fileStatements } from '../files/index.ts';
import { scheduleStatements } from '../schedules/index.ts';
import { recordEvents } from '../sources/index.ts';
import type { Store, Stored } from '../usecases/ports.ts';
import { deviceColumns } from './device-columns.ts';
import * as commands from './pg-commands.ts';
import {
  closeConnections,
  confirmConfig,
  dropConnection,
  heartbeat,
  isRegistered,
  listenForDevices,
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
  streamDevices,
} from './pg-devices.ts';
import * as downloads from './pg-downloads.ts';
import * as places from './pg-places.ts';
import * as registrations from './pg-registrations.ts';
import * as remote from './pg-remote.ts';
import * as sources from './pg-sources.ts';
import * as uplinks from './pg-uplinks.ts';

/** These statements run on their own connection, or within a transaction. */
const STATEMENTS = {
  ...{ insertDevice, saveDevice, findDevice, lockDevice, lockDeviceByKey, moveDevice, setScheduleType },
  ...{ deleteDevice, leaveWorkspaces, confirmConfig, devicesRevision, notifyDevice, notifyDeviceOfKey },
  ...{ openConnection, closeConnections, isRegistered, dropConnection, saveAckedSeqs, heartbeat, sweepConnections },
  ...{ registeredConnections, recordEvents },
  ...scheduleStatements,
  ...fileStatements,
  ...commands,
  ...registrations,
  ...remote,
  ...sources,
  ...downloads,
  ...places,
  ...uplinks,
};

type Bound<F> = {
  readonly [Name in keyof F]: F[Name] extends (on: Queryable, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

const bound = <F extends Readonly<Record<string, (on: Queryable, ...rest: never[]) => unknown>>>(
  on: Queryable,
  statements: F,
): Bound<F> =>
  Object.fromEntries(
    Object.entries(statements).map(([name, run]) => [name, (...rest: never[]) => run(on, ...rest)]),
  ) as Bound<F>;

/** Binds what runs on a connection, or within a transaction. */
export const storedOn = (on: Queryable): Stored => bound(on, STATEMENTS);

/** The service's store on PostgreSQL. @param namespace setting CLASS_NAMESPACE */
export function pgStore(database: Database, namespace: string): Store {
  const columns = deviceColumns(namespace);
  return {
    ...storedOn(database),
    transaction: (work) => database.transaction((tx) => work(storedOn(tx))),
    customIdsIn: (filter) => customIdsOf(filter, columns),
    streamDevices: (scope, query) => streamDevices(database, scope, query, columns),
    listenForDevices: (onDevice, signal) => listenForDevices(database, onDevice, signal),
  };
}
