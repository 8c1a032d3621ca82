import type { Database } from '@catchment/pg';
import { customIdsOf } from '@catchment/query';
import type { DeviceLists } from '../usecases/ports.ts';
import { deviceColumns } from './device-columns.ts';
import { listenForDevices } from './pg-connections.ts';
import { streamDevices } from './pg-devices.ts';

/** Binds what needs a connection for longer than a statement. @param namespace setting CLASS_NAMESPACE */
export function deviceLists(database: Database, namespace: string): DeviceLists {
  const columns = deviceColumns(namespace);
  return {
    customIdsIn: (filter) => customIdsOf(filter, columns),
    streamDevices: (scope, query) => streamDevices(database, scope, query, columns),
    listenForDevices: (onDevice, signal) => listenForDevices(database, onDevice, signal),
  };
}
