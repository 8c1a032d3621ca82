import { deleteRemote, findRemote, liveDeviceOf, remotesOf, saveRemote, setRemoteState } from './store/pg-remote.ts';
import { RemoteGates, type RemoteGatesDeps } from './transport/remote-gates.ts';
import { remoteHandlers } from './transport/remote-handlers.ts';
import type { RemoteSettings } from './transport/remote-settings.ts';
import type { RemoteDeps } from './usecases/remote-access.ts';

export { remoteSettings } from './transport/remote-settings.ts';
export type { RemoteStored } from './usecases/ports.ts';

export const remoteStatements = { saveRemote, findRemote, deleteRemote, remotesOf, setRemoteState, liveDeviceOf };

type RemoteRoomDeps = Omit<RemoteGatesDeps, 'host' | 'ports'> &
  Pick<RemoteDeps, 'store' | 'nodes'> & {
    /** Calls what it is given whenever something about devices has changed. */
    readonly onChange: (heard: () => void) => void;
  };

/** Opens temporary ports to devices that are connected to this process (docs/reference/devices.md#remote-access). */
export function openRemote({ host, publicHost, ports }: RemoteSettings, deps: RemoteRoomDeps) {
  const gates = ports && new RemoteGates({ ...deps, host, ports });
  if (gates) deps.onChange(() => void gates.refresh());
  return {
    handlers: remoteHandlers({ ...deps, isOn: gates !== undefined, host: publicHost }),
    close: async () => gates?.close(),
  };
}
