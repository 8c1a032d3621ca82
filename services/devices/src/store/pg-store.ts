import type { Database, Queryable } from '@catchment/pg';
import { customIdsOf } from '@catchment/query';
import type { Store, Stored } from '../usecases/ports.ts';
import { deviceColumns } from './device-columns.ts';
import {
  closeConnection,
  confirmConfig,
  dropConnection,
  heartbeat,
  listenForDevices,
  notifyDevice,
  notifyDeviceOfKey,
  openConnection,
  registeredConnections,
  saveAckedSeq,
  sweepConnections,
} from './pg-connections.ts';
import {
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
import * as files from './pg-files.ts';
import * as registrations from './pg-registrations.ts';
import * as sources from './pg-sources.ts';
import { recordEvents } from './recorded-event.ts';

/** What runs on a connection of its own, or within a transaction. */
const STATEMENTS = {
  ...{ insertDevice, saveDevice, findDevice, lockDevice, lockDeviceByKey, moveDevice, setScheduleType },
  ...{ leaveWorkspaces, confirmConfig, devicesRevision, notifyDevice, notifyDeviceOfKey },
  ...{ openConnection, closeConnection, dropConnection, saveAckedSeq, heartbeat, sweepConnections },
  ...{ registeredConnections, recordEvents },
  ...registrations,
  ...sources,
  ...files,
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

/** What runs on a connection, or within a transaction. */
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
