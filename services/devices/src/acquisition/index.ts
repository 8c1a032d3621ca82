import type { Bus } from '@catchment/bus';
import type { NodeConfig } from '@catchment/contracts/nodes';
import type { CallContext } from '@catchment/grpc';
import { type Repeated, repeat } from '@catchment/service';
import type { DeviceSource } from '../registry/index.ts';
import { PushedRecords } from '../schedules/index.ts';
import type { Nodes } from '../sources/index.ts';
import { controlReader } from './bus/controls-reader.ts';
import { acquireNow } from './usecases/acquire-now.ts';
import { deviceConnected, remoteUse } from './usecases/device-sessions.ts';
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

type AcquisitionDeps = SessionWorkerDeps & { readonly nodes: Nodes };

const PUSHED = { everyMs: 10_000, failed: 'pushes could not be told' };

/** Sources acquire by this: schedules, sessions, control values (docs/reference/acquisition.md). */
export function openAcquisition(deps: AcquisitionDeps) {
  const worker = new SessionWorker(deps);
  const pushed = new PushedRecords(deps);
  let looking: Repeated | undefined;
  const room = { ...deps, wake: () => worker.wake(), abandon: (sourceId: string) => worker.abandon(sourceId) };
  return {
    acquire: (nodeRef: string, call: CallContext) => acquireNow(room, nodeRef, call),
    follow: (node: NodeConfig) => followAcquisition(room, node),
    forget: room.abandon,
    deviceConnected: (deviceId: string, sources: readonly DeviceSource[]) => deviceConnected(room, deviceId, sources),
    remoteUse: (source: { readonly sourceId: string }, isConnected: boolean) => remoteUse(room, source, isConnected),
    readControls: (bus: Pick<Bus, 'readDomain'>) => controlReader(bus, room),
    /** Records that a device has pushed are in the log. */
    delivered: (sourceId: string) => pushed.note(sourceId),
    start: async () => {
      await worker.start();
      looking = repeat(() => pushed.look(), { ...PUSHED, log: deps.log });
    },
    stop: async () => {
      await looking?.stop();
      await worker.stop();
    },
  };
}
export type Acquisitions = ReturnType<typeof openAcquisition>;
