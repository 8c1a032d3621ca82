import { serviceCaller } from '@catchment/access';
import type { HandOverServiceService } from '@catchment/contracts/hand-over';
import type { Handlers } from '@catchment/grpc';

export const handOverHandlers = (begin: () => Promise<void>): Handlers<typeof HandOverServiceService> => ({
  takeRatings: async (_request, { caller }) => {
    serviceCaller(caller, 'processing');
    await begin();
    return {};
  },
});
