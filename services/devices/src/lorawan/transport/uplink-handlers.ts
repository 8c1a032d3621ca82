import { serviceCaller } from '@catchment/access';
import type { DevicesServiceService } from '@catchment/contracts/devices';
import type { Handlers } from '@catchment/grpc';
import { takeUplink, type UplinkDeps } from '../usecases/take-uplink.ts';

/** Takes what network servers send, and decides whether they may. */
export const uplinkHandlers = (deps: UplinkDeps) =>
  ({
    takeUplink: async ({ event, ...request }, { caller, signal }) => {
      serviceCaller(caller, 'gateway');
      await takeUplink(deps, { ...request, event: event || undefined }, signal);
      return {};
    },
    admitUplink: async (login, { caller }) => {
      serviceCaller(caller, 'gateway');
      const { source } = await deps.uploadAdmission.admit({ ...login, transport: 'LorawanUpload' });
      return { ownerId: source.ownerId };
    },
  }) satisfies Partial<Handlers<typeof DevicesServiceService>>;
