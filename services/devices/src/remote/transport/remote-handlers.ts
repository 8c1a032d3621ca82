import type { DevicesServiceService } from '@catchment/contracts/devices';
import { type Handlers, jsonAnswer } from '@catchment/grpc';
import { formatIsoMs } from '@catchment/time';
import type { RemoteSession } from '../domain/remote-session.ts';
import { type RemoteDeps, readRemote, startRemote, stopRemote } from '../usecases/remote-access.ts';

/** Temporary ports to loggers. @param deps.host where clients connect */
export const remoteHandlers = (deps: RemoteDeps & { readonly host: string }) =>
  ({
    startRemote: async (request, call) => jsonAnswer(remoteView(await startRemote(deps, request, call), deps.host)),
    readRemote: async ({ nodeRef }, call) => {
      const session = await readRemote(deps, nodeRef, call);
      return jsonAnswer(session ? remoteView(session, deps.host) : { state: 'CLOSED' });
    },
    stopRemote: async ({ nodeRef }, call) => {
      await stopRemote(deps, nodeRef, call);
      return {};
    },
  }) satisfies Partial<Handlers<typeof DevicesServiceService>>;

const remoteView = ({ state, port, cidr, endsMs, username }: RemoteSession, host: string) => ({
  state,
  host,
  port,
  cidr,
  username,
  endTime: formatIsoMs(endsMs),
});
