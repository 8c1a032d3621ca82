import type { DevicesServiceService } from '@catchment/contracts/devices';
import type { Handlers } from '@catchment/grpc';
import { beginPush, type PushDeps } from '../usecases/begin-push.ts';

/** Files that clients push to the gateway. */
export const pushHandlers = (deps: PushDeps) =>
  ({
    beginPush: (request, call) => beginPush(deps, request, call),
  }) satisfies Partial<Handlers<typeof DevicesServiceService>>;
