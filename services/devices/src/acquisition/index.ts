import type { Bus } from '@catchment/bus';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { type Repeated, repeat } from '@catchment/service';
import type { DeviceSource } from '../registry/index.ts';
import type { PushedRecords } from '../schedules/index.ts';
import type { Nodes } from '../sources/index.ts';
import { controlReader } from './bus/controls-reader.ts';
import { acquireHandlers } from './transport/acquire-handlers.ts';
import { deviceConnected, remoteUse } from './usecases/device-sessions.ts';
import type { Drivers } from './usecases/drivers.ts';
import { followAcquisition } from './usecases/follow-acquisition.ts';
import { SessionWorker, type SessionWorkerDeps } from './usecases/session-worker.ts';

export type { Drivers } from './usecases/drivers.ts';
export {
  type CollectFiles,
  CommunicationFailure,
  type FileCollection,
  type FileConnection,
  type FileTransport,
  FinalFailure,
  type LoggerDriver,
  type LoggerFacts,
  type NewVersion,
  type PendingControl,
  type PipeTransport,
  type RemoteFile,
  type SessionProgress,
  type SessionSource,
} from './usecases/session-ports.ts';
export { acquisitionSettings } from './usecases/settings.ts';

type AcquisitionDeps = Omit<SessionWorkerDeps, 'drivers'> & {
  readonly nodes: Nodes;
  /** Devices have pushed these records. */
  readonly pushed: PushedRecords;
};

const PUSHED = { everyMs: 10_000, failed: 'pushes could not be reported' };

/** Sources acquire by this: schedules, sessions, control values (docs/reference/acquisition.md). */
export function openAcquisition(deps: AcquisitionDeps) {
  let worker: SessionWorker | undefined;
  let looking: Repeated | undefined;
  const room = { ...deps, wake: () => worker?.wake(), abandon: (sourceId: string) => worker?.abandon(sourceId) };
  return {
    handlers: acquireHandlers(room),
    follow: (node: NodeConfig) => followAcquisition(room, node),
    forget: room.abandon,
    deviceConnected: (deviceId: string, sources: readonly DeviceSource[]) => deviceConnected(room, deviceId, sources),
    remoteUse: (source: { readonly sourceId: string }, isConnected: boolean) => remoteUse(room, source, isConnected),
    readControls: (bus: Pick<Bus, 'readDomain'>) => controlReader(bus, room),
    /** Sessions begin. @param drivers they are made of these */
    start: async (drivers: Drivers) => {
      worker = new SessionWorker({ ...deps, drivers });
      await worker.start();
      looking = repeat(() => deps.pushed.look(), { ...PUSHED, log: deps.log });
    },
    stop: async () => {
      await looking?.stop();
      await worker?.stop();
    },
  };
}
export type Acquisitions = ReturnType<typeof openAcquisition>;
