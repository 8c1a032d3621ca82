import type { DataTimesServiceService } from '@catchment/contracts/data-times';
import type { Handlers } from '@catchment/grpc';
import { forServices } from '../../transport/answers.ts';
import { getDataTimes } from '../usecases/data-times.ts';
import type { ViewDeps } from '../usecases/deps.ts';

/** By DataTimesService the alarms service judges whether sources are outdated. */
export const dataTimesHandlers = (deps: Pick<ViewDeps, 'database'>): Handlers<typeof DataTimesServiceService> =>
  forServices<Handlers<typeof DataTimesServiceService>>({
    getDataTimes: async ({ nodeIds }) => ({ times: [...(await getDataTimes(deps, nodeIds))] }),
  });
