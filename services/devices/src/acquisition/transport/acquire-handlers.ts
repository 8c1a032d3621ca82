import type { DevicesServiceService } from '@catchment/contracts/devices';
import type { Handlers } from '@catchment/grpc';
import { type AcquireDeps, acquireNow } from '../usecases/acquire-now.ts';

/** Sources that are asked now. */
export const acquireHandlers = (deps: AcquireDeps) =>
  ({
    acquire: async ({ nodeRef }, call) => {
      await acquireNow(deps, nodeRef, call);
      return {};
    },
  }) satisfies Partial<Handlers<typeof DevicesServiceService>>;
